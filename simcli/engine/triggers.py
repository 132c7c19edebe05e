"""Which options of the rules decided anything: the `triggered` column (docs/formats.md).

An option of a variant *decides* when, at some moment, who is asked, what is legal, who gets which card,
who opens or how the deal ends comes out otherwise than with the option's value in `classic`, all other
options as in the variant. So at each such moment the very conditions that play the deal are asked again
with the option's value in `classic`, given as an argument or put into its slot for as long: no rule
stands here.

Only options that differ from `classic` are watched, and each only until it has decided once in the deal.

Two options can hide each other: put back alone, neither changes anything, put back together they do. So
as long as nothing has decided in a deal, each moment is also compared with all options of `classic`; if
that makes a difference, the options that can decide at such a moment have decided together. A deal in
which no option ever decided is therefore played exactly as in `classic` by bots that do not read rules.
"""

from __future__ import annotations

from simcli.engine.bits import lowest_index
from simcli.engine.draw import drawing_order, draws_last, outcome_by, shortage_of
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    ALL_OPTIONS,
    ATTACKER,
    BEATEN_BEFORE,
    BOUT_LIMIT,
    CLASSIC_RULES,
    DEFENDER,
    DRAW_JOIN_ORDER,
    ELIGIBLE,
    FACING,
    FIRST_BOUT,
    LEADER,
    LIMIT,
    LIMIT_EDGE,
    MAX_PLAYERS,
    N_ATTACKS,
    N_JOINED,
    N_RULES,
    NO_LIMIT,
    OPEN,
    ORDER_CLOCKWISE,
    PASSED,
    PLAYERS,
    R_DRAW_DEFENDER,
    R_DRAW_FIRST,
    R_EXCHANGE,
    R_FIRST_LIMIT,
    R_FIRST_SCOPE,
    R_LEAD,
    R_LIMIT,
    R_NO_TRUMP,
    R_OBJECTIVE,
    R_ON_PICKUP,
    R_OPENING_FIRST,
    R_OPENING_LATER,
    R_ORDER,
    R_PASS_CARD,
    R_PER_BOUT,
    R_STALL_BOUTS,
    R_TEAMS,
    R_TIE,
    R_TRANSFER,
    R_TRANSFER_CARDS,
    R_TRANSFER_FIRST_BOUT,
    R_WHO,
    R_WINDOW,
    SAVED,
    SAVED_RULES,
    SHOWN,
    STOCK_NEXT,
    STOCK_SIZE,
    STOPPED,
    TAKEN_RUN,
    TEAMS_NONE,
    TRIGGERED,
    TRUMPS,
    UNCOVERED,
    WATCHED,
    WHO_NEIGHBOURS,
    State,
)
from simcli.engine.legal import (
    adding_is_over,
    asked_after_pick_up,
    asked_before_response,
    bout_limit,
    eligible_among,
    eligible_seats,
    first_bout_allows,
    first_bout_lets_transfer,
    has_room,
    has_stock,
    is_window_open,
    limit_of_bout,
    may_add_more,
    may_move_attack,
    movable_cards,
    movable_show,
    n_covered,
    n_shown,
    next_asked,
    of_shared_rank,
    pass_cards_are_played,
    room_to_transfer,
    seats_with_rank,
    set_partners,
    showable,
    transfer_mode_allows,
    transfer_window_is_open,
    transferable,
    willing_among,
)
from simcli.engine.seats import first_in, next_active, next_opponent, opponents

_CLASSIC_LIMIT = CLASSIC_RULES[R_LIMIT]
_CLASSIC_FIRST_LIMIT = CLASSIC_RULES[R_FIRST_LIMIT]
_CLASSIC_SCOPE = CLASSIC_RULES[R_FIRST_SCOPE]
_CLASSIC_DRAW_FIRST = CLASSIC_RULES[R_DRAW_FIRST]
_CLASSIC_DRAW_DEFENDER = CLASSIC_RULES[R_DRAW_DEFENDER]
_CLASSIC_STALL_BOUTS = CLASSIC_RULES[R_STALL_BOUTS]

