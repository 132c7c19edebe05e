"""The course of a bout: who is asked next, and how a bout begins and closes (docs/rules.md 3)."""

from __future__ import annotations

from simcli.engine.bits import at, below, lowest_index, mix, nth, nth_bit, popcount, step_stream
from simcli.engine.draw import draw_cards, leave_and_settle, leavers_now, note_largest_hand, outcome_now
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    ADDABLE,
    ATTACKER,
    BEATEN_BEFORE,
    BOUT_BEATEN,
    BOUT_CLOSED,
    BOUT_LIMIT,
    BOUT_TAKEN,
    BOUTS,
    CARDS_PICKED_UP,
    CARDS_PLAYED,
    CLOSED_CARDS,
    CLOSED_DEFENDER,
    DEFENDER,
    DISCARD,
    ELIGIBLE,
    FACED,
    FACING,
    FIRST_BOUT,
    HAND,
    JOINED,
    JOINED_MASK,
    KNOWN,
    LEADER,
    LIMIT,
    N_ATTACKS,
    N_CARDS,
    N_COVERS,
    N_JOINED,
    N_PICKUPS,
    OPEN,
    PACK,
    PASSED,
    PH_EXCHANGE,
    PH_LAST_THROW,
    PH_LEAD,
    PH_OVER,
    PH_RESPOND,
    PH_THROW,
    PHASE,
    R_ON_PICKUP,
    RACE_STREAM,
    RANKS,
    RECALLED_BOUTS,
    SEEN_FACED,
    SEEN_RANKS,
    SEEN_STOCK,
    SHOWN,
    STOCK_NEXT,
    STOPPED,
    TABLE,
    TAKEN_RUN,
    UNCOVERED,
    State,
)
from simcli.engine.legal import (
    asked_after_pick_up,
    asked_before_response,
    bout_limit,
    eligible_seats,
    exchange_is_played,
    has_stock,
    lowest_trump_holder,
    lowest_trump_of_pack,
    matching,
    n_covered,
    next_asked,
)
from simcli.engine.seats import hand_size, next_active, next_opponent
from simcli.engine.triggers import (
    AT_THROW,
    note_drawing,
    note_end,
    note_exchange,
    note_last_round,
    note_roles,
    note_window,
    open_at_drawing,
    open_at_end,
    open_at_roles,
    open_at_window,
    open_in_last_round,
    set_limit_edge,
    watch_response,
)

# what happens next, as told by whoever changed the table
ASKED = 0  # somebody has been asked: nothing
NEXT_WINDOW = 1  # throw-ins, then the defender's response or the end of the bout
NEXT_LAST_ROUND = 2  # the last round after a pick-up
NEXT_RESPONSE = 3
NEXT_CLOSE_BEATEN = 4
NEXT_CLOSE_TAKEN = 5


@inlined
def begin_defence(S: State) -> None:
    """Fix the limit L, at the first cover or at the declaration to pick up (docs/rules.md 3.2)."""
    if S[LIMIT] == 0:
        S[FACING] = n_covered(S) + hand_size(S, S[DEFENDER])
        S[LIMIT] = min(S[BOUT_LIMIT], S[FACING])


@inlined
def draw_seat(S: State, seats: int) -> int:
    """Return one seat of a non-empty mask at random: who is fastest at a racing table (3.4)."""
    n = popcount(seats)
    if n == 1:
        return lowest_index(seats)
    S[RACE_STREAM] = step_stream(S[RACE_STREAM])
    return lowest_index(nth_bit(seats, below(mix(S[RACE_STREAM]), n)))


@inlined
def ask_thrower(S: State, seats: int, phase: int) -> None:
    """Ask the first of some seats, clockwise from the attacker or at random, for a throw-in (3.4).

    A random order fixed at the start of a window and a fresh draw among the seats still to be asked are
    the same thing, since whoever has been asked in a window is not asked in it again.
    """
    seat = draw_seat(S, next_asked(S, seats))
    S[ACTOR] = seat
    S[PHASE] = phase
    S[ADDABLE] = matching(S, seat)


@inlined
def ask_window(S: State) -> int:
    """Ask for a throw-in before the defender's response; return what happens if nobody is asked."""
    seats = asked_before_response(S)
    if seats != 0:
        ask_thrower(S, seats, PH_THROW)
    watched = open_at_window(S)
    if watched != 0:
        note_window(S, watched, seats)
    if seats != 0:
        return ASKED
    return NEXT_CLOSE_BEATEN if S[UNCOVERED] == 0 else NEXT_RESPONSE


@inlined
def ask_last_round(S: State) -> int:
    """Ask for a throw-in after the declaration, each eligible seat once; return what happens if nobody is."""
    seats = asked_after_pick_up(S)
    if seats != 0:
        ask_thrower(S, seats, PH_LAST_THROW)
    watched = open_in_last_round(S)
    if watched != 0:
        note_last_round(S, watched, seats)
    return ASKED if seats != 0 else NEXT_CLOSE_TAKEN


