"""A ladder of bots: every bot once among others of every other kind, all of them on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from simcli.analysis.duels import ANCHOR, WHERE, LadderPlan, count_duels
from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.found import AnyRow
from simcli.analysis.rates import NOTHING_KNOWN, Estimate
from simcli.analysis.ratings import DuelSums, Ratings, fit_ratings, margin_of, rate_of
from simcli.bots.lineup import parse_lineup
from simcli.rules.canonical import rules_hash
from simcli.runs.bench.speed import measure_speeds
from simcli.runs.bench.steps import Steps
from simcli.runs.conduct import conduct_all
from simcli.runs.engine import ready_engine
from simcli.runs.identity import engine_identity
from simcli.runs.plan import Match
from simcli.runs.pool import Pool
from simcli.runs.report import Report
from simcli.runs.store.location import Location

FORMAT = "simcli-ladder/1"
COST_S = 0.25
"""CPU seconds in which the cost of a bot is measured."""


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
        How much more often it fails than the mean of the others, as a share of all deals; below 0 it is the
        stronger one.
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

    def mirrored(self) -> DuelRow:
        """Return the duel of two as the other one sees it."""
        return replace(
            self,
            one=self.others,
            others=self.one,
            difference=_subtracted(0.0, self.difference),
            rate=_subtracted(1.0, self.rate),
            fitted=None if self.fitted is None else 1 - self.fitted,
        )


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
        Every bot once among others of every kind, in the order of the bots; at two seats each pair once, the
        stronger one first.
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
    if sums.seats == 2:
        rows = [row if places.index(row.one) < places.index(row.others) else row.mirrored() for row in rows]
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


def _subtracted(whole: float, estimate: Estimate) -> Estimate:
    """Return a number less an estimate."""
    if estimate.value is None or estimate.interval is None:
        return estimate
    low, high = whole - estimate.interval.high, whole - estimate.interval.low
    return Estimate(whole - estimate.value, replace(estimate.interval, low=low, high=high))


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
