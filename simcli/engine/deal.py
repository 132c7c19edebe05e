"""Set a table, shuffle and deal, find the opener (docs/rules.md 1 and 2)."""

from __future__ import annotations

from simcli.engine.bits import (
    at,
    below,
    high_half,
    lowest_bit,
    lowest_index,
    mix,
    nth,
    popcount,
    step_stream,
    stream_key,
)
from simcli.engine.bout import begin_bout
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    BEATEN_BEFORE,
    BOT_STREAM,
    BOUT_CLOSED,
    BOUTS,
    DEALER,
    DISCARD,
    EXPOSED_HOLDER,
    FIRST_BOUT,
    FOR_BOT,
    FOR_DEALER,
    FOR_OPENING,
    FOR_PACK,
    FOR_RACE,
    HAND,
    HAND_SIZE,
    KNOWN,
    LATER_ATTACK_LOSER,
    LATER_LOWEST_TRUMP,
    LEFT_NOW,
    LOSER,
    LOST,
    MAX_PLAYERS,
    N_DRAWERS,
    NO_TRUMP_RANDOM,
    NOBODY,
    OPEN,
    OPEN_DEALER_LEFT,
    OPEN_LOWEST_TRUMP,
    OPENER,
    PACK,
    PH_LEAD,
    PHASE,
    PLACE,
    PLAYERS,
    R_NO_TRUMP,
    R_OPENING_FIRST,
    R_OPENING_LATER,
    RACE_STREAM,
    RESULT,
    SHUFFLE,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    SUIT_CLUBS,
    TAKEN_RUN,
    TRACE,
    TRUMP_CARD,
    TRUMPS,
    TRUMPS_DEALT,
    UNDECIDED,
    WATCHED,
    WON,
    State,
)
from simcli.engine.seats import seat_after
from simcli.engine.triggers import AT_OPENING, from_classic, in_question, note, to_classic


@inlined
def seat_before(S: State, seat: int) -> int:
    """Return the right neighbour of a seat."""
    return seat - 1 if seat > 0 else S[PLAYERS] - 1


@inlined
def draw_number(seed: int, deal: int, purpose: int, n: int) -> int:
    """Return the one number 0 … n - 1 that (seed, deal, purpose) stands for."""
    return below(mix(step_stream(stream_key(seed, deal, purpose, 0))), n)


@inlined
def shuffle(S: State, seed: int, deal: int) -> int:
    """Shuffle the pack into SHUFFLE, top card first, as card indices; return the number of cards.

    Fisher–Yates from the top; one 64-bit word serves two cards, 32 bits each.
    """
    n = popcount(S[PACK])
    lowest = 52 - n
    for i in range(n):
        S[nth(SHUFFLE, i)] = lowest + i
    stream = stream_key(seed, deal, FOR_PACK, 0)
    word = 0
    for i in range(n - 1):
        if i & 1:
            word = word << 32
        else:
            stream = step_stream(stream)
            word = mix(stream)
        j = i + ((high_half(word) * (n - i)) >> 32)
        card = S[nth(SHUFFLE, j)]
        S[nth(SHUFFLE, j)] = S[nth(SHUFFLE, i)]
        S[nth(SHUFFLE, i)] = card
    return n


@inlined
def deal_cards(S: State, n_cards: int) -> None:
    """Deal the hands one card at a time from the dealer's left, expose the trump, form the stock (1)."""
    n = S[PLAYERS]
    n_dealt = n * HAND_SIZE
    seat = seat_after(S, S[DEALER])
    for i in range(n_dealt):
        S[at(HAND, seat)] |= 1 << S[nth(SHUFFLE, i)]
        seat = seat_after(S, seat)
    S[STOCK_NEXT] = 0
    S[STOCK_SIZE] = n_cards - n_dealt
    S[STOCK] = 0
    if n_dealt < n_cards:
        # the next card is exposed and lies under the stock
        exposed = S[nth(SHUFFLE, n_dealt)]
        stock = 0
        for i in range(n_dealt + 1, n_cards):
            stock |= 1 << S[nth(SHUFFLE, i)]
            S[nth(STOCK, i - n_dealt)] = stock
        S[nth(STOCK, n_cards - n_dealt)] = stock | (1 << exposed)
    else:
        # the dealer's last card is exposed and goes back into the hand
        exposed = S[nth(SHUFFLE, n_cards - 1)]
    S[TRUMP_CARD] = exposed
    S[TRUMPS] = SUIT_CLUBS << (exposed & 3)


@inlined
def holder_of_lowest_trump(S: State) -> int:
    """Return the seat with the lowest trump of all hands, or -1 if no hand holds a trump."""
    best = 0
    holder = NOBODY
    for seat in range(MAX_PLAYERS):
        trump = lowest_bit(S[at(HAND, seat)] & S[TRUMPS])
        if trump != 0 and (best == 0 or trump < best):
            best = trump
            holder = seat
    return holder


