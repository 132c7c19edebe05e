"""Play parts of runs on any `concurrent.futures` executor, and outlive the death of a worker."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeAlias

from simcli.errors import RunError
from simcli.rules.wording import printable_path
from simcli.runs.board import Board, interrupts_held, join_board
from simcli.runs.processes import LocalExecutor, WorkerDied

if TYPE_CHECKING:  # so that workers can be started before numba is loaded
    from simcli.runs.partfile import PartRecord
    from simcli.runs.play import Task
    from simcli.runs.store.location import Location

MAX_FAILURES = 3
TICK_S = 0.1
PATIENCE_S = 1.0
QUEUED_PER_WORKER = 2


def local_executor(workers: int, board: Board) -> Executor:
    """Return workers on this machine, or one thread of this process where one worker is enough."""
    if workers == 1:
        return ThreadPoolExecutor(1, initializer=join_board, initargs=(board,))
    return LocalExecutor(workers, board)


OpenExecutor = Callable[[int, Board], Executor]
Warm = Callable[[bool], None]
Running: TypeAlias = "dict[Future[PartRecord | None], Task]"


class ExecutorGone(RunError):
    """An executor cannot play any more, whatever the part."""


@dataclass(frozen=True)
class PartDone:
    """Report that a part is complete."""

    task: Task
    record: PartRecord


@dataclass(frozen=True)
class PartFailed:
    """Report that a part cannot be completed, and why; the others are played on."""

    task: Task
    error: OSError | RunError


@dataclass(frozen=True)
class WorkerLost:
    """Report that a worker died, and which parts are played again."""

    tasks: tuple[Task, ...]


@dataclass(frozen=True)
class Tick:
    """Report progress: deals played of the parts not yet complete."""

    played: int


Event = PartDone | PartFailed | WorkerLost | Tick


@dataclass
class Pool:
    """Keep workers for one run after another; a context manager that ends them.

    Parameters
    ----------
    workers : int
        Most processes.
    open_executor : callable
        Makes an executor for a number of workers and a board; local processes by default.
    warm : callable
        Has the workers load the engine, told whether for bots that look ahead; those of this machine load it
        with their first part.
    """

    workers: int
    open_executor: OpenExecutor = local_executor
    warm: Warm = lambda looks_ahead: None
    _executor: Executor | None = field(default=None, init=False)
    _width: int = field(default=0, init=False)
    _board: Board = field(init=False)
    _running: Running = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._board = Board(QUEUED_PER_WORKER * self.workers)

    def __enter__(self) -> Self:
        """Return the pool; workers start with the first part."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the workers: idle ones at once, those in the middle of a part after their present slice."""
        self._board.stop()
        processes = _processes_of(self._executor)
        if self._executor is not None:
            self._executor.shutdown(wait=not processes, cancel_futures=True)
        deadline = time.monotonic() + (PATIENCE_S if self._running else 0.0)
        for process in processes:
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.kill()
        self._executor = None

    def start(self) -> None:
        """Have the workers start by now, for there will be parts in a moment."""
        if self._executor is None:
            self._open(self.workers)

    def play(self, tasks: Iterable[Task], workers: int) -> Iterator[Event]:
        """Play parts, a few at a time, and report on them as it goes.

        A part in play when a worker dies is played again. One that has lost its worker twice is played with
        no other beside it, so that a third death is its own doing; then it has failed.

        Parameters
        ----------
        tasks : iterable of Task
            The parts, taken from it one by one as there is room for them.
        workers : int
            Most workers to use, no more than the pool has.
        """
        queue = _Queue(iter(tasks))
        running = self._running
        running.clear()
        width = min(self.workers, workers)
        while True:
            try:
                self._fill(queue, running, width)
                if not running:
                    return
                yield from self._finished(queue, running)
            except BrokenExecutor:
                lost = tuple(running.values()) or queue.last()
                running.clear()
                self._close()
                self._board.clear()
                failed = queue.put_back(lost)
                yield WorkerLost(tuple(task for task in lost if task not in failed))
                for task in failed:
                    yield PartFailed(task, _death_of(task))
            yield Tick(self._board.played())

    def _fill(self, queue: _Queue, running: Running, width: int) -> None:
        """Hand out parts until every worker has one in play and one to follow."""
        taken = {task.slot for task in running.values()}
        for slot in range(QUEUED_PER_WORKER * width):
            if slot not in taken and queue.has_next(running.values()):
                task = replace(queue.next(), slot=slot)
                try:
                    running[self._submit(task, width)] = task
                except BaseException:
                    queue.refused(task)
                    raise

    def _finished(self, queue: _Queue, running: Running) -> Iterator[PartDone | PartFailed | WorkerLost]:
        """Yield the parts that are complete, waiting a moment for the first."""
        done, _ = wait(running, timeout=TICK_S, return_when=FIRST_COMPLETED)
        for future in [future for future in running if future in done]:
            try:
                record = future.result()
            except ExecutorGone:
                raise
            except WorkerDied as death:
                task = self._taken_off(future, running)
                failed = queue.put_back((task,), death.deaths)
                yield PartFailed(task, _death_of(task)) if failed else WorkerLost((task,))
                continue
            except (OSError, RunError) as error:
                yield PartFailed(self._taken_off(future, running), error)
                continue
            task = self._taken_off(future, running)
            if record is not None:
                yield PartDone(task, record)

    def _taken_off(self, future: Future[PartRecord | None], running: Running) -> Task:
        """Return the part of a future that is over, and free its slot."""
        task = running.pop(future)
        self._board.set_played(task.slot, 0)
        return task

    def _submit(self, task: Task, width: int) -> Future[PartRecord | None]:
        if self._executor is not None and self._width < width:
            self._close()
        from simcli.runs.play import play_part

        executor = self._executor or self._open(width)
        with interrupts_held():
            return executor.submit(play_part, replace(task, folder=task.folder.absolute()))

    def _open(self, width: int) -> Executor:
        with interrupts_held():
            self._executor, self._width = self.open_executor(width, self._board), width
        return self._executor

    def _close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


