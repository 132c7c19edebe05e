"""A run in a bucket is played by one command at a time, and a command that died does not lock it for ever."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from simcli.errors import InputError, RunError
from simcli.runs.folder import RunFolder
from simcli.runs.lock import LOCK_FILE
from simcli.runs.orders import Order
from simcli.runs.store import s3, s3lock
from simcli.runs.store.location import S3Url
from simcli.runs.store.s3lock import S3Lock
from tests.runs.conftest import match_of
from tests.runs.store.test_s3_runs import names_in, played

pytestmark = pytest.mark.usefixtures("small_parts")

HOLD = """
import sys, time
from simcli.runs.store import s3lock
from simcli.runs.store.location import location
from simcli.runs.store.s3 import S3Store
s3lock._machine = lambda: sys.argv[2]
lock = s3lock.S3Lock(S3Store(location(sys.argv[1])), counts_s=float(sys.argv[3]))
lock.take()
print(lock.is_held, flush=True)
time.sleep(60)
"""


@contextmanager
def holder_of(
    place: S3Url, machine: str = "another", counts_s: float = 60
) -> Iterator[subprocess.Popen[str]]:
    """Let another process hold the lock of a place in a bucket."""
    words = [sys.executable, "-c", HOLD, str(place), machine, str(counts_s)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        yield other
        other.kill()


def lock_at(place: S3Url, counts_s: float = 60) -> S3Lock:
    return S3Lock(s3.S3Store(place), counts_s)


def test_a_lock_lies_there_while_it_is_held(bucket: S3Url) -> None:
    with RunFolder(bucket).locked() as lock:
        assert lock.is_held
        told = json.loads(s3.S3Store(bucket).read(LOCK_FILE))
        assert (told["process"], told["counts_s"], told["token"]) == (
            os.getpid(),
            s3lock.COUNTS_S,
            lock.token,
        )
        second = lock_at(bucket)
        second.take()
        assert not second.is_held
        assert second.holder is not None
        assert second.holder.startswith(f"process {os.getpid()} on {told['host']}, seen ")
    assert not s3.S3Store(bucket).is_there()
    with RunFolder(bucket).locked() as again:
        assert again.is_held


def test_a_run_that_another_command_plays_is_refused_and_left_alone(bucket: S3Url) -> None:
    folder = Order(match_of(), 300, bucket).folder.path
    played(bucket, match_of(), 300)
    before = names_in(folder)
    with holder_of(folder) as other:
        for deals, fresh in ((600, False), (300, True)):
            with pytest.raises(
                InputError, match=rf"another simcli \(process {other.pid} on .* – wait for it"
            ):
                played(bucket, match_of(), deals, fresh=fresh)
        assert played(bucket, match_of(), 300).played == 0
        assert names_in(folder) == sorted([*before, LOCK_FILE])


def test_the_lock_of_a_killed_command_ends_after_as_long_as_it_says(bucket: S3Url) -> None:
    folder = Order(match_of(), 300, bucket).folder.path
    with holder_of(folder, counts_s=2) as other:
        time.sleep(2.5)  # it beats: the lock is older than it counts, and counts nevertheless
        with pytest.raises(InputError, match="is being played by another simcli"):
            played(bucket, match_of(), 300)
        other.send_signal(signal.SIGKILL)
        other.wait()
        with pytest.raises(InputError, match=r"if it has died, its lock ends in [0-2] s"):
            played(bucket, match_of(), 300)
        time.sleep(3.1)  # the service tells its age in whole seconds
        assert played(bucket, match_of(), 300).played == 300
    assert LOCK_FILE not in names_in(folder)


def test_the_lock_of_a_command_killed_on_this_machine_ends_at_once(bucket: S3Url) -> None:
    folder = Order(match_of(), 300, bucket).folder.path
    with holder_of(folder, machine=s3lock._machine()) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert played(bucket, match_of(), 300).played == 300


def test_only_one_of_two_takes_over(bucket: S3Url, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (lock_at(bucket) for _ in range(3))
    monkeypatch.setattr(S3Lock, "_beat", lambda self: None)
    first.take()
    monkeypatch.setattr(s3lock._Found, "left_s", -1.0)
    put = S3Lock._put

    def put_second_first(self: S3Lock, token: str, found: Any) -> bool:
        if self is third and not second.is_held:
            second.take()
            monkeypatch.setattr(s3lock._Found, "left_s", 60.0)
        return put(self, token, found)

    monkeypatch.setattr(S3Lock, "_put", put_second_first)
    third.take()
    assert (second.is_held, third.is_held) == (True, False)
    assert third.holder is not None


def test_a_lock_whose_answer_was_lost_is_held(bucket: S3Url, monkeypatch: pytest.MonkeyPatch) -> None:
    put = S3Lock._put

    def lost(self: S3Lock, token: str, found: Any) -> bool:
        put(self, token, found)
        return False

    monkeypatch.setattr(S3Lock, "_put", lost)
    lock = lock_at(bucket)
    lock.take()
    assert (lock.is_held, lock.holder) == (True, None)
    lock.release()


def test_a_lost_lock_stops_every_write(bucket: S3Url) -> None:
    with RunFolder(bucket).locked() as lock:
        folder = RunFolder(bucket).under(lock)
        folder.store.write("plan.yaml", b"mine")
        other = lock_at(bucket)
        s3.S3Store(bucket).remove(LOCK_FILE)
        other.take()
        assert other.is_held
        for attempt in (
            lambda: folder.store.write("plan.yaml", b"late"),
            lambda: folder.store.remove("plan.yaml"),
        ):
            with pytest.raises(RunError, match="another simcli has taken this run over"):
                attempt()
    assert RunFolder(bucket).store.read("plan.yaml") == b"mine"
    assert json.loads(s3.S3Store(bucket).read(LOCK_FILE))["token"] == other.token
    other.release()


def test_a_run_that_lost_its_lock_fails_and_says_how_to_go_on(
    bucket: S3Url, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Order(match_of(), 1000, bucket).folder.path
    write = s3.S3Store.write
    other = lock_at(folder)

    def stolen(self: s3.S3Store, name: str, content: bytes) -> None:
        if name == "part-00003.parquet":
            s3.S3Store(folder).remove(LOCK_FILE)
            other.take()
        write(self, name, content)

    monkeypatch.setattr(s3.S3Store, "write", stolen)
    with pytest.raises(RunError, match=r"taken this run over.*complete parts stay; give the command again"):
        played(bucket, match_of(), 1000)
    assert [name for name in names_in(folder) if name.startswith("part-")] == [
        f"part-0000{index}.parquet" for index in range(3)
    ]
    other.release()
    monkeypatch.undo()


def test_a_lock_that_says_nothing_ends_as_usual(bucket: S3Url) -> None:
    s3.S3Store(bucket).write(LOCK_FILE, b"\xff{")
    lock = lock_at(bucket)
    lock.take()
    assert lock.holder is not None
    assert "process ? on ?" in lock.holder
