"""The verdicts of a report: what is decided in front, and how they fall in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Table, VerdictRow
from simcli.analysis.phrases import MARKS, NUMBERS, margin_words, table_words
from simcli.report.model import Verdict, VerdictGroup

GROUPS = (
    ("Changes more than the margin", ("changes",)),
    ("No change beyond the margin", ("too small to matter", "no change beyond the margin")),
    ("Undecided", ("undecided",)),
    ("The same rules", ("same rules",)),
)


def verdict_groups(table: Table, is_long: bool) -> Iterator[VerdictGroup]:
    """Yield the verdicts of a table group by group, the largest change of each in front.

    Parameters
    ----------
    table : Table
        What was found.
    is_long : bool
        Whether there are so many verdicts on the page that only changes are shown at once.
    """
    rank = {row.variant: row.rank for row in table.ranking}
    for heading, words in GROUPS:
        rows = [row for row in table.verdicts if row.verdict in words]
        rows.sort(key=lambda row: rank.get(row.variant, len(rank) + 1))
        if rows:
            yield VerdictGroup(heading, tuple(map(_verdict, rows)), is_long and words != ("changes",))


def _verdict(row: VerdictRow) -> Verdict:
    table = f", {table_words(row.players, row.lineup)}"
    name, _, rest = row.sentence.partition(table)
    finding, stop, more = f"{table}{rest}".partition(". ")
    return Verdict(row.variant, row.verdict, MARKS[row.verdict], name, f"{finding}{stop.strip()}", more)


def headline(comparison: Comparison, table: Table) -> str:
    """Return how the verdicts of a table fall, in a sentence."""
    n = len(table.verdicts)
    if not n:
        return "Nothing is compared here: the rates stand alone."
    change = f"the deal by more than the margin of {margin_words(comparison.margin)} points"
    counts = Counter(heading for row in table.verdicts for heading, words in GROUPS if row.verdict in words)
    clauses = (
        ("changes", "change", change),
        ("does", "do", "not" if counts[GROUPS[0][0]] else f"not change {change}"),
        ("is", "are", "undecided"),
        ("has", "have", "the same rules"),
    )
    told = [
        f"{_number(counts[heading])} {one if counts[heading] == 1 else many} {rest}"
        for (heading, _), (one, many, rest) in zip(GROUPS, clauses, strict=True)
        if counts[heading]
    ]
    base = table.variants[0].variant
    if n == 1:
        return f"Against {base}, {table.verdicts[0].variant} {told[0].removeprefix('one ')}."
    return f"Against {base}, of {_number(n)} variants {_and(told)}."


def _number(count: int) -> str:
    """Return a number as it stands in a sentence: up to twelve as a word."""
    words = (*NUMBERS, "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[count] if count < len(words) else str(count)


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def table_title(table: Table) -> str:
    """Return who sits at a table, as a heading."""
    words = table_words(table.runs.players, table.runs.lineup)
    return f"{words[:1].upper()}{words[1:]}"
