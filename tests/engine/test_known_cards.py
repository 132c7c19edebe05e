"""What everybody has seen is known to everybody (docs/rules.md 4.9)."""

from __future__ import annotations

from simcli.engine.layout import HAND, KNOWN
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
