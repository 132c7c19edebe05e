"""Whether the engine has become slower: its speed in units of a fixed work, saved and compared.

Each line is measured in rounds. In a round the fixed work of `calibration` and the engine take turns, and
their ratio does not depend on how fast, or how busy, the machine is. Two medians of ratios are as far apart
as chance explains if they differ by less than three standard errors, or by less than `LEAST_NOISE` anyway.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal

from simcli.errors import refusal
from simcli.rules.wording import printable_path
from simcli.runs.bench.calibration import calibrated
from simcli.runs.bench.machine import machine
from simcli.runs.bench.player import Player
from simcli.runs.bench.speed import name_of
from simcli.runs.bench.steps import Steps
from simcli.runs.partfile import write_whole
from simcli.runs.plan import Match

FORMAT = "simcli-baseline/1"
ROUNDS = 15
LEAST_NOISE = 0.03
Z_NOISE = 3.0
SE_OF_MEDIAN = 1.2533 * 1.4826
"""Standard error of a median of normal values, times √n, in units of their median absolute deviation."""

Change = Literal["slower", "same", "faster"]


@dataclass(frozen=True)
class Line:
    """Hold the speed of one table, in deals for a million loops of the fixed work.

    Attributes
    ----------
    variant, bots : str
        Name and line-up.
    players : int
        Seats.
    ratio : float
        The median of the rounds.
    error : float
        Its standard error as a share of it.
    """

    variant: str
    players: int
    bots: str
    ratio: float
    error: float

    @property
    def table(self) -> tuple[str, int, str]:
        """Return what is played."""
        return self.variant, self.players, self.bots


@dataclass(frozen=True)
class Baseline:
    """Hold the lines of a benchmark, and what it was measured on."""

    machine: dict[str, str]
    lines: tuple[Line, ...]

    def as_mapping(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"format": FORMAT, **asdict(self)}


@dataclass(frozen=True)
class Compared:
    """Hold a line before and now.

    Attributes
    ----------
    before, now : Line
        The two.
    """

    before: Line
    now: Line

    @property
    def change(self) -> float:
        """Return by which share the engine is faster now; below 0 it is slower."""
        return self.now.ratio / self.before.ratio - 1

    @property
    def noise(self) -> float:
        """Return up to which share a change may be chance."""
        return max(LEAST_NOISE, Z_NOISE * math.hypot(self.before.error, self.now.error))

    @property
    def verdict(self) -> Change:
        """Return whether it is slower, faster, or neither for all that can be told."""
        if abs(self.change) <= self.noise:
            return "same"
        return "slower" if self.change < 0 else "faster"

    def as_mapping(self) -> dict[str, Any]:
        """Return everything as plain data."""
        variant, players, bots = self.now.table
        return {
            "variant": variant, "players": players, "bots": bots, "before": self.before.ratio,
            "now": self.now.ratio, "change": self.change, "noise": self.noise, "verdict": self.verdict,
        }  # fmt: skip


def measure_baseline(matches: Sequence[Match], cpu_s: float, cores: int, steps: Steps) -> Baseline:
    """Return the lines of some tables, each measured for `cpu_s` CPU seconds; the engine must be ready."""
    lines = [_line(match, cpu_s) for match in steps.walk("the engine against a fixed work", matches, name_of)]
    return Baseline(machine(cores), tuple(lines))


def _line(match: Match, cpu_s: float) -> Line:
    player = Player(match)
    player.sample(cpu_s / ROUNDS)
    ratios = []
    for _ in range(ROUNDS):
        before = calibrated()
        sample = player.sample(cpu_s / ROUNDS)
        ratios.append(sample.deals_per_s / ((before + calibrated()) / 2) * 1e6)
    ratio, error = _with_error(ratios)
    return Line(match.variant.name, match.players, match.lineup.text, ratio, error)


def _with_error(ratios: Sequence[float]) -> tuple[float, float]:
    """Return the median of some ratios and its standard error as a share of it.

    >>> _with_error([1.0, 1.0, 1.0])
    (1.0, 0.0)
    """
    centre = median(ratios)
    deviation = median(abs(ratio - centre) for ratio in ratios)
    return centre, SE_OF_MEDIAN * deviation / math.sqrt(len(ratios)) / centre


def compare_baselines(before: Baseline, now: Baseline) -> list[Compared]:
    """Return the lines that both have, in the order of the new ones."""
    known = {line.table: line for line in before.lines}
    return [Compared(known[line.table], line) for line in now.lines if line.table in known]


def save_baseline(path: Path, baseline: Baseline) -> None:
    """Write a baseline.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    try:
        write_whole(path, (json.dumps(baseline.as_mapping(), indent=1) + "\n").encode())
    except OSError as error:
        message = f"expected a file that can be written ({error.strerror}) – name another"
        raise refusal(printable_path(path), message) from None


def load_baseline(path: Path) -> Baseline:
    """Read a baseline.

    Raises
    ------
    InputError
        The file cannot be read, or was not written by `save_baseline`.
    """
    where = printable_path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        lines = tuple(Line(**line) for line in data["lines"])
        if data["format"] != FORMAT or not all(line.ratio > 0 and line.error >= 0 for line in lines):
            raise ValueError
        return Baseline(dict(data["machine"]), lines)
    except OSError as error:
        raise refusal(where, f"expected a saved baseline, got: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise refusal(where, "expected a file that `simcli bench --save` wrote, got another") from None
