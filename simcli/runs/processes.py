"""Worker processes of this machine, and this process as one of the workers.

This process has the engine loaded and nothing else to do while parts are played; a further process would have
to be started first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, TypeAlias

from simcli.runs.board import Board, join_board, start_worker

if TYPE_CHECKING:
    from simcli.runs.partfile import PartRecord
    from simcli.runs.play import Task

PlayPart: TypeAlias = "Callable[[Task], PartRecord | None]"


class WorkerDied(Exception):
    """A worker, or several one after another, died while a part was in play; the other parts go on.

    Parameters
    ----------
    deaths : int
        How many.
    """

    def __init__(self, deaths: int = 1) -> None:
        super().__init__(deaths)
        self.deaths = deaths


class LocalExecutor(ThreadPoolExecutor):
    """Play each part in a process of its own, or in this process, which plays one at a time.

    A thread a worker takes the parts and waits for them. This process plays none whose slices may be long,
    for it could not be ended in the middle of one; and none any more once a worker has died.

    Parameters
    ----------
    workers : int
        Most parts in play.
    board : Board
        What all of them share.
    """

    def __init__(self, workers: int, board: Board) -> None:
        super().__init__(workers, initializer=join_board, initargs=(board,))
        self._board = board
        self._here = threading.Lock()
        self._is_safe_here = True
        self._idle: list[ProcessPoolExecutor] = []
        self._started: list[ProcessPoolExecutor] = []
        for _ in range(workers - 1):
            self._idle.append(self._new())

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Have a part played; the future holds its record, or a `WorkerDied`."""
        return super().submit(self._played, function, *arguments)

    def processes(self) -> list[BaseProcess]:
        """Return the processes that were started and have not ended."""
        found: list[BaseProcess] = []
        for each in self._started:
            found += (each._processes or {}).values()
        return found

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no further parts; processes end after those that they have."""
        super().shutdown(wait=wait, cancel_futures=cancel_futures)
        for each in self._started:
            each.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _played(self, play: PlayPart, task: Task) -> PartRecord | None:
        if self._is_safe_here and not task.match.is_slow and self._here.acquire(blocking=False):
            try:
                return play(task)
            finally:
                self._here.release()
        try:
            process = self._idle.pop()
        except IndexError:
            process = self._new()
        try:
            record = process.submit(play, task).result()
        except BrokenExecutor:
            self._is_safe_here = False
            self._started.remove(process)
            raise WorkerDied from None
        except BaseException:
            self._idle.append(process)
            raise
        self._idle.append(process)
        return record

    def _new(self) -> ProcessPoolExecutor:
        """Return a process, which begins to load what it needs."""
        process = ProcessPoolExecutor(
            1, mp_context=get_context("spawn"), initializer=start_worker, initargs=(self._board,)
        )
        self._started.append(process)
        process.submit(_ready)
        return process


def _ready() -> None:
    """Load what plays a part; compiled code only comes with the first one."""
    import polars  # noqa: F401

    import simcli.runs.play  # noqa: F401
