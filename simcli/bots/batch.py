"""Play deals in batches inside compiled code and write one outcome row a deal.

There are two kernels: one for line-ups of simple bots, and one, compiled only where it is needed, for
line-ups with a bot that looks ahead (`deep`).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from simcli.bots.choose import choose
from simcli.bots.work import has_own, is_deep, work_array
from simcli.engine.apply import apply
from simcli.engine.bits import at, high_half, mix
from simcli.engine.deal import start_deal
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import (
    BOUTS,
    CARDS_PICKED_UP,
    CARDS_PLAYED,
    DEALER,
    DECISIONS,
    LARGEST_HAND,
    LOSER,
    MAX_PLAYERS,
    N_COVERS,
    N_LATE_TRANSFERS,
    N_PICKUPS,
    N_SHOWS,
    N_THROW_INS,
    N_TRANSFERS,
    OPENER,
    PH_OVER,
    PHASE,
    PLACE,
    RESULT,
    TRACE,
    TRIGGERED,
    TRUMP_CARD,
    TRUMPS_DEALT,
    State,
)

Rows = npt.NDArray[np.uint16]

# columns of a batch, in this order; a missing seat or value is MISSING
O_DEALER = 0
O_OPENER = 1
O_LOSER = 2
O_RESULT = 3
O_PLACE = 4
O_TRUMP = O_PLACE + MAX_PLAYERS
O_BOUTS = O_TRUMP + 1
O_DECISIONS = O_BOUTS + 1
O_CARDS_PLAYED = O_BOUTS + 2
O_TRANSFERS = O_BOUTS + 3
O_LATE_TRANSFERS = O_BOUTS + 4
O_SHOWS = O_BOUTS + 5
O_THROW_INS = O_BOUTS + 6
O_COVERS = O_BOUTS + 7
O_PICKUPS = O_BOUTS + 8
O_CARDS_PICKED_UP = O_BOUTS + 9
O_LARGEST_HAND = O_BOUTS + 10
O_TRUMPS = O_BOUTS + 11
O_TRACE_LOW = O_TRUMPS + MAX_PLAYERS
O_TRACE_HIGH = O_TRACE_LOW + 1
O_TRIGGERED_LOW = O_TRACE_HIGH + 1
O_TRIGGERED_HIGH = O_TRIGGERED_LOW + 1
N_COLUMNS = O_TRIGGERED_HIGH + 1

MISSING = 0xFFFF
LARGEST_COUNT = 0xFFFF  # stands for that many or more


@inlined
def play_out(S: State) -> None:
    """Play a started deal to its end."""
    while S[PHASE] != PH_OVER:
        apply(S, choose(S))


@inlined
def write_row(S: State, rows: Rows, i: int) -> None:
    """Write the outcome of an ended deal into column-major rows."""
    rows[O_DEALER, i] = S[DEALER]
    rows[O_OPENER, i] = S[OPENER]
    rows[O_LOSER, i] = S[LOSER]
    rows[O_RESULT, i] = S[RESULT]
    rows[O_TRUMP, i] = S[TRUMP_CARD]
    rows[O_BOUTS, i] = min(S[BOUTS], LARGEST_COUNT)
    rows[O_DECISIONS, i] = min(S[DECISIONS], LARGEST_COUNT)
    rows[O_CARDS_PLAYED, i] = min(S[CARDS_PLAYED], LARGEST_COUNT)
    rows[O_TRANSFERS, i] = min(S[N_TRANSFERS], LARGEST_COUNT)
    rows[O_LATE_TRANSFERS, i] = min(S[N_LATE_TRANSFERS], LARGEST_COUNT)
    rows[O_SHOWS, i] = min(S[N_SHOWS], LARGEST_COUNT)
    rows[O_THROW_INS, i] = min(S[N_THROW_INS], LARGEST_COUNT)
    rows[O_COVERS, i] = min(S[N_COVERS], LARGEST_COUNT)
    rows[O_PICKUPS, i] = min(S[N_PICKUPS], LARGEST_COUNT)
    rows[O_CARDS_PICKED_UP, i] = min(S[CARDS_PICKED_UP], LARGEST_COUNT)
    rows[O_LARGEST_HAND, i] = S[LARGEST_HAND]
    for seat in range(MAX_PLAYERS):
        rows[O_PLACE + seat, i] = S[at(PLACE, seat)]
        rows[O_TRUMPS + seat, i] = S[at(TRUMPS_DEALT, seat)]
    trace = high_half(mix(S[TRACE]))
    rows[O_TRACE_LOW, i] = trace & 0xFFFF
    rows[O_TRACE_HIGH, i] = trace >> 16
    rows[O_TRIGGERED_LOW, i] = S[TRIGGERED] & 0xFFFF
    rows[O_TRIGGERED_HIGH, i] = S[TRIGGERED] >> 16


def play_batch(S: State, seed: int, first_deal: int, session: int, rows: Rows) -> None:
    """Play the deals from `first_deal` on, one a column of `rows`.

    A table with own bots is played by `own.play`, which calls the kernel of `own_kernel` or Python itself.

    Parameters
    ----------
    S : State
        A table with its bots (`new_table`); overwritten.
    seed : int
        Seed of the run.
    first_deal : int
        Index of the first deal; a multiple of `session`.
    session : int
        Deals in a session; a session's later deals take dealer and opener from the deal before.
    rows : ndarray of uint16, shape (N_COLUMNS, n)
        Filled with the outcomes.
    """
    if has_own(S):
        from simcli.bots.own.play import play_own

        play_own(S, seed, first_deal, session, rows)
    elif is_deep(S):
        from simcli.bots.deep import play_deep

        play_deep(S, work_array(), seed, first_deal, session, rows)
    else:
        play_simple(S, seed, first_deal, session, rows)


@kernel
def play_simple(S: State, seed: int, first_deal: int, session: int, rows: Rows) -> None:
    """Play a batch of deals at a table of simple bots."""
    for i in range(rows.shape[1]):
        start_deal(S, seed, first_deal + i, i % session == 0)
        play_out(S)
        write_row(S, rows, i)
