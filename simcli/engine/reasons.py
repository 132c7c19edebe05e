"""Why an action is illegal: the first condition that fails, as a number.

The conditions are the functions of `legal` that the masks of legal actions are built from. `records.reasons`
has the words.
"""

from __future__ import annotations

from simcli.engine.actions import unpacked
from simcli.engine.bits import at
from simcli.engine.deal import opener
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ATTACK,
    ATTACKER,
    BOUT_LIMIT,
    COVER,
    DEFENDER,
    ELIGIBLE,
    EXCHANGE,
    HAND,
    JOINED_MASK,
    KEEP,
    LEADER,
    LIMIT,
    N_ATTACKS,
    PACK,
    PARTNERS,
    PASS,
    PASSED,
    PH_EXCHANGE,
    PH_LAST_THROW,
    PH_LAST_THROW_MORE,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_OVER,
    PH_RESPOND,
    PH_THROW_MORE,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    R_WHO,
    R_WINDOW,
    RANKS,
    SHOW,
    STOP,
    STOPPED,
    THROW,
    TRANSFER,
    TRUMPS,
    UNCOVERED,
    WHO_ATTACKER,
    WHO_NEIGHBOURS,
    WINDOW_AFTER_COVER,
    State,
)
from simcli.engine.legal import (
    beaters,
    exchange_is_played,
    first_bout_lets_transfer,
    has_room,
    has_stock,
    is_window_open,
    lead_may_grow,
    lowest_trump_holder,
    lowest_trump_of_pack,
    pass_cards_are_played,
    room_to_transfer,
    seats_with_rank,
    shared_rank,
    shows_left,
    transfer_may_grow,
    transfer_window_is_open,
    transfers_are_played,
)
from simcli.engine.seats import next_opponent
from simcli.engine.view import askable_seats

# ---------------------------------------------------------------------------------- the reasons

LEGAL = 0

# the deal and the cards
DEAL_IS_OVER = 1
SEAT_HAS_LEFT = 2
CARD_NOT_IN_PACK = 3
CARD_NOT_IN_HAND = 4

# whose turn it is
EXCHANGE_COMES_FIRST = 5  # the holder of the lowest trump has not answered yet
LEAD_COMES_FIRST = 6  # the attacker leads, or may still add to the lead
TRANSFER_COMES_FIRST = 7  # the new attacker may still add to the transfer
THROW_INS_COME_FIRST = 8  # others may throw in before the defender responds
RESPONSE_COMES_FIRST = 9  # the defender responds before anybody adds
SEAT_IS_NEXT_LATER = 10  # another seat is asked before, clockwise
OTHER_SEAT_ADDS = 11  # another seat has added and may add more
NOT_THE_DEFENDER = 12
NOT_THE_LEADER = 13

# the lead
MUST_LEAD = 14
LEAD_OTHER_RANK = 15
LEAD_IS_ONE_CARD = 16
LEAD_IS_OVER = 17
ADD_TO_LEAD_OR_STOP = 18

# room
NO_ROOM_IN_BOUT = 19  # the bout limit
NO_ROOM_IN_HAND = 20  # the defender's hand
NO_ROOM_IN_DEFENCE = 21  # the limit fixed when the defence began

# the response
MUST_RESPOND = 22
DEFENDER_DOES_NOT_ADD = 23
NOT_AN_UNCOVERED_ATTACK = 24
DOES_NOT_BEAT = 25
NOTHING_TO_ANSWER = 26  # no attack is uncovered
HAS_PICKED_UP = 27

# transfers and shows
NO_TRANSFERS = 28
TRANSFER_AFTER_COVER = 29
TRANSFER_IN_FIRST_BOUT = 30
RANKS_DIFFER = 31
TRANSFER_OTHER_RANK = 32
TRANSFER_OVER_LIMIT = 33
TRANSFER_OVER_HAND = 34
TRANSFER_IS_ONE_CARD = 35
TRANSFER_IS_OVER = 36
ADD_TO_TRANSFER_OR_STOP = 37
NO_PASS_CARDS = 38
NOT_THE_PASS_CARD = 39
SHOWN_ALREADY = 40
SHOW_OVER_HAND = 41
SHOW_ADDS_NOTHING = 42  # the attack was shown on: nobody adds a card with it

# throw-ins
NOBODY_THROWS_IN = 43
ONLY_ATTACKER_THROWS_IN = 44
ONLY_NEIGHBOURS_THROW_IN = 45
PARTNER_DOES_NOT_THROW_IN = 46
WINDOW_BEFORE_COVER = 47  # after_cover: nothing is covered yet
WINDOW_BEFORE_BEATEN = 48  # when_beaten: an attack is uncovered
HAS_PASSED = 49
HAS_STOPPED = 50
HAS_BEEN_ASKED = 51  # in the last round
HAND_IS_EMPTY = 52
NO_MATCHING_CARD = 53
RANK_NOT_ON_TABLE = 54
NOTHING_ADDED = 55  # stop before anything was added: pass
SOMETHING_ADDED = 56  # pass after something was added: stop

