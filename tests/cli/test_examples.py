"""Every help text has examples, and each example is a command that there is."""

import shlex

import pytest

from simcli.cli.examples import EXAMPLES, examples
from tests.test_docs import COMMANDS


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
    assert all(len(line) <= 76 for lines in EXAMPLES.values() for line in lines)
