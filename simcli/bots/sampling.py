"""Lay out the hidden cards anew, as they may lie for all that a seat knows (docs/bots.md, `montecarlo`)."""

from __future__ import annotations

from simcli.bots.work import W_UNSEEN, Work
from simcli.engine.bits import at, below, lowest_bit, mix, mul_add, nth, popcount, step_stream
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    BOT_PARAMS,
    BOT_STREAM,
    DECISIONS,
    DISCARD,
    HAND,
    KNOWN,
    MAX_PLAYERS,
    N_BOT_PARAMS,
    OPEN,
    PACK,
    RACE_STREAM,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TABLE,
    WATCHED,
    State,
)

#: odd multiplier that spreads the decisions of a deal over the random words (`bits`, splitmix64)
_SPREAD = 0x5851F42D4C957F2D


@inlined
def stream_of_decision(S: State, seat: int) -> int:
    """Return the start of a random stream for this decision of this seat's bot."""
    return mix(mul_add(S[DECISIONS] + 1, _SPREAD, S[at(BOT_STREAM, seat)]))


@inlined
def copy_state(source: State, target: State) -> None:
    """Copy all of a position that its play depends on."""
    for slot in range(OPEN + 1):
        target[slot] = source[slot]
    target[RACE_STREAM] = source[RACE_STREAM]


@inlined
def known_cards(S: State, seat: int) -> int:
    """Return the cards that a seat once showed or picked up and still holds."""
    return S[at(KNOWN, seat)] & S[at(HAND, seat)]


@inlined
def exposed_card(S: State) -> int:
    """Return the exposed trump while it lies under the stock, as a set of one, else 0."""
    size = S[STOCK_SIZE]
    return S[nth(STOCK, size)] ^ S[nth(STOCK, size - 1)] if S[STOCK_NEXT] < size else 0


@inlined
def begin_position(S: State, R: State) -> None:
    """Copy a position to be laid out: no options are watched, and all seats play by default."""
    copy_state(S, R)
    R[WATCHED] = 0
    R[OPEN] = 0
    for slot in range(MAX_PLAYERS * N_BOT_PARAMS):
        R[nth(BOT_PARAMS, slot)] = 0


@inlined
def list_unseen(S: State, W: Work, seat: int) -> int:
    """List the cards that a seat cannot place; return their number."""
    cards = S[PACK] & ~(S[DISCARD] | S[TABLE] | S[at(HAND, seat)] | exposed_card(S))
    for other in range(MAX_PLAYERS):
        cards &= ~known_cards(S, other)
    n = 0
    while cards != 0:
        W[W_UNSEEN + n] = lowest_bit(cards)
        cards &= cards - 1
        n += 1
    return n


@inlined
def lay_out(S: State, R: State, W: Work, seat: int, n_unseen: int, stream: int) -> int:
    """Deal the unseen cards to the other seats and the stock at random; return the stream's next word.

    Each seat gets as many as it holds beyond what is known of it; the rest is the stock in a random order,
    the exposed trump last.
    """
    i = 0
    for other in range(MAX_PLAYERS):
        if other == seat:
            continue
        known = known_cards(S, other)
        hand = known
        for _ in range(popcount(S[at(HAND, other)] ^ known)):
            stream = step_stream(stream)
            j = i + below(mix(stream), n_unseen - i)
            card = W[W_UNSEEN + j]
            W[W_UNSEEN + j] = W[W_UNSEEN + i]
            W[W_UNSEEN + i] = card
            hand |= card
            i += 1
        R[at(HAND, other)] = hand
    stock = 0
    place = S[STOCK_NEXT]
    R[nth(STOCK, place)] = 0
    while i < n_unseen:
        stream = step_stream(stream)
        j = i + below(mix(stream), n_unseen - i)
        card = W[W_UNSEEN + j]
        W[W_UNSEEN + j] = W[W_UNSEEN + i]
        W[W_UNSEEN + i] = card
        stock |= card
        i += 1
        place += 1
        R[nth(STOCK, place)] = stock
    if place < S[STOCK_SIZE]:
        R[nth(STOCK, place + 1)] = stock | exposed_card(S)
    stream = step_stream(stream)
    R[RACE_STREAM] = mix(stream)
    return stream
