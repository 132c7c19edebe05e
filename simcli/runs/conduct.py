"""Conduct a run from the order to its result: plan it or take it up, play what is missing, sum up."""

from __future__ import annotations

import errno
import os
import platform
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simcli.errors import RunError, refusal
from simcli.rules.wording import printable_path
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.engine import ready_engine
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity, engine_text, is_this_engine
from simcli.runs.lock import RunLock, run_lock
from simcli.runs.orders import Order, check_order, wanted_deals
from simcli.runs.partfile import PartRecord, write_whole
from simcli.runs.plan import Part, Plan, Stretch, part_size
from simcli.runs.planfile import yaml_text
from simcli.runs.play import Task, measured_speed
from simcli.runs.pool import Pool, Tick, WorkerLost
from simcli.runs.report import Report
from simcli.runs.runfile import kept_figures, report_problems
from simcli.runs.summary import Summary, add_summaries, n_positions

START_S = 1.5  # seconds of play below which starting worker processes takes longer than it saves


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


def conduct(order: Order, pool: Pool, report: Report, fresh: bool = False) -> Outcome:
    """Carry out an order: play what is missing of it, and sum up.

    Parameters
    ----------
    order : Order
        What to play and where to put it.
    pool : Pool
        Who plays.
    report : Report
        Whom to tell.
    fresh : bool
        Whether to throw away a run that lies there.

    Raises
    ------
    InputError
        The folder holds another run or something else, or the number of deals does not fit it.
    RunError
        The rows could not be written, or workers kept dying.
    """
    with taken_up(order, pool, report, fresh) as taken:
        return taken.outcome()


