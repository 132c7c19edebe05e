"""Carry out an experiment: play what is missing of its runs, and compare."""

from __future__ import annotations

from collections.abc import Iterator

from simcli.analysis.compare import compare
from simcli.analysis.comparison import Comparison
from simcli.analysis.finished import FinishedRun
from simcli.analysis.further import Factorial, further
from simcli.analysis.missing import play_missing, play_until
from simcli.experiments.design import Design, Group
from simcli.experiments.experiment import Experiment
from simcli.experiments.planning import ExperimentPlan
from simcli.experiments.result import Result
from simcli.runs.pool import Pool
from simcli.runs.report import Report
from simcli.runs.staged import is_narrow

Key = tuple[str, int, str]


def conduct_experiment(plan: ExperimentPlan, pool: Pool, report: Report) -> Result:
    """Return what an experiment finds, playing what is missing of it.

    What is finished is not played again, and an experiment that was stopped goes on where it was.

    Parameters
    ----------
    plan : ExperimentPlan
        The experiment with its orders.
    pool, report
        As for `simcli.runs.conduct.conduct`.

    Raises
    ------
    InputError, RunError
        As for `simcli.runs.conduct.conduct`.
    """
    experiment, design = plan.experiment, plan.design
    runs = {_key(run): run for run in _played(plan, pool, report)}
    comparisons = tuple(_compared(plan, group, runs, pool.workers) for group in design.groups)
    return Result(
        experiment,
        design.treatments,
        design.reference,
        design.left_out,
        comparisons,
        further(comparisons, factorial_of(experiment, design), pool.workers),
        tuple(runs.values()),
    )


def factorial_of(experiment: Experiment, design: Design) -> Factorial | None:
    """Return the options that an experiment combines, None if it combines none."""
    if experiment.design != "crossed" or len(experiment.vary) < 2:
        return None
    levels = {each.name: each.factors for each in design.treatments if each.factors}
    return Factorial(levels, design.reference)


def _key(run: FinishedRun) -> Key:
    return run.variant.name, run.match.players, run.match.lineup.text


def _played(plan: ExperimentPlan, pool: Pool, report: Report) -> Iterator[FinishedRun]:
    """Yield the runs of all cells, those that were missing played now."""
    orders, rule = [planned.order for planned in plan.cells], plan.experiment.rule
    if rule is None:
        yield from play_missing(orders, pool, report)
    else:
        yield from play_until(orders, rule, lambda: is_narrow(rule.threshold), pool, report)


def _compared(plan: ExperimentPlan, group: Group, runs: dict[Key, FinishedRun], workers: int) -> Comparison:
    experiment = plan.experiment
    return compare(
        [runs[cell.key] for cell in group.cells],
        group.baseline,
        experiment.margin,
        experiment.frame,
        experiment.outcome,
        experiment.adjust,
        by="players",
        workers=workers,
    )
