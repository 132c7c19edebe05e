"""Carry out an action: the table changes, the counters count, the next seat is asked."""

from __future__ import annotations

from simcli.engine.actions import Move, next_card, unpacked
from simcli.engine.bits import at, fold, lowest_index, nth, popcount
from simcli.engine.bout import (
    ASKED,
    NEXT_CLOSE_TAKEN,
    NEXT_LAST_ROUND,
    NEXT_RESPONSE,
    NEXT_WINDOW,
    ask_lead,
    begin_defence,
    go_on,
    set_roles,
)
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTOR,
    ADDABLE,
    ATTACK,
    COVER,
    DECISIONS,
    DEFENDER,
    EXCHANGE,
    FACED,
    HAND,
    JOINED,
    JOINED_MASK,
    KNOWN,
    N_ATTACKS,
    N_JOINED,
    N_LATE_TRANSFERS,
    N_SHOWS,
    N_THROW_INS,
    N_TRANSFERS,
    PACK,
    PASS,
    PASSED,
    PH_LAST_THROW,
    PH_LAST_THROW_MORE,
    PH_LEAD_MORE,
    PH_THROW,
    PH_THROW_MORE,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    R_ON_PICKUP,
    RANKS,
    SHOW,
    SHOWN,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    STOP,
    STOPPED,
    TABLE,
    THROW,
    TRACE,
    TRANSFER,
    UNCOVERED,
    State,
)
from simcli.engine.legal import (
    lowest_trump_of_pack,
    matching,
    may_add_more,
    n_covered,
    of_shared_rank,
    rank_of,
)
from simcli.engine.seats import next_opponent
from simcli.engine.triggers import (
    AT_LEAD,
    AT_THROW,
    AT_TRANSFER,
    note_adding,
    note_roles,
    open_at_roles,
    open_options,
    watch_pick_up,
)


@inlined
def record(S: State, seat: int, code: int) -> None:
    """Count an action and fold it into the trace."""
    S[DECISIONS] += 1
    S[TRACE] = fold(S[TRACE], (seat << 16) | code)


@inlined
def record_cards(S: State, seat: int, verb: int, cards: int) -> None:
    """Record the single actions of adding a set of cards, in the order of play."""
    while cards != 0:
        card = next_card(S, cards)
        cards ^= card
        record(S, seat, (verb << 6) | lowest_index(card))


@inlined
def lay_attacks(S: State, seat: int, verb: int, cards: int) -> None:
    """Lay cards from a seat's hand on the table as attacks."""
    record_cards(S, seat, verb, cards)
    S[at(HAND, seat)] ^= cards
    S[TABLE] |= cards
    S[UNCOVERED] |= cards
    S[N_ATTACKS] += popcount(cards)
    if (S[JOINED_MASK] >> seat) & 1 == 0:
        S[JOINED_MASK] |= 1 << seat
        S[JOINED] |= seat << (4 * S[N_JOINED])
        S[N_JOINED] += 1


@inlined
def stop(S: State, seat: int) -> None:
    """Stop adding: counts as a pass until the defender's next response (docs/rules.md 3.4)."""
    record(S, seat, STOP << 6)
    S[STOPPED] |= 1 << seat


@inlined
def ask_for_more(S: State, seat: int, rest: int, phase: int, stops: bool, options: int) -> bool:
    """Ask a seat that has added for more if it has a choice; return whether it is asked.

    `options` are those that could decide it (`triggers`).
    """
    if rest == 0:
        return False
    asked = may_add_more(S)
    watched = open_options(S, options)
    if watched != 0:
        note_adding(S, watched, asked)
    if not asked:
        return False
    if stops:
        stop(S, seat)
        return False
    S[ADDABLE] = rest
    S[PHASE] = phase
    return True


@inlined
def lead(S: State, seat: int, cards: int, stops: bool) -> int:
    """Lead, or add to the lead (docs/rules.md 3.1)."""
    lay_attacks(S, seat, ATTACK, cards)
    S[RANKS] = rank_of(cards)
    if ask_for_more(S, seat, matching(S, seat), PH_LEAD_MORE, stops, AT_LEAD):
        return ASKED
    return NEXT_WINDOW


@inlined
def throw_in(S: State, seat: int, cards: int, stops: bool) -> int:
    """Throw in; the defender responds before anybody else is asked, but for the last round (3.4)."""
    is_last = S[PHASE] >= PH_LAST_THROW
    lay_attacks(S, seat, THROW, cards)
    S[N_THROW_INS] += popcount(cards)
    phase = PH_LAST_THROW_MORE if is_last else PH_THROW_MORE
    if ask_for_more(S, seat, S[ADDABLE] & ~cards, phase, stops, AT_THROW):
        return ASKED
    return end_of_turn(S, seat, is_last)


