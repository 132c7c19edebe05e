import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from simcli.errors import RunError
from simcli.runs.board import Board
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Part
from simcli.runs.play import Task
from simcli.runs.pool import Pool, WorkerLost, _processes_of
from tests.runs.conftest import match_of

ENGINE = {"version": "1", "signature": "b", "sources": "a"}


def tasks(folder: Path, n_parts: int, n_deals: int) -> list[Task]:
    spans = [Part(i, i * n_deals, (i + 1) * n_deals) for i in range(n_parts)]
    match = match_of(bots="random")
    return [Task(match, ENGINE, span, folder / span.file_name) for span in spans]


def test_a_killed_worker_costs_nothing_but_time(tmp_path: Path) -> None:
    killed = False
    lost: list[Part] = []
    digests: dict[int, int] = {}
    with Pool(2) as pool:
        for event in pool.play(tasks(tmp_path, 4, 15_000), 2):
            if isinstance(event, PartRecord):
                assert event.part.index not in digests
                digests[event.part.index] = event.digest
            elif isinstance(event, WorkerLost):
                lost.extend(event.parts)
            elif event.played and not killed:
                os.kill(_processes_of(pool._executor)[0].pid or 0, signal.SIGKILL)
                killed = True
    assert lost
    assert set(digests) == {0, 1, 2, 3}
    with Pool(1) as pool:
        quiet = [event for event in pool.play(tasks(tmp_path, 4, 15_000), 1) if isinstance(event, PartRecord)]
    assert {record.part.index: record.digest for record in quiet} == digests


class Dying(Executor):
    """An executor whose workers die of every part."""

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("a worker died"))
        return future


def test_a_part_that_kills_its_worker_every_time_ends_the_run(tmp_path: Path) -> None:
    opened: list[Executor] = []

    def open_executor(workers: int, board: Board) -> Executor:
        opened.append(Dying())
        return opened[-1]

    with Pool(2, open_executor) as pool, pytest.raises(RunError, match=r"part-00000\.parquet.*died 3 times"):
        list(pool.play(tasks(tmp_path, 2, 10), 2))
    assert len(opened) == 3


def test_a_stopped_pool_plays_no_further_part(tmp_path: Path) -> None:
    with Pool(1) as pool:
        for event in pool.play(tasks(tmp_path, 50, 1000), 1):
            if isinstance(event, PartRecord):
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
        [*command, "--workers", "2", "--out", str(tmp_path)], stderr=subprocess.DEVNULL
    ) as run:
        deadline = time.monotonic() + 30
        workers: list[int] = []
        while len(workers) < 3 and time.monotonic() < deadline:  # two workers and the resource tracker
            time.sleep(0.05)
            workers = children(run.pid)
        time.sleep(0.5)
        run.kill()
    assert len(workers) == 3
    deadline = time.monotonic() + 5
    while any(is_alive(pid) for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in workers if is_alive(pid)]
