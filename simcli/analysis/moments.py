"""Sums of what clusters of deals count, and intervals of functions of them by influence."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from simcli.analysis.means import paired_mean
from simcli.analysis.rates import Floats, Interval


@dataclass
class Moments:
    """Add up what clusters count: sums, and sums of products of all pairs.

    Attributes
    ----------
    width : int
        Numbers that a cluster counts.
    sessions : int
        Clusters counted: sessions, or packs.
    totals : ndarray of float64, shape (width,)
        Sums.
    products : ndarray of float64, shape (width, width)
        Sums of products.
    """

    width: int
    sessions: int = 0
    totals: Floats = field(init=False)
    products: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.totals, self.products = np.zeros(self.width), np.zeros((self.width, self.width))

    def add_counts(self, counts: Floats) -> None:
        """Add the counts of further clusters, a row each."""
        self.sessions += len(counts)
        self.totals += counts.sum(axis=0)
        self.products += counts.T @ counts

    def add(self, other: Moments) -> None:
        """Add what another has added up."""
        self.sessions += other.sessions
        self.totals += other.totals
        self.products += other.products


def influence_interval(
    value: float, gradient: Floats, smallest: float, moments: Moments, alpha: float, k: int, kind: str,
    *, least: float = -1.0,
) -> Interval | None:  # fmt: skip
    """Return Student's interval about a function of totals, from the influence of each cluster.

    Parameters
    ----------
    value : float
        The function, which does not change if all totals grow alike: so the influences add up to 0.
    gradient : ndarray of float64
        Its derivatives by the totals.
    smallest : float
        The largest change that one deal more can make. As in `means.paired_mean`, two clusters more that
        differ by it are counted into the variance.
    moments : Moments
        The totals and their products.
    alpha, k
        One of k intervals that hold together at level 1 − α.
    kind : str
        What the interval is called.
    least : float
        The function is never below it, nor above 1.

    Returns
    -------
    Interval or None
        None for a single cluster.

    Notes
    -----
    Hampel (1974), "The influence curve and its role in robust estimation", JASA 69, 383–393.
    """
    n = moments.sessions
    squares = float(gradient @ moments.products @ gradient) * n * n
    interval = paired_mean(0.0, squares, n, alpha, k, unit=smallest * n).interval
    if interval is None:
        return None
    low, high = max(least, value + interval.low), min(1.0, value + interval.high)
    return replace(interval, low=low, high=high, kind=kind)
