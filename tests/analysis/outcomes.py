"""Make up outcomes of pairs of deals whose true differences are known.

The cells are those of four players: positions 0 to 3, drawn, stalled. Reported as Morris, White & Crowther
(2019), "Using simulation studies to evaluate statistical methods", Statistics in Medicine 38, 2074–2102, ask:
seed, number of replicates and the Monte-Carlo error stand with each use.
"""

import math

import numpy as np

#: a table where the opener loses most, draws are rare and stalled deals rarer
CELLS = np.array([0.270, 0.245, 0.235, 0.210, 0.035, 0.005])
REPLICATES = 10_000


def joint_shares(discordance: float, effect: float = 0.0) -> np.ndarray:
    """Return the chances of all pairs of cells, shape (6, 6).

    A share `discordance` of the deals, spread over all pairs of different cells, ends otherwise, with equal
    chances either way, so that all margins stay equal. On top of that a share `effect` moves from position 0
    to position 1: the true differences are −effect, effect, 0, 0, 0, 0.
    """
    moved = np.outer(CELLS, CELLS)
    np.fill_diagonal(moved, 0.0)
    moved *= discordance / moved.sum()
    shares = np.diag(CELLS - moved.sum(axis=1)) + moved
    shares[0, 0] -= effect
    shares[0, 1] += effect
    assert shares.min() >= 0
    return shares


def true_differences(shares: np.ndarray) -> np.ndarray:
    return np.asarray(shares.sum(axis=0) - shares.sum(axis=1))


def draw_joint_tables(
    rng: np.random.Generator, shares: np.ndarray, n: int, replicates: int = REPLICATES
) -> np.ndarray:
    """Return joint tables of n deals each, shape (replicates, 6, 6)."""
    drawn = rng.multinomial(n, shares.ravel(), size=replicates)
    return np.asarray(drawn.reshape(replicates, *shares.shape))


def discordant(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return per table and cell the deals in which only the variant, and only the baseline, ended there."""
    both = np.diagonal(tables, axis1=-2, axis2=-1)
    return tables.sum(axis=-2) - both, tables.sum(axis=-1) - both


def monte_carlo_error(share: float, replicates: int = REPLICATES) -> float:
    """Return three standard errors of a simulated share."""
    return 3 * math.sqrt(share * (1 - share) / replicates)