@inlined
def opener_by_lowest_trump(S: State, seed: int, deal: int) -> int:
    """Return who opens by the lowest trump, or by opening.no_trump (docs/rules.md 2)."""
    holder = holder_of_lowest_trump(S)
    if holder != NOBODY:
        return holder
    if S[R_NO_TRUMP] == NO_TRUMP_RANDOM:
        return draw_number(seed, deal, FOR_OPENING, S[PLAYERS])
    return seat_after(S, S[DEALER])


@inlined
def first_opener(S: State, seed: int, deal: int) -> int:
    """Return who opens the first deal of a session (docs/rules.md 2, opening.first)."""
    if S[R_OPENING_FIRST] == OPEN_LOWEST_TRUMP:
        return opener_by_lowest_trump(S, seed, deal)
    if S[R_OPENING_FIRST] == OPEN_DEALER_LEFT:
        return seat_after(S, S[DEALER])
    return draw_number(seed, deal, FOR_OPENING, S[PLAYERS])


@inlined
def later_opener(S: State, seed: int, deal: int, previous_loser: int) -> int:
    """Return who opens a later deal of a session (docs/rules.md 2, opening.later)."""
    if S[R_OPENING_LATER] == LATER_LOWEST_TRUMP:
        return opener_by_lowest_trump(S, seed, deal)
    if S[R_OPENING_LATER] == LATER_ATTACK_LOSER and previous_loser != NOBODY:
        return seat_before(S, previous_loser)
    return seat_after(S, S[DEALER])


@inlined
def opener(S: State, seed: int, deal: int, is_first: bool, previous_loser: int) -> int:
    """Return who opens a deal (docs/rules.md 2)."""
    return first_opener(S, seed, deal) if is_first else later_opener(S, seed, deal, previous_loser)


@kernel
def note_opening(S: State, seed: int, deal: int, is_first: bool, previous_loser: int) -> None:
    """Compare who opens with who would open by the options of `classic`."""
    options = in_question(S, S[OPEN] & AT_OPENING)
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        other = opener(S, seed, deal, is_first, previous_loser)
        from_classic(S, option)
        note(S, option, other != S[OPENER], AT_OPENING)


@inlined
def next_dealer(S: State) -> int:
    """Return who deals after the deal that the state holds has ended (docs/rules.md 2)."""
    if S[RESULT] == LOST:
        return S[LOSER]
    if S[RESULT] == WON:
        for seat in range(S[PLAYERS]):
            if S[at(PLACE, seat)] == 1:
                return seat_after(S, seat)
    return S[DEALER]


@inlined
def clear_table(S: State) -> None:
    """Reset everything that one deal leaves behind."""
    S[ACTIVE] = (1 << S[PLAYERS]) - 1
    S[DISCARD] = 0
    S[FIRST_BOUT] = 1
    S[BEATEN_BEFORE] = 0
    S[TAKEN_RUN] = 0
    S[EXPOSED_HOLDER] = NOBODY
    S[RESULT] = UNDECIDED
    S[LOSER] = NOBODY
    S[PHASE] = PH_LEAD
    S[BOUT_CLOSED] = 0
    S[N_DRAWERS] = 0
    S[LEFT_NOW] = 0
    S[OPEN] = S[WATCHED]
    for seat in range(MAX_PLAYERS):
        S[at(HAND, seat)] = 0
        S[at(KNOWN, seat)] = 0
        S[at(PLACE, seat)] = 0
    for counter in range(BOUTS, TRACE + 1):
        S[counter] = 0


@inlined
def start_streams(S: State, seed: int, deal: int) -> None:
    """Start the random streams of the racing order and of each seat's bot."""
    S[RACE_STREAM] = stream_key(seed, deal, FOR_RACE, 0)
    for seat in range(MAX_PLAYERS):
        S[at(BOT_STREAM, seat)] = stream_key(seed, deal, FOR_BOT, seat)


@kernel
def start_deal(S: State, seed: int, deal: int, is_first: bool) -> None:
    """Shuffle, deal and begin the first bout.

    A later deal of a session reads the result of the deal before from the state.
    """
    dealer = draw_number(seed, deal, FOR_DEALER, S[PLAYERS]) if is_first else next_dealer(S)
    previous_loser = S[LOSER]
    clear_table(S)
    S[DEALER] = dealer
    start_streams(S, seed, deal)
    deal_cards(S, shuffle(S, seed, deal))
    for seat in range(MAX_PLAYERS):
        S[at(TRUMPS_DEALT, seat)] = popcount(S[at(HAND, seat)] & S[TRUMPS])
    S[OPENER] = opener(S, seed, deal, is_first, previous_loser)
    if S[OPEN] & AT_OPENING:
        note_opening(S, seed, deal, is_first, previous_loser)
    begin_bout(S, S[OPENER])
