"""What runs survive: each fault is made to happen, and the rows come out as if it had not.

docs/architecture.md lists where every fault is tested; this file has those that need whole commands, a
disk of their own, or the clock. `pytest -m slow tests/runs/test_faults.py` kills ten times.
"""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pytest
import yaml

from simcli.errors import RunError
from simcli.runs.conduct import RunInPlay, conduct, conduct_all
from simcli.runs.orders import Order
from simcli.runs.pool import Pool
from simcli.runs.report import Silent
from tests.runs.conftest import Notes, Play, match_of, rows_in
from tests.runs.test_pool import children, is_alive

ROOT = Path(__file__).parents[2]
SIMCLI = [sys.executable, "-m", "simcli"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
FOLDER = "classic-p4-lowest-s1"


def started(results: Path, deals: str, *options: str) -> subprocess.Popen[str]:
    """Start a command that plays, in a process group of its own."""
    words = ["run", "classic", "--bots", "lowest", "-n", deals, "--out", str(results), *options]
    return subprocess.Popen(
        [*SIMCLI, *words],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def waited_for(path: Path, seconds: float = 300) -> None:  # an engine may have to be compiled first
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, path
        time.sleep(0.02)


def rows_after_kills(
    results: Path, deals: str, kills: int, longest_s: float, first: str = "plan.yaml"
) -> tuple[pl.DataFrame, int]:
    """Return the rows of a run that was killed so often and then left to end, and its deals then.

    It is killed some time after a first file is there.
    """
    moments = random.Random(20_240_229)
    folder = results / FOLDER
    for _ in range(kills):
        with started(results, deals, "--workers", "2") as run:
            waited_for(folder / first)
            time.sleep(moments.uniform(0, longest_s))
            was_running = run.poll() is None
            if was_running:
                os.killpg(run.pid, signal.SIGKILL)
        assert was_running, "ended before it was killed"
    with started(results, deals, "--workers", "2", "--json") as run:
        out, err = run.communicate(timeout=300)
    assert run.returncode == 0, err
    assert not list(folder.glob(".*"))
    return rows_in(folder), yaml.safe_load(out)[0]["played"]


def test_a_command_killed_twice_ends_with_the_rows_of_one_that_was_not(tmp_path: Path) -> None:
    rows, played = rows_after_kills(tmp_path / "killed", "600k", 2, 0.5)
    with started(tmp_path / "whole", "600k") as run:
        run.communicate(timeout=300)
    assert 0 < played <= 600_000
    assert rows.equals(rows_in(tmp_path / "whole" / FOLDER))


@pytest.mark.slow
def test_a_command_killed_ten_times_ends_with_the_rows_of_one_that_was_not(tmp_path: Path) -> None:
    rows, played = rows_after_kills(tmp_path / "killed", "10M", 10, 2.5, first="part-00000.parquet")
    with started(tmp_path / "whole", "10M") as run:
        run.communicate(timeout=600)
    assert 0 < played < 10_000_000
    assert rows.equals(rows_in(tmp_path / "whole" / FOLDER))


def test_ctrl_c_given_twice_ends_a_command_as_well_as_once(tmp_path: Path) -> None:
    with started(tmp_path, "4M", "--workers", "2") as run:
        waited_for(tmp_path / FOLDER / "part-00000.parquet")
        workers = children(run.pid)
        start = time.monotonic()
        for _ in range(2):
            os.killpg(run.pid, signal.SIGINT)
            time.sleep(0.1)
        out, err = run.communicate(timeout=60)
    assert time.monotonic() - start < 20  # under two seconds where a core is free
    assert run.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert f"simcli run classic --bots lowest -n 4M --out {tmp_path} --workers 2\n" in err
    folder = tmp_path / FOLDER
    assert not (folder / "run.yaml").exists()
    deadline = time.monotonic() + 20
    while any(map(is_alive, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not list(filter(is_alive, workers))


def test_of_two_commands_at_once_one_plays_and_the_other_is_refused(tmp_path: Path) -> None:
    with started(tmp_path, "5M", "--workers", "1") as first:
        waited_for(tmp_path / FOLDER / "run.lock")
        waited_for(tmp_path / FOLDER / "plan.yaml")
        with started(tmp_path, "5M", "--workers", "1") as second:
            _, err = second.communicate(timeout=60)
        os.killpg(first.pid, signal.SIGKILL)
    assert second.returncode == 2
    assert f"is being played by another simcli (process {first.pid})" in err


def test_a_file_that_may_not_grow_any_more_is_one_message(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    words = ["run", "classic", "--bots", "lowest", "-n", "20k", "--workers", "1", "--out", str(tmp_path)]
    run = subprocess.run(
        [*SIMCLI, *words],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)),
    )
    assert run.returncode == 1
    assert re.search(r"cannot be written any more \(File too large\) – complete parts stay", run.stderr)
    assert "Traceback" not in run.stderr
    assert sorted(path.name for path in (tmp_path / FOLDER).iterdir()) == ["plan.yaml"]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if shutil.which("mount") is None:
        pytest.skip("there is no mount command")
    if subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False).returncode:
        pytest.skip("mounting a disk needs rights that this user does not have")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.usefixtures("small_parts")
def test_a_disk_that_becomes_read_only_keeps_complete_parts(disk: Path, play: Play) -> None:
    order = Order(match_of(), 1000, disk)

    def protect(runs: Sequence[RunInPlay]) -> None:
        subprocess.run(["mount", "-o", "bind,ro", disk, disk], check=True)

    with Pool(1) as pool, pytest.raises(RunError, match=r"written any more \(Read-only file system\)"):
        list(conduct_all([order], pool, Silent(), onlooker=protect))
    subprocess.run(["umount", disk], check=True)
    with Pool(1) as pool:
        outcome = conduct(order, pool, Silent())
    assert 0 < outcome.played < 1000
    assert outcome.digest == play(match_of(), 1000).digest


@pytest.mark.usefixtures("small_parts")
def test_an_unfinished_run_copied_elsewhere_goes_on_there(play: Play, tmp_path: Path, notes: Notes) -> None:
    whole = play(match_of(), 1000)
    (whole.folder / "part-00002.parquet").unlink()
    (whole.folder / "run.yaml").unlink()
    shutil.copytree(whole.folder, tmp_path / "elsewhere" / whole.folder.name)
    shutil.rmtree(whole.folder)
    again = play(match_of(), 1000, results="elsewhere")
    assert 0 < again.played < 1000
    assert again.digest == whole.digest
    assert notes.said == []


@pytest.mark.usefixtures("small_parts")
def test_a_clock_that_jumps_changes_neither_rows_nor_times(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = play(match_of(), 1000, results="before")
    jumps = random.Random(7)
    monkeypatch.setattr(time, "time", lambda: jumps.uniform(-1e9, 4e9))
    monkeypatch.setattr(time, "time_ns", lambda: int(jumps.uniform(-1e18, 4e18)))
    start = time.monotonic()
    after = play(match_of(), 1000)
    assert after.digest == before.digest
    assert 0 < after.seconds <= time.monotonic() - start


def test_nothing_is_timed_by_a_clock_that_may_jump() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "simcli").rglob("*.py")}
    assert sources
    jumping = re.compile(r"\btime\.time(?:_ns)?\(|from time import .*\btime\b|datetime\.utcnow")
    assert [str(path) for path, text in sources.items() if jumping.search(text)] == []
