"""How long deals last: the share that has ended after so many bouts, against the baseline's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from simcli.analysis.estimates import clustered_mean
from simcli.analysis.finished import FinishedRun, counts_of
from simcli.analysis.found import Row, Table
from simcli.analysis.kernels import (
    BASELINE,
    CROSSED,
    FALLS,
    RISES,
    SQUARES,
    STALLED,
    VARIANT,
    count_crossings,
    sum_crossings,
)
from simcli.analysis.means import quantile, t_quantile
from simcli.analysis.packs import kind_of
from simcli.analysis.paired import newcombe_bounds, tango_bounds
from simcli.analysis.rates import ALPHA, Estimate, Floats, critical_value
from simcli.analysis.rows import read_measure
from simcli.analysis.sequences import KIND, paired_variance, sequence_half_width
from simcli.analysis.tally import Block, cluster_length, deal_blocks, in_threads
from simcli.runs.plan import Match
from simcli.runs.pool import usable_cores

MEASURE = "bouts"
MEDIAN, P90 = 0.5, 0.9

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class CurveRow(Row):
    """Hold the distribution of a measure, cumulated, and how it differs from the baseline's.

    Stalled deals are left out; where both runs have the same deals, those stalled in either.

    Attributes
    ----------
    measure : str
        Name of the column.
    values : tuple of int
        The numbers of bouts at which any deal of the table ended, without the largest, by which all have.
    baseline, cdf : tuple of float
        Per value, the share of deals that have ended by then: under the baseline and under the variant.
    difference, low, high : tuple of float
        The latter less the former, with its band.
    level : float
        Chance that the bands of all variants of the table hold everywhere.
    kind, family : str
        Method, and what holds together.
    n : int
        Deals that were counted; with independent runs those of the variant.
    median, p90, baseline_median, baseline_p90 : Estimate
        Of the variant and of the baseline, over the same deals; without intervals in sessions.
    """

    measure: str
    values: tuple[int, ...]
    baseline: tuple[float, ...]
    cdf: tuple[float, ...]
    difference: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    level: float
    kind: str
    family: str
    n: int
    median: Estimate
    p90: Estimate
    baseline_median: Estimate
    baseline_p90: Estimate


@dataclass
class Crossings:
    """Count how a measure is distributed in a run and in the baseline.

    Attributes
    ----------
    session : int
        Deals of a cluster of whole sessions of both runs.
    is_paired : bool
        Whether both have the same deals, of which those count that are stalled in neither.
    n_deals, n_sessions : int
        Deals that count and, where both have the same deals, all sessions.
    squared : int
        Sum over sessions of the squared number of deals that count.
    counts : ndarray of int64, shape (6, values + 1)
        As `kernels.count_crossings` and `kernels.sum_crossings` fill it.
    """

    session: int
    is_paired: bool
    n_deals: int = 0
    n_sessions: int = 0
    squared: int = 0
    counts: Counts = field(default_factory=lambda: np.zeros((6, 1), np.int64))

    def add_measures(self, rows: Measured | None, base: Measured | None) -> None:
        """Count further deals of either run, whole sessions; None where a run has them no more."""
        if not self.is_paired:
            for row, each in ((VARIANT, rows), (BASELINE, base)):
                if each is not None:
                    counted = np.bincount(each.values[each.ending != STALLED])
                    self._make_room(counted.size)
                    self.counts[row, : counted.size] += counted
            self.n_deals = int(self.counts[VARIANT].sum())
        elif rows is not None and base is not None:
            self._make_room(1 + max(int(each.values.max(initial=0)) for each in (rows, base)))
            self._add_pairs(rows, base)

    def _add_pairs(self, rows: Measured, base: Measured) -> None:
        deals = (rows.values, base.values, rows.ending, base.ending)
        self.n_deals += int(count_crossings(*deals, self.counts))
        self.n_sessions += -(-rows.values.size // self.session)
        if self.session > 1:
            room = np.zeros(self.counts.shape[1], np.int64)
            self.squared += int(sum_crossings(*deals, self.session, room, self.counts))

    def _make_room(self, size: int) -> None:
        there = self.counts.shape[1]
        if size > there:
            self.counts = np.pad(self.counts, ((0, 0), (0, 2 * size - there)))

    def add(self, other: Crossings) -> None:
        """Count what another count of the same runs has counted."""
        self._make_room(other.counts.shape[1])
        self.counts[:, : other.counts.shape[1]] += other.counts
        self.n_deals += other.n_deals
        self.n_sessions += other.n_sessions
        self.squared += other.squared

    def ended(self, row: int, values: Counts) -> Counts:
        """Return the sums of a row of the counts up to each value."""
        cumulated = np.cumsum(self.counts[row])
        return np.asarray(cumulated[np.minimum(values, cumulated.size - 1)])

    def summed(self, row: int, values: Counts) -> Counts:
        """Return a row of sums over sessions at each value; beyond the largest seen nothing differs."""
        sums = self.counts[row]
        return np.where(values < sums.size, sums[np.minimum(values, sums.size - 1)], 0)


class Measured(NamedTuple):
    """Hold a measure of some deals, and how each ended."""

    values: npt.NDArray[Any]
    ending: npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Band:
    """Say at which level, and jointly with how many others, the bounds of a difference hold."""

    alpha: float
    k: int
    is_sequential: bool


def bout_curves(table: Table, *, workers: int | None = None) -> tuple[CurveRow, ...]:
    """Return how the number of bouts is distributed under each variant, against the baseline.

    Parameters
    ----------
    table : Table
        The compared runs.
    workers : int, optional
        Threads that count; by default one a core.

    Returns
    -------
    tuple of CurveRow
        One a variant that is compared; none for runs in sessions of another seed than the baseline's.

    Raises
    ------
    InputError
        A part cannot be read.

    Notes
    -----
    The band is Bonferroni's: at each of the J values at which deals of the table end, each of V variants has
    the interval of a difference at level 1 − α/(V·J) – Tango's for the same deals. Between two such values
    nothing changes, so that the whole of every curve is covered.
    """
    base = table.runs.baseline.run
    entries = [entry for entry in table.runs.entries[1:] if _is_comparable(entry.run, base)]
    runs = [base, *(entry.run for entry in entries)]
    counted = _count(runs, workers or usable_cores())
    values = _jumps(counted)
    band = Band(table.alpha, max(1, len(entries) * values.size), table.is_sequential)
    n = len(entries)
    family = f"{n} {'variant' if n == 1 else 'variants'} × {values.size} values"
    rows = (
        _row((entry.label, table.runs.players, table.runs.lineup), each, values, band, family)
        for entry, each in zip(entries, counted, strict=True)
    )
    return tuple(replace(row, kind=kind_of(row.kind, table.rotations)) for row in rows)


def _is_comparable(run: FinishedRun, base: FinishedRun) -> bool:
    """Return whether a run's lengths can be compared with the baseline's."""
    alike = run.variant.teams == base.variant.teams
    return alike and (run.match.seed == base.match.seed or cluster_length(run.match, base.match) == 1)


def crossings_between(match: Match, base: Match) -> Crossings:
    """Return the count of nothing yet of a match against the baseline's."""
    return Crossings(cluster_length(match, base), is_paired=match.seed == base.seed)


