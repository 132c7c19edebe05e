import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from simcli.rules.shelf import EXPERIMENTS
from tests.cli.test_run import SIMCLI, Simcli, simcli

__all__ = ["simcli"]

SMALL = """name: small
title: A small matter
question: Does it matter?
variants: [classic, podkidnoy, partners]
players: [2, 3]
bots: [lowest]
deals: 300
"""


@pytest.fixture
def small() -> str:
    """Return the path of a small experiment in the current directory."""
    Path("small.yaml").write_text(SMALL)
    return "small.yaml"


def test_the_shipped_experiments_are_listed_with_their_questions(simcli: Simcli) -> None:
    result = simcli("experiment", "--list")
    assert result.code == 0
    assert all(len(line) <= 80 for line in result.out.splitlines())
    listed = json.loads(simcli("experiment", "--list", "--json").out)
    assert [each["name"] for each in listed] == EXPERIMENTS.shipped_names()
    assert all(each["question"].split()[0] in result.out for each in listed)


def test_a_dry_run_plays_nothing_and_names_the_command_that_does(simcli: Simcli, small: str) -> None:
    result = simcli("experiment", small, "--dry-run", "-n", "400")
    assert result.code == 0
    assert not Path("results").exists()
    lines = result.out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert lines[:2] == ["A small matter", "Does it matter?"]
    assert re.fullmatch(r"podkidnoy +400 +400", lines[5].rstrip())
    assert "Left out: partners: needs 4 or 6 players with 2 teams." in lines
    assert lines[-2] == "small: 4 runs, 1,600 deals to play: 1 s"
    assert lines[-1] == "  simcli experiment small.yaml -n 400"


def test_a_dry_run_as_json_says_what_is_there(simcli: Simcli, small: str) -> None:
    simcli("run", "classic", "--bots", "lowest", "--players", "2", "-n", "300")
    plan = json.loads(simcli("experiment", small, "--dry-run", "--json").out)
    assert (plan["deals"], plan["missing"]) == (1200, 900)
    assert {cell["folder"]: cell["there"] for cell in plan["cells"]}["results/classic-p2-lowest-s1"] == 300
    assert plan["left_out"] == [
        {"variant": "partners", "players": [], "reason": "needs 4 or 6 players with 2 teams"}
    ]


def test_an_experiment_answers_on_a_page(simcli: Simcli, small: str) -> None:
    result = simcli("experiment", small)
    assert result.code == 0
    assert "small: 4 runs, 1,200 deals to play" in result.err
    lines = result.out.splitlines()
    assert lines[:2] == ["A small matter", "Does it matter?"]
    assert len(lines) < 60
    assert "Against classic: two lowest players, 300 deals each" in lines
    assert re.search(r"[Pp]odkidnoy\)?, three lowest players:", result.out)
    assert "Left out: partners: needs 4 or 6 players" in result.out
    assert re.search(
        r"undecided\. More deals: simcli experiment small\.yaml -n 1200$", result.out, re.MULTILINE
    )
    assert re.search(r"All numbers of podkidnoy, .*: simcli compare results/\S+ results/\S+$", lines[-1])


def test_more_deals_are_more_than_there_are(simcli: Simcli, small: str) -> None:
    simcli("experiment", small)
    assert "More deals: simcli experiment small.yaml -n 1200\n" in simcli("experiment", small, "-n", "10").out


def test_the_next_command_works(simcli: Simcli, small: str) -> None:
    last = simcli("experiment", small, "--out", "elsewhere").out.splitlines()[-1]
    result = simcli(*last.partition(": simcli ")[2].split())
    assert result.code == 0
    assert "Against classic" in result.out


def test_many_verdicts_become_a_table_that_fits(simcli: Simcli) -> None:
    Path("many.yaml").write_text(
        "name: many\nquestion: Which?\nvary: {transfer.mode: [early, late], transfer.cards: every}\n"
        "variants: [podkidnoy, regular]\nplayers: [2, 3]\nbots: [lowest]\ndeals: 200\n"
    )
    result = simcli("experiment", "many.yaml")
    assert result.code == 0
    lines = result.out.splitlines()
    assert all(len(line) <= 80 for line in lines if "simcli " not in line)
    assert "Against classic, lowest players: who loses" in lines
    assert "Against classic, lowest players: who is out first" in lines
    assert any(re.fullmatch(r"transfer-late, cards-one( +[−+]?[\d.]+ [●○◐]){2}", line) for line in lines)


