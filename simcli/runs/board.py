"""What the parent and its workers share while parts are played: progress out, a stop signal in.

No locks: every part in play has a slot of its own, so that a worker killed at any moment leaves nothing
locked behind.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.sharedctypes import RawArray, RawValue
from typing import Any

from simcli.startup import spare_collections


class Board:
    """Share the number of deals played in each slot, and whether to stop.

    Parameters
    ----------
    slots : int
        Most parts in play at the same time.
    """

    def __init__(self, slots: int) -> None:
        self._played: Any = RawArray("q", slots)
        self._stopped: Any = RawValue("b", 0)

    @property
    def n_slots(self) -> int:
        """Return how many parts may be in play."""
        return len(self._played)

    @property
    def stopped(self) -> bool:
        """Return whether play is to stop after the present slice."""
        return bool(self._stopped.value)

    def stop(self) -> None:
        """Ask all workers to stop after their present slice."""
        self._stopped.value = 1

    def set_played(self, slot: int, n_deals: int) -> None:
        """Say how many deals of its part a slot has played."""
        self._played[slot] = n_deals

    def clear(self) -> None:
        """Forget all progress: what was in play is lost."""
        for slot in range(self.n_slots):
            self.set_played(slot, 0)

    def played(self) -> int:
        """Return the deals played in all slots together."""
        return sum(self._played)


_board: Board | None = None


def join_board(board: Board) -> None:
    """Make the board known to this process."""
    global _board
    _board = board


def is_play_wanted(slot: int, played: int) -> bool:
    """Say how many deals of a slot's part are played, and return whether to play on.

    A process that shares no board plays on unseen.
    """
    if _board is None:
        return True
    _board.set_played(slot, played)
    return not _board.stopped


def start_worker(board: Board) -> None:
    """Prepare a worker process."""
    spare_collections()
    follow_parent()
    for library in ("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(library, "1")  # the other cores have workers of their own
    join_board(board)


def follow_parent() -> None:
    """Leave Ctrl-C to the parent of this process, and end when the parent ends, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back for a moment: a process started meanwhile never sees it, its parent does after."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interrupts_after() -> Iterator[None]:
    """Let Ctrl-C take effect once all inside is done: where C code calls back, an exception would be lost."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is None:
        yield
        return
    noted: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        signal.raise_signal(signal.SIGINT)
