"""Conduct a run from the command to its result: plan it or take it up, play what is missing, sum up."""

from __future__ import annotations

import errno
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simcli import __version__
from simcli.engine.jit import source_hash
from simcli.errors import RunError, refusal
from simcli.rules.wording import printable_path
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import RUN_FILE, RunFolder
from simcli.runs.partfile import PartRecord, write_whole
from simcli.runs.plan import DEFAULT_DEALS, Game, Part, Plan, Stretch, part_size
from simcli.runs.planfile import yaml_text
from simcli.runs.play import Task, compile_engine, is_engine_compiled, measured_speed
from simcli.runs.pool import Pool, Tick, WorkerLost
from simcli.runs.report import Report
from simcli.runs.summary import Summary, add_summaries, n_positions

HASH_SHOWN = 16


@dataclass(frozen=True)
class Outcome:
    """Hold what a run came to.

    Attributes
    ----------
    plan : Plan
        Its plan, which may hold more deals.
    folder : Path
        Where the rows lie.
    deals : int
        The deals asked for.
    summary : Summary
        Their counts.
    digest : str
        Their digest.
    played : int
        Deals played now, the others were there.
    seconds : float
        Time that took.
    """

    plan: Plan
    folder: Path
    deals: int
    summary: Summary
    digest: str
    played: int
    seconds: float


@dataclass(frozen=True)
class Order:
    """Say what to play, how many deals (None: the usual number), and into which results folder."""

    game: Game
    deals: int | None
    results: Path

    @property
    def folder(self) -> RunFolder:
        """Return the run's folder."""
        return RunFolder(self.results / self.game.folder_name)


def engine_identity() -> dict[str, str]:
    """Return what names the engine: simcli's version and a hash of the engine's sources."""
    return {"version": __version__, "sources": source_hash()[:HASH_SHOWN]}


def check_order(order: Order, fresh: bool = False) -> None:
    """Raise an `InputError` if an order cannot be carried out, before anything is played."""
    _refuse_broken_sessions(order)
    order.folder.refuse_unwritable()
    if not fresh:
        plan = order.folder.plan_of(order.game)
        if plan is not None:
            _wanted_deals(order, plan)
