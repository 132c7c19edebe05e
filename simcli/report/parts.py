"""The parts of a report: its comparisons, each with a title that no other has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Table
from simcli.report.verdicts import table_title


@dataclass(frozen=True)
class Place:
    """Hold a table with its comparison, its anchor on the page and its heading."""

    comparison: Comparison
    table: Table
    key: str
    title: str


def part_titles(comparisons: Sequence[Comparison], bridge: str) -> list[str]:
    """Return what tells each comparison from the others: what is compared, what is counted, or both.

    Parameters
    ----------
    comparisons : sequence of Comparison
        All of a report.
    bridge : str
        Name of the variant from which an experiment goes to others and back, one option at a time; or empty.
    """
    several_bases = len({each.baseline for each in comparisons}) > 1
    several_counts = len({each.view.outcome for each in comparisons}) > 1
    titles = []
    for each in comparisons:
        parts = [_compared(each, bridge)] if several_bases else []
        parts += [counted(each)] if several_counts else []
        titles.append(", ".join(parts))
    return titles


def counted(comparison: Comparison) -> str:
    """Return what a comparison counts."""
    return "who is out first" if comparison.view.outcome == "first_out" else "who loses"


def _compared(comparison: Comparison, bridge: str) -> str:
    if not bridge:
        return f"against {comparison.baseline}"
    if comparison.baseline == bridge:
        return f"from {bridge}, one option at a time"
    return f"back from {comparison.baseline}, one option at a time"


def places(comparisons: Sequence[Comparison], titles: Sequence[str]) -> Iterator[Place]:
    """Yield every table with an anchor and a heading that no other has."""
    keys: Counter[str] = Counter()
    for comparison, title in zip(comparisons, titles, strict=True):
        for table in comparison.tables:
            key = _key(table)
            keys[key] += 1
            unique = key if keys[key] == 1 else f"{key}-{keys[key]}"
            heading = f"{table_title(table)}: {title}" if title else table_title(table)
            yield Place(comparison, table, unique, heading)


def _key(table: Table) -> str:
    """Return a table in letters, digits and hyphens."""
    lineup = "".join(char if char.isascii() and char.isalnum() else "-" for char in table.runs.lineup)
    return f"p{table.runs.players}-{lineup}"
