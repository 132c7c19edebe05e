"""What may be done now: one small condition a rule, and the masks built from them.

The conditions are used by the masks and, one by one, by whoever has to say *why* something is illegal.
"""

from __future__ import annotations

from simcli.engine.bits import at, lowest_bit, lowest_index, popcount
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ATTACKER,
    BEATEN_BEFORE,
    BOUT_LIMIT,
    DEFENDER,
    ELIGIBLE,
    EXCHANGE_NONE,
    FIRST_BOUT,
    HAND,
    LEAD_SEVERAL,
    LIMIT,
    MAX_PLAYERS,
    N_ATTACKS,
    ORDER_CLOCKWISE,
    PARTNERS,
    PASSED,
    PH_LEAD,
    PH_RESPOND,
    PHASE,
    PLAYERS,
    R_EXCHANGE,
    R_FIRST_LIMIT,
    R_FIRST_SCOPE,
    R_LEAD,
    R_LIMIT,
    R_ORDER,
    R_PASS_CARD,
    R_PER_BOUT,
    R_TEAMS,
    R_TRANSFER,
    R_TRANSFER_CARDS,
    R_TRANSFER_FIRST_BOUT,
    R_WHO,
    R_WINDOW,
    RANKS,
    SCOPE_FIRST_BOUT,
    SHOWN,
    STOCK_NEXT,
    STOCK_SIZE,
    STOPPED,
    SUIT_CLUBS,
    TEAMS_NONE,
    TRANSFER_EARLY,
    TRANSFER_NONE,
    TRANSFER_SEVERAL,
    TRUMPS,
    UNCOVERED,
    WHO_ALL,
    WHO_ATTACKER,
    WHO_NEIGHBOURS,
    WINDOW_AFTER_COVER,
    WINDOW_FROM_LEAD,
    State,
)
from simcli.engine.seats import first_in, hand_size, nearest_before, next_in, next_opponent, opponents

# ---------------------------------------------------------------------------------- cards


@inlined
def rank_of(card: int) -> int:
    """Return the set of all four cards of the rank of a card (a set of one)."""
    return 15 << (lowest_index(card) & ~3)


@inlined
def suit_of(card: int) -> int:
    """Return the set of all cards of the suit of a card (a set of one)."""
    return SUIT_CLUBS << (lowest_index(card) & 3)


@inlined
def higher_in_suit(card: int) -> int:
    """Return the set of the higher cards of a card's own suit."""
    return suit_of(card) & ~(card | (card - 1))


@inlined
def beaters(S: State, attack: int) -> int:
    """Return the set of all cards that beat an attack (docs/rules.md 1)."""
    higher = higher_in_suit(attack)
    # a trump beats every non-trump
    return higher if attack & S[TRUMPS] else higher | S[TRUMPS]


# ---------------------------------------------------------------------------------- room


@inlined
def limit_of_bout(S: State, limit: int, first_limit: int, scope: int) -> int:
    """Return the bout limit B by attack.limit, first_limit and first_scope (docs/rules.md 3)."""
    opening = S[FIRST_BOUT] != 0 if scope == SCOPE_FIRST_BOUT else S[BEATEN_BEFORE] == 0
    return first_limit if opening else limit


@inlined
def bout_limit(S: State) -> int:
    """Return the bout limit B of the bout being begun or played."""
    return limit_of_bout(S, S[R_LIMIT], S[R_FIRST_LIMIT], S[R_FIRST_SCOPE])


@inlined
def n_covered(S: State) -> int:
    """Return the number of covered attacks on the table."""
    return S[N_ATTACKS] - popcount(S[UNCOVERED])


@inlined
def limit_for(S: State, seat: int) -> int:
    """Return min(B, covered + cards in a seat's hand), what that seat can be made to face (3.2)."""
    facing = n_covered(S) + hand_size(S, seat)
    return facing if facing < S[BOUT_LIMIT] else S[BOUT_LIMIT]


@inlined
def room(S: State) -> int:
    """Return how many attacks may still be added against the defender (docs/rules.md 3.2)."""
    limit = S[LIMIT]
    if limit == 0:  # the defence has not begun
        limit = limit_for(S, S[DEFENDER])
    return limit - S[N_ATTACKS]


@inlined
def has_room(S: State) -> bool:
    """Return whether another attack may be added against the defender (docs/rules.md 3.2)."""
    return room(S) > 0


@inlined
def matching(S: State, seat: int) -> int:
    """Return the cards of a seat whose rank lies on the table (docs/rules.md 3.1 and 3.4)."""
    return S[at(HAND, seat)] & S[RANKS]


# ---------------------------------------------------------------------------------- throw-ins


