"""docs/tutorial-python.md runs, and prints what it says that it prints."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.tutorial import CODE, EXTRA, TABLES, TUTORIAL, printed_by_the_code, table_in

TEXT = TUTORIAL.read_text(encoding="utf-8")
HAS_EXTRA = find_spec("pettingzoo") is not None
WAY_OUT = "python -m tests.tutorial --write puts the present output into the tutorial"


def test_code_prints_what_the_tutorial_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    n_run = 0
    for piece, output in printed_by_the_code(TEXT, with_extra=HAS_EXTRA):
        assert output == (piece[2] or ""), WAY_OUT
        n_run += 1
    pieces = [piece[1] for piece in CODE.finditer(TEXT)]
    assert n_run == sum(HAS_EXTRA or EXTRA not in piece for piece in pieces)
    assert n_run > 10


def test_no_output_stands_apart_from_its_code() -> None:
    shown = sum(piece[2] is not None for piece in CODE.finditer(TEXT))
    assert TEXT.count("```text\n") == shown


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_numbers_are_those_of_the_code(name: str) -> None:
    assert table_in(TEXT, name) == TABLES[name](), WAY_OUT
