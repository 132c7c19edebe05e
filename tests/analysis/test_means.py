import math

import numpy as np
import pytest
from scipy.stats import binom, t, ttest_ind, ttest_rel

from simcli.analysis.means import (
    LEAST_SESSIONS,
    TooFewSessionsError,
    mean_of_counts,
    paired_mean,
    quantile,
    t_of_session_totals,
    unpaired_mean,
)


def sums(values: np.ndarray) -> tuple[float, float, int]:
    return float(values.sum()), float((values**2).sum()), len(values)


@pytest.fixture
def two_runs() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(12)
    first = rng.negative_binomial(5, 0.3, 400).astype(float)
    return first, first + rng.integers(-2, 4, 400)


def test_without_further_deals_the_paired_interval_is_students(two_runs) -> None:
    first, second = two_runs
    estimate = paired_mean(*sums(second - first), unit=0)
    expected = ttest_rel(second, first).confidence_interval()
    assert estimate.interval is not None
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(
        (expected.low, expected.high), rel=1e-9
    )


def test_without_further_deals_the_unpaired_interval_is_welchs(two_runs) -> None:
    first, second = two_runs[0], two_runs[1][:150]
    estimate = unpaired_mean(sums(second), sums(first), unit=0)
    expected = ttest_ind(second, first, equal_var=False).confidence_interval()
    assert estimate.interval is not None
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(
        (expected.low, expected.high), rel=1e-9
    )


def test_equal_play_leaves_a_difference_of_zero_with_a_width() -> None:
    estimate = paired_mean(0, 0, 10_000)
    assert estimate.value == 0
    assert estimate.interval is not None
    half = t.isf(0.025, 9999) * math.sqrt(2 / 9999 / 10_000)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx((-half, half), rel=1e-9)


def test_a_mean_of_counts_is_not_below_zero() -> None:
    assert mean_of_counts(1, 1, 50).interval.low == 0.0


@pytest.mark.parametrize("n, value", [(0, None), (1, 7.0)])
def test_none_and_one_deal_have_no_interval(n: int, value: float | None) -> None:
    for estimate in (
        paired_mean(7.0 * n, 49.0 * n, n),
        mean_of_counts(7.0 * n, 49.0 * n, n),
        unpaired_mean((7.0 * n, 49.0 * n, n), (0.0, 0.0, 5)),
        quantile([0] * 7 + [n], 0.5),
    ):
        assert (estimate.value, estimate.interval) == (value, None)


def test_no_variance_at_all_is_no_trouble() -> None:
    estimate = unpaired_mean((10, 10, 10), (10, 10, 10), unit=0)
    assert (estimate.interval.low, estimate.interval.high) == (0.0, 0.0)


def test_sessions_are_the_unit_where_their_deals_depend_on_each_other() -> None:
    totals = np.random.default_rng(3).binomial(20, 0.25, 60).astype(float)
    sum_total, sum_total2, sessions = sums(totals)
    estimate = t_of_session_totals(sum_total, sum_total2, sessions, 20, unit=0)
    expected = t.interval(0.95, 59, totals.mean() / 20, totals.std(ddof=1) / 20 / math.sqrt(60))
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("sessions", [0, 1, LEAST_SESSIONS - 1])
def test_few_sessions_are_refused(sessions: int) -> None:
    with pytest.raises(TooFewSessionsError, match=f"expected at least 10 sessions, got {sessions}"):
        t_of_session_totals(0, 0, sessions, 100)


@pytest.mark.parametrize("q", [0.5, 0.9])
@pytest.mark.parametrize("n", [40, 41, 1000])
def test_quantiles_are_order_statistics_with_binomial_bounds(q: float, n: int) -> None:
    values = np.sort(np.random.default_rng(n).negative_binomial(8, 0.4, n))
    estimate = quantile(np.bincount(values), q)
    assert estimate.value == values[math.ceil(q * n) - 1]
    ranks = np.arange(1, n + 1)
    low = max(ranks[binom.cdf(ranks - 1, n, q) <= 0.025])
    high = min(ranks[binom.sf(ranks - 1, n, q) <= 0.025])
    assert (estimate.interval.low, estimate.interval.high) == (values[low - 1], values[high - 1])


def test_an_upper_bound_that_few_deals_do_not_give_is_left_out() -> None:
    assert quantile([3, 4, 3], 0.9).interval is None
    assert quantile([3, 4, 3], 0.5).interval is not None


def test_a_lower_bound_that_few_deals_do_not_give_is_zero() -> None:
    low = quantile([0, 0, 0, 0, 10], 0.1)
    assert (low.value, low.interval.low) == (4.0, 0.0)


def test_quantiles_of_a_hundred_million_deals_come_from_the_histogram() -> None:
    histogram = [10_000_000] * 10
    median = quantile(histogram, 0.5)
    assert (median.value, median.interval.low, median.interval.high) == (4.0, 4.0, 5.0)
