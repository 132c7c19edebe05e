"""Intervals that may be looked at again and again while deals are played."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from simcli.analysis.rates import ALPHA, Floats, Interval, family_of

KIND = "asymptotic confidence sequence"
#: number of deals at which the sequence is about as narrow as it can be
NARROWEST_AT = 1_000_000


def alpha_at_look(alpha: float, look: int) -> float:
    """Return the part of α for the j-th declared size of a run, j = 1, 2 …: α/(j(j + 1)).

    All parts together make α, however often a run is extended.

    >>> alpha_at_look(0.05, 1), round(sum(alpha_at_look(0.05, j) for j in range(1, 100_000)), 4)
    (0.025, 0.05)
    """
    return alpha / (look * (look + 1))


def tuning(alpha: float = ALPHA) -> float:
    """Return ρ² = (−2 ln α + ln(1 − 2 ln α))/n, narrow about n = `NARROWEST_AT` deals."""
    return (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / NARROWEST_AT


def paired_variance(b: npt.ArrayLike, c: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Return the variance of a deal's difference, (b + c + 2)/(n + 2) − ((b − c)/n)².

    Two discordant deals more than were seen keep it above 0 where nothing has differed yet. 1 where n = 0.
    """
    b, c, n = (np.asarray(value, np.float64) for value in (b, c, n))
    return np.asarray((b + c + 2) / (n + 2) - ((b - c) / np.maximum(n, 1)) ** 2)


def sequence_half_width(
    variance: npt.ArrayLike, n: npt.ArrayLike, alpha: float = ALPHA, k: int = 1
) -> Floats:
    """Return the half-width of the asymptotic confidence sequence of a mean.

    Parameters
    ----------
    variance : array_like of float
        Variance of one deal.
    n : array_like of int
        Deals so far, at least 1.
    alpha, k
        All k sequences hold together, at all times, at level 1 − α; α′ = α/k is each one's part.

    Returns
    -------
    ndarray of float64
        σ̂·√(2(nρ² + 1)/(n²ρ²)·ln(√(nρ² + 1)/α′)).

    Notes
    -----
    Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024), "Time-uniform central limit theory and asymptotic
    confidence sequences", Annals of Statistics 52, 2613–2640, theorem 2.2 and, for ρ, appendix B.2.
    """
    variance, n = np.asarray(variance, np.float64), np.asarray(n, np.float64)
    growth = n * tuning(alpha) + 1
    return np.asarray(
        np.sqrt(variance * 2 * growth / (n * (growth - 1)) * np.log(np.sqrt(growth) * k / alpha))
    )


def confidence_sequence(b: int, c: int, n: int, alpha: float = ALPHA, k: int = 1) -> Interval:
    """Return the interval for (b − c)/n over the same deals that holds at every look.

    >>> interval = confidence_sequence(120, 80, 20_000)
    >>> round(interval.low, 4), round(interval.high, 4)
    (-0.0028, 0.0068)
    """
    if n == 0:
        return Interval(-1.0, 1.0, 1 - alpha, KIND, family_of(k))
    return sequence_about((b - c) / n, float(paired_variance(b, c, n)), n, alpha, k)


def sequence_about(difference: float, variance: float, n: int, alpha: float = ALPHA, k: int = 1) -> Interval:
    """Return the interval about a difference that holds at every look, from the variance of one deal's."""
    half = float(sequence_half_width(variance, n, alpha, k))
    return Interval(max(-1.0, difference - half), min(1.0, difference + half), 1 - alpha, KIND, family_of(k))


def sequence_critical_value(n: int, alpha: float = ALPHA, k: int = 1) -> float:
    """Return the standard errors that the sequence's half-width makes after n deals."""
    return float(sequence_half_width(1.0, n, alpha, k)) * math.sqrt(n)
