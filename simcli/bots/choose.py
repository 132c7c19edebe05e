"""One `choose` for all bots: an if-chain over the code of the bot at the asked seat."""

from __future__ import annotations

from simcli.bots.counting import choose_counting
from simcli.bots.lowest import choose_lowest
from simcli.bots.random import choose_random
from simcli.bots.thrifty import choose_thrifty
from simcli.engine.actions import Move, packed
from simcli.engine.bits import at
from simcli.engine.jit import inlined, kernel
from simcli.engine.layout import ACTOR, BOT, State

RANDOM = 0
LOWEST = 1
THRIFTY = 2
COUNTING = 3

#: numbers from here on are those of bots that look ahead (`choose_deep`)
FIRST_DEEP = 16
MONTECARLO = 16
ENDGAME = 17

#: and from here on those of own bots, in the order in which a process has come to know them
FIRST_OWN = 64


@inlined
def choose(S: State) -> Move:
    """Return the move of the bot at the asked seat."""
    seat = S[ACTOR] & 7
    bot = S[at(BOT, seat)]
    if bot == LOWEST:
        return choose_lowest(S, seat)
    if bot == THRIFTY:
        return choose_thrifty(S, seat)
    if bot == COUNTING:
        return choose_counting(S)
    return choose_random(S, seat)


@kernel
def choose_move(S: State) -> int:
    """Return the move of the bot at the asked seat: `choose` for callers outside compiled code."""
    return packed(choose(S))
