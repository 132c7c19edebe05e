"""Turn counts into estimates: rates, differences, measures, whether deals are dealt alone or in sessions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from simcli.analysis.means import (
    mean_of_counts,
    paired_mean,
    quantile,
    t_of_session_totals,
    t_quantile,
    unpaired_mean,
)
from simcli.analysis.paired import mcnemar_p, newcombe, tango
from simcli.analysis.rates import NOTHING_KNOWN, Estimate, Interval, critical_value, rate
from simcli.analysis.sequences import paired_variance, sequence_about, sequence_critical_value
from simcli.analysis.tally import PairTally, RunTally
from simcli.analysis.verdict import CellDifference

Counts = npt.NDArray[np.int64]


# ------------------------------------------------------------------------------------ rates of one run


def cell_rate(tally: RunTally, cell: int, alpha: float, k: int) -> Estimate:
    """Return the rate of a cell, one of k joint ones; from session totals if deals come in sessions."""
    count = int(tally.cells[cell])
    if tally.session == 1:
        return rate(count, tally.n_deals, alpha, k)
    mean = t_of_session_totals(count, float(tally.squares[cell]), tally.n_sessions, tally.session, alpha, k)
    return between(mean, 0.0, 1.0)


def between(estimate: Estimate, low: float, high: float) -> Estimate:
    """Return an estimate with its bounds kept within what is possible."""
    bounds = estimate.interval
    if bounds is None:
        return estimate
    return replace(estimate, interval=replace(bounds, low=max(low, bounds.low), high=min(high, bounds.high)))


# ------------------------------------------------------------------------------------ differences


def discordant(pair: PairTally, cell: int) -> tuple[int, int]:
    """Return the deals that are in a cell under the variant only, and under the baseline only."""
    both = int(pair.joint[cell, cell])
    return int(pair.joint[:, cell].sum()) - both, int(pair.joint[cell].sum()) - both


def paired_difference(pair: PairTally, cell: int, name: str, alpha: float, k: int) -> tuple[
    CellDifference, Interval, float
]:  # fmt: skip
    """Return a cell's difference over the same deals, its interval, and the p of no difference."""
    b, c = discordant(pair, cell)
    n = pair.n_deals
    if pair.session == 1:
        interval = tango(b, c, n, alpha, k)
        difference, variance, critical = (
            (b - c) / n,
            float(paired_variance(b, c, n)),
            critical_value(alpha, k),
        )
        p = mcnemar_p(b, c)
    else:
        per_session, sessions = pair.session, pair.n_sessions
        mean = t_of_session_totals(b - c, float(pair.squares[cell]), sessions, per_session, alpha, k)
        assert mean.interval is not None
        interval, difference = _rescaled(mean.interval, b - c, n, sessions * per_session), (b - c) / n
        critical = t_quantile(sessions - 1, alpha / k / 2)
        error = (interval.high - interval.low) / 2 / critical
        variance = error * error * n
        p = _t_p(difference / error, sessions - 1)
    bounds = CellDifference(name, difference, interval.low, interval.high, variance, critical)
    return bounds, interval, p


def _rescaled(interval: Interval, total: float, n: int, counted: int) -> Interval:
    """Return an interval per deal where the last session is cut short: `counted` deals were taken for `n`."""
    if n == counted:
        return interval
    return interval.scaled(counted / n)


def independent_difference(
    first: RunTally, base: RunTally, cell: int, name: str, alpha: float, k: int
) -> tuple[CellDifference, Interval, float]:
    """Return a cell's difference between independent runs, its interval, and the p of no difference."""
    x1, n1, x2, n2 = int(first.cells[cell]), first.n_deals, int(base.cells[cell]), base.n_deals
    p1, p2 = x1 / n1, x2 / n2
    critical = critical_value(alpha, k)
    if first.session == 1 and base.session == 1:
        interval = newcombe(x1, n1, x2, n2, alpha, k)
        pooled = (x1 + x2) / (n1 + n2)
        error = math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2))
    else:
        one, two = cell_rate(first, cell, alpha, k), cell_rate(base, cell, alpha, k)
        interval = from_both(one, two, "t of session totals, independent")
        error = (interval.high - interval.low) / 2 / critical
    p = math.erfc(abs(p1 - p2) / error / math.sqrt(2)) if error > 0 else 1.0
    variance = p1 * (1 - p1) + p2 * (1 - p2) + 2 / (min(n1, n2) + 2)
    return CellDifference(name, p1 - p2, interval.low, interval.high, variance, critical), interval, p


