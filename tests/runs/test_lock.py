"""One run folder is played by one command at a time."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from simcli.errors import InputError
from simcli.runs import conduct, staged
from simcli.runs.folder import RunFolder
from simcli.runs.lock import LOCK_FILE, RunLock
from simcli.runs.orders import Order
from simcli.runs.pool import Pool
from simcli.runs.staged import conduct_until, is_narrow
from simcli.runs.stopping import StoppingRule
from simcli.runs.taking import TakenRun, taken_up
from tests.runs.conftest import Notes, Play, match_of

pytestmark = pytest.mark.usefixtures("small_parts")

HOLD = """
import sys, time
from pathlib import Path
from simcli.runs.folder import RunFolder
with RunFolder(Path(sys.argv[1])).locked() as lock:
    print(lock.is_held, flush=True)
    time.sleep(60)
"""


@contextmanager
def holder_of(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold the lock of a folder."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        yield other
        other.kill()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != LOCK_FILE}


def test_a_folder_that_another_command_plays_in_is_refused_and_left_alone(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    (folder / "part-00001.parquet").unlink()
    (folder / ".part-00001.parquet.99.tmp").write_bytes(b"half")
    before = files(folder)
    with holder_of(folder) as other:
        expected = (
            rf"is being played by another simcli \(process {other.pid}\) – wait for it or give another --out"
        )
        for deals, fresh in ((1000, False), (2000, False), (1000, True)):
            with pytest.raises(InputError, match=expected):
                play(match_of(), deals, fresh=fresh)
    assert files(folder) == before


def test_a_run_that_a_rule_may_stop_is_refused_as_well(play: Play, notes: Notes) -> None:
    folder = play(match_of(), 1000).folder
    before = files(folder)
    rule = StoppingRule("half-width", 0.01, 100_000)
    with (
        holder_of(folder),
        Pool(1) as pool,
        pytest.raises(InputError, match="is being played by another simcli"),
    ):
        conduct_until([Order(match_of(), None, folder.parent, rule)], rule, is_narrow(0.01), pool, notes)
    assert files(folder) == before


def test_a_finished_run_is_printed_while_another_command_holds_its_folder(play: Play) -> None:
    before = play(match_of(), 1000)
    with holder_of(before.folder):
        after = play(match_of(), 1000)
    assert (after.played, after.digest) == (0, before.digest)


def test_a_killed_command_leaves_nothing_locked(play: Play) -> None:
    folder = play(match_of(), 1000).folder
    (folder / "run.yaml").unlink()
    with holder_of(folder) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert (folder / LOCK_FILE).exists()
        play(match_of(), 1000)
    assert not (folder / LOCK_FILE).exists()
    assert (folder / "run.yaml").exists()


def test_a_lock_is_gone_with_its_holder(tmp_path: Path) -> None:
    with RunFolder(tmp_path).locked() as lock:
        assert lock.is_held
        assert (tmp_path / LOCK_FILE).read_text() == f"{os.getpid()}\n"
        second = RunLock(tmp_path)
        second.take()
        assert (second.is_held, second.holder) == (False, f"process {os.getpid()}")
    assert list(tmp_path.iterdir()) == []
    with RunFolder(tmp_path).locked() as again:
        assert again.is_held


def test_several_commands_at_once_do_not_crash_each_other(tmp_path: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "simcli",
        "run",
        "classic",
        "--bots",
        "lowest",
        "-n",
        "20k",
        "--out",
        str(tmp_path),
    ]
    commands = []
    for _ in range(3):
        commands.append(subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        time.sleep(0.05)
    codes = []
    for command in commands:
        out, err = command.communicate(timeout=120)
        codes.append(command.returncode)
        assert "Traceback" not in err
        assert ("20,000 deals" in out) == (command.returncode == 0)
        assert ("is being played by another simcli" in err) == (command.returncode == 2)
    assert 0 in codes
    assert set(codes) <= {0, 2}
    assert sorted(path.name for path in (tmp_path / "classic-p4-lowest-s1").iterdir()) == [
        "part-00000.parquet", "parts.sha256", "plan.yaml", "run.yaml",
    ]  # fmt: skip


@pytest.mark.parametrize("is_staged", [False, True])
def test_of_two_commands_that_want_the_same_runs_at_the_same_moment_one_gets_them_all(
    is_staged: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["classic", "late-transfer", "pass-card"]
    begin = threading.Barrier(2, timeout=60)
    begun: set[int] = set()

    @contextmanager
    def slowly(*arguments: Any, **options: Any) -> Iterator[TakenRun]:
        if threading.get_ident() not in begun:
            begun.add(threading.get_ident())
            begin.wait()
        with taken_up(*arguments, **options) as taken:
            time.sleep(0.1)
            yield taken

    monkeypatch.setattr(staged if is_staged else conduct, "taken_up", slowly)

    def played(variants: Sequence[str]) -> str:
        rule = StoppingRule("half-width", 0.4, 20_000) if is_staged else None
        orders = [Order(match_of(name), None if rule else 200, tmp_path, rule) for name in variants]
        with Pool(1) as pool:
            try:
                if rule is None:
                    return f"{len(list(conduct.conduct_all(orders, pool, Notes())))} played"
                return f"{len(conduct_until(orders, rule, is_narrow(0.4), pool, Notes()))} played"
            except InputError as error:
                return str(error)

    with ThreadPoolExecutor(2) as commands:
        refused, winner = sorted(commands.map(played, [names, names[::-1]]))
    assert winner == "3 played"
    busy = r"is being played by another simcli \((process \d+|another process)\)"
    assert re.fullmatch(rf".+-s1: {busy} – wait .+", refused)
