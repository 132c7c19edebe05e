"""Which options of the rules decided anything: the `triggered` column (docs/formats.md).

An option of a variant *decides* when, at some moment, who is asked, what is legal, who gets which card,
who opens or how the deal ends comes out otherwise than with the option's value in `classic`, all other
options as in the variant. So at each such moment the option's own slot is given the value of `classic`,
the very functions that play the deal are asked again, and the slot is put back: no rule stands here.

Only options that differ from `classic` are watched, and each only until it has decided once in the deal.
"""

from __future__ import annotations

from simcli.engine.bits import at, lowest_index, nth
from simcli.engine.draw import drawing_order, leave_and_settle, shortage_of
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    ATTACKER,
    BOUT_LIMIT,
    CLASSIC_RULES,
    DEFENDER,
    ELIGIBLE,
    FACING,
    LEFT_NOW,
    LIMIT,
    LOSER,
    MAX_PLAYERS,
    N_RULES,
    PHASE,
    PLACE,
    PLAYERS,
    R_DRAW_DEFENDER,
    R_DRAW_FIRST,
    R_EXCHANGE,
    R_FIRST_LIMIT,
    R_FIRST_SCOPE,
    R_LEAD,
    R_LIMIT,
    R_OBJECTIVE,
    R_ON_PICKUP,
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
    RESULT,
    SAVED,
    SAVED_DEAL,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TRIGGERED,
    WATCHED,
    State,
)
from simcli.engine.legal import (
    adds_more,
    asked_after_pick_up,
    asked_before_response,
    bout_limit,
    eligible_seats,
    next_asked,
    set_partners,
    showable,
    transferable,
)
from simcli.engine.seats import next_opponent

_LIMITS = (1 << R_LIMIT) | (1 << R_FIRST_LIMIT) | (1 << R_FIRST_SCOPE)

# the options that can decide at each kind of moment
AT_WINDOW = _LIMITS | (1 << R_WHO) | (1 << R_WINDOW) | (1 << R_ORDER) | (1 << R_TEAMS)
AT_LAST_ROUND = AT_WINDOW ^ (1 << R_WINDOW)
AT_ADDING = _LIMITS | (1 << R_LEAD) | (1 << R_TRANSFER_CARDS)
AT_RESPONSE = (
    _LIMITS
    | (1 << R_TRANSFER)
    | (1 << R_TRANSFER_FIRST_BOUT)
    | (1 << R_PASS_CARD)
    | (1 << R_PER_BOUT)
    | (1 << R_TEAMS)
)
AT_PICK_UP = 1 << R_ON_PICKUP
AT_ROLES = 1 << R_TEAMS
AT_EXCHANGE = 1 << R_EXCHANGE
AT_DRAWING = (1 << R_DRAW_FIRST) | (1 << R_DRAW_DEFENDER)
AT_END = (1 << R_OBJECTIVE) | (1 << R_TIE) | (1 << R_STALL_BOUTS) | (1 << R_TEAMS)


@inlined
def undecided(S: State, options: int) -> int:
    """Return those of some options that are watched and have not decided anything yet in this deal."""
    return options & S[WATCHED] & ~S[TRIGGERED]


@inlined
def note(S: State, option: int, decided: bool) -> None:
    """Set an option's bit if it has decided something."""
    if decided:
        S[TRIGGERED] |= 1 << option


@inlined
def to_classic(S: State, option: int) -> None:
    """Give an option the value of `classic`, and all that follows from it at this moment."""
    S[SAVED] = S[option]
    S[SAVED + 1] = S[BOUT_LIMIT]
    S[SAVED + 2] = S[LIMIT]
    S[SAVED + 3] = S[ELIGIBLE]
    S[option] = CLASSIC_RULES[option]
    if (_LIMITS >> option) & 1:
        S[BOUT_LIMIT] = bout_limit(S)
        if S[LIMIT] != 0:
            S[LIMIT] = min(S[BOUT_LIMIT], S[FACING])
    elif option == R_TEAMS:
        set_partners(S)
        S[ELIGIBLE] = eligible_seats(S)
    elif option == R_WHO:
        S[ELIGIBLE] = eligible_seats(S)


@inlined
def from_classic(S: State, option: int) -> None:
    """Put an option back (`to_classic`)."""
    S[option] = S[SAVED]
    S[BOUT_LIMIT] = S[SAVED + 1]
    S[LIMIT] = S[SAVED + 2]
    S[ELIGIBLE] = S[SAVED + 3]
    if option == R_TEAMS:
        set_partners(S)


@kernel
def note_window(S: State, options: int, asked: int) -> None:
    """Compare who is asked for a throw-in before the response with who would be (docs/rules.md 3.4)."""
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        others = next_asked(S, asked_before_response(S))
        from_classic(S, option)
        note(S, option, others != who_is_asked(S, option, asked))


