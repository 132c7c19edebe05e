"""The mutator changes one place at a time, and what it changes is noticed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.mutator import mutants_of, mutated_text

ROOT = Path(__file__).parents[2]
ENGINE = ROOT / "simcli" / "engine"

SAMPLE = '''
"""A module of 1 function."""

EDGE = 2


def room(S, seat: int) -> int:
    """Return 0 or more."""
    limit = S[LIMIT]  # 1 slot
    if limit == 0 and not seat:
        limit = min(limit, EDGE)
    limit -= 1
    return limit < 3
'''

MUTANTS = [
    ("EDGE = 2", "EDGE = 1"),
    ("EDGE = 2", "EDGE = 3"),
    ("limit = S[LIMIT]", "limit = S[BOUT_LIMIT]"),
    ("if limit == 0 and not seat:", "if not (limit == 0 and not seat):"),
    ("if limit == 0 and not seat:", "if (limit == 0):"),
    ("if limit == 0 and not seat:", "if (not seat):"),
    ("if limit == 0 and not seat:", "if limit != 0 and not seat:"),
    ("if limit == 0 and not seat:", "if limit == (-1) and not seat:"),
    ("if limit == 0 and not seat:", "if limit == 1 and not seat:"),
    ("if limit == 0 and not seat:", "if limit == 0 or not seat:"),
    ("if limit == 0 and not seat:", "if limit == 0 and seat:"),
    ("limit = min(limit, EDGE)", "limit = max(limit, EDGE)"),
    ("limit = min(limit, EDGE)", "pass"),
    ("limit -= 1", "pass"),
    ("limit -= 1", "limit += 1"),
    ("limit -= 1", "limit -= 0"),
    ("limit -= 1", "limit -= 2"),
    ("return limit < 3", "return 0"),
    ("return limit < 3", "return limit <= 3"),
    ("return limit < 3", "return limit >= 3"),
    ("return limit < 3", "return limit < 2"),
    ("return limit < 3", "return limit < 4"),
]


def test_the_mutants_of_a_small_function_are_these() -> None:
    found = [(mutant.original, mutant.mutated) for mutant in mutants_of("sample", SAMPLE)]
    assert sorted(found) == sorted(MUTANTS)


def test_mutants_know_their_function_and_line() -> None:
    found = {(mutant.function, mutant.line) for mutant in mutants_of("sample", SAMPLE)}
    assert found == {("", 4)} | {("room", line) for line in range(9, 14)}


@pytest.mark.parametrize(
    "line, mutated",
    [
        ("return a + b", "return a - b"),
        ("return a << b", "return a >> b"),
        ("return a & b", "return a | b"),
        ("return a ^ b", "return a | b"),
        ("return a & ~b", "return a & b"),
        ("return -a", "return a"),
        ("return True", "return False"),
        ("return a if b & a else b", "return a if not (b & a) else b"),
        ("f(a)", "pass"),
        ("a[PASSED] = b", "pass"),
        ("return a[PASSED]", "return a[STOPPED]"),
        ("return a[DEFENDER]", "return a[LEADER]"),
        ("return a[DEFENDER]", "return a[ATTACKER]"),
        ("return a == PH_RESPOND", "return a == PH_TRANSFER_MORE"),
        ("return max(a, b)", "return min(a, b)"),
        ("return", "pass"),
    ],
)
def test_a_line_may_become(line: str, mutated: str) -> None:
    text = f"def f(a, b):\n    {line}\n"
    assert (line, mutated) in {(mutant.original, mutant.mutated) for mutant in mutants_of("sample", text)}


def test_every_mutant_of_a_module_can_be_read_and_differs_in_one_place() -> None:
    text = (ENGINE / "seats.py").read_text(encoding="utf-8")
    raw, tree = text.encode(), ast.dump(ast.parse(text))
    for mutant in mutants_of("seats", text):
        mutated = mutated_text(text, mutant)
        assert ast.dump(ast.parse(mutated)) != tree
        assert mutated.encode().startswith(raw[: mutant.start])
        assert mutated.encode().endswith(raw[mutant.end :])
        assert mutant.original != mutant.mutated


def run_command(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command with the scenarios alone."""
    command = [sys.executable, "-m", "tests.mutation", "--stage", "scenarios", *arguments]
    return subprocess.run(
        [*command, "--results", str(tmp_path / "results.jsonl")],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )


def test_scenarios_notice_every_mutant_of_the_limit_of_an_attack(tmp_path: Path) -> None:
    run = run_command(tmp_path, "--module", "legal", "--function", "has_room")
    assert run.returncode == 0, run.stdout + run.stderr
    told = run_command(tmp_path, "--module", "legal", "--function", "has_room", "--report")
    assert told.stdout == run.stdout
    assert "100.0 %" in told.stdout


def test_what_scenarios_cannot_see_survives_them(tmp_path: Path) -> None:
    run = run_command(tmp_path, "--module", "deal", "--function", "seat_before")
    assert run.returncode == 1
    assert "No test noticed" in run.stdout
    assert "return seat - 1 if seat > 0 else S[PLAYERS] + 1" in run.stdout