@dataclass
class Conduct:
    """Bring one order to its end."""

    order: Order
    pool: Pool
    report: Report
    lock: RunLock
    folder: RunFolder = field(init=False)
    _speed: float | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.folder = self.order.folder

    def outcome(self) -> Outcome:
        """Play what is missing and sum up."""
        plan, deals = self._planned()
        complete, missing = self.found(plan, plan.parts(deals))
        started, start = datetime.now(UTC), time.monotonic()
        if missing:
            complete.extend(self.played(plan, missing, deals))
        n_played = sum(part.n_deals for part in missing)
        return self.summed_up(plan, deals, complete, n_played, started, time.monotonic() - start)

    def summed_up(
        self,
        plan: Plan,
        deals: int,
        complete: Sequence[PartRecord],
        n_played: int,
        started: datetime,
        seconds: float,
    ) -> Outcome:
        """Return what the complete parts come to; write `run.yaml` if they are all and were not before."""
        outcome = Outcome(
            plan,
            self.folder.path,
            deals,
            add_summaries((record.summary for record in complete), n_positions(plan.match.variant)),
            digest_text(add_digests(*(record.digest for record in complete))),
            n_played,
            seconds,
        )
        if deals == plan.deals:
            self._write_report(outcome, started)
        return outcome

    def _write_report(self, outcome: Outcome, started: datetime) -> None:
        """Write `run.yaml` where there is none, or where it does not say what plan and parts say."""
        path, mapping = self.folder.run_path, run_mapping(outcome, started)
        if path.exists():
            problems = report_problems(path, outcome.plan, outcome.digest)
            if not problems:
                return
            self.lock.refuse_busy()
            for problem in problems:
                self.report.say(f"{problem}; it is written again")
            mapping |= kept_figures(path)
        self.lock.refuse_busy()
        write_whole(path, yaml_text(mapping).encode())

    def _planned(self) -> tuple[Plan, int]:
        """Return the plan, made or extended where needed, and the deals wanted of it."""
        plan = self.folder.plan_of(self.order.match)
        deals = wanted_deals(self.order, plan)
        if plan is not None and plan.is_open and deals == plan.deals:
            plan = plan.settled(deals, stopped=False)
            self.write_plan(plan)
        if plan is not None and deals <= plan.deals:
            return plan, deals
        if plan is not None:
            refuse_other_engine(plan, self.folder)
        self.lock.refuse_busy()
        first = 0 if plan is None else plan.deals
        size = part_size(deals - first, self.order.match.session, self.deals_per_s(), self.pool.workers)
        if plan is None:
            plan = Plan(self.order.match, (Stretch(deals, size),), engine_identity())
        else:
            plan = plan.extended(deals, size)
        self.write_plan(plan)
        return plan, deals

    def write_plan(self, plan: Plan) -> None:
        """Write the plan, unless another command plays in the folder."""
        self.lock.refuse_busy()
        self.folder.write_plan(plan)

    def found(self, plan: Plan, parts: Iterable[Part]) -> tuple[list[PartRecord], list[Part]]:
        """Return which parts are complete, and which are to be played; tell which are damaged."""
        complete, absent, damaged = self.folder.records(plan, parts)
        if absent or damaged:
            self.lock.refuse_busy()
            refuse_other_engine(plan, self.folder)
        if self.lock.is_held:
            self.folder.note_sums(complete)
        for damage in damaged:
            path = printable_path(self.folder.part_path(damage.part))
            self.report.say(f"{path}: {damage.reason}; it is played again")
        missing = [*absent, *(damage.part for damage in damaged)]
        return complete, sorted(missing, key=lambda part: part.index)

    def played(self, plan: Plan, missing: list[Part], deals: int) -> Iterator[PartRecord]:
        """Yield the missing parts as they are completed."""
        self.folder.refuse_unwritable()
        self.folder.run_path.unlink(missing_ok=True)
        self.folder.remove_temporary()
        tasks = [Task(plan.match, plan.engine, part, self.folder.part_path(part)) for part in missing]
        n_missing = sum(part.n_deals for part in missing)
        is_short = n_missing < START_S * self.deals_per_s()
        done = deals - n_missing
        self.report.begin(self.folder.path.name, deals, done)
        try:
            for event in self.pool.play(tasks, 1 if is_short else self.pool.workers):
                if isinstance(event, PartRecord):
                    done += event.part.n_deals
                    self.folder.note_sums([event])
                    yield event
                elif isinstance(event, WorkerLost):
                    names = ", ".join(part.file_name for part in event.parts)
                    self.report.say(f"a worker died; what was in play is played again: {names}")
                elif isinstance(event, Tick):
                    self.report.show(done + event.played)
        finally:
            self.report.end()
            self.folder.remove_temporary()

    def deals_per_s(self) -> float:
        """Return the speed of one core, measured once; the engine is ready afterwards."""
        if self._speed is None:
            ready_engine(self.report)
            self._speed = measured_speed(self.order.match)
        return self._speed


@contextmanager
def taken_up(order: Order, pool: Pool, report: Report, fresh: bool) -> Iterator[Conduct]:
    """Check an order and hold its folder as long as it is carried out; arguments as for `conduct`.

    Where another command plays in the folder, what is finished can still be summed up.
    """
    check_order(order, fresh)
    with disk_errors(order.folder.path):
        order.folder.make()
        with run_lock(order.folder.path) as lock:
            if fresh:
                lock.refuse_busy()
                order.folder.clear()
            yield Conduct(order, pool, report, lock)


def refuse_other_engine(plan: Plan, folder: RunFolder) -> None:
    """Raise an `InputError` if a run was begun by an engine that plays otherwise than this one."""
    if not is_this_engine(plan.engine):
        theirs, ours = engine_text(plan.engine), engine_text(engine_identity())
        raise refusal(
            printable_path(folder.path),
            f"expected to go on with the engine that began this run, {theirs}, got {ours} – "
            "use that version of simcli, or start again with --fresh",
        )


def run_mapping(outcome: Outcome, started: datetime) -> dict[str, Any]:
    """Return what `run.yaml` says of a complete run."""
    return {
        **outcome.plan.as_mapping(),
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


@contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn a full or failing disk into one clear message."""
    try:
        yield
    except OSError as error:
        where = printable_path(folder)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise RunError(
                f"{where}: the disk is full – complete parts stay; make room and give the command again"
            ) from None
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO):
            raise RunError(
                f"{where}: cannot be written any more ({error.strerror}) – complete parts stay; "
                "give the command again to go on"
            ) from None
        raise
