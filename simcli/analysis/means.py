"""Means, medians and quantiles of what is counted in a deal, and their differences."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from simcli.analysis.rates import ALPHA, NOTHING_KNOWN, Estimate, Interval, family_of

#: fewer sessions tell too little of how sessions differ
LEAST_SESSIONS = 10


class TooFewSessionsError(ValueError):
    """There are too few sessions for an interval from session totals."""


def t_quantile(df: float, tail: float) -> float:
    """Return the value that Student's t exceeds with probability `tail`."""
    from scipy.special import stdtrit

    return -float(stdtrit(df, tail))


def paired_mean(
    sum_d: float, sum_d2: float, n: int, alpha: float = ALPHA, k: int = 1, unit: float = 1.0
) -> Estimate:
    """Return the mean of n per-deal differences with a t interval.

    Parameters
    ----------
    sum_d, sum_d2 : float
        Sums of the differences and of their squares.
    n : int
        Deals.
    alpha, k
        One of k intervals that hold together at level 1 − α.
    unit : float
        The smallest difference a deal can make, 1 for counts. The variance counts two more deals that differ
        by it, one up and one down: a rule that has not come into play yet may still do so, and an interval
        without width would deny it. 0 gives Student's interval.

    Returns
    -------
    Estimate
        mean ± t₍n−1, 1−α/2k₎·√(s²/n), s² = (Σd² − n·mean² + 2·unit²)/(n − 1). No interval for n ≤ 1.
    """
    if n == 0:
        return NOTHING_KNOWN
    mean = sum_d / n
    if n == 1:
        return Estimate(mean, None)
    variance = (max(0.0, sum_d2 - n * mean * mean) + 2 * unit * unit) / (n - 1)
    half = t_quantile(n - 1, alpha / k / 2) * math.sqrt(variance / n)
    return Estimate(mean, Interval(mean - half, mean + half, 1 - alpha, "t", family_of(k)))


def mean_of_counts(sum_x: float, sum_x2: float, n: int, alpha: float = ALPHA, k: int = 1) -> Estimate:
    """Return the mean of what is counted in n deals, as `paired_mean` does; never below 0."""
    mean = paired_mean(sum_x, sum_x2, n, alpha, k)
    if mean.interval is None:
        return mean
    bounds = mean.interval
    return Estimate(
        mean.value, Interval(max(0.0, bounds.low), bounds.high, bounds.level, bounds.kind, bounds.family)
    )


def unpaired_mean(
    first: tuple[float, float, int],
    second: tuple[float, float, int],
    alpha: float = ALPHA,
    k: int = 1,
    unit: float = 1.0,
) -> Estimate:
    """Return the difference of two means from independent deals.

    Parameters
    ----------
    first, second : (float, float, int)
        Sum, sum of squares and number of deals of each; the difference is first − second.
    alpha, k, unit
        As for `paired_mean`.

    Returns
    -------
    Estimate
        Welch's interval: with v = s²/n of each, d ± t·√(v₁ + v₂),
        df = (v₁ + v₂)²/(v₁²/(n₁ − 1) + v₂²/(n₂ − 1)).

    Notes
    -----
    Welch (1947), "The generalization of 'Student's' problem when several different population variances are
    involved", Biometrika 34, 28–35.
    """
    (sum1, square1, n1), (sum2, square2, n2) = first, second
    if n1 == 0 or n2 == 0:
        return NOTHING_KNOWN
    difference = sum1 / n1 - sum2 / n2
    if n1 == 1 or n2 == 1:
        return Estimate(difference, None)
    v1 = (max(0.0, square1 - sum1 * sum1 / n1) + 2 * unit * unit) / (n1 - 1) / n1
    v2 = (max(0.0, square2 - sum2 * sum2 / n2) + 2 * unit * unit) / (n2 - 1) / n2
    df = n1 + n2 - 2.0
    if v1 + v2 > 0:
        df = (v1 + v2) ** 2 / (v1 * v1 / (n1 - 1) + v2 * v2 / (n2 - 1))
    half = t_quantile(df, alpha / k / 2) * math.sqrt(v1 + v2)
    interval = Interval(difference - half, difference + half, 1 - alpha, "Welch t", family_of(k))
    return Estimate(difference, interval)


