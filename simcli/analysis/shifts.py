"""How far other players move a finding: the same difference under two line-ups, deal by deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import FinishedRun
from simcli.analysis.found import Row, Table
from simcli.analysis.means import paired_mean
from simcli.analysis.phrases import cell_names
from simcli.analysis.rates import Estimate
from simcli.analysis.robustness import RobustnessRow, robustness
from simcli.analysis.rows import View, code_outcomes, read_outcomes
from simcli.analysis.tally import deal_blocks
from simcli.runs.summary import n_positions

if TYPE_CHECKING:
    from simcli.analysis.comparison import Comparison


@dataclass(frozen=True)
class ShiftRow(Row):
    """Hold how far a line-up moves a finding from where the first one has it.

    Attributes
    ----------
    cell : str
        The cell, as in the row of `robustness`.
    first : str
        The first line-up.
    before, after : float
        The difference that the variant makes under the first line-up and under this one.
    shift : Estimate
        The second less the first, in the deals that all four runs have; with the interval of Student's t of
        what each deal adds, jointly with the other shifts of this size.
    """

    cell: str
    first: str
    before: float
    after: float
    shift: Estimate


def shifts(comparison: Comparison) -> tuple[ShiftRow, ...]:
    """Return how far each further line-up moves what every variant's verdict names.

    None where the runs are counts without rows, have sessions, rotations or different seeds, or were
    stopped by a rule.
    """
    found = robustness(comparison)
    sizes = dict.fromkeys(row.players for row in found)
    return tuple(
        row
        for players in sizes
        for row in _at_size(comparison, [each for each in found if each.players == players])
    )


def _at_size(comparison: Comparison, rows: Sequence[RobustnessRow]) -> Iterator[ShiftRow]:
    here = [table for table in comparison.tables if table.runs.players == rows[0].players]
    if any(table.is_sequential for table in here):
        return
    tables, alpha = {table.runs.lineup: table for table in here}, min(table.alpha for table in here)
    firsts: dict[str, RobustnessRow] = {}
    pairs = []
    for row in rows:
        first = firsts.setdefault(row.variant, row)
        if row is not first and _is_paired(_runs(tables, first), _runs(tables, row)):
            pairs.append((first, row))
    for first, row in pairs:
        before, after = _runs(tables, first), _runs(tables, row)
        yield ShiftRow(
            row.variant, row.players, row.lineup, row.cell, first.lineup, first.difference, row.difference,
            _shift(before, after, row.cell, comparison.view, alpha, len(pairs)),
        )  # fmt: skip


def _runs(tables: dict[str, Table], row: RobustnessRow) -> tuple[FinishedRun, FinishedRun]:
    """Return the baseline's run and the variant's under a line-up."""
    table = tables[row.lineup]
    return table.runs.baseline.run, table.run_of(row.variant)


def _is_paired(*runs: tuple[FinishedRun, FinishedRun]) -> bool:
    every = [run for pair in runs for run in pair]
    seeds = {run.match.seed for run in every}
    return len(seeds) == 1 and all(run.match.cluster == 1 and run.counts is None for run in every)


def _shift(
    before: tuple[FinishedRun, FinishedRun],
    after: tuple[FinishedRun, FinishedRun],
    cell: str,
    view: View,
    alpha: float,
    k: int,
) -> Estimate:
    """Return the difference of two differences in a cell's rate."""
    n = min(run.deals for run in (*before, *after))
    total = square = 0.0
    for first, end in deal_blocks([*before, *after]):
        if end > n:
            break
        was, now = (
            _in_cell(other, first, end, cell, view) - _in_cell(base, first, end, cell, view)
            for base, other in (before, after)
        )
        moved = now - was
        total += float(moved.sum())
        square += float((moved * moved).sum())
    return paired_mean(total, square, n, alpha, k)


def _in_cell(run: FinishedRun, first: int, end: int, cell: str, view: View) -> npt.NDArray[np.int64]:
    """Return 1 by deal where it ended in a cell, else 0."""
    names = cell_names(n_positions(run.variant), view, no_loser=True)
    cells, _ = code_outcomes(run, read_outcomes(run, first, end, view), view)
    hits: npt.NDArray[np.int64] = (cells == names.index(cell)).astype(np.int64)
    return hits
