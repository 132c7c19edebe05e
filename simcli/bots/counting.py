"""`counting`: remembers every card, knows what is still out, and plays to what the others can hold."""

from __future__ import annotations

from simcli.bots.counting_weights import (
    W_FAIL,
    W_GIVE,
    W_GIVE_NEXT,
    W_HOLD,
    W_LEAD,
    W_LEAD_BACK,
    W_LEAD_FORCE,
    W_LEAD_MATES,
    W_LEAD_TRUMP,
    W_OUT,
    W_PICK,
    W_RISK,
    W_SHOW,
    W_THROW,
    W_THROW_FEW,
    W_THROW_FORCE,
    W_THROW_NEXT,
    W_TRANSFER,
    W_TRANSFER_BACK,
    W_TRANSFER_FORCE,
    W_TURN,
    WEIGHTS,
    WeightTable,
)
from simcli.bots.counting_worth import row_of, strength, total_strength, worth
from simcli.bots.knowledge import (
    CERTAIN,
    CHANCE_BITS,
    chance_lacking,
    chance_unbeaten,
    deduced_hand,
    hidden_cards,
    n_held,
    own_hand,
    remembered,
    share_of,
    still_out,
    throwers,
)
from simcli.bots.thrifty import NEVER, add_nothing
from simcli.bots.thrifty_worth import is_end, is_tired
from simcli.engine.actions import Move, action, cover_action, whole_turn
from simcli.engine.bits import lowest_bit, n_lowest, popcount
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    ADDABLE,
    ATTACK,
    DEFENDER,
    EXCHANGE,
    LEAD_SEVERAL,
    PH_EXCHANGE,
    PH_LAST_THROW,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_RESPOND,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    R_LEAD,
    R_TRANSFER,
    RANKS,
    SHOW,
    TABLE,
    THROW,
    TRANSFER,
    TRANSFER_NONE,
    TRUMPS,
    UNCOVERED,
    State,
)
from simcli.engine.legal import beaters, higher_in_suit, rank_of, room, showable, transferable
from simcli.engine.seats import next_active, next_opponent

DESCRIPTION = (
    "Counts cards: knows what is still out and who was seen to take what, weighs how likely the others can "
    "beat, throw in and transfer, and knows the last opponent's hand."
)


@inlined
def weighed(weight: int, chance: int) -> int:
    """Return a weight times a chance."""
    return (weight * chance) >> CHANCE_BITS


# ---------------------------------------------------------------------------------- defence


@inlined
def cost_of_throw_ins(
    S: State, w: WeightTable, row: int, rank: int, rest: int, held: int, hidden: int, share: int
) -> int:
    """Return what the cards of a rank cost that may be thrown in, the more if the rest cannot beat them.

    `rest` is the hand after the cover; `held`, `hidden` and `share` say what the throwers hold.
    """
    cost = 0
    cards = rank & (held | hidden)
    while cards != 0:
        card = lowest_bit(cards)
        cards ^= card
        price = w[row, W_RISK] if rest & beaters(S, card) else w[row, W_FAIL]
        cost += price << CHANCE_BITS if card & held else price * share
    return cost >> CHANCE_BITS


@inlined
def plan_defence(S: State, w: WeightTable, row: int, out: int, hidden: int) -> tuple[int, int, int]:
    """Plan to cover every uncovered attack, each with the card that costs least.

    Trumps come first, because only trumps cover them; then the other attacks from the lowest. A trump
    goes to a non-trump that the suit cannot cover, or to a single attack if it costs less than the suit.

    Returns
    -------
    cost : int
        What all covers cost together.
    attack, cover : int
        The first step of the plan, sets of one; 0 and 0 if not everything can be covered.
    """
    trumps = S[TRUMPS]
    hand = own_hand(S)
    held, share = throwers(S, hidden)
    # ranks on the table invite nobody anew, and without room nobody can throw in
    open_ranks = ~S[RANKS] if room(S) > 0 else 0
    single = popcount(S[UNCOVERED]) == 1
    cost = 0
    first_attack = 0
    first_card = 0
    for group in range(2):
        attacks = S[UNCOVERED] & (~trumps if group else trumps)
        while attacks != 0:
            attack = lowest_bit(attacks)
            attacks ^= attack
            cards = hand & higher_in_suit(attack)
            if group and (cards == 0 or single):
                cards |= hand & trumps
            best = 0
            best_cost = NEVER
            while cards != 0:
                card = lowest_bit(cards)
                cards ^= card
                card_cost = worth(S, w, row, card, out) + cost_of_throw_ins(
                    S, w, row, rank_of(card) & open_ranks, hand ^ card, held, hidden, share
                )
                if card_cost < best_cost:
                    best = card
                    best_cost = card_cost
            if best == 0:
                return NEVER, 0, 0
            if first_card == 0:
                first_attack = attack
                first_card = best
            cost += best_cost
            hand ^= best
            open_ranks &= ~rank_of(best)
    return cost, first_attack, first_card


