"""Output that cannot be written: a full disk is one message, a reader that has gone away none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]

SIMCLI = [sys.executable, "-m", "simcli"]
FULL = Path("/dev/full")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    words = ("run", "classic", "--bots", "lowest", "-n", "500", "--out", str(tmp_path))
    subprocess.run([*SIMCLI, *words], check=True, capture_output=True)
    return tmp_path


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
def test_a_full_disk_fails_a_command_whose_input_was_right(simcli: Simcli) -> None:
    result = simcli("compare", "classic", "podkidnoy", "--bots", "lowest", "-n", "200", "-o", str(FULL))
    assert (result.code, result.err.splitlines()[-1]) == (
        1, "/dev/full: the disk is full – make room and give the command again",
    )  # fmt: skip


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_one_message_and_exit_1(unbuffered: str, results: Path) -> None:
    folder = str(results / "classic-p4-lowest-s1")
    commands = [
        ["--version"],
        ["--help"],
        ["runs", str(results)],
        ["runs", str(results), "--json"],
        ["replay", folder, "--deal", "0"],
        ["run", "classic", "--bots", "lowest", "-n", "500", "--out", str(results)],
    ]
    for words in commands:
        with FULL.open("w") as full:
            done = subprocess.run(
                [*SIMCLI, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr == (
            "standard output: cannot be written (No space left on device) – make room, or send it elsewhere\n"
        )


def test_a_reader_that_has_gone_away_is_no_fault(results: Path) -> None:
    words = ["replay", str(results / "classic-p4-lowest-s1"), "--deals", "0:300"]
    with subprocess.Popen(
        [*SIMCLI, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        assert command.stdout.readline() == "classic, 4 players – deal 0 of seed 1\n"
        command.stdout.close()
        assert command.stderr.read() == ""
    assert command.returncode == 1


def test_a_program_without_standard_output_still_runs(results: Path) -> None:
    command = " ".join([*SIMCLI, "runs", str(results), ">&-"])
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
