"""The tutorials and how-tos run, and print what they say that they print."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from simcli.engine.jit import JIT_ENABLED
from tests import tutorial
from tests.readme_result import lasting
from tests.tutorial import CODE, PAGES, TABLES, TUTORIAL, as_shown, missing, printed_by_the_code, table_in

WAY_OUT = "python -m tests.tutorial --write puts the present output into the page"
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


@pytest.mark.skipif(not JIT_ENABLED, reason="so many deals need the compiled engine")
@each_page
def test_code_prints_what_the_page_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    n_run = 0
    for piece, output in printed_by_the_code(page):
        assert as_shown(output, piece[3]) == lasting(piece[3] or ""), WAY_OUT
        n_run += 1
    assert_that_r_finds_its_columns(page)
    pieces = list(CODE.finditer(page.read_text(encoding="utf-8")))
    assert n_run == sum(not missing(piece) for piece in pieces)
    assert n_run > 1


def assert_that_r_finds_its_columns(page: Path) -> None:
    """Check that the files that a page reads in R are there, with the columns that it names."""
    for code in re.findall(r"```r\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        frames = re.findall(r'(\w+) <- read\.csv\("([^"]+)"', code)
        assert frames
        for frame, file in frames:
            columns = Path(file).read_text(encoding="utf-8").splitlines()[0].split(",")
            named = set(re.findall(rf"\b{frame}\$(\w+)", code))
            assert named
            assert named <= set(columns)


@each_page
def test_no_output_stands_apart_from_its_code(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown = sum(piece[3] is not None for piece in CODE.finditer(text))
    assert text.count("```text\n") == shown


@each_page
def test_every_block_of_code_is_run_or_is_for_r(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    opened = re.findall(r"^```(\S+)$", text, re.MULTILINE)
    assert set(opened) <= {"python", "sh", "yaml", "text", "r"}
    assert len(re.findall(r"^```$", text, re.MULTILINE)) == len(opened)


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_numbers_are_those_of_the_code(name: str) -> None:
    assert table_in(TUTORIAL.read_text(encoding="utf-8"), name) == TABLES[name](), WAY_OUT


def test_examples_in_the_texts_of_functions_hold() -> None:
    assert doctest.testmod(tutorial) == (0, 1)
