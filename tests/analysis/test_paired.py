import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import chi2
from statsmodels.stats.contingency_tables import SquareTable, mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep

from simcli.analysis.paired import (
    EXACT_BELOW,
    SIGN_PATTERNS,
    holm,
    mcnemar_p,
    newcombe,
    stuart_maxwell,
    tango,
    tango_bounds,
    tango_variance,
    variance_ratio,
)
from simcli.analysis.rates import critical_value

DISCORDANT = [
    (0, 0, 1),
    (0, 0, 50),
    (1, 0, 50),
    (0, 1, 50),
    (3, 12, 400),
    (40, 10, 60),
    (7, 7, 14),
    (15, 0, 15),
]


def constrained_share(delta: float, b: int, c: int, n: int) -> float:
    """Maximise the likelihood of P(only the second) at a given difference, by search instead of formula."""

    def loss(q: float) -> float:
        terms = ((b, q + delta), (c, q), (n - b - c, 1 - 2 * q - delta))
        return -sum(count * math.log(max(share, 1e-300)) for count, share in terms if count)

    bounds = (max(0.0, -delta), (1 - delta) / 2)
    return float(minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x)


def score(delta: float, b: int, c: int, n: int) -> float:
    """Write Tango's statistic down as in the paper."""
    a, half = 2 * n, -b - c + (2 * n - b + c) * delta
    q = (math.sqrt(half * half + 4 * a * c * delta * (1 - delta)) - half) / (2 * a)
    return (b - c - n * delta) / math.sqrt(n * (2 * q + delta * (1 - delta)))


@pytest.mark.parametrize("b, c, n", [(3, 12, 400), (40, 10, 60), (5, 6, 30), (1, 20, 25)])
@pytest.mark.parametrize("delta", [-0.7, -0.3, -0.01, 0.004, 0.2, 0.6])
def test_the_share_in_tangos_variance_maximises_the_likelihood(b, c, n, delta) -> None:
    q = constrained_share(delta, b, c, n)
    expected = n * (2 * q + delta * (1 - delta))
    assert float(tango_variance(delta, b, c, n)) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("b, c, n", [*DISCORDANT[2:6], (2500, 2600, 300_000), (30, 5, 10**7), (600, 0, 1000)])
@pytest.mark.parametrize("k", [1, 120])
def test_tangos_bounds_solve_the_score_equation(b, c, n, k) -> None:
    z, d = critical_value(0.05, k), (b - c) / n
    interval = tango(b, c, n, 0.05, k)
    tiny = 1e-12
    low = brentq(lambda delta: score(delta, b, c, n) - z, -1 + tiny, d - tiny * (d > -1), xtol=1e-15)
    high = brentq(lambda delta: score(delta, b, c, n) + z, d + tiny, 1 - tiny, xtol=1e-15)
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("n", [1, 10, 300_000, 10**8])
def test_without_discordance_tangos_interval_keeps_its_width(n: int) -> None:
    square = critical_value() ** 2
    interval = tango(0, 0, n)
    assert (interval.low, interval.high) == pytest.approx((-square / (n + square), square / (n + square)))


def test_a_published_tango_interval_is_reproduced() -> None:
    """Fagerland, Lydersen & Laake (2014), Statistics in Medicine 33, 2850–2875: airways before and after."""
    interval = tango(1, 7, 21)
    assert (round(interval.low, 3), round(interval.high, 3)) == (-0.517, -0.026)


@given(st.integers(1, 10**8), st.floats(0, 1), st.floats(0, 1), st.integers(1, 200))
def test_tangos_interval_is_finite_mirrored_and_holds_the_difference(n, discordance, share, k) -> None:
    discordant = math.floor(discordance * n)
    b = math.floor(share * discordant)
    c = discordant - b
    there, back = tango(b, c, n, 0.05, k), tango(c, b, n, 0.05, k)
    assert -1 <= there.low <= (b - c) / n <= there.high <= 1
    assert (there.low, there.high) == (-back.high, -back.low)


def test_tangos_interval_grows_with_the_level() -> None:
    widths = [tango(30, 20, 1000, 0.05, k).high for k in (1, 6, 120)]
    assert widths == sorted(set(widths))


