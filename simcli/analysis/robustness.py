"""Whether a finding depends on who plays: the same difference in every line-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from simcli.analysis.found import DifferenceRow, FindingRow, Row, Table
from simcli.analysis.rates import Interval

if TYPE_CHECKING:
    from simcli.analysis.comparison import Comparison

Agreement = Literal["shown", "not shown", "opposite"]


@dataclass(frozen=True)
class RobustnessRow(Row):
    """Hold a finding in one line-up.

    Attributes
    ----------
    cell : str
        The cell that the variant's verdict names in the first line-up that judges it.
    difference : float
        Its difference there.
    interval : Interval
        Its interval, as in the differences.
    agreement : {"shown", "not shown", "opposite"}
        Whether the interval excludes 0 on the side where it first does in any line-up, not at all, or on the
        other side.
    shown, not_shown, opposite, lineups : int
        Over all line-ups with the variant at this table size, the same in each of their rows.
    """

    cell: str
    difference: float
    interval: Interval
    agreement: Agreement
    shown: int
    not_shown: int
    opposite: int
    lineups: int


def findings(tables: Sequence[Table]) -> Iterator[FindingRow]:
    """Yield, per difference that any line-up shows, in how many it is shown, not shown or opposite."""
    for players in _sizes(tables):
        here = [table for table in tables if table.runs.players == players]
        if len(here) < 2:
            continue
        rows: dict[tuple[str, str], list[DifferenceRow]] = {}
        for row in (row for table in here for row in table.differences):
            rows.setdefault((row.variant, row.cell), []).append(row)
        for (variant, cell), found in rows.items():
            signs = [shown_sign(row) for row in found]
            first = first_sign(signs)
            if not first:
                continue
            yield FindingRow(
                variant, players, cell, "more" if first > 0 else "less",
                signs.count(first), signs.count(0), signs.count(-first), len(found),
            )  # fmt: skip


def robustness(comparison: Comparison) -> tuple[RobustnessRow, ...]:
    """Return the difference that each variant's verdict names, in every line-up.

    A variant with the same rules as the baseline has none. One line-up alone gives one row a variant.
    """
    return tuple(
        row
        for players in _sizes(comparison.tables)
        for row in _at_size([table for table in comparison.tables if table.runs.players == players])
    )


def _at_size(tables: Sequence[Table]) -> Iterator[RobustnessRow]:
    cells: dict[str, str] = {}
    for verdict in (verdict for table in tables for verdict in table.verdicts):
        if verdict.cell is not None:
            cells.setdefault(verdict.variant, verdict.cell)
    for variant, cell in cells.items():
        rows = [
            row for table in tables for row in table.differences if (row.variant, row.cell) == (variant, cell)
        ]
        signs = [shown_sign(row) for row in rows]
        first = first_sign(signs) or 1
        counts = signs.count(first), signs.count(0), signs.count(-first), len(signs)
        for row, sign in zip(rows, signs, strict=True):
            agreement: Agreement = "shown" if sign == first else "opposite" if sign else "not shown"
            yield RobustnessRow(
                variant, row.players, row.lineup, cell, row.difference, row.interval, agreement, *counts
            )


def _sizes(tables: Sequence[Table]) -> list[int]:
    return list(dict.fromkeys(table.runs.players for table in tables))


def shown_sign(row: DifferenceRow) -> int:
    """Return 1 or −1 where a difference is shown, 0 where it is not."""
    return int(row.interval.low > 0) - int(row.interval.high < 0)


def first_sign(signs: Sequence[int]) -> int:
    """Return the first sign that is not 0, else 0.

    >>> first_sign([0, -1, 1]), first_sign([0])
    (-1, 0)
    """
    return next((sign for sign in signs if sign), 0)
