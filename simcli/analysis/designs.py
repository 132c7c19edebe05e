"""What deals are worth that come in sessions: design effects, and intervals widened by them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from simcli.analysis.rates import Estimate, rate
from simcli.analysis.tally import SHARES, PairTally, RunTally


def design_effect(tally: RunTally) -> float:
    """Return how many deals in sessions tell as much as one alone: at least 1, of all cells the most."""
    if tally.session == 1:
        return 1.0
    counts = tally.cells.astype(np.float64)
    alone = counts * (1 - counts / tally.n_deals)
    return _ratio(tally.squares, counts, alone, tally.n_sessions)


def pair_design_effect(pair: PairTally) -> float:
    """Return the same for the differences of two runs."""
    if pair.session == 1:
        return 1.0
    both = np.diag(pair.joint)
    b, c = pair.joint.sum(axis=0) - both, pair.joint.sum(axis=1) - both
    total = (b - c).astype(np.float64)
    alone = (b + c) - total**2 / pair.n_deals
    return _ratio(pair.squares, total, alone, pair.n_sessions)


def share_design_effect(pair: PairTally, share: str, count: int) -> float:
    """Return how many deals tell as much as one alone of a share that so many of them have.

    Parameters
    ----------
    pair : PairTally
        Two runs.
    share : str
        Which of `tally.SHARES`. Those of rotations are counted pack by pack, for a pack in which a rule comes
        into play may do so in all of them; those of sessions go by the cells.
    count : int
        Deals that have it.
    """
    if pair.rotations == 1:
        return pair_design_effect(pair)
    if count in (0, pair.n_deals):
        return float(pair.rotations)
    total = np.array([count], dtype=np.float64)
    squares = pair.share_squares[[SHARES.index(share)]]
    return _ratio(squares, total, total * (1 - total / pair.n_deals), pair.n_sessions)


def _ratio(
    squares: npt.NDArray[np.int64],
    totals: npt.NDArray[np.float64],
    alone: npt.NDArray[np.float64],
    sessions: int,
) -> float:
    """Return the largest ratio of the variance over sessions to that of deals alone."""
    clustered = (squares - totals**2 / sessions) * sessions / (sessions - 1)
    there = alone > 0
    return max(1.0, float(np.max(clustered[there] / alone[there], initial=1.0)))


def clustered_rate(count: int, n: int, effect: float, alpha: float, k: int = 1) -> Estimate:
    """Return a rate whose interval counts no more deals than those in sessions are worth."""
    estimate = rate(count, n, alpha, k)
    if effect == 1.0 or n == 0:
        return estimate
    worth = max(1, round(n / effect))
    return replace(estimate, interval=rate(min(worth, round(count / effect)), worth, alpha, k).interval)


def widened(estimate: Estimate, effect: float) -> Estimate:
    """Return an estimate with the interval that deals alone would give widened for sessions."""
    bounds, value = estimate.interval, estimate.value
    if effect == 1.0 or bounds is None or value is None:
        return estimate
    factor = math.sqrt(effect)
    low, high = value - factor * (value - bounds.low), value + factor * (bounds.high - value)
    return replace(estimate, interval=replace(bounds, low=low, high=high))
