import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from statsmodels.stats.proportion import proportion_confint

from simcli.analysis.rates import (
    EXACT_BELOW,
    Interval,
    clopper_pearson,
    critical_value,
    rate,
    rate_interval,
    rates,
    wilson,
)
from simcli.runs.summary import wilson as run_table_wilson

COUNTS = [(0, 1), (1, 1), (0, 100), (100, 100), (3, 100), (1, 10**8), (25_000_000, 10**8), (499, 2000)]
FAMILIES = [(0.05, 1), (0.05, 6), (0.05, 120), (0.01, 8)]


@pytest.mark.parametrize("alpha, k", FAMILIES)
def test_the_squared_critical_value_is_a_quantile_of_chi_square(alpha: float, k: int) -> None:
    assert critical_value(alpha, k) ** 2 == pytest.approx(chi2.isf(alpha / k, 1), rel=1e-12)


@pytest.mark.parametrize("count, n", COUNTS)
@pytest.mark.parametrize("alpha, k", FAMILIES)
@pytest.mark.parametrize("function, method", [(wilson, "wilson"), (clopper_pearson, "beta")])
def test_intervals_of_a_share_equal_those_of_statsmodels(function, method, count, n, alpha, k) -> None:
    interval = function(count, n, alpha, k)
    low, high = proportion_confint(count, n, alpha / k, method=method)
    # statsmodels leaves 1e-19 where the bound is 0
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("count, n", COUNTS)
def test_the_table_of_a_run_shows_the_same_interval(count: int, n: int) -> None:
    interval = wilson(count, n)
    assert run_table_wilson(count, n) == pytest.approx((interval.low, interval.high), rel=1e-12, abs=1e-18)


@given(st.integers(0, 10**8), st.floats(0, 1), st.integers(1, 200))
def test_intervals_are_finite_and_hold_the_share(n: int, share: float, k: int) -> None:
    count = math.floor(share * n)
    for function in (wilson, clopper_pearson, rate_interval):
        interval = function(count, n, 0.05, k)
        assert 0 <= interval.low <= interval.high <= 1
        if n:
            assert interval.low <= count / n <= interval.high


@pytest.mark.parametrize("function", [wilson, clopper_pearson, rate_interval])
def test_no_deals_say_nothing(function) -> None:
    interval = function(0, 0)
    assert (interval.low, interval.high) == (0.0, 1.0)
    assert rate(0, 0).value is None


def test_small_counts_on_either_side_are_exact() -> None:
    n = 1000
    assert rate_interval(EXACT_BELOW - 1, n).kind == "Clopper-Pearson"
    assert rate_interval(n - EXACT_BELOW + 1, n).kind == "Clopper-Pearson"
    assert rate_interval(EXACT_BELOW, n).kind == rate_interval(n - EXACT_BELOW, n).kind == "Wilson"


def test_a_share_and_its_complement_have_mirrored_intervals() -> None:
    for count in (0, 7, 19, 20, 300):
        there, back = rate_interval(count, 700, k=4), rate_interval(700 - count, 700, k=4)
        assert (there.low, there.high) == pytest.approx((1 - back.high, 1 - back.low), abs=1e-12)


def test_every_interval_names_level_kind_and_family() -> None:
    assert [(i.level, i.kind, i.family) for i in (wilson(5, 9), clopper_pearson(5, 9, 0.01, 6))] == [
        (0.95, "Wilson", "alone"),
        (0.99, "Clopper-Pearson", "6 jointly"),
    ]
    assert wilson(5, 9).in_family("3 variants × 6 cells").family == "3 variants × 6 cells"


def test_cells_of_a_distribution_are_one_family_and_empty_cells_count() -> None:
    cells = rates([50, 30, 20, 0])
    assert [cell.value for cell in cells] == [0.5, 0.3, 0.2, 0.0]
    assert {cell.interval.family for cell in cells if cell.interval} == {"4 jointly"}


def test_an_interval_in_another_unit_keeps_its_promise() -> None:
    assert Interval(0.1, 0.2, 0.95, "Wilson", "alone").scaled(100) == Interval(
        10.0, 20.0, 0.95, "Wilson", "alone"
    )
