"""What it costs to note which options decided anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from simcli.engine.layout import WATCHED
from simcli.runs.bench.player import Player
from simcli.runs.bench.speed import name_of
from simcli.runs.bench.steps import Steps
from simcli.runs.plan import Match

ROUNDS = 7


@dataclass(frozen=True)
class TriggerCost:
    """Hold the cost of watching a variant's options.

    Attributes
    ----------
    variant, bots : str
        Name and line-up.
    players : int
        Seats.
    watched : int
        Options that differ from `classic` and are therefore watched.
    deals_per_s : float
        Deals a CPU second with the tests, as runs are played.
    cost : float
        Share by which a deal takes longer than without the tests, the median of `ROUNDS` rounds.
    """

    variant: str
    players: int
    bots: str
    watched: int
    deals_per_s: float
    cost: float


def measure_triggers(matches: Sequence[Match], cpu_s: float, steps: Steps) -> list[TriggerCost]:
    """Return the cost of the trigger tests for every match that has any, with and without in turn."""
    watching = [match for match in matches if Player(match).state[WATCHED]]
    return [_cost(match, cpu_s) for match in steps.walk("the trigger tests", watching, name_of)]


def _cost(match: Match, cpu_s: float) -> TriggerCost:
    watching, blind = Player(match), Player(match)
    watched = int(watching.state[WATCHED]).bit_count()
    blind.state[WATCHED] = 0
    each = cpu_s / (2 * ROUNDS)
    for player in (watching, blind):
        player.sample(each / 2)
    pairs = [(watching.sample(each).deals_per_s, blind.sample(each).deals_per_s) for _ in range(ROUNDS)]
    return TriggerCost(
        match.variant.name,
        match.players,
        match.lineup.text,
        watched,
        median(with_tests for with_tests, _ in pairs),
        median(without / with_tests for with_tests, without in pairs) - 1,
    )
