"""How often intervals hold what is true: fixed seeds, 10,000 replicates, error of a coverage ±0.2 points."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import nbinom

from simcli.analysis.adjust import adjusted_difference, cross_products
from simcli.analysis.means import mean_of_counts, paired_mean, quantile, t_of_session_totals, unpaired_mean
from simcli.analysis.paired import mcnemar_p, newcombe, stuart_maxwell, tango_bounds
from simcli.analysis.positions import equal_positions, fairness_change, lost_share_differences
from simcli.analysis.rates import (
    EXACT_BELOW,
    Estimate,
    clopper_pearson_bounds,
    critical_value,
    wilson_bounds,
)
from tests.analysis.outcomes import (
    CELLS,
    REPLICATES,
    discordant,
    draw_joint_tables,
    joint_shares,
    monte_carlo_error,
)

ALPHA = 0.05


def rate_bounds(count: np.ndarray, n: int, k: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Do what `rate_interval` does, for many counts."""
    exact = clopper_pearson_bounds(count, n, ALPHA / k / 2)
    score = wilson_bounds(count, n, critical_value(ALPHA, k))
    few = np.minimum(count, n - count) < EXACT_BELOW
    return np.where(few, exact[0], score[0]), np.where(few, exact[1], score[1])


def covered(bounds: tuple[np.ndarray, np.ndarray], truth: float | np.ndarray) -> np.ndarray:
    return np.asarray((bounds[0] <= truth) & (truth <= bounds[1]))


def coverage(estimates: Iterator[Estimate], truth: float) -> float:
    hits = [e.interval is not None and e.interval.low <= truth <= e.interval.high for e in estimates]
    assert len(hits) == REPLICATES
    return float(np.mean(hits))


def is_near_nominal(share: float) -> bool:
    return 0.93 <= share <= 0.97


@pytest.mark.parametrize(
    "n, p", [(1000, 0.25), (20_000, 0.25), (300_000, 0.2), (20_000, 0.01), (10**8, 0.001)]
)
def test_intervals_of_rates_cover(n: int, p: float) -> None:
    counts = np.random.default_rng(n).binomial(n, p, REPLICATES)
    assert is_near_nominal(covered(rate_bounds(counts, n), p).mean())


@pytest.mark.parametrize("n, p", [(1000, 0.001), (300_000, 1e-5), (1000, 0.99), (100, 0.1), (20, 0.5)])
def test_intervals_of_rare_rates_miss_no_more_than_they_say(n: int, p: float) -> None:
    counts = np.random.default_rng(n).binomial(n, p, REPLICATES)
    assert covered(rate_bounds(counts, n), p).mean() >= 1 - ALPHA - monte_carlo_error(ALPHA)


@pytest.mark.parametrize("n", [2_000, 20_000, 300_000])
def test_all_rates_of_a_distribution_are_covered_together(n: int) -> None:
    counts = np.random.default_rng(n).multinomial(n, CELLS, REPLICATES)
    together = covered(rate_bounds(counts, n, k=len(CELLS)), CELLS).all(axis=1).mean()
    assert 1 - ALPHA - monte_carlo_error(ALPHA) <= together <= 0.98


@pytest.mark.parametrize("expected", [30, 300, 3000])
@pytest.mark.parametrize("discordance", [0.001, 0.01, 0.1, 0.6])
@pytest.mark.parametrize("split", [0.5, 0.75])
def test_intervals_of_paired_differences_cover(expected: int, discordance: float, split: float) -> None:
    n = round(expected / discordance)
    rng = np.random.default_rng(expected)
    shares = [discordance * split, discordance * (1 - split), 1 - discordance]
    b, c, _ = rng.multinomial(n, shares, REPLICATES).T
    bounds = tango_bounds(b, c, n, critical_value(ALPHA))
    assert is_near_nominal(covered(bounds, discordance * (2 * split - 1)).mean())


@pytest.mark.parametrize("expected", [3, 6, 12])
@pytest.mark.parametrize("discordance", [0.001, 0.01, 0.1, 0.6])
@pytest.mark.parametrize("split", [0.5, 0.75, 1.0])
def test_intervals_of_rare_rules_miss_at_most_twice_as_often_as_they_say(
    expected, discordance, split
) -> None:
    n = round(expected / discordance)
    rng = np.random.default_rng(expected)
    shares = [discordance * split, discordance * (1 - split), 1 - discordance]
    b, c, _ = rng.multinomial(n, shares, REPLICATES).T
    bounds = tango_bounds(b, c, n, critical_value(ALPHA))
    assert 1 - covered(bounds, discordance * (2 * split - 1)).mean() <= 2 * ALPHA


