"""Have the engine ready: compile it once on a machine, load it from the cache ever after."""

from __future__ import annotations

from collections.abc import Iterable
from multiprocessing import get_context

import numpy as np

from simcli.bots.batch import N_COLUMNS, Rows, play_batch
from simcli.engine.jit import CACHE_DIR, JIT_ENABLED
from simcli.engine.table import new_table
from simcli.rules.variant import Variant
from simcli.runs.board import follow_parent, interrupts_held
from simcli.runs.digest import digest_of_rows
from simcli.runs.report import Report

KERNELS = ("play_batch", "hash_rows")


def ready_engine(report: Report) -> None:
    """Load the engine, after compiling it where the cache does not have it yet.

    Compiling takes several hundred megabytes that numba never gives back, so that a process of its own
    does it, and its memory goes with it.
    """
    if not is_engine_compiled():
        report.say("compiling the engine: once on this machine, up to a minute …")
        _compile_apart()
    load_engine()


def is_engine_compiled() -> bool:
    """Return whether the kernels that play runs wait in the cache, or need no compiling."""
    return are_compiled(KERNELS)


def are_compiled(kernels: Iterable[str]) -> bool:
    """Return whether some kernels wait in the cache, or need no compiling."""
    return not JIT_ENABLED or all(any(CACHE_DIR.rglob(f"*.{kernel}-*.nbi")) for kernel in kernels)


def load_engine() -> None:
    """Call every kernel that plays runs once: loads it from the cache, or compiles it into the cache."""
    variant = Variant()
    rows: Rows = np.zeros((N_COLUMNS, 1), dtype=np.uint16)
    play_batch(new_table(variant, variant.players), 0, 0, 1, rows)
    digest_of_rows(rows, 0, 1, variant.players)


def _compile_apart() -> None:
    process = get_context("spawn").Process(target=_compile_as_child, daemon=True)
    with interrupts_held():
        process.start()
    try:
        process.join()
    finally:
        process.kill()


def _compile_as_child() -> None:
    follow_parent()
    load_engine()
