"""The search for better weights: an evolution strategy that plays against itself.

CMA-ES (Hansen 2016, arXiv:1604.00772) with a diagonal covariance matrix (Ros & Hansen 2008, PPSN X, 296–305)
draws weights around a centre. All of a generation play the same packs, new ones in every generation: one seat
in turn plays by the drawn weights, the others in half of the packs by the usual weights and in the other half
by the centre. The centre that comes out is kept if it fails less often in packs that no generation has seen.
"""

from __future__ import annotations

import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from simcli.bots.thrifty_weights import Weights, WeightTable, table_of, weights_of
from simcli.errors import refusal
from simcli.rules.variant import Variant
from simcli.rules.wording import printable
from simcli.runs.report import Report
from simcli.tuning.measure import Packs, fails_among
from simcli.tuning.vector import Chapter, Vector, chapters

STEP = 12.0
"""First step of the search in points, a rank in a pack of 36."""
MEMBERS = 14
SELECTING = 10
"""The centre is compared with where it began in so many times the deals of a member."""

MAX_SEED = 2**61 - 1
SEARCHING, CHOOSING = 2**61, 2**62
"""Added to the seed, for the packs of the search and of the choice at its end; the test has its own."""

EXTRA = "pip install 'simcli[tune]'"

CANDIDATE, USUAL, CENTRE = range(3)


@dataclass(frozen=True)
class Budget:
    """Say how long to search.

    Attributes
    ----------
    generations : int
        Generations for two seats, and as many for the larger tables.
    deals : int
        Deals that each member of a generation plays at each table.
    minutes : float or None
        Minutes for all, where the clock is to end the search; what comes out then depends on the machine.
    """

    generations: int
    deals: int
    minutes: float | None = None


@dataclass(frozen=True)
class Found:
    """Hold what a search has come to.

    Attributes
    ----------
    weights : Weights
        The weights.
    generations : int
        Generations that were played, over all tables.
    of : int
        Generations that were to be played.
    is_stopped : bool
        Whether Ctrl-C has ended it before.
    """

    weights: Weights
    generations: int
    of: int
    is_stopped: bool


def refuse_without_cma() -> None:
    """Raise an `InputError` if the optimiser is not installed, or not so that it can be used."""
    if find_spec("cma") is None:
        raise refusal("simcli bots tune", f"expected the package cma, which is not installed – {EXTRA}")
    try:
        import cma  # noqa: F401
    except ImportError as error:
        message = f"expected the package cma, which cannot be loaded ({printable(str(error))}) – {EXTRA}"
        raise refusal("simcli bots tune", message) from None


@dataclass
class Search:
    """Search for weights that fail less often than those to begin with.

    Attributes
    ----------
    tables : tuple of Variant
        A variant seated at every table size that is wanted.
    start : Weights
        The weights to begin with, which the other seats play by.
    budget : Budget
        How long to search.
    seed : int
        Of everything random: the same seed and number of generations give the same weights.
    workers : int
        Threads; they change nothing but the time.
    report : Report
        Told how many deals are played.
    """

    tables: tuple[Variant, ...]
    start: Weights
    budget: Budget
    seed: int
    workers: int
    report: Report

    def __post_init__(self) -> None:
        self.usual = table_of(self.start)
        self.best = self.usual
        self.chapters = list(chapters(self.tables))
        self.generations = 0
        self._played = 0

    def run(self) -> Found:
        """Search; Ctrl-C ends it with what is found so far."""
        is_stopped = False
        begun = time.monotonic()
        self.report.begin(f"tuning to {self.tables[0].name}", self._deals(self.budget.generations), 0)
        try:
            with ThreadPoolExecutor(self.workers) as pool:
                for number, chapter in enumerate(self.chapters):
                    self._tune(chapter, number, begun, pool)
        except KeyboardInterrupt:
            is_stopped = True
        finally:
            self.report.end()
        return Found(
            weights_of(self.best), self.generations, self.budget.generations * len(self.chapters), is_stopped
        )

    def _tune(self, chapter: Chapter, number: int, begun: float, pool: Executor) -> None:
        """Tune the weights of a chapter, and keep what they were if it comes to nothing."""
        before = self.best
        search = _evolution(len(chapter.places), np.random.default_rng((self.seed, number)))
        minutes = self.budget.minutes
        end = None if minutes is None else begun + 60 * minutes * (number + 1) / len(self.chapters)
        for generation in range(self.budget.generations):
            if end is not None and time.monotonic() >= end:
                break
            centre = chapter.moved(before, search.mean)
            vectors: list[Vector] = search.ask()
            first = (number * self.budget.generations + generation) * self.budget.deals
            rate = partial(self._rate, chapter, centre, self.seed + SEARCHING, first, self.budget.deals)
            rates = pool.map(rate, [chapter.moved(before, vector) for vector in vectors])
            search.tell(vectors, list(rates))
            self.best = chapter.moved(before, search.mean)
            self.generations += 1
            self._show(chapter)
        rate = partial(self._rate, chapter, before, self.seed + CHOOSING, 0, SELECTING * self.budget.deals)
        was, now = pool.map(rate, (before, self.best))
        if now >= was:
            self.best = before

    def _rate(
        self, chapter: Chapter, centre: WeightTable, seed: int, first: int, deals: int, candidate: WeightTable
    ) -> float:
        """Return how often a candidate fails, over the tables of a chapter and both kinds of others."""
        w = np.concatenate([candidate, self.usual, centre])
        rates = []
        for table in chapter.tables:
            n = max(1, deals // (2 * table.players))
            for others in (USUAL, CENTRE):
                packs = Packs(seed, first + others * n, n)
                rates.append(fails_among(table, w, CANDIDATE, others, packs).mean())
        return float(np.mean(rates))

    def _show(self, chapter: Chapter) -> None:
        self._played += self._deals_of(chapter, 1)
        self.report.show(self._played)

    def _deals(self, generations: int) -> int:
        """Return the deals of so many generations of every chapter."""
        return sum(self._deals_of(chapter, generations) for chapter in self.chapters)

    def _deals_of(self, chapter: Chapter, generations: int) -> int:
        return generations * MEMBERS * self.budget.deals * len(chapter.tables)


def _evolution(n: int, rng: np.random.Generator) -> Any:
    """Return an evolution strategy over n weights, which draws from a generator of its own."""
    import cma

    return cma.CMAEvolutionStrategy(
        np.zeros(n),
        STEP,
        {
            "popsize": MEMBERS,
            "seed": np.nan,  # leaves the global generator alone
            "randn": lambda *shape: rng.standard_normal(shape),
            "CMA_diagonal": True,
            "verbose": -10,  # and reads no file of signals
        },
    )