@inlined
def eligible_among(S: State, others: int, who: int) -> int:
    """Return those of the defender's opponents that may throw in by throw_in.who (docs/rules.md 3.4)."""
    if who == WHO_ALL:
        return others
    if who == WHO_NEIGHBOURS:
        defender = S[DEFENDER]
        return (1 << next_in(S, others, defender)) | (1 << nearest_before(S, others, defender))
    if who == WHO_ATTACKER:
        return 1 << S[ATTACKER]
    return 0


@inlined
def eligible_seats(S: State) -> int:
    """Return the mask of the seats that may throw in against the present defender (docs/rules.md 3.4)."""
    return eligible_among(S, opponents(S, S[DEFENDER]), S[R_WHO])


@inlined
def window_is_open(S: State, window: int) -> bool:
    """Return whether throw_in.window asks for throw-ins before the defender's next response (3.4)."""
    if S[UNCOVERED] == 0 or window == WINDOW_FROM_LEAD:
        return True
    return window == WINDOW_AFTER_COVER and n_covered(S) > 0


@inlined
def is_window_open(S: State) -> bool:
    """Return whether throw-ins are asked for before the defender's next response (docs/rules.md 3.4)."""
    return window_is_open(S, S[R_WINDOW])


@inlined
def seats_with_rank(S: State) -> int:
    """Return the mask of the seats that hold a card of a rank on the table."""
    ranks = S[RANKS]
    seats = 0
    for seat in range(6):
        seats |= (1 if S[at(HAND, seat)] & ranks else 0) << seat
    return seats


@inlined
def willing_among(S: State, seats: int) -> int:
    """Return those of some seats that hold a fitting card and have neither passed nor stopped (3.4)."""
    return seats & ~(S[PASSED] | S[STOPPED]) & seats_with_rank(S)


@inlined
def askable_throwers(S: State) -> int:
    """Return the mask of the seats that may be asked for a throw-in now, room and window being given."""
    return willing_among(S, S[ELIGIBLE])


@inlined
def asked_before_response(S: State) -> int:
    """Return the mask of the seats to be asked for a throw-in before the defender's response (3.4)."""
    return askable_throwers(S) if is_window_open(S) and has_room(S) else 0


@inlined
def asked_after_pick_up(S: State) -> int:
    """Return the mask of the seats to be asked for a throw-in after a declaration to pick up (3.4)."""
    return askable_throwers(S) if has_room(S) else 0


@inlined
def next_asked(S: State, seats: int) -> int:
    """Return those of the seats to be asked one of which is asked now: the first clockwise, or any (3.4)."""
    if seats != 0 and S[R_ORDER] == ORDER_CLOCKWISE:
        return 1 << first_in(S, seats, S[ATTACKER])
    return seats


@inlined
def lead_may_grow(S: State) -> bool:
    """Return whether a lead may be several cards (docs/rules.md 3.1, attack.lead)."""
    return S[R_LEAD] == LEAD_SEVERAL


@inlined
def transfer_may_grow(S: State) -> bool:
    """Return whether a transfer may be several cards (docs/rules.md 4.5, transfer.cards)."""
    return S[R_TRANSFER_CARDS] == TRANSFER_SEVERAL


@inlined
def adding_is_over(S: State) -> bool:
    """Return whether the lead or the transfer just made must stay one card (docs/rules.md 3.1, 4)."""
    phase = S[PHASE]
    if phase == PH_LEAD:
        return not lead_may_grow(S)
    return phase == PH_RESPOND and not transfer_may_grow(S)


@inlined
def may_add_more(S: State) -> bool:
    """Return whether a seat that has added a card may add another if it has one (3.1, 3.2, 4)."""
    return has_room(S) and not adding_is_over(S)


# ---------------------------------------------------------------------------------- transfers


@inlined
def transfers_are_played(S: State) -> bool:
    """Return whether the table plays with transfers at all (docs/rules.md 4, transfer.mode)."""
    return S[R_TRANSFER] != TRANSFER_NONE


@inlined
def transfer_mode_allows(S: State, mode: int) -> bool:
    """Return whether a transfer.mode lets the attack move, as the table stands (4, condition 1)."""
    if mode == TRANSFER_NONE:
        return False
    return mode != TRANSFER_EARLY or n_covered(S) == 0


@inlined
def transfer_window_is_open(S: State) -> bool:
    """Return whether the state of the table lets the attack move at all (docs/rules.md 4, condition 1)."""
    return transfer_mode_allows(S, S[R_TRANSFER])


@inlined
def first_bout_allows(S: State, allowed: int) -> bool:
    """Return whether a transfer.first_bout lets the attack move in this bout (4, condition 4)."""
    return allowed != 0 or S[FIRST_BOUT] == 0


@inlined
def first_bout_lets_transfer(S: State) -> bool:
    """Return whether the ban on transfers in the first bout does not apply (4, condition 4)."""
    return first_bout_allows(S, S[R_TRANSFER_FIRST_BOUT])


