"""`thrifty`: knows what each card is worth, and spends no more than the moment asks for."""

from __future__ import annotations

from simcli.bots.parameters import Parameter
from simcli.bots.thrifty_weights import AMONG_TWO, END, WEIGHTS
from simcli.bots.thrifty_worth import (
    is_end,
    is_tired,
    stage_of,
    strength,
    throwers,
    total_strength,
    unseen,
    worth,
    worth_less_than,
)
from simcli.engine.actions import Move, action, cover_action, whole_turn
from simcli.engine.bits import at, lowest_bit, n_lowest, popcount
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    ADDABLE,
    ATTACK,
    DEFENDER,
    EXCHANGE,
    HAND,
    LEAD_SEVERAL,
    PASS,
    PH_EXCHANGE,
    PH_LAST_THROW,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_RESPOND,
    PH_THROW,
    PH_TRANSFER_MORE,
    PHASE,
    PICK_UP,
    R_LEAD,
    RANKS,
    SHOW,
    STOP,
    TABLE,
    THROW,
    TRANSFER,
    TRUMPS,
    UNCOVERED,
    State,
)
from simcli.engine.legal import beaters, higher_in_suit, rank_of, room, showable, transferable
from simcli.engine.seats import bot_param, hand_size, next_active

DESCRIPTION = (
    "Plans the whole defence, spends trumps where picking up would cost more, keeps pairs, does not lay down "
    "ranks that invite throw-ins, and throws in late in the deal what it spares early."
)

NEVER = 1 << 30

# the habits of transferring, showing and throwing in
BY_WORTH = 0
WHENEVER_LEGAL = 1
NOT_AT_ALL = 2

HABITS = ("default", "always", "never")
PARAMETERS = (
    Parameter(
        "transfer",
        "Whether it transfers by what that is worth, always when it may, or never.",
        "default",
        words=HABITS,
    ),
    Parameter(
        "show",
        "Whether it shows the pass card by what that is worth, always when it may, or never.",
        "default",
        words=HABITS,
    ),
    Parameter(
        "throw",
        "Whether it throws in by what that is worth, always all that it may, or never.",
        "default",
        words=HABITS,
    ),
)
P_TRANSFER = 0
P_SHOW = 1
P_THROW = 2


# ---------------------------------------------------------------------------------- defence


@inlined
def cost_of_cover(S: State, seat: int, stage: int, card: int, known: int, hidden: int, risk: int) -> int:
    """Return what it costs to cover with a card: its worth, and the throw-ins that its rank may bring."""
    rank = rank_of(card)
    throw_ins = ((risk * popcount(hidden & rank)) >> 6) + WEIGHTS.risk[stage] * popcount(known & rank)
    return worth(S, seat, stage, card) + throw_ins


@inlined
def plan_defence(S: State, seat: int, stage: int) -> tuple[int, int, int]:
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
    hand = S[at(HAND, seat)]
    known, hidden, share = throwers(S, seat)
    # ranks on the table invite nobody anew, and without room nobody can throw in
    open_ranks = ~S[RANKS] if room(S) > 0 else 0
    risk = WEIGHTS.risk[stage] * share
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
                card_cost = cost_of_cover(S, seat, stage, card, known & open_ranks, hidden & open_ranks, risk)
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
def value_of_covering(S: State, seat: int, stage: int, cost: int) -> int:
    """Return what it is worth to cover everything at a cost."""
    n_attacks = popcount(S[UNCOVERED])
    value = WEIGHTS.turn[stage] + WEIGHTS.hold[stage] * n_attacks - cost
    if hand_size(S, seat) == n_attacks:
        value += WEIGHTS.out[stage]
    return value


@inlined
def value_of_picking_up(S: State, stage: int) -> int:
    """Return what it is worth to pick up the table."""
    table = S[TABLE]
    value = total_strength(S, stage, table) - WEIGHTS.pick[stage] * popcount(table)
    return value - NEVER if is_tired(S) else value


@inlined
def value_of_transfer(S: State, stage: int, card: int) -> int:
    """Return what it is worth to transfer with a card."""
    return WEIGHTS.transfer[stage] + WEIGHTS.hold[stage] - strength(S, stage, card)


@inlined
def respond(S: State, seat: int) -> Move:
    """Pick up, cover, transfer or show, whichever is worth most."""
    stage = stage_of(S)
    best = value_of_picking_up(S, stage)
    move = action(PICK_UP, 0)
    cost, attack, card = plan_defence(S, seat, stage)
    if card != 0:
        value = value_of_covering(S, seat, stage, cost)
        if value > best:
            best = value
            move = cover_action(attack, card)
    habit = bot_param(S, seat, P_TRANSFER)
    cards = transferable(S)
    if cards != 0 and habit != NOT_AT_ALL:
        plain = cards & ~S[TRUMPS]
        card = lowest_bit(plain if plain != 0 else cards)
        value = NEVER if habit == WHENEVER_LEGAL else value_of_transfer(S, stage, card)
        if value > best:
            best = value
            move = action(TRANSFER, card)
    habit = bot_param(S, seat, P_SHOW)
    shown = showable(S)
    if shown != 0 and habit != NOT_AT_ALL and (habit == WHENEVER_LEGAL or WEIGHTS.show[stage] > best):
        move = action(SHOW, shown)
    return move


# ---------------------------------------------------------------------------------- attack


