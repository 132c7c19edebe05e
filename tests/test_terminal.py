"""Messages fit the terminal and are left alone anywhere else."""

import doctest
import io
import os
import pty

import pytest

from simcli import terminal
from simcli.terminal import fitted, width_of, wrapped

MESSAGE = "x.yaml:12: attack.limit: expected 1 to 36, got 60 – or leave the key out altogether"


@pytest.fixture
def screen():
    """Yield a stream that writes to a terminal."""
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w") as stream:
        yield stream
    os.close(leader)


def test_a_message_is_broken_at_the_width_of_a_terminal(screen, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    lines = fitted(MESSAGE, screen).splitlines()
    assert len(lines) > 1
    assert max(map(len, lines)) <= 40
    assert " ".join(line.strip() for line in lines) == MESSAGE


def test_a_message_for_a_pipe_is_one_line(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert fitted(MESSAGE, io.StringIO()) == MESSAGE


def test_the_terminal_says_how_wide_it_is_unless_columns_does(screen, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    assert width_of(screen) == os.get_terminal_size(screen.fileno()).columns
    monkeypatch.setenv("COLUMNS", "53")
    assert width_of(screen) == 53


def test_a_path_is_never_cut():
    path = "a/" * 30 + "x.yaml"
    assert path in wrapped(f"{path}: expected a file, there is none", 30).split("\n")[0]


@pytest.mark.parametrize("width", [1, 20, 40, 1000])
def test_every_width_is_good_for_something(width):
    assert wrapped(MESSAGE, width).split() == MESSAGE.split()


def test_examples_in_the_docstrings_hold():
    assert doctest.testmod(terminal).failed == 0
