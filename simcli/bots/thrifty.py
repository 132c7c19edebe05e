"""`thrifty`: knows what each card is worth, and spends no more than the moment asks for."""

from __future__ import annotations

from simcli.bots.parameters import Parameter
from simcli.bots.thrifty_sets import DEFAULT, OWN, SETS, WORDS, set_of_rules
from simcli.bots.thrifty_weights import (
    N_STAGES,
    W_GIVE,
    W_HOLD,
    W_LEAD,
    W_LEAD_MATES,
    W_OUT,
    W_PICK,
    W_RISK,
    W_SHOW,
    W_THROW,
    W_THROW_NEXT,
    W_TRANSFER,
    W_TURN,
    WeightTable,
)
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
    ACTIVE,
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
    Parameter(
        "weights",
        "Its weights: the usual ones, those tuned for a variant, or own: those tuned for the rules played.",
        DEFAULT,
        words=WORDS,
    ),
)
P_TRANSFER = 0
P_SHOW = 1
P_THROW = 2
P_WEIGHTS = 3


# ---------------------------------------------------------------------------------- defence


@inlined
def cost_of_throw_ins(w: WeightTable, row: int, card: int, known: int, hidden: int, risk: int) -> int:
    """Return what the throw-ins cost that the rank of a cover may bring."""
    rank = rank_of(card)
    return ((risk * popcount(hidden & rank)) >> 6) + w[row, W_RISK] * popcount(known & rank)


@inlined
def plan_defence(S: State, w: WeightTable, row: int, seat: int) -> tuple[int, int, int]:
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
    risk = w[row, W_RISK] * share
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
                card_cost = worth(S, w, row, seat, card)
                card_cost += cost_of_throw_ins(w, row, card, known & open_ranks, hidden & open_ranks, risk)
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
def value_of_covering(S: State, w: WeightTable, row: int, seat: int, cost: int) -> int:
    """Return what it is worth to cover everything at a cost."""
    n_attacks = popcount(S[UNCOVERED])
    value = w[row, W_TURN] + w[row, W_HOLD] * n_attacks - cost
    if hand_size(S, seat) == n_attacks:
        value += w[row, W_OUT]
    return value


@inlined
def value_of_picking_up(S: State, w: WeightTable, row: int) -> int:
    """Return what it is worth to pick up the table."""
    table = S[TABLE]
    value = total_strength(S, w, row, table) - w[row, W_PICK] * popcount(table)
    return value - NEVER if is_tired(S) else value


@inlined
def value_of_transfer(S: State, w: WeightTable, row: int, card: int) -> int:
    """Return what it is worth to transfer with a card."""
    return w[row, W_TRANSFER] + w[row, W_HOLD] - strength(S, w, row, card)


@inlined
def respond(S: State, w: WeightTable, row: int, seat: int) -> Move:
    """Pick up, cover, transfer or show, whichever is worth most."""
    best = value_of_picking_up(S, w, row)
    move = action(PICK_UP, 0)
    cost, attack, card = plan_defence(S, w, row, seat)
    if card != 0:
        value = value_of_covering(S, w, row, seat, cost)
        if value > best:
            best = value
            move = cover_action(attack, card)
    habit = bot_param(S, seat, P_TRANSFER)
    cards = transferable(S)
    if cards != 0 and habit != NOT_AT_ALL:
        plain = cards & ~S[TRUMPS]
        card = lowest_bit(plain if plain != 0 else cards)
        value = NEVER if habit == WHENEVER_LEGAL else value_of_transfer(S, w, row, card)
        if value > best:
            best = value
            move = action(TRANSFER, card)
    habit = bot_param(S, seat, P_SHOW)
    shown = showable(S)
    if shown != 0 and habit != NOT_AT_ALL and (habit == WHENEVER_LEGAL or w[row, W_SHOW] > best):
        move = action(SHOW, shown)
    return move


# ---------------------------------------------------------------------------------- attack


@inlined
def add_nothing(S: State) -> Move:
    """Pass, or stop after having added."""
    phase = S[PHASE]
    return action(PASS if phase == PH_THROW or phase == PH_LAST_THROW else STOP, 0)


@inlined
def add_cards(S: State, w: WeightTable, row: int, seat: int, verb: int, limit: int) -> Move:
    """Add all cards worth less than a limit, non-trumps first; without stock the last cards in any case."""
    trumps = S[TRUMPS]
    addable = S[ADDABLE]
    places = room(S)
    if is_end(S) and addable == S[at(HAND, seat)] and popcount(addable) <= places:
        return whole_turn(verb, addable)
    cards = worth_less_than(S, w, row, seat, addable, limit)
    if cards == 0:
        return add_nothing(S)
    plain = n_lowest(cards & ~trumps, places)
    return whole_turn(verb, plain | n_lowest(cards & trumps, places - popcount(plain)))


