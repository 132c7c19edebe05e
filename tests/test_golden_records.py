"""The golden records are what is played, and each shows the rules of its own variant at work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simcli.cli.main import app
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import RULE_KEYS
from simcli.rules.canonical import differences
from simcli.rules.shipped import shipped_names
from simcli.runs.signature import shipped_variant
from tests import golden_records
from tests.golden_records import (
    CLASSIC,
    COMMAND,
    FOLDER,
    MAX_LINES,
    RULER,
    fresh_text,
    kept_deal,
    main,
    moments_of_decision,
    path_of,
    recorded,
    wishes_for,
)

PLAIN = ("classic", "duel", "partners", "pass-card", "simultaneous")

each_variant = pytest.mark.parametrize("name", shipped_names())


def test_every_shipped_variant_has_its_record_and_nothing_else() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{name}.txt" for name in shipped_names())


@each_variant
def test_the_deal_goes_as_the_file_tells(name: str) -> None:
    assert path_of(name).read_text(encoding="utf-8") == fresh_text(name)


@pytest.mark.skipif(not JIT_ENABLED, reason="this is how the test above plays")
def test_the_deals_go_the_same_way_without_the_compiler() -> None:
    command = [sys.executable, "-m", "tests.golden_records", *PLAIN]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    folder = FOLDER.parent.parent
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@each_variant
def test_the_command_in_the_head_shows_the_deal(name: str) -> None:
    head, told = path_of(name).read_text(encoding="utf-8").split(f"{RULER}\n\n")
    command = COMMAND.search(head)
    assert command
    assert command["variant"] == name
    assert CliRunner().invoke(app, command[0].split()[1:]).stdout == told


@each_variant
def test_the_deal_shows_the_variants_own_rules(name: str) -> None:
    """Choose another deal with ``--update --choose`` where this fails after a change of play."""
    match, deal = kept_deal(path_of(name))
    own = [key for key, _, _ in differences(match.variant, CLASSIC) if key in RULE_KEYS]
    decided = moments_of_decision(match, deal)
    # no transfers, or only of one card: hardly ever does a lead come back to who led, to be defended
    silent = {"draw.defender"} if len(own) > 1 else set()
    assert set(own) - set(decided) <= silent
    assert all(wish(recorded(match, deal)) for wish in wishes_for(name))


@each_variant
def test_the_deal_is_short_and_has_the_size_of_the_variants_table(name: str) -> None:
    match, _ = kept_deal(path_of(name))
    assert match.players == shipped_variant(name).players
    assert path_of(name).read_text(encoding="utf-8").count("\n") <= MAX_LINES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in the place of tests/golden."""
    path = tmp_path / "tests" / "golden"
    path.mkdir(parents=True)
    monkeypatch.setattr(golden_records, "FOLDER", path)
    return path


def test_update_mends_a_file_and_keeps_its_deal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = (FOLDER / "duel.txt").read_text(encoding="utf-8")
    (folder / "duel.txt").write_text(right.replace("leads", "plays"), encoding="utf-8")
    assert main(["duel"]) == 1
    assert main(["duel", "--update"]) == 0
    assert capsys.readouterr().out == "tests/golden/duel.txt\n" * 2
    assert (folder / "duel.txt").read_text(encoding="utf-8") == right
    assert main(["duel"]) == 0


def test_update_keeps_a_deal_that_was_picked_by_hand(folder: Path) -> None:
    right = (FOLDER / "duel.txt").read_text(encoding="utf-8")
    command = COMMAND.search(right)
    assert command
    by_hand = "simcli replay --variant duel --players 2 --bots lowest,random --seed 7 --deal 3"
    (folder / "duel.txt").write_text(right.replace(command[0], by_hand), encoding="utf-8")
    assert main(["duel", "--update"]) == 0
    text = (folder / "duel.txt").read_text(encoding="utf-8")
    assert by_hand in text
    assert "duel, 2 players – deal 3 of seed 7" in text


def test_a_missing_record_is_chosen_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden_records, "SEARCHED", 200)
    assert main(["short-pack", "--update"]) == 0
    assert all(wish(recorded(*kept_deal(folder / "short-pack.txt"))) for wish in wishes_for("short-pack"))
