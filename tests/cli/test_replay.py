"""`simcli replay` shows any deal of a run, and says what is wrong with a wrong command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from simcli.cli.main import app
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity
from simcli.runs.plan import Plan, Stretch
from tests.records.test_record import run_of

NAMED = ("--variant", "classic", "--players", "3", "--bots", "lowest", "--seed", "5")


def replay(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["replay", *arguments])


def records(*arguments: str) -> list[dict[str, Any]]:
    result = replay(*arguments, "--format", "jsonl")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run folder: ten deals of `duel`, in sessions of five."""
    plan = Plan(run_of(load_variant("duel"), "lowest,random", 5), (Stretch(10, 10),), engine_identity())
    RunFolder(tmp_path / "run").write_plan(plan)
    return tmp_path / "run"


def test_text_is_what_people_get() -> None:
    result = replay(*NAMED, "--deal", "0")
    assert result.stdout.startswith("classic, 3 players – deal 0 of seed 5\nEvery seat plays lowest.\n")
    assert "Bout 1: seat " in result.stdout


def test_range_is_half_open_and_one_line_a_deal() -> None:
    assert [record["deal"] for record in records(*NAMED, "--deals", "2:5")] == [2, 3, 4]


def test_texts_of_a_range_are_set_apart() -> None:
    result = replay(*NAMED, "--deals", "0:3")
    assert result.stdout.count("═" * 80) == 2


def test_legal_actions_come_on_request() -> None:
    with_legal, without = records(*NAMED, "--deal", "1", "--legal"), records(*NAMED, "--deal", "1")
    assert "legal" in with_legal[0]["events"][0]
    assert "legal" not in without[0]["events"][0]


def test_run_folder_needs_no_options(folder: Path) -> None:
    (record,) = records(str(folder), "--deal", "7")
    assert record["variant"]["name"] == "duel"
    assert record["bots"] == ["lowest", "random"]
    assert (record["session"], record["deal_in_session"]) == (1, 2)
    named = ("--variant", "duel", "--bots", "lowest,random", "--seed", "5", "--session", "5", "--deal", "7")
    assert records(*named) == [record]


def test_run_of_another_engine_is_replayed_with_a_warning(folder: Path) -> None:
    path = folder / "plan.yaml"
    path.write_text(path.read_text().replace(engine_identity()["signature"], "0ddba115"))
    result = replay(str(folder), "--deal", "0")
    assert result.exit_code == 0
    assert "this run was played by engine" in result.stderr
    assert "(signature 0ddba115)" in result.stderr


def test_run_of_other_sources_that_play_the_same_is_replayed_without_a_word(folder: Path) -> None:
    path = folder / "plan.yaml"
    path.write_text(path.read_text().replace(engine_identity()["sources"], "abcdef"))
    assert replay(str(folder), "--deal", "0").stderr == ""


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "expected the folder of a run or --variant, got neither"),
        (NAMED, "expected either --deal or --deals, got neither"),
        ((*NAMED, "--deal", "1", "--deals", "1:2"), "expected either --deal or --deals, got both"),
        ((*NAMED, "--deals", "5"), "--deals: expected A:B"),
        ((*NAMED, "--deals", "5:5"), "--deals: expected a whole number from 6"),
        ((*NAMED, "--deal", "-1"), "--deal: expected a whole number from 0"),
        ((*NAMED, "--session", "0", "--deal", "1"), "--session: expected a whole number from 1"),
        (("--variant", "clasic", "--deal", "1"), "unknown variant – did you mean classic?"),
        (("--variant", "classic", "--bots", "lowst", "--deal", "1"), "did you mean lowest?"),
        (("nowhere", "--deal", "1"), "nowhere: expected the folder of a run"),
    ],
)
def test_wrong_command_is_one_clear_message(arguments: tuple[str, ...], message: str) -> None:
    result = replay(*arguments)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert result.stdout == ""


def test_deal_beyond_the_run_is_refused(folder: Path) -> None:
    for arguments in (("--deal", "10"), ("--deals", "9:11")):
        result = replay(str(folder), *arguments)
        assert isinstance(result.exception, InputError)
        assert "got 1" in str(result.exception)


def test_folder_and_options_of_a_run_exclude_each_other(folder: Path) -> None:
    result = replay(str(folder), "--deal", "0", "--seed", "1", "--bots", "lowest")
    assert "leave out --bots and --seed" in str(result.exception)


# ------------------------------------------------------------------------------------ --vs


def test_vs_shows_where_two_variants_part() -> None:
    result = replay(*NAMED, "--deals", "1:6", "--vs", "late-transfer")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("classic and late-transfer, 3 players – deal 1 of seed 5\n")
    assert result.stdout.count(f"\n{'═' * 80}\n") == 4
    assert "══ here they part ═" in result.stdout
    assert "transfer.mode: early in classic, late in late-transfer" in result.stdout


def test_vs_as_records_is_both_records_of_each_deal() -> None:
    both = records(*NAMED, "--deals", "0:2", "--vs", "podkidnoy")
    names = [record["variant"]["name"] for record in both]
    assert names == ["classic", "podkidnoy"] * 2
    assert both[::2] == records(*NAMED, "--deals", "0:2")
    assert both[1::2] == records("--variant", "podkidnoy", *NAMED[2:], "--deals", "0:2")


def test_vs_takes_a_run_folder_at_its_table_size(folder: Path) -> None:
    first, second = records(str(folder), "--deal", "3", "--vs", "classic")
    assert (first["variant"]["name"], second["variant"]["name"]) == ("duel", "classic")
    assert first["hands"] == second["hands"]
    assert second["players"] == 2


@pytest.mark.parametrize(
    "vs, message",
    [
        ("clasic", "unknown variant – did you mean classic?"),
        ("full-pack", "--vs: expected a variant with the 36 cards of classic, got full-pack with 52"),
        ("partners", "partners: players"),
    ],
)
def test_vs_with_a_variant_that_does_not_fit_is_one_clear_message(vs: str, message: str) -> None:
    result = replay(*NAMED, "--deal", "1", "--vs", vs)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert result.stdout == ""
