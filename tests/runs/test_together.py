"""Many runs in one pool: they advance together, and none is the worse for another."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

import pytest

from simcli.errors import InputError, RunError
from simcli.runs import conduct as conducting
from simcli.runs import partfile
from simcli.runs.board import Board
from simcli.runs.conduct import RunInPlay, conduct, conduct_all
from simcli.runs.lock import LOCK_FILE, room_for_locks
from simcli.runs.orders import Order
from simcli.runs.outcome import Outcome
from simcli.runs.plan import Match
from simcli.runs.pool import Pool, _processes_of, local_executor
from simcli.runs.report import Silent
from simcli.runs.store import local
from tests.runs.conftest import Notes, match_of
from tests.runs.test_lock import holder_of

pytestmark = pytest.mark.usefixtures("small_parts")

THREE = match_of("classic"), match_of("late-transfer"), match_of("duel", "random")


def orders_of(results: Path, *matches: Match, deals: int = 1000) -> list[Order]:
    return [Order(match, deals, results) for match in matches]


def played(orders: Sequence[Order], workers: int = 1) -> list[Outcome]:
    with Pool(workers) as pool:
        return list(conduct_all(orders, pool, Silent()))


def parts_in(results: Path) -> dict[str, int]:
    return {folder.name: len(list(folder.glob("part-*.parquet"))) for folder in sorted(results.iterdir())}


def left_behind(results: Path) -> list[str]:
    return [path.name for path in results.rglob("*") if path.name == LOCK_FILE or path.name.startswith(".")]


class Watching:
    """An onlooker that keeps how far each run is, part by part."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, ...]] = []

    def __call__(self, runs: Sequence[RunInPlay]) -> None:
        self.seen.append(tuple(run.done for run in runs))


def test_all_runs_advance_together_through_the_deals(tmp_path: Path) -> None:
    watching = Watching()
    with Pool(1) as pool:
        outcomes = list(conduct_all(orders_of(tmp_path, *THREE), pool, Silent(), onlooker=watching))
    ends = [[part.end for part in outcome.plan.parts()] for outcome in outcomes]
    assert all(len(each) > 3 for each in ends)
    in_order = sorted((end, index) for index, each in enumerate(ends) for end in each)
    done = [0, 0, 0]
    expected = []
    for end, index in in_order:
        done[index] = end
        expected.append(tuple(done))
    assert watching.seen == expected


@pytest.mark.usefixtures("always_processes")
def test_rows_are_those_of_runs_played_alone_whatever_the_workers(tmp_path: Path) -> None:
    alone = [played([order])[0].digest for order in orders_of(tmp_path / "alone", *THREE)]
    for workers in (1, 2):
        orders = orders_of(tmp_path / str(workers), *THREE)
        assert [outcome.digest for outcome in played(orders, workers)] == alone


def test_outcomes_come_in_the_order_of_the_orders(tmp_path: Path) -> None:
    short, long = Order(THREE[1], 200, tmp_path), Order(THREE[0], 2000, tmp_path)
    assert [outcome.deals for outcome in played([long, short])] == [2000, 200]
    assert [outcome.played for outcome in played([long, short])] == [0, 0]


