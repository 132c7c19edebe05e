"""Solve endings for two by exhaustive search: a third, small reading of docs/rules.md.

With two players and an empty stock Durak is a game of perfect information. The moves are generated here from
the rules text alone, for this case alone: nobody draws, the attacker is the only seat that could throw in, a
transfer always returns the attack, and the deal is over as soon as a hand is empty after a bout. Engine and
oracle have no part in it. Cards are words such as ``"10H"``, actions are those of docs/formats.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

RANK_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK = tuple(rank + suit for rank in RANK_ORDER for suit in "CDHS")
RANK = {card: card[:-1] for card in PACK}
SUIT = {card: card[-1] for card in PACK}
STRENGTH = {card: RANK_ORDER.index(card[:-1]) for card in PACK}

Cards = frozenset[str]
NO_CARDS: Cards = frozenset()

# what the asked seat is asked for
LEAD, LEAD_MORE, RESPOND, TRANSFER_MORE, THROW, THROW_MORE, LAST_THROW, LAST_THROW_MORE = range(8)


class Agreements(NamedTuple):
    """The options that matter when two play without stock (docs/rules.md 7)."""

    lead_several: bool
    limit: int
    first_limit: int
    until_first_discard: bool
    throw_ins: bool  # with two players `who` says only whether anybody throws in
    window: str
    on_pickup: bool
    transfer: str
    transfer_several: bool
    transfer_first_bout: bool
    pass_card: bool
    per_bout: int
    first_out_wins: bool
    defender_last: bool
    stall_bouts: int

    @classmethod
    def of(cls, rules: dict[str, Any]) -> Agreements:
        """Read them off a resolved variant file."""
        attack, throw_in, transfer = rules["attack"], rules["throw_in"], rules["transfer"]
        return cls(
            lead_several=attack["lead"] == "several",
            limit=attack["limit"],
            first_limit=attack["first_limit"],
            until_first_discard=attack["first_scope"] == "until_first_discard",
            throw_ins=throw_in["who"] != "none",
            window=throw_in["window"],
            on_pickup=throw_in["on_pickup"],
            transfer=transfer["mode"],
            transfer_several=transfer["cards"] == "several",
            transfer_first_bout=transfer["first_bout"],
            pass_card=rules["pass_card"]["enabled"],
            per_bout=rules["pass_card"]["per_bout"],
            first_out_wins=rules["end"]["objective"] == "first_out_wins",
            defender_last=rules["end"]["tie"] == "defender_last",
            stall_bouts=rules["end"]["stall_bouts"],
        )


class Outcome(NamedTuple):
    """How a deal ended (docs/rules.md 6)."""

    result: str
    loser: int | None
    places: tuple[int | None, int | None]


class Ending(NamedTuple):
    """A moment of an ending. Two moments with equal fields have the same future, however they came about."""

    trump: str
    hands: tuple[Cards, Cards]
    attacker: int
    asked: int = LEAD
    uncovered: Cards = NO_CARDS
    beaten: Cards = NO_CARDS  # the covered attacks and their covers
    limit: int | None = None  # L, once the defence has begun (3.2)
    passed: bool = False  # the attacker's pass stands (3.4)
    stopped: bool = False  # the attacker's stop counts until the next response (3.4)
    shows: tuple[int, int] = (0, 0)
    first_bout: bool = False
    beaten_before: bool = False
    taken_in_a_row: int = 0
    outcome: Outcome | None = None

    @property
    def defender(self) -> int:
        """The other seat."""
        return 1 - self.attacker

    @property
    def to_act(self) -> int:
        """The seat that is asked."""
        return self.defender if self.asked == RESPOND else self.attacker

    @property
    def n_covered(self) -> int:
        """Count the covered attacks: each lies there with its cover."""
        return len(self.beaten) // 2

    @property
    def n_attacks(self) -> int:
        """Count the attacks, covered or not."""
        return self.n_covered + len(self.uncovered)


# ---------------------------------------------------------------------------------------------- what is legal


def bout_limit(rules: Agreements, e: Ending) -> int:
    """Section 3: the bout limit B."""
    first_limit_applies = not e.beaten_before if rules.until_first_discard else e.first_bout
    return rules.first_limit if first_limit_applies else rules.limit


def limit_of_defender(rules: Agreements, e: Ending) -> int:
    """3.2: L if the defence has begun, else what it would be if it began now."""
    if e.limit is not None:
        return e.limit
    return min(bout_limit(rules, e), e.n_covered + len(e.hands[e.defender]))


def of_ranks(cards: Iterable[str], ranks: set[str]) -> list[str]:
    """Pick the cards of some ranks."""
    return [card for card in cards if RANK[card] in ranks]


def addable(rules: Agreements, e: Ending) -> list[str]:
    """3.1, 3.2, 3.4: what the attacker may add to a lead or throw in: a rank of the table, and room."""
    if e.n_attacks + 1 > limit_of_defender(rules, e):
        return []
    return of_ranks(e.hands[e.attacker], {RANK[card] for card in e.uncovered | e.beaten})


def movable_rank(rules: Agreements, e: Ending) -> str | None:
    """4.1, 4.2, 4.4: the one rank of the uncovered attacks, if the attack may be moved on at all."""
    if rules.transfer == "none" or (rules.transfer == "early" and e.beaten):
        return None
    if e.first_bout and not rules.transfer_first_bout:
        return None
    ranks = {RANK[card] for card in e.uncovered}
    return ranks.pop() if len(ranks) == 1 else None


def fits(rules: Agreements, e: Ending, receiver: int, n_added: int) -> bool:
    """4.3 with one card added, 4.9 with none."""
    within_bout = e.n_attacks + n_added <= bout_limit(rules, e)
    return within_bout and len(e.uncovered) + n_added <= len(e.hands[receiver])


def further_transfers(rules: Agreements, e: Ending) -> list[str]:
    """4.5: further cards of a transfer, which has made the giver the attacker."""
    if not rules.transfer_several or not fits(rules, e, e.defender, 1):
        return []
    return of_ranks(e.hands[e.attacker], {RANK[card] for card in e.uncovered})


def beats(card: str, attack: str, trump: str) -> bool:
    """1.5: a higher card of the suit, or a trump on any other suit."""
    if SUIT[card] == SUIT[attack]:
        return STRENGTH[card] > STRENGTH[attack]
    return SUIT[card] == trump


def responses(rules: Agreements, e: Ending) -> list[str]:
    """3.3: cover, transfer, show or pick up."""
    hand = e.hands[e.defender]
    actions = [f"cover {a} {card}" for a in e.uncovered for card in hand if beats(card, a, e.trump)]
    rank = movable_rank(rules, e)
    if rank is not None:
        if fits(rules, e, e.attacker, 1):
            actions += [f"transfer {card}" for card in of_ranks(hand, {rank})]
        may_show = rules.pass_card and e.shows[e.defender] < rules.per_bout
        if may_show and rank + e.trump in hand and fits(rules, e, e.attacker, 0):
            actions.append(f"show {rank}{e.trump}")
    return [*actions, "pick_up"]


def legal_actions(rules: Agreements, e: Ending) -> list[str]:
    """List what the asked seat may do; nothing once the deal is over."""
    if e.outcome is not None:
        return []
    if e.asked == LEAD:
        return [f"attack {card}" for card in e.hands[e.attacker]]
    if e.asked == LEAD_MORE:
        return [*(f"attack {card}" for card in addable(rules, e)), "stop"]
    if e.asked == RESPOND:
        return responses(rules, e)
    if e.asked == TRANSFER_MORE:
        return [*(f"transfer {card}" for card in further_transfers(rules, e)), "stop"]
    ending_word = "pass" if e.asked in (THROW, LAST_THROW) else "stop"
    return [*(f"throw {card}" for card in addable(rules, e)), ending_word]


# ------------------------------------------------------------------------------------------- what comes of it


def after(rules: Agreements, e: Ending, action: str) -> Ending:
    """Play a legal action, up to the next decision."""
    verb, *cards = action.split()
    if verb == "attack":
        e = lay(e, cards[0])
        # the first card of a lead may be followed by more (3.1)
        return ask_for_more(e, LEAD_MORE, addable(rules, e) if rules.lead_several else []) or ask(rules, e)
    if verb == "transfer":
        e = lay(e if e.asked == TRANSFER_MORE else swapped(e), cards[0])
        return ask_for_more(e, TRANSFER_MORE, further_transfers(rules, e)) or ask(rules, e)
    if verb == "show":
        shows = (e.shows[0] + (e.defender == 0), e.shows[1] + (e.defender == 1))
        return ask(rules, swapped(e)._replace(shows=shows))
    if verb == "cover":
        return ask(rules, covered(rules, e, *cards))
    if verb == "pick_up":
        return picked_up(rules, e)
    if verb == "throw":
        return thrown(rules, lay(e, cards[0]))
    return silent(rules, e)


def with_hand(e: Ending, seat: int, hand: Cards) -> tuple[Cards, Cards]:
    """Return both hands, one of them changed."""
    return (hand, e.hands[1]) if seat == 0 else (e.hands[0], hand)


def lay(e: Ending, card: str) -> Ending:
    """Lay an attack from the attacker's hand."""
    hands = with_hand(e, e.attacker, e.hands[e.attacker] - {card})
    return e._replace(hands=hands, uncovered=e.uncovered | {card})


