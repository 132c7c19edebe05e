"""`simcli bots`, and runs with bots of one's own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from simcli.engine.jit import JIT_ENABLED
from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]

CHOOSE = "def choose(view, legal, k=0):\n    return legal[min(k, len(legal) - 1)]\n"
FOLDER = "results/classic-p2-my.py-choose-s1"


@pytest.fixture(autouse=True)
def _file(tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(CHOOSE)


def test_a_run_holds_the_bot_and_the_hash_of_its_file(simcli: Simcli, tmp_path: Path) -> None:
    run = ("run", "classic", "--players", "2", "--bots", "my.py:choose", "-n", "5", "--json")
    first = simcli(*run)
    assert first.code == 0
    text = (tmp_path / FOLDER / "run.yaml").read_text()
    assert "lineup: my.py:choose" in text
    assert "own_bots:\n  my.py:choose: " in text
    (tmp_path / "my.py").write_text(CHOOSE + "\n")
    refused = simcli(*run)
    assert refused.code == 2
    assert "the file of my.py:choose has SHA-256" in refused.err
    gone = simcli("replay", FOLDER, "--deal", "0")
    assert gone.code == 2
    assert "expected the file as it was when the run began" in gone.err
    (tmp_path / "my.py").unlink()
    assert simcli("runs").code == 0
    assert "there is no my.py" in simcli("replay", FOLDER, "--deal", "0").err


@pytest.mark.parametrize(
    "body, reason",
    [
        ("raise KeyError('lost')", "raised KeyError: 'lost' at my.py:4"),
        ("return sum(range(10**12))", "took longer than 0.5 seconds at my.py:4"),
        ("import os; os._exit(3)", "ended the process that it played in (exit code 3)"),
    ],
)
def test_a_bot_that_fails_stops_its_run_with_the_deal_to_replay(
    simcli: Simcli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, reason: str
) -> None:
    monkeypatch.setenv("SIMCLI_BOT_SECONDS", "0.5")
    (tmp_path / "my.py").write_text(
        f"def choose(view, legal):\n    if view.n_stock > 4:\n        return legal[0]\n    {body}\n"
    )
    result = simcli("run", "classic", "--players", "2", "--bots", "lowest,my.py:choose", "-n", "50")
    assert result.code == 1
    assert reason in result.err
    assert "seat 1 (my.py:choose): " in result.err
    assert re.search(r"complete parts stay; see it with: simcli replay \S*results/", result.err)
    if "KeyError" in reason:
        words = result.err.strip().rpartition("simcli ")[2].split()
        again = simcli(*words)
        assert again.code == 1
        assert "Seat 1 is to act." in again.out
        assert reason in again.err


def test_check_finds_nothing_wrong_with_a_plain_bot(simcli: Simcli) -> None:
    result = simcli("bots", "check", "my.py:choose:k=2", "--variant", "classic", "--json")
    found = json.loads(result.out)
    assert result.code == 0
    assert found["ok"]
    assert found["tables"] == 5
    assert {"lead", "respond", "throw", "last_throw", "transfer_more"} <= set(found["asked"])


WRONG = {
    "import random\ndef choose(view, legal):\n    return random.choice(legal)\n": "same answer",
    "def choose(view, legal):\n    return next(iter(set(legal)))\n": "same answer",
    "def choose(view, legal):\n    view.hand = ()\n": "whole deals",
    "def choose(view, legal):\n    return view.asked != 'throw_more' and legal[-1]\n": "legal",
}


def test_check_says_what_is_wrong(simcli: Simcli, tmp_path: Path) -> None:
    for code, wrong in WRONG.items():
        (tmp_path / "my.py").write_text(code)
        result = simcli("bots", "check", "my.py:choose", "--variant", "classic", "--json")
        checks = {each["check"]: each for each in json.loads(result.out)["checks"]}
        assert result.code == 1
        assert [name for name, each in checks.items() if not each["ok"]] == [wrong]
        assert checks[wrong]["replay"].startswith("simcli replay --variant classic ")


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
def test_check_finds_a_compiled_bot_that_looks_at_hidden_cards(simcli: Simcli, tmp_path: Path) -> None:
    (tmp_path / "my.py").write_text(
        "import numba\n"
        "from simcli.bots.lowest import choose_lowest\n"
        "from simcli.engine.actions import packed\n"
        "from simcli.engine.layout import ACTOR, HAND, PH_RESPOND, PHASE, PICK_UP, PLAYERS, VERB_SHIFT\n"
        "@numba.njit\n"
        "def choose(S):\n"
        "    if S[PHASE] == PH_RESPOND and S[HAND + (S[ACTOR] + 1) % S[PLAYERS]] >> 50 & 1:\n"
        "        return PICK_UP << VERB_SHIFT\n"
        "    return packed(choose_lowest(S, S[ACTOR]))\n"
    )
    result = simcli("bots", "check", "my.py:choose", "--variant", "classic", "-n", "5")
    assert result.code == 1
    assert "wrong  hidden cards: asked in place of random for seat " in result.out
    assert "ok     legal" in result.out


def test_check_refuses_a_shipped_bot(simcli: Simcli) -> None:
    result = simcli("bots", "check", "lowest")
    assert result.code == 2
    assert "expected a bot of your own" in result.err
