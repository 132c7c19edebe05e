"""The moves that a bot that looks ahead compares: whole turns, and one of those that come to the same."""

from __future__ import annotations

from simcli.bots.work import MAX_CANDIDATES, W_MOVES, Work
from simcli.engine.actions import Move, action, cover_action, packed, whole_turn
from simcli.engine.bits import lowest_bit, n_lowest, popcount
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ADDABLE,
    ATTACK,
    DEFENDER,
    PASS,
    PH_LAST_THROW,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_RESPOND,
    PH_THROW,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    R_TRANSFER,
    SHOW,
    STOP,
    THROW,
    TRANSFER,
    TRANSFER_LATE,
    TRUMPS,
    UNCOVERED,
    State,
)
from simcli.engine.legal import (
    covers_of,
    has_stock,
    lead_may_grow,
    rank_of,
    room,
    room_to_transfer,
    showable,
    transfer_may_grow,
    transferable,
)
from simcli.engine.seats import next_opponent

TRUMPS_TO_COVER = 3  # at most, the lowest ones


@inlined
def add(W: Work, n: int, move: Move) -> int:
    """Append a move unless it is there already; return the new length."""
    code = packed(move)
    for i in range(n):
        if W[W_MOVES + i] == code:
            return n
    if n == MAX_CANDIDATES:
        return n
    W[W_MOVES + n] = code
    return n + 1


@inlined
def add_turn(W: Work, n: int, verb: int, cards: int) -> int:
    """Append the move of adding some cards and stopping, if there are any."""
    return add(W, n, whole_turn(verb, cards)) if cards != 0 else n


@inlined
def add_each(W: Work, n: int, verb: int, cards: int) -> int:
    """Append the moves of adding one card of a set and stopping."""
    while cards != 0:
        n = add(W, n, whole_turn(verb, lowest_bit(cards)))
        cards &= cards - 1
    return n


@inlined
def attack_to_cover(S: State) -> int:
    """Return the attack that is covered first: a trump, else the lowest; 0 if covering leads nowhere.

    The others follow in later decisions. Where an attack cannot be covered the table is picked up in the
    end, unless what is left may be transferred late.
    """
    chosen = 0
    attacks = S[UNCOVERED]
    while attacks != 0:
        attack = lowest_bit(attacks)
        attacks ^= attack
        if covers_of(S, attack) == 0:
            if S[R_TRANSFER] != TRANSFER_LATE:
                return 0
        elif chosen == 0 or (attack & S[TRUMPS] and not chosen & S[TRUMPS]):
            chosen = attack
    return chosen


@inlined
def list_responses(S: State, W: Work, n: int) -> int:
    """List picking up, showing, transfers, and the ways to cover one attack."""
    trumps = S[TRUMPS]
    n = add(W, n, action(PICK_UP, 0))
    shown = showable(S)
    if shown != 0:
        n = add(W, n, action(SHOW, shown))
    cards = transferable(S)
    if cards != 0:
        n = add_each(W, n, TRANSFER, cards)
        if transfer_may_grow(S):
            places = room_to_transfer(S, next_opponent(S, S[DEFENDER]))
            n = add_turn(W, n, TRANSFER, n_lowest(cards & ~trumps, places))
    attack = attack_to_cover(S)
    if attack != 0:
        covers = covers_of(S, attack)
        spared = covers & ~trumps if attack & trumps == 0 else covers
        covers = spared | n_lowest(covers & ~spared, TRUMPS_TO_COVER)
        while covers != 0:
            n = add(W, n, cover_action(attack, lowest_bit(covers)))
            covers &= covers - 1
    return n


@inlined
def list_leads(S: State, W: Work, n: int) -> int:
    """List for each rank one of its cards and all of them; a trump only if low, or without stock."""
    trumps = S[TRUMPS]
    hand = S[ADDABLE]
    most = room(S) if lead_may_grow(S) else 1
    leadable_trumps = lowest_bit(hand & trumps) if has_stock(S) else hand & trumps
    rest = (hand & ~trumps) | leadable_trumps
    while rest != 0:
        group = rest & rank_of(rest)
        rest ^= group
        plain = group & ~trumps
        n = add_turn(W, n, ATTACK, lowest_bit(plain))
        n = add_turn(W, n, ATTACK, n_lowest(plain, most))
        n = add_turn(W, n, ATTACK, group & trumps)
        if plain != 0 and popcount(group) <= most:
            n = add_turn(W, n, ATTACK, group)
    return n


@inlined
def list_added(S: State, W: Work, n: int, verb: int) -> int:
    """List adding nothing, each rank, all non-trumps, the lowest trump, everything."""
    phase = S[PHASE]
    trumps = S[TRUMPS]
    cards = S[ADDABLE]
    places = room(S)
    n = add(W, n, action(PASS if phase == PH_THROW or phase == PH_LAST_THROW else STOP, 0))
    rest = cards & ~trumps
    n = add_turn(W, n, verb, n_lowest(rest, places))
    while rest != 0:
        group = rest & rank_of(rest)
        rest ^= group
        n = add_turn(W, n, verb, lowest_bit(group))
        n = add_turn(W, n, verb, n_lowest(group, places))
    n = add_turn(W, n, verb, lowest_bit(cards & trumps))
    return add_turn(W, n, verb, cards if popcount(cards) <= places else 0)


@kernel
def list_candidates(S: State, W: Work, usual: int) -> int:
    """List the moves worth comparing for the asked seat, the usual one first; return their number.

    An exchange of the trump is not compared: the usual move is the only one.
    """
    phase = S[PHASE]
    W[W_MOVES] = usual
    n = 1
    if phase == PH_RESPOND:
        return list_responses(S, W, n)
    if phase == PH_LEAD:
        return list_leads(S, W, n)
    if phase >= PH_THROW:
        return list_added(S, W, n, THROW)
    if phase == PH_LEAD_MORE:
        return list_added(S, W, n, ATTACK)
    if phase == PH_TRANSFER_MORE:
        return list_added(S, W, n, TRANSFER)
    return n
