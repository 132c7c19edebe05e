"""All figures of a benchmark together, and what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from simcli.runs.bench.commands import CommandCost, measure_commands
from simcli.runs.bench.machine import busy_warning, machine
from simcli.runs.bench.scaling import Scaling, measure_scaling, worker_counts
from simcli.runs.bench.speed import Speed, measure_speeds
from simcli.runs.bench.steps import Steps
from simcli.runs.bench.triggers import TriggerCost, measure_triggers
from simcli.runs.bench.yardstick import Ratio, built_yardstick, measure_ratios
from simcli.runs.plan import Match

FORMAT = "simcli-bench/1"


@dataclass(frozen=True)
class Wanted:
    """Say what to measure.

    Attributes
    ----------
    matches : sequence of Match
        Tables for the engine's speed.
    triggers : sequence of Match
        Tables for the cost of the trigger tests; none by default.
    yardstick : Path or None
        C source of the yardstick, if the engine is to be compared with it.
    runs : bool
        Whether whole commands and workers are measured.
    cpu_s : float
        CPU seconds for each engine in each cell.
    cores : int
        Cores that may be used.
    """

    matches: Sequence[Match]
    triggers: Sequence[Match] = ()
    yardstick: Path | None = None
    runs: bool = False
    cpu_s: float = 1.0
    cores: int = 1


@dataclass(frozen=True)
class Figures:
    """Hold what was measured; a section that was not asked for is empty."""

    machine: dict[str, str]
    cpu_s: float
    engine: tuple[Speed, ...]
    yardstick: tuple[Ratio, ...]
    triggers: tuple[TriggerCost, ...]
    commands: tuple[CommandCost, ...]
    workers: tuple[Scaling, ...]

    def as_mapping(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {"format": FORMAT, **asdict(self)}


def measure(wanted: Wanted, steps: Steps) -> Figures:
    """Return all figures asked for; the engine must be ready.

    Raises
    ------
    InputError
        The yardstick's source or a compiler is missing.
    RunError
        The yardstick could not be built, or a measured command failed.
    """
    about = machine(wanted.cores)
    warning = busy_warning(wanted.cores)
    if wanted.runs and warning:
        steps.say(warning)
    with nullcontext() if wanted.yardstick is None else built_yardstick(wanted.yardstick) as yardstick:
        # What goes by the clock comes first, while the machine is as idle as when the command was given.
        scaling = measure_scaling(worker_counts(wanted.cores), steps) if wanted.runs else []
        commands = measure_commands(steps) if wanted.runs else []
        return Figures(
            about,
            wanted.cpu_s,
            tuple(measure_speeds(wanted.matches, wanted.cpu_s, steps)),
            tuple(measure_ratios(yardstick, wanted.cpu_s, steps) if yardstick else ()),
            tuple(measure_triggers(wanted.triggers, wanted.cpu_s, steps)),
            tuple(commands),
            tuple(scaling),
        )