def swapped(e: Ending) -> Ending:
    """4.5, 4.6: the roles change, a new defence begins; 3.4: no pass and no stop outlasts it."""
    return e._replace(attacker=e.defender, limit=None, passed=False, stopped=False)


def ask_for_more(e: Ending, asked: int, choice: list[str]) -> Ending | None:
    """Ask the attacker for another card if there is a choice."""
    return e._replace(asked=asked) if choice else None


def covered(rules: Agreements, e: Ending, attack: str, card: str) -> Ending:
    """3.2, 3.3, 3.4: L is fixed before the card leaves the hand; only a new rank ends a pass."""
    new_rank = not of_ranks(e.uncovered | e.beaten, {RANK[card]})
    return e._replace(
        hands=with_hand(e, e.defender, e.hands[e.defender] - {card}),
        uncovered=e.uncovered - {attack},
        beaten=e.beaten | {attack, card},
        limit=limit_of_defender(rules, e),
        passed=e.passed and not new_rank,
        stopped=False,
    )


def picked_up(rules: Agreements, e: Ending) -> Ending:
    """3.4, after a pick-up: one last round if the table has it so; no pass outlasts the declaration."""
    e = e._replace(limit=limit_of_defender(rules, e), passed=False, stopped=False)
    if rules.on_pickup and rules.throw_ins and addable(rules, e):
        return e._replace(asked=LAST_THROW)
    return taken(rules, e)


