"""What intervals are called where packs, each in all rotations of a line-up, are what is independent."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

from simcli.analysis.comparison import LISTS
from simcli.analysis.found import AnyRow, Table
from simcli.analysis.rates import Estimate, Interval

KIND = "t of packs over rotations"
OF_SESSIONS = "t of session totals"

SomeRow = TypeVar("SomeRow", bound=AnyRow)


def kind_of(kind: str, rotations: int) -> str:
    """Return the kind of an interval from totals of clusters.

    >>> kind_of("t of session totals", 1), kind_of("t of session totals, independent", 4)
    ('t of session totals', 't of packs over rotations, independent')
    """
    return kind if rotations == 1 else kind.replace(OF_SESSIONS, KIND)


def with_packs_named(table: Table) -> Table:
    """Return the table of a rotated line-up, its intervals called what they are."""
    changes: dict[str, Any] = {
        name: tuple(_named(row, table.rotations) for row in getattr(table, name)) for name in LISTS
    }
    return replace(table, **changes)


def _named(row: SomeRow, rotations: int) -> SomeRow:
    changes: dict[str, Any] = {}
    for each in fields(row):
        value = getattr(row, each.name)
        if isinstance(value, Interval):
            changes[each.name] = _interval(value, rotations)
        elif isinstance(value, Estimate) and value.interval is not None:
            changes[each.name] = replace(value, interval=_interval(value.interval, rotations))
    return replace(row, **changes)


def _interval(interval: Interval, rotations: int) -> Interval:
    return replace(interval, kind=kind_of(interval.kind, rotations))
