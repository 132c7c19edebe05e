"""How often a seat fails by some weights among others, in the same packs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simcli.analysis.means import paired_mean
from simcli.analysis.rates import Estimate
from simcli.analysis.rotation import Failures, team_of
from simcli.bots.batch import N_COLUMNS, O_LOSER, O_PLACE, O_RESULT, Rows
from simcli.bots.choose import THRIFTY
from simcli.bots.thrifty import P_WEIGHTS
from simcli.bots.thrifty_tuned import play_by_tables
from simcli.bots.thrifty_weights import WeightTable
from simcli.engine.layout import BOT, BOT_PARAMS, LOST, N_BOT_PARAMS, WON
from simcli.engine.table import new_table
from simcli.rules.variant import Variant

BLOCK = 20_000

PerPack = npt.NDArray[np.float64]


def failures(variant: Variant, rows: Rows) -> Failures:
    """Return, by seat and deal, whether the seat (or its team) lost or, if that counts, did not win."""
    players = variant.players
    failed = np.zeros((players, rows.shape[1]), dtype=np.bool_)
    for place in range(players):
        if variant.end.objective == "first_out_wins":
            failed[place] = (rows[O_RESULT] != WON) | (rows[O_PLACE + place] != 1)
        else:
            failed[place] = (rows[O_RESULT] == LOST) & np.isin(rows[O_LOSER], team_of(variant, place))
    return failed


@dataclass(frozen=True)
class Packs:
    """Name packs: those of a seed, from one on."""

    seed: int
    first: int
    n: int


def fails_among(variant: Variant, w: WeightTable, one: int, others: int, packs: Packs) -> PerPack:
    """Return by pack how often a seat fails by one set of weights among seats that play by another.

    Parameters
    ----------
    variant : Variant
        Seated.
    w : WeightTable
        Sets of weights.
    one, others : int
        Their numbers. The one seat is each in turn, with teams its whole team; alike, all are played at once.
    packs : Packs
        What is dealt, the same each time.

    Returns
    -------
    ndarray of float, shape (n,)
        The mean over the seats, 0 to 1.
    """
    players = variant.players
    total = np.zeros(packs.n)
    for place in range(players):
        team = team_of(variant, place)
        sets = [one if seat in team else others for seat in range(players)]
        failed = _failed(variant, w, sets, packs)
        if one == others:
            mean: PerPack = failed.mean(axis=0)
            return mean
        total += failed[place]
    return total / players


def _failed(variant: Variant, w: WeightTable, sets: list[int], packs: Packs) -> Failures:
    """Return who fails where each seat plays by the set of a number."""
    state = new_table(variant, variant.players)
    for seat, number in enumerate(sets):
        state[BOT + seat] = THRIFTY
        state[BOT_PARAMS + N_BOT_PARAMS * seat + P_WEIGHTS] = number
    rows: Rows = np.zeros((N_COLUMNS, packs.n), dtype=np.uint16)
    play_by_tables(state, w, packs.seed, packs.first, rows)
    return failures(variant, rows)


@dataclass(frozen=True)
class Gain:
    """Hold what weights gain at a table, against the usual ones, as shares of all deals.

    Attributes
    ----------
    players : int
        Seats.
    packs : int
        Packs that this was measured in.
    among_usual : Estimate
        How much more often one seat fails by the weights than by the usual ones, the others playing by the
        usual ones; below 0 it gains.
    among_tuned : Estimate
        How much more often one seat fails by the usual weights than by these, the others playing by these;
        above 0 the usual ones are the worse ones.
    """

    players: int
    packs: int
    among_usual: Estimate
    among_tuned: Estimate

    @property
    def is_shown(self) -> bool:
        """Return whether the weights are better both ways, the intervals excluding 0."""
        ours, theirs = self.among_usual.interval, self.among_tuned.interval
        return ours is not None and theirs is not None and ours.high < 0 < theirs.low


def gain(variant: Variant, w: WeightTable, ours: int, usual: int, seed: int, n_packs: int) -> Gain:
    """Return what one set of weights gains against another, at a seated variant's table."""
    sums = np.zeros((2, 2))
    for first in range(0, n_packs, BLOCK):
        packs = Packs(seed, first, min(BLOCK, n_packs - first))
        for row, (one, others) in enumerate(((ours, usual), (usual, ours))):
            d = fails_among(variant, w, one, others, packs) - fails_among(variant, w, others, others, packs)
            sums[row] += d.sum(), (d * d).sum()
    unit = 1 / variant.players
    ahead, behind = (paired_mean(float(d), float(d2), n_packs, unit=unit) for d, d2 in sums)
    return Gain(variant.players, n_packs, ahead, behind)