_CLASSIC_WHO = CLASSIC_RULES[R_WHO]
_CLASSIC_TRANSFER = CLASSIC_RULES[R_TRANSFER]
_CLASSIC_FIRST_BOUT = CLASSIC_RULES[R_TRANSFER_FIRST_BOUT]
_CLASSIC_PER_BOUT = CLASSIC_RULES[R_PER_BOUT]
_CLASSIC_OBJECTIVE = CLASSIC_RULES[R_OBJECTIVE]
_CLASSIC_TIE = CLASSIC_RULES[R_TIE]

# options that are compared by asking one condition for one other value
_THROWERS = (1 << R_WINDOW) | (1 << R_WHO) | (1 << R_ORDER) | (1 << R_TEAMS)
_GROWTH = (1 << R_LEAD) | (1 << R_TRANSFER_CARDS)
_MOVES = (1 << R_TRANSFER) | (1 << R_TRANSFER_FIRST_BOUT)
_SHOWS = (1 << R_PASS_CARD) | (1 << R_PER_BOUT)

_LIMITS = (1 << R_LIMIT) | (1 << R_FIRST_LIMIT) | (1 << R_FIRST_SCOPE)

# options from which limits, partners or the seats that may throw in follow
_FOLLOWED = _LIMITS | (1 << R_WHO) | (1 << R_TEAMS) | (1 << ALL_OPTIONS)

# the options that can decide at each kind of moment
AT_OPENING = (1 << R_OPENING_FIRST) | (1 << R_NO_TRUMP) | (1 << R_OPENING_LATER)
AT_ROLES = 1 << R_TEAMS
AT_EXCHANGE = 1 << R_EXCHANGE
AT_LEAD = _LIMITS | (1 << R_LEAD)
AT_TRANSFER = _LIMITS | (1 << R_TRANSFER_CARDS)
AT_THROW = _LIMITS
AT_LAST_ROUND = _LIMITS | (1 << R_WHO) | (1 << R_ORDER) | (1 << R_TEAMS)
AT_WINDOW = AT_LAST_ROUND | (1 << R_WINDOW)
AT_RESPONSE = (
    _LIMITS
    | (1 << R_TRANSFER)
    | (1 << R_TRANSFER_FIRST_BOUT)
    | (1 << R_PASS_CARD)
    | (1 << R_PER_BOUT)
    | (1 << R_TEAMS)
)
AT_PICK_UP = 1 << R_ON_PICKUP
AT_DRAWING = (1 << R_DRAW_FIRST) | (1 << R_DRAW_DEFENDER)
AT_END = (1 << R_OBJECTIVE) | (1 << R_TIE) | (1 << R_STALL_BOUTS) | (1 << R_TEAMS)


# ------------------------------------------------------------------ what could decide at this moment
# Cheap and exact: an option is left out only where it cannot matter, whatever the other options are.


@inlined
def open_options(S: State, options: int) -> int:
    """Return those of some options that are watched and have not decided anything yet in this deal.

    Limits are left out while there are too few attacks for any of them.
    """
    options &= S[OPEN]
    if options == 0:
        return 0
    return options & ~_LIMITS if S[N_ATTACKS] < S[LIMIT_EDGE] else options


@inlined
def open_at_window(S: State) -> int:
    """Return the options that could change who is asked before the response."""
    options = open_options(S, AT_WINDOW)
    if options == 0:
        return 0
    if (options >> R_WINDOW) & 1:
        in_classic = S[UNCOVERED] == 0 or n_covered(S) > 0
        if is_window_open(S) == in_classic:
            options &= ~(1 << R_WINDOW)
    return open_to_throwers(S, options) if options != 0 else 0


