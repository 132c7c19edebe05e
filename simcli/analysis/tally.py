"""Count finished runs against a baseline: block by block in the order of deals, never by a join.

Two runs of one seed have the same deals at the same rows, so a block of deals is read from every run and
counted at once; parts may be cut differently. What is kept does not grow with the number of deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import InitVar, dataclass, field
from functools import partial
from math import lcm
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import AGAIN, FinishedRun, counts_of
from simcli.analysis.kernels import (
    count_bits,
    count_effects,
    count_pairs,
    count_session_differences,
    count_sessions,
    count_values,
    sum_differences,
    sum_single_differences,
    sum_values,
)
from simcli.analysis.rows import MEASURES, Rows, View, read_rows
from simcli.engine.layout import N_RULES, RULE_KEYS
from simcli.errors import refusal
from simcli.rules.canonical import differences
from simcli.rules.variant import Variant
from simcli.rules.wording import printable_path
from simcli.runs.columns import MEASURES as SUMMED
from simcli.runs.plan import Match
from simcli.runs.summary import n_positions

Counts = npt.NDArray[np.int64]
Block = tuple[int, int]
"""Deals from the first to the second, the latter excluded."""
Counted = TypeVar("Counted")

BLOCK = 1_000_000
"""Most deals of a block: what a part holds at most."""
N_SUMS = 5
SHARES = ("in_play", "affected", "churn", "changed")
"""Shares of deals that say what a rule did, whatever came of it."""


@dataclass
class RunTally:
    """Count one run.

    Attributes
    ----------
    positions : int
        Number of positions; cells 0 … positions − 1, then drawn, stalled, and a further one for what
        `rows.View` does not count otherwise.
    session : int
        Deals in a cluster: a session, in all its rotations.
    n_rotations : int
        How many rotations these are.
    n_deals, n_sessions : int
        What was counted.
    cells : ndarray
        Deals of each cell.
    squares, first_cells : ndarray
        Sum over sessions of a cell's squared number; deals of each cell among the first deals of sessions.
        Not counted if every deal is a session.
    bits : ndarray
        Deals in which each option decided anything.
    histograms : dict of str to ndarray
        Per measure, deals of each value.
    sums : dict of str to ndarray
        Per measure, the sums of `kernels.sum_values`; read them by `sums_of`.
    totals : dict of str to int
        Per measure: the sum over all deals, stalled ones included.
    stalled : int
        Stalled deals, whatever their cell.
    """

    positions: int
    session: int
    n_deals: int = 0
    n_sessions: int = 0
    stalled: int = 0
    n_rotations: InitVar[int] = 1
    cells: Counts = field(init=False)
    squares: Counts = field(init=False)
    first_cells: Counts = field(init=False)
    bits: Counts = field(default_factory=lambda: np.zeros(32, dtype=np.int64))
    histograms: dict[str, Counts] = field(default_factory=dict)
    sums: dict[str, Counts] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)

    def __post_init__(self, n_rotations: int) -> None:
        n_cells = self.positions + 3
        self.rotations, self.chain = n_rotations, self.session // n_rotations
        self.cells, self.squares, self.first_cells = (np.zeros(n_cells, dtype=np.int64) for _ in range(3))
        self.histograms = {measure: np.zeros(1, dtype=np.int64) for measure in MEASURES}
        self.sums = {measure: np.zeros(N_SUMS, dtype=np.int64) for measure in MEASURES}
        self.totals = dict.fromkeys(MEASURES, 0)

    def add_rows(self, rows: Rows) -> None:
        """Count further rows, whole sessions."""
        n_cells = self.cells.size
        self.n_deals += rows.n_deals
        self.n_sessions += -(-rows.n_deals // self.session)
        self.cells += np.bincount(rows.cells, minlength=n_cells)
        if self.session > 1:
            self.first_cells += np.bincount(rows.cells[:: self.chain], minlength=n_cells)
            room = np.zeros(n_cells, dtype=np.int64)
            count_sessions(rows.cells, self.session, room, self.squares)
        self.stalled += int(np.count_nonzero(rows.ending == 2))
        count_bits(rows.triggered, self.bits)
        for measure, values in rows.measures.items():
            histogram = self._histogram(measure, int(values.max(initial=0)) + 1)
            self.totals[measure] += int(count_values(values, rows.ending, histogram))
            if self.session > 1:
                sum_values(values, rows.ending, self.session, self.sums[measure])

    def _histogram(self, measure: str, size: int) -> Counts:
        """Return the histogram of a measure, with room for values below `size`."""
        histogram = self.histograms[measure]
        if histogram.size < size:
            histogram = self.histograms[measure] = np.concatenate(
                [histogram, np.zeros(2 * size - histogram.size, dtype=np.int64)]
            )
        return histogram

    def sums_of(self, measure: str) -> tuple[int, int, int, int, int]:
        """Return of a measure what `kernels.sum_values` adds up; of single deals the histogram tells it."""
        if self.session > 1:
            n, total, squares, crossed, counts = (int(value) for value in self.sums[measure])
            return n, total, squares, crossed, counts
        histogram = self.histograms[measure]
        values = np.flatnonzero(histogram)
        counted = histogram[values]
        n, total, squares = (int((counted * values**power).sum()) for power in (0, 1, 2))
        return n, total, squares, total, n

    def add(self, other: RunTally) -> None:
        """Count what another tally of the same run has counted."""
        self.n_deals += other.n_deals
        self.n_sessions += other.n_sessions
        self.stalled += other.stalled
        self.cells += other.cells
        self.squares += other.squares
        self.first_cells += other.first_cells
        self.bits += other.bits
        for measure in MEASURES:
            counted = other.histograms[measure]
            self._histogram(measure, counted.size)[: counted.size] += counted
            self.sums[measure] += other.sums[measure]
            self.totals[measure] += other.totals[measure]


@dataclass
class PairTally:
    """Count one run against the baseline, deal by deal.

    Attributes
    ----------
    positions : int
        Number of positions, as for `RunTally`.
    session : int
        Deals in a cluster: a session, or as many as hold whole sessions of both runs.
    mask : int
        Bits of the options on which the variants differ.
    n_rotations : int
        Rotations of the line-up in which each pack was played.
    n_deals, n_sessions : int
        What was counted.
    joint : ndarray, shape (cells, cells)
        Deals by cell under the baseline (row) and the variant (column).
    seats : ndarray, shape (cells, cells)
        The same by seat instead of position: whether the same player lost.
    squares : ndarray
        Per cell, sum over sessions of the squared difference of its numbers; not counted if every deal is a
        session.
    effects : ndarray, shape (2,)
        Deals affected; deals in which the rule came into play.
    sums : dict of str to ndarray
        Per measure, the sums of `kernels.sum_differences`.
    """

    positions: int
    session: int
    mask: int
    n_deals: int = 0
    n_sessions: int = 0
    n_rotations: InitVar[int] = 1
    joint: Counts = field(init=False)
    seats: Counts = field(init=False)
    squares: Counts = field(init=False)
    effects: Counts = field(default_factory=lambda: np.zeros(2, dtype=np.int64))
    sums: dict[str, Counts] = field(default_factory=dict)

    def __post_init__(self, n_rotations: int) -> None:
        n = self.positions + 3
        self.rotations = n_rotations
        self.share_squares = np.zeros(len(SHARES), dtype=np.int64)  # of rotations only, which are never kept
        self.joint, self.seats = (np.zeros((n, n), dtype=np.int64) for _ in range(2))
        self.squares = np.zeros(n, dtype=np.int64)
        self.sums = {measure: np.zeros(N_SUMS, dtype=np.int64) for measure in MEASURES}

    def add_rows(self, base: Rows, rows: Rows) -> None:
        """Count further rows of both runs, the same deals."""
        length = self.session
        self.n_deals += rows.n_deals
        self.n_sessions += -(-rows.n_deals // length)
        count_pairs(base.cells, rows.cells, self.joint)
        count_pairs(base.seats, rows.seats, self.seats)
        if length > 1:
            room = np.zeros(self.squares.size, dtype=np.int64)
            count_session_differences(rows.cells, base.cells, length, room, self.squares)
        count_effects(
            base.traces, rows.traces, base.seats, rows.seats, base.ending, rows.ending,
            base.triggered, rows.triggered, self.mask, self.effects,
        )  # fmt: skip
        if self.rotations > 1:
            self.share_squares += self._squares_of_shares(base, rows)
        for measure, sums in self.sums.items():
            values = rows.measures[measure], base.measures[measure], rows.ending, base.ending
            if length > 1:
                sum_differences(*values, length, sums)
            else:
                sum_single_differences(*values, sums)

    def _squares_of_shares(self, base: Rows, rows: Rows) -> Counts:
        """Return, in the order of `SHARES`, the sums over clusters of their squared number of deals."""
        changed = base.seats != rows.seats
        affected = changed | (base.ending != rows.ending) | (base.traces != rows.traces)
        in_play = affected | (((base.triggered | rows.triggered) & self.mask) != 0)
        churn = changed & (base.seats < self.positions) & (rows.seats < self.positions)
        deals = np.stack([in_play, affected, churn, changed]).astype(np.int64)
        counts = np.add.reduceat(deals, np.arange(0, rows.n_deals, self.session), axis=1)
        squares: Counts = (counts * counts).sum(axis=1)
        return squares

    def add(self, other: PairTally) -> None:
        """Count what another tally of the same pair has counted."""
        self.n_deals += other.n_deals
        self.n_sessions += other.n_sessions
        self.joint += other.joint
        self.seats += other.seats
        self.squares += other.squares
        self.share_squares += other.share_squares
        self.effects += other.effects
        for measure in MEASURES:
            self.sums[measure] += other.sums[measure]


@dataclass
class Tallies:
    """Hold the counts of several runs, and of those that share the first one's deals against it."""

    runs: list[RunTally]
    pairs: Mapping[int, PairTally]

    @classmethod
    def of(cls, matches: Sequence[Match]) -> Tallies:
        """Return the counts of nothing yet: of matches, and of those that can be paired with the first."""
        base = matches[0]
        n_base = n_positions(base.variant)
        pairs = {
            index: PairTally(
                n_base,
                cluster_length(match, base),
                _mask(match.variant, base.variant),
                n_rotations=base.rotations,
            )
            for index, match in enumerate(matches)
            if index > 0 and match.seed == base.seed and n_positions(match.variant) == n_base
        }
        runs = [
            RunTally(n_positions(match.variant), match.cluster, n_rotations=match.rotations)
            for match in matches
        ]
        return cls(runs, pairs)

    def add_rows(self, rows: Iterable[Rows | None]) -> None:
        """Count the same further deals of all runs, taken one by one; None where a run has them no more."""
        base: Rows | None = None
        for index, own in enumerate(rows):
            if own is None:
                continue
            self.runs[index].add_rows(own)
            if index == 0:
                base = own
            elif base is not None and index in self.pairs:
                self.pairs[index].add_rows(base, own)

    def add(self, other: Tallies) -> None:
        """Count what other tallies of the same runs have counted."""
        for mine, theirs in zip(self.runs, other.runs, strict=True):
            mine.add(theirs)
        for index, pair in self.pairs.items():
            pair.add(other.pairs[index])


