"""Reports for tests: runs written by hand, whose deals are drawn at random with a fixed seed."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import numpy as np

from simcli.analysis.compare import compare
from simcli.analysis.comparison import Comparison
from simcli.bots.lineup import parse_lineup
from simcli.rules.load import load_variant
from simcli.rules.sheet import table_sizes
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of

VOID = frozenset(("meta", "link", "br", "img", "input", "hr"))


def dealt(players: int, n: int, shift: float, seed: int) -> list[Dealt]:
    """Return deals of which position 0 loses more by `shift`; the draws are the same for all shifts."""
    draws = np.random.default_rng(seed).random((n, 3))
    deals = []
    for who, drawn, long in draws:
        seat_of = 0 if who < shift else int((who - shift) / (1 - shift) * players)
        loser: int | str = "drawn" if drawn < 0.05 else seat_of
        deals.append(Dealt(loser, bouts=8 + int(8 * long), trace=int(who * 6e4) if who > shift else 7))
    return deals


def played(results: Path, variants: Sequence[Variant], sizes: Sequence[int], n: int = 800) -> list[Path]:
    """Write a finished run per variant and table size that it can be played at, and return their folders."""
    folders = []
    for size in sizes:
        for number, variant in enumerate(variants):
            if size not in table_sizes(variant):
                continue
            match = Match(seat(variant, size), parse_lineup("lowest", size), 1, 1)
            folders.append(run_of(results, match, dealt(size, n, 0.02 * number, size)))
    return folders


def shipped(*names: str) -> list[Variant]:
    """Return variants that ship."""
    return [load_variant(name) for name in names]


def compared(results: Path, variants: Sequence[Variant], sizes: Sequence[int]) -> Comparison:
    """Return what such runs show, table size by table size."""
    return compare(played(results, variants, sizes), by="players")


class Page(HTMLParser):
    """A page taken apart: tags with their attributes, and the text outside drawings, styles and scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.prose: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), (tag, attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "script", "svg"} & set(self._open) and data.strip():
            self.prose.append(" ".join(data.split()))

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of all tags of a name."""
        return [attrs for name, attrs in self.tags if name == tag]