# the trump exchange
NO_EXCHANGE = 57
EXCHANGE_WITHOUT_STOCK = 58
NOT_THE_HOLDER = 59
EXCHANGE_IS_OVER = 60
EXCHANGE_OR_KEEP = 61

N_REASONS = 62

# ---------------------------------------------------------------------------------- conditions


@inlined
def first_of(one: int, other: int) -> int:
    """Return the first reason, the second if there is none."""
    return one if one != LEGAL else other


@inlined
def why_not_held(S: State, seat: int, card: int) -> int:
    """Return why a seat cannot play a card, whatever the table says."""
    if card & S[PACK] == 0:
        return CARD_NOT_IN_PACK
    return LEGAL if card & S[at(HAND, seat)] else CARD_NOT_IN_HAND


@inlined
def why_no_room(S: State) -> int:
    """Return what leaves no room for another attack (docs/rules.md 3.2)."""
    if has_room(S):
        return LEGAL
    if S[LIMIT] != 0:
        return NO_ROOM_IN_DEFENCE
    return NO_ROOM_IN_BOUT if S[N_ATTACKS] >= S[BOUT_LIMIT] else NO_ROOM_IN_HAND


@inlined
def why_no_exchange(S: State, seat: int) -> int:
    """Return why a seat is not asked about the trump exchange (docs/rules.md 5.4)."""
    if not exchange_is_played(S):
        return NO_EXCHANGE
    if not has_stock(S):
        return EXCHANGE_WITHOUT_STOCK
    if lowest_trump_holder(S, lowest_trump_of_pack(S, S[PACK])) != seat:
        return NOT_THE_HOLDER
    return EXCHANGE_IS_OVER


@inlined
def why_no_lead(S: State, seat: int, card: int) -> int:
    """Return why nothing is added to a lead that has been made (docs/rules.md 3.1)."""
    if seat != S[LEADER]:
        return NOT_THE_LEADER
    if not lead_may_grow(S):
        return LEAD_IS_ONE_CARD
    if card & S[RANKS] == 0:
        return LEAD_OTHER_RANK
    return first_of(why_no_room(S), LEAD_IS_OVER)


# ---------------------------------------------------------------------------------- transfers


@inlined
def why_attack_stays(S: State) -> int:
    """Return why the attack cannot move on at all (docs/rules.md 4, conditions 1 and 4)."""
    if not transfer_window_is_open(S):
        return TRANSFER_AFTER_COVER if transfers_are_played(S) else NO_TRANSFERS
    return LEGAL if first_bout_lets_transfer(S) else TRANSFER_IN_FIRST_BOUT


@inlined
def why_no_rank(S: State, card: int) -> int:
    """Return why a card is not of the one rank of all uncovered attacks (docs/rules.md 4, condition 2)."""
    rank = shared_rank(S)
    if rank == 0:
        return RANKS_DIFFER
    return LEGAL if card & rank else TRANSFER_OTHER_RANK


@inlined
def why_no_room_to_transfer(S: State, receiver: int) -> int:
    """Return why a receiver cannot be made to face one attack more (docs/rules.md 4, condition 3)."""
    if room_to_transfer(S, receiver) >= 1:
        return LEGAL
    return TRANSFER_OVER_LIMIT if S[N_ATTACKS] >= S[BOUT_LIMIT] else TRANSFER_OVER_HAND


@inlined
def why_no_transfer(S: State, seat: int, card: int) -> int:
    """Return why the defender cannot transfer with a card (docs/rules.md 4)."""
    reason = first_of(why_attack_stays(S), why_not_held(S, seat, card))
    reason = first_of(reason, why_no_rank(S, card))
    return first_of(reason, why_no_room_to_transfer(S, next_opponent(S, seat)))


@inlined
def why_no_show(S: State, seat: int, card: int) -> int:
    """Return why the defender cannot show a card (docs/rules.md 4.9)."""
    if not pass_cards_are_played(S):
        return NO_PASS_CARDS
    reason = first_of(why_attack_stays(S), why_not_held(S, seat, card))
    reason = first_of(reason, why_no_rank(S, card))
    if reason != LEGAL:
        return reason
    if card & S[TRUMPS] == 0:
        return NOT_THE_PASS_CARD
    if shows_left(S, seat) < 1:
        return SHOWN_ALREADY
    return LEGAL if room_to_transfer(S, next_opponent(S, seat)) >= 0 else SHOW_OVER_HAND