def test_a_mean_and_its_error_would_fail_where_tango_does_not() -> None:
    n, discordance = 3000, 0.001
    b, c, _ = np.random.default_rng(5).multinomial(n, [discordance / 2] * 2 + [1 - discordance], REPLICATES).T
    d = (b - c) / n
    half = critical_value(ALPHA) * np.sqrt(((b + c) / n - d**2) / n)
    shifted = discordance / 2
    b2, c2, _ = np.random.default_rng(6).multinomial(n, [shifted, 0, 1 - shifted], REPLICATES).T
    d2 = (b2 - c2) / n
    half2 = critical_value(ALPHA) * np.sqrt(((b2 + c2) / n - d2**2) / n)
    assert covered((d - half, d + half), 0.0).mean() > 0.9  # hidden by intervals of no width around the truth
    assert covered((d2 - half2, d2 + half2), shifted).mean() < 0.85
    assert covered(tango_bounds(b2, c2, n, critical_value(ALPHA)), shifted).mean() > 0.93


@pytest.mark.parametrize("n1, n2, p1, p2", [(2000, 3000, 0.25, 0.25), (20_000, 20_000, 0.02, 0.03)])
def test_intervals_of_unpaired_differences_cover(n1: int, n2: int, p1: float, p2: float) -> None:
    rng = np.random.default_rng(8)
    x1, x2 = rng.binomial(n1, p1, REPLICATES), rng.binomial(n2, p2, REPLICATES)
    intervals = (newcombe(int(a), n1, int(b), n2) for a, b in zip(x1, x2, strict=True))
    assert is_near_nominal(np.mean([not interval.excludes(p1 - p2) for interval in intervals]))


@pytest.mark.parametrize("n, discordance", [(60_000, 0.001), (3000, 0.05), (3000, 0.5)])
def test_tests_of_equal_margins_raise_false_alarms_as_often_as_they_say(n: int, discordance: float) -> None:
    tables = draw_joint_tables(np.random.default_rng(9), joint_shares(discordance), n)
    whole = np.mean([stuart_maxwell(table).p < ALPHA for table in tables])
    b, c = discordant(tables)
    one = np.mean([mcnemar_p(x, y) < ALPHA for x, y in zip(b[:, 0].tolist(), c[:, 0].tolist(), strict=True)])
    assert 0.02 <= whole <= ALPHA + 2 * monte_carlo_error(ALPHA)
    assert 0.02 <= one <= ALPHA + 2 * monte_carlo_error(ALPHA)


@pytest.mark.parametrize(
    "n, discordance, effect", [(3000, 0.01, 0.0), (3000, 0.3, 0.02), (100_000, 0.05, 0.01)]
)
def test_intervals_of_differences_of_shares_of_lost_deals_cover(n, discordance, effect) -> None:
    shares = joint_shares(discordance, effect)
    lost = [margin[:4] / margin[:4].sum() for margin in (shares.sum(axis=1), shares.sum(axis=0))]
    tables = draw_joint_tables(np.random.default_rng(10), shares, n)
    estimates = (lost_share_differences(table)[0] for table in tables)
    assert is_near_nominal(coverage(estimates, lost[1][0] - lost[0][0]))


@pytest.mark.parametrize("expected", [3, 10])
def test_intervals_of_shares_hold_for_rare_rules(expected: int) -> None:
    n = 10_000
    shares = joint_shares(0.0, expected / n)
    lost = [margin[:4] / margin[:4].sum() for margin in (shares.sum(axis=1), shares.sum(axis=0))]
    tables = draw_joint_tables(np.random.default_rng(11), shares, n)
    estimates = (lost_share_differences(table)[0] for table in tables)
    assert coverage(estimates, lost[1][0] - lost[0][0]) >= 1 - 2 * ALPHA


@pytest.mark.parametrize(
    "n, discordance, effect", [(3000, 0.3, 0.02), (30_000, 0.05, 0.01), (300_000, 0.2, 0.01)]
)
def test_intervals_of_the_change_of_fairness_cover(n: int, discordance: float, effect: float) -> None:
    shares = joint_shares(discordance, effect)
    before, after = (margin[:4] / margin[:4].sum() for margin in (shares.sum(axis=1), shares.sum(axis=0)))
    truth = 4 * float(((after - 0.25) ** 2).sum() - ((before - 0.25) ** 2).sum())
    tables = draw_joint_tables(np.random.default_rng(12), shares, n)
    assert is_near_nominal(coverage((fairness_change(table).change for table in tables), truth))


def test_between_two_fair_tables_the_change_of_fairness_is_covered_more_often() -> None:
    moved = np.full((6, 6), 0.3 / 12) * (1 - np.eye(6))
    moved[4:, :] = moved[:, 4:] = 0
    shares = moved + np.diag([0.25 - 0.075] * 4 + [0, 0])
    tables = draw_joint_tables(np.random.default_rng(13), shares, 5000)
    assert coverage((fairness_change(table).change for table in tables), 0.0) >= 1 - ALPHA


