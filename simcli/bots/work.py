"""The work array of bots that look ahead: named places in one int64 array that the caller owns.

Compiled code allocates nothing: whoever lets such a bot decide hands it this array. It holds nothing that
counts beyond a decision, so that a bot decides the same in a batch and one decision at a time. Whatever is
left in it does not matter, but for one word: the stamp of the search only grows, so that its table knows what
is old.
"""

from __future__ import annotations

import threading
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from simcli.bots.choose import FIRST_DEEP, FIRST_OWN
from simcli.engine.layout import BOT, MAX_PLAYERS, STATE_SIZE, State
from simcli.engine.view import MAX_LEGAL

#: int64 array of `WORK_SIZE` slots
Work: TypeAlias = npt.NDArray[np.int64]

_size = 0


def _many(n: int) -> int:
    global _size
    first = _size
    _size += n
    return first


# `montecarlo`
MAX_CANDIDATES = 24
MAX_PLAYOUTS = 4096
PLAYOUTS_PER_WORD = 32
LOSS_WORDS = MAX_PLAYOUTS // PLAYOUTS_PER_WORD
W_ROOT = _many(STATE_SIZE)  # the position with the hidden cards laid out anew
W_TRIAL = _many(STATE_SIZE)  # the position being played on
W_UNSEEN = _many(64)  # the cards that are laid out
W_DOUBTED = _many(MAX_PLAYERS)  # per seat: the cards that it hardly holds
W_MOVES = _many(MAX_CANDIDATES)  # the candidates
W_LOSSES = _many(MAX_CANDIDATES * LOSS_WORDS)  # per candidate: a bit for each playout that it failed in

# exact search of endings (`search`)
MAX_DEPTH = 512  # single actions from the position on
FRAME_SIZE = 10
TABLE_ENTRIES = 1 << 16
W_OWN = _many(1)  # the seat that searches
W_NODES = _many(1)  # positions that may still be looked into
W_STALLED = _many(1)  # 1 once a line has met the stall
W_LOST = _many(1)  # the actions proven to lose, as a mask
W_STAMP = _many(2)  # when this decision's and this horizon's entries of the table begin
W_TABLE = _many(3 * TABLE_ENTRIES)
W_LINE = _many(MAX_DEPTH * STATE_SIZE)  # the position after each action of the line that is looked at
W_FRAMES = _many(MAX_DEPTH * FRAME_SIZE)  # what is known so far at each depth
W_ACTIONS = _many(MAX_DEPTH * MAX_LEGAL)  # and what may be done there

WORK_SIZE = _size

_own = threading.local()


def work_array() -> Work:
    """Return the work array of this thread."""
    if not hasattr(_own, "work"):
        _own.work = np.zeros(WORK_SIZE, dtype=np.int64)
    work: Work = _own.work
    return work


def is_deep(state: State) -> bool:
    """Return whether a bot that looks ahead sits at a table."""
    return bool((state[BOT : BOT + MAX_PLAYERS] >= FIRST_DEEP).any())


def has_own(state: State) -> bool:
    """Return whether an own bot sits at a table."""
    return bool((state[BOT : BOT + MAX_PLAYERS] >= FIRST_OWN).any())