@inlined
def throw_in(S: State, w: WeightTable, row: int, seat: int) -> Move:
    """Throw in what the stage of the deal lets it spare."""
    habit = bot_param(S, seat, P_THROW)
    if habit != BY_WORTH:
        return add_nothing(S) if habit == NOT_AT_ALL else add_cards(S, w, row, seat, THROW, NEVER)
    if S[PHASE] >= PH_LAST_THROW:
        return add_cards(S, w, row, seat, THROW, w[row, W_GIVE])
    limit = w[row, W_THROW]
    # if the defender picks up, this seat leads; if not, it is attacked
    if next_active(S, S[DEFENDER]) == seat:
        limit += w[row, W_THROW_NEXT]
    return add_cards(S, w, row, seat, THROW, limit)


@inlined
def cards_to_lead(S: State, w: WeightTable, row: int, group: int) -> int:
    """Return the cards of one rank that it would lead: the non-trumps if they are cheap, else one card."""
    plain = group & ~S[TRUMPS]
    if plain == 0:
        return group
    if S[R_LEAD] == LEAD_SEVERAL and strength(S, w, row, lowest_bit(plain)) < w[row, W_LEAD]:
        return n_lowest(plain, room(S))
    return lowest_bit(plain)


@inlined
def value_of_lead(S: State, w: WeightTable, row: int, cards: int, hidden: int) -> int:
    """Return what it is worth to lead some cards of one rank."""
    return (
        w[row, W_LEAD] * popcount(cards)
        - total_strength(S, w, row, cards)
        - w[row, W_LEAD_MATES] * popcount(hidden & rank_of(cards))
    )


@inlined
def best_lead(S: State, w: WeightTable, row: int, seat: int, hidden: int) -> int:
    """Return the cards of the rank that is best led."""
    best = -NEVER
    lead_cards = 0
    rest = S[at(HAND, seat)]
    while rest != 0:
        group = rest & rank_of(rest)
        rest ^= group
        cards = cards_to_lead(S, w, row, group)
        value = value_of_lead(S, w, row, cards, hidden)
        if is_tired(S):  # what is most likely beaten ends a row of bouts taken
            value = popcount(hidden & beaters(S, lowest_bit(cards)))
        if value > best:
            best = value
            lead_cards = cards
    return lead_cards


@inlined
def winning_lead(S: State, w: WeightTable, row: int, seat: int, hidden: int) -> int:
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
        cards = cards_to_lead(S, w, row, group)
        if hidden & beaters(S, lowest_bit(cards)):
            n_beatable += 1
        elif sure_cards == 0:
            sure_cards = cards
    return sure_cards if n_beatable <= 1 else 0


@inlined
def lead(S: State, w: WeightTable, row: int, seat: int) -> Move:
    """Lead the last cards if they are of one rank, else what wins for sure, else the best rank."""
    hand = S[at(HAND, seat)]
    n = hand_size(S, seat)
    most = room(S) if S[R_LEAD] == LEAD_SEVERAL else 1
    if is_end(S) and hand & ~rank_of(hand) == 0 and n <= most:
        return whole_turn(ATTACK, hand)
    hidden = unseen(S, seat)
    if is_end(S) and popcount(S[ACTIVE]) == 2 and not is_tired(S):
        cards = winning_lead(S, w, row, seat, hidden)
        if cards != 0:
            return whole_turn(ATTACK, cards)
    return whole_turn(ATTACK, best_lead(S, w, row, seat, hidden))


@inlined
def choose_weighed(S: State, w: WeightTable, first: int, seat: int) -> Move:
    """Return the move of `thrifty` with a set of weights, whose rows begin with `first`."""
    phase = S[PHASE]
    if phase == PH_EXCHANGE:
        return action(EXCHANGE, 0)  # the exposed trump is the higher one
    row = first + stage_of(S)
    if phase == PH_RESPOND:
        return respond(S, w, row, seat)
    if phase == PH_LEAD:
        return lead(S, w, row, seat)
    if phase == PH_LEAD_MORE or phase == PH_TRANSFER_MORE:
        verb = ATTACK if phase == PH_LEAD_MORE else TRANSFER
        return add_cards(S, w, row, seat, verb, w[row, W_LEAD])
    return throw_in(S, w, row, seat)


@kernel
def choose_thrifty(S: State, seat: int) -> Move:
    """Return the move of `thrifty` (docs/bots.md)."""
    chosen = bot_param(S, seat, P_WEIGHTS)
    if chosen == OWN:
        chosen = set_of_rules(S)
    return choose_weighed(S, SETS, N_STAGES * chosen, seat)