@inlined
def shared_rank(S: State) -> int:
    """Return all cards of the one rank of all uncovered attacks, or 0 if they differ (4, condition 2)."""
    rank = rank_of(S[UNCOVERED])
    return rank if S[UNCOVERED] & ~rank == 0 else 0


@inlined
def of_shared_rank(S: State, seat: int) -> int:
    """Return the cards of a seat that are of the one rank of all uncovered attacks (4, condition 2)."""
    return S[at(HAND, seat)] & shared_rank(S)


@inlined
def room_to_transfer(S: State, receiver: int) -> int:
    """Return how many cards a transfer to a seat may add (4, condition 3).

    Both parts of the condition: attacks + k <= B, and uncovered + k <= the cards in the hand.
    """
    return limit_for(S, receiver) - S[N_ATTACKS]


@inlined
def may_move_attack(S: State) -> bool:
    """Return whether conditions 1 and 4 of a transfer or show hold (docs/rules.md 4)."""
    return transfer_window_is_open(S) and first_bout_lets_transfer(S)


@inlined
def movable_cards(S: State) -> int:
    """Return the cards that conditions 2 and 3 let the defender transfer with (docs/rules.md 4)."""
    cards = of_shared_rank(S, S[DEFENDER])
    if cards == 0 or room_to_transfer(S, next_opponent(S, S[DEFENDER])) < 1:
        return 0
    return cards


@inlined
def transferable(S: State) -> int:
    """Return the set of the cards that the defender may transfer with (docs/rules.md 4)."""
    return movable_cards(S) if may_move_attack(S) else 0


@inlined
def pass_cards_are_played(S: State) -> bool:
    """Return whether the table plays with the pass card (docs/rules.md 4.9, pass_card.enabled)."""
    return S[R_PASS_CARD] != 0


@inlined
def n_shown(S: State, seat: int) -> int:
    """Return how often a seat has shown in this bout."""
    return (S[SHOWN] >> (6 * seat)) & 63


@inlined
def shows_left(S: State, seat: int) -> int:
    """Return how often a seat may still show in this bout (docs/rules.md 4, pass card)."""
    return S[R_PER_BOUT] - n_shown(S, seat)


@inlined
def movable_show(S: State) -> int:
    """Return the trump that all but conditions 1 and 4 let the defender show, or 0 (4, pass card)."""
    if not pass_cards_are_played(S):
        return 0
    card = of_shared_rank(S, S[DEFENDER]) & S[TRUMPS]
    if card == 0 or shows_left(S, S[DEFENDER]) < 1:
        return 0
    return card if room_to_transfer(S, next_opponent(S, S[DEFENDER])) >= 0 else 0


@inlined
def showable(S: State) -> int:
    """Return the trump that the defender may show, as a set of one, or 0 (docs/rules.md 4, pass card)."""
    return movable_show(S) if may_move_attack(S) else 0


# ---------------------------------------------------------------------------------- covers


@inlined
def covers_of(S: State, attack: int) -> int:
    """Return the set of the defender's cards that beat an uncovered attack."""
    return S[at(HAND, S[DEFENDER])] & beaters(S, attack)


# ---------------------------------------------------------------------------------- trump exchange


@inlined
def exchange_is_played(S: State) -> bool:
    """Return whether the table plays with the trump exchange (docs/rules.md 5.4, trump_exchange)."""
    return S[R_EXCHANGE] != EXCHANGE_NONE


@inlined
def has_stock(S: State) -> bool:
    """Return whether cards are left to draw."""
    return S[STOCK_NEXT] < S[STOCK_SIZE]


@inlined
def lowest_trump_holder(S: State, lowest: int) -> int:
    """Return the active seat that holds a card (a set of one), or -1."""
    for seat in range(6):
        if (S[ACTIVE] >> seat) & 1 and S[at(HAND, seat)] & lowest:
            return seat
    return -1


@inlined
def lowest_trump_of_pack(S: State, pack: int) -> int:
    """Return the lowest trump of a pack as a set of one."""
    return lowest_bit(pack & S[TRUMPS])


# ---------------------------------------------------------------------------------- teams


@kernel
def set_partners(S: State) -> None:
    """Seat the teams: seats alternate between two or three teams, or each plays for itself (6)."""
    players = S[PLAYERS]
    n_teams = players if S[R_TEAMS] == TEAMS_NONE else S[R_TEAMS] + 1
    for seat in range(MAX_PLAYERS):
        S[at(PARTNERS, seat)] = 0
    for team in range(n_teams):
        mates = 0
        seat = team
        while seat < players:
            mates |= 1 << seat
            seat += n_teams
        seat = team
        while seat < players:
            S[at(PARTNERS, seat)] = mates
            seat += n_teams
