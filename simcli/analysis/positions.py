"""Who loses: how equal the positions are, and whether a rule makes the table fairer.

The cells of an outcome are the N positions, in order from the opener, then drawn, then stalled. A *joint
table* counts the deals by their cell under the baseline (row) and under the variant (column).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simcli.analysis.rates import (
    ALPHA,
    NOTHING_KNOWN,
    Estimate,
    Floats,
    Interval,
    critical_value,
    family_of,
    rate,
)


@dataclass(frozen=True, slots=True)
class EqualPositions:
    """Hold a test of equal positions among the deals that somebody lost.

    Attributes
    ----------
    n : int
        Deals that somebody lost.
    statistic, df, p : float, int, float
        Pearson's χ² against 1/N each.
    w2 : float or None
        (χ² − df)/n: N·Σ(share − 1/N)² without what chance alone adds; may be below 0.
    w : Estimate
        √max(0, w²), Cohen's effect size: 0 for a fair table, √(N − 1) if one position loses all.
    """

    n: int
    statistic: float
    df: int
    p: float
    w2: float | None
    w: Estimate


@dataclass(frozen=True, slots=True)
class FairnessChange:
    """Hold w² of two variants and its change, baseline to variant; above 0 the table is less fair."""

    baseline: float | None
    variant: float | None
    change: Estimate


def equal_positions(lost: npt.ArrayLike, alpha: float = ALPHA) -> EqualPositions:
    """Test whether all positions lose equally often, and say how unequal they are.

    Parameters
    ----------
    lost : array_like of int, shape (N,)
        Deals lost by each position.
    alpha : float
        The interval of w has level 1 − α.

    Notes
    -----
    Bounds of w are √(λ/n) with λ the non-centralities at which χ² is the upper and the lower α/2 quantile:
    Steiger (2004), "Beyond the F test", Psychological Methods 9, 164–182. Cohen (1988), Statistical Power
    Analysis for the Behavioral Sciences, chapter 7, defines w.
    """
    from scipy.special import chdtrc

    counts = np.asarray(lost, np.float64)
    n, df = int(counts.sum()), len(counts) - 1
    if n == 0:
        return EqualPositions(0, 0.0, df, 1.0, None, NOTHING_KNOWN)
    expected = n / len(counts)
    statistic = float(((counts - expected) ** 2).sum() / expected)
    w2 = (statistic - df) / n
    low, high = (math.sqrt(_non_centrality(statistic, df, tail) / n) for tail in (1 - alpha / 2, alpha / 2))
    interval = Interval(low, high, 1 - alpha, "non-central chi-square", family_of(1))
    p = float(chdtrc(df, statistic)) if df else 1.0
    return EqualPositions(n, statistic, df, p, w2, Estimate(math.sqrt(max(0.0, w2)), interval))


def _non_centrality(statistic: float, df: int, probability: float) -> float:
    """Return λ with P(χ²(df, λ) ≤ statistic) = probability, 0 if even λ = 0 is too large."""
    from scipy.special import chdtr, chndtrinc

    if df == 0 or chdtr(df, statistic) <= probability:
        return 0.0
    return max(0.0, float(chndtrinc(statistic, df, probability)))


def lost_shares(lost: npt.ArrayLike, alpha: float = ALPHA) -> list[Estimate]:
    """Return each position's share of the deals that somebody lost, with joint intervals (k = N)."""
    counts = [int(count) for count in np.asarray(lost)]
    return [rate(count, sum(counts), alpha, len(counts)) for count in counts]


def lost_share_differences(joint: npt.ArrayLike, alpha: float = ALPHA, k: int = 1) -> list[Estimate]:
    """Return the changes of the positions' shares of lost deals over the same deals.

    Parameters
    ----------
    joint : array_like of int, shape (N + 2, N + 2)
        Joint table.
    alpha, k
        Each is one of k intervals that hold together at level 1 − α.

    Returns
    -------
    list of Estimate
        Per position s′ − s ± z·√(Σ(g′ − g)²)/n over all n deals, where
        g = (1[the position loses] − s·1[somebody loses])/ℓ is the deal's influence on the share s and ℓ the
        share of deals that somebody loses. The sum counts two more deals in which the loss changes places,
        one each way, as the interval for a rule that has hardly come into play must not shrink to nothing.

    Notes
    -----
    Hampel (1974), "The influence curve and its role in robust estimation", JASA 69, 383–393.
    """
    table = np.asarray(joint, np.float64)
    shares = _both_shares(table)
    if shares is None:
        return [NOTHING_KNOWN] * (len(table) - 2)
    before, after = shares
    n = table.sum()
    one_deal = 1 / min(_lost(table, 1).sum() / n, _lost(table, 0).sum() / n)
    change = _influence(table, 0, after)[None, :, :] - _influence(table, 1, before)[:, None, :]
    squares = np.einsum("ij,ijk->k", table, change**2)
    spread = critical_value(alpha, k) * np.sqrt(squares + 2 * one_deal**2) / n
    return [
        Estimate(float(d), _bounded(float(d), float(half), 1.0, alpha, k))
        for d, half in zip(after - before, spread, strict=True)
    ]