@inlined
def add_nothing(S: State) -> Move:
    """Pass, or stop after having added."""
    phase = S[PHASE]
    return action(PASS if phase == PH_THROW or phase == PH_LAST_THROW else STOP, 0)


@inlined
def add_cards(S: State, seat: int, stage: int, verb: int, limit: int) -> Move:
    """Add all cards worth less than a limit, non-trumps first; without stock the last cards in any case."""
    trumps = S[TRUMPS]
    addable = S[ADDABLE]
    places = room(S)
    if is_end(S) and addable == S[at(HAND, seat)] and popcount(addable) <= places:
        return whole_turn(verb, addable)
    cards = worth_less_than(S, seat, stage, addable, limit)
    if cards == 0:
        return add_nothing(S)
    plain = n_lowest(cards & ~trumps, places)
    return whole_turn(verb, plain | n_lowest(cards & trumps, places - popcount(plain)))


@inlined
def throw_in(S: State, seat: int) -> Move:
    """Throw in what the stage of the deal lets it spare."""
    stage = stage_of(S)
    habit = bot_param(S, seat, P_THROW)
    if habit != BY_WORTH:
        return add_nothing(S) if habit == NOT_AT_ALL else add_cards(S, seat, stage, THROW, NEVER)
    if S[PHASE] >= PH_LAST_THROW:
        return add_cards(S, seat, stage, THROW, WEIGHTS.give[stage])
    limit = WEIGHTS.throw[stage]
    # if the defender picks up, this seat leads; if not, it is attacked
    if next_active(S, S[DEFENDER]) == seat:
        limit += WEIGHTS.throw_next[stage]
    return add_cards(S, seat, stage, THROW, limit)


@inlined
def cards_to_lead(S: State, stage: int, group: int) -> int:
    """Return the cards of one rank that it would lead: the non-trumps if they are cheap, else one card."""
    plain = group & ~S[TRUMPS]
    if plain == 0:
        return group
    if S[R_LEAD] == LEAD_SEVERAL and strength(S, stage, lowest_bit(plain)) < WEIGHTS.lead[stage]:
        return n_lowest(plain, room(S))
    return lowest_bit(plain)


@inlined
def value_of_lead(S: State, stage: int, cards: int, hidden: int) -> int:
    """Return what it is worth to lead some cards of one rank."""
    return (
        WEIGHTS.lead[stage] * popcount(cards)
        - total_strength(S, stage, cards)
        - WEIGHTS.lead_mates[stage] * popcount(hidden & rank_of(cards))
    )


@inlined
def best_lead(S: State, seat: int, stage: int, hidden: int) -> int:
    """Return the cards of the rank that is best led."""
    best = -NEVER
    lead_cards = 0
    rest = S[at(HAND, seat)]
    while rest != 0:
        group = rest & rank_of(rest)
        rest ^= group
        cards = cards_to_lead(S, stage, group)
        value = value_of_lead(S, stage, cards, hidden)
        if is_tired(S):  # what is most likely beaten ends a row of bouts taken
            value = popcount(hidden & beaters(S, lowest_bit(cards)))
        if value > best:
            best = value
            lead_cards = cards
    return lead_cards


@inlined
def winning_lead(S: State, seat: int, stage: int, hidden: int) -> int:
    """Return cards that cannot be beaten, if all ranks but one are such, else 0.

    Of the last two seats the other one must pick up and does not lead again before this one is out,
    if what it picks up does not help it.
    """
    n_beatable = 0
    sure_cards = 0
    rest = S[at(HAND, seat)]
    while rest != 0:
        group = rest & rank_of(rest)
        rest ^= group
        cards = cards_to_lead(S, stage, group)
        if hidden & beaters(S, lowest_bit(cards)):
            n_beatable += 1
        elif sure_cards == 0:
            sure_cards = cards
    return sure_cards if n_beatable <= 1 else 0


@inlined
def lead(S: State, seat: int) -> Move:
    """Lead the last cards if they are of one rank, else what wins for sure, else the best rank."""
    hand = S[at(HAND, seat)]
    n = hand_size(S, seat)
    most = room(S) if S[R_LEAD] == LEAD_SEVERAL else 1
    if is_end(S) and hand & ~rank_of(hand) == 0 and n <= most:
        return whole_turn(ATTACK, hand)
    stage = stage_of(S)
    hidden = unseen(S, seat)
    if stage == END + AMONG_TWO and not is_tired(S):
        cards = winning_lead(S, seat, stage, hidden)
        if cards != 0:
            return whole_turn(ATTACK, cards)
    return whole_turn(ATTACK, best_lead(S, seat, stage, hidden))


@kernel
def choose_thrifty(S: State, seat: int) -> Move:
    """Return the move of `thrifty` (docs/bots.md)."""
    phase = S[PHASE]
    if phase == PH_RESPOND:
        return respond(S, seat)
    if phase == PH_LEAD:
        return lead(S, seat)
    if phase == PH_EXCHANGE:
        return action(EXCHANGE, 0)  # the exposed trump is the higher one
    if phase == PH_LEAD_MORE or phase == PH_TRANSFER_MORE:
        stage = stage_of(S)
        return add_cards(S, seat, stage, ATTACK if phase == PH_LEAD_MORE else TRANSFER, WEIGHTS.lead[stage])
    return throw_in(S, seat)
