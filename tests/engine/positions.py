"""Set up positions from words and play them."""

from __future__ import annotations

from typing import Any

from simcli.engine.game import Game
from simcli.engine.notation import parse_action, parse_card, parse_cards
from simcli.rules.load import variant_from_mapping


def position(
    *hands: str, trump: str = "S", stock: str = "", leader: int = 0, seed: int = 0, **options: Any
) -> Game:
    """Begin in a position; the options are those in which the variant differs from the defaults."""
    variant = variant_from_mapping({"name": "test", "players": len(hands), **options})
    return Game.position(
        variant,
        [parse_cards(hand.split()) for hand in hands],
        [parse_card(card) for card in stock.split()],
        "CDHS".index(trump),
        leader,
        seed=seed,
    )


def play(game: Game, *actions: str) -> Game:
    """Play some actions, each by the seat that is asked."""
    for action in actions:
        game.play(parse_action(action))
    return game
