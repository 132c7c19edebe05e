"""Look on while the runs of a comparison are played, and tell the largest difference so far.

It changes nothing: the verdict waits for the declared number of deals. What is shown meanwhile is a
confidence
sequence, which holds at all looks together (docs/methods.md), at multiples of `LOOK` deals in their order.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from simcli.analysis.deciding import Differences, finding
from simcli.analysis.estimates import discordant
from simcli.analysis.finished import FinishedRun
from simcli.analysis.rows import View
from simcli.analysis.sequences import confidence_sequence
from simcli.analysis.setting import Setting
from simcli.errors import InputError
from simcli.runs.conduct import RunInPlay
from simcli.runs.plan import Part, Plan, Stretch
from simcli.runs.report import Report
from simcli.runs.stopping import LARGEST_THRESHOLD, LOOK, StoppingRule
from simcli.runs.summary import add_summaries, n_positions

MOST_SHARE = 0.025
"""Share of the time that looking on may take."""
MOST_S = 0.25
"""Seconds of one look, in which no part is handed out: about as much, for a look is never split."""


@dataclass(frozen=True)
class RunSoFar(FinishedRun):
    """A run in play as if it ended with what is played of it.

    Attributes
    ----------
    cut : Plan
        The plan by which it is cut into parts.
    """

    cut: Plan

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Return the parts that are there, in order of deals."""
        return tuple(takewhile(lambda part: part.end <= self.deals, self.cut.parts()))


class Looking:
    """Watch the runs that are played together, table by table.

    Parameters
    ----------
    baseline : str or None
        Name of the variant to compare with, as for `compare`.
    view : View
        What is counted.
    report : Report
        Is told the largest difference so far.
    """

    def __init__(self, baseline: str | None, view: View, report: Report) -> None:
        self.baseline, self.view, self.report = baseline, view, report
        self._runs: Sequence[RunInPlay] = ()
        self._tables: list[_Table] = []
        self._start = time.monotonic()
        self._spent = 0.0

    def __call__(self, runs: Sequence[RunInPlay]) -> None:
        """Look at what is new, as far as there is time for it."""
        if self._runs is not runs:
            self._runs, self._tables = runs, self._sorted(runs)
        for table in self._tables:
            left = MOST_SHARE * (time.monotonic() - self._start) - self._spent
            look = table.next_look(min(left, MOST_S))
            if look is not None:
                self._spent += table.take(look)
                self._tell(self._tables)

    def _sorted(self, runs: Sequence[RunInPlay]) -> list[_Table]:
        """Return the tables at which something differs that a sequence can tell: single deals, one seed."""
        tables: dict[tuple[int, str], list[RunInPlay]] = {}
        for run in runs:
            tables.setdefault((run.plan.match.players, run.plan.match.lineup.text), []).append(run)
        return [
            _Table(together, Differences(self.baseline, LARGEST_THRESHOLD, self.view))
            for together in tables.values()
            if len(together) > 1 and all(run.plan.match.session == 1 for run in together)
        ]

    def _tell(self, tables: Sequence[_Table]) -> None:
        shown = max(tables, key=lambda table: table.size)
        if shown.found is not None:
            name, finding = shown.found
            where = shown.runs[0].plan.match
            title = name if len(tables) == 1 else f"{name}-p{where.players}-{where.lineup.label}"
            self.report.note(title, finding, shown.differences.counted)


@dataclass
class _Table:
    """Hold the runs of one table, and what was found at the last look.

    Attributes
    ----------
    runs : sequence of RunInPlay
        The runs.
    differences : Differences
        Counts them.
    found : tuple of str, optional
        The largest difference, in words.
    size : float
        Its size, a share of all deals.
    is_over : bool
        Whether there is nothing to be found at this table.
    """

    runs: Sequence[RunInPlay]
    differences: Differences
    found: tuple[str, str] | None = None
    size: float = 0.0
    is_over: bool = False
    _deal_s: float | None = None

    def next_look(self, seconds: float) -> int | None:
        """Return the furthest look that can be taken in so much time, None if none can.

        The first one is always taken: it loads what the comparison needs in any case. The second one tells
        how long deals take.
        """
        counted = self.differences.counted
        there = min(run.done for run in self.runs) // LOOK * LOOK
        if self.is_over or there <= max(counted, *(_first_of_stretch(run) for run in self.runs)):
            return None
        if counted == 0 or (self._deal_s is None and seconds > 0):
            return counted + LOOK
        affordable = 0 if self._deal_s is None else int(seconds / self._deal_s) // LOOK
        return min(there, counted + affordable * LOOK) if affordable > 0 else None

    def take(self, look: int) -> float:
        """Look, and return the seconds that count."""
        start, n_deals = time.monotonic(), look - self.differences.counted
        try:
            setting = self.differences.at([_so_far(run) for run in self.runs], look)
        except InputError:  # the comparison says what is wrong; play goes on
            self.is_over = True
            return 0.0
        differences = list(_differences(setting))
        self.is_over = not differences
        if differences and all(look > _first_of_stretch(run) for run in self.runs):
            size, name, cell, b, c = max(differences)
            interval = confidence_sequence(b, c, look, setting.alpha, setting.k)
            self.size, self.found = size, (name, finding(setting, cell, (b - c) / look, interval))
        if look == n_deals:
            return 0.0
        seconds = time.monotonic() - start
        self._deal_s = seconds / n_deals
        return seconds


def _differences(setting: Setting) -> Iterator[tuple[float, str, str, int, int]]:
    """Yield for each variant and cell the size of the difference, both names, and the discordant deals."""
    for index in setting.compared:
        pair = setting.pair(index)
        if pair is not None:
            for cell, name in enumerate(setting.cells(index)):
                b, c = discordant(pair, cell)
                yield abs(b - c) / pair.n_deals, setting.entry(index).label, name, b, c


def _stretches(run: RunInPlay) -> tuple[Stretch, ...]:
    """Return the stretches of a run that were ordered."""
    return tuple(stretch for stretch in run.plan.stretches if stretch.deals <= run.deals)


def _first_of_stretch(run: RunInPlay) -> int:
    """Return where the last of them begins: what was there before has been looked at."""
    stretches = _stretches(run)
    return stretches[-2].deals if len(stretches) > 1 else 0


def _so_far(run: RunInPlay) -> RunSoFar:
    """Return a run as if it were played until a verdict: then the sequence is what holds."""
    *before, last = _stretches(run)
    rule = StoppingRule("decided", LARGEST_THRESHOLD, run.done)
    plan = replace(run.plan, stretches=(*before, Stretch(run.done, last.part_deals, rule, stopped=False)))
    unknown = add_summaries((), n_positions(run.plan.match.variant))
    return RunSoFar(run.taken.folder.path, plan, run.done, "", unknown, run.plan)
