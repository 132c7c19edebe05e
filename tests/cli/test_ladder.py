"""`simcli bots` and `simcli bots ladder` as people give them."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from simcli.analysis import shipped_ladder as shipped
from simcli.bots.registry import BOTS
from simcli.cli import bot_pages
from simcli.runs.marked import marks
from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]

LADDER = ("bots", "ladder", "lowest", "thrifty", "random", "--players", "2", "-n", "200", "--workers", "1")
BEGIN, END = marks("ladder classic p2")


def test_bots_lists_every_bot_with_rank_cost_and_parameters(simcli: Simcli) -> None:
    result = simcli("bots")
    assert result.code == 0
    assert all(len(line) <= 80 for line in result.out.splitlines())
    lines = result.out.splitlines()
    for name, standing in shipped.shipped_ladder().standings.items():
        (line,) = (line for line in lines if line.startswith(f"{name} "))
        assert line.split()[1] == str(standing.rank)
    for entry in BOTS.values():
        assert all(f"{entry.name}:{each.name}={each.default}" in result.out for each in entry.parameters)
    assert "simcli bots ladder --variant V --players N" in result.out
    assert "This engine plays otherwise" not in result.out


def test_bots_as_json_says_the_same(simcli: Simcli) -> None:
    found = json.loads(simcli("bots", "--json").out)
    assert {bot["name"] for bot in found["bots"]} == set(BOTS)
    assert [bot["rank"] for bot in found["bots"]] == sorted(bot["rank"] for bot in found["bots"])
    by_name = {bot["name"]: bot for bot in found["bots"]}
    assert by_name["lowest"]["cost"] == 1
    assert by_name["montecarlo"]["parameters"][0]["values"] == {"low": 1, "high": 4096}
    assert found["installed"] == []


def test_bots_of_installed_packages_are_named(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints([EntryPoint("sly", "durak_sly:choose", "simcli.bots")])
    monkeypatch.setattr(bot_pages, "entry_points", lambda group: points.select(group=group))
    assert "sly comes with an unnamed package: durak_sly:choose" in simcli("bots").out
    (found,) = json.loads(simcli("bots", "--json").out)["installed"]
    assert (found["name"], found["function"]) == ("sly", "durak_sly:choose")


def test_a_ladder_of_another_engine_is_called_so(simcli: Simcli, monkeypatch: pytest.MonkeyPatch) -> None:
    other = replace(shipped.shipped_ladder(), signature="0a1b2c3d", standings={})
    monkeypatch.setattr(bot_pages, "shipped_ladder", lambda: other)
    result = simcli("bots")
    assert "This engine plays otherwise" in result.out
    assert result.code == 0


def test_an_option_before_the_command_of_bots_is_refused(simcli: Simcli) -> None:
    result = simcli("bots", "--json", "check", "my.py:choose")
    assert (result.code, result.err) == (
        2,
        "simcli bots check: expected --json behind the command, got it before\n",
    )


def test_a_ladder_is_a_scale_then_pairs_then_how_it_was_measured(simcli: Simcli) -> None:
    result = simcli(*LADDER, "--save", "ladder.json", "--markdown", "page.md")
    assert result.code == 0
    *lines, command = result.out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    heads = [
        "classic, 2 players: 3 bots",
        "Head to head",
        "How it was measured",
        "Played now: 1,200 deals.",
    ]
    places = [result.out.index(head) for head in heads]
    assert places == sorted(places)
    assert [line.split()[0] for line in lines[2:5]] == ["thrifty", "lowest", "random"]
    assert command.startswith("Look at a deal: simcli replay results/classic-p2-lowest+thrifty-s1")
    saved = json.loads(Path("ladder.json").read_text())
    assert [bot["bot"] for bot in saved["bots"]] == ["thrifty", "lowest", "random"]
    page = Path("page.md").read_text()
    assert page.startswith(BEGIN + "| bot | rating | rank | cost |\n")
    assert page.endswith(END)
    again = simcli(*LADDER, "--json")
    assert "Played" not in again.out
    found = json.loads(again.out)
    assert found["duels"] == saved["duels"]
    assert len(found["duels"]) == 3


def test_neighbours_of_one_rank_are_told_apart_by_the_next_command(simcli: Simcli) -> None:
    same = ("bots", "ladder", "thrifty", "thrifty:show=always", "--players", "2", "-n", "100", "-q")
    result = simcli(*same, "--out", "else where")
    assert result.code == 0
    assert [line.split()[-2] for line in result.out.splitlines()[2:4]] == ["1", "1"]
    assert result.out.splitlines()[-1].startswith("Tell them apart: simcli bots ladder thrifty")
    assert result.out.endswith(" --variant classic --players 2 --out 'else where' -n 400\n")
    assert "Fit: of a single pair" in result.out


def test_an_own_bot_has_its_place_and_no_cost(simcli: Simcli) -> None:
    Path("my.py").write_text("def choose(view, legal):\n    return legal[0]\n")
    words = (
        "bots",
        "ladder",
        "my.py:choose",
        "lowest",
        "--players",
        "2",
        "-n",
        "100",
        "--workers",
        "1",
        "--json",
    )
    found = json.loads(simcli(*words).out)
    assert [(bot["bot"], bot["cost"], bot["rank"]) for bot in found["bots"]] == [
        ("lowest", 1.0, 1),
        ("my.py:choose", None, 2),
    ]


@pytest.mark.parametrize(
    "words, message",
    [
        (("lowset", "thrifty"), "did you mean lowest?"),
        (("thrifty",), "bots: expected two different bots or more, got thrifty alone"),
        (("--players", "7"), "--players: expected a whole number from 2 to 6, got 7"),
        (("--variant", "short-pack", "--players", "6"), "short-pack: players: "),
        (("--variant", "klassic"), "klassic: unknown variant – did you mean classic?"),
        (("-n", "99"), "--deals: expected a whole number from 100 to "),
        (("--seed", "x"), "--seed: expected a whole number"),
        (("--markdown", "other.md"), "other.md: expected the lines <!-- ladder classic p4: begin -->"),
        (("--save", "no/way/"), "no/way: expected a file that can be written, got a folder"),
        (("--executor", "fast"), "--executor: expected local, threads, dask"),
        (("--collect",), "--collect: expected --executor dask with it"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_is_played(
    simcli: Simcli, words: tuple[str, ...], message: str
) -> None:
    Path("other.md").write_text("# Bots\n")
    Path("no/way").mkdir(parents=True)
    result = simcli("bots", "ladder", *words)
    assert result.code == 2
    assert message in result.err
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert not Path("results").exists()
