"""A bot sees what its seat may know (docs/bots.md): the rest of the cards may lie anywhere."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import pairwise

import numpy as np
import pytest

from simcli.bots.decide import decide
from simcli.bots.lineup import Lineup, read_bot, seat_bot
from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import (
    ACTOR,
    BOT_STREAM,
    DEALER,
    DREW,
    EXPOSED_HOLDER,
    HAND,
    HAND_SIZE,
    KNOWN,
    MAX_PLAYERS,
    N_CARDS,
    PACK,
    PH_OVER,
    PHASE,
    PLAYERS,
    RACE_STREAM,
    SHUFFLE,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TRUMP_CARD,
    TRUMPS_DEALT,
    State,
)
from simcli.engine.notation import cards_in, mask_of
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


def exposed_trump(state: State) -> dict[int, int]:
    """Return the exposed trump by the seat that everybody saw take it, if one has."""
    size = int(state[STOCK_SIZE])
    if size == 0:  # the dealer took it back into the hand
        return {int(state[DEALER]): 1 << int(state[TRUMP_CARD])}
    return {int(state[EXPOSED_HOLDER]): int(state[STOCK + size] ^ state[STOCK + size - 1])}


def hidden_cards(state: State, viewer: int) -> dict[int, int]:
    """Return what another seat holds and nobody has seen, by seat."""
    exposed = exposed_trump(state)
    return {
        other: int(state[HAND + other] & ~(state[KNOWN + other] | exposed.get(other, 0)))
        for other in range(int(state[PLAYERS]))
        if other != viewer
    }


def drawing_order(state: State) -> list[int]:
    """Return the cards of the stock that are drawn before the exposed one, in drawing order."""
    first, size = int(state[STOCK_NEXT]), int(state[STOCK_SIZE])
    prefixes = [int(state[STOCK + i]) for i in range(first, size)]
    return [(after ^ before).bit_length() - 1 for before, after in pairwise(prefixes)]


def twin_of(state: State, viewer: int, rng: random.Random) -> State:
    """Return a state that looks the same from a seat, all it cannot see shuffled or overwritten."""
    twin = state.copy()
    hidden = hidden_cards(state, viewer)
    stock = drawing_order(state)
    unseen = stock + [card for cards in hidden.values() for card in cards_in(cards)]
    rng.shuffle(unseen)
    for other, cards in hidden.items():
        n = cards.bit_count()
        twin[HAND + other] ^= cards ^ mask_of(unseen[:n])
        del unseen[:n]
    lay_stock(twin, unseen)
    forget_the_rest(twin, viewer, rng)
    return twin


def lay_stock(twin: State, order: list[int]) -> None:
    """Put cards before the exposed one in the stock, in this order."""
    first, size = int(twin[STOCK_NEXT]), int(twin[STOCK_SIZE])
    if first == size:
        return
    exposed = int(twin[STOCK + size] ^ twin[STOCK + size - 1])
    for i, card in enumerate(order, start=first):
        twin[STOCK + i + 1] = twin[STOCK + i] ^ 1 << card
    twin[STOCK + size] = twin[STOCK + size - 1] ^ exposed


def forget_the_rest(twin: State, viewer: int, rng: random.Random) -> None:
    """Overwrite what the engine remembers of hidden cards besides the hands and the stock."""
    for i in range(N_CARDS):
        twin[SHUFFLE + i] = rng.randrange(N_CARDS)
    twin[RACE_STREAM] = rng.getrandbits(62)
    for other in range(MAX_PLAYERS):
        if other != viewer:
            twin[DREW + other] = int(twin[PACK]) & rng.getrandbits(N_CARDS)
            twin[BOT_STREAM + other] = rng.getrandbits(62)
            twin[TRUMPS_DEALT + other] = rng.randrange(HAND_SIZE + 1)


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
