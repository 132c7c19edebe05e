"""A bot sees what its seat may know (docs/bots.md): the rest of the cards may lie anywhere."""

from __future__ import annotations

import random
from contextlib import suppress

import numpy as np
import pytest

from simcli.bots.decide import decide
from simcli.bots.lineup import Lineup, read_bot, seat_bot
from simcli.bots.own.twins import twin_of
from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import (
    ACTOR,
    HAND,
    HAND_SIZE,
    MAX_PLAYERS,
    PACK,
    PH_OVER,
    PHASE,
    STOCK,
    STOCK_SIZE,
    State,
)
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant, seat

BOTS = (
    "random",
    "lowest",
    "thrifty",
    "thrifty:transfer=always",
    "counting",
    "endgame:200",
    "montecarlo:4",
)
DEALS = 5 if JIT_ENABLED else 1


def table_sizes(variant: Variant) -> list[int]:
    """Return the numbers of players that a variant can seat."""
    sizes = []
    for players in range(2, MAX_PLAYERS + 1):
        with suppress(InputError):
            sizes.append(seat(variant, players).players)
    return sizes


def choice(state: State, bot: str) -> int:
    """Return what a bot would do for the asked seat; the state is not changed."""
    asked = state.copy()
    seat_bot(asked, int(asked[ACTOR]), read_bot(bot))
    return decide(asked)


def test_the_twin_of_a_state_differs_in_the_hidden_cards_alone() -> None:
    state = Game.deal(load_variant("classic"), 4, seed=1, deal=0).state
    twin = twin_of(state, 2, random.Random(1))
    changed = {int(slot) for slot in np.flatnonzero(state != twin)}
    assert {HAND, HAND + 1, HAND + 3} <= changed
    assert HAND + 2 not in changed
    assert twin[STOCK + twin[STOCK_SIZE]] == state[PACK] & ~np.bitwise_or.reduce(twin[HAND : HAND + 4])
    assert [int(hand).bit_count() for hand in twin[HAND : HAND + 4]] == [HAND_SIZE] * 4


@pytest.mark.parametrize("name", shipped_names())
def test_a_choice_does_not_depend_on_cards_the_seat_cannot_see(name: str) -> None:
    variant = load_variant(name)
    rng = random.Random(name)
    for players in table_sizes(variant):
        for deal in range(DEALS):
            lineup = Lineup(tuple(rng.choices(BOTS, k=players)))
            state = Game.deal(variant, players, seed=20, deal=deal, bots=lineup.slots).state
            while state[PHASE] != PH_OVER:
                twin = twin_of(state, int(state[ACTOR]), rng)
                for bot in BOTS:
                    assert choice(state, bot) == choice(twin, bot), (name, players, deal, bot)
                apply_move(state, decide(state))
