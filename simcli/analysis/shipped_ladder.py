"""The ladder that ships: how the shipped bots stand, measured once and read ever after.

`simcli bots ladder --save simcli/analysis/ladder.json` measures it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("ladder.json")


@dataclass(frozen=True)
class Standing:
    """Hold where a bot stands on the ladder that ships.

    Attributes
    ----------
    measured_as : str
        The bot with the parameters that it was measured with.
    rating : mapping
        Its rating as `Ladder.to_dict` has it: value and interval.
    rank : int
        One more than the number of bots that are surely stronger.
    cost : float
        CPU time of a deal with it at every seat, as a multiple of that of `lowest`.
    """

    measured_as: str
    rating: Mapping[str, Any]
    rank: int
    cost: float


@dataclass(frozen=True)
class ShippedLadder:
    """Hold the ladder that ships.

    Attributes
    ----------
    variant, players, seed : str, int, int
        The table at which it was measured.
    signature : str
        Behaviour signature of the engine that played.
    packs : tuple of int
        The different numbers of packs that pairs were played with, the largest first.
    standings : mapping of str to Standing
        By name of the bot, the strongest first.
    """

    variant: str
    players: int
    seed: int
    signature: str
    packs: tuple[int, ...]
    standings: Mapping[str, Standing]


@cache
def shipped_ladder() -> ShippedLadder:
    """Return the ladder that ships."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return ShippedLadder(
        data["variant"],
        data["players"],
        data["seed"],
        data["engine"]["signature"],
        tuple(sorted({duel["packs"] for duel in data["duels"]}, reverse=True)),
        {
            each["bot"].partition(":")[0]: Standing(each["bot"], each["rating"], each["rank"], each["cost"])
            for each in data["bots"]
        },
    )
