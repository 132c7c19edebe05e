"""Play the parts of a run on any `concurrent.futures` executor, and outlive the death of a worker."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Self

from simcli.errors import RunError
from simcli.runs.board import Board, interrupts_held, join_board, start_worker
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Part
from simcli.runs.play import Task, play_part

MAX_FAILURES = 3
TICK_S = 0.1
PATIENCE_S = 1.0
QUEUED_PER_WORKER = 2


def local_executor(workers: int, board: Board) -> Executor:
    """Return worker processes on this machine, or one thread of this process where one worker is enough."""
    if workers == 1:
        return ThreadPoolExecutor(1, initializer=join_board, initargs=(board,))
    return ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=start_worker, initargs=(board,)
    )


OpenExecutor = Callable[[int, Board], Executor]
Running = dict[Future[PartRecord | None], Task]


@dataclass(frozen=True)
class Tick:
    """Report progress: deals played of the parts not yet complete."""

    played: int


@dataclass(frozen=True)
class WorkerLost:
    """Report that a worker died, and which parts are played again."""

    parts: tuple[Part, ...]


Event = PartRecord | Tick | WorkerLost


@dataclass
class Pool:
    """Keep workers for one run after another; a context manager that ends them.

    Parameters
    ----------
    workers : int
        Most processes.
    open_executor : callable
        Makes an executor for a number of workers and a board; local processes by default.
    """

    workers: int
    open_executor: OpenExecutor = local_executor
    _executor: Executor | None = field(default=None, init=False)
    _width: int = field(default=0, init=False)
    _board: Board = field(init=False)

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
        deadline = time.monotonic() + PATIENCE_S
        for process in processes:
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.kill()
        self._executor = None

    def play(self, tasks: Sequence[Task], workers: int) -> Iterator[Event]:
        """Play parts, a few at a time, and report on them as it goes.

        Parameters
        ----------
        tasks : sequence of Task
            The parts.
        workers : int
            Most workers to use, no more than the pool has.

        Raises
        ------
        RunError
            Workers died three times over the same part.
        """
        width = min(self.workers, workers, len(tasks))
        waiting = list(reversed(tasks))
        running: Running = {}
        failures: Counter[int] = Counter()
        while waiting or running:
            try:
                self._fill(waiting, running, width)
                yield from self._finished(running)
            except BrokenExecutor:
                lost = sorted(running.values(), key=lambda task: task.part.index)
                running.clear()
                self._close()
                self._board.clear()
                _count_failures(lost or waiting[-1:], failures)
                waiting.extend(reversed(lost))
                yield WorkerLost(tuple(task.part for task in lost))
            yield Tick(self._board.played())

    def _fill(self, waiting: list[Task], running: Running, width: int) -> None:
        """Hand out parts until every worker has one in play and one to follow."""
        taken = {task.slot for task in running.values()}
        free = [slot for slot in range(QUEUED_PER_WORKER * width) if slot not in taken]
        while waiting and free:
            task = replace(waiting[-1], slot=free.pop(0))
            running[self._submit(task, width)] = task
            waiting.pop()

    def _finished(self, running: Running) -> Iterator[PartRecord]:
        """Yield the parts that are complete, waiting a moment for the first."""
        done, _ = wait(running, timeout=TICK_S, return_when=FIRST_COMPLETED)
        for future in sorted(done, key=lambda future: running[future].part.index):
            record = future.result()
            self._board.set_played(running.pop(future).slot, 0)
            if record is not None:
                yield record

    def _submit(self, task: Task, width: int) -> Future[PartRecord | None]:
        if self._executor is not None and self._width < width:
            self._close()
        if self._executor is None:
            self._executor, self._width = self.open_executor(width, self._board), width
        with interrupts_held():
            return self._executor.submit(play_part, task)

    def _close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None


def _count_failures(lost: Sequence[Task], failures: Counter[int]) -> None:
    failures.update(task.part.index for task in lost)
    worst = [task for task in lost if failures[task.part.index] >= MAX_FAILURES]
    if worst:
        raise RunError(
            f"{worst[0].path}: a worker died {MAX_FAILURES} times while this part was in play, perhaps for "
            "want of memory – complete parts stay; try the command again with fewer --workers"
        )


def _processes_of(executor: Executor | None) -> list[BaseProcess]:
    """Return the processes of a local executor."""
    return list((getattr(executor, "_processes", None) or {}).values())


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
