"""What an experiment takes: the runs it orders, what of them is there, and the time for the rest."""

from __future__ import annotations

from dataclasses import dataclass

from simcli.analysis.pooled import leading_rotation
from simcli.errors import InputError, Problem, input_error, problems_of
from simcli.experiments.design import Cell, Design, design_of
from simcli.experiments.experiment import Experiment
from simcli.runs.engine import ready_engine
from simcli.runs.orders import Order, check_order, or_declared
from simcli.runs.plan import Match, Plan
from simcli.runs.play import measured_speed
from simcli.runs.report import Report
from simcli.runs.store.location import Location


@dataclass(frozen=True)
class PlannedCell:
    """Hold a cell, the order for it, and how far it is.

    Attributes
    ----------
    cell : Cell
        What is played.
    order : Order
        The run that is ordered.
    deals : int
        Deals that it is to have; with a rule for stopping, at most.
    there : int
        Those that lie in its folder.
    """

    cell: Cell
    order: Order
    deals: int
    there: int

    @property
    def missing(self) -> int:
        """Return the deals that are still to be played."""
        return self.deals - self.there


@dataclass(frozen=True)
class ExperimentPlan:
    """Hold an experiment with its design, ready to be played.

    Attributes
    ----------
    experiment : Experiment
        The question.
    design : Design
        What is played.
    cells : tuple of PlannedCell
        Every cell with its order.
    """

    experiment: Experiment
    design: Design
    cells: tuple[PlannedCell, ...]

    @property
    def deals(self) -> int:
        """Return the deals of all cells together."""
        return sum(planned.deals for planned in self.cells)

    @property
    def missing(self) -> int:
        """Return the deals that are still to be played."""
        return sum(planned.missing for planned in self.cells)

    def seconds(self, workers: int, report: Report) -> float:
        """Return the time that the missing deals take, by the speed measured now.

        One variant is timed for each table size and line-up: what tables agree on changes the speed little.
        """
        pending: dict[tuple[int, str], list[PlannedCell]] = {}
        for planned in self.cells:
            if planned.missing:
                who = leading_rotation(planned.cell.lineup).text
                pending.setdefault((planned.cell.players, who), []).append(planned)
        for looks_ahead in sorted({cells[0].order.match.lineup.looks_ahead for cells in pending.values()}):
            ready_engine(report, looks_ahead)
        return sum(
            sum(planned.missing for planned in together) / (workers * measured_speed(together[0].order.match))
            for together in pending.values()
        )


def plan_experiment(experiment: Experiment, results: Location) -> ExperimentPlan:
    """Return what an experiment orders, all of it checked, and what of it is there.

    Parameters
    ----------
    experiment : Experiment
        The experiment.
    results : Path or S3Url
        The results folder. A run in it that is longer than asked for is used up to the smallest number of
        deals that it was declared with and that is not smaller.

    Raises
    ------
    InputError
        The experiment cannot be played, or a folder holds another run.
    """
    design = design_of(experiment)
    cells: list[PlannedCell] = []
    problems: list[Problem] = []
    for cell in design.cells:
        try:
            cells.append(_planned(experiment, cell, results))
        except InputError as error:
            problems += [problem for problem in problems_of(error) if problem not in problems]
    if problems:
        raise input_error(problems)
    return ExperimentPlan(experiment, design, tuple(cells))


def _planned(experiment: Experiment, cell: Cell, results: Location) -> PlannedCell:
    match = Match(cell.variant, cell.lineup, experiment.seed, experiment.session)
    rule = experiment.rule
    order = Order(match, experiment.deals if rule is None else None, results, rule)
    plan = order.folder.plan_of(match)
    order = or_declared(order)
    check_order(order)
    deals = order.deals if rule is None else rule.max_deals
    assert deals is not None  # an experiment says how many
    there = 0 if plan is None else _deals_there(order, plan, deals)
    return PlannedCell(cell, order, max(deals, there), there)


def _deals_there(order: Order, plan: Plan, deals: int) -> int:
    """Return how many of a run's first deals lie in its folder."""
    there = set(order.folder.part_names())
    return sum(part.n_deals for part in plan.parts(deals) if part.end <= deals and part.file_name in there)
