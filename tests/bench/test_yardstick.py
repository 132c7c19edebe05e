import pytest

from simcli.engine.jit import JIT_ENABLED
from simcli.rules.load import load_variant
from simcli.runs.bench.yardstick import TABLES, Yardstick, yardstick_variants
from tests.bench.yardstick import counts_of, deviations, engine_counts, engine_rows, merged, p_same, yardstick

__all__ = ["yardstick"]  # a fixture

WHEN_BEATEN, _ = yardstick_variants()
LEAST_P = 1e-6
MOST_ERRORS = 4.9  # as rare as LEAST_P
FEW = {"lowest": 100_000, "random": 30_000}
MANY = 1_000_000

pytestmark = pytest.mark.skipif(not JIT_ENABLED, reason="takes hours without compiling")


def assert_agreement(yardstick: Yardstick, players: int, bot: str, deals: int) -> None:
    """Compare who lost how often, and how long deals were."""
    rows = engine_rows(WHEN_BEATEN, players, bot, deals)
    profile = yardstick.play(players, bot, deals)
    ours, theirs = engine_counts(rows, players), counts_of(profile)
    assert sum(ours) == sum(theirs) == deals
    assert p_same(ours, theirs) > LEAST_P
    found = deviations(rows, profile)
    assert max(abs(z) for z in found.values()) < MOST_ERRORS, found


@pytest.mark.parametrize("bot", FEW)
@pytest.mark.parametrize("players", TABLES)
def test_the_engine_plays_as_the_yardstick_does(yardstick: Yardstick, players: int, bot: str) -> None:
    assert_agreement(yardstick, players, bot, FEW[bot])


@pytest.mark.slow
@pytest.mark.parametrize("bot", FEW)
@pytest.mark.parametrize("players", TABLES)
def test_the_engine_plays_as_the_yardstick_does_in_a_million_deals(
    yardstick: Yardstick, players: int, bot: str
) -> None:
    assert_agreement(yardstick, players, bot, MANY)


@pytest.mark.parametrize(
    "variant, players, bot",
    [
        ("draw-defender-last", 2, "lowest"),
        ("first-bout-no-transfer", 4, "lowest"),
        ("neighbours-only", 6, "random"),
    ],
)
def test_another_rule_would_be_noticed(yardstick: Yardstick, variant: str, players: int, bot: str) -> None:
    rows = engine_rows(load_variant(variant), players, bot, FEW[bot])
    theirs = counts_of(yardstick.play(players, bot, FEW[bot]))
    assert p_same(engine_counts(rows, players), theirs) < LEAST_P


def test_rare_cells_are_put_together() -> None:
    assert merged([50, 9, 1, 40], [45, 8, 2, 45]) == [(10, 10), (40, 45), (50, 45)]
    assert merged([50, 8, 40], [45, 7, 45]) == [(8, 7), (40, 45), (50, 45)]


def test_equal_samples_agree_and_shifted_ones_do_not() -> None:
    assert p_same([5000, 5000], [5000, 5000]) == pytest.approx(1)
    assert p_same([5000, 5000], [4500, 5500]) < LEAST_P
