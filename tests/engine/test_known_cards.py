"""What everybody has seen is known to everybody (docs/rules.md 3.5, 4.9, 5.4)."""

from __future__ import annotations

from simcli.engine.layout import DISCARD, HAND, KNOWN, PACK
from simcli.engine.notation import parse_cards
from tests.engine.positions import play, position


def test_a_shown_card_is_known_to_be_in_the_hand_from_then_on() -> None:
    game = position("9C 6D 7D", "9S KH 8D", "QC AD AH", pass_card={"enabled": True})
    play(game, "attack 9C")
    assert game.state[KNOWN + 1] == 0
    play(game, "show 9S")
    assert game.state[KNOWN + 1] == parse_cards(["9S"])
    play(game, "cover 9C QC", "pass")
    assert game.state[KNOWN + 1] & game.state[HAND + 1] == parse_cards(["9S"])


def test_cards_that_are_picked_up_are_known_to_be_in_the_hand() -> None:
    game = position("9C 6D 7D", "10C KH 8D", "9H AD AH")
    play(game, "attack 9C", "cover 9C 10C", "throw 9H", "pick_up")
    assert game.state[KNOWN + 1] == parse_cards(["9C", "10C", "9H"])
    assert game.state[KNOWN] == game.state[KNOWN + 2] == 0


def test_the_exposed_trump_is_known_to_be_in_the_hand_that_swapped_it() -> None:
    game = position("6S 7C 7D", "8C 8D 6C", stock="AC KC 9S", trump_exchange="lowest")
    play(game, "exchange")
    assert game.state[KNOWN] == parse_cards(["9S"])
    assert game.state[HAND] == parse_cards(["9S", "7C", "7D"])


def test_cards_that_are_beaten_lie_in_the_discard_for_good() -> None:
    game = position("9C 6D 7D", "10C KH 8D", "QS AD AH", stock="AC KC QC JC 7H 8H")
    before = int(game.state[DISCARD])
    play(game, "attack 9C", "cover 9C 10C")
    assert game.state[DISCARD] == before | parse_cards(["9C", "10C"])
    play(game, "attack KH", "pick_up")
    assert game.state[DISCARD] == before | parse_cards(["9C", "10C"])
    assert before & parse_cards(["9C", "10C"]) == 0
    assert before & ~game.state[PACK] == 0