@inlined
def why_transfer_stays(S: State, seat: int, card: int) -> int:
    """Return why nothing is added to a transfer that has been made (docs/rules.md 4.5)."""
    if seat != S[ATTACKER] or seat == S[LEADER]:
        return NOT_THE_DEFENDER
    if not transfer_may_grow(S):
        return TRANSFER_IS_ONE_CARD
    if (S[JOINED_MASK] >> seat) & 1 == 0:
        return SHOW_ADDS_NOTHING
    if S[UNCOVERED] == 0:
        return TRANSFER_IS_OVER
    return first_of(first_of(why_no_rank(S, card), why_no_room_to_transfer(S, S[DEFENDER])), TRANSFER_IS_OVER)


# ---------------------------------------------------------------------------------- throw-ins


@inlined
def why_not_eligible(S: State, seat: int) -> int:
    """Return why a seat may not throw in against the present defender (docs/rules.md 3.4 and 6.6)."""
    if (S[ELIGIBLE] >> seat) & 1:
        return LEGAL
    if (S[at(PARTNERS, S[DEFENDER])] >> seat) & 1:
        return PARTNER_DOES_NOT_THROW_IN
    if S[R_WHO] == WHO_ATTACKER:
        return ONLY_ATTACKER_THROWS_IN
    return ONLY_NEIGHBOURS_THROW_IN if S[R_WHO] == WHO_NEIGHBOURS else NOBODY_THROWS_IN


@inlined
def why_window_is_shut(S: State) -> int:
    """Return why nobody may throw in before the defender's response (docs/rules.md 3.4)."""
    if is_window_open(S):
        return LEGAL
    return WINDOW_BEFORE_COVER if S[R_WINDOW] == WINDOW_AFTER_COVER else WINDOW_BEFORE_BEATEN


@inlined
def why_done(S: State, seat: int) -> int:
    """Return why an eligible seat is not asked in this window: it has answered, or it cannot add (3.4)."""
    if (S[PASSED] >> seat) & 1:
        return HAS_BEEN_ASKED if S[PHASE] >= PH_LAST_THROW else HAS_PASSED
    if (S[STOPPED] >> seat) & 1:
        return HAS_STOPPED
    if (seats_with_rank(S) >> seat) & 1:
        return LEGAL
    return HAND_IS_EMPTY if S[at(HAND, seat)] == 0 else NO_MATCHING_CARD


@inlined
def who_is_before(phase: int) -> int:
    """Return why a seat that could throw in must wait."""
    if phase == PH_RESPOND:
        return RESPONSE_COMES_FIRST
    return OTHER_SEAT_ADDS if phase in (PH_THROW_MORE, PH_LAST_THROW_MORE) else SEAT_IS_NEXT_LATER


@inlined
def why_no_throw_in(S: State, seat: int) -> int:
    """Return why a seat that is not asked cannot throw in (docs/rules.md 3.4)."""
    if seat == S[DEFENDER]:
        return DEFENDER_DOES_NOT_ADD
    reason = why_not_eligible(S, seat)
    if reason == LEGAL and S[PHASE] == PH_RESPOND:
        reason = first_of(why_window_is_shut(S), why_no_room(S))
    return first_of(first_of(reason, why_done(S, seat)), who_is_before(S[PHASE]))


# ---------------------------------------------------------------------------------- a seat not asked


@inlined
def why_defender_waits(S: State) -> int:
    """Return why the defender is not asked for a response (docs/rules.md 3.3 to 3.5)."""
    if S[PHASE] >= PH_LAST_THROW:
        return HAS_PICKED_UP
    return NOTHING_TO_ANSWER if S[UNCOVERED] == 0 else THROW_INS_COME_FIRST


@inlined
def why_too_early(S: State) -> int:
    """Return which of the beginnings of an attack is not finished yet."""
    if S[PHASE] == PH_EXCHANGE:
        return EXCHANGE_COMES_FIRST
    if S[PHASE] in (PH_LEAD, PH_LEAD_MORE):
        return LEAD_COMES_FIRST
    return TRANSFER_COMES_FIRST if S[PHASE] == PH_TRANSFER_MORE else LEGAL


@inlined
def why_not_asked(S: State, seat: int, verb: int, card: int) -> int:
    """Return why a seat that is not asked cannot do something."""
    if verb in (EXCHANGE, KEEP):
        return why_no_exchange(S, seat)
    too_early = why_too_early(S)
    if verb == ATTACK and too_early == LEAD_COMES_FIRST:
        return NOT_THE_LEADER
    if verb in (COVER, SHOW, PICK_UP, TRANSFER) and seat != S[DEFENDER]:
        if verb == TRANSFER and too_early == LEGAL:
            return why_transfer_stays(S, seat, card)
        return NOT_THE_DEFENDER
    if too_early != LEGAL:
        return too_early
    if verb == ATTACK:
        return why_no_lead(S, seat, card)
    return why_no_throw_in(S, seat) if verb in (THROW, PASS, STOP) else why_defender_waits(S)