class _Queue:
    """Hold the parts that wait: those that lost their worker first, then what comes."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self._again: list[Task] = []
        self._losses: Counter[Location] = Counter()

    def has_next(self, running: Collection[Task]) -> bool:
        """Return whether a part may be played beside those in play."""
        if any(self._is_suspect(task) for task in running):
            return False
        if not self._again:
            self._again.extend(islice(self._tasks, 1))
        return bool(self._again) and not (running and self._is_suspect(self._again[-1]))

    def next(self) -> Task:
        """Take the next part."""
        return self._again.pop()

    def refused(self, task: Task) -> None:
        """Take a part back that no worker got."""
        self._again.append(task)

    def last(self) -> tuple[Task, ...]:
        """Take out the part that would come next, if there is one."""
        return (self._again.pop(),) if self._again else ()

    def put_back(self, lost: Sequence[Task], deaths: int = 1) -> tuple[Task, ...]:
        """Have parts played again whose worker died; return those for which it was once too often.

        However many workers died, a part has failed only by a death with no other part in play.
        """
        for task in lost:
            before = self._losses[task.path]
            most = MAX_FAILURES if self._is_suspect(task) else MAX_FAILURES - 1
            self._losses[task.path] = min(before + deaths, most)
        failed = tuple(task for task in lost if self._losses[task.path] >= MAX_FAILURES)
        self._again.extend(task for task in reversed(lost) if task not in failed)
        return failed

    def _is_suspect(self, task: Task) -> bool:
        return self._losses[task.path] == MAX_FAILURES - 1


def _death_of(task: Task) -> RunError:
    return RunError(
        f"{printable_path(task.path)}: a worker died {MAX_FAILURES} times while this part was in play, "
        "perhaps for want of memory – complete parts stay; try the command again with fewer --workers"
    )


def _processes_of(executor: Executor | None) -> list[BaseProcess]:
    """Return the processes of a local executor."""
    return executor.processes() if isinstance(executor, LocalExecutor) else []


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
