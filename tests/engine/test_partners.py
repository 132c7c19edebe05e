"""Who sits in which team (docs/rules.md 6.6)."""

from __future__ import annotations

from typing import Any

import pytest

from simcli.engine.layout import MAX_PLAYERS, PARTNERS
from simcli.engine.legal import set_partners
from simcli.engine.table import new_table
from simcli.rules.load import variant_from_mapping

SEATED = [
    ("none", 2, [{0}, {1}]),
    ("none", 5, [{0}, {1}, {2}, {3}, {4}]),
    ("none", 6, [{0}, {1}, {2}, {3}, {4}, {5}]),
    (2, 4, [{0, 2}, {1, 3}, {0, 2}, {1, 3}]),
    (2, 6, [{0, 2, 4}, {1, 3, 5}] * 3),
    (3, 6, [{0, 3}, {1, 4}, {2, 5}] * 2),
]


@pytest.mark.parametrize("teams, players, partners", SEATED)
def test_partners_of_each_seat_are_its_team_and_no_other_seat_has_any(
    teams: Any, players: int, partners: list[set[int]]
) -> None:
    table = new_table(variant_from_mapping({"name": "test", "players": players, "teams": teams}), players)
    table[PARTNERS : PARTNERS + MAX_PLAYERS] = 0b101010
    before = table.copy()
    set_partners(table)
    masks = [sum(1 << seat for seat in team) for team in partners]
    assert table[PARTNERS : PARTNERS + MAX_PLAYERS].tolist() == masks + [0] * (MAX_PLAYERS - players)
    table[PARTNERS : PARTNERS + MAX_PLAYERS] = 0b101010
    assert (table == before).all()
