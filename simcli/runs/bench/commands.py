"""Whole commands from their start to their end: time, memory, and room on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from simcli.errors import RunError
from simcli.runs.bench import watch
from simcli.runs.bench.steps import Steps

SIMCLI = (sys.executable, "-m", "simcli")
FEW = "1000"
MANY = "1M"
VERY_MANY = "10M"  # parts as large as they get
WARM, EMPTY = "warm", "empty"
REPEATS = 5


@dataclass(frozen=True)
class CommandCost:
    """Hold what a command costs.

    Attributes
    ----------
    command : str
        As a reader would type it.
    cache : str
        Whether the engine was compiled before (`WARM`) or not (`EMPTY`).
    seconds : float
        From start to end, Python's own start included; the median if repeated.
    peak_bytes : int
        Most memory of any of its processes.
    bytes_per_deal : float or None
        Size of its Parquet files, a deal.
    """

    command: str
    cache: str
    seconds: float
    peak_bytes: int
    bytes_per_deal: float | None


@dataclass(frozen=True)
class Errand:
    """Say which command to measure, and how."""

    words: tuple[str, ...]
    cache: str
    repeats: int = 1

    @property
    def command(self) -> str:
        """Return the command as a reader would type it."""
        return " ".join(("simcli", *self.words))


def errands() -> list[Errand]:
    """Return the commands that are measured."""
    few = ("run", "classic", "-n", FEW)
    return [
        Errand(("--help",), WARM, REPEATS),
        Errand(few, WARM, REPEATS),
        Errand(("run", "classic", "-n", MANY), WARM),
        Errand(("run", "classic", "-n", VERY_MANY, "--bots", "lowest"), WARM),
        Errand(few, EMPTY),
    ]


def measure_commands(steps: Steps) -> list[CommandCost]:
    """Return what each command costs, played in temporary folders."""
    return [_cost(errand) for errand in steps.walk("whole commands", errands(), lambda one: one.command)]


def _cost(errand: Errand) -> CommandCost:
    seconds, peaks, sizes = [], [], []
    for _ in range(errand.repeats):
        with tempfile.TemporaryDirectory(prefix="simcli-bench-") as name:
            folder = Path(name)
            environment = {"SIMCLI_CACHE_DIR": str(folder / "cache")} if errand.cache == EMPTY else {}
            said = _watched([*SIMCLI, *errand.words], folder, environment)
            seconds.append(said["seconds"])
            peaks.append(int(said["peak_bytes"]))
            sizes.append(_bytes_per_deal(folder))
    return CommandCost(errand.command, errand.cache, median(seconds), max(peaks), sizes[-1])


def _watched(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> dict[str, float]:
    """Run a command in a folder and return its time and memory.

    Raises
    ------
    RunError
        The command failed.
    """
    done = subprocess.run(
        [sys.executable, "-S", watch.__file__, *words],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    said: dict[str, float] = json.loads(done.stdout)
    if said["code"]:
        raise RunError(f"simcli {' '.join(words[len(SIMCLI) :])} failed:\n{said['error']}")
    return said


def _bytes_per_deal(folder: Path) -> float | None:
    """Return the size of all Parquet files a deal, None where there are none."""
    import polars as pl

    files = list(folder.rglob("*.parquet"))
    if not files:
        return None
    deals: int = sum(pl.scan_parquet(file).select(pl.len()).collect().item() for file in files)
    return sum(file.stat().st_size for file in files) / deals
