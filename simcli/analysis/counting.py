"""Play one part of several variants and count it: what a worker does where no rows are kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from simcli.analysis.adjustment import arm_of
from simcli.analysis.kernels import DECIDED, DRAWN, NOBODY, STALLED
from simcli.analysis.plaincounts import plain_counts
from simcli.analysis.rows import MEASURES, Rows, View, coded_first_out, coded_losses
from simcli.analysis.tablecounts import Dealt, TableCounts
from simcli.bots.batch import (
    MISSING,
    N_COLUMNS,
    O_DEALER,
    O_LOSER,
    O_OPENER,
    O_PLACE,
    O_RESULT,
    O_TRACE_HIGH,
    O_TRACE_LOW,
    O_TRIGGERED_HIGH,
    O_TRIGGERED_LOW,
    O_TRUMPS,
)
from simcli.bots.batch import Rows as Batch
from simcli.bots.own.decide import Misplay
from simcli.engine import layout
from simcli.errors import RunError
from simcli.rules.wording import printable_path
from simcli.runs.board import is_play_wanted
from simcli.runs.columns import COLUMNS
from simcli.runs.countsfile import CountsRecord, counts_bytes, counts_record
from simcli.runs.digest import add_digests
from simcli.runs.jointmatch import JointMatch
from simcli.runs.partfile import record_of_rows
from simcli.runs.plan import Match, Part
from simcli.runs.play import PlayedPart, Task, finished_part, play_rows
from simcli.runs.summary import add_summaries, n_positions

BLOCK = 100_000
"""Deals that are played under every variant before they are counted, at most."""
HELD = 1_000_000
"""Deals of all variants together that are held at a time, about: what bounds the memory."""

SEE = "simcli run without --summary keeps what simcli replay shows it from"

SOURCES = {
    column.name: (column.source, np.dtype(column.dtype.lower()))
    for column in COLUMNS
    if column.name in MEASURES
}
"""Per measure its row of a batch, and the type of its column."""
ENDINGS = np.full(4, DECIDED, dtype=np.uint8)
ENDINGS[layout.DRAWN], ENDINGS[layout.STALLED] = DRAWN, STALLED


@dataclass(frozen=True)
class CountingTask(Task):
    """Tell a worker which deals to play under every variant, and where to put their counts."""

    def played(self) -> PlayedPart | None:
        """Play and count the part; return None if play was stopped before its end."""
        start = time.perf_counter()
        match = self.match
        if not isinstance(match, JointMatch):
            raise TypeError("expected variants that are counted together")
        try:
            counted = counted_part(match, self.part, partial(is_play_wanted, self.slot))
        except Misplay as misplay:
            where = printable_path(self.folder.path)
            raise RunError(f"{where}: {misplay} – complete parts stay; {SEE}") from None
        if counted is None:
            return None
        record, counts = counted
        content = counts_bytes(record, match, self.engine, counts)
        return finished_part(record, content, self.engine, time.perf_counter() - start)


def counted_part(
    match: JointMatch, part: Part, is_wanted: Callable[[int], bool]
) -> tuple[CountsRecord, dict[str, Any]] | None:
    """Play and count a part.

    Parameters
    ----------
    match : JointMatch
        What is played and counted.
    part : Part
        The deals.
    is_wanted : callable
        Called with the number of deals played so far; play ends early when it returns False.

    Returns
    -------
    tuple or None
        What the part is to say of itself, and its counts as a file has them; None if play ended early.

    Raises
    ------
    Misplay
        An own bot did what a bot must not do.
    """
    counting = _Counting(match)
    most = min(BLOCK, HELD // len(match.variants))
    size = max(1, most // match.session) * match.session
    for done in range(0, part.n_deals, size):
        first = part.first + done
        block = Part(part.index, first, min(first + size, part.end))
        if not counting.add_block(block, done, is_wanted):
            return None
    return counting.record(part), plain_counts(counting.counts)


class _Counting:
    """Count a part block by block."""

    def __init__(self, match: JointMatch) -> None:
        self.matches = match.matches
        self.view = View.of(match.frame, match.outcome)
        self.counts = TableCounts.of(self.matches, self.view)
        self._digests = [0 for _ in self.matches]
        self._summaries = [add_summaries((), n_positions(each.variant)) for each in self.matches]

    def add_block(self, block: Part, done: int, is_play_wanted: Callable[[int], bool]) -> bool:
        """Play and count some deals; return whether all of them were played.

        `done` deals of the part were there before. A deal counts for the progress once all have played it.
        """
        n_runs = len(self.matches)
        dealt = []
        for index, match in enumerate(self.matches):
            batch: Batch = np.empty((N_COLUMNS, block.n_deals), dtype=np.uint16)
            before = index * block.n_deals

            def is_wanted(played: int, before: int = before) -> bool:
                return is_play_wanted(done + (before + played) // n_runs)

            if not play_rows(match, block.first, batch, is_wanted):
                return False
            record = record_of_rows(batch, match, block)
            self._digests[index] = add_digests(self._digests[index], record.digest)
            positions = n_positions(match.variant)
            self._summaries[index] = add_summaries((self._summaries[index], record.summary), positions)
            dealt.append(dealt_of(batch, match, self.view))
        self.counts.add_deals(dealt)
        return True

    def record(self, part: Part) -> CountsRecord:
        """Return what was counted of each variant."""
        return counts_record(part, self._digests, self._summaries)


def dealt_of(batch: Batch, match: Match, view: View) -> Dealt:
    """Return a batch as the counts take it: the same arrays that its rows would be read as."""
    players, positions = match.players, n_positions(match.variant)
    ending = _fixed(ENDINGS[batch[O_RESULT]])
    seats = {"opener": batch[O_OPENER], "dealer": batch[O_DEALER]}
    origin = _fixed(seats[view.frame]) if view.frame in seats else np.zeros_like(ending)
    if view.outcome == "loss":
        loser = _fixed(np.where(batch[O_LOSER] == MISSING, NOBODY, batch[O_LOSER]))
        outcomes = coded_losses(origin, loser, ending, positions)
    else:
        places = batch[O_PLACE : O_PLACE + players].astype(np.uint8)
        outcomes = coded_first_out(origin, places, ending, positions)
    traces, triggered = (
        _fixed(batch[low] | batch[high].astype(np.uint32) << np.uint32(16), np.uint32)
        for low, high in ((O_TRACE_LOW, O_TRACE_HIGH), (O_TRIGGERED_LOW, O_TRIGGERED_HIGH))
    )
    measures = {measure: _fixed(batch[row], dtype) for measure, (row, dtype) in SOURCES.items()}
    rows = Rows(*outcomes, ending, traces, triggered, measures)
    return Dealt(rows, arm_of(batch[O_TRUMPS : O_TRUMPS + players], origin, rows.cells))


def _fixed(values: npt.NDArray[Any], dtype: npt.DTypeLike = np.uint8) -> npt.NDArray[Any]:
    """Return numbers as a column that was read has them: closed to writing, for the same machine code."""
    column = values.astype(dtype)
    column.flags.writeable = False
    return column
