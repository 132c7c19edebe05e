"""Play parts of many runs in one pool, all of them advancing together through the deals.

Parts are played in the order of their deals, whichever run they belong to. So runs that are compared have
about the same deals whenever play stops, and no worker is idle before the last parts of all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import merge

from simcli.errors import InputError, RunError, input_error, problems_of
from simcli.rules.wording import printable_path
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Part, Plan
from simcli.runs.play import Task
from simcli.runs.pool import PartFailed, Pool, Tick, WorkerLost
from simcli.runs.progress import Progress
from simcli.runs.speeds import Speeds
from simcli.runs.taking import DiskError, TakenRun, disk_errors

START_S = 1.0  # seconds of play below which starting worker processes takes longer than it saves


@dataclass
class Share:
    """Hold what is to be played of one run, and how that goes.

    Attributes
    ----------
    run : TakenRun
        The run.
    plan : Plan
        Its plan.
    parts : sequence of Part
        What is missing, in order.
    n_played : int
        Deals of the parts that are complete by now.
    seconds : float
        The run's share of the time: by the time that workers spent on it and on the others.
    error : InputError or RunError, optional
        Why no more of it is played.
    """

    run: TakenRun
    plan: Plan
    parts: Sequence[Part]
    n_played: int = 0
    seconds: float = 0.0
    error: InputError | RunError | None = None
    _work_s: float = field(default=0.0, init=False)

    @property
    def n_deals(self) -> int:
        """Return the deals to be played."""
        return sum(part.n_deals for part in self.parts)

    def task(self, part: Part) -> Task:
        """Return what a worker is told."""
        return self.run.order.task(self.plan, part, self.run.folder)

    @contextmanager
    def failing_alone(self) -> Iterator[None]:
        """Let a fault end this run only, unless it is one that no other run would be spared."""
        try:
            with disk_errors(self.run.folder.path):
                yield
        except DiskError:
            raise
        except (InputError, RunError) as error:
            self.error = error

    def add(self, record: PartRecord, elapsed_s: float, shares: Sequence[Share]) -> None:
        """Count a complete part."""
        self._work_s += record.seconds
        self.n_played += record.part.n_deals
        work_s = sum(share._work_s for share in shares)
        self.seconds = elapsed_s * (self._work_s / work_s if work_s else 1 / len(shares))
        self.run.folder.note_sums([record])


def play_together(
    shares: Sequence[Share], pool: Pool, speeds: Speeds, progress: Progress
) -> Iterator[tuple[Share, PartRecord]]:
    """Play what is missing of some runs, and yield each part as it is completed.

    A run that fails is left out from then on; its share says why.

    Raises
    ------
    RunError
        The disk is full or failing, so that no run can be written.
    """
    if not shares:
        return
    start = time.monotonic()
    by_folder = {share.run.folder.path: share for share in shares}

    def share_of(task: Task) -> Share:
        return by_folder[task.folder.path]

    for share in shares:
        with share.failing_alone():
            share.run.prepare()
    able = [share for share in shares if share.error is None]
    width = 1 if _is_short(able, speeds) else pool.workers
    try:
        for looks_ahead in sorted({share.plan.match.lineup.looks_ahead for share in able}):
            pool.warm(looks_ahead)
        for event in pool.play(_in_order_of_deals(able, progress), width):
            if isinstance(event, WorkerLost):
                _say_lost(event, progress)
            elif isinstance(event, Tick):
                progress.show(event.played)
            elif isinstance(event, PartFailed):
                with share_of(event.task).failing_alone():
                    raise event.error
            elif (share := share_of(event.task)).error is None:
                with share.failing_alone():
                    share.add(event.record, time.monotonic() - start, shares)
                    progress.add(event.record.part.n_deals)
                    yield share, event.record
    finally:
        for share in able:
            with share.failing_alone():
                share.run.sweep()


def _in_order_of_deals(shares: Sequence[Share], progress: Progress) -> Iterator[Task]:
    """Yield the parts of all runs by the deal that they end at."""

    def parts_of(index: int, share: Share) -> Iterator[tuple[int, int, Part]]:
        return ((part.end, index, part) for part in share.parts)

    for _, index, part in merge(*(parts_of(index, share) for index, share in enumerate(shares))):
        share = shares[index]
        if share.error is None:
            progress.name(share.run.folder.path.name)
            yield share.task(part)


def _is_short(shares: Sequence[Share], speeds: Speeds) -> bool:
    """Return whether all is played before workers would have started; the engine is ready afterwards."""
    if sum(len(share.parts) for share in shares) == 1:
        speeds.ready(shares[0].plan.match)
        return True
    seconds = 0.0
    for share in shares:
        match = share.plan.match
        seconds += share.n_deals * len(match.variants) / speeds.of(match)
        if seconds >= START_S:
            return False
    return True


def _say_lost(event: WorkerLost, progress: Progress) -> None:
    if event.tasks:
        folders = {task.folder.path for task in event.tasks}
        names = [
            task.part.file_name if len(folders) == 1 else printable_path(task.path) for task in event.tasks
        ]
        progress.say(f"a worker died; what was in play is played again: {', '.join(names)}")


def raise_errors(shares: Sequence[Share]) -> None:
    """Raise what ended runs before their end, if anything did; a failed run before a refusal."""
    errors = [share.error for share in shares if share.error is not None]
    failed = [error for error in errors if isinstance(error, RunError)]
    if len(errors) == 1:
        raise errors[0]
    if failed:
        raise RunError("\n".join(str(error) for error in errors))
    if errors:
        raise input_error(
            problem for error in errors if isinstance(error, InputError) for problem in problems_of(error)
        )
