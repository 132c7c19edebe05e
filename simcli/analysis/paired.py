"""Differences between two variants: the same deals played twice, or two independent sets of deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcli.analysis.rates import ALPHA, Floats, Interval, critical_value, family_of, wilson_bounds

#: below so many discordant deals a test is exact instead of a normal approximation
EXACT_BELOW = 30
#: halvings of a bracket: more than a double can resolve
HALVINGS = 54
#: patterns of signs drawn, or gone through one by one if there are no more than that
SIGN_PATTERNS = 100_000
SIGN_SEED = 1970


class Homogeneity(NamedTuple):
    """Hold a test of equal margins: its statistic, degrees of freedom, p, and whether p is exact."""

    statistic: float
    df: int
    p: float
    by_signs: bool


def tango_variance(delta: npt.ArrayLike, b: npt.ArrayLike, c: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Return the variance of b − c if the true difference is `delta`.

    Parameters
    ----------
    delta : array_like of float
        Difference of the two shares, −1 to 1.
    b, c : array_like of int
        Deals in which only the first, only the second, has it.
    n : array_like of int
        All deals.

    Returns
    -------
    ndarray of float64
        n(2q + δ(1 − δ)), q the largest-likelihood estimate of P(only the second) given δ: the larger root
        of 2n q² + B q + C with B = (2n − b + c)δ − b − c and C = −cδ(1 − δ).

    Notes
    -----
    Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", Statistics in Medicine 17, 891–908. For δ < 0 the variants are exchanged: then no
    two terms of the root cancel.
    """
    delta, b, c, n = (np.asarray(value, np.float64) for value in (delta, b, c, n))
    b, c = np.where(delta < 0, c, b), np.where(delta < 0, b, c)
    delta = np.abs(delta)
    half = (2 * n - b + c) * delta - b - c
    product = c * delta * (1 - delta)
    root = np.sqrt(half * half + 8 * n * product)
    # (root − half)/4n, written without a difference where half > 0
    with np.errstate(divide="ignore", invalid="ignore"):
        small = np.where(root + half > 0, 2 * product / (root + half), 0.0)
        large = np.where(n > 0, (root - half) / (4 * n), 0.0)
    q = np.where(half > 0, small, large)
    return np.asarray(n * (2 * q + delta * (1 - delta)))


def tango_bounds(
    b: npt.ArrayLike, c: npt.ArrayLike, n: npt.ArrayLike, z: float | Floats
) -> tuple[Floats, Floats]:
    """Return Tango's score bounds for many differences at once.

    Parameters
    ----------
    b, c, n : array_like of int
        As for `tango_variance`, of shapes that broadcast.
    z : float or ndarray
        Critical value.

    Returns
    -------
    low, high : ndarray of float64
        The two δ with (b − c − nδ)² = z² · `tango_variance`, by bisection; −1 and 1 where n = 0.
    """
    b, c, n, z = np.broadcast_arrays(*(np.asarray(value, np.float64) for value in (b, c, n, z)))
    return -_tango_upper(c, b, n, z), _tango_upper(b, c, n, z)


def _tango_upper(b: Floats, c: Floats, n: Floats, z: Floats) -> Floats:
    low = np.where(n > 0, (b - c) / np.maximum(n, 1), 1.0)
    # one deal's difference is -1, 0 or 1, so that its variance is at most 1
    high = np.minimum(1.0, low + z / np.sqrt(np.maximum(n, 1)))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        inside = n * middle - (b - c) < z * np.sqrt(tango_variance(middle, b, c, n))
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return np.asarray((low + high) / 2)


def tango(b: int, c: int, n: int, alpha: float = ALPHA, k: int = 1) -> Interval:
    """Return the score interval for the difference (b − c)/n of two shares over the same deals.

    It keeps a sensible width without discordance: ±z²/(n + z²).

    >>> interval = tango(0, 0, 1000)
    >>> round(interval.low, 5), round(interval.high, 5)
    (-0.00383, 0.00383)
    """
    low, high = tango_bounds(b, c, n, critical_value(alpha, k))
    return Interval(float(low), float(high), 1 - alpha, "Tango", family_of(k))


