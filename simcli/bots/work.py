"""The work array of bots that look ahead: named places in one int64 array that the caller owns.

Compiled code allocates nothing: whoever lets such a bot decide hands it this array. It holds nothing that
outlives a decision, so that a bot decides the same in a batch and one decision at a time.
"""

from __future__ import annotations

import threading
from itertools import count
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from simcli.bots.choose import FIRST_DEEP
from simcli.engine.layout import BOT, MAX_PLAYERS, STATE_SIZE, State

#: int64 array of `WORK_SIZE` slots
Work: TypeAlias = npt.NDArray[np.int64]

_slot = count()


def _many(n: int) -> int:
    first = next(_slot)
    for _ in range(n - 1):
        next(_slot)
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

WORK_SIZE = next(_slot)

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
