"""Lay out the hidden cards anew, as they may lie for all that a seat knows (docs/bots.md, `montecarlo`)."""

from __future__ import annotations

from simcli.bots.knowledge import exposed, remembered
from simcli.bots.lowest import UP_TO_JACK
from simcli.bots.work import W_DOUBTED, W_UNSEEN, Work
from simcli.engine.bits import at, below, lowest_bit, mix, mul_add, nth, popcount, step_stream
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ALL_CARDS,
    BOT_PARAMS,
    BOT_STREAM,
    BOUTS,
    DECISIONS,
    DEFENDER,
    DISCARD,
    FACED,
    HAND,
    MAX_PLAYERS,
    N_BOT_PARAMS,
    N_CARDS,
    OPEN,
    PACK,
    PH_LAST_THROW,
    PHASE,
    RACE_STREAM,
    RECALLED_BOUTS,
    SEEN_FACED,
    SEEN_RANKS,
    SEEN_STOCK,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TABLE,
    TRACE,
    TRUMPS,
    WATCHED,
    State,
)
from simcli.engine.legal import higher_in_suit

#: odd multiplier that spreads the decisions of a deal over the random words (`bits`, splitmix64)
_SPREAD = 0x5851F42D4C957F2D


@inlined
def stream_of_decision(S: State, seat: int) -> int:
    """Return the start of a random stream for this decision of this seat's bot."""
    return mix(mul_add(S[DECISIONS] + 1, _SPREAD, S[at(BOT_STREAM, seat)]))


@inlined
def copy_position(source: State, target: State) -> None:
    """Copy all of a position that changes in play to a table that was set alike."""
    for seat in range(MAX_PLAYERS):
        target[at(HAND, seat)] = source[at(HAND, seat)]
    for place in range(source[STOCK_NEXT], source[STOCK_SIZE] + 1):
        target[nth(STOCK, place)] = source[nth(STOCK, place)]
    for slot in range(STOCK_SIZE, SEEN_RANKS):
        target[slot] = source[slot]
    for slot in range(SEEN_STOCK + RECALLED_BOUTS, TRACE + 1):
        target[slot] = source[slot]
    target[RACE_STREAM] = source[RACE_STREAM]


@inlined
def begin_position(S: State, R: State) -> None:
    """Set a table for positions to be laid out: no options are watched, and all seats play by default."""
    for slot in range(OPEN):
        R[slot] = S[slot]
    R[WATCHED] = 0
    R[OPEN] = 0
    for slot in range(MAX_PLAYERS * N_BOT_PARAMS):
        R[nth(BOT_PARAMS, slot)] = 0


@inlined
def list_unseen(S: State, W: Work, seat: int) -> int:
    """List the cards that a seat cannot place; return their number."""
    cards = S[PACK] & ~(S[DISCARD] | S[TABLE] | S[at(HAND, seat)] | exposed(S))
    for other in range(MAX_PLAYERS):
        cards &= ~remembered(S, other)
    n = 0
    while cards != 0:
        W[W_UNSEEN + n] = lowest_bit(cards)
        cards &= cards - 1
        n += 1
    return n


# ---------------------------------------------------------------------------------- evidence


@inlined
def spared_cover(faced: int) -> int:
    """Return the cards that a defender would hardly have spared when it picked up: those of the suit.

    Only a single uncovered attack tells that: of several it is unknown which one was too much.
    """
    return higher_in_suit(faced) if faced != 0 and faced & (faced - 1) == 0 else 0


@inlined
def spared_throw_in(S: State, ranks: int, drawn: int) -> int:
    """Return the cards that a seat would hardly have spared when it added no more of some ranks.

    The non-trumps; while there was stock only those up to the jack.
    """
    cards = ranks & ~S[TRUMPS]
    return cards & UP_TO_JACK if drawn < S[STOCK_SIZE] else cards


@inlined
def doubt(W: Work, seats: int, cards: int) -> None:
    """Note that some seats hardly hold some cards."""
    for seat in range(MAX_PLAYERS):
        if (seats >> seat) & 1:
            W[W_DOUBTED + seat] |= cards


@inlined
def weigh_evidence(S: State, W: Work) -> None:
    """Note for each seat what it hardly holds, by what it did not use in the last bouts.

    Only of bouts since which no card has been drawn: what a seat lacked then it may have drawn since.
    """
    for seat in range(MAX_PLAYERS):
        W[W_DOUBTED + seat] = 0
    bouts = S[BOUTS]
    for bout in range(max(0, bouts - RECALLED_BOUTS), bouts):
        entry = bout & (RECALLED_BOUTS - 1)
        drawn = S[nth(SEEN_STOCK, entry)]
        if drawn == S[STOCK_NEXT]:
            seen = S[nth(SEEN_RANKS, entry)]
            doubt(W, seen >> N_CARDS, spared_throw_in(S, seen & ALL_CARDS, drawn))
            seen = S[nth(SEEN_FACED, entry)]
            doubt(W, 1 << (seen >> N_CARDS), spared_cover(seen & ALL_CARDS))
    if S[PHASE] >= PH_LAST_THROW:
        doubt(W, 1 << S[DEFENDER], spared_cover(S[FACED]))


# ---------------------------------------------------------------------------------- sampling


@inlined
def lay_out(S: State, R: State, W: Work, seat: int, n_unseen: int, stream: int) -> int:
    """Deal the unseen cards to the other seats and the stock at random; return the stream's next word.

    Each seat gets as many as it holds beyond what is known of it, and few of those that it hardly holds: for
    such a card another one is drawn, whichever that is. The rest is the stock in a random order, the exposed
    trump last.
    """
    i = 0
    for other in range(MAX_PLAYERS):
        if other == seat:
            continue
        known = remembered(S, other)
        hand = known
        for _ in range(popcount(S[at(HAND, other)] ^ known)):
            stream = step_stream(stream)
            j = i + below(mix(stream), n_unseen - i)
            if W[W_UNSEEN + j] & W[W_DOUBTED + other]:
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
        R[nth(STOCK, place + 1)] = stock | exposed(S)
    stream = step_stream(stream)
    R[RACE_STREAM] = mix(stream)
    return stream
