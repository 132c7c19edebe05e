import numpy as np
import pytest
import statsmodels.api as sm

from simcli.analysis.adjust import adjusted_difference, adjusted_rate, cross_products


def deals(n: int, seed: int, *, all_dealt: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Deal four hands of six from a pack of 36 and turn them so that the most trumps come first."""
    rng = np.random.default_rng(seed)
    size = 9 if all_dealt else 6
    hands = rng.multivariate_hypergeometric([9, 27], size, n)[:, :1]
    left = 9 - hands[:, 0]
    for seat in range(1, 4):
        cards = 36 - size * seat
        drawn = rng.hypergeometric(left, cards - left, size)
        hands, left = np.column_stack([hands, drawn]), left - drawn
    turn = hands.argmax(axis=1)
    return hands, hands[np.arange(n)[:, None], (np.arange(4) + turn[:, None]) % 4]


def outcome(trumps: np.ndarray, seed: int) -> np.ndarray:
    chance = 0.3 - 0.04 * (trumps[:, 0] - 1.5) + 0.02 * (trumps[:, 2] - 1.5)
    return (np.random.default_rng(seed).random(len(trumps)) < chance).astype(float)


def test_an_adjusted_rate_is_the_least_squares_prediction_at_equal_hands() -> None:
    _, trumps = deals(5000, 1)
    lost = outcome(trumps, 2)
    estimate = adjusted_rate(cross_products(np.vstack([trumps.T, lost])))
    fit = sm.OLS(lost, sm.add_constant(trumps)).fit()
    expected = fit.get_prediction([1, *[trumps.mean()] * 4])
    assert estimate.value == pytest.approx(float(expected.predicted[0]), rel=1e-9)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(expected.conf_int()[0], rel=1e-9)


def test_adjusting_takes_the_opener_s_better_hand_out_of_its_rate() -> None:
    _, trumps = deals(200_000, 3)
    lost = outcome(trumps, 4)
    estimate = adjusted_rate(cross_products(np.vstack([trumps.T, lost])))
    assert lost.mean() < 0.27
    assert estimate.value == pytest.approx(
        0.3 + 0.02 * (trumps.mean() - 1.5) - 0.04 * (trumps.mean() - 1.5), abs=0.005
    )


def test_hands_that_add_up_to_a_constant_are_no_trouble() -> None:
    _, trumps = deals(5000, 5, all_dealt=True)
    lost = outcome(trumps, 6)
    assert set(trumps.sum(axis=1)) == {9}
    estimate = adjusted_rate(cross_products(np.vstack([trumps.T, lost])))
    fit = sm.OLS(lost, sm.add_constant(trumps[:, :3])).fit()
    expected = fit.get_prediction([1, *[trumps.mean()] * 3])
    assert estimate.value == pytest.approx(float(expected.predicted[0]), rel=1e-9)
    assert (estimate.interval.low, estimate.interval.high) == pytest.approx(expected.conf_int()[0], rel=1e-7)


def test_parts_add_up_to_the_whole() -> None:
    _, trumps = deals(1000, 7)
    columns = np.vstack([trumps.T, outcome(trumps, 8)])
    parts = cross_products(columns[:, :300]) + cross_products(columns[:, 300:])
    assert parts == pytest.approx(cross_products(columns), rel=1e-12)


def test_the_difference_of_adjusted_rates_is_the_adjusted_difference() -> None:
    seats, turned = deals(4000, 9)
    before, after = outcome(seats, 10), outcome(turned, 10)
    difference = adjusted_difference(cross_products(np.vstack([seats.T, turned.T, before, after])))
    rates = [
        adjusted_rate(cross_products(np.vstack([trumps.T, lost]))).value
        for trumps, lost in ((seats, before), (turned, after))
    ]
    assert difference.value == pytest.approx(rates[1] - rates[0], rel=1e-9)


def test_with_the_same_openers_the_differences_themselves_are_adjusted() -> None:
    _, trumps = deals(4000, 11)
    before, after = outcome(trumps, 12), outcome(trumps, 12) * (np.arange(4000) % 9 > 0)
    difference = adjusted_difference(cross_products(np.vstack([trumps.T, trumps.T, before, after])))
    fit = sm.OLS(after - before, sm.add_constant(trumps)).fit()
    expected = fit.get_prediction([1, *[trumps.mean()] * 4])
    assert difference.value == pytest.approx(float(expected.predicted[0]), rel=1e-9)
    assert (difference.interval.low, difference.interval.high) == pytest.approx(
        expected.conf_int()[0], rel=1e-2
    )


def test_equal_play_has_an_adjusted_difference_of_zero_with_a_width() -> None:
    _, trumps = deals(1000, 13)
    lost = outcome(trumps, 14)
    difference = adjusted_difference(cross_products(np.vstack([trumps.T, trumps.T, lost, lost])))
    assert difference.value == pytest.approx(0, abs=1e-12)
    assert difference.interval.low < 0 < difference.interval.high


@pytest.mark.parametrize("n", [0, 1, 5])
def test_no_more_deals_than_coefficients_say_nothing(n: int) -> None:
    trumps, lost = np.ones((4, n)), np.ones((1, n))
    assert adjusted_rate(cross_products(np.vstack([trumps, lost]))).value is None
    assert adjusted_difference(cross_products(np.vstack([trumps, trumps, lost, lost]))).value is None


def test_hands_that_never_differ_leave_the_plain_rate() -> None:
    lost = np.arange(100) % 4 == 0
    estimate = adjusted_rate(cross_products(np.vstack([np.full((4, 100), 2), lost])))
    assert estimate.value == pytest.approx(0.25, rel=1e-9)
