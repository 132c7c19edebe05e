"""`thrifty` by weights that are not shipped: as a bot of one's own, and while weights are being tuned."""

from __future__ import annotations

from collections.abc import Callable

from simcli.bots.batch import Rows, write_row
from simcli.bots.thrifty import P_WEIGHTS, choose_weighed
from simcli.bots.thrifty_weights import N_STAGES, Weights, WeightTable, table_of
from simcli.engine.actions import packed
from simcli.engine.apply import apply
from simcli.engine.deal import start_deal
from simcli.engine.jit import kernel
from simcli.engine.layout import ACTOR, PH_OVER, PHASE, State
from simcli.engine.seats import bot_param


@kernel
def choose_by_table(S: State, w: WeightTable) -> int:
    """Return the move of `thrifty` by a table of one set of weights."""
    return packed(choose_weighed(S, w, 0, S[ACTOR] & 7))


@kernel
def play_by_tables(S: State, w: WeightTable, seed: int, first_deal: int, rows: Rows) -> None:
    """Play deals as `play_batch` does, `thrifty` at every seat, by the set of `w` that `P_WEIGHTS` names."""
    for i in range(rows.shape[1]):
        start_deal(S, seed, first_deal + i, True)
        while S[PHASE] != PH_OVER:
            seat = S[ACTOR] & 7
            apply(S, choose_weighed(S, w, N_STAGES * bot_param(S, seat, P_WEIGHTS), seat))
        write_row(S, rows, i)


def make_thrifty(weights: Weights) -> Callable[[State], int]:
    """Return `thrifty` with other weights, as a bot of one's own that plays at full speed.

    Parameters
    ----------
    weights : Weights
        The weights, of each one a number for every stage of a deal.

    Returns
    -------
    callable
        A compiled function of the state, for a line in a file: ``choose = make_thrifty(WEIGHTS)``.
    """
    import numba

    table = table_of(weights)

    def choose(state: State) -> int:
        return choose_by_table(state, table)

    compiled: Callable[[State], int] = numba.njit(choose)
    return compiled