# ---------------------------------------------------------------------------------- the asked seat


@inlined
def why_no_cover(S: State, seat: int, attack: int, card: int) -> int:
    """Return why the defender cannot cover an attack with a card (docs/rules.md 3.3 and 1.5)."""
    if attack & S[UNCOVERED] == 0:
        return NOT_AN_UNCOVERED_ATTACK
    reason = why_not_held(S, seat, card)
    if reason != LEGAL:
        return reason
    return LEGAL if card & beaters(S, attack) else DOES_NOT_BEAT


@inlined
def why_no_response(S: State, seat: int, verb: int, attack: int, card: int) -> int:
    """Return why the asked defender cannot do something (docs/rules.md 3.3)."""
    if verb == COVER:
        return why_no_cover(S, seat, attack, card)
    if verb == TRANSFER:
        return why_no_transfer(S, seat, card)
    if verb == SHOW:
        return why_no_show(S, seat, card)
    if verb == PICK_UP:
        return LEGAL
    return DEFENDER_DOES_NOT_ADD if verb in (ATTACK, THROW) else MUST_RESPOND


@inlined
def why_not_added(S: State, seat: int, card: int, ranks: int, other_rank: int) -> int:
    """Return why the asked seat cannot add a card that has to be of certain ranks."""
    reason = why_not_held(S, seat, card)
    if reason != LEGAL:
        return reason
    return LEGAL if card & ranks else other_rank


@inlined
def why_no_throw(S: State, seat: int, verb: int, card: int) -> int:
    """Return why the asked seat cannot do something in a window or in the last round (docs/rules.md 3.4)."""
    has_added = S[PHASE] in (PH_THROW_MORE, PH_LAST_THROW_MORE)
    if verb == THROW:
        return why_not_added(S, seat, card, S[RANKS], RANK_NOT_ON_TABLE)
    if verb == PASS:
        return SOMETHING_ADDED if has_added else LEGAL
    if verb == STOP:
        return LEGAL if has_added else NOTHING_ADDED
    if verb == ATTACK:
        return why_no_lead(S, seat, card)
    if verb == TRANSFER:
        return why_transfer_stays(S, seat, card)
    return NOT_THE_DEFENDER


@inlined
def why_not_now(S: State, seat: int, verb: int, attack: int, card: int) -> int:
    """Return why the asked seat cannot do something."""
    phase = S[PHASE]
    if phase == PH_EXCHANGE:
        return LEGAL if verb in (EXCHANGE, KEEP) else EXCHANGE_OR_KEEP
    if verb in (EXCHANGE, KEEP):
        return why_no_exchange(S, seat)
    if phase == PH_LEAD:
        return why_not_held(S, seat, card) if verb == ATTACK else MUST_LEAD
    if phase == PH_LEAD_MORE:
        if verb == ATTACK:
            return why_not_added(S, seat, card, S[RANKS], LEAD_OTHER_RANK)
        return LEGAL if verb == STOP else ADD_TO_LEAD_OR_STOP
    if phase == PH_RESPOND:
        return why_no_response(S, seat, verb, attack, card)
    if phase == PH_TRANSFER_MORE:
        if verb == TRANSFER:
            return why_not_added(S, seat, card, shared_rank(S), TRANSFER_OTHER_RANK)
        return LEGAL if verb == STOP else ADD_TO_TRANSFER_OR_STOP
    return why_no_throw(S, seat, verb, card)


@kernel
def why_illegal(S: State, seat: int, move: int) -> int:
    """Return the first condition that keeps a seat from a single action, one of the codes above.

    Parameters
    ----------
    S : State
        A deal in play; not changed.
    seat : int
        A seat of the table.
    move : int
        A single action, as `notation.parse_action` returns it.

    Returns
    -------
    int
        `LEGAL`, which is 0, if the seat may be asked now and the action is among its legal ones.
    """
    verb, attack, card, _ = unpacked(move)
    if S[PHASE] == PH_OVER:
        return DEAL_IS_OVER
    if (S[ACTIVE] >> seat) & 1 == 0:
        return SEAT_HAS_LEFT
    if (askable_seats(S) >> seat) & 1 == 0:
        return why_not_asked(S, seat, verb, card)
    return why_not_now(S, seat, verb, attack, card)


@kernel
def may_open(S: State, seat: int, is_first: bool, previous_loser: int) -> bool:
    """Return whether a seat may open the deal that has just been dealt (docs/rules.md 2).

    Where the opener is drawn at random the draws of many deals find every seat: that one of six stays out
    of a thousand draws has a chance below 10 to the power of -78.
    """
    for deal in range(1000):  # noqa: SIM110 – compiled code knows no generators
        if opener(S, 0, deal, is_first, previous_loser) == seat:
            return True
    return False