def tally_runs(runs: Sequence[FinishedRun], view: View, workers: int = 1) -> Tallies:
    """Count runs, and those of the first one's seed deal by deal against it.

    Parameters
    ----------
    runs : sequence of FinishedRun
        The baseline first.
    view : View
        What is counted.
    workers : int
        Number of threads.

    Returns
    -------
    Tallies
        One tally a run; a pair's deals are those that both runs have.

    Raises
    ------
    InputError
        A part cannot be read, or its rows are not those that it says it holds.
    """
    counts = counts_of(runs)
    if counts is not None:
        total = counts.tallies_of(runs)
    else:
        blocks = list(deal_blocks(runs))
        total, *others = in_threads(partial(tally_blocks, runs, view), blocks, workers)
        for other in others:
            total.add(other)
    for run, tally in zip(runs, total.runs, strict=True):
        _refuse_other_rows(run, tally, view)
    return total


def in_threads(
    count: Callable[[Sequence[Block]], Counted], blocks: Sequence[Block], workers: int
) -> list[Counted]:
    """Return what is counted in some blocks, shared out among threads: one result each, at least one."""
    n = max(1, min(workers, len(blocks)))
    shares = [blocks[k::n] for k in range(n)]
    if n == 1:
        return [count(shares[0])]
    with ThreadPoolExecutor(n) as threads:
        return list(threads.map(count, shares))