@inlined
def open_in_last_round(S: State) -> int:
    """Return the options that could change who is asked in the last round."""
    options = open_options(S, AT_LAST_ROUND)
    return open_to_throwers(S, options) if options != 0 else 0


@inlined
def open_to_throwers(S: State, options: int) -> int:
    """Return those of some options that could change which seats may add."""
    others = seats_with_rank(S) & ~(S[PASSED] | S[STOPPED] | (1 << S[DEFENDER]))
    if others == 0:
        return 0
    if next_asked(S, others) & ~S[ELIGIBLE] == 0:  # nobody who would be asked first is left out
        options &= ~(1 << R_WHO)
        if S[R_WHO] != WHO_NEIGHBOURS:
            options &= ~(1 << R_TEAMS)
    return options


@inlined
def open_at_response(S: State) -> int:
    """Return the options that could change the transfers or the show."""
    options = open_options(S, AT_RESPONSE)
    if options == 0:
        return 0
    if S[FIRST_BOUT] == 0:
        S[OPEN] &= ~(1 << R_TRANSFER_FIRST_BOUT)  # for the rest of the deal
        options &= ~(1 << R_TRANSFER_FIRST_BOUT)
    if S[SHOWN] == 0:
        options &= ~(1 << R_PER_BOUT)
    may = transfer_window_is_open(S)
    might = transfer_mode_allows(S, _CLASSIC_TRANSFER)
    if not may and not might:
        return 0
    if may == might:
        options &= ~(1 << R_TRANSFER)
    if options == 0:
        return 0
    cards = of_shared_rank(S, S[DEFENDER])
    if options & ~_SHOWS == 0:  # only a trump can be shown
        cards &= S[TRUMPS]
    if cards == 0:
        return 0
    if cards & S[TRUMPS] == 0:
        options &= ~_SHOWS
    if (options >> R_TEAMS) & 1 and next_active(S, S[DEFENDER]) == next_opponent(S, S[DEFENDER]):
        options &= ~(1 << R_TEAMS)
    return options


@inlined
def open_at_roles(S: State) -> bool:
    """Return whether without teams another seat would defend."""
    return S[OPEN] & AT_ROLES != 0 and next_active(S, S[ATTACKER]) != S[DEFENDER]


@inlined
def short_seats(S: State) -> int:
    """Return the mask of the active seats that are short of a full hand."""
    seats = 0
    for seat in range(MAX_PLAYERS):
        seats |= (1 if shortage_of(S, seat) > 0 else 0) << seat
    return seats & S[ACTIVE]


@inlined
def open_at_drawing(S: State) -> int:
    """Return the options that could change who draws what."""
    options = S[OPEN] & AT_DRAWING
    if options == 0 or not has_stock(S):
        return 0
    if draws_last(S, S[R_DRAW_DEFENDER]) == (S[DEFENDER] != S[LEADER]):
        options &= ~(1 << R_DRAW_DEFENDER)
    if S[R_DRAW_FIRST] == DRAW_JOIN_ORDER:
        same_start = S[N_JOINED] < 2
    else:
        same_start = S[ATTACKER] == S[LEADER]
    if same_start:
        options &= ~(1 << R_DRAW_FIRST)
    if options == 0:
        return 0
    short = short_seats(S)
    if options == 1 << R_DRAW_FIRST:  # then some seats draw in the same place
        if draws_last(S, S[R_DRAW_DEFENDER]):
            short &= ~(1 << S[DEFENDER])
        if S[R_DRAW_FIRST] == DRAW_JOIN_ORDER:
            short &= ~(1 << S[LEADER])
    return options if short & (short - 1) != 0 else 0


@inlined
def open_at_end(S: State, leavers: int) -> int:
    """Return the options that could change who leaves with which place, or the end of the deal."""
    options = S[OPEN] & AT_END
    if options == 0:
        return 0
    if S[TAKEN_RUN] < min(S[R_STALL_BOUTS], _CLASSIC_STALL_BOUTS):
        options &= ~(1 << R_STALL_BOUTS)
        if leavers == 0:
            return 0
    # a tie is between the final defender and somebody else
    if leavers & (1 << S[DEFENDER]) == 0 or leavers & (leavers - 1) == 0:
        options &= ~(1 << R_TIE)
    return options


