"""What a run came to, and what its `run.yaml` says of that."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Plan
from simcli.runs.store.location import Location
from simcli.runs.summary import Summary

Engines = tuple[Mapping[str, str], ...]


@dataclass(frozen=True)
class Outcome:
    """Hold what a run came to.

    Attributes
    ----------
    plan : Plan
        Its plan, which may hold more deals.
    folder : Path or S3Url
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
        Time that took; of runs that were played together, this one's share.
    other_engines : tuple of Mapping
        Engines that played parts of it besides the one that began it; they play alike.
    """

    plan: Plan
    folder: Location
    deals: int
    summary: Summary
    digest: str
    played: int
    seconds: float
    other_engines: Engines = ()


def other_engines(plan: Plan, records: Iterable[PartRecord]) -> Engines:
    """Return which engines besides the plan's played some parts, in the order in which they come."""
    others: list[Mapping[str, str]] = []
    for record in records:
        if record.engine and record.engine != plan.engine and record.engine not in others:
            others.append(record.engine)
    return tuple(others)


def run_mapping(outcome: Outcome, started: datetime) -> dict[str, Any]:
    """Return what `run.yaml` says of a complete run."""
    others = [dict(engine) for engine in outcome.other_engines]
    return {
        **outcome.plan.as_mapping(),
        **({"other_engines": others} if others else {}),
        "digest": outcome.digest,
        "platform": platform_text(),
        "start": started.isoformat(timespec="seconds"),
        "seconds": round(outcome.seconds, 3),
        "played": outcome.played,
        "deals_per_s": round(outcome.played / outcome.seconds) if outcome.played else 0,
    }


def platform_text() -> str:
    """Return what the run was played on, in one line."""
    import numba
    import numpy

    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    python = f"Python {platform.python_version()}"
    return f"{machine}, {python}, numba {numba.__version__}, numpy {numpy.__version__}"
