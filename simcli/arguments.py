"""Arguments of the Python API, checked like the options of the commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import SupportsIndex, TypeVar

from simcli.errors import refusal
from simcli.rules.load import load_variant
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, Variant, seat
from simcli.rules.wording import shown

T = TypeVar("T")


def whole_number(value: SupportsIndex, name: str, low: int, high: int) -> int:
    """Return a whole number within its bounds; numbers of numpy and polars will do.

    Raises
    ------
    InputError
        It is none, or out of bounds.
    """
    is_number = hasattr(value, "__index__") and not isinstance(value, bool)
    number = value.__index__() if is_number else None
    if number is None or not low <= number <= high:
        raise refusal(name, f"expected a whole number from {low:,} to {high:,}, got {shown(value)}")
    return number


def share(value: float, name: str, most: float) -> float:
    """Return a share above 0 and up to `most`.

    Raises
    ------
    InputError
        It is none, or out of bounds.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = 0.0
    if not 0 < number <= most:
        raise refusal(name, f"expected a share above 0 and up to {most:g}, got {shown(value)}")
    return number


def several(values: Iterable[T], name: str, call: str, one: type | tuple[type, ...]) -> list[T]:
    """Return values as a list of at least one.

    Parameters
    ----------
    values : iterable
        What was given.
    name, call : str
        The argument, and what should have been written.
    one : type or tuple of type
        What a value by itself is: it may be iterable, and is no list all the same.

    Raises
    ------
    InputError
        It is one value by itself, nothing that holds values, or holds none.
    """
    if isinstance(values, one) or not isinstance(values, Iterable):
        raise refusal(name, f"expected a list, got a {type(values).__name__} by itself – write {call}")
    found = list(values)
    if not found:
        raise refusal(name, f"expected a list of at least one, got an empty one – write {call}")
    return found


def lineup_text(bots: str | Sequence[str], name: str) -> str:
    """Return a line-up as it stands in a command: one bot, or one for each seat.

    Raises
    ------
    InputError
        It is neither a text nor a sequence of texts.
    """
    seats: Sequence[object] = [bots] if isinstance(bots, str) or not isinstance(bots, Sequence) else bots
    for bot in seats:
        if not isinstance(bot, str):
            raise refusal(name, f"expected one bot, or a list with one for each seat, got {shown(bot)}")
    return ",".join(map(str, seats))


def loaded(variant: str | Path | Variant) -> Variant:
    """Return a variant, given as such or by name or path.

    Raises
    ------
    InputError
        There is none, or it cannot be read.
    """
    return variant if isinstance(variant, Variant) else load_variant(variant)


def seated(variant: str | Path | Variant, players: SupportsIndex | None) -> Variant:
    """Return a variant at a table of some players, its own size if None.

    Raises
    ------
    InputError
        There is none, or none for so many.
    """
    number = None if players is None else whole_number(players, "players", MIN_PLAYERS, MAX_PLAYERS)
    return seat(loaded(variant), number)