def fairness_change(joint: npt.ArrayLike, alpha: float = ALPHA, k: int = 1) -> FairnessChange:
    """Return the change of w² over the same deals.

    Parameters
    ----------
    joint : array_like of int, shape (N + 2, N + 2)
        Joint table.
    alpha, k
        One of k intervals that hold together at level 1 − α.

    Returns
    -------
    FairnessChange
        Both w² without what chance adds, and their difference ± z·√(Σ(g′ − g)²)/n over all n deals.

    Notes
    -----
    A deal lost at j has the influence g = 2N/ℓ·[(s_j − 1/N) − Σ s_i(s_i − 1/N)] on N·Σ(s_i − 1/N)², any other
    none. Between two fair tables all true influences are 0 and only estimated ones are left: there the
    interval covers more often than it says. The sum counts two more deals in which the loss moves from the
    position of the smallest to that of the largest influence, and back.
    """
    table = np.asarray(joint, np.float64)
    shares = _both_shares(table)
    if shares is None:
        return FairnessChange(None, None, NOTHING_KNOWN)
    before, after = shares
    w2 = _w2(before, _lost(table, 1).sum()), _w2(after, _lost(table, 0).sum())
    half = critical_value(alpha, k) * math.sqrt(_fairness_variance(table, before, after))
    change = w2[1] - w2[0]
    interval = _bounded(change, half, float(len(before) - 1), alpha, k)
    return FairnessChange(*w2, Estimate(change, interval))


def _fairness_variance(table: Floats, before: Floats, after: Floats) -> float:
    """Return the variance of the change of w²: the squared differences of influence, and two deals more."""
    slopes = (2 * len(s) * (s - 1 / len(s)) for s in (before, after))
    first, second = (
        _influence(table, axis, s) @ slope
        for axis, s, slope in zip((1, 0), (before, after), slopes, strict=True)
    )
    squares = (table * (second[None, :] - first[:, None]) ** 2).sum()
    n, n_lost = table.sum(), min(_lost(table, axis).sum() for axis in (0, 1))
    # The second term is what a deal's change adds to w² even where all positions are equal.
    one_deal = max(np.ptp(first[:-2]), np.ptp(second[:-2])) + 2 * len(before) * n / n_lost**2
    return float((squares + 2 * one_deal**2) / n**2)


def _lost(table: Floats, axis: int) -> Floats:
    """Return the deals lost by each position; axis 1 for the baseline, 0 for the variant."""
    return np.asarray(table.sum(axis=axis)[:-2])


def _both_shares(table: Floats) -> tuple[Floats, Floats] | None:
    before, after = _lost(table, 1), _lost(table, 0)
    if before.sum() == 0 or after.sum() == 0:
        return None
    return before / before.sum(), after / after.sum()


def _influence(table: Floats, axis: int, shares: Floats) -> Floats:
    """Return the influence of a deal in each cell on each position's share, shape (N + 2, N)."""
    lost_share = _lost(table, axis).sum() / table.sum()
    influence = np.zeros((len(table), len(shares)))
    influence[:-2] = (np.eye(len(shares)) - shares) / lost_share
    return influence


def _w2(shares: Floats, n_lost: float) -> float:
    n_positions = len(shares)
    squares = float(((shares - 1 / n_positions) ** 2).sum())
    return n_positions * squares - (n_positions - 1) / float(n_lost)


def _bounded(value: float, half: float, limit: float, alpha: float, k: int) -> Interval:
    low, high = max(value - half, -limit), min(value + half, limit)
    return Interval(min(low, value), max(high, value), 1 - alpha, "influence function", family_of(k))
