"""How the speed of a run grows with the number of workers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from simcli.bots.lineup import parse_lineup
from simcli.errors import RunError
from simcli.rules.load import load_variant
from simcli.runs.bench.steps import Steps
from simcli.runs.conduct import conduct
from simcli.runs.orders import Order
from simcli.runs.plan import Match
from simcli.runs.pool import Pool
from simcli.runs.report import Silent

VARIANT = "classic"
BOTS = "thrifty"
SEED = 1
DEALS = 10_000_000
ROUNDS = 1


@dataclass(frozen=True)
class Scaling:
    """Hold the speed of a run with some workers.

    Attributes
    ----------
    workers : int
        Processes.
    deals_per_s : float
        Deals a second of the clock, from the first deals to the last part written.
    factor : float
        Times the speed of one worker in the same round.
    """

    workers: int
    deals_per_s: float
    factor: float


class Stopwatch(Silent):
    """A report that notes when the first deals were played and when the last part was complete."""

    def __init__(self) -> None:
        self._deals = 0
        self._first: tuple[float, int] | None = None
        self._last = 0.0

    def begin(self, name: str, deals: int, done: int) -> None:
        """Note how many deals there will be."""
        self._deals = deals

    def show(self, done: int) -> None:
        """Start with the first deals."""
        if self._first is None and done:
            self._first = time.perf_counter(), done

    def end(self) -> None:
        """Stop."""
        self._last = time.perf_counter()

    @property
    def deals_per_s(self) -> float:
        """Return the speed between start and stop.

        Raises
        ------
        RunError
            The run was over before its first deals were seen.
        """
        if self._first is None or self._first[1] >= self._deals:
            raise RunError("the run was too short to be timed – give it more deals")
        start, done = self._first
        return (self._deals - done) / (self._last - start)


def worker_counts(cores: int) -> list[int]:
    """Return the numbers of workers worth measuring.

    >>> worker_counts(1), worker_counts(2), worker_counts(6)
    ([1], [1, 2], [1, 2, 4, 6])
    """
    return sorted({1, cores} | {2**power for power in range(1, cores.bit_length()) if 2**power <= cores})


def measure_scaling(workers: Sequence[int], steps: Steps) -> list[Scaling]:
    """Return the speed of a run with each number of workers, one first; all in turn."""
    turns = [n for _ in range(ROUNDS) for n in workers]
    speeds: dict[int, list[float]] = {n: [] for n in workers}
    for n in steps.walk("workers", turns, str):
        speeds[n].append(_speed(n))
    alone = speeds[workers[0]]
    return [
        Scaling(n, median(speeds[n]), median(a / b for a, b in zip(speeds[n], alone, strict=True)))
        for n in workers
    ]


def _speed(workers: int) -> float:
    variant = load_variant(VARIANT)
    match = Match(variant, parse_lineup(BOTS, variant.players), SEED, 1)
    watch = Stopwatch()
    with tempfile.TemporaryDirectory(prefix="simcli-bench-") as folder, Pool(workers) as pool:
        conduct(Order(match, DEALS, Path(folder)), pool, watch)
    return watch.deals_per_s
