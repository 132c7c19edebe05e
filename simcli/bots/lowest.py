"""`lowest`: always the lowest card that does it; the yardstick of speed and of every other bot."""

from __future__ import annotations

from simcli.engine.actions import Move, action, cover_action, whole_turn
from simcli.engine.bits import at, lowest_bit, n_lowest, popcount
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ADDABLE,
    ATTACK,
    HAND,
    KEEP,
    LEAD_SEVERAL,
    PASS,
    PH_EXCHANGE,
    PH_LAST_THROW,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_RESPOND,
    PH_THROW,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    R_LEAD,
    STOCK_NEXT,
    STOCK_SIZE,
    STOP,
    THROW,
    TRANSFER,
    TRUMPS,
    UNCOVERED,
    State,
)
from simcli.engine.legal import higher_in_suit, rank_of, room, transferable

DESCRIPTION = (
    "Leads its lowest rank, covers with the lowest card that beats, transfers with its lowest non-trump, "
    "throws in low non-trumps and spares its trumps until the stock is gone."
)

#: all cards up to the jack
UP_TO_JACK = (1 << 40) - 1


@inlined
def lowest_lead(S: State) -> Move:
    """Lead all non-trumps of the lowest non-trump rank, else the lowest trump alone."""
    hand = S[ADDABLE]
    plain = hand & ~S[TRUMPS]
    if plain == 0:
        return whole_turn(ATTACK, lowest_bit(hand))
    if S[R_LEAD] != LEAD_SEVERAL:
        return action(ATTACK, lowest_bit(plain))
    return whole_turn(ATTACK, n_lowest(plain & rank_of(plain), room(S)))


@inlined
def lowest_throw(S: State) -> Move:
    """Throw in all low non-trumps there is room for; without stock all matching cards, trumps last."""
    trumps = S[TRUMPS]
    plain = S[ADDABLE] & ~trumps
    late = 0
    if S[STOCK_NEXT] < S[STOCK_SIZE]:
        plain &= UP_TO_JACK
    else:
        late = S[ADDABLE] & trumps
    if plain | late == 0:
        phase = S[PHASE]
        return action(PASS if phase == PH_THROW or phase == PH_LAST_THROW else STOP, 0)
    places = room(S)
    n_plain = popcount(plain)
    if n_plain >= places:
        return whole_turn(THROW, n_lowest(plain, places))
    return whole_turn(THROW, plain | n_lowest(late, places - n_plain))


@inlined
def cheapest_cover(S: State, hand: int, attack: int) -> int:
    """Return the lowest card of a hand that beats an attack, trumps after all others, or 0."""
    trumps = S[TRUMPS]
    card = lowest_bit(hand & higher_in_suit(attack))
    if card == 0 and attack & trumps == 0:
        card = lowest_bit(hand & trumps)
    return card


@inlined
def lowest_response(S: State, seat: int) -> Move:
    """Transfer with the lowest non-trump, else cover everything if possible, else pick up."""
    trumps = S[TRUMPS]
    hand = S[at(HAND, seat)]
    plain = transferable(S) & ~trumps
    if plain != 0:
        return whole_turn(TRANSFER, lowest_bit(plain))
    # non-trump attacks first, then trumps, each from the lowest
    attack = 0
    first = 0
    for group in range(2):
        attacks = S[UNCOVERED] & (trumps if group else ~trumps)
        while attacks != 0:
            current = lowest_bit(attacks)
            card = cheapest_cover(S, hand, current)
            if card == 0:
                return action(PICK_UP, 0)
            if first == 0:
                attack = current
                first = card
            hand ^= card
            attacks ^= current
    return cover_action(attack, first)


@inlined
def choose_lowest(S: State, seat: int) -> Move:
    """Return the move of `lowest` (docs/bots.md)."""
    phase = S[PHASE]
    if phase == PH_RESPOND:
        return lowest_response(S, seat)
    if phase == PH_LEAD:
        return lowest_lead(S)
    if phase == PH_EXCHANGE:
        return action(KEEP, 0)
    if phase == PH_LEAD_MORE or phase == PH_TRANSFER_MORE:
        return action(STOP, 0)
    return lowest_throw(S)
