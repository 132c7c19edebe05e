"""What is not played, or not compared, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from simcli.rules.conflicts import conflicts
from simcli.rules.variant import Variant
from simcli.rules.wording import listing


@dataclass(frozen=True)
class LeftOut:
    """Name a variant that is not played, at some tables or at any, and why.

    Attributes
    ----------
    variant : str
        Its name.
    players : tuple of int
        The table sizes; empty if it is played nowhere.
    reason : str
        Why.
    """

    variant: str
    players: tuple[int, ...]
    reason: str

    def __str__(self) -> str:
        """Return variant, table sizes and reason in one line."""
        if not self.players:
            return f"{self.variant}: {self.reason}"
        return f"{self.variant}, {sizes_words(self.players)} players: {self.reason}"

    def as_mapping(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"variant": self.variant, "players": list(self.players), "reason": self.reason}


def gathered(refused: Iterable[tuple[str, int, str]]) -> Iterator[LeftOut]:
    """Yield what is left out, one a variant and reason, from variants, table sizes and reasons."""
    sizes: dict[tuple[str, str], list[int]] = {}
    for name, players, reason in refused:
        here = sizes.setdefault((name, reason), [])
        if players not in here:
            here.append(players)
    for (name, reason), tables in sizes.items():
        yield LeftOut(name, tuple(tables), reason)


def lacking(seated: Variant) -> str | None:
    """Return what a variant needs and does not have at its table, None if it can be played."""
    if seated.players > seated.max_players:
        return f"needs at most {seated.max_players} players"
    found = conflicts(seated)
    return f"needs {found[0].message.removeprefix('expected ').partition(', got ')[0]}" if found else None


def sizes_words(sizes: Iterable[int]) -> str:
    """Return table sizes as an enumeration.

    >>> sizes_words((2, 3, 5))
    '2, 3 and 5'
    """
    return listing([str(size) for size in sizes], most=10)
