"""Drawing, leaving and the result (docs/rules.md 5 and 6)."""

from __future__ import annotations

from simcli.engine.bits import at, lowest_bit, lowest_index, nth, popcount
from simcli.engine.jit import inlined
from simcli.engine.layout import (
    ACTIVE,
    ATTACKER,
    DEFENDER,
    DEFENDER_IN_TURN,
    DEFENDER_LAST,
    DRAW_JOIN_ORDER,
    DRAW_ORDER,
    DRAW_ORIGINAL_ATTACKER,
    DRAWN,
    DREW,
    EXPOSED_HOLDER,
    HAND,
    HAND_SIZE,
    JOINED,
    JOINED_MASK,
    LARGEST_HAND,
    LAST_LOSES,
    LEADER,
    LEFT_NOW,
    LOSER,
    LOST,
    MAX_PLAYERS,
    N_DRAWERS,
    N_JOINED,
    NOBODY,
    PARTNERS,
    PH_OVER,
    PHASE,
    PLACE,
    PLAYERS,
    R_DRAW_DEFENDER,
    R_DRAW_FIRST,
    R_OBJECTIVE,
    R_STALL_BOUTS,
    R_TEAMS,
    R_TIE,
    RESULT,
    STALLED,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TAKEN_RUN,
    TEAMS_NONE,
    TIE_SHARED,
    UNDECIDED,
    WON,
    State,
)
from simcli.engine.seats import first_in, hand_size, seat_after


@inlined
def draws_last(S: State, defender_rule: int) -> bool:
    """Return whether draw.defender moves the final defender to the end of the drawing order (5)."""
    if defender_rule == DEFENDER_LAST:
        return True
    return defender_rule != DEFENDER_IN_TURN and S[DEFENDER] != S[LEADER]


@inlined
def clockwise_order(S: State, seat: int, left_out: int) -> int:
    """Return all seats clockwise from a seat but for a mask of them, four bits each, the first lowest."""
    order = 0
    shift = 0
    for _ in range(S[PLAYERS]):
        if (left_out >> seat) & 1 == 0:
            order |= seat << shift
            shift += 4
        seat = seat_after(S, seat)
    return order


@inlined
def drawing_order(S: State, first_rule: int, defender_rule: int) -> int:
    """Return all seats in the order of draw.first and draw.defender, four bits each, the first lowest (5)."""
    last = 1 << S[DEFENDER] if draws_last(S, defender_rule) else 0
    if first_rule == DRAW_ORIGINAL_ATTACKER:
        order = clockwise_order(S, S[LEADER], last)
    elif first_rule == DRAW_JOIN_ORDER:
        order = 0
        shift = 0
        for i in range(S[N_JOINED]):
            joined = (S[JOINED] >> (4 * i)) & 15
            if (last >> joined) & 1 == 0:
                order |= joined << shift
                shift += 4
        order |= clockwise_order(S, S[LEADER], last | S[JOINED_MASK]) << shift
    else:
        order = clockwise_order(S, S[ATTACKER], last)
    return order | (S[DEFENDER] << (4 * S[PLAYERS] - 4)) if last != 0 else order


@inlined
def shortage_of(S: State, seat: int) -> int:
    """Return how many cards a seat is short of a full hand."""
    return max(HAND_SIZE - hand_size(S, seat), 0)


@inlined
def draw_shortage(S: State, seat: int) -> None:
    """Let a seat take its whole shortage at once, as far as the stock goes."""
    first = S[STOCK_NEXT]
    end = min(first + shortage_of(S, seat), S[STOCK_SIZE])
    cards = S[nth(STOCK, end)] ^ S[nth(STOCK, first)]
    S[at(HAND, seat)] |= cards
    S[at(DREW, seat)] = cards
    S[STOCK_NEXT] = end


@inlined
def note_exposed(S: State) -> None:
    """Note who has just drawn the last card of the stock, the exposed trump."""
    size = S[STOCK_SIZE]
    exposed = S[nth(STOCK, size)] ^ S[nth(STOCK, size - 1)]
    for seat in range(MAX_PLAYERS):
        if S[at(HAND, seat)] & exposed:
            S[EXPOSED_HOLDER] = seat


@inlined
def draw_cards(S: State) -> None:
    """Let the seats draw up to the hand size, in order, while the stock lasts (docs/rules.md 5)."""
    if S[STOCK_NEXT] < S[STOCK_SIZE]:  # then nobody has left yet
        order = drawing_order(S, S[R_DRAW_FIRST], S[R_DRAW_DEFENDER])
        n = S[PLAYERS]
        S[DRAW_ORDER] = order
        S[N_DRAWERS] = n
        for _ in range(n):
            draw_shortage(S, order & 15)
            order >>= 4
        if S[STOCK_NEXT] >= S[STOCK_SIZE]:
            note_exposed(S)
    else:
        S[N_DRAWERS] = 0


