"""The engine's speed on one core, table by table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError, Problem, input_error, problems_of
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.runs.bench.player import Player, middle
from simcli.runs.bench.steps import Steps
from simcli.runs.plan import Match

SEED = 1
SAMPLES = 5


@dataclass(frozen=True)
class Speed:
    """Hold the speed of one table.

    Attributes
    ----------
    variant, bots : str
        Name and line-up.
    players : int
        Seats.
    deals_per_s : float
        Deals a CPU second on one core, the median of `SAMPLES` samples.
    decisions : float
        Recorded actions a deal, the mean.
    """

    variant: str
    players: int
    bots: str
    deals_per_s: float
    decisions: float

    @property
    def ns_per_decision(self) -> float:
        """Return the nanoseconds a decision takes, dealing and the outcome row included."""
        return 1e9 / (self.deals_per_s * self.decisions)


def make_matches(
    variants: Sequence[str], players: Sequence[int], bots: Sequence[str], usual: Sequence[int]
) -> list[Match]:
    """Return every variant at every table size with every line-up.

    Parameters
    ----------
    variants, bots : sequence of str
        Variants as paths or names, and line-ups.
    players : sequence of int
        Table sizes; empty for the usual ones that a variant can seat.
    usual : sequence of int
        The usual table sizes.

    Raises
    ------
    InputError
        With every problem of the variants and line-ups.
    """
    matches: list[Match] = []
    problems: list[Problem] = []
    for name in variants:
        try:
            seated = _seated(load_variant(name), players, usual)
        except InputError as error:
            problems.extend(problems_of(error))
            continue
        for lineup, variant in product(bots, seated):
            try:
                matches.append(Match(variant, parse_lineup(lineup, variant.players), SEED, 1))
            except InputError as error:
                problems.extend(problem for problem in problems_of(error) if problem not in problems)
    if problems:
        raise input_error(problems)
    return matches


def _seated(variant: Variant, players: Sequence[int], usual: Sequence[int]) -> list[Variant]:
    """Return a variant at the table sizes asked for, else at those of the usual ones that it can seat."""
    if players:
        return [seat(variant, n) for n in players]
    seated = []
    for n in usual:
        with suppress(InputError):
            seated.append(seat(variant, n))
    return seated or [variant]


def default_tables(variants: Sequence[str], bot: str) -> list[Match]:
    """Return every variant at its own table size with one bot at all seats.

    Raises
    ------
    InputError
        With every problem of the variants.
    """
    matches: list[Match] = []
    problems: list[Problem] = []
    for name in variants:
        try:
            variant = load_variant(name)
            matches.append(Match(variant, parse_lineup(bot, variant.players), SEED, 1))
        except InputError as error:
            problems.extend(problems_of(error))
    if problems:
        raise input_error(problems)
    return matches


def measure_speeds(matches: Sequence[Match], cpu_s: float, steps: Steps) -> list[Speed]:
    """Return the speed of every match, each measured for about `cpu_s` CPU seconds."""
    return [_speed(match, cpu_s) for match in steps.walk("the engine", matches, name_of)]


def name_of(match: Match) -> str:
    """Return what a match is called in the progress line."""
    return f"{match.variant.name}, {match.players} players, {match.lineup.text}"


def _speed(match: Match, cpu_s: float) -> Speed:
    player = Player(match)
    player.sample(cpu_s / SAMPLES)
    samples = [player.sample(cpu_s / SAMPLES) for _ in range(SAMPLES)]
    deals, decisions = (sum(getattr(sample, key) for sample in samples) for key in ("deals", "decisions"))
    return Speed(match.variant.name, match.players, match.lineup.text, middle(samples), decisions / deals)