# ------------------------------------------------------------------ putting options back


@inlined
def in_question(S: State, options: int) -> int:
    """Return the options to put back one by one, and last, unless one of them decides, all together."""
    several = options & (options - 1)
    return options | (1 << ALL_OPTIONS) if several != 0 and S[TRIGGERED] == 0 else options


@inlined
def note(S: State, option: int, decided: bool, together: int) -> None:
    """Set the bit of an option that has decided something, or those that have done so together."""
    if decided and option != ALL_OPTIONS:
        S[TRIGGERED] |= 1 << option
    elif decided and S[TRIGGERED] == 0:
        S[TRIGGERED] = together & S[WATCHED]
    S[OPEN] &= ~S[TRIGGERED]


@inlined
def mark(S: State, option: int, decided: bool) -> None:
    """Set the bit of an option that has decided something alone, as often as it does so.

    There is no branch here and none is needed to ask: where nobody can foretell the answer, a wrong guess
    costs a processor more than asking all over again.
    """
    S[TRIGGERED] |= int(decided) << option
    S[OPEN] &= ~S[TRIGGERED]


@inlined
def edge_of(own: int, other: int) -> int:
    """Return the number of attacks from which it matters which of two limits applies."""
    return min(own, other) if own != other else NO_LIMIT


@inlined
def set_limit_edge(S: State) -> None:
    """Find the number of attacks from which another limit could matter in the bout being begun."""
    limit = S[R_LIMIT]
    first = S[R_FIRST_LIMIT]
    scope = S[R_FIRST_SCOPE]
    edge = edge_of(S[BOUT_LIMIT], limit_of_bout(S, _CLASSIC_LIMIT, first, scope))
    edge = min(edge, edge_of(S[BOUT_LIMIT], limit_of_bout(S, limit, _CLASSIC_FIRST_LIMIT, scope)))
    edge = min(edge, edge_of(S[BOUT_LIMIT], limit_of_bout(S, limit, first, _CLASSIC_SCOPE)))
    all_classic = limit_of_bout(S, _CLASSIC_LIMIT, _CLASSIC_FIRST_LIMIT, _CLASSIC_SCOPE)
    edge = min(edge, edge_of(S[BOUT_LIMIT], all_classic))
    S[LIMIT_EDGE] = edge
    if edge == NO_LIMIT and S[FIRST_BOUT] == 0 and S[BEATEN_BEFORE] != 0:
        S[OPEN] &= ~_LIMITS  # every bout from now on has this limit


@inlined
def follow_rules(S: State, option: int) -> None:
    """Bring what follows from an option, or from all, at this moment in line with it."""
    if option == R_TEAMS or (option == ALL_OPTIONS and (S[WATCHED] >> R_TEAMS) & 1):
        set_partners(S)
    S[ELIGIBLE] = eligible_seats(S)
    S[BOUT_LIMIT] = bout_limit(S)
    if S[LIMIT] != 0:
        S[LIMIT] = min(S[BOUT_LIMIT], S[FACING])


@kernel
def to_classic(S: State, option: int) -> None:
    """Give an option, or all, the value of `classic`, and all that follows from it at this moment."""
    S[SAVED] = S[BOUT_LIMIT]
    S[SAVED + 1] = S[LIMIT]
    S[SAVED + 2] = S[ELIGIBLE]
    if option == ALL_OPTIONS:
        for slot in range(N_RULES):
            S[SAVED_RULES + slot] = S[slot]
            S[slot] = CLASSIC_RULES[slot]
    else:
        S[SAVED_RULES] = S[option]
        S[option] = CLASSIC_RULES[option]
    if (_FOLLOWED >> option) & 1:
        follow_rules(S, option)


