"""Ratings of bots: a model of who loses, fitted to deals of one bot among others, and how sure it is.

In a deal that somebody loses each seat has the chance w/Σw over all seats, with w = 10^(−rating/400); where
the first out wins, the chance to win with w = 10^(rating/400). This is the choice model of Luce (1959),
Individual Choice Behavior, and with two seats that of Bradley & Terry (1952), "Rank analysis of incomplete
block designs", Biometrika 39, 324–345.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simcli.analysis.means import t_of_session_totals, t_quantile
from simcli.analysis.rates import ALPHA, NOTHING_KNOWN, Estimate, Interval

SCALE = 400 / math.log(10)
"""Points of rating in a unit of the logarithm of odds, as chess players count them."""
KIND = "t, packs as clusters"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Duel:
    """Say which bot sits once at a table of others: the places of both in a list of bots."""

    one: int
    others: int


@dataclass(frozen=True)
class DuelSums:
    """Hold what happened in some duels, summed up over packs.

    A pack has two counts for each duel, over all rotations of its line-up: the deals that the one bot lost
    (or won, where the first out wins), and those that anybody did. The vector of a pack holds the first count
    of every duel, then the second of every duel; what was not played is 0.

    Attributes
    ----------
    seats : int
        Seats, or teams, at the table; each duel is played in so many rotations.
    packs : ndarray of int, shape (duels,)
        Packs of each duel.
    totals : ndarray of float64, shape (2 · duels,)
        Sum of the vectors.
    products : ndarray of float64, shape (2 · duels, 2 · duels)
        Sum of their outer products with themselves.
    """

    seats: int
    packs: npt.NDArray[np.int64]
    totals: Floats
    products: Floats

    @property
    def one(self) -> Floats:
        """Return the deals that the one bot of each duel lost, or won."""
        return self.totals[: self.packs.size]

    @property
    def decided(self) -> Floats:
        """Return the deals of each duel that anybody lost, or won."""
        return self.totals[self.packs.size :]

    @property
    def deals(self) -> npt.NDArray[np.int64]:
        """Return the deals of each duel."""
        return self.packs * self.seats

    def alone(self, duel: int) -> DuelSums:
        """Return what happened in one of the duels."""
        both = [duel, self.packs.size + duel]
        products = self.products[np.ix_(both, both)]
        return DuelSums(self.seats, self.packs[duel : duel + 1], self.totals[both], products)


@dataclass(frozen=True)
class Ratings:
    """Hold ratings on one scale.

    Attributes
    ----------
    values : ndarray of float64, shape (bots,)
        One a bot, higher is stronger; that of the anchor is 0.
    covariance : ndarray of float64, shape (bots, bots)
        Their covariance.
    fitted : ndarray of float64, shape (duels,)
        The chance that the one bot of a duel is the one that loses, or wins, by these ratings.
    quantile : float
        Standard errors that an interval reaches to each side.
    level : float
        How often such an interval covers.
    """

    values: Floats
    covariance: Floats
    fitted: Floats
    quantile: float
    level: float

    def estimate(self, bot: int) -> Estimate:
        """Return a bot's rating with its interval; the anchor's has no width."""
        value = float(self.values[bot])
        half = self.quantile * math.sqrt(self.covariance[bot, bot])
        return Estimate(value, Interval(value - half, value + half, self.level, KIND, "alone"))

    def rank(self, bot: int) -> int:
        """Return one more than the number of bots that are surely stronger."""
        above = self.values - self.values[bot]
        variance = np.diag(self.covariance) + self.covariance[bot, bot] - 2 * self.covariance[bot]
        return 1 + int((above > self.quantile * np.sqrt(np.maximum(variance, 0.0))).sum())


@dataclass(frozen=True)
class Rates:
    """Hold the share of the decided deals of each duel that the one bot lost, or won.

    Attributes
    ----------
    values : ndarray of float64, shape (duels,)
        The shares.
    covariance : ndarray of float64, shape (duels, duels)
        Their covariance: duels that share packs depend on each other.
    """

    values: Floats
    covariance: Floats


def rates_of(sums: DuelSums) -> Rates:
    """Return the rates of all duels, each of which anybody lost or won a deal of.

    A pack with a deals of the one bot among d decided ones has the influence (a − d·rate)/D on the rate of D
    decided deals (Cochran 1977, Sampling Techniques, section 2.11: a ratio estimate). As everywhere two more
    packs are counted that differ by one deal, one up, one down: no rate has an interval without width.
    """
    n, decided = sums.packs.size, sums.decided
    values = sums.one / decided
    influence = np.zeros((n, 2 * n))
    influence[:, :n], influence[:, n:] = np.diag(1 / decided), -np.diag(values / decided)
    covariance = influence @ sums.products @ influence.T + np.diag(2 / decided**2)
    more = np.sqrt(sums.packs / (sums.packs - 1))
    return Rates(values, covariance * np.outer(more, more))


def fit_ratings(
    duels: Sequence[Duel], sums: DuelSums, bots: int, anchor: int, *, wins: bool = False, alpha: float = ALPHA
) -> Ratings | None:
    """Return the ratings under which what happened is most likely, every duel weighing the same.

    Parameters
    ----------
    duels : sequence of Duel
        Who sat among whom.
    sums : DuelSums
        What happened.
    bots, anchor : int
        Number of bots, and the one whose rating is 0.
    wins : bool
        Whether deals won are counted, in place of deals lost.
    alpha : float
        An interval holds at level 1 − α.

    Returns
    -------
    Ratings or None
        None where none are most likely: some bots never lost where others might have, so that no finite
        difference is large enough (Ford 1957, "Solution of a ranking problem from binary comparisons",
        American Mathematical Monthly 64, 28–33).

    Notes
    -----
    The chance p of the one bot among s seats has logit p = ±(r₁ − r₂)/`SCALE` − log(s − 1): a logistic
    regression on the rates q of the duels, whose likelihood Σ q log p + (1 − q) log(1 − p) has one maximum.
    Where it is, Xᵀ(q − p) = 0, and so the ratings have the covariance A·C·Aᵀ with A = (XᵀWX)⁻¹Xᵀ, W the
    p(1 − p) and C the covariance of the rates. It holds whether the model is right or not.
    """
    if not _is_bounded(duels, sums, bots):
        return None
    free = [bot for bot in range(bots) if bot != anchor]
    design = _design(duels, bots, wins)[:, free]
    offset = -math.log(sums.seats - 1)
    rates = rates_of(sums)
    best = _maximum(design, offset, rates.values)
    p = _logistic(design @ best + offset)
    change = np.linalg.solve(_information(design, p), design.T)
    values, covariance = np.zeros(bots), np.zeros((bots, bots))
    values[free] = SCALE * best
    covariance[np.ix_(free, free)] = SCALE**2 * change @ rates.covariance @ change.T
    quantile = t_quantile(int(sums.packs.min()) - 1, alpha / 2)
    return Ratings(values, covariance, p, quantile, 1 - alpha)


def margin_of(duel: int, sums: DuelSums, *, wins: bool = False, alpha: float = ALPHA) -> Estimate:
    """Return how much more often the one bot of a duel fails than the mean of the others.

    To fail is to lose or, where the first out wins, not to win. A share of all deals, with the interval of t
    from totals of packs, as `rotation.strength` has it.
    """
    alone = sums.alone(duel)
    # of s seats, one fails: 1 for the one bot, −1/(s − 1) for another
    weights = np.array([sums.seats, -1.0]) / (sums.seats - 1)
    total, square = float(weights @ alone.totals), float(weights @ alone.products @ weights)
    return t_of_session_totals(-total if wins else total, square, int(alone.packs[0]), sums.seats, alpha)


def rate_of(duel: int, sums: DuelSums, alpha: float = ALPHA) -> Estimate:
    """Return the share of the deals that anybody lost, or won, in which it was the one bot of a duel."""
    if sums.decided[duel] == 0:
        return NOTHING_KNOWN
    alone = sums.alone(duel)
    rates, quantile = rates_of(alone), t_quantile(int(alone.packs[0]) - 1, alpha / 2)
    rate, half = float(rates.values[0]), quantile * math.sqrt(rates.covariance[0, 0])
    low, high = max(0.0, rate - half), min(1.0, rate + half)
    return Estimate(rate, Interval(low, high, 1 - alpha, KIND, "alone"))


def _design(duels: Sequence[Duel], bots: int, wins: bool) -> Floats:
    """Return by duel and bot what its rating adds to the logarithm of the odds of the one bot."""
    design = np.zeros((len(duels), bots))
    for row, duel in enumerate(duels):
        design[row, duel.one] += 1.0 if wins else -1.0
        design[row, duel.others] -= 1.0 if wins else -1.0
    return design


def _maximum(design: Floats, offset: float, rates: Floats) -> Floats:
    """Return where the likelihood of some rates is largest."""
    from scipy.optimize import minimize

    def loss(x: Floats) -> float:
        odds = design @ x + offset
        return float((np.logaddexp(0.0, odds) - rates * odds).sum())

    def slope(x: Floats) -> Floats:
        slopes: Floats = design.T @ (_logistic(design @ x + offset) - rates)
        return slopes

    def curvature(x: Floats) -> Floats:
        return _information(design, _logistic(design @ x + offset))

    start = np.zeros(design.shape[1])
    found = minimize(loss, start, method="trust-exact", jac=slope, hess=curvature, options={"gtol": 1e-9})
    best: Floats = found.x
    return best


def _information(design: Floats, p: Floats) -> Floats:
    information: Floats = design.T @ (design * (p * (1 - p))[:, None])
    return information


def _logistic(odds: Floats) -> Floats:
    from scipy.special import expit

    chance: Floats = expit(odds)
    return chance


def _is_bounded(duels: Sequence[Duel], sums: DuelSums, bots: int) -> bool:
    """Return whether from each bot a chain leads to each other of bots that lost where the next might have.

    And whether every duel has deals that anybody lost.
    """
    if not sums.decided.all():
        return False
    from scipy.sparse.csgraph import connected_components

    lost = np.zeros((bots, bots), dtype=np.bool_)
    for duel, one, decided in zip(duels, sums.one, sums.decided, strict=True):
        lost[duel.one, duel.others] |= one > 0
        lost[duel.others, duel.one] |= decided > one
    n_groups, _ = connected_components(lost, connection="strong")
    return int(n_groups) == 1
