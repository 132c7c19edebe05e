"""Rates and differences net of the trumps dealt: read the rows again and sum up what `adjust` needs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from simcli.analysis.adjust import adjusted_difference, adjusted_rate, cross_products
from simcli.analysis.designs import design_effect, pair_design_effect, widened
from simcli.analysis.finished import FinishedRun
from simcli.analysis.found import AdjustedRow
from simcli.analysis.rates import Estimate
from simcli.analysis.rows import View, read_columns, read_rows
from simcli.analysis.setting import Setting

BLOCK = 100_000
"""Deals whose products are summed at a time."""

Floats = npt.NDArray[np.float64]


def adjusted_rows(setting: Setting) -> Iterator[AdjustedRow]:
    """Yield every cell's rate, and its change against the baseline, at equal hands."""
    for index in range(len(setting.runs.entries)):
        changes = _changes(setting, index)
        for cell, (name, rate) in enumerate(zip(setting.cells(index), _rates(setting, index), strict=True)):
            change = changes[cell] if changes else None
            yield AdjustedRow(*setting.key(index), name, rate.value, rate.interval, change)


def _rates(setting: Setting, index: int) -> Iterator[Estimate]:
    run, tally = setting.entry(index).run, setting.tally(index)
    n = run.match.players
    sums = sum(
        cross_products(np.concatenate(_arm(run, first, min(first + BLOCK, run.deals), setting.view)))
        for first in range(0, run.deals, BLOCK)
    )
    for cell in range(len(setting.cells(index))):
        kept = [*range(n + 1), n + 1 + cell]
        rate = adjusted_rate(np.asarray(sums)[np.ix_(kept, kept)], setting.alpha, setting.n_cells_of(index))
        yield widened(rate, design_effect(tally))


def _changes(setting: Setting, index: int) -> list[Estimate] | None:
    """Return the changes of a run's cells, None where it does not share the baseline's deals."""
    pair = setting.pair(index)
    if pair is None or index not in setting.compared:
        return None
    base, run = setting.runs.baseline.run, setting.entry(index).run
    n, n_cells = run.match.players, len(setting.cells(index))
    end = min(base.deals, run.deals)
    sums = np.zeros(())
    for first in range(0, end, BLOCK):
        hands, outcomes = zip(
            *(_arm(each, first, min(first + BLOCK, end), setting.view) for each in (base, run)), strict=True
        )
        sums = sums + cross_products(np.concatenate([*hands, *outcomes]))
    width = setting.base.positions + 3
    changes = []
    for cell in range(n_cells):
        kept = [*range(2 * n + 1), 2 * n + 1 + cell, 2 * n + 1 + width + cell]
        change = adjusted_difference(sums[np.ix_(kept, kept)], setting.alpha, setting.k)
        changes.append(widened(change, pair_design_effect(pair)))
    return changes


def _arm(run: FinishedRun, first: int, end: int, view: View) -> tuple[Floats, Floats]:
    """Return the trumps dealt to each position, and 0 or 1 for each cell, of a range of deals."""
    players = run.match.players
    names = [f"trumps_{seat}" for seat in range(players)]
    frame = read_columns(run, first, end, [*names, *(() if view.frame == "seat" else (view.frame,))])
    trumps = np.stack([frame[name].to_numpy() for name in names])
    deals = np.arange(end - first)
    origin = np.zeros_like(deals) if view.frame == "seat" else frame[view.frame].to_numpy().astype(np.int64)
    by_position = np.stack([trumps[(origin + position) % players, deals] for position in range(players)])
    cells = read_rows(run, first, end, view).cells
    outcomes = cells == np.arange(run.positions + 3, dtype=np.uint8)[:, None]
    return by_position.astype(np.float64), outcomes.astype(np.float64)
