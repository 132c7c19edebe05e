"""Begin a deal from any position, and let another racing seat be the fastest: for scenarios and records."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simcli.engine.bits import popcount
from simcli.engine.bout import begin_bout
from simcli.engine.deal import clear_table, start_streams
from simcli.engine.draw import empty_hands
from simcli.engine.jit import kernel
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    ADDABLE,
    BEATEN_BEFORE,
    DEALER,
    DISCARD,
    FIRST_BOUT,
    HAND,
    NOBODY,
    OPENER,
    PACK,
    RANKS,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TRUMP_CARD,
    TRUMPS,
    TRUMPS_DEALT,
    State,
)


@kernel
def set_position(
    S: State, hands: npt.NDArray[np.int64], stock: npt.NDArray[np.int64], trumps: int, seed: int
) -> None:
    """Lay out hands, stock and trumps; all other cards of the pack count as discarded.

    Parameters
    ----------
    S : State
        A table; whatever was played at it before is cleared.
    hands : ndarray of int64, shape (players,)
        The set of cards of each seat; with an empty stock an empty hand has already left.
    stock : ndarray of int64, shape (cards,)
        Card indices in drawing order, the exposed trump last.
    trumps : int
        The set of all cards of the trump suit.
    seed : int
        Seed of the random streams (racing seats, bots).
    """
    clear_table(S)
    start_streams(S, seed, 0)
    S[DEALER] = NOBODY
    S[OPENER] = NOBODY
    S[TRUMP_CARD] = NOBODY
    S[TRUMPS] = trumps
    rest = S[PACK]
    for seat in range(hands.shape[0]):
        S[HAND + seat] = hands[seat]
        S[TRUMPS_DEALT + seat] = popcount(hands[seat] & trumps)
        rest &= ~hands[seat]
    S[STOCK_NEXT] = 0
    S[STOCK_SIZE] = stock.shape[0]
    S[STOCK] = 0
    for i in range(stock.shape[0]):
        S[STOCK + i + 1] = S[STOCK + i] | (1 << stock[i])
        S[TRUMP_CARD] = stock[i]
        rest &= ~(1 << stock[i])
    S[DISCARD] = rest
    if stock.shape[0] == 0:
        S[ACTIVE] ^= empty_hands(S)


@kernel
def begin_position(S: State, leader: int, first_bout: bool, beaten_before: bool) -> None:
    """Begin the bout that `leader` leads in a position laid out by `set_position`."""
    S[FIRST_BOUT] = 1 if first_bout else 0
    S[BEATEN_BEFORE] = 1 if beaten_before else 0
    S[OPENER] = leader
    begin_bout(S, leader)


@kernel
def ask_seat(S: State, seat: int) -> None:
    """Ask another of the racing seats (`view.askable_seats`) than the one that was drawn."""
    S[ACTOR] = seat
    S[ADDABLE] = S[HAND + seat] & S[RANKS]
