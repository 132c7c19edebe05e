import math

import numpy as np
import pytest
from scipy.stats import chisquare, ncx2

from simcli.analysis.positions import equal_positions, fairness_change, lost_share_differences, lost_shares

UNFAIR = np.array([4000, 2500, 2000, 1500])


def joint_table(seed: int = 1, n: int = 100_000) -> np.ndarray:
    """Draw deals of four positions, drawn and stalled, that a rule changes in one of six."""
    stay = np.diag([0.26, 0.24, 0.2, 0.2, 0.07, 0.03]) * 5 / 6
    moved = np.outer([0.26, 0.24, 0.2, 0.2, 0.07, 0.03], [0.2, 0.2, 0.25, 0.25, 0.08, 0.02]) / 6
    return np.random.default_rng(seed).multinomial(n, (stay + moved).ravel()).reshape(6, 6)


@pytest.mark.parametrize("lost", [UNFAIR, [10, 12], [0, 0, 5], [7, 7, 7, 7, 7, 7]])
def test_equal_positions_is_pearsons_test(lost) -> None:
    test, expected = equal_positions(lost), chisquare(lost)
    assert (test.statistic, test.p) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    assert test.df == len(lost) - 1


def test_the_effect_size_takes_off_what_chance_adds() -> None:
    test = equal_positions(UNFAIR)
    assert test.w2 == pytest.approx((test.statistic - 3) / 10_000)
    assert test.w.value == pytest.approx(math.sqrt(test.w2))


def test_the_bounds_of_w_are_where_chi_square_is_a_quantile() -> None:
    test = equal_positions(UNFAIR)
    for bound, tail in ((test.w.interval.low, 0.975), (test.w.interval.high, 0.025)):
        assert ncx2.cdf(test.statistic, 3, bound**2 * test.n) == pytest.approx(tail, rel=1e-6)


def test_a_table_fairer_than_chance_has_no_effect() -> None:
    test = equal_positions([25, 25, 25, 25])
    assert (test.statistic, test.p, test.w.value, test.w.interval.low) == (0.0, 1.0, 0.0, 0.0)
    assert test.w2 == pytest.approx(-0.03)


@pytest.mark.parametrize("lost", [[0, 0, 0], [0], []])
def test_nobody_lost_says_nothing(lost) -> None:
    test = equal_positions(lost)
    assert (test.n, test.p, test.w2, test.w.value) == (0, 1.0, None, None)


@pytest.mark.parametrize("lost", [[1, 0, 0, 0], [10**8, 0, 0, 0, 0, 0], [5 * 10**7, 5 * 10**7 + 10**4], [9]])
def test_extreme_tables_stay_finite(lost) -> None:
    test = equal_positions(lost)
    numbers = [test.statistic, test.p, test.w2, test.w.value, test.w.interval.low, test.w.interval.high]
    assert np.isfinite(numbers).all()
    assert test.w.interval.low <= test.w.value <= test.w.interval.high


def test_shares_of_lost_deals_are_one_family_of_positions() -> None:
    shares = lost_shares(UNFAIR)
    assert [share.value for share in shares] == [0.4, 0.25, 0.2, 0.15]
    assert {share.interval.family for share in shares} == {"4 jointly"}
    assert [share.value for share in lost_shares([0, 0])] == [None, None]


def shares_of(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    before, after = table.sum(axis=1)[:4], table.sum(axis=0)[:4]
    return before / before.sum(), after / after.sum()


def jackknife(table: np.ndarray, statistic) -> np.ndarray:
    """Leave out one deal of each kind: the variance of a statistic without any influence function."""
    n = table.sum()
    whole, variance = np.asarray(statistic(table)), 0.0
    for i, j in zip(*np.nonzero(table), strict=True):
        fewer = table.astype(float)
        fewer[i, j] -= 1
        variance = variance + table[i, j] * (np.asarray(statistic(fewer)) - whole) ** 2
    return variance * (n - 1) / n


def test_differences_of_shares_have_the_width_that_leaving_deals_out_gives() -> None:
    table = joint_table()
    before, after = shares_of(table)
    variance = jackknife(table, lambda t: np.subtract(*reversed(shares_of(t))))
    for position, estimate in enumerate(lost_share_differences(table)):
        assert estimate.value == pytest.approx(after[position] - before[position], rel=1e-12)
        half = 1.959964 * math.sqrt(variance[position])
        assert estimate.interval.high - estimate.value == pytest.approx(half, rel=1e-3)


def test_the_change_of_fairness_has_the_width_that_leaving_deals_out_gives() -> None:
    table = joint_table()

    def change(t: np.ndarray) -> float:
        before, after = shares_of(t)
        return float(4 * ((after - 0.25) ** 2).sum() - 4 * ((before - 0.25) ** 2).sum())

    fairness = fairness_change(table)
    before, after = (equal_positions(lost).w2 for lost in (table.sum(axis=1)[:4], table.sum(axis=0)[:4]))
    assert (fairness.baseline, fairness.variant) == pytest.approx((before, after), rel=1e-9)
    assert fairness.change.value == pytest.approx(after - before, rel=1e-9)
    half = 1.959964 * math.sqrt(float(jackknife(table, change)))
    assert fairness.change.interval.high - fairness.change.value == pytest.approx(half, rel=1e-2)


def test_exchanging_baseline_and_variant_turns_the_changes_round() -> None:
    there, back = joint_table(), joint_table().T
    for a, b in zip(lost_share_differences(there), lost_share_differences(back), strict=True):
        assert (a.value, a.interval.low) == pytest.approx((-b.value, -b.interval.high), abs=1e-12)
    a, b = fairness_change(there).change, fairness_change(back).change
    assert (a.value, a.interval.low) == pytest.approx((-b.value, -b.interval.high), abs=1e-12)


@pytest.mark.parametrize("same", [[300, 250, 240, 210, 50, 3], [100, 100, 100, 100, 0, 0]])
def test_equal_play_changes_nothing_and_still_has_a_width(same: list[int]) -> None:
    table = np.diag(same)
    for estimate in (*lost_share_differences(table), fairness_change(table).change):
        assert estimate.value == 0.0
        assert estimate.interval.low < 0 < estimate.interval.high


EDGES = {
    "no deals": np.zeros((6, 6), int),
    "only draws": np.diag([0, 0, 0, 0, 9, 0]),
    "nobody loses any more": np.array([[0, 0, 0, 8], [0, 0, 0, 3], [0, 0, 0, 0], [0, 0, 0, 1]]),
    "one deal": np.diag([1, 0, 0, 0, 0, 0]),
    "one position loses all": np.diag([500, 0, 0, 0, 0, 0]),
    "the other one loses all": np.array([[0, 400, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]),
    "perfectly fair": np.diag([100, 100, 100, 100, 0, 0]),
}


@pytest.mark.parametrize("table", EDGES.values(), ids=EDGES)
def test_edge_tables_give_finite_numbers_or_none(table: np.ndarray) -> None:
    fairness = fairness_change(table)
    for estimate in (*lost_share_differences(table), fairness.change):
        assert (estimate.value is None) == (estimate.interval is None)
        if estimate.value is not None and estimate.interval is not None:
            assert np.isfinite([estimate.value, estimate.interval.low, estimate.interval.high]).all()
            assert estimate.interval.low <= estimate.value <= estimate.interval.high
