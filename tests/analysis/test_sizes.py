import math

import pytest
from scipy.stats import beta, norm

from simcli.analysis.rates import critical_value, wilson
from simcli.analysis.sizes import (
    HARDLY,
    DealsNeeded,
    deals_for_half_width,
    deals_to_decide,
    games_to_notice,
    half_width,
    paired_deals_for_half_width,
    pilot_variance,
    significant,
)


@pytest.mark.parametrize(
    "number, digits, rounded",
    [(0, 2, 0), (0.3, 2, 0), (94, 2, 94), (995, 2, 1000), (117_734, 3, 118_000), (10**8, 2, 10**8)],
)
def test_numbers_of_deals_keep_their_first_digits(number: float, digits: int, rounded: int) -> None:
    assert significant(number, digits) == rounded


def test_half_a_point_takes_118_000_games_to_notice_and_four_points_1_800() -> None:
    assert significant(games_to_notice(0.005, 0.25), 3) == 118_000
    assert significant(games_to_notice(-0.04, 0.25), 2) == 1_800


def test_after_so_many_games_a_test_of_two_shares_notices_in_four_of_five() -> None:
    difference, p = 0.005, 0.25
    n = games_to_notice(difference, p)
    error = math.sqrt(2 * p * (1 - p) / n)
    assert norm.sf(norm.isf(0.025) - difference / error) == pytest.approx(0.80, abs=1e-4)


def test_no_difference_is_never_noticed() -> None:
    assert games_to_notice(0.0, 0.25) is None


def test_what_never_happened_before_is_noticed_soon_enough() -> None:
    assert games_to_notice(0.1, 0.0) > 1


def test_a_decision_takes_the_variance_over_the_squared_gap() -> None:
    c = critical_value(0.05, 6)
    expected = 0.1 * (c + 1.28) ** 2 / 0.002**2
    assert deals_to_decide(0.007, 0.1, c, 0.005).deals == significant(expected)
    assert deals_to_decide(-0.003, 0.1, c, 0.005).deals == significant(expected)


@pytest.mark.parametrize(
    "difference, n", [(0.005, 100_000), (0.0051, 100_000), (-0.00501, None), (0.0052, 10**6)]
)
def test_near_the_margin_more_deals_will_hardly_decide(difference: float, n: int | None) -> None:
    needed = deals_to_decide(difference, 0.1, 2.6, 0.005, n)
    assert needed == DealsNeeded(None)
    assert str(needed) == HARDLY


@pytest.mark.parametrize("difference, n", [(0.0, 0), (0.001, 1), (0.0, 3_000), (-0.006, 10_000)])
def test_while_the_error_is_large_it_is_too_early_to_say(difference: float, n: int) -> None:
    assert deals_to_decide(difference, 0.1, 2.6, 0.005, n) == DealsNeeded(None, is_too_early=True)


def test_what_lies_far_beyond_the_margin_is_told_early() -> None:
    assert deals_to_decide(0.2, 0.1, 2.6, 0.005, 100).deals is not None


def test_deals_needed_are_told_in_words() -> None:
    assert str(DealsNeeded(1_200_000)) == "about 1,200,000 deals"


def test_half_widths_and_sizes_are_each_others_inverse() -> None:
    assert [deals_for_half_width(width, 0.25) for width in (0.01, 0.005, 0.001)] == [7203, 28811, 720274]
    for width in (0.01, 0.0005):
        n = deals_for_half_width(width, 0.25, 0.05, 6)
        assert half_width(0.25, n, 0.05, 6) == pytest.approx(width, rel=1e-3)
        interval = wilson(round(0.25 * n), n, 0.05, 6)
        assert (interval.high - interval.low) / 2 == pytest.approx(width, rel=1e-2)
    assert half_width(0.25, 0) == 1.0
    assert paired_deals_for_half_width(0.001, 0.1875) == deals_for_half_width(0.001, 0.25)


def test_a_pilot_promises_a_variance_at_its_upper_limit() -> None:
    assert pilot_variance(30, 20, 20_000) == pytest.approx(beta.isf(0.2, 51, 19_950) - 0.0005**2, rel=1e-9)
    assert 0 < pilot_variance(0, 0, 20_000) < 1e-4
    assert pilot_variance(0, 0, 0) == 1.0
    assert math.isfinite(pilot_variance(5, 0, 5))
