"""Look at runs while they are played, to say whether every variant has its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.analysis.finished import FinishedRun
from simcli.analysis.pair_rows import difference_rows
from simcli.analysis.phrases import heading, points
from simcli.analysis.rates import Interval
from simcli.analysis.rows import View
from simcli.analysis.setting import Setting
from simcli.analysis.tables import sort_runs
from simcli.analysis.tally import BLOCK, Tallies, tally_blocks
from simcli.analysis.verdict import CellDifference, judge
from simcli.runs.report import Report
from simcli.runs.staged import StagedRun


class Differences:
    """Count the runs of a table look by look, and find how far they differ from the baseline.

    Parameters
    ----------
    baseline : str or None
        Name of the variant to compare with, as for `compare`.
    margin : float
        As a share of all deals.
    view : View
        What is counted.
    """

    def __init__(self, baseline: str | None, margin: float, view: View) -> None:
        self.baseline, self.margin, self.view = baseline, margin, view
        self.counted = 0
        self._tallies: Tallies | None = None

    def at(self, runs: Sequence[FinishedRun], look: int) -> Setting:
        """Count the deals up to a look, which is beyond the last one, and return the table as it is then."""
        table = sort_runs(runs, self.baseline).tables[0]
        ordered = [entry.run for entry in table.entries]
        tallies = tally_blocks(ordered, self.view, list(_blocks(self.counted, look)))
        if self._tallies is not None:
            self._tallies.add(tallies)
            tallies = self._tallies
        self._tallies, self.counted = tallies, look
        return Setting(table, self.view, self.margin, tallies)


class Deciding:
    """Say at each look whether every variant of a table has its verdict.

    It counts the deals as a comparison does and judges by the same rule, so that the comparison after the
    stop says what was found here.

    Parameters
    ----------
    baseline, margin, view
        As for `Differences`.
    report : Report
        Is told the largest difference so far.
    """

    def __init__(self, baseline: str | None, margin: float, view: View, report: Report) -> None:
        self.report = report
        self._differences = Differences(baseline, margin, view)

    def __call__(self, runs: Sequence[StagedRun], look: int) -> bool:
        """Count the deals up to a look, and return whether nothing is undecided."""
        setting = self._differences.at([_so_far(run) for run in runs], look)
        found = {index: list(difference_rows(setting, index)) for index in setting.compared}
        rows = (row for each in found.values() for row, _ in each)
        largest = max(rows, key=lambda row: abs(row.difference))
        text = finding(setting, largest.cell, largest.difference, largest.interval)
        self.report.note(largest.variant, text, look)
        return all(
            _is_decided(setting, index, [cell for _, cell in each], look) for index, each in found.items()
        )


def _is_decided(setting: Setting, index: int, cells: Sequence[CellDifference], look: int) -> bool:
    same_rules = setting.entry(index).run.rules == setting.runs.baseline.run.rules
    return judge(cells, look, setting.margin, same_rules=same_rules).verdict != "undecided"


def _so_far(run: StagedRun) -> FinishedRun:
    """Return a run in play as if it ended with what is played."""
    plan = run.planned().settled(run.done, stopped=False)
    return FinishedRun(run.order.folder.path, plan, run.done, "", run.summary(0))


def _blocks(first: int, end: int) -> Iterator[tuple[int, int]]:
    for start in range(first, end, BLOCK):
        yield start, min(end, start + BLOCK)


def finding(setting: Setting, cell: str, difference: float, interval: Interval) -> str:
    """Return a difference in a few words, in points."""
    name = heading(cell, setting.view, setting.has_teams(0))
    half_width = points((interval.high - interval.low) / 2, 2, sign=False)
    return f"{name} {points(difference, 2)} ± {half_width}"
