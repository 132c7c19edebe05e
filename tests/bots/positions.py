"""Positions laid out in words, and what a bot does in them, for the tests of the bots."""

from __future__ import annotations

from typing import Any

from simcli.bots.decide import decide
from simcli.bots.lineup import read_bot, seat_bot
from simcli.engine.game import Game
from simcli.engine.notation import SUITS, parse_action, parse_card, parse_cards
from simcli.rules.load import load_variant
from simcli.rules.variant import seat


def position(
    *hands: str, variant: str = "classic", trump: str = "H", stock: str = "", leader: int = 0
) -> Game:
    """Lay out hands in front of seats 0, 1, …; seat `leader` is asked to lead."""
    return Game.position(
        seat(load_variant(variant), len(hands)),
        [parse_cards(hand.split()) for hand in hands],
        [parse_card(word) for word in stock.split()],
        SUITS.index(trump),
        leader,
    )


def after(game: Game, *actions: str) -> Game:
    """Play actions in a position."""
    for text in actions:
        game.play(parse_action(text))
    return game


def turn_of(bot: str, game: Game) -> list[str]:
    """Return what a bot does when it is asked, action by action; each is checked to be legal."""
    asked = game.clone()
    seat_bot(asked.state, asked.to_act, read_bot(bot))
    events: list[dict[str, Any]] = asked.play_move(int(decide(asked.state)))
    return [event["do"] for event in events if "do" in event]