def in_sequence(
    bounds: CellDifference, n: int, alpha: float, k: int, *, independent: bool = False
) -> tuple[CellDifference, Interval]:
    """Return a cell's difference with the interval that holds at every look, in place of the ordinary one.

    Of independent runs `n` are the deals of the shorter one, and the ordinary interval tells what sessions
    add to the variance.
    """
    variance = bounds.variance
    if independent:
        error = (bounds.high - bounds.low) / 2 / bounds.critical
        variance = max(variance, error * error * n)
    interval = sequence_about(bounds.difference, variance, n, alpha, k)
    critical = sequence_critical_value(n, alpha, k)
    changed = replace(bounds, low=interval.low, high=interval.high, variance=variance, critical=critical)
    return changed, interval


def from_both(first: Estimate, second: Estimate, kind: str) -> Interval:
    """Return the interval of a difference from those of two independent estimates (Newcombe's square sum)."""
    assert first.interval is not None
    assert second.interval is not None
    assert first.value is not None
    assert second.value is not None
    d, one, two = first.value - second.value, first.interval, second.interval
    low = d - math.hypot(first.value - one.low, two.high - second.value)
    high = d + math.hypot(one.high - first.value, second.value - two.low)
    return replace(one, low=low, high=high, kind=kind)


def _t_p(t: float, df: int) -> float:
    from scipy.special import stdtr

    return float(2 * stdtr(df, -abs(t)))


# ------------------------------------------------------------------------------------ measures


def measure_mean(tally: RunTally, measure: str, alpha: float, k: int) -> Estimate:
    """Return a measure's mean over the deals that did not stall."""
    n, total, squares, crossed, counts = tally.sums_of(measure)
    if tally.session == 1:
        return mean_of_counts(total, squares, n, alpha, k)
    return between(
        clustered_mean(n, total, squares, crossed, counts, tally.n_sessions, alpha, k), 0.0, math.inf
    )


def measure_difference(pair: PairTally, measure: str, alpha: float, k: int) -> Estimate:
    """Return the mean difference of a measure over deals stalled in neither run."""
    n, total, squares, crossed, counts = (int(value) for value in pair.sums[measure])
    if pair.session == 1:
        return paired_mean(total, squares, n, alpha, k)
    return clustered_mean(n, total, squares, crossed, counts, pair.n_sessions, alpha, k)


def independent_measure_difference(
    first: RunTally, base: RunTally, measure: str, alpha: float, k: int
) -> Estimate:
    """Return the difference of a measure's means between independent runs."""
    if first.session == 1 and base.session == 1:
        one, two = (
            (total, squares, n) for n, total, squares, _, _ in (first.sums_of(measure), base.sums_of(measure))
        )
        return unpaired_mean(one, two, alpha, k)
    first_mean, base_mean = measure_mean(first, measure, alpha, k), measure_mean(base, measure, alpha, k)
    if first_mean.interval is None or base_mean.interval is None:
        return NOTHING_KNOWN
    interval = from_both(first_mean, base_mean, "t of session totals, independent")
    assert first_mean.value is not None
    assert base_mean.value is not None
    return Estimate(first_mean.value - base_mean.value, interval)


def measure_quantile(tally: RunTally, measure: str, q: float, alpha: float) -> Estimate:
    """Return a quantile of a measure over the deals that did not stall."""
    histogram = tally.histograms[measure]
    seen = np.flatnonzero(histogram)
    return quantile(histogram[: int(seen[-1]) + 1] if seen.size else [], q, alpha, repeats=tally.rotations)


def clustered_mean(
    n: int, total: int, squares: int, crossed: int, counts: int, sessions: int, alpha: float, k: int
) -> Estimate:
    """Return a mean whose deals come in sessions, some deals left out: a ratio of session totals.

    A session of M deals with sum S leaves the residual S − mean·M.
    """
    if n == 0:
        return NOTHING_KNOWN
    mean = total / n
    residual = max(0.0, squares - 2 * mean * crossed + mean * mean * counts)
    around = t_of_session_totals(0.0, residual, sessions, 1, alpha, k).interval
    assert around is not None
    half = around.high * sessions / n
    return Estimate(mean, replace(around, low=mean - half, high=mean + half))
