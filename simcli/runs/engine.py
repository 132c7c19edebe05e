"""Have the engine ready: compile it once on a machine, load it from the cache ever after."""

from __future__ import annotations

from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numba.core.caching import _CacheLocator

import simcli
from simcli.bots.batch import N_COLUMNS, Rows, play_batch
from simcli.bots.choose import FIRST_DEEP
from simcli.engine.jit import CACHE_DIR, JIT_ENABLED
from simcli.engine.layout import BOT
from simcli.engine.table import new_table
from simcli.rules.variant import Variant
from simcli.runs.board import follow_parent, interrupts_after, interrupts_held
from simcli.runs.digest import digest_of_rows
from simcli.runs.report import Report

KERNELS = ("play_simple", "hash_rows")
DEEP_KERNELS = ("play_deep", "hash_rows")


def ready_engine(report: Report, looks_ahead: bool = False) -> None:
    """Load the engine, after compiling it where the cache does not have it yet.

    Compiling takes several hundred megabytes that numba never gives back, so that a process of its own
    does it, and its memory goes with it.

    Parameters
    ----------
    report : Report
        Whom to tell.
    looks_ahead : bool
        Whether it is wanted for a line-up with a bot that looks ahead, which takes a kernel of its own.
    """
    if not is_engine_compiled(looks_ahead):
        report.say(f"compiling {engine_name(looks_ahead)}: once on this machine, up to a minute …")
        _compile_apart(looks_ahead)
    load_engine(looks_ahead)


def engine_name(looks_ahead: bool) -> str:
    """Return what is compiled, in words."""
    return "the engine for bots that look ahead" if looks_ahead else "the engine"


def is_engine_compiled(looks_ahead: bool = False) -> bool:
    """Return whether the kernels that play runs wait in the cache, or need no compiling."""
    return are_compiled(DEEP_KERNELS if looks_ahead else KERNELS)


def are_compiled(kernels: Iterable[str]) -> bool:
    """Return whether some kernels wait in the cache, or need no compiling.

    What another copy of the same sources has compiled does not count: numba asks where a source lies.
    """
    return not JIT_ENABLED or all(
        any(map(_is_of_this_copy, CACHE_DIR.rglob(f"*.{kernel}-*.nbi"))) for kernel in kernels
    )


def _is_of_this_copy(index: Path) -> bool:
    """Return whether machine code in the cache is that of the sources that are running."""
    folder = index.parent.name
    source = Path(simcli.__file__).parent / folder.rpartition("_")[0] / index.name
    return bool(folder == _CacheLocator.get_suitable_cache_subpath(str(source)))


def load_engine(looks_ahead: bool = False) -> None:
    """Call every kernel that plays runs once: loads it from the cache, or compiles it into the cache."""
    variant = Variant()
    with interrupts_after():
        state = new_table(variant, variant.players)
        if looks_ahead:
            state[BOT + variant.players] = FIRST_DEEP  # at a seat that is never asked
        rows: Rows = np.zeros((N_COLUMNS, 1), dtype=np.uint16)
        play_batch(state, 0, 0, 1, rows)
        digest_of_rows(rows, 0, 1, variant.players)


def _compile_apart(looks_ahead: bool) -> None:
    process = get_context("spawn").Process(target=_compile_as_child, args=(looks_ahead,), daemon=True)
    with interrupts_held():
        process.start()
    try:
        process.join()
    finally:
        process.kill()


def _compile_as_child(looks_ahead: bool) -> None:
    follow_parent()
    load_engine(looks_ahead)
