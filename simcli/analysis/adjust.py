"""Rates and differences net of the trumps that were dealt (regression adjustment).

Where the holder of the lowest trump opens, the opener holds more trumps than the others, and the opener's
rate mixes the place with the hand. The adjusted rate is the one at equal hands: least squares of the outcome
on the trumps dealt to each position, read off where every position holds the mean of all positions.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from simcli.analysis.means import t_quantile
from simcli.analysis.rates import ALPHA, NOTHING_KNOWN, Estimate, Floats, Interval, family_of


def cross_products(columns: npt.ArrayLike) -> Floats:
    """Return ZZᵀ of columns Z, to be summed part by part.

    Parameters
    ----------
    columns : array_like, shape (p, deals)
        For `adjusted_rate` the N rows of trumps by position, then the outcome (0 or 1, or a count); for
        `adjusted_difference` the N of the baseline, the N of the variant, the baseline's outcome, the
        variant's. Further outcomes may follow; pick them with `numpy.ix_`.

    Returns
    -------
    ndarray of float64, shape (p + 1, p + 1)
        The first row and column belong to a constant 1.
    """
    rows = np.asarray(columns, np.float64)
    rows = np.concatenate([np.ones((1, rows.shape[1])), rows])
    return np.asarray(rows @ rows.T)


class _Arm:
    """Fit one outcome on one set of covariates, from sums alone."""

    def __init__(self, sums: Floats, covariates: list[int], outcome: int, at: float) -> None:
        self.columns = [0, *covariates]
        self.outcome = outcome
        point = np.array([1.0, *(at for _ in covariates)])
        inverse = np.linalg.pinv(sums[np.ix_(self.columns, self.columns)], rcond=1e-12, hermitian=True)
        self.rank = int(np.linalg.matrix_rank(inverse, hermitian=True))
        self.slopes = inverse @ sums[self.columns, outcome]
        self.weights = inverse @ point
        self.value = float(point @ self.slopes)


def _covariance(sums: Floats, first: _Arm, second: _Arm) -> float:
    """Return the covariance of two adjusted values: residual covariance times their designs' product."""
    n = float(sums[0, 0])
    design = sums[np.ix_(first.columns, second.columns)]
    residual = (
        sums[first.outcome, second.outcome]
        - first.slopes @ sums[first.columns, second.outcome]
        - second.slopes @ sums[second.columns, first.outcome]
        + first.slopes @ design @ second.slopes
    )
    freedom = n - max(first.rank, second.rank)
    return float(residual / freedom * (first.weights @ design @ second.weights))


def adjusted_rate(sums: npt.ArrayLike, alpha: float = ALPHA, k: int = 1) -> Estimate:
    """Return a rate at equal hands.

    Parameters
    ----------
    sums : array_like, shape (N + 2, N + 2)
        `cross_products` of N covariates and the outcome.
    alpha, k
        One of k intervals that hold together at level 1 − α.

    Returns
    -------
    Estimate
        aᵀβ with β = (XᵀX)⁻Xᵀy, a = (1, m, …, m), m the mean of all covariates, and variance
        s²·aᵀ(XᵀX)⁻a, s² = Σ residual²/(n − rank). None with no more deals than coefficients.

    Notes
    -----
    Freedman (2008), "On regression adjustments to experimental data", Advances in Applied Mathematics 40,
    180–193. The pseudo-inverse serves where all trumps are dealt out and the covariates add up to a constant.
    """
    sums = np.asarray(sums, np.float64)
    n_covariates = len(sums) - 2
    n = float(sums[0, 0])
    if n <= n_covariates + 1:
        return NOTHING_KNOWN
    covariates = list(range(1, n_covariates + 1))
    arm = _Arm(sums, covariates, n_covariates + 1, _mean(sums, covariates))
    return _estimate(arm.value, _covariance(sums, arm, arm), n, n - arm.rank, alpha, k)


def adjusted_difference(sums: npt.ArrayLike, alpha: float = ALPHA, k: int = 1) -> Estimate:
    """Return the difference of two rates at equal hands, over the same deals.

    Parameters
    ----------
    sums : array_like, shape (2N + 3, 2N + 3)
        `cross_products` of the baseline's N covariates, the variant's N, and both outcomes. The covariates
        differ where the variants' openers do.
    alpha, k
        One of k intervals that hold together at level 1 − α.

    Returns
    -------
    Estimate
        The adjusted rate of the variant less that of the baseline. Its variance takes the covariance of the
        residuals of the same deal into account, and counts two more deals that differ, one each way.
    """
    sums = np.asarray(sums, np.float64)
    n_covariates = (len(sums) - 3) // 2
    n = float(sums[0, 0])
    if n <= n_covariates + 1:
        return NOTHING_KNOWN
    first, second = list(range(1, n_covariates + 1)), list(range(n_covariates + 1, 2 * n_covariates + 1))
    at = _mean(sums, first + second)
    before, after = (
        _Arm(sums, covariates, outcome, at)
        for covariates, outcome in ((first, len(sums) - 2), (second, len(sums) - 1))
    )
    variance = (
        _covariance(sums, before, before)
        + _covariance(sums, after, after)
        - 2 * _covariance(sums, before, after)
        + 2 / n**2
    )
    freedom = n - max(before.rank, after.rank)
    return _estimate(after.value - before.value, variance, n, freedom, alpha, k)


def _mean(sums: Floats, covariates: list[int]) -> float:
    return float(sums[0, covariates].mean() / sums[0, 0]) if covariates else 0.0


def _estimate(value: float, variance: float, n: float, freedom: float, alpha: float, k: int) -> Estimate:
    half = t_quantile(freedom, alpha / k / 2) * math.sqrt(max(0.0, variance))
    interval = Interval(value - half, value + half, 1 - alpha, "regression adjustment", family_of(k))
    return Estimate(value, interval)