@kernel
def from_classic(S: State, option: int) -> None:
    """Put an option, or all, back (`to_classic`)."""
    if option == ALL_OPTIONS:
        for slot in range(N_RULES):
            S[slot] = S[SAVED_RULES + slot]
    else:
        S[option] = S[SAVED_RULES]
    if option == R_TEAMS or (option == ALL_OPTIONS and (S[WATCHED] >> R_TEAMS) & 1):
        set_partners(S)
    S[BOUT_LIMIT] = S[SAVED]
    S[LIMIT] = S[SAVED + 1]
    S[ELIGIBLE] = S[SAVED + 2]


@kernel
def note_window(S: State, options: int, asked: int) -> None:
    """Compare who is asked for a throw-in before the response with who would be (docs/rules.md 3.4)."""
    options = in_question(S, options)
    now = next_asked(S, asked)
    if (options >> R_WINDOW) & 1:  # the window is open here and closed in classic, or the other way round
        others = 0 if is_window_open(S) else asked_after_pick_up(S)
        note(S, R_WINDOW, next_asked(S, others) != now, AT_WINDOW)
    if is_window_open(S):
        note_throwers(S, options, asked, AT_WINDOW)
    options &= ~_THROWERS
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        others = next_asked(S, asked_before_response(S))
        from_classic(S, option)
        note(S, option, others != who_is_asked(S, option, asked), AT_WINDOW)


@kernel
def note_last_round(S: State, options: int, asked: int) -> None:
    """Compare who is asked for a throw-in after a pick-up with who would be (docs/rules.md 3.4)."""
    options = in_question(S, options)
    note_throwers(S, options, asked, AT_LAST_ROUND)
    options &= ~_THROWERS
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        others = next_asked(S, asked_after_pick_up(S))
        from_classic(S, option)
        note(S, option, others != who_is_asked(S, option, asked), AT_LAST_ROUND)


@inlined
def note_throwers(S: State, options: int, asked: int, together: int) -> None:
    """Compare who is asked with who would be if all might throw in, without teams, or in clockwise order."""
    now = next_asked(S, asked)
    if (options >> R_WHO) & 1:
        others = asked_among(S, opponents(S, S[DEFENDER]), _CLASSIC_WHO)
        note(S, R_WHO, others != now, together)
    if (options >> R_TEAMS) & 1:
        others = asked_among(S, S[ACTIVE] & ~(1 << S[DEFENDER]), S[R_WHO])
        note(S, R_TEAMS, others != now, together)
    if (options >> R_ORDER) & 1 and asked != 0:
        note(S, R_ORDER, first_in(S, asked, S[ATTACKER]) != S[ACTOR], together)


@inlined
def asked_among(S: State, others: int, who: int) -> int:
    """Return the seats that would be asked now among other opponents, by another throw_in.who."""
    return next_asked(S, willing_among(S, eligible_among(S, others, who))) if has_room(S) else 0


@inlined
def who_is_asked(S: State, option: int, asked: int) -> int:
    """Return the seats asked now: all who race, but the one drawn where the order itself is in question."""
    if option == ALL_OPTIONS and S[R_ORDER] != ORDER_CLOCKWISE and asked != 0:
        return 1 << S[ACTOR]
    return next_asked(S, asked)


@kernel
def note_adding(S: State, options: int, asked: bool) -> None:
    """Compare whether a seat may add more with whether it might (docs/rules.md 3.1, 3.2, 4)."""
    options = in_question(S, options)
    if options & _GROWTH:
        note_growth(S, options)
    options &= ~_GROWTH
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        might = may_add_more(S)
        from_classic(S, option)
        note(S, option, might != asked, AT_LEAD | AT_TRANSFER)


