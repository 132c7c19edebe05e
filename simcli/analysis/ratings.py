"""Ratings of bots: a model of who loses, fitted to deals of one bot among others, and how sure it is.

In a deal that somebody loses each seat has the chance w/Σw over all seats, with w = 10^(−rating/400); where the
first out wins, the chance to win with w = 10^(rating/400). For a single seat among the others' this is the
choice model of Luce (1959), Individual Choice Behavior, and with two seats that of Bradley & Terry (1952),
"Rank analysis of incomplete block designs", Biometrika 39, 324–345.
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
SANDWICH = "normal, packs as clusters"

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Duel:
    """Say which bot sits once at a table of others: the places of both in a list of bots."""

    one: int
    others: int


@dataclass(frozen=True)
class DuelSums:
    """Hold what happened in some duels, summed up over packs.

    A pack has two counts for each duel, over all rotations of its line-up: the deals that the one bot lost (or
    won, where the first out wins), and those that anybody did. The vector of a pack holds the first count of
    every duel, then the second of every duel; what was not played is 0.

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
        return Estimate(value, Interval(value - half, value + half, self.level, SANDWICH, "alone"))

    def rank(self, bot: int) -> int:
        """Return one more than the number of bots that are surely stronger."""
        above = self.values - self.values[bot]
        variance = np.diag(self.covariance) + self.covariance[bot, bot] - 2 * self.covariance[bot]
        return 1 + int((above > self.quantile * np.sqrt(np.maximum(variance, 0.0))).sum())


def fit_ratings(
    duels: Sequence[Duel], sums: DuelSums, bots: int, anchor: int, *, wins: bool = False, alpha: float = ALPHA
) -> Ratings | None:
    """Return the ratings under which what happened is most likely.

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
        difference is large enough (Ford 1957, "Solution of a ranking problem from binary comparisons", American
        Mathematical Monthly 64, 28–33).

    Notes
    -----
    The chance p of the one bot among s seats has logit p = ±(r₁ − r₂)/`SCALE` − log(s − 1): a logistic
    regression, whose likelihood has one maximum. The covariance is H⁻¹MH⁻¹ with H the information and M the sum
    of s·sᵀ, s the score of a pack over all that was played with it (Liang & Zeger 1986, "Longitudinal data
    analysis using generalized linear models", Biometrika 73, 13–22), times G/(G − 1) for G packs.
    """
    if not _is_bounded(duels, sums, bots):
        return None
    free = [bot for bot in range(bots) if bot != anchor]
    design = _design(duels, bots, wins)[:, free]
    offset = -math.log(sums.seats - 1)
    best = _maximum(design, offset, sums)
    p = _logistic(design @ best + offset)
    inverse = np.linalg.inv(_information(design, p, sums.decided))
    scores = design.T @ np.hstack([np.eye(p.size), -np.diag(p)])
    n_packs = int(sums.packs.max())
    meat = scores @ sums.products @ scores.T * n_packs / (n_packs - 1)
    values, covariance = np.zeros(bots), np.zeros((bots, bots))
    values[free] = SCALE * best
    covariance[np.ix_(free, free)] = SCALE**2 * inverse @ meat @ inverse
    quantile = t_quantile(int(sums.packs.min()) - 1, alpha / 2)
    return Ratings(values, covariance, p, quantile, 1 - alpha)


def margin_of(duel: int, sums: DuelSums, *, wins: bool = False, alpha: float = ALPHA) -> Estimate:
    """Return how much more often the one bot of a duel fails than the mean of the others.

    To fail is to lose or, where the first out wins, not to win. A share of all deals, with the interval of t
    from totals of packs, as `rotation.strength` has it.
    """
    n = sums.packs.size
    # of s seats, one fails: 1 for the one bot, −1/(s − 1) for another
    weights = np.zeros(2 * n)
    weights[duel], weights[n + duel] = sums.seats / (sums.seats - 1), -1 / (sums.seats - 1)
    if wins:
        weights = -weights
    total, square = float(weights @ sums.totals), float(weights @ sums.products @ weights)
    return t_of_session_totals(total, square, int(sums.packs[duel]), sums.seats, alpha)


def rate_of(duel: int, sums: DuelSums, alpha: float = ALPHA) -> Estimate:
    """Return the share of the deals that anybody lost, or won, in which it was the one bot of a duel."""
    n, one, decided = sums.packs.size, sums.one[duel], sums.decided[duel]
    if decided == 0:
        return NOTHING_KNOWN
    rate = float(one / decided)
    weights = np.zeros(2 * n)
    weights[duel], weights[n + duel] = 1 / decided, -rate / decided
    packs = int(sums.packs[duel])
    error = math.sqrt(max(0.0, float(weights @ sums.products @ weights)) * packs / (packs - 1))
    half = t_quantile(packs - 1, alpha / 2) * error
    return Estimate(rate, Interval(rate - half, rate + half, 1 - alpha, SANDWICH, "alone"))


def _design(duels: Sequence[Duel], bots: int, wins: bool) -> Floats:
    """Return by duel and bot what its rating adds to the logarithm of the odds of the one bot."""
    design = np.zeros((len(duels), bots))
    for row, duel in enumerate(duels):
        design[row, duel.one] += 1.0 if wins else -1.0
        design[row, duel.others] -= 1.0 if wins else -1.0
    return design


def _maximum(design: Floats, offset: float, sums: DuelSums) -> Floats:
    """Return where the likelihood is largest."""
    from scipy.optimize import minimize

    one, decided = sums.one, sums.decided
    scale = decided.sum()

    def loss(x: Floats) -> float:
        odds = design @ x + offset
        return float((decided * np.logaddexp(0.0, odds) - one * odds).sum() / scale)

    def slope(x: Floats) -> Floats:
        slopes: Floats = design.T @ (decided * _logistic(design @ x + offset) - one) / scale
        return slopes

    def curvature(x: Floats) -> Floats:
        return _information(design, _logistic(design @ x + offset), decided) / scale

    start = np.zeros(design.shape[1])
    found = minimize(loss, start, method="trust-exact", jac=slope, hess=curvature, options={"gtol": 1e-10})
    best: Floats = found.x
    return best


def _information(design: Floats, p: Floats, decided: Floats) -> Floats:
    information: Floats = design.T @ (design * (decided * p * (1 - p))[:, None])
    return information


def _logistic(odds: Floats) -> Floats:
    from scipy.special import expit

    chance: Floats = expit(odds)
    return chance


def _is_bounded(duels: Sequence[Duel], sums: DuelSums, bots: int) -> bool:
    """Return whether from each bot a chain leads to each other of bots that lost where the next might have."""
    from scipy.sparse.csgraph import connected_components

    lost = np.zeros((bots, bots), dtype=np.bool_)
    for duel, one, decided in zip(duels, sums.one, sums.decided, strict=True):
        lost[duel.one, duel.others] |= one > 0
        lost[duel.others, duel.one] |= decided > one
    n_groups, _ = connected_components(lost, connection="strong")
    return int(n_groups) == 1
