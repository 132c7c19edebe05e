"""Save a deal that somebody steps through: as a scenario, or as a record."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcli.engine.game import Game
from simcli.engine.notation import CARD_WORDS, card_words
from simcli.errors import InputError, refusal
from simcli.records.expect import askable_seats, spelled
from simcli.records.record import FORMAT
from simcli.rules.canonical import resolved
from simcli.rules.load import load_variant
from simcli.rules.shipped import locate_shipped
from simcli.rules.variant import Variant, seat
from simcli.rules.wording import printable_path
from simcli.runs.planfile import yaml_text

SUITS = "CDHS"


@dataclass(frozen=True)
class Beginning:
    """The position from which somebody steps through a deal.

    Attributes
    ----------
    variant : Variant
        The rules, seated.
    hands : tuple of int
        Sets of cards by seat.
    stock : tuple of int
        Cards in drawing order.
    trump_suit : int
        0 ♣, 1 ♦, 2 ♥, 3 ♠.
    leader : int
        Seat that leads.
    first_bout, beaten_before : bool
        As in a scenario.
    seed, deal : int or None
        They name the pack, if it is a whole deal.
    """

    variant: Variant
    hands: tuple[int, ...]
    stock: tuple[int, ...]
    trump_suit: int
    leader: int
    first_bout: bool
    beaten_before: bool
    seed: int | None = None
    deal: int | None = None


def save_position(path: Path, beginning: Beginning, game: Game) -> None:
    """Save the beginning, the steps played from it and the position reached, as a scenario.

    Raises
    ------
    InputError
        The file cannot be written, or there is one of this name.
    """
    if path.suffix not in (".yaml", ".yml"):
        raise refusal(printable_path(path), "expected a name that ends in .yaml or .jsonl")
    _write(path, position_text(beginning, game))


def position_text(beginning: Beginning, game: Game) -> str:
    """Return a scenario: the beginning, the steps played from it and the position reached."""
    name = "saved position" if beginning.seed is None else f"deal {beginning.deal} of seed {beginning.seed}"
    hands = ", ".join(" ".join(card_words(hand)) or '""' for hand in beginning.hands)
    lines = [
        f"name: {name}",
        yaml_text({"variant": _variant_value(beginning.variant)}).rstrip(),
        f"trump: {SUITS[beginning.trump_suit]}",
        f"stock: [{', '.join(CARD_WORDS[card] for card in beginning.stock)}]",
        f"hands: [{hands}]",
        f"leader: {beginning.leader}",
        f"first_bout: {str(beginning.first_bout).lower()}",
        f"beaten_before: {str(beginning.beaten_before).lower()}",
        "steps:",
        *(f"  - {event['seat']} {event['do']}" for event in game.events if "do" in event),
        f"  - expect: {{{_reached(game)}}}",
    ]
    return "\n".join(lines) + "\n"


def _variant_value(variant: Variant) -> str | dict[str, Any]:
    """Return the name of a shipped variant, or the options themselves."""
    try:
        shipped = seat(load_variant(locate_shipped(variant.name)), variant.players)
    except InputError:
        shipped = None
    return variant.name if shipped == variant else resolved(variant)


def _reached(game: Game) -> str:
    seats = askable_seats(game)
    asked = f"seat: {seats[0] if seats else 'null'}, "
    parts = {"table": game.table, "hands": game.hands, "stock": game.n_stock, "over": game.over}
    return asked + ", ".join(f"{key}: {spelled(key, value)}" for key, value in parts.items())


def save_record(path: Path, beginning: Beginning, game: Game) -> None:
    """Save the record of a deal, which may still be in play.

    Raises
    ------
    InputError
        The file cannot be written, there is one of this name, or there is no deal to be recorded.
    """
    if beginning.seed is None:
        message = "only a whole deal has a record – save a position as .yaml"
        raise refusal(printable_path(path), message)
    _write(path, json.dumps(_record(beginning, game)) + "\n")


def _record(beginning: Beginning, game: Game) -> dict[str, Any]:
    assert game.trump_card is not None
    return {
        "format": FORMAT,
        "variant": resolved(beginning.variant),
        "players": game.players,
        "bots": ["by hand"] * game.players,
        "seed": beginning.seed,
        "deal": beginning.deal,
        "session": beginning.deal,
        "deal_in_session": 0,
        "previous": None,
        "dealer": game.dealer,
        "trump": CARD_WORDS[game.trump_card],
        "hands": [card_words(hand) for hand in beginning.hands],
        "stock": [CARD_WORDS[card] for card in beginning.stock],
        "opener": game.opener,
        "events": game.events,
        "result": game.result,
        "loser": game.loser,
        "places": game.places,
    }


def _write(path: Path, text: str) -> None:
    """Write a new file."""
    name = printable_path(path)
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise refusal(name, "there is a file of this name – choose another name") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(name, f"expected a file that can be written, got: {reason}") from None