@inlined
def note_largest_hand(S: State, taken: bool) -> None:
    """Keep the largest hand after drawing: after the first bout only a pick-up can exceed it.

    Whoever draws gets at most six cards, and while there was stock for them everybody had six before.
    """
    largest = S[LARGEST_HAND]
    if largest == 0:
        for seat in range(MAX_PLAYERS):
            largest = max(largest, hand_size(S, seat))
    elif taken:
        largest = max(largest, hand_size(S, S[DEFENDER]))
    S[LARGEST_HAND] = largest


@inlined
def empty_hands(S: State) -> int:
    """Return the mask of the active seats without cards."""
    seats = 0
    for seat in range(6):
        seats |= (1 if S[at(HAND, seat)] == 0 else 0) << seat
    return seats & S[ACTIVE]


@inlined
def give_places(S: State, leavers: int) -> None:
    """Give the seats that leave after this bout their places (docs/rules.md 6, end.tie)."""
    place = 1 + S[PLAYERS] - popcount(S[ACTIVE])
    late = 0
    if S[R_TIE] != TIE_SHARED:
        late = leavers & (1 << S[DEFENDER])
    after = place + popcount(leavers ^ late)
    for seat in range(S[PLAYERS]):
        if (leavers >> seat) & 1:
            S[at(PLACE, seat)] = after if (late >> seat) & 1 else place
    S[ACTIVE] &= ~leavers


@inlined
def take_last_places(S: State) -> None:
    """Give the seats that are left, if any, the next free place: they have lost (docs/rules.md 6)."""
    place = 1 + S[PLAYERS] - popcount(S[ACTIVE])
    for seat in range(S[PLAYERS]):
        if (S[ACTIVE] >> seat) & 1:
            S[at(PLACE, seat)] = place


@inlined
def finish(S: State, result: int, loser: int) -> None:
    """Record the result of the deal."""
    S[RESULT] = result
    S[LOSER] = loser
    S[PHASE] = PH_OVER


@inlined
def leavers_now(S: State) -> int:
    """Return the mask of the seats that leave after this bout: no cards, and none left to draw (6)."""
    return 0 if S[STOCK_NEXT] < S[STOCK_SIZE] else empty_hands(S)


@inlined
def outcome(result: int, loser: int) -> int:
    """Return a result and a loser as one number."""
    return (result << 4) | (loser + 1)


@inlined
def outcome_last_loses(S: State, active: int, tie: int, teams: int) -> int:
    """Return how the deal stands when at most one team (without teams: seat) may be left; it loses (6)."""
    if active != 0:
        mates = lowest_bit(active) if teams == TEAMS_NONE else S[at(PARTNERS, lowest_index(active))]
        if active & ~mates:
            return outcome(UNDECIDED, NOBODY)
        # the losing team is named by its first active seat clockwise from the defender
        return outcome(LOST, first_in(S, active, S[DEFENDER]))
    if tie == TIE_SHARED:
        return outcome(DRAWN, NOBODY)
    return outcome(LOST, S[DEFENDER])


@inlined
def outcome_first_out(S: State, active: int, leavers: int, tie: int) -> int:
    """Return how the deal ends with its first leavers: place 1 has won, unless several share it (6)."""
    if tie != TIE_SHARED:
        leavers &= ~(1 << S[DEFENDER])
    if leavers & (leavers - 1):
        return outcome(DRAWN, NOBODY)
    if popcount(active) == 1:
        return outcome(WON, lowest_index(active))
    return outcome(WON, NOBODY)


@inlined
def outcome_by(S: State, leavers: int, objective: int, tie: int, stall_bouts: int, teams: int) -> int:
    """Return result and loser after this bout by end.objective, end.tie, end.stall_bouts and teams (6)."""
    code = outcome(UNDECIDED, NOBODY)
    if leavers != 0:
        active = S[ACTIVE] & ~leavers
        if objective == LAST_LOSES:
            code = outcome_last_loses(S, active, tie, teams)
        else:
            code = outcome_first_out(S, active, leavers, tie)
    if code == outcome(UNDECIDED, NOBODY) and S[TAKEN_RUN] >= stall_bouts:
        return outcome(STALLED, NOBODY)
    return code


@inlined
def outcome_now(S: State, leavers: int) -> int:
    """Return result and loser after this bout by the rules of the table (6)."""
    return outcome_by(S, leavers, S[R_OBJECTIVE], S[R_TIE], S[R_STALL_BOUTS], S[R_TEAMS])


@inlined
def leave_and_settle(S: State, leavers: int, code: int) -> None:
    """Let some seats leave (`leavers_now`), and end the deal if it is decided (`outcome_now`; 6)."""
    S[LEFT_NOW] = leavers
    if leavers != 0:
        give_places(S, leavers)
    result = code >> 4
    if result == UNDECIDED:
        return
    if result == LOST:
        take_last_places(S)
    finish(S, result, (code & 15) - 1)