@inlined
def note_growth(S: State, options: int) -> None:
    """Note that a lead or a transfer has to stay one card though there is room for more (3.1, 4)."""
    note(S, lowest_index(options & _GROWTH), has_room(S) and adding_is_over(S), AT_LEAD | AT_TRANSFER)


@inlined
def watch_response(S: State) -> None:
    """See which options decide about the transfers and the show of the defender (docs/rules.md 4)."""
    if is_mode_alone(S):
        mark_transfer_mode(S)
    else:
        options = open_at_response(S)
        if options != 0:
            note_response(S, options)


@inlined
def is_mode_alone(S: State) -> bool:
    """Return whether of all the options about transfers only transfer.mode is left to watch, if anything."""
    if (S[WATCHED] >> R_TRANSFER) & 1 == 0 or pass_cards_are_played(S):
        return False
    return S[OPEN] & AT_RESPONSE & ~(1 << R_TRANSFER) == 0


@inlined
def mark_transfer_mode(S: State) -> None:
    """Mark transfer.mode, the only option in question and without pass cards, where it decides (4)."""
    if transfer_window_is_open(S) == transfer_mode_allows(S, _CLASSIC_TRANSFER):
        return
    has_card = of_shared_rank(S, S[DEFENDER]) != 0
    finds_room = room_to_transfer(S, next_opponent(S, S[DEFENDER])) >= 1
    mark(S, R_TRANSFER, has_card & finds_room & first_bout_lets_transfer(S))


@kernel
def note_response(S: State, options: int) -> None:
    """Compare the transfers and the show of the defender with what they would be (docs/rules.md 4)."""
    options = in_question(S, options)
    if options & _MOVES:
        note_moves(S, options)
    if options & _SHOWS and showable(S) != 0:
        if (options >> R_PASS_CARD) & 1:
            note(S, R_PASS_CARD, True, AT_RESPONSE)
        if (options >> R_PER_BOUT) & 1:
            note(S, R_PER_BOUT, n_shown(S, S[DEFENDER]) >= _CLASSIC_PER_BOUT, AT_RESPONSE)
    options &= ~(_MOVES | _SHOWS)
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        cards = transferable(S)
        shown = showable(S)
        to_classic(S, option)
        decided = transferable(S) != cards or showable(S) != shown
        from_classic(S, option)
        note(S, option, decided, AT_RESPONSE)


@inlined
def note_moves(S: State, options: int) -> None:
    """Note whether the attack can or could not move because of transfer.mode or transfer.first_bout (4)."""
    may = may_move_attack(S)
    if movable_cards(S) == 0 and movable_show(S) == 0:
        return
    if (options >> R_TRANSFER) & 1:
        might = transfer_mode_allows(S, _CLASSIC_TRANSFER) and first_bout_lets_transfer(S)
        note(S, R_TRANSFER, might != may, AT_RESPONSE)
    if (options >> R_TRANSFER_FIRST_BOUT) & 1:
        might = transfer_window_is_open(S) and first_bout_allows(S, _CLASSIC_FIRST_BOUT)
        note(S, R_TRANSFER_FIRST_BOUT, might != may, AT_RESPONSE)


@inlined
def watch_pick_up(S: State) -> None:
    """See whether a last round left out by throw_in.on_pickup would have asked anybody (3.4)."""
    if S[WATCHED] & AT_PICK_UP == 0:
        return
    mark(S, R_ON_PICKUP, asked_after_pick_up(S) != 0)
    if S[TRIGGERED] == 0:
        note_pick_up(S)


@kernel
def note_pick_up(S: State) -> None:
    """Note whether that last round would have asked anybody with all options of `classic` (3.4)."""
    to_classic(S, ALL_OPTIONS)
    asked = asked_after_pick_up(S)
    from_classic(S, ALL_OPTIONS)
    note(S, ALL_OPTIONS, asked != 0, AT_PICK_UP)


@inlined
def note_roles(S: State) -> None:
    """Note that the defender is another one than without teams (docs/rules.md 6)."""
    note(S, R_TEAMS, True, AT_ROLES)


