"""docs/commands.md says what the commands say."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys

from tests import command_reference
from tests.command_reference import COLUMNS, PAGE, page

TEXT = PAGE.read_text(encoding="utf-8")
AS_INSTALLED = "import sys; sys.argv[0] = 'simcli'; from simcli.cli.main import main; main()"
WAY_OUT = "python -m tests.command_reference --write writes the page anew"


def test_the_page_is_what_the_commands_answer_to_help() -> None:
    assert page() == TEXT, WAY_OUT


def test_a_terminal_shows_what_the_page_shows() -> None:
    asked = subprocess.run(
        [sys.executable, "-c", AS_INSTALLED, "run", "--help"],
        env={**os.environ, "COLUMNS": str(COLUMNS)},
        check=True,
        capture_output=True,
        text=True,
    )
    answer = "\n".join(line.rstrip() for line in asked.stdout.strip().splitlines())
    assert f"```text\n{answer}\n```" in TEXT


def test_no_line_but_an_example_is_wider_than_the_terminal() -> None:
    answers = [block.split("\n  Example")[0] for block in TEXT.split("```")[1::2]]
    assert max(len(line) for answer in answers for line in answer.splitlines()) <= COLUMNS


def test_examples_in_the_texts_of_functions_hold() -> None:
    assert doctest.testmod(command_reference) == (0, 1)
