"""`endgame`: plays as `counting`, and solves what two seats play without stock."""

from __future__ import annotations

from simcli.bots.counting import choose_counting
from simcli.bots.parameters import Parameter
from simcli.bots.search import is_open_ending, solve
from simcli.bots.work import Work
from simcli.engine.actions import Move, unpacked
from simcli.engine.jit import inlined
from simcli.engine.layout import State
from simcli.engine.seats import bot_param

DESCRIPTION = (
    "Plays as counting; once the stock is gone and two seats are left it searches all lines and does "
    "what wins for sure, or at least what does not lose."
)

PARAMETERS = (
    Parameter(
        "nodes",
        "How many positions it looks into for one decision before it plays on as counting.",
        10_000,
        low=100,
        high=100_000_000,
        is_bare=True,
    ),
)
P_NODES = 0


@inlined
def choose_endgame(S: State, W: Work, seat: int) -> Move:
    """Return the move of `endgame` (docs/bots.md)."""
    if not is_open_ending(S):
        return choose_counting(S)
    _, best = solve(S, W, bot_param(S, seat, P_NODES))
    return unpacked(best)
