import math

import pytest

from simcli.analysis.paired import tango
from simcli.analysis.sequences import (
    alpha_at_look,
    confidence_sequence,
    paired_variance,
    sequence_half_width,
    tuning,
)


def test_the_parts_of_alpha_never_exceed_the_whole() -> None:
    parts = [alpha_at_look(0.05, look) for look in range(1, 10_001)]
    assert parts[:3] == pytest.approx([0.05 / 2, 0.05 / 6, 0.05 / 12])
    assert sum(parts) == pytest.approx(0.05 * (1 - 1 / 10_001))


def test_the_sequence_is_the_published_formula() -> None:
    b, c, n, k, alpha = 130, 90, 60_000, 12, 0.05
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / 1e6
    d = (b - c) / n
    sigma = math.sqrt((b + c + 2) / (n + 2) - d * d)
    root = math.sqrt(2 * (n * rho2 + 1) / (n**2 * rho2) * math.log(math.sqrt(n * rho2 + 1) / (alpha / k)))
    interval = confidence_sequence(b, c, n, alpha, k)
    assert (interval.low, interval.high) == pytest.approx((d - sigma * root, d + sigma * root), rel=1e-9)


def test_the_sequence_keeps_a_width_without_discordance() -> None:
    interval = confidence_sequence(0, 0, 20_000)
    assert interval.low < 0 < interval.high


def test_the_sequence_is_about_as_narrow_as_it_can_be_at_a_million_deals() -> None:
    n, alpha = 1_000_000, 0.05

    def width(rho2: float) -> float:
        return (n * rho2 + 1) / (n * rho2) * math.log(math.sqrt(n * rho2 + 1) / alpha)

    best = min(width(tuning() * factor / 100) for factor in range(20, 500))
    assert width(tuning()) <= best * 1.01


@pytest.mark.parametrize("n", [20_000, 1_000_000, 100_000_000])
@pytest.mark.parametrize("k", [1, 120])
def test_looking_at_any_time_costs_width(n: int, k: int) -> None:
    b = c = n // 50
    ordinary, sequence = tango(b, c, n, 0.05, k), confidence_sequence(b, c, n, 0.05, k)
    assert ordinary.high < sequence.high < 3.5 * ordinary.high


@pytest.mark.parametrize("b, c, n", [(0, 0, 0), (1, 0, 1), (0, 1, 1), (0, 0, 1), (50, 0, 50)])
def test_the_first_deals_leave_it_within_minus_one_and_one(b: int, c: int, n: int) -> None:
    interval = confidence_sequence(b, c, n, 0.05, 6)
    assert -1 <= interval.low <= (b - c) / max(n, 1) <= interval.high <= 1


def test_the_variance_counts_two_discordant_deals_more() -> None:
    assert float(paired_variance(3, 1, 98)) == pytest.approx(6 / 100 - (2 / 98) ** 2)
    assert float(paired_variance(0, 0, 0)) == 1.0
    assert sequence_half_width([0.01, 0.04], [1000, 1000])[1] == pytest.approx(
        2 * sequence_half_width(0.01, 1000)
    )