def test_a_run_is_complete_as_soon_as_its_own_parts_are(tmp_path: Path) -> None:
    short, long = Order(THREE[0], 200, tmp_path), Order(THREE[1], 2000, tmp_path)
    complete: list[tuple[bool, bool]] = []

    def onlooker(runs: Sequence[RunInPlay]) -> None:
        folder = short.folder
        complete.append((folder.run_path.exists(), (folder.path / LOCK_FILE).exists()))

    with Pool(1) as pool:
        list(conduct_all([long, short], pool, Silent(), onlooker=onlooker))
    assert complete[0] == (False, True)
    assert complete[len(complete) // 2 :] == [(True, False)] * (len(complete) - len(complete) // 2)


def test_runs_share_the_time_that_they_took_together(tmp_path: Path) -> None:
    start = time.monotonic()
    outcomes = played(orders_of(tmp_path, *THREE))
    assert all(outcome.seconds > 0 for outcome in outcomes)
    assert sum(outcome.seconds for outcome in outcomes) < 1.2 * (time.monotonic() - start)


def test_what_another_command_has_half_written_is_left_alone(tmp_path: Path) -> None:
    """In a run that is complete another command may play on while the others are being finished."""
    short, long = Order(THREE[0], 200, tmp_path), Order(THREE[1], 2000, tmp_path)
    half = short.folder.path / ".part-00001.parquet.99.tmp"

    def onlooker(runs: Sequence[RunInPlay]) -> None:
        if short.folder.run_path.exists():
            half.write_bytes(b"half")

    with Pool(1) as pool:
        list(conduct_all([long, short], pool, Silent(), onlooker=onlooker))
    assert half.exists()


@pytest.mark.usefixtures("always_processes")
def test_a_killed_worker_costs_no_run_anything(tmp_path: Path, notes: Notes) -> None:
    alone = [played([order])[0].digest for order in orders_of(tmp_path / "alone", *THREE)]
    killed: list[int] = []
    with Pool(2) as pool:

        def onlooker(runs: Sequence[RunInPlay]) -> None:
            if not killed:
                killed.append(_processes_of(pool._executor)[0].pid or 0)
                os.kill(killed[0], signal.SIGKILL)

        orders = orders_of(tmp_path / "together", *THREE)
        outcomes = list(conduct_all(orders, pool, notes, onlooker=onlooker))
    assert [outcome.digest for outcome in outcomes] == alone
    assert any("a worker died; what was in play is played again" in text for text in notes.said)


def test_a_run_that_cannot_be_written_leaves_the_others_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = partfile.write_whole

    def refusing(path: Path, content: bytes) -> None:
        if path.name == "part-00002.parquet" and path.parent.name.startswith("late-transfer"):
            raise OSError(errno.EACCES, "Permission denied")
        write(path, content)

    with monkeypatch.context() as patch, Pool(1) as pool:
        patch.setattr(local, "write_whole", refusing)
        conducted = conduct_all(orders_of(tmp_path, *THREE), pool, Silent())
        outcomes = [next(conducted), next(conducted)]
        with pytest.raises(RunError, match=r"late-transfer.*cannot be written any more \(Permission"):
            next(conducted)
    assert [outcome.plan.match for outcome in outcomes] == [THREE[0], THREE[2]]
    n_parts = parts_in(tmp_path)
    assert n_parts["late-transfer-p4-lowest-s1"] == 2
    assert not left_behind(tmp_path)
    again = played(orders_of(tmp_path, *THREE))
    assert [outcome.played for outcome in again] == [0, 500, 0]


def test_a_full_disk_ends_all_runs_and_keeps_what_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = partfile.write_whole

    def full(path: Path, content: bytes) -> None:
        if path.name == "part-00003.parquet":
            raise OSError(errno.ENOSPC, "No space left on device")
        write(path, content)

    with monkeypatch.context() as patch, Pool(1) as pool:
        patch.setattr(local, "write_whole", full)
        with pytest.raises(RunError, match="the disk is full"):
            list(conduct_all(orders_of(tmp_path, *THREE), pool, Silent()))
    assert all(2 <= n <= 4 for n in parts_in(tmp_path).values())
    assert not left_behind(tmp_path)


def test_a_folder_in_use_is_told_before_anything_is_played(tmp_path: Path) -> None:
    orders = orders_of(tmp_path, *THREE)
    for order in orders[:2]:
        order.folder.make()
    with (
        holder_of(orders[0].folder.path),
        holder_of(orders[1].folder.path),
        pytest.raises(InputError) as refused,
    ):
        played(orders)
    assert str(refused.value).count("is being played by another simcli") == 1  # the others are not touched
    assert not any(parts_in(tmp_path).values())
    assert len(played(orders)) == 3


def test_an_interrupted_command_keeps_balanced_parts_and_goes_on(tmp_path: Path) -> None:
    def interrupt(runs: Sequence[RunInPlay]) -> None:
        if sum(run.done for run in runs) >= 1200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), Pool(1) as pool:
        list(conduct_all(orders_of(tmp_path, *THREE), pool, Silent(), onlooker=interrupt))
    n_parts = parts_in(tmp_path).values()
    assert max(n_parts) - min(n_parts) <= 1
    assert not left_behind(tmp_path)
    again = played(orders_of(tmp_path, *THREE))
    assert 0 < sum(outcome.played for outcome in again) <= 3000 - 1200


