"""Plain data that remembers where each key was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from simcli.errors import Problem, input_error
from simcli.rules.wording import printable

KeyPath = tuple[str | int, ...]
"""Keys and list positions from the top of a document down to a value."""


@dataclass(frozen=True)
class Mark:
    """Say where a key (or list item) stands and on which line its value begins."""

    where: str
    line: int | None
    value_line: int | None


@dataclass(frozen=True)
class Document:
    """Hold the content of a file, or a part of it, with the place of every key.

    Attributes
    ----------
    where : str
        File name as the user gave it.
    data : Any
        Dictionaries with text keys, lists, text, numbers, booleans, None.
    marks : Mapping[KeyPath, Mark]
        Place of each key and list item; keys that had to be left out of `data` are marked too.
    prefix : KeyPath
        Keys above this part of the file, for messages.
    line : int or None
        Line on which `data` begins.
    problems : tuple of Problem
        Faults that do not stop the reading: keys given twice, anchors, tags.
    """

    where: str
    data: Any
    marks: Mapping[KeyPath, Mark] = field(default_factory=dict)
    prefix: KeyPath = ()
    line: int | None = None
    problems: tuple[Problem, ...] = ()

    def problem(self, path: KeyPath, message: str) -> Problem:
        """Return a problem at `path`, or at the nearest key above it that stands in the file."""
        mark = self.mark(path)
        return Problem(mark.where, mark.line, key_text(self.prefix + path) or None, message)

    def mark(self, path: KeyPath) -> Mark:
        """Return the place of `path`, or of the nearest key above it that stands in the file."""
        for length in range(len(path), 0, -1):
            if path[:length] in self.marks:
                return self.marks[path[:length]]
        return Mark(self.where, self.line, self.line)

    def at(self, *path: str | int) -> Document:
        """Return the part of the document under `path`; its problems stay with the whole."""
        data = self.data
        for part in path:
            data = data[part]
        marks = {key[len(path) :]: mark for key, mark in self.marks.items() if key[: len(path)] == path}
        own = marks.pop((), None)
        line = own.line if own else self.line
        return replace(self, data=data, marks=marks, prefix=self.prefix + path, line=line, problems=())

    def left_out(self) -> frozenset[KeyPath]:
        """Return the keys that stand in the file but whose value could not be used."""
        return frozenset(path for path in self.marks if not _holds(self.data, path))

    def check(self) -> Document:
        """Return the document itself, or raise `InputError` if reading it met problems."""
        if self.problems:
            raise input_error(self.problems)
        return self


def _holds(data: Any, path: KeyPath) -> bool:
    try:
        for part in path:
            data = data[part]
    except (KeyError, TypeError):
        return False
    return True


def key_text(path: KeyPath) -> str:
    """Return a path as messages show it.

    >>> key_text(("steps", 3, "expect", "seat"))
    'steps[3].expect.seat'
    """
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{printable(part)}"
    return text.removeprefix(".")