def thrown(rules: Agreements, e: Ending) -> Ending:
    """3.4: whoever has thrown in may add more; then the defender responds, or has picked up already."""
    is_last_round = e.asked in (LAST_THROW, LAST_THROW_MORE)
    if addable(rules, e):
        return e._replace(asked=LAST_THROW_MORE if is_last_round else THROW_MORE)
    return taken(rules, e) if is_last_round else e._replace(asked=RESPOND)


def silent(rules: Agreements, e: Ending) -> Ending:
    """3.4: the attacker passes or stops."""
    if e.asked in (LAST_THROW, LAST_THROW_MORE):
        return taken(rules, e)
    if e.asked == THROW_MORE:
        return e._replace(asked=RESPOND)
    if e.asked == THROW:
        return ask(rules, e._replace(passed=True))
    return ask(rules, e._replace(stopped=True))  # after a lead or a transfer


def ask(rules: Agreements, e: Ending) -> Ending:
    """3.3, 3.4, 3.5: a throw-in if its time has come, else the response, else the bout is over."""
    its_time = (
        not e.uncovered or rules.window == "from_lead" or (rules.window == "after_cover" and bool(e.beaten))
    )
    if rules.throw_ins and its_time and not e.passed and not e.stopped and addable(rules, e):
        return e._replace(asked=THROW)
    if e.uncovered:
        return e._replace(asked=RESPOND)
    return closed(rules, e, e.hands, leader=e.defender, taken_in_a_row=0)


def taken(rules: Agreements, e: Ending) -> Ending:
    """3.5: the defender takes the table, and the attacker, next to the left, leads again."""
    hands = with_hand(e, e.defender, e.hands[e.defender] | e.uncovered | e.beaten)
    return closed(rules, e, hands, leader=e.attacker, taken_in_a_row=e.taken_in_a_row + 1)


def closed(
    rules: Agreements, e: Ending, hands: tuple[Cards, Cards], leader: int, taken_in_a_row: int
) -> Ending:
    """3.5 and 6: the next bout, or the outcome."""
    return Ending(
        e.trump,
        hands,
        leader,
        beaten_before=e.beaten_before or taken_in_a_row == 0,
        taken_in_a_row=taken_in_a_row,
        outcome=outcome_of(rules, hands, e.defender, taken_in_a_row),
    )