@inlined
def note_exchange(S: State) -> None:
    """Note that an exchange of the trump is offered (docs/rules.md 5)."""
    note(S, R_EXCHANGE, True, AT_EXCHANGE)


@inlined
def drawers_in(S: State, order: int) -> int:
    """Return the seats that get cards if all draw in an order, four bits each (docs/rules.md 5)."""
    left = S[STOCK_SIZE] - S[STOCK_NEXT]
    drawers = 0
    for _ in range(S[PLAYERS]):
        seat = order & 15
        order >>= 4
        shortage = shortage_of(S, seat)
        if shortage > 0 and left > 0:
            drawers = (drawers << 4) | (seat + 1)
            left -= shortage
    return drawers


@inlined
def draws_differ(S: State, order: int, other: int) -> bool:
    """Return whether some seat draws other cards in one order than in another.

    From the first seat on that draws out of turn, the same card goes to another seat.
    """
    return order != other and drawers_in(S, order) != drawers_in(S, other)


@kernel
def note_drawing(S: State, options: int) -> None:
    """Compare who draws which cards with who would draw which (docs/rules.md 5)."""
    first = S[R_DRAW_FIRST]
    defender = S[R_DRAW_DEFENDER]
    order = drawing_order(S, first, defender)
    if (options >> R_DRAW_FIRST) & 1:
        other = drawing_order(S, _CLASSIC_DRAW_FIRST, defender)
        note(S, R_DRAW_FIRST, draws_differ(S, order, other), AT_DRAWING)
    if (options >> R_DRAW_DEFENDER) & 1:
        other = drawing_order(S, first, _CLASSIC_DRAW_DEFENDER)
        note(S, R_DRAW_DEFENDER, draws_differ(S, order, other), AT_DRAWING)
    if options == AT_DRAWING and S[TRIGGERED] == 0:
        other = drawing_order(S, _CLASSIC_DRAW_FIRST, _CLASSIC_DRAW_DEFENDER)
        note(S, ALL_OPTIONS, draws_differ(S, order, other), AT_DRAWING)


@kernel
def note_end(S: State, options: int, leavers: int, here: int) -> None:
    """Compare how the deal ends after this bout, and who leaves with which place, with what would be."""
    objective = S[R_OBJECTIVE]
    tie = S[R_TIE]
    stall = S[R_STALL_BOUTS]
    teams = S[R_TEAMS]
    options = in_question(S, options)
    if (options >> R_OBJECTIVE) & 1:
        there = outcome_by(S, leavers, _CLASSIC_OBJECTIVE, tie, stall, teams)
        note(S, R_OBJECTIVE, there != here, AT_END)
    if (options >> R_TIE) & 1:  # the final defender leaves with others: it shares their place, or does not
        note(S, R_TIE, True, AT_END)
    if (options >> R_STALL_BOUTS) & 1:
        there = outcome_by(S, leavers, objective, tie, _CLASSIC_STALL_BOUTS, teams)
        note(S, R_STALL_BOUTS, there != here, AT_END)
    if (options >> R_TEAMS) & 1:
        there = outcome_by(S, leavers, objective, tie, stall, TEAMS_NONE)
        note(S, R_TEAMS, there != here, AT_END)
    if options >> ALL_OPTIONS:
        there = outcome_by(S, leavers, _CLASSIC_OBJECTIVE, _CLASSIC_TIE, _CLASSIC_STALL_BOUTS, TEAMS_NONE)
        note(S, ALL_OPTIONS, there != here, AT_END)


@kernel
def watch_rules(S: State) -> None:
    """Watch the options of a table that differ from `classic`."""
    watched = 0
    for option in range(N_RULES):
        if S[option] != CLASSIC_RULES[option]:
            watched |= 1 << option
    S[WATCHED] = watched
    S[OPEN] = watched
    S[LIMIT_EDGE] = NO_LIMIT
