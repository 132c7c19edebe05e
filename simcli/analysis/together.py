"""Count several runs of the same deals together: how often two of them end alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import lcm

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import FinishedRun, counts_of
from simcli.analysis.kernels import count_alike
from simcli.analysis.rates import Floats
from simcli.analysis.rows import View, code_outcomes, read_outcomes
from simcli.analysis.tally import Block, deal_blocks, in_threads


@dataclass
class Together:
    """Count runs of the same deals.

    Attributes
    ----------
    n_runs, n_cells : int
        Numbers of runs and of cells.
    session : int
        Deals of a cluster, which holds whole sessions of all runs; 1 if every deal stands for itself.
    n_deals, n_sessions : int
        What was counted.
    totals : ndarray of float64, shape (cells, runs)
        Deals of each cell.
    products : ndarray of float64, shape (cells, runs, runs)
        Sum over clusters of the product of two runs' numbers of a cell: for single deals how often both end
        there. Whole numbers, exact below 2⁵³.
    """

    n_runs: int
    n_cells: int
    session: int
    n_deals: int = 0
    n_sessions: int = 0
    totals: Floats = field(init=False)
    products: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.totals = np.zeros((self.n_cells, self.n_runs))
        self.products = np.zeros((self.n_cells, self.n_runs, self.n_runs))

    def add_cells(self, cells: npt.NDArray[np.uint8]) -> None:
        """Count further deals, whole clusters; `cells` has a row a run."""
        n = cells.shape[1]
        self.n_deals += n
        self.n_sessions += -(-n // self.session)
        for run, own in enumerate(cells):
            self.totals[:, run] += np.bincount(own, minlength=self.n_cells)
        found = np.zeros(self.products.shape, np.int64)
        count_alike(cells, self.session, np.zeros(self.totals.shape, np.int64), found)
        self.products += found + np.triu(found, 1).transpose(0, 2, 1)

    def of_runs(self, places: Sequence[int], n_cells: int) -> Together:
        """Return the counts of some of the runs, in that order, and of the first so many cells."""
        picked = Together(len(places), n_cells, self.session, self.n_deals, self.n_sessions)
        picked.totals[:] = self.totals[:n_cells, places]
        picked.products[:] = self.products[np.ix_(range(n_cells), places, places)]
        return picked

    def add(self, other: Together) -> None:
        """Count what another count of the same runs has counted."""
        self.n_deals += other.n_deals
        self.n_sessions += other.n_sessions
        self.totals += other.totals
        self.products += other.products


def count_together(runs: Sequence[FinishedRun], view: View, workers: int) -> Together:
    """Count the deals that all runs have, block by block; errors as for `tally.tally_runs`."""
    counts = counts_of(runs)
    if counts is not None:
        return counts.together_of(runs)
    common = min(run.deals for run in runs)
    blocks = [block for block in deal_blocks(runs) if block[1] <= common]
    total, *others = in_threads(partial(_count_blocks, runs, view), blocks, workers)
    for other in others:
        total.add(other)
    return total


def _count_blocks(runs: Sequence[FinishedRun], view: View, blocks: Sequence[Block]) -> Together:
    counted = Together(len(runs), runs[0].positions + 3, lcm(*(run.match.cluster for run in runs)))
    for first, end in blocks:
        counted.add_cells(np.stack([_cells(run, first, end, view) for run in runs]))
    return counted


def _cells(run: FinishedRun, first: int, end: int, view: View) -> npt.NDArray[np.uint8]:
    cells, _ = code_outcomes(run, read_outcomes(run, first, end, view), view)
    return cells