def _count(runs: Sequence[FinishedRun], workers: int) -> list[Crossings]:
    """Count all runs against the first one."""
    counts = counts_of(runs)
    if counts is not None:
        return counts.crossings_of(runs)
    counted, *others = in_threads(partial(_count_blocks, runs), list(deal_blocks(runs)), workers)
    for other in others:
        for mine, theirs in zip(counted, other, strict=True):
            mine.add(theirs)
    return counted


def _count_blocks(runs: Sequence[FinishedRun], blocks: Sequence[Block]) -> list[Crossings]:
    base, *others = runs
    counted = [crossings_between(run.match, base.match) for run in others]
    for first, end in blocks:
        before, *rows = (_measured(run, first, end) for run in runs)
        for own, each in zip(rows, counted, strict=True):
            each.add_measures(own, before)
    return counted


def _measured(run: FinishedRun, first: int, end: int) -> Measured | None:
    if run.deals < end:
        return None
    frame = read_measure(run, first, end, MEASURE)
    return Measured(frame[MEASURE].to_numpy(), frame["ending"].to_numpy())


def _jumps(counted: Sequence[Crossings]) -> Counts:
    """Return the values at which deals ended, without the largest."""
    seen: set[int] = set()
    for each in counted:
        seen.update(np.flatnonzero(each.counts[VARIANT] + each.counts[BASELINE]).tolist())
    return np.array(sorted(seen)[:-1], dtype=np.int64)


