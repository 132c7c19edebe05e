"""What a comparison shows, and what it does not, of runs that a verdict was waited for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from simcli.analysis.found import Row, Table
from simcli.analysis.rates import Estimate

AnyRow = TypeVar("AnyRow", bound=Row)

LISTS = ("positions", "lost_shares", "stages", "effects", "measures", "adjusted", "skill")
"""The lists of a table whose intervals hold at one look only."""
ORDINARY = {"interval": None, "homogeneity_p": None, "verdict": None}
"""What rests on one look only, apart from the intervals of estimates."""


def without_ordinary_intervals(table: Table) -> Table:
    """Return a table whose differences alone have intervals: what holds at every look.

    The tests of equal positions are left out altogether.
    """
    changed: dict[str, Any] = {name: tuple(_bare(row) for row in getattr(table, name)) for name in LISTS}
    return replace(table, fairness=(), **changed)


def _bare(row: AnyRow) -> AnyRow:
    """Return a row with its numbers only."""
    changes: dict[str, Any] = {}
    for each in fields(row):
        value = getattr(row, each.name)
        if isinstance(value, Estimate):
            changes[each.name] = Estimate(value.value, None)
        elif each.name in ORDINARY:
            changes[each.name] = ORDINARY[each.name]
    return replace(row, **changes)


def stopping_notes(table: Table) -> Iterator[str]:
    """Say of the runs of a table which rule they were played by, and where it stopped them."""
    for run in (entry.run.members[0] for entry in table.runs.entries):
        first = 0
        for stretch in run.plan.stretches:
            if first >= run.deals:
                break
            first, rule = stretch.deals, stretch.rule
            if rule is None:
                continue
            points = f"{rule.threshold * 100:g} points"
            aim = (
                f"{rule.option} at a margin of {points}"
                if rule.kind == "decided"
                else f"{rule.option} {points}"
            )
            end = "stopped at" if stretch.stopped else "not stopped before"
            yield f"{run.variant.name} was played {aim}: {end} {stretch.deals:,} deals"
