"""`simcli bots tune`: a file that plays, and what it says."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from simcli.errors import RunError
from simcli.tuning import search as searching
from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]

TUNE = ("bots", "tune", "--variant", "podkidnoy", "-n", "2", "--deals", "100", "--test", "100")


def test_the_outcome_is_a_bot_that_can_be_played_and_read(simcli: Simcli, tmp_path: Path) -> None:
    result = simcli(*TUNE, "--players", "2,3", "-o", "bots/tuned.py")
    assert result.code == 0, result.err
    assert all(len(line) <= 80 for line in result.out.splitlines() if "simcli run" not in line)
    assert "thrifty tuned to podkidnoy: 4 generations" in result.out
    text = (tmp_path / "bots" / "tuned.py").read_text()
    assert "simcli bots tune --variant podkidnoy -n 2 --deals 100 --test 100 --players 2,3" in text
    assert "In 100 packs" in text
    run = ("run", "podkidnoy", "--players", "2", "--bots", "bots/tuned.py:choose,thrifty", "-n", "50")
    played = simcli(*run, "--json")
    assert played.code == 0, played.err
    assert json.loads(played.out)[0]["deals"] == 50


def test_the_same_command_writes_the_same_file(simcli: Simcli, tmp_path: Path) -> None:
    file = tmp_path / "my_thrifty.py"
    command = (*TUNE, "--players", "2", "--json")
    first = simcli(*command)
    text = file.read_bytes()
    assert simcli(*command).out == first.out
    assert file.read_bytes() == text
    told = json.loads(first.out)
    assert [gain["players"] for gain in told["gains"]] == [2]
    assert len(told["weights"]["trump"]) == 9


def test_ctrl_c_keeps_the_best_so_far_and_says_so(
    simcli: Simcli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = searching.Search._show

    def interrupted(self: searching.Search, chapter: object) -> None:
        show(self, chapter)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(searching.Search, "_show", interrupted)
    result = simcli(*TUNE, "--players", "2")
    assert result.code == 130
    assert "stopped after 1 of 2 generations" in result.err
    assert "my_thrifty.py" in result.err
    assert "not tested" in (tmp_path / "my_thrifty.py").read_text()


@pytest.mark.parametrize(
    "words, message",
    [
        (("--players", "7"), "--players: expected a whole number from 2 to 6, got 7"),
        (("--players", "2,x"), "--players: expected a whole number from 2 to 6, got x"),
        (("--minutes", "nan"), "--minutes: expected minutes above 0"),
        (("--bot", "counting"), "--bot: expected thrifty or thrifty:weights=…, got counting"),
        (("-o", "weights.yaml"), "weights.yaml: expected a file that ends in .py"),
        (("--generations", "0"), "--generations: expected a whole number"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_played(
    simcli: Simcli, words: tuple[str, ...], message: str
) -> None:
    result = simcli(*TUNE, *words)
    assert result.code == 2
    assert message in result.err


def test_a_file_that_no_tuning_wrote_is_left_alone(simcli: Simcli, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def choose(view, legal):\n    return legal[0]\n")
    before = file.read_text()
    result = simcli(*TUNE, "-o", str(file))
    assert result.code == 2
    assert "expected a new file or one that simcli bots tune has written, got another" in result.err
    assert file.read_text() == before


def test_where_the_file_cannot_be_written_after_all_the_bot_is_printed(
    simcli: Simcli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: bytes) -> None:
        raise RunError(f"{path}: the disk is full")

    monkeypatch.setattr("simcli.runs.outfile.write_file", full)
    result = simcli(*TUNE, "--players", "2")
    assert result.code == 1
    assert "choose = make_thrifty(WEIGHTS)" in result.out
    assert "the disk is full – what was to be in it is printed instead" in result.err


def test_an_optimiser_that_cannot_be_loaded_is_told_in_one_line(
    simcli: Simcli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cma.py").write_text("raise ImportError('half of it is missing')")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "cma", raising=False)
    result = simcli(*TUNE)
    assert result.code == 2
    assert "cannot be loaded (half of it is missing) – pip install 'simcli[tune]'" in result.err