@inlined
def ask_response(S: State) -> None:
    """Ask the defender, who is always asked while an attack is uncovered (docs/rules.md 3.3)."""
    S[ACTOR] = S[DEFENDER]
    S[PHASE] = PH_RESPOND
    watch_response(S)


@inlined
def set_roles(S: State, attacker: int, defender: int) -> None:
    """Give the roles of a bout, at its lead or by a transfer; the new defence has not begun."""
    S[ATTACKER] = attacker
    S[DEFENDER] = defender
    S[LIMIT] = 0
    S[PASSED] = 0
    S[STOPPED] = 0
    S[ELIGIBLE] = eligible_seats(S)


@inlined
def ask_lead(S: State) -> None:
    """Ask the attacker to lead (docs/rules.md 3.1)."""
    S[PHASE] = PH_LEAD
    S[ACTOR] = S[ATTACKER]
    S[ADDABLE] = S[at(HAND, S[ATTACKER])]


@inlined
def begin_bout(S: State, leader: int) -> None:
    """Begin a bout: roles, an empty table, the exchange of the trump if anybody may, the lead."""
    S[LEADER] = leader
    S[BOUT_LIMIT] = bout_limit(S)
    S[TABLE] = 0
    S[UNCOVERED] = 0
    S[RANKS] = 0
    S[N_ATTACKS] = 0
    S[JOINED] = 0
    S[N_JOINED] = 0
    S[JOINED_MASK] = 0
    S[SHOWN] = 0
    if S[OPEN] & AT_THROW:
        set_limit_edge(S)
    set_roles(S, leader, next_opponent(S, leader))
    if open_at_roles(S):
        note_roles(S)
    # docs/rules.md 5: before each lead while the stock is not empty
    if exchange_is_played(S) and has_stock(S):
        holder = lowest_trump_holder(S, lowest_trump_of_pack(S, S[PACK]))
        if holder >= 0:
            note_exchange(S)
            S[PHASE] = PH_EXCHANGE
            S[ACTOR] = holder
            return
    ask_lead(S)


@inlined
def recall_bout(S: State, taken: bool) -> None:
    """Keep what everybody saw of a bout that closes: it tells something about the hands."""
    entry = S[BOUTS] & (RECALLED_BOUTS - 1)
    may_throw = S[N_ATTACKS] < S[LIMIT] and (not taken or S[R_ON_PICKUP] != 0)
    S[nth(SEEN_RANKS, entry)] = S[RANKS] | (S[ELIGIBLE] << N_CARDS if may_throw else 0)
    S[nth(SEEN_FACED, entry)] = S[FACED] | (S[DEFENDER] << N_CARDS) if taken else 0
    S[nth(SEEN_STOCK, entry)] = S[STOCK_NEXT]


@kernel
def close_bout(S: State, taken: bool) -> None:
    """Close the bout, draw, let seats leave, settle the result or begin the next bout (3.5, 5, 6)."""
    defender = S[DEFENDER]
    table = S[TABLE]
    n_cards = popcount(table)
    recall_bout(S, taken)
    S[BOUTS] += 1
    S[CARDS_PLAYED] += n_cards
    S[N_COVERS] += n_cards - S[N_ATTACKS]
    S[CLOSED_DEFENDER] = defender
    S[CLOSED_CARDS] = table
    S[FIRST_BOUT] = 0
    if taken:
        S[BOUT_CLOSED] = BOUT_TAKEN
        S[at(HAND, defender)] |= table
        S[at(KNOWN, defender)] |= table
        S[N_PICKUPS] += 1
        S[CARDS_PICKED_UP] += n_cards
        S[TAKEN_RUN] += 1
    else:
        S[BOUT_CLOSED] = BOUT_BEATEN
        S[DISCARD] |= table
        S[BEATEN_BEFORE] = 1
        S[TAKEN_RUN] = 0
    watched = open_at_drawing(S)
    if watched != 0:
        note_drawing(S, watched)
    draw_cards(S)
    note_largest_hand(S, taken)
    leavers = leavers_now(S)
    code = outcome_now(S, leavers)
    watched = open_at_end(S, leavers)
    if watched != 0:
        note_end(S, watched, leavers, code)
    leave_and_settle(S, leavers, code)
    if S[PHASE] != PH_OVER:
        if not taken and (S[ACTIVE] >> defender) & 1:
            leader = defender
        else:
            leader = next_active(S, defender)
        begin_bout(S, leader)


@inlined
def go_on(S: State, following: int) -> None:
    """Go on to the next seat that has a choice, through everything nobody is asked about."""
    if following == NEXT_WINDOW:
        following = ask_window(S)
    elif following == NEXT_LAST_ROUND:
        following = ask_last_round(S)
    if following == NEXT_RESPONSE:
        ask_response(S)
    elif following >= NEXT_CLOSE_BEATEN:
        close_bout(S, following == NEXT_CLOSE_TAKEN)
