"""Agreements that do not fit together, though each alone is allowed (docs/rules.md 7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcli.rules.variant import Variant

HAND_SIZE = 6
TEAM_PLAYERS = {2: (4, 6), 3: (6,)}
"""Table sizes that each number of teams can be seated at (docs/rules.md 6)."""


@dataclass(frozen=True)
class Conflict:
    """Name the keys that contradict each other, the likeliest culprit first, and say how."""

    keys: tuple[str, str]
    message: str


def conflicts(variant: Variant) -> list[Conflict]:
    """Return every contradiction between the keys of a variant."""
    return [*_limit_conflicts(variant), *_table_conflicts(variant), *_rule_conflicts(variant)]


def _limit_conflicts(variant: Variant) -> Iterator[Conflict]:
    attack = variant.attack
    if attack.first_limit > attack.limit:
        yield Conflict(
            ("attack.first_limit", "attack.limit"),
            f"expected first_limit at most limit, got first_limit {attack.first_limit} "
            f"and limit {attack.limit}",
        )


def _table_conflicts(variant: Variant) -> Iterator[Conflict]:
    players, deck = variant.players, variant.deck
    if players > variant.max_players:
        yield Conflict(
            ("players", "max_players"),
            f"expected players at most max_players, got players {players} "
            f"and max_players {variant.max_players}",
        )
    if players * HAND_SIZE > deck:
        yield Conflict(
            ("players", "deck"),
            f"expected at most {deck // HAND_SIZE} players with {deck} cards ({HAND_SIZE} each), "
            f"got {players}",
        )
    if variant.teams != "none" and players not in TEAM_PLAYERS[variant.teams]:
        sizes = " or ".join(str(size) for size in TEAM_PLAYERS[variant.teams])
        yield Conflict(
            ("teams", "players"),
            f"expected {sizes} players with {variant.teams} teams, got {players}",
        )


def _rule_conflicts(variant: Variant) -> Iterator[Conflict]:
    if variant.pass_card.enabled and variant.transfer.mode == "none":
        yield Conflict(
            ("pass_card.enabled", "transfer.mode"),
            "expected transfer.mode early or late with pass_card.enabled true, got none",
        )
    if variant.teams != "none" and variant.end.objective == "first_out_wins":
        yield Conflict(
            ("end.objective", "teams"),
            f"expected end.objective last_loses with {variant.teams} teams, got first_out_wins",
        )
