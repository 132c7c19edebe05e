"""What a seat that is asked may do, listed one action at a time for people, records and the referee."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simcli.engine.actions import action, cover_action, packed
from simcli.engine.bits import lowest_bit
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTOR,
    ADDABLE,
    ATTACK,
    EXCHANGE,
    KEEP,
    ORDER_CLOCKWISE,
    PASS,
    PH_EXCHANGE,
    PH_LAST_THROW,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_OVER,
    PH_RESPOND,
    PH_THROW,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    R_ORDER,
    SHOW,
    STOP,
    THROW,
    TRANSFER,
    UNCOVERED,
    State,
)
from simcli.engine.legal import askable_throwers, covers_of, showable, transferable

#: int64 array for the legal actions of a seat
ActionList = npt.NDArray[np.int64]

#: no seat ever has more: at most 26 × 26 covers in a pack of 52, four transfers, a show, a pick-up
MAX_LEGAL = 26 * 26 + 6


@inlined
def list_cards(actions: ActionList, n: int, verb: int, cards: int) -> int:
    """Append the actions of playing each card of a set, the lowest first; return the new length."""
    while cards != 0:
        actions[n] = packed(action(verb, lowest_bit(cards)))
        cards &= cards - 1
        n += 1
    return n


@inlined
def list_responses(S: State, actions: ActionList) -> int:
    """List what the defender may do: covers, transfers, the show, the pick-up (docs/rules.md 3.3)."""
    n = 0
    attacks = S[UNCOVERED]
    while attacks != 0:
        attack = lowest_bit(attacks)
        attacks ^= attack
        covers = covers_of(S, attack)
        while covers != 0:
            actions[n] = packed(cover_action(attack, lowest_bit(covers)))
            covers &= covers - 1
            n += 1
    n = list_cards(actions, n, TRANSFER, transferable(S))
    n = list_cards(actions, n, SHOW, showable(S))
    actions[n] = packed(action(PICK_UP, 0))
    return n + 1


@inlined
def adding_verb(phase: int) -> int:
    """Return the verb of adding an attack card in a phase."""
    if phase in (PH_LEAD, PH_LEAD_MORE):
        return ATTACK
    return TRANSFER if phase == PH_TRANSFER_MORE else THROW


@kernel
def list_legal(S: State, actions: ActionList) -> int:
    """List all legal single actions of the asked seat.

    Parameters
    ----------
    S : State
        A deal in play; not changed.
    actions : ndarray of int64, shape (MAX_LEGAL,)
        Filled from the front, cards by rank and suit, what adds nothing last.

    Returns
    -------
    int
        The number of legal actions; 0 when the deal is over.
    """
    phase = S[PHASE]
    if phase == PH_OVER:
        return 0
    if phase == PH_RESPOND:
        return list_responses(S, actions)
    if phase == PH_EXCHANGE:
        actions[0] = packed(action(EXCHANGE, 0))
        actions[1] = packed(action(KEEP, 0))
        return 2
    n = list_cards(actions, 0, adding_verb(phase), S[ADDABLE])
    if phase == PH_LEAD:
        return n
    actions[n] = packed(action(PASS if phase in (PH_THROW, PH_LAST_THROW) else STOP, 0))
    return n + 1


@kernel
def askable_seats(S: State) -> int:
    """Return the mask of the seats one of which acts next.

    Several only where players race to throw in (docs/rules.md 3.4): the engine has then drawn one of them.
    """
    phase = S[PHASE]
    if phase == PH_OVER:
        return 0
    if S[R_ORDER] != ORDER_CLOCKWISE and phase in (PH_THROW, PH_LAST_THROW):
        return askable_throwers(S)
    return 1 << S[ACTOR]
