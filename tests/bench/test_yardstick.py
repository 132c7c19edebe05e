import pytest

from simcli.engine.jit import JIT_ENABLED
from simcli.rules.variant import Variant
from simcli.runs.bench.yardstick import TABLES, Yardstick, yardstick_variants
from tests.bench.yardstick import counts_of, engine_counts, merged, p_same, yardstick

__all__ = ["yardstick"]  # a fixture

WHEN_BEATEN, AS_SHIPPED = yardstick_variants()
LEAST_P = 1e-6
FEW = {"lowest": 100_000, "random": 30_000}
MANY = 1_000_000

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="takes hours without compiling")


def p_agree(yardstick: Yardstick, variant: Variant, players: int, bot: str, deals: int) -> float:
    ours = engine_counts(variant, players, bot, deals)
    theirs = counts_of(yardstick.play(players, bot, deals))
    assert sum(ours) == sum(theirs) == deals
    return p_same(ours, theirs)


@pytest.mark.parametrize("bot", FEW)
@pytest.mark.parametrize("players", TABLES)
def test_the_engine_loses_as_often_in_each_position_as_the_yardstick(
    yardstick: Yardstick, players: int, bot: str
) -> None:
    assert p_agree(yardstick, WHEN_BEATEN, players, bot, FEW[bot]) > LEAST_P


@pytest.mark.slow
@pytest.mark.parametrize("bot", FEW)
@pytest.mark.parametrize("players", TABLES)
def test_the_engine_agrees_with_the_yardstick_in_a_million_deals(
    yardstick: Yardstick, players: int, bot: str
) -> None:
    assert p_agree(yardstick, WHEN_BEATEN, players, bot, MANY) > LEAST_P


def test_another_window_would_be_noticed(yardstick: Yardstick) -> None:
    assert p_agree(yardstick, AS_SHIPPED, 6, "lowest", FEW["lowest"]) < LEAST_P


def test_rare_cells_are_put_together() -> None:
    assert merged([50, 3, 1, 40], [45, 2, 2, 45]) == [(40, 45), (54, 49)]
    assert merged([50, 8, 40], [45, 7, 45]) == [(8, 7), (40, 45), (50, 45)]


def test_equal_samples_agree_and_shifted_ones_do_not() -> None:
    assert p_same([5000, 5000], [5000, 5000]) == pytest.approx(1)
    assert p_same([5000, 5000], [4500, 5500]) < LEAST_P