@inlined
def value_of_covering(S: State, w: WeightTable, row: int, cost: int) -> int:
    """Return what it is worth to cover everything at a cost."""
    n_attacks = popcount(S[UNCOVERED])
    value = w[row, W_TURN] + w[row, W_HOLD] * n_attacks - cost
    if popcount(own_hand(S)) == n_attacks:
        value += w[row, W_OUT]
    return value


@inlined
def value_of_picking_up(S: State, w: WeightTable, row: int, out: int) -> int:
    """Return what it is worth to pick up the table."""
    table = S[TABLE]
    value = total_strength(S, w, row, table, out) - w[row, W_PICK] * popcount(table)
    return value - NEVER if is_tired(S) else value


@inlined
def value_of_moving_on(S: State, w: WeightTable, row: int, attacks: int, hidden: int) -> int:
    """Return what the receiver of some attacks adds to the worth of a transfer or show.

    It is worth more if the receiver cannot beat them, and less if it can move them on as well.
    """
    receiver = next_opponent(S, S[DEFENDER])
    held = remembered(S, receiver)
    share = share_of(S, 1 << receiver, hidden)
    unbeaten = chance_unbeaten(S, attacks, held, hidden, share)
    moved_on = CERTAIN - chance_lacking(rank_of(attacks), held, hidden, share)
    return weighed(w[row, W_TRANSFER_FORCE], unbeaten) - weighed(w[row, W_TRANSFER_BACK], moved_on)


@inlined
def respond(S: State, w: WeightTable, row: int, out: int, hidden: int) -> Move:
    """Pick up, cover, transfer or show, whichever is worth most."""
    best = value_of_picking_up(S, w, row, out)
    move = action(PICK_UP, 0)
    cost, attack, card = plan_defence(S, w, row, out, hidden)
    if card != 0:
        value = value_of_covering(S, w, row, cost)
        if value > best:
            best = value
            move = cover_action(attack, card)
    cards = transferable(S)
    if cards != 0:
        plain = cards & ~S[TRUMPS]
        card = lowest_bit(plain if plain != 0 else cards)
        value = w[row, W_TRANSFER] + w[row, W_HOLD] - strength(S, w, row, card, out)
        value += value_of_moving_on(S, w, row, S[UNCOVERED] | card, hidden)
        if value > best:
            best = value
            move = action(TRANSFER, card)
    shown = showable(S)
    if shown != 0:
        value = w[row, W_SHOW] + value_of_moving_on(S, w, row, S[UNCOVERED], hidden)
        if value > best:
            move = action(SHOW, shown)
    return move


# ---------------------------------------------------------------------------------- attack


@inlined
def add_cards(S: State, cards: int, verb: int) -> Move:
    """Add some of the cards that may be added, non-trumps first, as far as there is room."""
    addable = S[ADDABLE]
    places = room(S)
    if is_end(S) and addable == own_hand(S) and popcount(addable) <= places:
        return whole_turn(verb, addable)  # the last cards in any case
    if cards == 0:
        return add_nothing(S)
    plain = n_lowest(cards & ~S[TRUMPS], places)
    return whole_turn(verb, plain | n_lowest(cards & S[TRUMPS], places - popcount(plain)))


@inlined
def cards_to_add(S: State, w: WeightTable, row: int, limit: int, force: int, out: int, hidden: int) -> int:
    """Return the cards worth less than a limit, which rises by `force` for what cannot be beaten."""
    held = remembered(S, S[DEFENDER])
    share = share_of(S, 1 << S[DEFENDER], hidden)
    chosen = 0
    cards = S[ADDABLE]
    while cards != 0:
        card = lowest_bit(cards)
        cards ^= card
        unbeaten = chance_lacking(beaters(S, card), held, hidden, share)
        if worth(S, w, row, card, out) < limit + weighed(force, unbeaten):
            chosen |= card
    return chosen


@inlined
def throw_in(S: State, w: WeightTable, row: int, out: int, hidden: int) -> Move:
    """Throw in what the stage of the deal lets it spare."""
    # if the defender picks up, this seat leads; if not, it is attacked
    leads_next = next_active(S, S[DEFENDER]) == S[ACTOR]
    if S[PHASE] >= PH_LAST_THROW:
        limit = w[row, W_GIVE] + (w[row, W_GIVE_NEXT] if leads_next else 0)
        return add_cards(S, cards_to_add(S, w, row, limit, 0, out, hidden), THROW)
    limit = w[row, W_THROW] + (w[row, W_THROW_NEXT] if leads_next else 0)
    if n_held(S, S[DEFENDER]) <= 2:
        limit += w[row, W_THROW_FEW]
    return add_cards(S, cards_to_add(S, w, row, limit, w[row, W_THROW_FORCE], out, hidden), THROW)


