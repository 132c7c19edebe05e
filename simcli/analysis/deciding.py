"""Look at runs while they are played, to say whether every variant has its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.analysis.finished import FinishedRun
from simcli.analysis.found import DifferenceRow
from simcli.analysis.pair_rows import difference_rows
from simcli.analysis.phrases import heading, points
from simcli.analysis.rows import View
from simcli.analysis.setting import Setting
from simcli.analysis.tables import TableRuns, sort_runs
from simcli.analysis.tally import BLOCK, Tallies, tally_blocks
from simcli.analysis.verdict import CellDifference, judge
from simcli.runs.report import Report
from simcli.runs.staged import StagedRun


class Deciding:
    """Say at each look whether every variant of a table has its verdict.

    It counts the deals as a comparison does and judges by the same rule, so that the comparison after the
    stop says what was found here.

    Parameters
    ----------
    baseline : str or None
        Name of the variant to compare with, as for `compare`.
    margin : float
        As a share of all deals.
    view : View
        What is counted.
    report : Report
        Is told the largest difference so far.
    """

    def __init__(self, baseline: str | None, margin: float, view: View, report: Report) -> None:
        self.baseline, self.margin, self.view, self.report = baseline, margin, view, report
        self._tallies: Tallies | None = None
        self._counted = 0
        self._table: TableRuns | None = None

    def __call__(self, runs: Sequence[StagedRun], look: int) -> bool:
        """Count the deals up to a look, and return whether nothing is undecided."""
        if self._table is None or self._table.baseline.run.deals != runs[0].done:
            self._table = sort_runs([_so_far(run) for run in runs], self.baseline).tables[0]
        setting = Setting(self._table, self.view, self.margin, self._tallied(self._table, look))
        found = {index: list(difference_rows(setting, index)) for index in setting.compared}
        self.report.note(*largest(setting, [row for each in found.values() for row, _ in each]), look)
        return all(
            self._is_decided(setting, index, [cell for _, cell in each], look)
            for index, each in found.items()
        )

    def _is_decided(self, setting: Setting, index: int, cells: Sequence[CellDifference], look: int) -> bool:
        same_rules = setting.entry(index).run.rules == setting.runs.baseline.run.rules
        return judge(cells, look, self.margin, same_rules=same_rules).verdict != "undecided"

    def _tallied(self, table: TableRuns, look: int) -> Tallies:
        """Return the counts up to a look."""
        runs = [entry.run for entry in table.entries]
        tallies = tally_blocks(runs, self.view, list(_blocks(self._counted, look)))
        if self._tallies is not None:
            self._tallies.add(tallies)
            tallies = self._tallies
        self._tallies, self._counted = tallies, look
        return tallies


def _so_far(run: StagedRun) -> FinishedRun:
    """Return a run in play as if it ended with what is played."""
    plan = run.planned().settled(run.done, stopped=False)
    return FinishedRun(run.order.folder.path, plan, run.done, "", run.summary(0))


def _blocks(first: int, end: int) -> Iterator[tuple[int, int]]:
    for start in range(first, end, BLOCK):
        yield start, min(end, start + BLOCK)


def largest(setting: Setting, rows: Sequence[DifferenceRow]) -> tuple[str, str]:
    """Return the largest difference so far, in points: the variant, then where and how much."""
    row = max(rows, key=lambda row: abs(row.difference))
    cell = heading(row.cell, setting.view, setting.has_teams(0))
    half_width = (row.interval.high - row.interval.low) / 2
    return row.variant, f"{cell} {points(row.difference, 2)} ± {points(half_width, 2, sign=False)}"
