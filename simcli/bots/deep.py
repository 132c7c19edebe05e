"""Line-ups with a bot that looks ahead: the choice of any bot, and the kernel that plays batches of deals.

Compiled apart from the simple bots (`choose`, `batch`), and only where such a bot sits.
"""

from __future__ import annotations

from simcli.bots.batch import Rows, write_row
from simcli.bots.choose import ENDGAME, MONTECARLO, choose
from simcli.bots.endgame import choose_endgame
from simcli.bots.montecarlo import choose_montecarlo
from simcli.bots.work import Work
from simcli.engine.actions import Move, packed
from simcli.engine.apply import apply_move
from simcli.engine.bits import at
from simcli.engine.deal import start_deal
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import ACTOR, BOT, PH_OVER, PHASE, State


@inlined
def choose_deep(S: State, W: Work) -> Move:
    """Return the move of the bot at the asked seat, which may look ahead in the work array."""
    seat = S[ACTOR] & 7
    bot = S[at(BOT, seat)]
    if bot == MONTECARLO:
        return choose_montecarlo(S, W, seat)
    if bot == ENDGAME:
        return choose_endgame(S, W, seat)
    return choose(S)


@kernel
def choose_deep_move(S: State, W: Work) -> int:
    """Return the move of the bot at the asked seat: `choose_deep` for callers outside compiled code."""
    return packed(choose_deep(S, W))


@kernel
def play_deep(S: State, W: Work, seed: int, first_deal: int, session: int, rows: Rows) -> None:
    """Play a batch of deals as `play_batch` tells, at a table with a bot that looks ahead."""
    for i in range(rows.shape[1]):
        start_deal(S, seed, first_deal + i, i % session == 0)
        while S[PHASE] != PH_OVER:
            apply_move(S, choose_deep_move(S, W))
        write_row(S, rows, i)
