"""A fixed piece of work beside the engine, so that speeds of two machines can be compared."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

FIRST_LOOPS = 10_000
SAMPLE_S = 0.02

_kernel: Any = None


def _work(n_loops: int, table: Any) -> int:
    """Do what the engine does most, on nothing: draw cards from masks, branch on them, look up and store.

    It shares no code with the engine and must stay as it is, or saved ratios mean nothing any more.
    """
    state, mask, total = np.uint64(88172645463325252), np.uint64(0), np.uint64(0)
    one, six_bits = np.uint64(1), np.uint64(63)
    for _ in range(n_loops):
        state ^= state << np.uint64(13)
        state ^= state >> np.uint64(7)
        state ^= state << np.uint64(17)
        card = state & six_bits
        if mask >> card & one:
            mask &= ~(one << card)
            table[card] += one
        else:
            mask |= one << card
        low = mask & (~mask + one)
        if low & np.uint64(0x5555555555555555):
            total += table[(low * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(58)]
        else:
            total ^= mask
    return int(total)


def calibrated() -> float:
    """Return the loops of the fixed work that a CPU second of this machine does, in one sample."""
    global _kernel
    if _kernel is None:
        from numba import njit

        _kernel = njit(_work)
        _kernel(1, np.zeros(64, dtype=np.uint64))  # compiles it
    loops, table = FIRST_LOOPS, np.zeros(64, dtype=np.uint64)
    while True:
        start = time.process_time()
        _kernel(loops, table)
        took = time.process_time() - start
        if took >= SAMPLE_S:
            return loops / took
        loops *= 4