def _row(key: tuple[str, int, str], each: Crossings, values: Counts, band: Band, family: str) -> CurveRow:
    ended, before = each.ended(VARIANT, values), each.ended(BASELINE, values)
    n, n_base = each.n_deals, int(each.counts[BASELINE].sum())
    cdf, base = ended / max(1, n), before / max(1, n_base)
    low, high, kind = difference_band(each, values, band)
    ordinary = each.session == 1 and not band.is_sequential
    quantiles = [
        _quantile(each.counts[row], q, band.alpha if ordinary else None)
        for row in (VARIANT, BASELINE)
        for q in (MEDIAN, P90)
    ]
    return CurveRow(
        *key,
        MEASURE,
        tuple(values.tolist()),
        tuple(base.tolist()),
        tuple(cdf.tolist()),
        tuple((cdf - base).tolist()),
        tuple(np.maximum(low, -1.0).tolist()),
        tuple(np.minimum(high, 1.0).tolist()),
        1 - band.alpha,
        kind,
        family,
        n,
        *quantiles,
    )


def _quantile(histogram: Counts, q: float, alpha: float | None) -> Estimate:
    """Return a quantile, without its interval if there is no α."""
    seen = np.flatnonzero(histogram)
    found = quantile(histogram[: int(seen[-1]) + 1] if seen.size else [], q, alpha or ALPHA)
    return found if alpha else replace(found, interval=None)


def difference_band(each: Crossings, values: Counts, band: Band) -> tuple[Floats, Floats, str]:
    """Return the bounds of the difference of two cumulated distributions at each value, and their kind."""
    if each.n_deals == 0 or not each.counts[BASELINE].any():
        return np.full(values.size, -1.0), np.full(values.size, 1.0), "nothing known"
    if not each.is_paired:
        return _independent_band(each, values, band)
    b, c = each.ended(RISES, values), each.ended(FALLS, values)
    if each.session > 1:
        return _session_band(each, values, b - c, band)
    n = each.n_deals
    if band.is_sequential:
        return _sequence_band((b - c) / n, paired_variance(b, c, n), n, band)
    low, high = tango_bounds(b, c, n, critical_value(band.alpha, band.k))
    return low, high, "Tango"


def _session_band(each: Crossings, values: Counts, totals: Counts, band: Band) -> tuple[Floats, Floats, str]:
    squares, crossed = each.summed(SQUARES, values), each.summed(CROSSED, values)
    n, sessions = each.n_deals, each.n_sessions
    found = [
        clustered_mean(n, int(total), int(square), int(cross), each.squared, sessions, band.alpha, band.k)
        for total, square, cross in zip(totals, squares, crossed, strict=True)
    ]
    bounds = [estimate.interval for estimate in found if estimate.interval is not None]
    low, high = (np.array([getattr(each, end) for each in bounds]) for end in ("low", "high"))
    if band.is_sequential:
        error = (high - low) / 2 / t_quantile(sessions - 1, band.alpha / band.k / 2)
        return _sequence_band((low + high) / 2, error * error * n, n, band)
    return low, high, "t of session totals"


def _independent_band(each: Crossings, values: Counts, band: Band) -> tuple[Floats, Floats, str]:
    x1, x2 = each.ended(VARIANT, values), each.ended(BASELINE, values)
    n1, n2 = (int(each.counts[row].sum()) for row in (VARIANT, BASELINE))
    if band.is_sequential:
        n, p1, p2 = min(n1, n2), x1 / n1, x2 / n2
        variance = p1 * (1 - p1) + p2 * (1 - p2) + 2 / (n + 2)
        return _sequence_band(p1 - p2, variance, n, band)
    low, high = newcombe_bounds(x1, n1, x2, n2, critical_value(band.alpha, band.k))
    return low, high, "Newcombe"


def _sequence_band(d: Floats, variance: Floats, n: int, band: Band) -> tuple[Floats, Floats, str]:
    half = sequence_half_width(variance, n, band.alpha, band.k)
    return d - half, d + half, KIND