@inlined
def end_of_turn(S: State, seat: int, is_last: bool) -> int:
    """Return what follows when a seat that has thrown in is done."""
    if is_last:
        S[PASSED] |= 1 << seat  # asked once
        return NEXT_LAST_ROUND
    return NEXT_RESPONSE


@inlined
def move_attack(S: State) -> None:
    """Make the defender the attacker and the next opponent the defender (docs/rules.md 4)."""
    S[N_TRANSFERS] += 1
    S[N_LATE_TRANSFERS] += 1 if n_covered(S) > 0 else 0
    seat = S[DEFENDER]
    set_roles(S, seat, next_opponent(S, seat))
    if open_at_roles(S):
        note_roles(S)


@inlined
def transfer(S: State, seat: int, cards: int, stops: bool) -> int:
    """Transfer the attack, or add to a transfer (docs/rules.md 4)."""
    if seat == S[DEFENDER]:
        move_attack(S)
    lay_attacks(S, seat, TRANSFER, cards)
    if ask_for_more(S, seat, of_shared_rank(S, seat), PH_TRANSFER_MORE, stops, AT_TRANSFER):
        return ASKED
    return NEXT_WINDOW


@inlined
def show(S: State, seat: int, card: int) -> int:
    """Show the trump of the attacks' rank and keep it (docs/rules.md 4, pass card)."""
    record(S, seat, (SHOW << 6) | lowest_index(card))
    S[N_SHOWS] += 1
    S[SHOWN] += 1 << (6 * seat)
    S[at(KNOWN, seat)] |= card
    move_attack(S)
    return NEXT_WINDOW


@inlined
def cover(S: State, seat: int, attack: int, card: int) -> int:
    """Cover an attack (docs/rules.md 3.3); a new rank on the table clears the passes (3.4)."""
    begin_defence(S)
    record(S, seat, (lowest_index(attack) << 10) | (COVER << 6) | lowest_index(card))
    S[at(HAND, seat)] ^= card
    S[TABLE] |= card
    S[UNCOVERED] ^= attack
    if card & S[RANKS] == 0:
        S[RANKS] |= rank_of(card)
        S[PASSED] = 0
    S[STOPPED] = 0
    return NEXT_WINDOW


@inlined
def pick_up(S: State, seat: int) -> int:
    """Declare a pick-up (docs/rules.md 3.3); it clears the passes and opens the last round (3.4)."""
    begin_defence(S)
    record(S, seat, PICK_UP << 6)
    S[FACED] = S[UNCOVERED]
    S[PASSED] = 0
    S[STOPPED] = 0
    if S[R_ON_PICKUP] != 0:
        return NEXT_LAST_ROUND
    watch_pick_up(S)
    return NEXT_CLOSE_TAKEN


@inlined
def exchange(S: State, seat: int) -> None:
    """Swap the lowest trump for the exposed one at the bottom of the stock (docs/rules.md 5)."""
    size = S[STOCK_SIZE]
    given = lowest_trump_of_pack(S, S[PACK])
    exposed = S[nth(STOCK, size)] ^ S[nth(STOCK, size - 1)]
    S[at(HAND, seat)] ^= given | exposed
    S[at(KNOWN, seat)] |= exposed
    # only the last card of the stock changes: what is drawn is the difference of two prefix sets
    for i in range(S[STOCK_NEXT], size):
        S[nth(STOCK, i)] ^= given | exposed


@inlined
def act(S: State, move: Move) -> int:
    """Carry out a legal move of the asked seat; return what happens next."""
    seat = S[ACTOR] & 7
    verb, attack, cards, whole = move
    if verb == COVER:
        return cover(S, seat, attack, cards)
    if verb == THROW:
        return throw_in(S, seat, cards, whole != 0)
    if verb == PASS:
        record(S, seat, PASS << 6)
        S[PASSED] |= 1 << seat
        return NEXT_WINDOW if S[PHASE] == PH_THROW else NEXT_LAST_ROUND
    if verb == ATTACK:
        return lead(S, seat, cards, whole != 0)
    if verb == TRANSFER:
        return transfer(S, seat, cards, whole != 0)
    if verb == PICK_UP:
        return pick_up(S, seat)
    if verb == STOP:
        stop(S, seat)
        if S[PHASE] >= PH_THROW_MORE:
            return end_of_turn(S, seat, S[PHASE] >= PH_LAST_THROW)
        return NEXT_WINDOW
    if verb == SHOW:
        return show(S, seat, cards)
    record(S, seat, verb << 6)
    if verb == EXCHANGE:
        exchange(S, seat)
    ask_lead(S)
    return ASKED


@inlined
def apply(S: State, move: Move) -> None:
    """Carry out a legal move of the asked seat and go on to the next seat that has a choice."""
    go_on(S, act(S, move))


@kernel
def apply_move(S: State, move: int) -> None:
    """Carry out a legal move: `apply` for callers outside compiled code."""
    apply(S, unpacked(move))
