"""What can go wrong, told in one line each: where, which key, what was expected, what was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SHOWN_PROBLEMS = 20


@dataclass(frozen=True)
class Problem:
    """Hold one fault of an input.

    Attributes
    ----------
    where : str
        File, or the name of whatever else was read.
    line : int or None
        Line of the file, counted from 1.
    key : str or None
        Dotted key, e.g. ``"attack.limit"``.
    message : str
        What was expected, what was found, and the way out.
    """

    where: str
    line: int | None
    key: str | None
    message: str

    def __str__(self) -> str:
        """Return ``where:line: key: message``, leaving out what is unknown."""
        place = self.where if self.line is None else f"{self.where}:{self.line}"
        return ": ".join(part for part in (place, self.key, self.message) if part)


class Problems(tuple[Problem, ...]):
    """All problems of an input; as text one line each, a long list cut short."""

    def __str__(self) -> str:
        """Return one line a problem."""
        lines = [str(problem) for problem in self[:SHOWN_PROBLEMS]]
        if len(self) > SHOWN_PROBLEMS:
            lines.append(f"… and {len(self) - SHOWN_PROBLEMS} more problems")
        return "\n".join(lines)


class InputError(Exception):
    """An input cannot be used; its one argument, a `Problems`, says why (exit code 2)."""


class BusyError(InputError):
    """Another command plays in a folder: what it is asked for has to wait."""


class RunError(Exception):
    """A run failed although its input was right (exit code 1)."""


def input_error(problems: Iterable[Problem]) -> InputError:
    """Return the one exception that carries all `problems`.

    >>> str(input_error([Problem("x.yaml", 12, "attack.limit", "expected 1 to 36, got 60")]))
    'x.yaml:12: attack.limit: expected 1 to 36, got 60'
    """
    return InputError(Problems(problems))


def refusal(where: str, message: str, *, line: int | None = None, key: str | None = None) -> InputError:
    """Return the exception for an input with a single problem."""
    return input_error([Problem(where, line, key, message)])


def problems_of(error: InputError) -> Problems:
    """Return the problems an input error carries."""
    return next((part for part in error.args if isinstance(part, Problems)), Problems())