def test_many_intervals_at_once_are_the_same_as_one_by_one() -> None:
    b, c, n = (np.array(column) for column in zip(*DISCORDANT, strict=True))
    low, high = tango_bounds(b, c, n, critical_value(0.05, 6))
    for i, (one_b, one_c, one_n) in enumerate(DISCORDANT):
        interval = tango(one_b, one_c, one_n, 0.05, 6)
        assert (interval.low, interval.high) == (low[i], high[i])


def test_no_deals_leave_any_difference_possible() -> None:
    for interval in (tango(0, 0, 0), newcombe(0, 0, 3, 10), newcombe(0, 0, 0, 0)):
        assert (interval.low, interval.high) == (-1.0, 1.0)


@pytest.mark.parametrize("b, c", [(0, 0), (0, 1), (1, 1), (5, 0), (9, 20), (14, 15)])
def test_mcnemar_is_exact_for_few_discordant_deals(b: int, c: int) -> None:
    expected = float(mcnemar([[3, b], [c, 4]], exact=True).pvalue)
    assert mcnemar_p(b, c) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("b, c", [(0, 30), (15, 15), (16, 14), (1000, 1200), (50_000, 49_000)])
def test_mcnemar_is_the_uncorrected_score_test_for_many(b: int, c: int) -> None:
    assert b + c >= EXACT_BELOW
    expected = float(mcnemar([[3, b], [c, 4]], exact=False, correction=False).pvalue)
    assert mcnemar_p(b, c) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("b, c", [(130, 98), (130, 100), (130, 120), (3000, 2800), (3000, 2900)])
def test_mcnemar_and_tango_agree_on_zero(b: int, c: int) -> None:
    assert (mcnemar_p(b, c) < 0.05) == tango(b, c, 100_000).excludes(0.0)


@pytest.mark.parametrize("k", [1, 6, 120])
@pytest.mark.parametrize(
    "x1, n1, x2, n2", [(56, 70, 48, 80), (0, 10, 0, 20), (10, 10, 0, 20), (250_000, 10**6, 1, 400)]
)
def test_newcombes_interval_equals_that_of_statsmodels(x1, n1, x2, n2, k) -> None:
    interval = newcombe(x1, n1, x2, n2, 0.05, k)
    expected = confint_proportions_2indep(x1, n1, x2, n2, method="newcomb", compare="diff", alpha=0.05 / k)
    assert (interval.low, interval.high) == pytest.approx(expected, rel=1e-9, abs=1e-12)


FULL_RANK = [
    [[20, 10, 5], [3, 30, 15], [0, 5, 40]],
    [[100, 12, 9, 3], [15, 90, 7, 5], [4, 8, 80, 2], [6, 1, 5, 11]],
    [[0, 30], [45, 0]],
]


@pytest.mark.parametrize("table", FULL_RANK)
def test_stuart_maxwell_equals_statsmodels_on_full_rank_tables(table) -> None:
    expected = SquareTable(np.array(table), shift_zeros=False).homogeneity(method="stuart_maxwell")
    test = stuart_maxwell(table)
    assert not test.by_signs
    assert (test.statistic, test.df, test.p) == pytest.approx(
        (expected.statistic, expected.df, expected.pvalue), rel=1e-9
    )


@pytest.mark.parametrize("scale", [1, 10**6])
def test_stuart_maxwell_is_the_quadratic_form_of_the_pseudo_inverse(scale: int) -> None:
    table = np.array(FULL_RANK[1]) * scale
    d = (table.sum(axis=1) - table.sum(axis=0)).astype(float)
    v = np.diag(table.sum(axis=1) + table.sum(axis=0)) - table - table.T
    assert stuart_maxwell(table).statistic == pytest.approx(d @ np.linalg.pinv(v.astype(float)) @ d, rel=1e-9)


def test_outcomes_without_discordant_deals_change_nothing() -> None:
    alive = stuart_maxwell(FULL_RANK[0])
    table = np.zeros((6, 6), int)
    table[np.ix_([0, 2, 3], [0, 2, 3])] = FULL_RANK[0]
    table[1, 1], table[5, 5] = 1000, 3
    assert stuart_maxwell(table) == pytest.approx(alive, rel=1e-9)


