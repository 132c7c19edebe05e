"""How many deals a question takes, and how many games a person would have to play to notice."""

from __future__ import annotations

import math
from dataclasses import dataclass

from simcli.analysis.rates import ALPHA, clopper_pearson_bounds, critical_value

#: chance of an answer at the size that is named for it, as a normal quantile: 90 %
POWER_QUANTILE = 1.28
#: beyond so many deals nobody should wait for an answer
MOST_DEALS = 100_000_000
#: a person notices: a test of two shares at 5 %, two-sided, that finds the difference in 80 % of cases
NOTICE_ALPHA = 0.05
NOTICE_POWER = 0.80
#: the variance that a pilot promises is exceeded in one of five
PILOT_TAIL = 0.20

#: within one standard error of the margin is about as large, if that error is this share of it at most
KNOWN_WELL = 0.25

TOO_EARLY = "too few deals to say how many would decide"
HARDLY = "about as large as the margin; more deals will hardly decide"


@dataclass(frozen=True, slots=True)
class DealsNeeded:
    """Hold the size at which a run would decide.

    Attributes
    ----------
    deals : int or None
        All deals of the run, those already played included, to two significant digits; None where more deals
        will hardly decide, or if it is too early to say.
    is_too_early : bool
        Whether not even that can be said, for the difference is not known well enough.
    """

    deals: int | None
    is_too_early: bool = False

    def __str__(self) -> str:
        """Return it in words."""
        if self.is_too_early:
            return TOO_EARLY
        return HARDLY if self.deals is None else f"about {self.deals:,} deals"


def significant(number: float, digits: int = 2) -> int:
    """Return a number of deals rounded to its first digits.

    >>> significant(117_733), significant(117_733, 3), significant(7.6)
    (120000, 118000, 8)
    """
    if number <= 0:
        return 0
    return int(round(number, min(0, digits - 1 - math.floor(math.log10(number)))))


def deals_to_decide(
    difference: float, variance: float, critical: float, margin: float, n: int | None = None
) -> DealsNeeded:
    """Return the deals after which the interval of a difference will lie on one side of the margin.

    Parameters
    ----------
    difference : float
        d, as a share of all deals.
    variance : float
        s², of one deal's difference.
    critical : float
        c, the critical value of the interval.
    margin : float
        m, as a share.
    n : int, optional
        Deals that d comes from: if it is within one standard error of the margin, nothing can be promised;
        while that error is more than `KNOWN_WELL` of the margin, it is too early to say even that.

    Returns
    -------
    DealsNeeded
        s²(c + 1.28)²/(|d| − m)²: then an interval decides with probability 90 %, if d is right.
    """
    gap = abs(abs(difference) - margin)
    error = 0.0 if n is None else math.sqrt(variance / n) if n else math.inf
    if gap <= error:
        return DealsNeeded(None, is_too_early=error > KNOWN_WELL * margin)
    deals = variance * (critical + POWER_QUANTILE) ** 2 / gap**2
    return DealsNeeded(None if deals > MOST_DEALS else significant(math.ceil(deals)))


def pilot_variance(b: int, c: int, n: int) -> float:
    """Return a variance of a deal's paired difference that a pilot exceeds in one of five only.

    The upper 80 % limit (Clopper & Pearson) of the share of discordant deals, less d².
    """
    _, high = clopper_pearson_bounds(b + c, n, PILOT_TAIL)
    return float(high) - (((b - c) / n) ** 2 if n else 0.0)


def games_to_notice(difference: float, rate: float) -> int | None:
    """Return how many games under each rule a person must play to notice a difference.

    Notice means: the usual test of two shares at 5 % two-sided finds it with 80 % probability, the games
    under both rules being independent, as games at a table are:
    2p(1 − p)(z₀.₉₇₅ + z₀.₈₀)²/δ² games under each.

    Parameters
    ----------
    difference : float
        δ, as a share; for 0 there is no such number.
    rate : float
        p, the share under the baseline.

    Notes
    -----
    Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, section 4.2, with both
    variances that of the baseline and without a continuity correction.

    >>> games_to_notice(0.005, 0.25), games_to_notice(0.04, 0.25)
    (117734, 1840)
    """
    if difference == 0:
        return None
    quantiles = critical_value(NOTICE_ALPHA) + critical_value(2 * (1 - NOTICE_POWER))
    # What the baseline hardly ever has varies under the other rule alone.
    spread = max(rate * (1 - rate), abs(difference) * (1 - abs(difference)) / 2)
    return max(1, math.ceil(2 * spread * quantiles**2 / difference**2))


def half_width(rate: float, n: int, alpha: float = ALPHA, k: int = 1) -> float:
    """Return the half-width of the interval of a rate after n deals, z√(p(1 − p)/n); at most 1."""
    if n == 0:
        return 1.0
    return min(1.0, critical_value(alpha, k) * math.sqrt(rate * (1 - rate) / n))


def deals_for_half_width(width: float, rate: float, alpha: float = ALPHA, k: int = 1) -> int:
    """Return the deals that make the interval of a rate as narrow as ± `width`: z²p(1 − p)/h².

    >>> deals_for_half_width(0.01, 0.25), deals_for_half_width(0.001, 0.25)
    (7203, 720274)
    """
    return math.ceil(critical_value(alpha, k) ** 2 * rate * (1 - rate) / width**2)


def paired_deals_for_half_width(width: float, variance: float, alpha: float = ALPHA, k: int = 1) -> int:
    """Return the deals that make the interval of a paired difference as narrow as ± `width`: z²s²/h²."""
    return math.ceil(critical_value(alpha, k) ** 2 * variance / width**2)
