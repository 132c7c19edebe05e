import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simcli.runs.board import Board, join_board
from simcli.runs.folder import RunFolder
from simcli.runs.plan import Part
from simcli.runs.play import Task, play_part
from simcli.runs.pool import PartDone, PartFailed, Pool, Tick, WorkerLost, _processes_of
from simcli.runs.processes import LocalExecutor, WorkerDied
from tests.runs.conftest import match_of

ENGINE = {"version": "1", "signature": "b", "sources": "a"}


def tasks(folder: Path, n_parts: int, n_deals: int) -> list[Task]:
    spans = [Part(i, i * n_deals, (i + 1) * n_deals) for i in range(n_parts)]
    match = match_of(bots="random")
    return [Task(match, ENGINE, span, RunFolder(folder)) for span in spans]


def test_a_killed_worker_costs_nothing_but_time(tmp_path: Path) -> None:
    killed = False
    lost: list[Part] = []
    digests: dict[int, int] = {}
    with Pool(2) as pool:
        for event in pool.play(tasks(tmp_path, 4, 15_000), 2):
            if isinstance(event, PartDone):
                assert event.record.part.index not in digests
                digests[event.record.part.index] = event.record.digest
            elif isinstance(event, WorkerLost):
                lost.extend(task.part for task in event.tasks)
            elif isinstance(event, Tick) and event.played and not killed:
                os.kill(_processes_of(pool._executor)[0].pid or 0, signal.SIGKILL)
                killed = True
    assert lost
    assert set(digests) == {0, 1, 2, 3}
    with Pool(1) as pool:
        quiet = [event for event in pool.play(tasks(tmp_path, 4, 15_000), 1) if isinstance(event, PartDone)]
    assert {event.task.part.index: event.record.digest for event in quiet} == digests


class Dying(Executor):
    """An executor whose workers die of every part."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("a worker died"))
        return future


def test_a_part_that_kills_its_worker_three_times_has_failed(tmp_path: Path) -> None:
    opened: list[Executor] = []

    def open_executor(workers: int, board: Board) -> Executor:
        opened.append(Dying())
        return opened[-1]

    with Pool(2, open_executor) as pool:
        events = list(pool.play(tasks(tmp_path, 2, 10), 2))
    failed = [event for event in events if isinstance(event, PartFailed)]
    assert [event.task.part.index for event in failed] == [0, 1]
    assert re.search(r"part-00000\.parquet: a worker died 3 times", str(failed[0].error))
    assert len(opened) == 4


class Fragile(Executor):
    """An executor whose workers, all of them, die while one of them has a certain part."""

    def __init__(self, fatal: int) -> None:
        self.fatal = fatal
        self.pending: list[tuple[Future[Any], Task]] = []
        self.lock = threading.Lock()

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self.lock:
            self.pending.append((future, arguments[0]))
        threading.Timer(0.05, self.settle).start()
        return future

    def settle(self) -> None:
        with self.lock:
            pending, self.pending = self.pending, []
        is_fatal = any(task.part.index == self.fatal for _, task in pending)
        for future, task in pending:
            if is_fatal:
                future.set_exception(BrokenProcessPool("a worker died"))
            else:
                future.set_result(play_part(task))


def test_parts_beside_one_that_kills_every_worker_are_completed(tmp_path: Path) -> None:
    def open_executor(workers: int, board: Board) -> Executor:
        join_board(board)
        return Fragile(fatal=2)

    with Pool(2, open_executor) as pool:
        events = list(pool.play(tasks(tmp_path, 6, 10), 2))
    assert [event.task.part.index for event in events if isinstance(event, PartFailed)] == [2]
    done = [event.task.part.index for event in events if isinstance(event, PartDone)]
    assert sorted(done) == [0, 1, 3, 4, 5]


def player_of(task: Task) -> int:
    return os.getpid()


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    executor = LocalExecutor(2, Board(4))
    yield executor
    executor.shutdown(wait=True, cancel_futures=True)


def players(executor: LocalExecutor, task: Task, n: int = 1) -> list[int]:
    return [executor.submit(player_of, task).result(timeout=60) for _ in range(n)]


def test_the_command_itself_is_one_of_its_workers(executor: LocalExecutor, tmp_path: Path) -> None:
    assert len(executor.processes()) == 1
    assert players(executor, tasks(tmp_path, 1, 10)[0], 3) == [os.getpid()] * 3


def test_a_part_whose_deals_may_take_long_is_played_where_it_can_be_ended(
    executor: LocalExecutor, tmp_path: Path
) -> None:
    task = replace(tasks(tmp_path, 1, 10)[0], match=match_of(bots="montecarlo"))
    assert players(executor, task) == [executor.processes()[0].pid]


def test_once_a_worker_has_died_the_command_plays_no_part_itself(
    executor: LocalExecutor, tmp_path: Path
) -> None:
    quick = tasks(tmp_path, 1, 10)[0]
    players(executor, replace(quick, match=match_of(bots="montecarlo")))  # the process is there
    executor.processes()[0].kill()
    with pytest.raises(WorkerDied):
        players(executor, replace(quick, match=match_of(bots="montecarlo")))
    assert players(executor, quick) == [executor.processes()[0].pid]


def test_a_stopped_pool_plays_no_further_part(tmp_path: Path) -> None:
    with Pool(1) as pool:
        for event in pool.play(tasks(tmp_path, 50, 1000), 1):
            if isinstance(event, PartDone):
                break
    assert 0 < len(list(tmp_path.glob("*.parquet"))) < 50


def children(pid: int) -> list[int]:
    out = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in out.stdout.split()]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to see processes")
def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "simcli", "run", "classic", "--bots", "random", "-n", "20M"]
    with subprocess.Popen(
        [*command, "--workers", "3", "--out", str(tmp_path)], stderr=subprocess.DEVNULL
    ) as run:
        deadline = time.monotonic() + 30
        workers: list[int] = []
        while len(workers) < 3 and time.monotonic() < deadline:  # two beside it, and the tracker
            time.sleep(0.05)
            workers = children(run.pid)
        time.sleep(0.5)
        run.kill()
    assert len(workers) == 3
    deadline = time.monotonic() + 5
    while any(is_alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if is_alive(pid)]
