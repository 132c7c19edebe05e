"""Rates and differences net of the trumps dealt: read the rows again and sum up what `adjust` needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcli.analysis.adjust import adjusted_difference, adjusted_rate
from simcli.analysis.designs import design_effect, pair_design_effect, widened
from simcli.analysis.finished import FinishedRun, counts_of
from simcli.analysis.found import AdjustedRow
from simcli.analysis.kernels import sum_hands
from simcli.analysis.rates import Estimate, Floats
from simcli.analysis.rows import View, code_outcomes, read_outcomes
from simcli.analysis.setting import Setting
from simcli.analysis.tally import Block, deal_blocks, in_threads
from simcli.runs.plan import Match
from simcli.runs.pool import usable_cores
from simcli.runs.summary import n_positions

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]


class Arm(NamedTuple):
    """Hold, deal by deal, the trumps dealt to each position, and the cell that it ended in."""

    hands: Bytes
    cells: Bytes


def arm_of(trumps: npt.NDArray[np.integer], origin: npt.NDArray[np.integer], cells: Bytes) -> Arm:
    """Return the arm of some deals.

    Parameters
    ----------
    trumps : ndarray, shape (players, deals)
        Trumps dealt to each seat.
    origin : ndarray, shape (deals,)
        The seat that is position 0.
    cells : ndarray of uint8, shape (deals,)
        The outcome by position.
    """
    players, deals = trumps.shape
    seats = (origin.astype(np.int64) + np.arange(players)[:, None]) % players
    return Arm(trumps[seats, np.arange(deals)].astype(np.uint8), cells)


@dataclass
class HandSums:
    """Sum up products of hands and outcomes: of runs, and of those that are compared with the first one.

    Attributes
    ----------
    widths : list of int
        Per run its cells.
    runs : list of ndarray
        Per run the sums of `kernels.sum_hands`; read them by `products`.
    pairs : dict of int to ndarray
        The same for compared runs of the baseline's deals: hands of the baseline, of the run, then the cells
        of both.
    """

    widths: list[int]
    runs: list[Counts]
    pairs: dict[int, Counts]

    @classmethod
    def of(cls, matches: Sequence[Match]) -> HandSums:
        """Return the sums of nothing yet."""
        base = matches[0]
        widths = [n_positions(match.variant) + 3 for match in matches]
        sizes = [match.players + width for match, width in zip(matches, widths, strict=True)]
        pairs = {
            index: np.zeros((1 + sizes[0] + sizes[index],) * 2, np.int64)
            for index, match in enumerate(matches)
            if index > 0 and match.seed == base.seed and match.variant.teams == base.variant.teams
        }
        return cls(widths, [np.zeros((1 + size,) * 2, np.int64) for size in sizes], pairs)

    def add_arms(self, arms: Iterable[Arm | None]) -> None:
        """Count the same further deals of all runs, taken one by one; None where a run has them no more."""
        base: Arm | None = None
        for index, arm in enumerate(arms):
            if arm is None:
                continue
            widths = np.array([self.widths[index]])
            sum_hands(arm.hands, arm.cells[None], widths, self.runs[index])
            if index == 0:
                base = arm
            elif base is not None and index in self.pairs:
                widths = np.array([self.widths[0], self.widths[index]])
                hands, cells = np.concatenate([base.hands, arm.hands]), np.stack([base.cells, arm.cells])
                sum_hands(hands, cells, widths, self.pairs[index])

    def add(self, other: HandSums) -> None:
        """Count what another count of the same runs has counted."""
        for mine, theirs in zip(self.runs, other.runs, strict=True):
            mine += theirs
        for index, sums in self.pairs.items():
            sums += other.pairs[index]


def products(upper: Counts, columns: Sequence[int]) -> Floats:
    """Return the products of some columns, as `adjust.cross_products` has them, of an upper triangle."""
    whole = upper + np.triu(upper, 1).T
    return whole[np.ix_(columns, columns)].astype(np.float64)


def adjusted_rows(setting: Setting) -> Iterator[AdjustedRow]:
    """Yield every cell's rate, and its change against the baseline, at equal hands."""
    runs = [entry.run for entry in setting.runs.entries]
    sums = count_hands(runs, setting.view, usable_cores())
    for index in range(len(runs)):
        rates, changes = _rates(setting, index, sums), _changes(setting, index, sums)
        for cell, (name, rate) in enumerate(zip(setting.cells(index), rates, strict=True)):
            change = changes[cell] if changes else None
            yield AdjustedRow(*setting.key(index), name, rate.value, rate.interval, change)


def _rates(setting: Setting, index: int, sums: HandSums) -> Iterator[Estimate]:
    n = setting.entry(index).run.match.players
    for cell in range(len(setting.cells(index))):
        kept = [*range(n + 1), n + 1 + cell]
        rate = adjusted_rate(products(sums.runs[index], kept), setting.alpha, setting.n_cells_of(index))
        yield widened(rate, design_effect(setting.tally(index)))


def _changes(setting: Setting, index: int, sums: HandSums) -> list[Estimate] | None:
    """Return the changes of a run's cells, None where it does not share the baseline's deals."""
    pair = setting.pair(index)
    if pair is None or index not in setting.compared:
        return None
    n, width = setting.entry(index).run.match.players, setting.base.positions + 3
    changes = []
    for cell in range(len(setting.cells(index))):
        kept = [*range(2 * n + 1), 2 * n + 1 + cell, 2 * n + 1 + width + cell]
        change = adjusted_difference(products(sums.pairs[index], kept), setting.alpha, setting.k)
        changes.append(widened(change, pair_design_effect(pair)))
    return changes


# ------------------------------------------------------------------------------------ counting


def count_hands(runs: Sequence[FinishedRun], view: View, workers: int) -> HandSums:
    """Sum up what adjusted rates and differences take; errors as for `tally.tally_runs`."""
    counts = counts_of(runs)
    if counts is not None:
        return counts.hands_of(runs)
    total, *others = in_threads(partial(_count_blocks, runs, view), list(deal_blocks(runs)), workers)
    for other in others:
        total.add(other)
    return total


def _count_blocks(runs: Sequence[FinishedRun], view: View, blocks: Sequence[Block]) -> HandSums:
    sums = HandSums.of([run.match for run in runs])
    for first, end in blocks:
        sums.add_arms(_arm(run, first, end, view) if run.deals >= end else None for run in runs)
    return sums


def _arm(run: FinishedRun, first: int, end: int, view: View) -> Arm:
    frame = read_outcomes(run, first, end, view, [f"trumps_{seat}" for seat in range(run.match.players)])
    trumps = np.stack([frame[f"trumps_{seat}"].to_numpy() for seat in range(run.match.players)])
    origin = np.zeros(end - first, np.uint8) if view.frame == "seat" else frame[view.frame].to_numpy()
    cells, _ = code_outcomes(run, frame, view)
    return arm_of(trumps, origin, cells)