@inlined
def value_of_lead(
    S: State, w: WeightTable, row: int, cards: int, out: int, hidden: int, held: int, share: int
) -> int:
    """Return what it is worth to lead some cards of one rank to a defender of whom so much is known."""
    rank = rank_of(cards)
    value = w[row, W_LEAD] * popcount(cards) - total_strength(S, w, row, cards, out)
    value -= w[row, W_LEAD_MATES] * popcount(out & rank)
    value += weighed(w[row, W_LEAD_FORCE], chance_unbeaten(S, cards, held, hidden, share))
    if S[R_TRANSFER] != TRANSFER_NONE:
        value -= weighed(w[row, W_LEAD_BACK], CERTAIN - chance_lacking(rank, held, hidden, share))
    plain = cards & ~S[TRUMPS]
    while plain != 0:
        above = higher_in_suit(lowest_bit(plain))
        plain &= plain - 1
        value += weighed(w[row, W_LEAD_TRUMP], chance_lacking(above, held, hidden, share))
    return value


@inlined
def best_lead(S: State, w: WeightTable, row: int, out: int, hidden: int) -> int:
    """Return the cards that are best led: of some rank the lowest non-trump, all of them, or the trump."""
    trumps = S[TRUMPS]
    held = remembered(S, S[DEFENDER])
    share = share_of(S, 1 << S[DEFENDER], hidden)
    most = room(S) if S[R_LEAD] == LEAD_SEVERAL else 1
    tired = is_tired(S)
    best = -NEVER
    lead_cards = 0
    rest = own_hand(S)
    while rest != 0:
        group = rest & rank_of(rest)
        rest ^= group
        plain = group & ~trumps
        for choice in range(3):
            if choice == 0:
                cards = lowest_bit(plain)
            elif choice == 1:
                cards = n_lowest(plain, most)
                if popcount(cards) < 2:
                    continue
            else:
                cards = group & trumps
            if cards == 0:
                continue
            if tired:  # what is most likely beaten ends a row of bouts taken
                value = popcount(out & beaters(S, lowest_bit(cards)))
            else:
                value = value_of_lead(S, w, row, cards, out, hidden, held, share)
            if value > best:
                best = value
                lead_cards = cards
    return lead_cards


@inlined
def winning_lead(S: State, other_hand: int) -> int:
    """Return cards that the last opponent cannot beat, if all ranks but one are such, else 0.

    It must pick up each of them and does not lead again before this seat is out, if what it picks up does
    not help it.
    """
    trumps = S[TRUMPS]
    most = room(S) if S[R_LEAD] == LEAD_SEVERAL else 1
    n_beatable = 0
    sure_cards = 0
    rest = own_hand(S)
    while rest != 0:
        group = rest & rank_of(rest)
        rest ^= group
        plain = group & ~trumps
        cards = n_lowest(plain, most) if plain != 0 else group
        if other_hand & beaters(S, lowest_bit(cards)):
            n_beatable += 1
        elif sure_cards == 0:
            sure_cards = cards
    return sure_cards if n_beatable <= 1 else 0


@inlined
def lead(S: State, w: WeightTable, row: int, out: int, hidden: int) -> Move:
    """Lead the last cards if they are of one rank, else what wins for sure, else what is worth most."""
    hand = own_hand(S)
    most = room(S) if S[R_LEAD] == LEAD_SEVERAL else 1
    if is_end(S) and hand & ~rank_of(hand) == 0 and popcount(hand) <= most:
        return whole_turn(ATTACK, hand)
    if is_end(S) and popcount(S[ACTIVE]) == 2 and not is_tired(S):
        cards = winning_lead(S, deduced_hand(S, S[DEFENDER]))
        if cards != 0:
            return whole_turn(ATTACK, cards)
    return whole_turn(ATTACK, best_lead(S, w, row, out, hidden))


@inlined
def choose_weighed(S: State, w: WeightTable) -> Move:
    """Return the move of `counting` with a table of weights."""
    phase = S[PHASE]
    if phase == PH_EXCHANGE:
        return action(EXCHANGE, 0)  # the exposed trump is the higher one
    row = row_of(S)
    out = still_out(S)
    hidden = hidden_cards(S)
    if phase == PH_RESPOND:
        return respond(S, w, row, out, hidden)
    if phase == PH_LEAD:
        return lead(S, w, row, out, hidden)
    if phase == PH_LEAD_MORE or phase == PH_TRANSFER_MORE:
        verb = ATTACK if phase == PH_LEAD_MORE else TRANSFER
        return add_cards(S, cards_to_add(S, w, row, w[row, W_LEAD], 0, out, hidden), verb)
    return throw_in(S, w, row, out, hidden)


@kernel
def choose_counting(S: State) -> Move:
    """Return the move of `counting` (docs/bots.md)."""
    return choose_weighed(S, WEIGHTS)
