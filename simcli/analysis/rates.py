"""Intervals for one share, and what every interval of a comparison says of itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np
import numpy.typing as npt

#: chance that any interval of a family misses what it estimates
ALPHA = 0.05
#: below so many deals with, or without, what is counted an interval is exact instead of Wilson's
EXACT_BELOW = 20

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """Hold an interval and what it promises.

    Attributes
    ----------
    low, high : float
        Bounds, always finite.
    level : float
        Chance that *all* intervals of the family cover, e.g. 0.95.
    kind : str
        Method, e.g. ``"Wilson"``.
    family : str
        Which intervals cover together, e.g. ``"alone"`` or ``"6 jointly"``.
    """

    low: float
    high: float
    level: float
    kind: str
    family: str

    def excludes(self, value: float) -> bool:
        """Say whether `value` lies outside.

        >>> Interval(0.1, 0.2, 0.95, "Wilson", "alone").excludes(0.0)
        True
        """
        return not self.low <= value <= self.high

    def scaled(self, factor: float) -> Interval:
        """Return the interval in another unit; `factor` is positive."""
        return replace(self, low=self.low * factor, high=self.high * factor)

    def in_family(self, family: str) -> Interval:
        """Return the interval with its family in better words, e.g. ``"3 variants × 6 cells"``."""
        return replace(self, family=family)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Hold a number with its interval.

    Attributes
    ----------
    value : float or None
        None where there is nothing to estimate it from.
    interval : Interval or None
        None where so few deals leave it without bounds.
    """

    value: float | None
    interval: Interval | None


NOTHING_KNOWN = Estimate(None, None)


def family_of(k: int) -> str:
    """Return the words for a family of `k` intervals.

    >>> family_of(1), family_of(6)
    ('alone', '6 jointly')
    """
    return "alone" if k == 1 else f"{k} jointly"


@lru_cache(maxsize=1024)
def critical_value(alpha: float = ALPHA, k: int = 1) -> float:
    """Return c with P(|Z| > c) = α/k for a standard normal Z; c² is the 1 − α/k quantile of χ²₁.

    >>> round(critical_value(0.05), 4), round(critical_value(0.05, 6), 4)
    (1.96, 2.6383)
    """
    return -NormalDist().inv_cdf(alpha / k / 2)


def wilson_bounds(count: npt.ArrayLike, n: npt.ArrayLike, z: float) -> tuple[Floats, Floats]:
    """Return the bounds of Wilson's score interval for many shares at once.

    Parameters
    ----------
    count, n : array_like of int
        Successes and deals, of shapes that broadcast.
    z : float
        Critical value.

    Returns
    -------
    low, high : ndarray of float64
        The two solutions p of (count/n − p)² = z² p(1 − p)/n; 0 and 1 where n = 0.

    Notes
    -----
    Wilson (1927), "Probable inference, the law of succession, and statistical inference", JASA 22, 209–212.
    """
    count, n = np.broadcast_arrays(np.asarray(count, np.float64), np.asarray(n, np.float64))
    square = z * z
    spread = z * np.sqrt(count * (n - count) / np.maximum(n, 1) + square / 4)
    low = (count + square / 2 - spread) / (n + square)
    high = (count + square / 2 + spread) / (n + square)
    # The bounds are exactly 0 and 1 there; rounding would leave a trace.
    return np.where(count == 0, 0.0, low), np.where(count == n, 1.0, high)


def wilson(count: int, n: int, alpha: float = ALPHA, k: int = 1) -> Interval:
    """Return the score interval of a share, one of `k` that hold together at level 1 − α.

    With z² the 1 − α/k quantile of χ²₁. For the `k` shares of one distribution these are the simultaneous
    intervals of Goodman (1965), "On simultaneous confidence intervals for multinomial proportions",
    Technometrics 7, 247–254, and at the same time Wilson's (1927) intervals with Bonferroni's correction.

    >>> interval = wilson(10, 100)
    >>> round(interval.low, 4), round(interval.high, 4), interval.family
    (0.0552, 0.1744, 'alone')
    """
    low, high = wilson_bounds(count, n, critical_value(alpha, k))
    return Interval(float(low), float(high), 1 - alpha, "Wilson", family_of(k))


def clopper_pearson_bounds(count: npt.ArrayLike, n: npt.ArrayLike, tail: float) -> tuple[Floats, Floats]:
    """Return the exact bounds for many shares at once, each missed with probability at most `tail`.

    Parameters
    ----------
    count, n : array_like of int
        Successes and deals, of shapes that broadcast.
    tail : float
        α/2k.

    Returns
    -------
    low, high : ndarray of float64
        Quantiles of beta distributions: low = B(tail; count, n − count + 1),
        high = B(1 − tail; count + 1, n − count).

    Notes
    -----
    Clopper & Pearson (1934), "The use of confidence or fiducial limits illustrated in the case of the
    binomial", Biometrika 26, 404–413.
    """
    from scipy.special import betainccinv, betaincinv

    count, n = np.broadcast_arrays(np.asarray(count, np.float64), np.asarray(n, np.float64))
    rest = n - count
    low = betaincinv(np.maximum(count, 1), rest + 1, tail)
    high = betainccinv(count + 1, np.maximum(rest, 1), tail)
    return np.where(count == 0, 0.0, low), np.where(rest == 0, 1.0, high)


def clopper_pearson(count: int, n: int, alpha: float = ALPHA, k: int = 1) -> Interval:
    """Return the exact interval of a share, one of `k` that hold together at level 1 − α.

    >>> interval = clopper_pearson(0, 100)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.0362)
    """
    low, high = clopper_pearson_bounds(count, n, alpha / k / 2)
    return Interval(float(low), float(high), 1 - alpha, "Clopper-Pearson", family_of(k))


def rate_interval(count: int, n: int, alpha: float = ALPHA, k: int = 1) -> Interval:
    """Return the interval for a rate: exact for small counts, else Wilson's.

    A share and its complement are the same question, so the exact interval is used where fewer than
    `EXACT_BELOW` deals are on either side.
    """
    if min(count, n - count) < EXACT_BELOW:
        return clopper_pearson(count, n, alpha, k)
    return wilson(count, n, alpha, k)


def rate(count: int, n: int, alpha: float = ALPHA, k: int = 1) -> Estimate:
    """Return a rate with its interval; without deals no rate, and the interval from 0 to 1."""
    return Estimate(count / n if n else None, rate_interval(count, n, alpha, k))


def rates(counts: Any, alpha: float = ALPHA) -> list[Estimate]:
    """Return the shares of a whole distribution with joint intervals, k = the number of cells.

    Parameters
    ----------
    counts : sequence of int, shape (k,)
        Deals in each cell; the cells are fixed before play and empty ones count.
    """
    counts = [int(count) for count in counts]
    return [rate(count, sum(counts), alpha, len(counts)) for count in counts]