def test_a_command_killed_at_any_moment_leaves_balanced_data(tmp_path: Path) -> None:
    variants = ["classic", "late-transfer", "podkidnoy"]
    options = ["--bots", "lowest", "-n", "2M", "--workers", "2", "--out", str(tmp_path)]
    command = [sys.executable, "-m", "simcli", "run", *variants, *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        deadline = time.monotonic() + 60
        while sum(parts_in(tmp_path).values()) < 5 and time.monotonic() < deadline:
            time.sleep(0.02)
        run.kill()
    n_parts = parts_in(tmp_path)
    assert len(n_parts) == 3
    assert 5 <= sum(n_parts.values()) < 24
    assert max(n_parts.values()) - min(n_parts.values()) <= 2  # as many parts as workers were in play


def test_two_hundred_tiny_cells_take_one_pool_and_one_start(tmp_path: Path) -> None:
    opened: list[int] = []

    def open_executor(workers: int, board: Board) -> Executor:
        opened.append(workers)
        return local_executor(workers, board)

    orders = orders_of(tmp_path, *(match_of(seed=seed) for seed in range(200)), deals=10)
    with Pool(2, open_executor) as pool:
        outcomes = list(conduct_all(orders, pool, Silent()))
    assert opened == [1]
    assert len({outcome.digest for outcome in outcomes}) == 200
    assert all(order.folder.run_path.exists() for order in orders)


def test_more_runs_than_may_be_open_are_played_in_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conducting, "room_for_locks", lambda n: 2)
    together: list[int] = []
    with Pool(1) as pool:
        orders = orders_of(tmp_path, *(match_of(seed=seed) for seed in range(5)), deals=10)
        outcomes = list(conduct_all(orders, pool, Silent(), onlooker=lambda runs: together.append(len(runs))))
    assert [outcome.plan.match.seed for outcome in outcomes] == list(range(5))
    assert together == [2, 2, 2, 2, 1]


def test_the_limit_of_open_files_is_raised_for_the_runs() -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2000:
        pytest.skip("this user may not open so many files")
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
        assert room_for_locks(1000) == 1000
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 1000
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_one_run_asked_for_twice_is_played_once(tmp_path: Path) -> None:
    first, longer = Order(THREE[0], 500, tmp_path), Order(THREE[0], 900, tmp_path)
    outcomes = played([first, first, longer])
    assert [outcome.played for outcome in outcomes] == [500, 0, 400]


def test_fresh_throws_every_run_away(tmp_path: Path) -> None:
    before = played(orders_of(tmp_path, *THREE))
    with Pool(1) as pool:
        after = list(conduct_all(orders_of(tmp_path, *THREE), pool, Silent(), fresh=True))
    assert [outcome.played for outcome in after] == [1000] * 3
    assert [outcome.digest for outcome in after] == [outcome.digest for outcome in before]


class Shown(Silent):
    """A report that keeps what is shown of the progress."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, int, int]] = []
        self.names: list[str] = []
        self.done: list[int] = []

    def begin(self, title: str, deals: int, done: int) -> None:
        self.begun.append((title, deals, done))

    def name(self, name: str) -> None:
        self.names.append(name)

    def show(self, done: int) -> None:
        self.done.append(done)


def test_one_progress_counts_the_deals_of_all_runs(tmp_path: Path) -> None:
    pair = THREE[:2]
    conduct(Order(pair[0], 1000, tmp_path), Pool(1), Silent())
    (tmp_path / pair[0].folder_name / "part-00001.parquet").unlink()
    shown = Shown()
    with Pool(1) as pool:
        list(conduct_all(orders_of(tmp_path, *pair), pool, shown))
    ((title, deals, done),) = shown.begun
    assert (title, deals) == ("2 runs", 2000)
    assert 0 < done < 1000
    assert set(shown.names) == {"classic", "late-transfer"}
    assert shown.done[-1] == 2000


def test_workers_are_told_which_engine_they_need_before_they_play(tmp_path: Path) -> None:
    told: list[object] = []

    def open_executor(workers: int, board: Board) -> Executor:
        told.append("play")
        return local_executor(workers, board)

    with Pool(1, open_executor, told.append) as pool:
        list(conduct_all(orders_of(tmp_path, *THREE), pool, Silent()))
    assert told == [False, "play"]
