"""Deals worth looking at: those in which a rule changed who loses."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from simcli.analysis.finished import FinishedRun
from simcli.analysis.found import Example, Table
from simcli.analysis.rows import View, read_rows
from simcli.analysis.tables import Entry, TableRuns
from simcli.rules.canonical import rules_hash
from simcli.rules.load import load_variant
from simcli.rules.shipped import locate_shipped, shipped_names

SEARCHED = 20_000
"""Deals read at a time; the first examples come early."""


def find_examples(runs: TableRuns, view: View, k: int) -> Iterator[Example]:
    """Yield, per variant that shares the baseline's deals, the first `k` in which somebody else loses."""
    for entry in runs.entries[1:] if k else ():
        base = runs.baseline.run
        if entry.run.match.seed == base.match.seed and entry.run.positions == base.positions:
            yield from islice(_examples(runs, entry, view), k)


def missing_examples(tables: Iterable[Table], view: View) -> Iterator[str]:
    """Say of which variants no deal can be named in which somebody else loses, and why."""
    change = f"does somebody else {'lose' if view.outcome == 'loss' else 'come first'}"
    for table in tables:
        base = table.runs.baseline
        found = {example.variant for example in table.examples}
        for entry in table.runs.entries[1:]:
            if entry.label in found:
                continue
            if entry.run.match.seed != base.run.match.seed:
                why = (
                    f"it was played with seed {entry.run.match.seed}, {base.label} with {base.run.match.seed}"
                )
            elif entry.run.positions != base.run.positions:
                why = f"its positions are not those of {base.label}"
            else:
                why = f"in none of them {change}"
            yield f"no deals of {entry.label} are named as examples: {why}"


def _examples(runs: TableRuns, entry: Entry, view: View) -> Iterator[Example]:
    # of a rotated line-up the first rotation
    base, run = runs.baseline.run.members[0], entry.run.members[0]
    end = min(base.deals, run.deals)
    is_side_by_side = (
        _is_shipped(run) and run.match.session == base.match.session and run.variant.deck == base.variant.deck
    )
    for first in range(0, end, SEARCHED):
        before, after = (read_rows(each, first, min(first + SEARCHED, end), view) for each in (base, run))
        decided = (before.seats < run.positions) & (after.seats < run.positions)
        for row in np.flatnonzero(decided & (before.seats != after.seats)).tolist():
            deal = first + row
            yield Example(
                entry.label, runs.players, runs.lineup, deal, int(before.seats[row]), int(after.seats[row]),
                int(after.measures["bouts"][row]), _command(entry, deal), _command(runs.baseline, deal),
                f"{_command(runs.baseline, deal)} --vs {run.variant.name}" if is_side_by_side else None,
            )  # fmt: skip


def _is_shipped(run: FinishedRun) -> bool:
    """Return whether the variant can be given by its name."""
    name = run.variant.name
    return name in shipped_names() and rules_hash(load_variant(locate_shipped(name))) == run.rules


def _command(entry: Entry, deal: int) -> str:
    return f"simcli replay {shlex.quote(str(entry.run.path))} --deal {deal}"
