"""Plan a comparison: the deals that a question takes, and the time, from a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from simcli.analysis.compare import view_of
from simcli.analysis.estimates import discordant
from simcli.analysis.finished import FinishedRun
from simcli.analysis.missing import play_missing
from simcli.analysis.pair_rows import difference_rows
from simcli.analysis.rates import ALPHA, critical_value
from simcli.analysis.sequences import alpha_at_look
from simcli.analysis.setting import Setting
from simcli.analysis.sizes import (
    MOST_DEALS,
    deals_to_decide,
    paired_deals_for_half_width,
    pilot_variance,
)
from simcli.analysis.tables import sort_runs
from simcli.analysis.tally import tally_runs
from simcli.analysis.verdict import MARGIN, CellDifference, judge
from simcli.errors import refusal
from simcli.rules.wording import printable_path
from simcli.runs.engine import ready_engine
from simcli.runs.orders import Order
from simcli.runs.play import measured_speed
from simcli.runs.pool import Pool
from simcli.runs.report import Report

PILOT_DEALS = 20_000
"""Deals of a pilot, played by every variant."""

Aim = Literal["margin", "half-width"]


@dataclass(frozen=True)
class PlannedVariant:
    """Hold what one variant takes.

    Attributes
    ----------
    variant : str
        Its name.
    cell : str or None
        The cell that takes most; None if there is nothing to find out.
    difference : float or None
        The cell's difference from the baseline in the pilot.
    verdict : str
        The pilot's verdict at the margin (half a point where a half-width is asked for).
    deals : int or None
        Deals of the run, those of the pilot included; None where more deals will hardly decide.
    seconds : float or None
        Time to play those of its deals that are missing.
    is_beyond : bool
        Whether some cell differed by more than the margin in the pilot.
    """

    variant: str
    cell: str | None
    difference: float | None
    verdict: str
    deals: int | None
    seconds: float | None
    is_beyond: bool


@dataclass(frozen=True)
class ComparisonPlan:
    """Hold what a comparison takes.

    Attributes
    ----------
    aim : {"margin", "half-width"}
        What is asked for: verdicts, or narrow intervals of the differences.
    threshold : float
        The margin or the half-width, a share of all deals.
    baseline : str
        The variant that the others are compared with.
    players, lineup, seed
        The table.
    pilot : int
        Deals of the pilot.
    look : int
        At which look the longer run will be: its intervals are at 1 − α/(j(j + 1)).
    variants : tuple of PlannedVariant
        What each takes.
    not_compared : tuple of str
        Variants whose positions are not those of the baseline: teams against single players.
    deals : int
        Deals to give to all: the largest number that promises anything, or the pilot's.
    seconds : float
        Time to play what is missing of all runs.
    """

    aim: Aim
    threshold: float
    baseline: str
    players: int
    lineup: str
    seed: int
    pilot: int
    look: int
    variants: tuple[PlannedVariant, ...]
    not_compared: tuple[str, ...]
    deals: int
    seconds: float


def plan_comparison(
    orders: Sequence[Order], aim: Aim, threshold: float, baseline: str | None, pool: Pool, report: Report
) -> ComparisonPlan:
    """Play a pilot as far as it is missing, and say what a comparison takes.

    Parameters
    ----------
    orders : sequence of Order
        The runs, of one table size and line-up, without a number of deals.
    aim, threshold, baseline
        As in `ComparisonPlan`; the baseline by default as for `compare`.
    pool, report
        As for `conduct`.

    Raises
    ------
    InputError, RunError
        As for `conduct`; or a run was played until it was decided, so that the ordinary intervals, which
        are planned here, do not hold for it.
    """
    runs = list(play_missing([_pilot(order) for order in orders], pool, report))
    table = sort_runs(runs, baseline).tables[0]
    view, _ = view_of([run.variant for run in runs], "opener", None)
    margin = threshold if aim == "margin" else MARGIN
    tallies = tally_runs([entry.run for entry in table.entries], view, pool.workers)
    setting = Setting(table, view, margin, tallies)
    if setting.is_sequential:
        _refuse_sequence([entry.run for entry in table.entries])
    ready_engine(report, table.baseline.run.match.lineup.looks_ahead)
    speeds = [pool.workers * measured_speed(entry.run.match) for entry in table.entries]
    alpha = alpha_at_look(ALPHA, setting.look + 1)
    planned = tuple(
        _planned(setting, index, aim, threshold, alpha, speeds[index]) for index in setting.compared
    )
    wanted = max([0, *(each.deals for each in planned if each.deals is not None)])
    longest = max(entry.run.plan.deals for entry in table.entries)
    deals = wanted if wanted > longest else longest
    match = table.baseline.run.match
    return ComparisonPlan(
        aim=aim,
        threshold=threshold,
        baseline=table.baseline.label,
        players=match.players,
        lineup=match.lineup.text,
        seed=match.seed,
        pilot=min(entry.run.deals for entry in table.entries),
        look=setting.look + 1,
        variants=planned,
        not_compared=tuple(
            entry.label
            for index, entry in enumerate(table.entries)
            if index > 0 and index not in setting.compared
        ),
        deals=deals,
        seconds=sum(
            max(0, deals - entry.run.plan.deals) / speed
            for entry, speed in zip(table.entries, speeds, strict=True)
        ),
    )


def _pilot(order: Order) -> Order:
    """Return what is asked of a run for the pilot; one that is longer already serves as it is."""
    plan = order.folder.plan_of(order.match)
    return replace(order, deals=max(0 if plan is None else plan.deals, PILOT_DEALS))


def _refuse_sequence(runs: Sequence[FinishedRun]) -> None:
    for run in runs:
        if run.plan.looks_before_sequence(run.deals) is not None:
            raise refusal(
                printable_path(run.path),
                "expected a run of a declared size, got one played with --until-decided – go on with "
                "simcli compare and that option, or give another --out",
            )


def _planned(
    setting: Setting, index: int, aim: Aim, threshold: float, alpha: float, speed: float
) -> PlannedVariant:
    """Return what one variant takes."""
    run, name = setting.entry(index).run, setting.entry(index).label
    pair = setting.pair(index)
    assert pair is not None  # runs of one command share their seed
    cells = [cell for _, cell in difference_rows(setting, index)]
    n = pair.n_deals
    same_rules = run.rules == setting.runs.baseline.run.rules
    verdict = judge(cells, n, setting.margin, same_rules=same_rules, affected=int(pair.effects[0]))
    if same_rules:
        return PlannedVariant(name, None, None, verdict.verdict, n, 0.0, False)
    variances = [pilot_variance(*discordant(pair, cell), n) for cell in range(len(cells))]
    if aim == "margin":
        cell, deals = _to_decide(cells, variances, alpha, setting, n, verdict.verdict != "undecided")
    else:
        needs = [paired_deals_for_half_width(threshold, s, alpha, setting.k) for s in variances]
        most = max(needs)
        cell = cells[needs.index(most)]
        deals = None if most > MOST_DEALS else max(n, _rounded_up(most))
    seconds = None if deals is None else max(0, deals - run.plan.deals) / speed
    is_beyond = any(abs(each.difference) > setting.margin for each in cells)
    return PlannedVariant(name, cell.cell, cell.difference, verdict.text, deals, seconds, is_beyond)


def _rounded_up(deals: int) -> int:
    """Return a number of deals that is not smaller, with two digits that count.

    >>> _rounded_up(7), _rounded_up(720_274)
    (7, 730000)
    """
    step: int = 10 ** max(0, len(str(deals)) - 2)
    return -(-deals // step) * step


def _to_decide(
    cells: Sequence[CellDifference],
    variances: Sequence[float],
    alpha: float,
    setting: Setting,
    n: int,
    is_decided: bool,
) -> tuple[CellDifference, int | None]:
    """Return the cell that the verdict waits for, and the deals after which it is reached.

    One cell beyond the margin is enough for *changes*: of those the one that shows it first. Otherwise all
    must lie within, and the one that takes longest counts.
    """
    if is_decided:
        return max(cells, key=lambda cell: cell.beyond(setting.margin)), n
    critical = critical_value(alpha, setting.k)
    needs: list[tuple[int, CellDifference]] = []
    hardly: list[CellDifference] = []
    for cell, variance in zip(cells, variances, strict=True):
        if cell.is_inside(setting.margin):
            continue
        deals = deals_to_decide(cell.difference, variance, critical, setting.margin, n).deals
        if deals is None:
            hardly.append(cell)
        else:
            needs.append((max(n, deals), cell))
    beyond = [need for need in needs if abs(need[1].difference) > setting.margin]
    if beyond:
        first, cell = min(beyond, key=lambda need: need[0])
        return cell, first
    if hardly:
        return hardly[0], None
    last, cell = max(needs, key=lambda need: need[0])
    return cell, last
