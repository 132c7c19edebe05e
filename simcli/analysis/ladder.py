"""A ladder of bots: every bot once among three, or however many, of every other, pooled into one scale.

The line-ups are played in all rotations over the same packs, as ordinary runs; the pack is what is independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.found import AnyRow
from simcli.analysis.rates import NOTHING_KNOWN, Estimate
from simcli.analysis.ratings import Duel, DuelSums, Ratings, fit_ratings, margin_of, rate_of
from simcli.analysis.rotation import failures
from simcli.bots.lineup import Lineup, parse_lineup
from simcli.bots.registry import BOTS
from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.canonical import rules_hash
from simcli.rules.variant import Variant
from simcli.rules.wording import printable
from simcli.runs.bench.speed import measure_speeds
from simcli.runs.bench.steps import Steps
from simcli.runs.conduct import conduct_all
from simcli.runs.engine import ready_engine
from simcli.runs.identity import engine_identity
from simcli.runs.orders import Order, make_orders
from simcli.runs.plan import Match
from simcli.runs.pool import Pool
from simcli.runs.report import Report
from simcli.runs.store.location import Location

FORMAT = "simcli-ladder/1"
WHERE = "bots"
ANCHOR = "lowest"
AFFORDABLE = {"endgame": "endgame:1000", "montecarlo": "montecarlo:32"}
"""Bots that take their time, as a ladder has them unless others are named."""
DEFAULT_BOTS = tuple(AFFORDABLE.get(name, name) for name in BOTS)
PACKS, SLOW_PACKS = 20_000, 1_000
"""Packs of a pair; fewer where a bot looks ahead or is an own one."""
LEAST_PACKS = 100
BLOCK = 100_000
COST_S = 0.25
"""CPU seconds in which the cost of a bot is measured."""


@dataclass(frozen=True)
class LadderPlan:
    """Say what a ladder is measured by.

    Attributes
    ----------
    variant : Variant
        The rules, seated.
    bots : tuple of str
        The bots.
    seed : int
        Seed of the packs.
    duels : tuple of Duel
        Who sits once among whom.
    orders : tuple of tuple of Order
        The rotations of each duel.
    """

    variant: Variant
    bots: tuple[str, ...]
    seed: int
    duels: tuple[Duel, ...]
    orders: tuple[tuple[Order, ...], ...]

    @property
    def anchor(self) -> int:
        """Return the place of the bot whose rating is 0: `lowest`, else the first."""
        return self.bots.index(ANCHOR) if ANCHOR in self.bots else 0

    @property
    def is_race(self) -> bool:
        """Return whether the first out wins."""
        return self.variant.end.objective == "first_out_wins"


@dataclass(frozen=True)
class Rung(AnyRow):
    """Hold where a bot stands.

    Attributes
    ----------
    bot : str
        The bot, with its parameters.
    rating : Estimate
        Its rating, that of the anchor being 0.
    rank : int or None
        One more than the number of bots that are surely stronger.
    cost : float or None
        CPU time of a deal with the bot at every seat, as a multiple of that of `lowest`; None for own bots.
    """

    bot: str
    rating: Estimate
    rank: int | None
    cost: float | None


@dataclass(frozen=True)
class DuelRow(AnyRow):
    """Hold how one bot fared among others of another kind.

    Attributes
    ----------
    one, others : str
        The bot, and the others at the table.
    difference : Estimate
        How much more often it fails than the mean of the others, as a share of all deals; below 0 it is stronger.
    packs, deals, decided : int
        Packs, deals over all rotations, and those that anybody lost or, where the first out wins, won alone.
    rate : Estimate
        Share of the decided deals that the one bot lost, or won.
    fitted : float or None
        That share by the ratings.
    """

    one: str
    others: str
    difference: Estimate
    packs: int
    deals: int
    decided: int
    rate: Estimate
    fitted: float | None

    @property
    def misfit(self) -> float:
        """Return by how much the rate is more than the ratings have it."""
        if self.fitted is None or self.rate.value is None:
            return 0.0
        return self.rate.value - self.fitted


@dataclass(frozen=True)
class Ladder:
    """Hold a measured ladder of bots.

    Attributes
    ----------
    variant, rules : str
        Name of the variant, hash of its rules.
    players, seats : int
        Players, and seats that lose by themselves: the players, or the teams.
    outcome : str
        What is counted: ``loss`` or, where the first out wins, ``first_out``.
    seed : int
        Seed of the packs.
    anchor : str
        The bot whose rating is 0.
    engine : dict of str
        Version and behaviour signature of the engine that played.
    bots : tuple of Rung
        The bots, the strongest first.
    duels : tuple of DuelRow
        Every bot once among others of every kind, in the order of the bots; at two seats each pair once.
    played : int
        Deals that had to be played for it.
    folders : tuple of Path or S3Url
        The runs of the first duel.
    """

    variant: str
    rules: str
    players: int
    seats: int
    outcome: str
    seed: int
    anchor: str
    engine: dict[str, str]
    bots: tuple[Rung, ...]
    duels: tuple[DuelRow, ...]
    played: int = field(default=0, compare=False)
    folders: tuple[Location, ...] = field(default=(), compare=False)

    @property
    def worst_fitted(self) -> DuelRow:
        """Return the duel that the ratings fit worst."""
        return max(self.duels, key=lambda row: abs(row.misfit))

    def to_dict(self) -> dict[str, Any]:
        """Return the ladder as plain data (docs/formats.md)."""
        return {
            "format": FORMAT,
            "variant": self.variant,
            "rules": self.rules,
            "players": self.players,
            "outcome": self.outcome,
            "seed": self.seed,
            "anchor": self.anchor,
            "engine": dict(self.engine),
            "bots": [rung.as_mapping() for rung in self.bots],
            "duels": [row.as_mapping() for row in self.duels],
        }


def plan_ladder(
    bots: Sequence[str], variant: Variant, *, deals: int | None, seed: int, results: Location
) -> LadderPlan:
    """Return how a ladder is to be measured, checked before anything is played.

    Parameters
    ----------
    bots : sequence of str
        The bots, with their parameters; one named twice counts once. Empty for `DEFAULT_BOTS`.
    variant : Variant
        The rules, seated.
    deals : int or None
        Packs of each pair, each played once a rotation; None for the usual number, or that of longer runs.
    seed : int
        Seed of the packs.
    results : Path or S3Url
        The results folder.

    Raises
    ------
    InputError
        With the problems of all bots; fewer than two different ones; a folder holds something else.
    """
    known = _canonical(bots or DEFAULT_BOTS)
    if len(known) < 2:
        raise refusal(WHERE, f"expected two different bots or more, got {', '.join(known)} alone")
    seats = _seats(variant)
    pairs = [(one, others) for one in range(len(known)) for others in range(len(known)) if one != others]
    duels = [Duel(one, others) for one, others in pairs if seats > 2 or one < others]
    orders = []
    for duel in duels:
        text = ",".join([known[duel.one], *[known[duel.others]] * (seats - 1)] * (variant.players // seats))
        made = make_orders(
            [variant], bots=text, seed=seed, session=1, deals=deals, players=variant.players, results=results,
            fresh=False, rotate=True,
        )  # fmt: skip
        orders.append(tuple(_sized(made)))
    return LadderPlan(variant, tuple(known), seed, tuple(duels), tuple(orders))


def measure_ladder(plan: LadderPlan, pool: Pool, report: Report, steps: Steps) -> Ladder:
    """Play what a ladder still lacks, measure what its bots cost, and rate them.

    Parameters
    ----------
    plan : LadderPlan
        What to measure.
    pool, report
        As for `simcli.runs.conduct.conduct_all`.
    steps : Steps
        Whom to tell that costs are measured.

    Raises
    ------
    InputError, RunError
        As for `simcli.runs.conduct.conduct_all`.
    """
    outcomes = list(conduct_all([order for rotations in plan.orders for order in rotations], pool, report))
    finished = iter([load_finished(outcome.folder, outcome.deals) for outcome in outcomes])
    runs = [[next(finished) for _ in rotations] for rotations in plan.orders]
    ladder = ladder_of(plan, runs, _costs(plan, report, steps))
    return replace(
        ladder,
        played=sum(outcome.played for outcome in outcomes),
        folders=tuple(run.path for run in runs[0]),
    )


def ladder_of(
    plan: LadderPlan, runs: Sequence[Sequence[FinishedRun]], costs: Sequence[float | None]
) -> Ladder:
    """Return what the runs of a ladder say.

    Parameters
    ----------
    plan : LadderPlan
        What was measured.
    runs : sequence of sequence of FinishedRun
        The rotations of each duel.
    costs : sequence of float or None
        What each bot costs.
    """
    sums = count_duels(plan, runs)
    ratings = fit_ratings(plan.duels, sums, len(plan.bots), plan.anchor, wins=plan.is_race)
    rungs = [_rung(bot, place, ratings, costs[place]) for place, bot in enumerate(plan.bots)]
    if ratings is not None:
        rungs.sort(key=lambda rung: -(rung.rating.value or 0.0))
    places = [rung.bot for rung in rungs]
    rows = [_row(plan, place, sums, ratings) for place in range(len(plan.duels))]
    return Ladder(
        plan.variant.name,
        rules_hash(plan.variant),
        plan.variant.players,
        sums.seats,
        "first_out" if plan.is_race else "loss",
        plan.seed,
        plan.bots[plan.anchor],
        {key: value for key, value in engine_identity().items() if key != "sources"},
        tuple(rungs),
        tuple(sorted(rows, key=lambda row: (places.index(row.one), places.index(row.others)))),
    )


def count_duels(plan: LadderPlan, runs: Sequence[Sequence[FinishedRun]]) -> DuelSums:
    """Return what happened in the runs of a ladder, summed up over packs."""
    n = len(plan.duels)
    packs = np.array([rotations[0].deals for rotations in runs], dtype=np.int64)
    totals, products = np.zeros(2 * n), np.zeros((2 * n, 2 * n))
    for start in range(0, int(packs.max()), BLOCK):
        end = min(start + BLOCK, int(packs.max()))
        vectors = np.zeros((2 * n, end - start))
        for place, (duel, rotations) in enumerate(zip(plan.duels, runs, strict=True)):
            stop = min(end, int(packs[place]))
            for run in rotations if start < stop else ():
                one, decided = _counted(run, plan.bots[duel.one], start, stop)
                vectors[place, : stop - start] += one
                vectors[n + place, : stop - start] += decided
        totals += vectors.sum(axis=1)
        products += vectors @ vectors.T
    return DuelSums(_seats(plan.variant), packs, totals, products)


Flags = npt.NDArray[np.bool_]


def _counted(run: FinishedRun, one: str, first: int, end: int) -> tuple[Flags, Flags]:
    """Return by deal whether the one bot lost, or won, and whether anybody did."""
    happened = failures(run, first, end)
    if run.variant.end.objective == "first_out_wins":
        happened = ~happened
    return happened[run.match.lineup.bots.index(one)], happened.any(axis=0)


def _rung(bot: str, place: int, ratings: Ratings | None, cost: float | None) -> Rung:
    if ratings is None:
        return Rung(bot, NOTHING_KNOWN, None, cost)
    return Rung(bot, ratings.estimate(place), ratings.rank(place), cost)


def _row(plan: LadderPlan, place: int, sums: DuelSums, ratings: Ratings | None) -> DuelRow:
    duel = plan.duels[place]
    return DuelRow(
        plan.bots[duel.one],
        plan.bots[duel.others],
        margin_of(place, sums, wins=plan.is_race),
        int(sums.packs[place]),
        int(sums.deals[place]),
        int(sums.decided[place]),
        rate_of(place, sums),
        None if ratings is None else float(ratings.fitted[place]),
    )


def _canonical(texts: Sequence[str]) -> list[str]:
    """Return bots as line-ups write them, each once; raise an `InputError` with the problems of all."""
    known: list[str] = []
    problems: list[Problem] = []
    for text in texts:
        if "," in text:
            problems.append(Problem(WHERE, None, None, f"expected one bot a word, got {printable(text)}"))
            continue
        try:
            known.append(parse_lineup(text, 1, WHERE).bots[0])
        except InputError as error:
            problems.extend(problem for problem in problems_of(error) if problem not in problems)
    if problems:
        raise input_error(problems)
    return list(dict.fromkeys(known))


def _seats(variant: Variant) -> int:
    """Return how many seats, or teams, lose by themselves."""
    return variant.players if variant.teams == "none" else variant.teams


def _sized(orders: Sequence[Order]) -> Iterator[Order]:
    """Yield the rotations of a line-up with a number of deals: the usual one, or that of the longest that is there."""
    lineup = orders[0].match.lineup
    plans = [order.folder.plan_of(order.match) for order in orders]
    usual = SLOW_PACKS if _is_slow(lineup) else PACKS
    wanted = max([usual, *(plan.deals for plan in plans if plan is not None)])
    yield from (order if order.deals is not None else replace(order, deals=wanted) for order in orders)


def _is_slow(lineup: Lineup) -> bool:
    return lineup.looks_ahead or bool(lineup.own)


def _costs(plan: LadderPlan, report: Report, steps: Steps) -> list[float | None]:
    """Return the CPU time of a deal with each bot at every seat, as multiples of that of `lowest`."""
    names = list(dict.fromkeys([ANCHOR, *plan.bots]))
    lineups = {name: parse_lineup(name, plan.variant.players, WHERE) for name in names}
    measured = [name for name, lineup in lineups.items() if not lineup.own]
    for looks_ahead in sorted({lineups[name].looks_ahead for name in measured}):
        ready_engine(report, looks_ahead)
    matches = [Match(plan.variant, lineups[name], plan.seed, 1) for name in measured]
    found = dict(zip(measured, measure_speeds(matches, COST_S, steps), strict=True))
    yardstick = found[ANCHOR].deals_per_s
    return [yardstick / found[bot].deals_per_s if bot in found else None for bot in plan.bots]
