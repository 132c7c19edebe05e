"""`montecarlo` beats `thrifty`, and does not get weaker with more playouts."""

from __future__ import annotations

import pytest

from simcli.rules.load import load_variant
from tests.bench.strength import margin

# docs/bots.md shows margins of twenty points and more, so that a point less is missed by far more than the
# five standard errors that are less likely than one in a million
ERRORS = 5


@pytest.mark.parametrize("players, deals", [(2, 600), (3, 600), (4, 800)])
def test_one_montecarlo_among_thrifty_loses_a_point_less_than_the_others(players: int, deals: int) -> None:
    found = margin(load_variant("classic"), players, "montecarlo", "thrifty", deals)
    assert found.points + ERRORS * found.error < -1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["podkidnoy", "late-transfer", "partners", "regular", "full-pack", "duel"])
def test_it_beats_thrifty_under_other_rules_too(name: str) -> None:
    variant = load_variant(name)
    found = margin(variant, variant.players, "montecarlo", "thrifty", 4_000)
    assert found.points + ERRORS * found.error < -1


@pytest.mark.slow
@pytest.mark.parametrize("fewer, more", [(8, 32), (32, 128), (128, 512)])
def test_more_playouts_are_not_weaker(fewer: int, more: int) -> None:
    found = margin(load_variant("classic"), 3, f"montecarlo:{more}", f"montecarlo:{fewer}", 3_000)
    assert found.points - ERRORS * found.error < 0
