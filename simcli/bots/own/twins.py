"""States that look the same from a seat: what it cannot see is laid out anew."""

from __future__ import annotations

import random
from itertools import pairwise

from simcli.engine.layout import (
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
