"""One decision of whatever bot sits at the asked seat, for callers outside compiled code."""

from __future__ import annotations

from simcli.bots.choose import FIRST_DEEP, choose_move
from simcli.bots.work import work_array
from simcli.engine.layout import ACTOR, BOT, State


def decide(state: State) -> int:
    """Return the move of the bot at the asked seat, the same as in a batch.

    Parameters
    ----------
    state : State
        A deal in play. Of it only the random stream of a bot that draws from it changes.
    """
    if state[BOT + state[ACTOR]] >= FIRST_DEEP:
        from simcli.bots.deep import choose_deep_move

        return int(choose_deep_move(state, work_array()))
    return int(choose_move(state))