def mcnemar_p(b: int, c: int) -> float:
    """Return the two-sided p of equal shares over the same deals.

    Below `EXACT_BELOW` discordant deals the binomial test of b of b + c at ½; else (b − c)²/(b + c) as χ²₁,
    without a continuity correction, as Tango's interval at δ = 0.

    McNemar (1947), "Note on the sampling error of the difference between correlated proportions or
    percentages", Psychometrika 12, 153–157.

    >>> mcnemar_p(0, 0), mcnemar_p(0, 5)
    (1.0, 0.0625)
    """
    discordant = b + c
    if discordant < EXACT_BELOW:
        lower = sum(math.comb(discordant, i) for i in range(min(b, c) + 1))
        return min(1.0, 2 * lower / (1 << discordant))
    return math.erfc(abs(b - c) / math.sqrt(2 * discordant))


def variance_ratio(b: int, c: int, x1: int, x2: int, n: int) -> float | None:
    """Return how many times as many independent deals the same precision would have taken.

    The variance of x1/n − x2/n from independent deals, over its variance from the same deals:
    (p₁q₁ + p₂q₂) / ((b + c)/n − ((b − c)/n)²). None where the second is 0: the outcome never differed, or
    differed in every deal and in the same way.
    """
    if n == 0:
        return None
    p1, p2 = x1 / n, x2 / n
    paired = (b + c) / n - ((b - c) / n) ** 2
    return (p1 * (1 - p1) + p2 * (1 - p2)) / paired if paired > 0 else None


def newcombe(x1: int, n1: int, x2: int, n2: int, alpha: float = ALPHA, k: int = 1) -> Interval:
    """Return the hybrid score interval for p₁ − p₂ from independent deals.

    With [l, u] each share's Wilson interval:
    d − √((p₁ − l₁)² + (u₂ − p₂)²) to d + √((u₁ − p₁)² + (p₂ − l₂)²).

    Newcombe (1998), "Interval estimation for the difference between independent proportions: comparison of
    eleven methods", Statistics in Medicine 17, 873–890, method 10.
    """
    if n1 == 0 or n2 == 0:
        return Interval(-1.0, 1.0, 1 - alpha, "Newcombe", family_of(k))
    low, high = newcombe_bounds(x1, n1, x2, n2, critical_value(alpha, k))
    return Interval(float(low), float(high), 1 - alpha, "Newcombe", family_of(k))


def newcombe_bounds(
    x1: npt.ArrayLike, n1: int, x2: npt.ArrayLike, n2: int, z: float
) -> tuple[Floats, Floats]:
    """Return Newcombe's bounds for many differences at once; `n1` and `n2` are at least 1."""
    p1, p2 = np.asarray(x1) / n1, np.asarray(x2) / n2
    (l1, u1), (l2, u2) = wilson_bounds(x1, n1, z), wilson_bounds(x2, n2, z)
    return p1 - p2 - np.hypot(p1 - l1, u2 - p2), p1 - p2 + np.hypot(u1 - p1, p2 - l2)


