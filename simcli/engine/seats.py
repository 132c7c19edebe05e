"""Seats round the table: next, nearest before, opponents (docs/rules.md 3 and 6)."""

from __future__ import annotations

from simcli.engine.bits import at, lowest_index, nth, popcount
from simcli.engine.jit import inlined
from simcli.engine.layout import ACTIVE, BOT_PARAMS, HAND, N_BOT_PARAMS, PARTNERS, PLAYERS, State


@inlined
def seat_after(S: State, seat: int) -> int:
    """Return the left neighbour of a seat, active or not."""
    return seat + 1 if seat + 1 < S[PLAYERS] else 0


@inlined
def next_in(S: State, seats: int, seat: int) -> int:
    """Return the first seat of a non-empty mask clockwise after a seat (last of all the seat itself)."""
    n = S[PLAYERS]
    found = seat + 1 + lowest_index((seats | (seats << n)) >> (seat + 1))
    return found - n if found >= n else found


@inlined
def first_in(S: State, seats: int, seat: int) -> int:
    """Return the first seat of a non-empty mask clockwise from a seat, the seat itself included."""
    n = S[PLAYERS]
    found = seat + lowest_index((seats | (seats << n)) >> seat)
    return found - n if found >= n else found


@inlined
def nearest_before(S: State, seats: int, seat: int) -> int:
    """Return the first seat of a non-empty mask counter-clockwise before a seat."""
    n = S[PLAYERS]
    for step in range(1, n + 1):
        found = seat - step
        if found < 0:
            found += n
        if (seats >> found) & 1:
            return found
    return seat


@inlined
def opponents(S: State, seat: int) -> int:
    """Return the mask of the active seats that are not of a seat's team."""
    return S[ACTIVE] & ~S[at(PARTNERS, seat)]


@inlined
def next_opponent(S: State, seat: int) -> int:
    """Return the next active opponent: the defender of an attacker, the receiver of a transfer."""
    return next_in(S, opponents(S, seat), seat)


@inlined
def next_active(S: State, seat: int) -> int:
    """Return the next active seat clockwise after a seat, of whatever team."""
    return next_in(S, S[ACTIVE], seat)


@inlined
def hand_size(S: State, seat: int) -> int:
    """Return the number of cards in a seat's hand."""
    return popcount(S[at(HAND, seat)])


@inlined
def bot_param(S: State, seat: int, index: int) -> int:
    """Return a number that the bot of a seat is set to: the code of the parameter at this index."""
    return S[nth(BOT_PARAMS, N_BOT_PARAMS * seat + index)]
