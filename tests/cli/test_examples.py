"""Every help text has examples, and each example is a command that there is."""

import os
import re
import shlex
import subprocess

import pytest

from simcli.cli.examples import EXAMPLES, FIRST_STEPS, examples
from tests.cli.test_run import SIMCLI
from tests.test_docs import COMMANDS, GROUPS


def test_every_command_has_examples() -> None:
    assert set(EXAMPLES) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_stand_in_the_help_and_can_be_given(name: str) -> None:
    command = COMMANDS[name]
    assert command.epilog == examples(name)
    for line in EXAMPLES[name]:
        assert line.startswith(f"simcli {name}")
        words = shlex.split(line.split(" > ")[0])[1 + len(name.split()) :]
        command.make_context(name, words)


def test_examples_fit_a_terminal() -> None:
    assert all(len(line) <= 76 for lines in (*EXAMPLES.values(), *FIRST_STEPS.values()) for line in lines)


def test_what_to_begin_with_can_be_given() -> None:
    for line in {line for lines in FIRST_STEPS.values() for line in lines}:
        program, *words = shlex.split(line.split(" > ")[0])
        assert program == "simcli"
        name = next(name for name in (" ".join(words[:2]), words[0]) if name in {*COMMANDS, *GROUPS})
        if name in COMMANDS:
            COMMANDS[name].make_context(name, words[len(name.split()) :])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_speaks_of_no_types(name: str) -> None:
    command = COMMANDS[name]
    shown = command.make_context(name, [], resilient_parsing=True).get_help()
    assert all(word not in shown for word in ("list[", "<str>", "<path>", "<int>", "index"))


def test_help_fits_a_narrow_terminal() -> None:
    variables = {**os.environ, "COLUMNS": "40"}
    for words in (["run", "-h"], ["compare", "-h"], ["variants", "new", "-h"], ["-h"]):
        done = subprocess.run([*SIMCLI, *words], env=variables, capture_output=True, text=True, check=True)
        text = re.split("Example|To begin with", done.stdout)[0]
        assert max(map(len, text.splitlines())) <= 44  # the name of a long option is not cut