def stuart_maxwell(table: npt.ArrayLike) -> Homogeneity:
    """Test whether two variants have the same distribution of outcomes over the same deals.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        Deals by outcome under the first (row) and the second (column).

    Returns
    -------
    Homogeneity
        statistic dᵀV⁻d with d = row sums − column sums, V = diag(row + column sums) − T − Tᵀ and V⁻ its
        pseudo-inverse; df the rank of V; p from χ². Without discordant deals 0, 0 and 1. Below
        `EXACT_BELOW` discordant deals p comes from exchanging the two outcomes of each discordant deal at
        random.

    Notes
    -----
    Stuart (1955), "A test for homogeneity of the marginal distributions in a two-way classification",
    Biometrika 42, 412–416; Maxwell (1970), "Comparing the classification of subjects by two independent
    judges", British Journal of Psychiatry 116, 651–655. V is the Laplacian of the graph whose edges are the
    discordant deals: its rank is the number of outcomes less the number of connected parts, and leaving one
    outcome of each part out inverts it without deciding which eigenvalues are zero. Outcomes without
    discordant deals are parts of their own and so drop out.
    """
    from scipy.special import chdtrc

    counts = np.array(table, np.int64)
    np.fill_diagonal(counts, 0)
    edges = counts + counts.T
    kept = _all_but_one_of_each_part(edges > 0)
    if not kept.any():
        return Homogeneity(0.0, 0, 1.0, True)
    inverse = np.linalg.inv((np.diag(edges.sum(axis=1)) - edges)[np.ix_(kept, kept)].astype(np.float64))
    d = (counts.sum(axis=1) - counts.sum(axis=0))[kept].astype(np.float64)
    statistic, df = float(d @ inverse @ d), int(kept.sum())
    if counts.sum() < EXACT_BELOW:
        return Homogeneity(statistic, df, _sign_flip_p(edges, kept, inverse, statistic), True)
    return Homogeneity(statistic, df, float(chdtrc(df, statistic)), False)


def _all_but_one_of_each_part(linked: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return a mask of the outcomes that leaves one out of each connected part."""
    n = len(linked)
    reach = np.linalg.matrix_power((linked | np.eye(n, dtype=bool)).astype(np.float64), n) > 0
    return np.asarray(reach.argmax(axis=1) != np.arange(n))


def _sign_flip_p(
    edges: npt.NDArray[np.int64], kept: npt.NDArray[np.bool_], inverse: Floats, statistic: float
) -> float:
    """Return how often a statistic as large comes from fair coins alone; V is the same for all of them."""
    first, second = np.nonzero(np.triu(edges))
    sizes = edges[first, second]
    n_patterns = math.prod(int(size) + 1 for size in sizes)
    exact = n_patterns <= SIGN_PATTERNS
    if exact:
        heads = np.stack(np.unravel_index(np.arange(n_patterns), sizes + 1), axis=1)
        ways = [[math.comb(int(size), i) / 2 ** int(size) for i in range(size + 1)] for size in sizes]
        chances = np.prod([np.array(way)[heads[:, e]] for e, way in enumerate(ways)], axis=0)
    else:
        rng = np.random.default_rng(SIGN_SEED)
        heads = rng.binomial(sizes, 0.5, size=(SIGN_PATTERNS, len(sizes)))
        chances = np.full(SIGN_PATTERNS, 1 / (SIGN_PATTERNS + 1))
    d = np.zeros((len(heads), len(edges)))
    for edge, (i, j) in enumerate(zip(first, second, strict=True)):
        d[:, i] += 2 * heads[:, edge] - sizes[edge]
        d[:, j] -= 2 * heads[:, edge] - sizes[edge]
    d = d[:, kept]
    as_large = np.einsum("ri,ij,rj->r", d, inverse, d) >= statistic * (1 - 1e-9)
    # What was observed is one more pattern, so that p is never 0.
    p = float(chances[as_large].sum()) + (0.0 if exact else 1 / (SIGN_PATTERNS + 1))
    return min(1.0, p)


def holm(ps: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for their number, step by step from the smallest.

    The i-th smallest of m becomes the largest of (m − j + 1)·p₍ⱼ₎ for j ≤ i, at most 1.

    Holm (1979), "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics
    6, 65–70.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [1.0] * len(ps)
    largest = 0.0
    for step, i in enumerate(sorted(range(len(ps)), key=lambda i: ps[i])):
        largest = max(largest, min(1.0, (len(ps) - step) * ps[i]))
        adjusted[i] = largest
    return adjusted
