"""Rates and differences net of the trumps dealt: read the rows again and sum up what `adjust` needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcli.analysis.adjust import adjusted_difference, adjusted_rate, cross_products
from simcli.analysis.designs import design_effect, pair_design_effect, widened
from simcli.analysis.finished import FinishedRun, counts_of
from simcli.analysis.found import AdjustedRow
from simcli.analysis.rates import Estimate
from simcli.analysis.rows import View, code_outcomes, read_outcomes
from simcli.analysis.setting import Setting
from simcli.analysis.tally import Block, deal_blocks, in_threads
from simcli.runs.plan import Match
from simcli.runs.pool import usable_cores
from simcli.runs.summary import n_positions

SLICE = 100_000
"""Deals whose products are summed at a time."""

Floats = npt.NDArray[np.float64]


class Arm(NamedTuple):
    """Hold, deal by deal, the trumps dealt to each position, and 0 or 1 for each cell."""

    hands: Floats
    outcomes: Floats


def arm_of(
    trumps: npt.NDArray[np.integer], origin: npt.NDArray[np.integer], cells: npt.NDArray[np.uint8], n: int
) -> Arm:
    """Return the arm of some deals.

    Parameters
    ----------
    trumps : ndarray, shape (players, deals)
        Trumps dealt to each seat.
    origin : ndarray, shape (deals,)
        The seat that is position 0.
    cells : ndarray of uint8, shape (deals,)
        The outcome by position.
    n : int
        Number of positions.
    """
    players, deals = trumps.shape
    seats = (origin.astype(np.int64) + np.arange(players)[:, None]) % players
    outcomes = cells == np.arange(n + 3, dtype=np.uint8)[:, None]
    return Arm(trumps[seats, np.arange(deals)].astype(np.float64), outcomes.astype(np.float64))


@dataclass
class HandSums:
    """Sum up products of hands and outcomes: of runs, and of those that are compared with the first one.

    Attributes
    ----------
    runs : list of ndarray
        Per run `cross_products` of its arm.
    pairs : dict of int to ndarray
        Per compared run of the baseline's deals, `cross_products` of the hands of both, then of the outcomes.
    """

    runs: list[Floats]
    pairs: dict[int, Floats]

    @classmethod
    def of(cls, matches: Sequence[Match]) -> HandSums:
        """Return the sums of nothing yet."""
        base = matches[0]
        widths = [match.players + n_positions(match.variant) + 3 for match in matches]
        pairs = {
            index: np.zeros((widths[0] + widths[index] + 1,) * 2)
            for index, match in enumerate(matches)
            if index > 0 and match.seed == base.seed and match.variant.teams == base.variant.teams
        }
        return cls([np.zeros((width + 1,) * 2) for width in widths], pairs)

    def add_arms(self, arms: Iterable[Arm | None]) -> None:
        """Count the same further deals of all runs, taken one by one; None where a run has them no more."""
        base: Arm | None = None
        for index, arm in enumerate(arms):
            if arm is None:
                continue
            self.runs[index] += cross_products(np.concatenate(arm))
            if index == 0:
                base = arm
            elif base is not None and index in self.pairs:
                columns = (base.hands, arm.hands, base.outcomes, arm.outcomes)
                self.pairs[index] += cross_products(np.concatenate(columns))

    def add(self, other: HandSums) -> None:
        """Count what another count of the same runs has counted."""
        for mine, theirs in zip(self.runs, other.runs, strict=True):
            mine += theirs
        for index, sums in self.pairs.items():
            sums += other.pairs[index]


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
        chosen = sums.runs[index][np.ix_(kept, kept)]
        rate = adjusted_rate(chosen, setting.alpha, setting.n_cells_of(index))
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
        change = adjusted_difference(sums.pairs[index][np.ix_(kept, kept)], setting.alpha, setting.k)
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
    for start, stop in blocks:
        for first in range(start, stop, SLICE):
            end = min(first + SLICE, stop)
            sums.add_arms(_arm(run, first, end, view) if run.deals >= end else None for run in runs)
    return sums


def _arm(run: FinishedRun, first: int, end: int, view: View) -> Arm:
    frame = read_outcomes(run, first, end, view, [f"trumps_{seat}" for seat in range(run.match.players)])
    trumps = np.stack([frame[f"trumps_{seat}"].to_numpy() for seat in range(run.match.players)])
    origin = np.zeros(end - first, np.uint8) if view.frame == "seat" else frame[view.frame].to_numpy()
    cells, _ = code_outcomes(run, frame, view)
    return arm_of(trumps, origin, cells, run.positions)
