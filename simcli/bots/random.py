"""`random`: uniform over the legal actions."""

from __future__ import annotations

from simcli.engine.actions import Move, action, cover_action
from simcli.engine.bits import at, below, lowest_bit, mix, nth_bit, popcount, step_stream
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ADDABLE,
    ATTACK,
    BOT_STREAM,
    EXCHANGE,
    KEEP,
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
    SHOW,
    STOP,
    THROW,
    TRANSFER,
    UNCOVERED,
    State,
)
from simcli.engine.legal import covers_of, showable, transferable

DESCRIPTION = "Chooses uniformly among the legal actions, pick-ups and passes included."


@inlined
def draw_below(S: State, seat: int, n: int) -> int:
    """Return a number 0 … n - 1 from a seat's own random stream."""
    stream = step_stream(S[at(BOT_STREAM, seat)])
    S[at(BOT_STREAM, seat)] = stream
    return below(mix(stream), n)


@inlined
def random_response(S: State, seat: int) -> Move:
    """Choose among transfers, the show, all covers and the pick-up."""
    transfers = transferable(S)
    shown = showable(S)
    n_transfers = popcount(transfers)
    n_moving = n_transfers + popcount(shown)
    n = n_moving + 1
    attacks = S[UNCOVERED]
    while attacks != 0:
        n += popcount(covers_of(S, lowest_bit(attacks)))
        attacks &= attacks - 1
    choice = draw_below(S, seat, n)
    if choice < n_transfers:
        return action(TRANSFER, nth_bit(transfers, choice))
    if choice < n_moving:
        return action(SHOW, shown)
    choice -= n_moving
    attacks = S[UNCOVERED]
    while attacks != 0:
        attack = lowest_bit(attacks)
        covers = covers_of(S, attack)
        n = popcount(covers)
        if choice < n:
            return cover_action(attack, nth_bit(covers, choice))
        choice -= n
        attacks ^= attack
    return action(PICK_UP, 0)


@inlined
def choose_random(S: State, seat: int) -> Move:
    """Return a legal action drawn uniformly from the seat's own random stream."""
    phase = S[PHASE]
    if phase == PH_RESPOND:
        return random_response(S, seat)
    if phase == PH_EXCHANGE:
        return action(EXCHANGE if draw_below(S, seat, 2) == 0 else KEEP, 0)
    cards = S[ADDABLE]
    n = popcount(cards)
    choice = draw_below(S, seat, n if phase == PH_LEAD else n + 1)
    if choice == n:
        return action(PASS if phase == PH_THROW or phase == PH_LAST_THROW else STOP, 0)
    card = nth_bit(cards, choice)
    if phase == PH_LEAD or phase == PH_LEAD_MORE:
        return action(ATTACK, card)
    return action(TRANSFER if phase == PH_TRANSFER_MORE else THROW, card)
