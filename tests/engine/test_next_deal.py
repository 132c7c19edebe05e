"""A table where a deal has been played is dealt at like a new one."""

from __future__ import annotations

import numpy as np
import pytest

from simcli.bots.choose import RANDOM, choose_move
from simcli.engine.apply import apply_move
from simcli.engine.deal import start_deal
from simcli.engine.layout import (
    BOT,
    BOUT_CLOSED,
    BOUTS,
    DEALER,
    DISCARD,
    LEFT_NOW,
    N_DRAWERS,
    OPEN,
    PH_OVER,
    PHASE,
    RECALLED_BOUTS,
    SEEN_RANKS,
    SEEN_STOCK,
    STOCK,
    STOCK_SIZE,
    TAKEN_RUN,
    TRACE,
    State,
)
from simcli.engine.table import new_table
from simcli.rules.variant import Variant
from tests.engine.tables import TABLES, table_id

SEED = 3


def table_of(variant: Variant) -> State:
    """Set a table with random bots."""
    table = new_table(variant, variant.players)
    table[BOT : BOT + variant.players] = RANDOM
    return table


def play_out(table: State) -> None:
    """Play a started deal to its end."""
    while table[PHASE] != PH_OVER:
        apply_move(table, choose_move(table))


def dealt(table: State) -> dict[str, list[int]]:
    """Return what a deal begins with: cards, seats, limits and counters.

    What was seen in bouts is left out: only the bouts that were counted are looked up.
    """
    end = int(table[STOCK_SIZE])
    seen = range(SEEN_RANKS - STOCK_SIZE, SEEN_STOCK + RECALLED_BOUTS - STOCK_SIZE)
    return {
        "deal": [*table[DEALER:STOCK].tolist(), *np.delete(table[STOCK_SIZE:PHASE], seen).tolist()],
        "stock": table[STOCK : STOCK + end + 1].tolist(),
        "bout before": [int(table[slot]) for slot in (BOUT_CLOSED, N_DRAWERS, LEFT_NOW)],
        "counters": table[BOUTS : TRACE + 1].tolist(),
        "options that may decide": [int(table[OPEN])],
    }


@pytest.mark.parametrize("variant", TABLES[::7], ids=table_id)
def test_nothing_of_a_deal_is_left_on_the_table_when_the_next_session_begins(variant: Variant) -> None:
    used = table_of(variant)
    start_deal(used, SEED, 0, True)
    play_out(used)
    start_deal(used, SEED, 1, True)
    new = table_of(variant)
    start_deal(new, SEED, 1, True)
    assert dealt(used) == dealt(new)
    assert used[DISCARD] == used[TAKEN_RUN] == 0
    play_out(used)
    play_out(new)
    assert used[BOUTS : TRACE + 1].tolist() == new[BOUTS : TRACE + 1].tolist()
