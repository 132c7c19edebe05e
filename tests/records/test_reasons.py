"""Every way an action can be illegal has its reason, in words, with its rule."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from simcli.engine import reasons
from simcli.engine.game import Game
from simcli.engine.notation import parse_action, parse_card, parse_cards, split_seat
from simcli.records.reasons import WORDS, reason_for
from simcli.rules.load import variant_from_mapping

# the codes as engine/reasons.py lists them, without those that it imports
NAMES = {
    int(code): name
    for name, code in re.findall(r"^([A-Z_]+) = (\d+)", inspect.getsource(reasons), re.MULTILINE)
    if name not in ("LEGAL", "N_REASONS")
}


@dataclass(frozen=True)
class Case:
    """A position, the actions played in it, an illegal one and what the referee says about it."""

    hands: tuple[str, ...]
    played: str
    tried: str
    said: str
    trump: str = "S"
    stock: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    first_bout: bool = False

    def game(self) -> Game:
        variant = variant_from_mapping({"name": "test", "players": len(self.hands), **self.options})
        hands = [parse_cards(hand.split()) for hand in self.hands]
        stock = [parse_card(card) for card in self.stock.split()]
        game = Game.position(variant, hands, stock, "CDHS".index(self.trump), 0, self.first_bout)
        for step in filter(None, self.played.split(", ")):
            seat, action = split_seat(step, game.players)
            game.ask(seat)
            game.play(parse_action(action))
        return game


def options(**values: Any) -> dict[str, Any]:
    """Name options with two underscores for the dot: `transfer__mode`."""
    named: dict[str, Any] = {}
    for key, value in values.items():
        block, _, name = key.partition("__")
        if name:
            named.setdefault(block, {})[name] = value
        else:
            named[block] = value
    return named


NINES = ("9C 6D 7H", "9D KC", "9S QC AH")
LATE = options(transfer__mode="late")
PASS_CARD = options(pass_card__enabled=True)
PARTNERS = options(teams=2)
EXCHANGE = options(trump_exchange="lowest")
FROM_LEAD = options(throw_in__window="from_lead")

CASES: dict[str, Case] = {
    "DEAL_IS_OVER": Case(
        ("9C", "6D 7H"), "0 attack 9C, 1 pick_up", "1 attack 6D", "the deal is over – rule 6.3"
    ),
    "SEAT_HAS_LEFT": Case(("9C", "9D", ""), "", "2 attack 9H", "seat 2 has left the deal – rule 6.1"),
    "CARD_NOT_IN_PACK": Case(NINES, "", "0 attack 2C", "2C is not in this pack – rule 1.1"),
    "CARD_NOT_IN_HAND": Case(NINES, "", "0 attack 9D", "9D is not in seat 0's hand – rule 3.1"),
    "EXCHANGE_COMES_FIRST": Case(
        ("9C 7D", "6S 8D"),
        "",
        "0 attack 9C",
        "seat 1 first says whether it swaps the lowest trump for the exposed one – rule 5.4",
        stock="KS",
        options=EXCHANGE,
    ),
    "LEAD_COMES_FIRST": Case(NINES, "", "2 pass", "seat 0 leads first – rule 3.1"),
    "TRANSFER_COMES_FIRST": Case(
        ("9C 6D 7H", "9D 9H KC", "9S QC AH KH"),
        "0 attack 9C, 1 transfer 9D",
        "2 pick_up",
        "seat 1 may still add to its transfer, or stop – rule 4.5",
    ),
    "THROW_INS_COME_FIRST": Case(
        ("9C 9H 6D", "10C KH AH", "10S QC AC"),
        "0 attack 9C, 0 attack 9H, 1 cover 9C 10C",
        "1 cover 9H KH",
        "before seat 1 responds, seat 2 may throw in – rule 3.4",
    ),
    "RESPONSE_COMES_FIRST": Case(
        ("6C 8H", "7C 9H KD", "6D 7D", "6H"),
        "0 attack 6C, 1 cover 6C 7C, 2 throw 6D, 2 stop",
        "3 throw 6H",
        "seat 1 responds before anybody else may throw in – rule 3.4",
    ),
    "SEAT_IS_NEXT_LATER": Case(
        ("6C 6S 8H", "7C 9H KD", "6D 7D", "6H"),
        "0 attack 6C, 0 stop, 1 cover 6C 7C",
        "3 throw 6H",
        "seat 0 is asked first, clockwise from seat 0 – rule 3.4",
    ),
    "OTHER_SEAT_ADDS": Case(
        ("6C 8H", "7C 9H KD", "6D 7D", "6H"),
        "0 attack 6C, 1 cover 6C 7C, 2 throw 6D",
        "3 throw 6H",
        "seat 2 is adding and has not stopped – rule 3.4",
    ),
    "NOT_THE_DEFENDER": Case(
        NINES, "0 attack 9C", "2 cover 9C 9S", "only the defender, seat 1, covers – rule 3.3"
    ),
    "NOT_THE_LEADER": Case(NINES, "", "1 attack 9D", "seat 0 leads this bout – rule 3.1"),
    "MUST_LEAD": Case(NINES, "", "0 pass", "seat 0 is to lead, and plays a card – rule 3.1"),
    "LEAD_OTHER_RANK": Case(
        ("9C 9H 6D", "9D KC", "9S QC AH"),
        "0 attack 9C",
        "0 attack 6D",
        "the lead is of rank 9, and 6D is not – rule 3.1",
    ),
    "LEAD_IS_ONE_CARD": Case(
        ("9C 9H 6D", "9D KC", "9S QC AH"),
        "0 attack 9C",
        "0 attack 9H",
        "the lead is one card at this table – rule 3.1",
        options=options(attack__lead="one"),
    ),
    "LEAD_IS_OVER": Case(
        ("9C 9H 6D", "9D KC", "9S QC AH"), "0 attack 9C, 0 stop", "0 attack 9H", "the lead is over – rule 3.1"
    ),
    "ADD_TO_LEAD_OR_STOP": Case(
        ("9C 9H 6D", "9D KC", "9S QC AH"),
        "0 attack 9C",
        "0 pass",
        "seat 0 may only add a card of rank 9 or stop – rule 3.1",
    ),
    "NO_ROOM_IN_BOUT": Case(
        ("9C 9H 6D", "9D KC", "9S QC AH"),
        "0 attack 9C",
        "0 attack 9H",
        "this bout is limited to one attack – rule 3.2",
        options=options(attack__limit=1),
    ),
    "NO_ROOM_IN_HAND": Case(
        ("9C 9H 6D", "KC", "9S QC AH"),
        "0 attack 9C",
        "0 attack 9H",
        "two uncovered attacks would meet one card in seat 1's hand – rule 3.2",
    ),
    "NO_ROOM_IN_DEFENCE": Case(
        ("9C 6D", "10C KC", "10S 10D 9H AH"),
        "0 attack 9C, 1 cover 9C 10C, 2 throw 10S",
        "0 throw 9H",
        "when seat 1 began to defend, its limit was fixed at two attacks – rule 3.2",
    ),
    "MUST_RESPOND": Case(
        NINES,
        "0 attack 9C",
        "1 pass",
        "seat 1 faces an uncovered attack and must answer it or pick up – rule 3.3",
    ),
    "DEFENDER_DOES_NOT_ADD": Case(
        NINES, "0 attack 9C", "1 throw 9D", "seat 1 defends and adds nothing to the attack – rule 3.4"
    ),
    "NOT_AN_UNCOVERED_ATTACK": Case(
        ("9C 9H 6D", "10C KC AH", "QS QC AC"),
        "0 attack 9C, 0 attack 9H, 1 cover 9C 10C",
        "1 cover 9C KC",
        "9C is covered by 10C already – rule 3.3",
    ),
    "DOES_NOT_BEAT": Case(NINES, "0 attack 9C", "1 cover 9C 9D", "9D does not beat 9C – rule 1.5"),
    "NOTHING_TO_ANSWER": Case(
        ("9C 10D", "10C KC 7H", "7S 9H"),
        "0 attack 9C, 1 cover 9C 10C",
        "1 pick_up",
        "no attack is uncovered – rule 3.3",
    ),
    "HAS_PICKED_UP": Case(
        ("9C 10D 9H", "10C KC 7H", "7S 9S"),
        "0 attack 9C, 0 stop, 1 pick_up",
        "1 cover 9C 10C",
        "seat 1 has declared to pick up, and that cannot be taken back – rule 3.3",
    ),
    "NO_TRANSFERS": Case(
        NINES,
        "0 attack 9C",
        "1 transfer 9D",
        "nothing is transferred at this table – rule 4",
        options=options(transfer__mode="none"),
    ),
    "TRANSFER_AFTER_COVER": Case(
        ("9C 9H 6D", "10C KC 9D", "QS QC AC"),
        "0 attack 9C, 0 attack 9H, 1 cover 9C 10C",
        "1 transfer 9D",
        "an attack is covered, and from then on nothing is transferred – rule 4.1",
    ),
    "TRANSFER_IN_FIRST_BOUT": Case(
        NINES,
        "0 attack 9C",
        "1 transfer 9D",
        "nothing is transferred in the deal's first bout – rule 4.4",
        options=options(transfer__first_bout=False),
        first_bout=True,
    ),
    "RANKS_DIFFER": Case(
        ("6C 6D 9C", "7C 9H 6H KD", "9S QC AC 6S"),
        "0 attack 6C, 0 attack 6D, 1 cover 6C 9H, 0 throw 9C",
        "1 transfer 6H",
        "the uncovered attacks are of different ranks, 6 and 9 – rule 4.2",
        trump="H",
        options=LATE,
    ),
    "TRANSFER_OTHER_RANK": Case(
        NINES, "0 attack 9C", "1 transfer KC", "the attack is of rank 9, and KC is not – rule 4.2"
    ),
    "TRANSFER_OVER_LIMIT": Case(
        NINES,
        "0 attack 9C",
        "1 transfer 9D",
        "two attacks would be more than the one attack of this bout – rule 4.3",
        options=options(attack__limit=1),
    ),
    "TRANSFER_OVER_HAND": Case(
        NINES,
        "0 attack 9C, 1 transfer 9D",
        "2 transfer 9S",
        "three attacks would meet two cards in seat 0's hand – rule 4.3",
    ),
    "TRANSFER_IS_ONE_CARD": Case(
        ("9C 6D 7H", "9D 9H KC", "9S QC AH KH"),
        "0 attack 9C, 1 transfer 9D",
        "1 transfer 9H",
        "a transfer is one card at this table – rule 4.5",
        options=options(transfer__cards="one"),
    ),
    "TRANSFER_IS_OVER": Case(
        ("9C 6D 7H", "9D 9H KC", "9S QC AH KH"),
        "0 attack 9C, 1 transfer 9D, 1 stop",
        "1 transfer 9H",
        "the transfer is over – rule 4.5",
    ),
    "ADD_TO_TRANSFER_OR_STOP": Case(
        ("9C 6D 7H", "9D 9H KC", "9S QC AH KH"),
        "0 attack 9C, 1 transfer 9D",
        "1 pass",
        "seat 1 may only add a card of rank 9 or stop – rule 4.5",
    ),
    "NO_PASS_CARDS": Case(
        ("9C 6D 7H", "9S KC", "QC AH"),
        "0 attack 9C",
        "1 show 9S",
        "there is no pass card at this table – rule 4.9",
    ),
    "NOT_THE_PASS_CARD": Case(
        NINES, "0 attack 9C", "1 show 9D", "9D is not the trump of its rank – rule 4.9", options=PASS_CARD
    ),
    "SHOWN_ALREADY": Case(
        ("9C 9D 7H", "9S KC 8C"),
        "0 attack 9C, 0 stop, 1 show 9S, 0 transfer 9D",
        "1 show 9S",
        "seat 1 may show once in a bout, and has – rule 4.9",
        options=PASS_CARD,
    ),
    "SHOW_OVER_HAND": Case(
        ("9C 9D 7H", "9S KC", "QC"),
        "0 attack 9C, 0 attack 9D",
        "1 show 9S",
        "two attacks would meet one card in seat 2's hand – rule 4.9",
        options=PASS_CARD,
    ),
    "SHOW_ADDS_NOTHING": Case(
        ("9C 6D 7H", "9S 9H KC", "QC AH"),
        "0 attack 9C, 1 show 9S",
        "1 transfer 9H",
        "nobody adds a card along with a show – rule 4.9",
        options=PASS_CARD,
    ),
    "NOBODY_THROWS_IN": Case(
        NINES,
        "0 attack 9C",
        "2 throw 9S",
        "nobody throws in at this table – rule 3.4",
        options=options(throw_in__who="none"),
    ),
    "ONLY_ATTACKER_THROWS_IN": Case(
        NINES,
        "0 attack 9C",
        "2 throw 9S",
        "only the attacker, seat 0, may throw in – rule 3.4",
        options=options(throw_in__who="attacker"),
    ),
    "ONLY_NEIGHBOURS_THROW_IN": Case(
        ("9C 6D 7H", "9D KC", "QC AH", "9S AD"),
        "0 attack 9C",
        "3 throw 9S",
        "only the neighbours of the defender, seat 1, may throw in – rule 3.4",
        options=options(throw_in__who="neighbours"),
    ),
    "PARTNER_DOES_NOT_THROW_IN": Case(
        ("9C 6D 7H", "9D KC", "QC AH", "9S AD"),
        "0 attack 9C",
        "3 throw 9S",
        "seat 3 is a partner of the defender, seat 1 – rule 6.6",
        options=PARTNERS,
    ),
    "WINDOW_BEFORE_COVER": Case(
        NINES,
        "0 attack 9C",
        "2 throw 9S",
        "nothing is thrown in before the first cover of the bout – rule 3.4",
    ),
    "WINDOW_BEFORE_BEATEN": Case(
        NINES,
        "0 attack 9C",
        "2 throw 9S",
        "nothing is thrown in while an attack is uncovered – rule 3.4",
        options=options(throw_in__window="when_beaten"),
    ),
    "HAS_PASSED": Case(
        ("9C 6D 9H", "10C KC 7C", "10S 9S AH", "9D 8D"),
        "0 attack 9C, 0 stop, 1 cover 9C 10C, 0 pass",
        "0 throw 9H",
        "seat 0 has passed, and no new rank has come to the table since – rule 3.4",
    ),
    "HAS_STOPPED": Case(
        ("9C 6D 9H", "10C KC", "10S 9S AH"),
        "0 attack 9C, 0 stop",
        "0 throw 9H",
        "seat 0 has stopped, which holds until the next response – rule 3.4",
        options=FROM_LEAD,
    ),
    "HAS_BEEN_ASKED": Case(
        ("9C 6D 9H", "10C KC 7D", "10S 9S AH"),
        "0 attack 9C, 0 stop, 1 pick_up, 0 pass",
        "0 throw 9H",
        "seat 0 has had its turn in this last round – rule 3.4",
    ),
    "HAND_IS_EMPTY": Case(
        ("9C", "10C KC 7D", "10S 9S AH"),
        "0 attack 9C, 1 cover 9C 10C",
        "0 pass",
        "seat 0 has no cards and is not asked – rule 3.4",
    ),
    "NO_MATCHING_CARD": Case(
        ("9C 6D", "10C KC 7D", "10S 9S AH"),
        "0 attack 9C, 1 cover 9C 10C",
        "0 throw 6D",
        "seat 0 holds no card of a rank on the table (9 and 10) and is skipped – rule 3.4",
    ),
    "RANK_NOT_ON_TABLE": Case(
        ("9C 6D", "10C KC 7D", "10S 9S AH"),
        "0 attack 9C, 1 cover 9C 10C",
        "2 throw AH",
        "no card of its rank is on the table (there are 9 and 10) – rule 3.4",
    ),
    "NOTHING_ADDED": Case(
        ("9C 6D", "10C KC 7D", "10S 9S AH"),
        "0 attack 9C, 1 cover 9C 10C",
        "2 stop",
        "nothing has been added that could be stopped: the word is pass – rule 3.4",
    ),
    "SOMETHING_ADDED": Case(
        ("9C 6D", "10C KC 7D", "10S 9S AH"),
        "0 attack 9C, 1 cover 9C 10C, 2 throw 10S",
        "2 pass",
        "a card has been added: the word is stop – rule 3.4",
    ),
    "NO_EXCHANGE": Case(
        ("9C 6D", "6S 8D"),
        "",
        "0 exchange",
        "there is no trump exchange at this table – rule 5.4",
        stock="KS",
    ),
    "EXCHANGE_WITHOUT_STOCK": Case(
        ("9C 6D", "6S 8D"), "", "1 exchange", "the stock is empty – rule 5.4", options=EXCHANGE
    ),
    "NOT_THE_HOLDER": Case(
        ("9C 7D", "6S 8D"),
        "",
        "0 exchange",
        "seat 0 does not hold the lowest trump of the pack – rule 5.4",
        stock="KS",
        options=EXCHANGE,
    ),
    "EXCHANGE_IS_OVER": Case(
        ("9C 7D", "6S 8D"),
        "1 keep",
        "1 exchange",
        "the exchange is offered once, before the lead – rule 5.4",
        stock="KS",
        options=EXCHANGE,
    ),
    "EXCHANGE_OR_KEEP": Case(
        ("6S 7D", "9C 8D"),
        "",
        "0 attack 7D",
        "seat 0 is asked first whether it swaps the lowest trump: exchange or keep – rule 5.4",
        stock="KS",
        options=EXCHANGE,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_illegal_action_is_given_its_reason_and_rule(name: str) -> None:
    case = CASES[name]
    game = case.game()
    seat, action = split_seat(case.tried, game.players)
    reason = reason_for(game, seat, parse_action(action))
    assert reason is not None
    assert str(reason) == case.said
    assert NAMES[reason.code] == name


def test_every_reason_has_a_case_and_words() -> None:
    assert set(CASES) == set(NAMES.values())
    assert set(WORDS) == set(NAMES)
    assert len(NAMES) == reasons.N_REASONS - 1


MORE_WORDS = {
    "a seat that may still add to its lead": Case(
        ("9C 9H 6D", "9D KC", "9S QC AH"),
        "0 attack 9C",
        "2 pass",
        "seat 0 may still add to its lead, or stop – rule 3.1",
    ),
    "the leader of a bout that goes on": Case(
        NINES,
        "0 attack 9C, 1 transfer 9D",
        "2 attack 9S",
        "seat 2 defends and adds nothing to the attack – rule 3.4",
    ),
    "another seat's lead": Case(NINES, "0 attack 9C", "2 attack 9S", "seat 0 led this bout – rule 3.1"),
    "a card that covers": Case(
        ("9C 9H 6D", "10C KC AH", "QS QC AC"),
        "0 attack 9C, 0 attack 9H, 1 cover 9C 10C",
        "1 cover 10C KC",
        "10C is no attack: it covers 9C – rule 3.3",
    ),
    "a card that is not on the table": Case(
        NINES, "0 attack 9C", "1 cover QD KC", "QD is not on the table – rule 3.3"
    ),
    "the defender after its declaration": Case(
        ("9C 10D 9H", "10C KC 7H", "7S 9S"),
        "0 attack 9C, 0 stop, 1 pick_up",
        "1 throw 10C",
        "seat 1 is picking up and adds nothing to the attack – rule 3.4",
    ),
    "a late show after a cover under early": Case(
        ("9C 9H 6D", "10C KC 9S", "QS QC AC"),
        "0 attack 9C, 0 attack 9H, 1 cover 9C 10C",
        "1 show 9S",
        "an attack is covered, and from then on nothing is shown on – rule 4.1",
        options=PASS_CARD,
    ),
    "a second show": Case(
        ("9C 9D 9H 6C 7C", "9S KC 8C"),
        "0 attack 9C, 0 stop, 1 show 9S, 0 transfer 9D, 0 stop, 1 show 9S, 0 transfer 9H",
        "1 show 9S",
        "seat 1 may show two times in a bout, and has – rule 4.9",
        options=options(pass_card__enabled=True, pass_card__per_bout=2),
    ),
    "the receiver of a transfer among partners": Case(
        ("9C 6D 7H", "9D KC", "9S QC AH", "JC"),
        "0 attack 9C, 1 transfer 9D",
        "2 transfer 9S",
        "three attacks would meet one card in seat 3's hand – rule 4.3",
        options=PARTNERS,
    ),
}


@pytest.mark.parametrize("name", MORE_WORDS)
def test_words_fit_the_position(name: str) -> None:
    case = MORE_WORDS[name]
    game = case.game()
    seat, action = split_seat(case.tried, game.players)
    assert str(reason_for(game, seat, parse_action(action))) == case.said


def test_legal_action_has_no_reason() -> None:
    game = CASES["MUST_LEAD"].game()
    assert reason_for(game, 0, parse_action("attack 9C")) is None