def test_each_connected_part_costs_one_degree_of_freedom() -> None:
    table = np.zeros((5, 5), int)
    table[0, 1], table[1, 0], table[2, 3], table[3, 2] = 40, 60, 25, 45
    test = stuart_maxwell(table)
    expected = 20**2 / 100 + 20**2 / 70
    assert (test.statistic, test.df) == (pytest.approx(expected, rel=1e-9), 2)
    assert test.p == pytest.approx(chi2.sf(expected, 2), rel=1e-9)


def test_a_single_discordant_deal_among_millions_keeps_its_rank() -> None:
    table = np.diag([10**8] * 4)
    table[0, 1], table[1, 0], table[2, 3] = 10**7, 10**7 + 5000, 1
    assert stuart_maxwell(table).df == 2


@pytest.mark.parametrize(
    "table", [[[5, 0], [0, 9]], np.zeros((6, 6)), [[3]], [[0, 0, 0], [0, 7, 0], [0, 0, 0]]]
)
def test_without_discordance_nothing_differs(table) -> None:
    test = stuart_maxwell(table)
    assert (test.statistic, test.df, test.p) == (0.0, 0, 1.0)


@pytest.mark.parametrize("b, c", [(0, 1), (3, 9), (0, 29), (14, 15)])
def test_with_two_outcomes_the_sign_flip_test_is_mcnemars(b: int, c: int) -> None:
    test = stuart_maxwell([[10, b], [c, 10]])
    assert test.by_signs
    assert test.p == pytest.approx(mcnemar_p(b, c), rel=1e-9)


def flips(table: np.ndarray) -> float:
    """Go through every way of exchanging the outcomes of the discordant deals."""
    deals = [(i, j) for i, j in np.ndindex(table.shape) if i != j for _ in range(table[i, j])]
    v = np.diag(table.sum(axis=1) + table.sum(axis=0)) - table - table.T
    inverse = np.linalg.pinv(v.astype(float))

    def statistic(pairs: list[tuple[int, int]]) -> float:
        d = np.zeros(len(table))
        for i, j in pairs:
            d[i] += 1
            d[j] -= 1
        return float(d @ inverse @ d)

    observed = statistic(deals)
    patterns = itertools.product(*(((i, j), (j, i)) for i, j in deals))
    return float(np.mean([statistic(list(pattern)) >= observed - 1e-9 for pattern in patterns]))


def test_the_sign_flip_test_is_exact_if_there_are_few_patterns() -> None:
    table = np.array([[9, 3, 0, 1], [0, 9, 2, 0], [1, 0, 9, 0], [0, 0, 3, 9]])
    assert stuart_maxwell(table).p == pytest.approx(flips(table), rel=1e-9)


def test_the_sign_flip_test_draws_patterns_if_there_are_many_always_the_same_ones() -> None:
    table = np.array([[0, 3, 1, 1, 2], [0, 0, 2, 1, 1], [1, 1, 0, 1, 2], [1, 1, 2, 0, 1], [1, 1, 1, 2, 0]])
    sizes = [table[i, j] + table[j, i] + 1 for i, j in itertools.combinations(range(5), 2)]
    assert table.sum() < EXACT_BELOW
    assert math.prod(sizes) > SIGN_PATTERNS
    first, second = stuart_maxwell(table), stuart_maxwell(table)
    assert first == second
    assert first.by_signs
    assert first.p == pytest.approx(chi2.sf(first.statistic, first.df), abs=0.05)


@pytest.mark.parametrize("ps", [[], [0.3], [0.01, 0.04, 0.03], [1.0, 0.0, 0.5, 0.5], [1e-300, 1e-12, 0.9]])
def test_holms_p_equals_that_of_statsmodels(ps: list[float]) -> None:
    expected = multipletests(ps, method="holm")[1] if ps else []
    assert holm(ps) == pytest.approx(list(expected), rel=1e-9)


def test_holms_p_equals_that_of_statsmodels_for_a_long_list() -> None:
    ps = np.random.default_rng(6).random(120) ** 3
    assert holm(list(ps)) == pytest.approx(list(multipletests(ps, method="holm")[1]), rel=1e-9)


def test_the_variance_ratio_counts_the_deals_that_pairing_saves() -> None:
    assert variance_ratio(10, 10, 250, 250, 1000) == pytest.approx(2 * 0.1875 / 0.02)
    assert variance_ratio(0, 0, 250, 250, 1000) is None
    assert variance_ratio(0, 0, 0, 0, 0) is None
