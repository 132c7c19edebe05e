"""Play a position on to its end by fast bots, and say whether a seat fails."""

from __future__ import annotations

from simcli.bots.lowest import choose_lowest
from simcli.bots.thrifty import choose_thrifty
from simcli.engine.apply import apply
from simcli.engine.bits import at
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    BOUTS,
    LAST_LOSES,
    LOSER,
    LOST,
    PARTNERS,
    PH_OVER,
    PHASE,
    PLACE,
    R_OBJECTIVE,
    RESULT,
    WON,
    State,
)


@inlined
def has_failed(T: State, seat: int) -> int:
    """Return 1 if a seat or its team has lost or, where the first out wins, has not won alone, else 0.

    A deal that goes on counts as not lost.
    """
    if T[R_OBJECTIVE] == LAST_LOSES:
        is_lost = T[PHASE] == PH_OVER and T[RESULT] == LOST
        return 1 if is_lost and (T[at(PARTNERS, seat)] >> T[LOSER]) & 1 else 0
    return 0 if T[RESULT] == WON and T[at(PLACE, seat)] == 1 else 1


@kernel
def play_on(T: State, seat: int, until: int) -> int:
    """Let `thrifty` play at all seats until so many bouts are closed, then `lowest` to the end.

    Where the last one loses, play ends when the seat's team has left: it cannot lose any more.

    Returns
    -------
    int
        1 if the seat fails, else 0.
    """
    team = T[at(PARTNERS, seat)] if T[R_OBJECTIVE] == LAST_LOSES else T[ACTIVE]
    while T[BOUTS] < until and T[PHASE] != PH_OVER and T[ACTIVE] & team:
        apply(T, choose_thrifty(T, T[ACTOR] & 7))
    while T[PHASE] != PH_OVER and T[ACTIVE] & team:
        apply(T, choose_lowest(T, T[ACTOR] & 7))
    return has_failed(T, seat)