def cluster_length(match: Match, base: Match) -> int:
    """Return the deals that hold whole sessions of both matches."""
    return lcm(match.cluster, base.cluster)


def deal_blocks(runs: Sequence[FinishedRun]) -> Iterator[Block]:
    """Yield ranges of deals that no run ends within: whole sessions of all, about the baseline's parts."""
    whole = lcm(*(run.match.cluster for run in runs))
    if whole > BLOCK:
        lengths = sorted({run.match.session for run in runs})
        raise refusal("sessions", f"expected lengths that fit together, got {', '.join(map(str, lengths))}")
    longest = max(runs, key=lambda run: run.deals)
    cuts = {run.deals for run in runs}
    cuts.update(part.end // whole * whole for run in (runs[0], longest) for part in run.parts)
    first = 0
    for end in sorted(cuts - {0}):
        while first < end:
            stop = min(end, first + BLOCK // whole * whole)
            yield first, stop
            first = stop


def tally_blocks(runs: Sequence[FinishedRun], view: View, blocks: Sequence[Block]) -> Tallies:
    """Count the deals of some ranges, each of whole sessions and `BLOCK` deals at most."""
    tallies = Tallies.of([run.match for run in runs])
    for first, end in blocks:
        tallies.add_rows(read_rows(run, first, end, view) if run.deals >= end else None for run in runs)
    return tallies


def _mask(variant: Variant, base: Variant) -> int:
    """Return the bits of the options on which two variants differ."""
    keys = [key for key, _, _ in differences(variant, base) if key in RULE_KEYS]
    return sum(1 << RULE_KEYS.index(key) for key in keys)


def _refuse_other_rows(run: FinishedRun, tally: RunTally, view: View) -> None:
    """Raise an `InputError` if the rows are not those that the parts say they hold."""
    told = run.summary
    found = {"deals": tally.n_deals, "stalled": tally.stalled}
    expected = {"deals": told.deals, "stalled": told.stalled}
    for measure in set(SUMMED) & set(MEASURES):
        found[measure], expected[measure] = tally.totals[measure], told.sums[measure]
    for bit in range(N_RULES):
        key = f"triggered {RULE_KEYS[bit]}"
        found[key], expected[key] = int(tally.bits[bit]), told.triggered.get(RULE_KEYS[bit], 0)
    if view.frame == "opener" and view.outcome == "loss" and run.variant.end.objective == "last_loses":
        counted = (*told.decided, told.drawn)
        for cell, n in enumerate(counted):
            found[f"cell {cell}"], expected[f"cell {cell}"] = int(tally.cells[cell]), n
    wrong = sorted(key for key, n in expected.items() if found[key] != n)
    if wrong:
        key = wrong[0]
        raise refusal(
            printable_path(run.path),
            f"expected the rows that its parts say they hold ({key}: {expected[key]:,}), "
            f"got others ({found[key]:,}) – {AGAIN}",
        )
