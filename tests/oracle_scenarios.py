"""Play scenario files (docs/formats.md, referee) with the oracle."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from tests.oracle import Deal, IllegalAction, pack_of
from tests.oracle_variants import resolve

KEYS = {
    "name",
    "variant",
    "trump",
    "stock",
    "hands",
    "leader",
    "first_bout",
    "beaten_before",
    "steps",
}


class ScenarioFailed(Exception):
    """A step that is not legal, or an expectation that is not met."""


def load_position(path: Path) -> tuple[Deal, list[Any]]:
    """Read a scenario file: the position it sets up and the steps it plays.

    Raises
    ------
    ValueError
        If the file names an unknown key or card, a card twice, or a position that cannot be.
    """
    file = yaml.safe_load(path.read_text(encoding="utf-8"))
    if set(file) - KEYS:
        raise ValueError(f"{path}: unknown keys {sorted(set(file) - KEYS)}")
    rules = resolve(file.get("variant", "classic"), path.parent)
    hands = [hand.split() for hand in file["hands"]]
    stock = file.get("stock", [])
    cards = [card for hand in hands for card in hand] + stock
    if len(set(cards)) < len(cards) or set(cards) - set(pack_of(rules["deck"])):
        raise ValueError(f"{path}: a card is named twice or is not in the pack")
    deal = Deal.position(
        rules,
        hands,
        stock,
        file["trump"],
        file.get("leader", 0),
        file.get("first_bout", False),
        file.get("beaten_before", False),
    )
    return deal, file["steps"]


def _seats_to_act(deal: Deal, seat: int | None) -> set[int]:
    return deal.askable() if seat is None else {seat}


def _legal(deal: Deal, seat: int | None) -> set[str]:
    seats = _seats_to_act(deal, seat)
    if len(seats) > 1:
        raise ValueError("`legal` needs `seat` where seats race")
    return set().union(*(deal.legal(each) for each in seats))


def _table(deal: Deal) -> list[str]:
    return [attack if cover is None else f"{attack}/{cover}" for attack, cover in deal.table]


# What `expect` may ask beside `seat` and `legal`, and how the oracle answers.
ANSWERS: dict[str, Callable[[Deal], Any]] = {
    "attacker": lambda deal: None if deal.over else deal.attacker,
    "defender": lambda deal: None if deal.over else deal.defender,
    "table": _table,
    "hands": lambda deal: deal.hands,
    "stock": lambda deal: len(deal.stock),
    "bout": lambda deal: deal.last_bout,
    "leader": lambda deal: deal.leader,
    "loser": lambda deal: deal.loser,
    "result": lambda deal: deal.result,
    "over": lambda deal: deal.over,
    "left": lambda deal: set(range(deal.players)) - deal.active,
}
# How an expected value is read, where it is not compared as it stands.
READINGS: dict[str, Callable[[Any], Any]] = {
    "hands": lambda hands: [set(hand.split()) for hand in hands],
    "left": set,
}


def check_expectations(deal: Deal, expected: dict[str, Any]) -> None:
    """Compare a position with an `expect` step."""
    for key, value in expected.items():
        if key == "seat":
            met = value in deal.askable() if value is not None else not deal.askable()
            found: Any = deal.askable()
        elif key == "legal":
            found = _legal(deal, expected.get("seat"))
            met = found == set(value)
        else:
            found = ANSWERS[key](deal)
            met = found == READINGS.get(key, lambda same: same)(value)
        if not met:
            raise ScenarioFailed(f"{key}: expected {value}, got {found}")


def split_step(step: str) -> tuple[int, str]:
    """Split ``"1 cover 9C QC"`` into the seat and its action."""
    seat, action = step.split(" ", 1)
    return int(seat), action


def play_step(deal: Deal, step: Any) -> None:
    """Play one entry of `steps`: an action, an `expect` or an `illegal`."""
    if isinstance(step, str):
        try:
            deal.play(*split_step(step))
        except IllegalAction as error:
            raise ScenarioFailed(str(error)) from error
    elif set(step) == {"expect"}:
        check_expectations(deal, step["expect"])
    elif set(step) == {"illegal"}:
        seat, action = split_step(step["illegal"])
        if action in deal.legal(seat):
            raise ScenarioFailed(f"{step['illegal']}: expected to be illegal, but the rules allow it")
    else:
        raise ValueError(f"unknown step {step}")


def play_scenario(path: Path) -> Deal:
    """Play a scenario file to its end.

    Raises
    ------
    ScenarioFailed
        At the first illegal step or failed expectation.
    """
    deal, steps = load_position(path)
    for number, step in enumerate(steps, start=1):
        try:
            play_step(deal, step)
        except ScenarioFailed as error:
            raise ScenarioFailed(f"{path.name}, step {number}: {error}") from error
    return deal
