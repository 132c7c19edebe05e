"""Why an action is illegal, in words, with the numbers of the position and the rule that decides it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simcli.engine import reasons as why
from simcli.engine.game import Game
from simcli.engine.layout import (
    ALL_CARDS,
    ATTACK,
    BOUT_LIMIT,
    COVER,
    EXCHANGE,
    KEEP,
    LAST_LOSES,
    LEADER,
    LIMIT,
    N_ATTACKS,
    PASS,
    PH_LAST_THROW,
    PICK_UP,
    R_OBJECTIVE,
    R_PER_BOUT,
    R_TEAMS,
    RESULT,
    SHOW,
    STALLED,
    STOP,
    TEAMS_NONE,
    THROW,
    TRANSFER,
    State,
)
from simcli.engine.notation import CARD_WORDS, RANKS, action_text, card_words, target_card, verb_number
from simcli.engine.reasons import why_illegal
from simcli.records.words import count_text, listed

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True)
class Reason:
    """Say why an action is illegal.

    Attributes
    ----------
    code : int
        One of the codes in `engine.reasons`.
    text : str
        The reason in words.
    rule : str
        The number of the rule in docs/rules.md.
    """

    code: int
    text: str
    rule: str

    def __str__(self) -> str:
        """Return the reason with its rule."""
        return f"{self.text} – rule {self.rule}"


def reason_for(game: Game, seat: int, action: int) -> Reason | None:
    """Return why a seat may not do something now, None if it may.

    Parameters
    ----------
    game : Game
        The deal; not changed.
    seat : int
        A seat of the table.
    action : int
        A single action.
    """
    code = int(why_illegal(game.state, seat, action))
    if code == why.LEGAL:
        return None
    case = Case(game, seat, action)
    rule, text = (part if isinstance(part, str) else part(case) for part in WORDS[code])
    return Reason(code, text, rule)


def rule_that_allows(action: int) -> str:
    """Return the number of the rule by which an action is allowed where it is legal."""
    return ALLOWING_RULES[verb_number(action)]


def rule_of_the_end(game: Game) -> str:
    """Return the number of the rule by which a deal ends, or has ended."""
    state = game.state
    if state[RESULT] == STALLED:
        return "6.5"
    if state[R_OBJECTIVE] != LAST_LOSES:
        return "6.4"
    return "6.3" if state[R_TEAMS] == TEAMS_NONE else "6.6"


def number_text(number: int, thing: str) -> str:
    """Count things in words, as far as there are words.

    >>> number_text(1, "card"), number_text(3, "attack"), number_text(12, "card")
    ('one card', 'three attacks', '12 cards')
    """
    if number >= len(NUMBER_WORDS):
        return count_text(number, thing)
    return f"{NUMBER_WORDS[number]} {thing}{'' if number == 1 else 's'}"


@dataclass(frozen=True)
class Case:
    """Hold an illegal action and the position it was tried in, with the parts that the words need."""

    game: Game
    seat: int
    action: int

    @property
    def state(self) -> State:
        """The engine's state."""
        return self.game.state

    @property
    def card(self) -> str:
        """The card that is played or shown."""
        return card_words(self.action & ALL_CARDS)[0]

    @property
    def verb(self) -> str:
        """What the seat wants to do."""
        return action_text(self.action).split()[0].replace("_", " ")

    @property
    def n_attacks(self) -> int:
        """Attacks on the table."""
        return int(self.state[N_ATTACKS])

    @property
    def n_uncovered(self) -> int:
        """Attacks that no card covers."""
        return sum(cover is None for _, cover in self.game.table)

    @property
    def receiver(self) -> int:
        """The seat that a transfer of the defender would go to."""
        game, seat = self.game, self.seat
        others = [other for other in game.active if other not in game.team(seat)]
        return min(others, key=lambda other: (other - seat) % game.players)

    def held_by(self, seat: int | None) -> str:
        """Count the cards of a seat's hand."""
        assert seat is not None
        n_cards = self.game.hands[seat].bit_count()
        return f"{number_text(n_cards, 'card')} in seat {seat}'s hand"

    def ranks(self, *, uncovered: bool = False) -> str:
        """Name the ranks on the table."""
        cards = [
            card
            for attack, cover in self.game.table
            for card in ((attack,) if uncovered else (attack, cover))
            if card is not None and not (uncovered and cover is not None)
        ]
        return listed([RANKS[rank] for rank in sorted({card // 4 for card in cards})])


def _pack(case: Case) -> str:
    return f"{case.card} is not in this pack"


def _hand(case: Case) -> str:
    return f"{case.card} is not in seat {case.seat}'s hand"


def _exchange_first(case: Case) -> str:
    return f"seat {case.game.to_act} first says whether it swaps the lowest trump for the exposed one"


def _lead_first(case: Case) -> str:
    more = "may still add to its lead, or stop" if case.game.table else "leads first"
    return f"seat {case.game.attacker} {more}"


def _transfer_first(case: Case) -> str:
    return f"seat {case.game.attacker} may still add to its transfer, or stop"


def _throw_ins_first(case: Case) -> str:
    return f"before seat {case.seat} responds, {_asked(case)} may throw in"


def _asked(case: Case) -> str:
    askable = case.game.askable()
    seats = [seat for seat in range(case.game.players) if askable >> seat & 1]
    return listed([f"seat {seat}" for seat in seats]).replace(" and ", " or ")


def _response_first(case: Case) -> str:
    return f"seat {case.game.defender} responds before anybody else may throw in"


def _later(case: Case) -> str:
    return f"seat {case.game.to_act} is asked first, clockwise from seat {case.game.attacker}"


def _other_adds(case: Case) -> str:
    return f"seat {case.game.to_act} is adding and has not stopped"


def _not_defender(case: Case) -> str:
    what = {"transfer": "transfers", "show": "shows", "cover": "covers", "pick up": "picks up"}[case.verb]
    return f"only the defender, seat {case.game.defender}, {what}"


def _not_leader(case: Case) -> str:
    if case.game.leader is not None:
        return f"seat {case.game.leader} leads this bout"
    return f"seat {case.state[LEADER]} led this bout"


def _lead_rank(case: Case) -> str:
    return f"the lead is of rank {case.ranks()}, and {case.card} is not"


def _no_room_bout(case: Case) -> str:
    return f"this bout is limited to {number_text(int(case.state[BOUT_LIMIT]), 'attack')}"


def _no_room_hand(case: Case) -> str:
    after = number_text(case.n_uncovered + 1, "uncovered attack")
    return f"{after} would meet {case.held_by(case.game.defender)}"


def _no_room_defence(case: Case) -> str:
    limit = number_text(int(case.state[LIMIT]), "attack")
    return f"when seat {case.game.defender} began to defend, its limit was fixed at {limit}"


def _defender_adds(case: Case) -> str:
    if case.game.phase >= PH_LAST_THROW:
        return f"seat {case.seat} is picking up and adds nothing to the attack"
    return f"seat {case.seat} defends and adds nothing to the attack"


def _not_uncovered(case: Case) -> str:
    target = target_card(case.action)
    word = CARD_WORDS[target]
    for attack, cover in case.game.table:
        if attack == target and cover is not None:
            return f"{word} is covered by {CARD_WORDS[cover]} already"
        if cover == target:
            return f"{word} is no attack: it covers {CARD_WORDS[attack]}"
    return f"{word} is not on the table"


def _does_not_beat(case: Case) -> str:
    return f"{case.card} does not beat {CARD_WORDS[target_card(case.action)]}"


def _has_picked_up(case: Case) -> str:
    return f"seat {case.seat} has declared to pick up, and that cannot be taken back"


def _after_cover(case: Case) -> str:
    what = "shown on" if verb_number(case.action) == SHOW else "transferred"
    return f"an attack is covered, and from then on nothing is {what}"


def _first_bout(case: Case) -> str:
    what = "shown on" if verb_number(case.action) == SHOW else "transferred"
    return f"nothing is {what} in the deal's first bout"


def _ranks_differ(case: Case) -> str:
    return f"the uncovered attacks are of different ranks, {case.ranks(uncovered=True)}"


def _other_rank(case: Case) -> str:
    return f"the attack is of rank {case.ranks(uncovered=True)}, and {case.card} is not"


def _over_limit(case: Case) -> str:
    limit = number_text(int(case.state[BOUT_LIMIT]), "attack")
    return f"{number_text(case.n_attacks + 1, 'attack')} would be more than the {limit} of this bout"


def _over_hand(case: Case) -> str:
    after = number_text(case.n_uncovered + 1, "attack")
    return f"{after} would meet {case.held_by(case.receiver)}"


def _show_over_hand(case: Case) -> str:
    facing = number_text(case.n_uncovered, "attack")
    return f"{facing} would meet {case.held_by(case.receiver)}"


def _not_pass_card(case: Case) -> str:
    return f"{case.card} is not the trump of its rank"


def _shown_already(case: Case) -> str:
    n_shows = int(case.state[R_PER_BOUT])
    times = "once" if n_shows == 1 else number_text(n_shows, "time")
    return f"seat {case.seat} may show {times} in a bout, and has"


def _only_attacker(case: Case) -> str:
    return f"only the attacker, seat {case.game.attacker}, may throw in"


def _only_neighbours(case: Case) -> str:
    return f"only the neighbours of the defender, seat {case.game.defender}, may throw in"


def _partner(case: Case) -> str:
    return f"seat {case.seat} is a partner of the defender, seat {case.game.defender}"


def _no_matching(case: Case) -> str:
    return f"seat {case.seat} holds no card of a rank on the table ({case.ranks()}) and is skipped"


def _rank_not_there(case: Case) -> str:
    return f"no card of its rank is on the table (there are {case.ranks()})"


def _passed(case: Case) -> str:
    return f"seat {case.seat} has passed, and no new rank has come to the table since"


def _stopped(case: Case) -> str:
    return f"seat {case.seat} has stopped, which holds until the next response"


def _been_asked(case: Case) -> str:
    return f"seat {case.seat} has had its turn in this last round"


def _empty(case: Case) -> str:
    return f"seat {case.seat} has no cards and is not asked"


def _left(case: Case) -> str:
    return f"seat {case.seat} has left the deal"


def _responds(case: Case) -> str:
    return f"seat {case.seat} faces an uncovered attack and must answer it or pick up"


def _adds_or_stops(case: Case) -> str:
    return f"seat {case.seat} may only add a card of rank {case.ranks(uncovered=True)} or stop"


def _leads(case: Case) -> str:
    return f"seat {case.seat} is to lead, and plays a card"


def _not_holder(case: Case) -> str:
    return f"seat {case.seat} does not hold the lowest trump of the pack"


def _says(case: Case) -> str:
    return f"seat {case.seat} is asked first whether it swaps the lowest trump: exchange or keep"


#: the rule by which something may be done, by verb
ALLOWING_RULES = {
    ATTACK: "3.1",
    TRANSFER: "4",
    SHOW: "4.9",
    COVER: "3.3",
    THROW: "3.4",
    PICK_UP: "3.3",
    PASS: "3.4",
    STOP: "3.4",
    EXCHANGE: "5.4",
    KEEP: "5.4",
}
#: the rule that makes a card come from the hand, by verb
_FROM_THE_HAND = {ATTACK: "3.1", COVER: "3.3", THROW: "3.4", TRANSFER: "4.2", SHOW: "4.9"}
#: the rule by which the defender alone may do something, by verb
_DEFENDER_ALONE = {COVER: "3.3", PICK_UP: "3.3", TRANSFER: "4", SHOW: "4.9"}

Words = str | Callable[[Case], str]

#: for each code the rule and the words, or functions that find them
WORDS: dict[int, tuple[Words, Words]] = {
    why.DEAL_IS_OVER: (lambda case: rule_of_the_end(case.game), "the deal is over"),
    why.SEAT_HAS_LEFT: ("6.1", _left),
    why.CARD_NOT_IN_PACK: ("1.1", _pack),
    why.CARD_NOT_IN_HAND: (lambda case: _FROM_THE_HAND[verb_number(case.action)], _hand),
    why.EXCHANGE_COMES_FIRST: ("5.4", _exchange_first),
    why.LEAD_COMES_FIRST: ("3.1", _lead_first),
    why.TRANSFER_COMES_FIRST: ("4.5", _transfer_first),
    why.THROW_INS_COME_FIRST: ("3.4", _throw_ins_first),
    why.RESPONSE_COMES_FIRST: ("3.4", _response_first),
    why.SEAT_IS_NEXT_LATER: ("3.4", _later),
    why.OTHER_SEAT_ADDS: ("3.4", _other_adds),
    why.NOT_THE_DEFENDER: (lambda case: _DEFENDER_ALONE[verb_number(case.action)], _not_defender),
    why.NOT_THE_LEADER: ("3.1", _not_leader),
    why.MUST_LEAD: ("3.1", _leads),
    why.LEAD_OTHER_RANK: ("3.1", _lead_rank),
    why.LEAD_IS_ONE_CARD: ("3.1", "the lead is one card at this table"),
    why.LEAD_IS_OVER: ("3.1", "the lead is over"),
    why.ADD_TO_LEAD_OR_STOP: ("3.1", _adds_or_stops),
    why.NO_ROOM_IN_BOUT: ("3.2", _no_room_bout),
    why.NO_ROOM_IN_HAND: ("3.2", _no_room_hand),
    why.NO_ROOM_IN_DEFENCE: ("3.2", _no_room_defence),
    why.MUST_RESPOND: ("3.3", _responds),
    why.DEFENDER_DOES_NOT_ADD: ("3.4", _defender_adds),
    why.NOT_AN_UNCOVERED_ATTACK: ("3.3", _not_uncovered),
    why.DOES_NOT_BEAT: ("1.5", _does_not_beat),
    why.NOTHING_TO_ANSWER: ("3.3", "no attack is uncovered"),
    why.HAS_PICKED_UP: ("3.3", _has_picked_up),
    why.NO_TRANSFERS: ("4", "nothing is transferred at this table"),
    why.TRANSFER_AFTER_COVER: ("4.1", _after_cover),
    why.TRANSFER_IN_FIRST_BOUT: ("4.4", _first_bout),
    why.RANKS_DIFFER: ("4.2", _ranks_differ),
    why.TRANSFER_OTHER_RANK: ("4.2", _other_rank),
    why.TRANSFER_OVER_LIMIT: ("4.3", _over_limit),
    why.TRANSFER_OVER_HAND: ("4.3", _over_hand),
    why.TRANSFER_IS_ONE_CARD: ("4.5", "a transfer is one card at this table"),
    why.TRANSFER_IS_OVER: ("4.5", "the transfer is over"),
    why.ADD_TO_TRANSFER_OR_STOP: ("4.5", _adds_or_stops),
    why.NO_PASS_CARDS: ("4.9", "there is no pass card at this table"),
    why.NOT_THE_PASS_CARD: ("4.9", _not_pass_card),
    why.SHOWN_ALREADY: ("4.9", _shown_already),
    why.SHOW_OVER_HAND: ("4.9", _show_over_hand),
    why.SHOW_ADDS_NOTHING: ("4.9", "nobody adds a card along with a show"),
    why.NOBODY_THROWS_IN: ("3.4", "nobody throws in at this table"),
    why.ONLY_ATTACKER_THROWS_IN: ("3.4", _only_attacker),
    why.ONLY_NEIGHBOURS_THROW_IN: ("3.4", _only_neighbours),
    why.PARTNER_DOES_NOT_THROW_IN: ("6.6", _partner),
    why.WINDOW_BEFORE_COVER: ("3.4", "nothing is thrown in before the first cover of the bout"),
    why.WINDOW_BEFORE_BEATEN: ("3.4", "nothing is thrown in while an attack is uncovered"),
    why.HAS_PASSED: ("3.4", _passed),
    why.HAS_STOPPED: ("3.4", _stopped),
    why.HAS_BEEN_ASKED: ("3.4", _been_asked),
    why.HAND_IS_EMPTY: ("3.4", _empty),
    why.NO_MATCHING_CARD: ("3.4", _no_matching),
    why.RANK_NOT_ON_TABLE: ("3.4", _rank_not_there),
    why.NOTHING_ADDED: ("3.4", "nothing has been added that could be stopped: the word is pass"),
    why.SOMETHING_ADDED: ("3.4", "a card has been added: the word is stop"),
    why.NO_EXCHANGE: ("5.4", "there is no trump exchange at this table"),
    why.EXCHANGE_WITHOUT_STOCK: ("5.4", "the stock is empty"),
    why.NOT_THE_HOLDER: ("5.4", _not_holder),
    why.EXCHANGE_IS_OVER: ("5.4", "the exchange is offered once, before the lead"),
    why.EXCHANGE_OR_KEEP: ("5.4", _says),
}
