"""Duels: one bot among others of another kind, at every seat in turn, over the same packs.

They are ordinary runs, one a rotation of the line-up, and the pack is what is independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import FinishedRun
from simcli.analysis.ratings import Duel, DuelSums
from simcli.analysis.rotation import failures
from simcli.bots.lineup import Lineup, parse_lineup
from simcli.bots.registry import BOTS
from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.variant import Variant
from simcli.rules.wording import printable
from simcli.runs.orders import Order, make_orders
from simcli.runs.store.location import Location

WHERE = "bots"
ANCHOR = "lowest"
AFFORDABLE = {"endgame": "endgame:1000", "montecarlo": "montecarlo:32"}
"""Bots that take their time, as a ladder has them unless others are named."""
DEFAULT_BOTS = tuple(AFFORDABLE.get(name, name) for name in BOTS)
PACKS, SLOW_PACKS = 20_000, 1_000
"""Packs of a pair; fewer where a bot looks ahead or is an own one."""
LEAST_PACKS = 100
BLOCK = 100_000

Flags = npt.NDArray[np.bool_]


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
            fresh=False, or_more=True, rotate=True,
        )  # fmt: skip
        orders.append(tuple(_sized(made)))
    return LadderPlan(variant, tuple(known), seed, tuple(duels), tuple(orders))


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


def _counted(run: FinishedRun, one: str, first: int, end: int) -> tuple[Flags, Flags]:
    """Return by deal whether the one bot lost, or won, and whether anybody did."""
    is_race = run.variant.end.objective == "first_out_wins"
    happened = np.logical_xor(failures(run, first, end), is_race)
    return happened[run.match.lineup.bots.index(one)], np.logical_or.reduce(happened)


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
    """Yield the rotations of a line-up with a number of deals: the usual one, or that of a longer run."""
    lineup = orders[0].match.lineup
    plans = [order.folder.plan_of(order.match) for order in orders]
    usual = SLOW_PACKS if _is_slow(lineup) else PACKS
    wanted = max([usual, *(plan.deals for plan in plans if plan is not None)])
    yield from (order if order.deals is not None else replace(order, deals=wanted) for order in orders)


def _is_slow(lineup: Lineup) -> bool:
    return lineup.looks_ahead or bool(lineup.own)