def t_of_session_totals(
    sum_total: float,
    sum_total2: float,
    sessions: int,
    deals_per_session: int,
    alpha: float = ALPHA,
    k: int = 1,
    unit: float = 1.0,
) -> Estimate:
    """Return a mean per deal where the deals of a session depend on each other.

    Parameters
    ----------
    sum_total, sum_total2 : float
        Over sessions: sums of a session's total and of its square. A total may be of deals lost, of cards, of
        differences between two variants that played the same sessions, or of influence values.
    sessions, deals_per_session : int
        G and K.
    alpha, k, unit
        As for `paired_mean`; `unit` is the smallest change of a total.

    Returns
    -------
    Estimate
        mean total/K ± t₍G−1₎·√(s²/G)/K, the session being the unit.

    Raises
    ------
    TooFewSessionsError
        Below `LEAST_SESSIONS` sessions.
    """
    if sessions < LEAST_SESSIONS:
        raise TooFewSessionsError(
            f"expected at least {LEAST_SESSIONS} sessions, got {sessions} – play more sessions"
        )
    total = paired_mean(sum_total, sum_total2, sessions, alpha, k, unit)
    if total.value is None or total.interval is None:
        return total
    low, high = total.interval.low / deals_per_session, total.interval.high / deals_per_session
    interval = Interval(low, high, 1 - alpha, "t of session totals", family_of(k))
    return Estimate(total.value / deals_per_session, interval)


def quantile(
    histogram: Sequence[int] | npt.NDArray[np.int64],
    q: float,
    alpha: float = ALPHA,
    k: int = 1,
    repeats: int = 1,
) -> Estimate:
    """Return a quantile of a count with its interval from order statistics.

    Parameters
    ----------
    histogram : sequence of int
        Deals with the count 0, 1, 2 …
    q : float
        0.5 for the median, 0.9 for the 90th percentile.
    alpha, k
        As for `paired_mean`.
    repeats : int
        How many deals may say no more than one: the bounds are those of so many times fewer deals.

    Returns
    -------
    Estimate
        The smallest count that at least a share q of the deals do not exceed. Bounds: the order statistics
        of rank l and u, the largest l and smallest u with P(X < l) ≤ α/2k and P(X ≥ u) ≤ α/2k for a
        binomial X of n deals and q; 0 where no l is that small, no interval where no u is that large.

    Notes
    -----
    Conover (1999), Practical Nonparametric Statistics, section 3.2. Ties only make the level higher.
    """
    cumulated = np.cumsum(np.asarray(histogram, np.int64))
    n = int(cumulated[-1]) if len(cumulated) else 0
    if n == 0:
        return NOTHING_KNOWN

    def ranked(rank: int) -> float:
        return float(np.searchsorted(cumulated, rank))

    value = ranked(max(1, math.ceil(q * n - 1e-9 * n)))
    tail, worth = alpha / k / 2, max(1, n // repeats)
    lower, upper = _lower_rank(worth, q, tail), worth + 1 - _lower_rank(worth, 1 - q, tail)
    if upper > worth:
        return Estimate(value, None)
    low = ranked(lower * n // worth) if lower else 0.0
    return Estimate(
        value, Interval(low, ranked(-(-upper * n // worth)), 1 - alpha, "order statistics", family_of(k))
    )


def _lower_rank(n: int, q: float, tail: float) -> int:
    """Return the largest l with P(X < l) ≤ tail for a binomial X of n and q, 0 if there is none above it."""
    from scipy.special import bdtr

    low, high = 0, n + 1  # P(X < low) ≤ tail < P(X < high)
    while high - low > 1:
        middle = (low + high) // 2
        if bdtr(middle - 1, n, q) <= tail:
            low = middle
        else:
            high = middle
    return low
