"""Play deals by the clock: batches of the compiled engine, counted in CPU seconds."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from simcli.bots.batch import N_COLUMNS, O_DECISIONS, Rows, play_batch
from simcli.engine.layout import State
from simcli.runs.plan import Match
from simcli.runs.play import MAX_SLICE, table_of

FIRST_SLICE = 50
SLICES = 10  # a sample is cut into about as many, so that it ends in time


@dataclass(frozen=True)
class Sample:
    """Hold what was played in a stretch of CPU time."""

    deals: int
    decisions: int
    cpu_s: float

    @property
    def deals_per_s(self) -> float:
        """Return the deals a CPU second."""
        return self.deals / self.cpu_s


@dataclass
class Player:
    """Play one deal of a match after another, outcome rows included.

    Attributes
    ----------
    match : Match
        What is played; sessions are ignored, so that the deals are independent.
    state : State
        The table, as `play_batch` takes it.
    n_played : int
        Deals played so far.
    """

    match: Match
    state: State = field(init=False)
    n_played: int = field(default=0, init=False)
    _slice: int = field(default=FIRST_SLICE, init=False)

    def __post_init__(self) -> None:
        self.state = table_of(self.match)

    def sample(self, cpu_s: float) -> Sample:
        """Play for about so many CPU seconds of this process."""
        deals = decisions = 0
        spent = 0.0
        while spent < cpu_s:
            rows: Rows = np.empty((N_COLUMNS, self._slice), dtype=np.uint16)
            start = time.process_time()
            play_batch(self.state, self.match.seed, self.n_played, 1, rows)
            took = time.process_time() - start
            spent += took
            self.n_played += rows.shape[1]
            deals += rows.shape[1]
            decisions += int(rows[O_DECISIONS].sum(dtype=np.int64))
            self._slice = _fitting(rows.shape[1], took, cpu_s / SLICES)
        return Sample(deals, decisions, spent)


def _fitting(deals: int, took: float, wanted: float) -> int:
    """Return how many deals fill the wanted time, given how long some took."""
    return max(1, min(MAX_SLICE, int(deals * min(4.0, wanted / max(took, 1e-6)))))


def middle(samples: Sequence[Sample]) -> float:
    """Return the median of the samples' deals a CPU second."""
    return median(sample.deals_per_s for sample in samples)
