"""Terminals: how wide they are, messages that fit, and whether remarks are wanted at all."""

from __future__ import annotations

import logging
import os
import textwrap
from typing import TextIO

HANGING = "  "
LEAST_WIDTH = 20


def width_of(stream: TextIO) -> int | None:
    """Return the columns of the terminal that a stream writes to, None if it writes to anything else."""
    try:
        if not stream.isatty():
            return None
        told = os.environ.get("COLUMNS", "")
        return int(told) if told.isdecimal() and int(told) else os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        return None


def is_quiet() -> bool:
    """Return whether nothing is to be said but errors: the logger `simcli` is as strict as that."""
    return logging.getLogger("simcli").getEffectiveLevel() >= logging.ERROR


def fitted(text: str, stream: TextIO) -> str:
    """Return a message with its lines broken between words where they would not fit a terminal.

    What goes into a file or to another program is left as it is.
    """
    width = width_of(stream)
    return text if width is None else wrapped(text, width)


def wrapped(text: str, width: int) -> str:
    r"""Return a text whose lines are broken between words at a width, and indented where they go on.

    >>> print(wrapped("x.yaml:12: attack.limit: expected 1 to 36, got 60\nshort", 30))
    x.yaml:12: attack.limit:
      expected 1 to 36, got 60
    short
    """
    return "\n".join(_lines(line, max(width, LEAST_WIDTH)) for line in text.split("\n"))


def _lines(line: str, width: int) -> str:
    indent = line[: len(line) - len(line.lstrip(" "))]
    return textwrap.fill(
        line[len(indent) :],
        width,
        initial_indent=indent,
        subsequent_indent=indent + HANGING,
        break_long_words=False,  # a path that is cut in two cannot be copied
        break_on_hyphens=False,
        replace_whitespace=False,
    )