def test_effects_of_options_that_are_combined_are_ranked(simcli: Simcli) -> None:
    Path("crossed.yaml").write_text(
        "name: crossed\nquestion: Which?\nvary: {transfer.mode: every, pass_card.enabled: every}\n"
        "players: [3]\nbots: [lowest]\ndeals: 400\n"
    )
    result = simcli("experiment", "crossed.yaml")
    assert result.code == 0
    _, head, below = result.out.partition(
        "Option by option, averaged over the others: three lowest players\n"
    )
    assert head
    effects = [
        abs(float(number.replace("−", "-"))) for number in re.findall(r" ([−+]?\d+\.\d+) [●○◐] ", below)
    ]
    assert len(effects) >= 3
    assert effects == sorted(effects, reverse=True)
    assert re.search(r"transfer\.mode late, from early .* to [−+]?\d", below)
    data = json.loads(simcli("experiment", "crossed.yaml", "--json").out)
    assert {row["factor"] for row in data["contrasts"]} >= {"transfer.mode", "pass_card.enabled"}


def test_sessions_say_whether_losing_breeds_losing(simcli: Simcli) -> None:
    Path("again.yaml").write_text(
        "name: again\nquestion: Again?\nvary: {opening.later: every}\nsession: 10\n"
        "players: [2]\nbots: [lowest]\ndeals: 400\n"
    )
    result = simcli("experiment", "again.yaml")
    assert result.code == 0
    assert result.out.count("Two lowest players, Classic") == 3
    assert "who lost a deal loses the next one in" in " ".join(result.out.split())
    data = json.loads(simcli("experiment", "again.yaml", "--json").out)
    assert [row["session"] for row in data["streaks"]] == [10, 10, 10]


def test_one_variant_alone_shows_how_table_sizes_compare(simcli: Simcli) -> None:
    result = simcli("experiment", "table-size", "-n", "200")
    assert result.code == 0
    assert "× a fair share" in result.out
    assert len(re.findall(r"^classic +[2-6] ", result.out, re.MULTILINE)) == 5


def test_an_experiment_as_json(simcli: Simcli, small: str) -> None:
    data = json.loads(simcli("experiment", small, "--json").out)
    assert data["format"] == "simcli-experiment/1"
    assert [each["variant"] for each in data["variants"]] == ["classic", "podkidnoy", "partners"]
    assert {row["players"] for row in data["comparisons"][0]["verdicts"]} == {2, 3}


def test_the_schema_is_printed(simcli: Simcli) -> None:
    assert json.loads(simcli("experiment", "--schema").out)["required"] == ["name", "question"]


@pytest.mark.parametrize(
    "words, message",
    [
        ((), "simcli experiment: expected an experiment, got none – --list names those that ship"),
        (("house-rule",), "house-rule: unknown experiment – did you mean house-rules? (shipped: "),
        (("./nowhere.yaml",), "nowhere.yaml: expected an experiment file, there is none"),
        (("house-rules", "--list"), "simcli experiment: expected --list alone, got more"),
        (("--list", "--schema"), "simcli experiment: expected --list alone, got more"),
        (("house-rules", "-n", "0"), "--deals: expected a whole number from 1 to"),
        (
            ("sessions", "-n", "210"),
            "--deals: expected whole sessions of 20 deals, such as 200 or 220, got 210",
        ),
        (("house-rules", "--workers", "0"), "--workers: expected a whole number from 1 to 1,024, got 0"),
        (("house-rules", "--out", ""), "--out: expected a folder, got nothing"),
        (("house-rules", "-o", "."), ".: expected a file that can be written, got a folder"),
        (("house-rules", "-o", "page.png"), "--output: expected a name that ends in .html, got page.png"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_played(
    simcli: Simcli, words: tuple[str, ...], message: str
) -> None:
    result = simcli("experiment", *words)
    assert result.code == 2
    assert result.err.startswith(message)
    assert not Path("results").exists()


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_played_and_the_same_command_goes_on(tmp_path: Path) -> None:
    (tmp_path / "small.yaml").write_text(SMALL)
    command = [*SIMCLI, "experiment", "small.yaml", "-n", "20M", "--workers", "2"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        deadline = time.monotonic() + 120
        while not list(tmp_path.rglob("part-*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)
        out, err = run.communicate(timeout=20)
    assert run.returncode == 130
    assert out == ""
    assert "stopped; complete parts stay. Go on with:\n  simcli experiment " in err
    assert "Traceback" not in err
    planned = subprocess.run([*command, "--dry-run", "--json"], cwd=tmp_path, capture_output=True, text=True)
    plan = json.loads(planned.stdout)
    assert 0 < plan["missing"] < plan["deals"]