@kernel
def note_last_round(S: State, options: int, asked: int) -> None:
    """Compare who is asked for a throw-in after a pick-up with who would be (docs/rules.md 3.4)."""
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        others = next_asked(S, asked_after_pick_up(S))
        from_classic(S, option)
        note(S, option, others != who_is_asked(S, option, asked))


@inlined
def who_is_asked(S: State, option: int, asked: int) -> int:
    """Return the seats asked now: all who race, but the one drawn where the order itself is in question."""
    if option == R_ORDER:
        return 1 << S[ACTOR] if asked != 0 else 0
    return next_asked(S, asked)


@kernel
def note_adding(S: State, options: int, rest: int, asked: bool) -> None:
    """Compare whether a seat may add more with whether it might (docs/rules.md 3.1, 3.2, 4)."""
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        might = adds_more(S, rest)
        from_classic(S, option)
        note(S, option, might != asked)


@kernel
def note_response(S: State, options: int) -> None:
    """Compare the transfers and the show of the defender with what they would be (docs/rules.md 4)."""
    cards = transferable(S)
    shown = showable(S)
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        decided = transferable(S) != cards or showable(S) != shown
        from_classic(S, option)
        note(S, option, decided)


@kernel
def note_pick_up(S: State) -> None:
    """Note whether a last round left out by throw_in.on_pickup would have asked anybody."""
    note(S, R_ON_PICKUP, asked_after_pick_up(S) != 0)


@kernel
def note_roles(S: State) -> None:
    """Compare the defender of the attacker with who it would be without teams (docs/rules.md 6)."""
    to_classic(S, R_TEAMS)
    defender = next_opponent(S, S[ATTACKER])
    from_classic(S, R_TEAMS)
    note(S, R_TEAMS, defender != S[DEFENDER])


@inlined
def note_exchange(S: State) -> None:
    """Note that an exchange of the trump is offered (docs/rules.md 5)."""
    note(S, R_EXCHANGE, True)


@inlined
def draws(S: State, order: int, seat: int) -> int:
    """Return the cards that a seat draws if all seats draw in an order (docs/rules.md 5)."""
    taken = S[STOCK_NEXT]
    for _ in range(S[PLAYERS]):
        drawer = order & 15
        order >>= 4
        end = min(taken + shortage_of(S, drawer), S[STOCK_SIZE])
        if drawer == seat:
            return S[nth(STOCK, end)] ^ S[nth(STOCK, taken)]
        taken = end
    return 0


@kernel
def note_drawing(S: State, options: int) -> None:
    """Compare who draws which cards with who would draw which (docs/rules.md 5)."""
    order = drawing_order(S)
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        other = drawing_order(S)
        from_classic(S, option)
        if other != order:
            for seat in range(S[PLAYERS]):
                note(S, option, draws(S, order, seat) != draws(S, other, seat))


@inlined
def save_deal(S: State) -> None:
    """Set aside everything that settling a bout changes."""
    S[SAVED_DEAL] = S[PHASE]
    S[SAVED_DEAL + 1] = S[RESULT]
    S[SAVED_DEAL + 2] = S[LOSER]
    S[SAVED_DEAL + 3] = S[ACTIVE]
    S[SAVED_DEAL + 4] = S[LEFT_NOW]
    for seat in range(MAX_PLAYERS):
        S[SAVED_DEAL + 5 + seat] = S[at(PLACE, seat)]


@inlined
def restore_deal(S: State) -> None:
    """Put back what `save_deal` set aside."""
    S[PHASE] = S[SAVED_DEAL]
    S[RESULT] = S[SAVED_DEAL + 1]
    S[LOSER] = S[SAVED_DEAL + 2]
    S[ACTIVE] = S[SAVED_DEAL + 3]
    S[LEFT_NOW] = S[SAVED_DEAL + 4]
    for seat in range(MAX_PLAYERS):
        S[at(PLACE, seat)] = S[SAVED_DEAL + 5 + seat]


@inlined
def outcome_code(S: State) -> int:
    """Return result, loser and places as one number."""
    code = (S[RESULT] << 4) | (S[LOSER] + 1)
    for seat in range(MAX_PLAYERS):
        code = (code << 4) | S[at(PLACE, seat)]
    return code


@kernel
def settled_outcome(S: State) -> int:
    """Return the outcome of settling the bout now, leaving the state as it was."""
    save_deal(S)
    leave_and_settle(S)
    code = outcome_code(S)
    restore_deal(S)
    return code


@kernel
def note_settling(S: State, options: int) -> None:
    """Compare who leaves with which place, and how the deal ends, with what it would be (6)."""
    outcome = settled_outcome(S)
    while options != 0:
        option = lowest_index(options)
        options &= options - 1
        to_classic(S, option)
        other = settled_outcome(S)
        from_classic(S, option)
        note(S, option, other != outcome)


@kernel
def watch_rules(S: State) -> None:
    """Watch the options of a table that differ from `classic`."""
    watched = 0
    for option in range(N_RULES):
        if S[option] != CLASSIC_RULES[option]:
            watched |= 1 << option
    S[WATCHED] = watched