@pytest.mark.parametrize("n, lost", [(2000, [0.28, 0.25, 0.25, 0.22]), (50_000, [0.3, 0.25, 0.2, 0.25])])
def test_intervals_of_the_effect_size_cover(n: int, lost: list[float]) -> None:
    w = 2 * math.sqrt(((np.array(lost) - 0.25) ** 2).sum())
    counts = np.random.default_rng(n).multinomial(n, lost, REPLICATES)
    assert is_near_nominal(coverage((equal_positions(count).w for count in counts), w))


def sums(values: np.ndarray) -> Iterator[tuple[float, float]]:
    return zip(values.sum(axis=1).tolist(), (values**2).sum(axis=1).tolist(), strict=True)


@pytest.mark.parametrize("n", [50, 400])
def test_intervals_of_means_cover_although_counts_are_skewed(n: int) -> None:
    bouts = np.random.default_rng(n).negative_binomial(4, 0.3, (REPLICATES, n)).astype(float)
    truth = 4 * 0.7 / 0.3
    assert is_near_nominal(coverage((mean_of_counts(*s, n) for s in sums(bouts)), truth))


@pytest.mark.parametrize("n, affected", [(400, 0.5), (400, 0.1), (2000, 0.01)])
def test_intervals_of_paired_differences_of_means_cover(n: int, affected: float) -> None:
    rng = np.random.default_rng(n)
    changes = rng.integers(-3, 5, (REPLICATES, n)) * (rng.random((REPLICATES, n)) < affected)
    truth = affected * 0.5
    assert is_near_nominal(coverage((paired_mean(*s, n) for s in sums(changes.astype(float))), truth))


@pytest.mark.parametrize("n", [1000])
def test_intervals_of_means_hold_for_rare_rules(n: int) -> None:
    for expected in (3, 6, 12):
        changes = np.random.default_rng(expected).binomial(n, expected / n, REPLICATES).astype(float)
        estimates = (paired_mean(x, x, n) for x in changes.tolist())
        assert coverage(estimates, expected / n) >= 1 - 2 * ALPHA


def test_intervals_of_unpaired_means_cover() -> None:
    rng = np.random.default_rng(14)
    first = rng.negative_binomial(4, 0.3, (REPLICATES, 120)).astype(float)
    second = rng.negative_binomial(9, 0.5, (REPLICATES, 300)).astype(float)
    truth = 4 * 0.7 / 0.3 - 9
    pairs = zip(sums(first), sums(second), strict=True)
    assert is_near_nominal(coverage((unpaired_mean((*a, 120), (*b, 300)) for a, b in pairs), truth))


@pytest.mark.parametrize("sessions", [10, 40])
def test_intervals_from_session_totals_cover_where_deals_of_a_session_depend(sessions: int) -> None:
    rng = np.random.default_rng(sessions)
    chances = rng.beta(25, 75, (REPLICATES, sessions))
    totals = rng.binomial(50, chances).astype(float)
    estimates = (t_of_session_totals(*s, sessions, 50) for s in sums(totals))
    assert is_near_nominal(coverage(estimates, 0.25))


@pytest.mark.parametrize("q", [0.5, 0.9])
def test_intervals_of_quantiles_cover(q: float) -> None:
    n = 300
    bouts = np.random.default_rng(15).negative_binomial(12, 0.3, (REPLICATES, n))
    truth = float(nbinom.ppf(q, 12, 0.3))
    estimates = (quantile(np.bincount(deal), q) for deal in bouts)
    assert coverage(estimates, truth) >= 1 - ALPHA - monte_carlo_error(ALPHA)


def test_intervals_of_adjusted_differences_cover() -> None:
    """2,000 deals a replicate; the rule takes away three points for the opener, whatever it holds."""
    rng, n = np.random.default_rng(16), 2000
    hits = 0
    for _ in range(REPLICATES // 500):
        trumps = rng.binomial(6, 0.25, (500, 4, n)).astype(float)
        luck, rule = rng.random((500, n)), rng.random((500, n))
        chance = 0.3 - 0.05 * (trumps[:, 0] - 1.5) + 0.02 * (trumps[:, 1] - 1.5)
        before = luck < chance
        after = before & (rule > 0.03 / np.maximum(chance, 0.03))
        for t, y, x in zip(trumps, before, after, strict=True):
            interval = adjusted_difference(cross_products(np.vstack([t, t, y, x]))).interval
            hits += interval is not None and interval.low <= -0.03 <= interval.high
    assert is_near_nominal(hits / REPLICATES)