def outcome_of(
    rules: Agreements, hands: tuple[Cards, Cards], defender: int, taken_in_a_row: int
) -> Outcome | None:
    """Section 6: how the deal has ended with this bout, if it has."""
    out = [seat for seat in (0, 1) if not hands[seat]]
    if len(out) == 1:
        return won_by(rules, out[0])
    if len(out) == 2:
        if not rules.defender_last:
            return Outcome("drawn", None, (1, 1))  # 6.2, 6.3, 6.4: a shared place
        places = (2, 1) if defender == 0 else (1, 2)
        # 6.3 makes the defender the loser; by 6.4 place 1 has won, and nobody is left to be recorded
        return Outcome("won", None, places) if rules.first_out_wins else Outcome("lost", defender, places)
    if taken_in_a_row >= rules.stall_bouts:
        return Outcome("stalled", None, (None, None))  # 6.5
    return None


def won_by(rules: Agreements, winner: int) -> Outcome:
    """6.3, 6.4: one seat is out and the other holds cards; only `last_loses` gives that one a place."""
    if rules.first_out_wins:
        return Outcome("won", 1 - winner, (1, None) if winner == 0 else (None, 1))
    return Outcome("lost", 1 - winner, (1, 2) if winner == 0 else (2, 1))


# ------------------------------------------------------------------------------------------------- the search


def points(outcome: Outcome) -> int:
    """Return 1 if seat 0 has done better, −1 if seat 1 has, 0 if neither has."""
    if outcome.result in ("drawn", "stalled"):
        return 0
    return 1 if outcome.places[0] == 1 else -1


class Solver:
    """Exhaustive search with every position it has seen.

    The search ends: within a bout every action uses up a card, a show or a silence, a beaten bout takes cards
    out of play, and bouts taken in a row are counted up to the stall.
    """

    def __init__(self, rules: Agreements) -> None:
        self.rules = rules
        self.known: dict[Ending, int] = {}

    def points(self, e: Ending) -> int:
        """Return what best play gives: 1 seat 0 wins, −1 seat 1 wins, 0 drawn or stalled."""
        if e.outcome is not None:
            return points(e.outcome)
        value = self.known.get(e)
        if value is None:
            best = max if e.to_act == 0 else min
            value = best(self.points(after(self.rules, e, a)) for a in legal_actions(self.rules, e))
            self.known[e] = value
        return value

    def value(self, e: Ending) -> str:
        """Return ``win``, ``draw`` or ``lose`` for the seat to act."""
        own = self.points(e) * (1 if e.to_act == 0 else -1)
        return ("draw", "win", "lose")[own]


# --------------------------------------------------------------------------------------------- endings drawn


def random_agreements(rng: random.Random) -> dict[str, Any]:
    """Draw the options that matter here, as a variant file names them."""
    limit = rng.choice((1, 2, 3, 4, 6, 6, 6, 36))
    mode = rng.choice(("none", "early", "early", "late", "late"))
    return {
        "players": 2,
        "attack": {
            "lead": rng.choice(("one", "several")),
            "limit": limit,
            "first_limit": rng.choice((limit, rng.randint(1, limit))),
            "first_scope": rng.choice(("first_bout", "until_first_discard")),
        },
        "throw_in": {
            "who": rng.choice(("all", "all", "neighbours", "attacker", "none")),
            "window": rng.choice(("from_lead", "after_cover", "when_beaten")),
            "order": rng.choice(("clockwise", "simultaneous")),
            "on_pickup": rng.random() < 0.5,
        },
        "transfer": {
            "mode": mode,
            "cards": rng.choice(("one", "several")),
            "first_bout": rng.random() < 0.7,
        },
        "pass_card": {"enabled": mode != "none" and rng.random() < 0.6, "per_bout": rng.choice((1, 1, 2))},
        "end": {
            "objective": rng.choice(("last_loses", "last_loses", "first_out_wins")),
            "tie": rng.choice(("shared", "defender_last")),
            "stall_bouts": rng.choice((1, 2, 2, 3)),
        },
    }


def random_ending(rng: random.Random, n_cards: int) -> Ending:
    """Draw an ending of `n_cards` or fewer, at least four, of few ranks, so that much can happen."""
    ranks = rng.sample(RANK_ORDER[4:], rng.randint(2, 4))
    pack = [rank + suit for rank in ranks for suit in "CDHS"]
    cards = rng.sample(pack, rng.randint(4, min(n_cards, len(pack))))
    n_first = rng.randint(1, len(cards) - 1)
    first_bout = rng.random() < 0.3
    return Ending(
        trump=rng.choice("CDHS"),
        hands=(frozenset(cards[:n_first]), frozenset(cards[n_first:])),
        attacker=rng.randint(0, 1),
        first_bout=first_bout,
        beaten_before=not first_bout and rng.random() < 0.5,
    )
