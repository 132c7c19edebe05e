"""Play one part: what a worker does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from simcli.bots.batch import N_COLUMNS, Rows, play_batch
from simcli.engine.layout import BOT, State
from simcli.engine.table import new_table
from simcli.runs.board import is_play_wanted
from simcli.runs.folder import RunFolder
from simcli.runs.partfile import PartRecord, checksum_of, part_bytes, record_of_rows
from simcli.runs.plan import Match, Part
from simcli.runs.store.location import Location

SLICE_S = 0.2
MAX_SLICE = 20_000
FIRST_SLICE = 200
GROWTH = 8
PILOT_S = 0.15


@dataclass(frozen=True)
class Task:
    """Tell a worker which part to play and where to put it.

    Attributes
    ----------
    match : Match
        What is played.
    engine : dict of str
        The engine that the plan names.
    part : Part
        The deals.
    folder : RunFolder
        Where to put it.
    slot : int
        The part's place on the board.
    """

    match: Match
    engine: dict[str, str]
    part: Part
    folder: RunFolder
    slot: int = 0

    @property
    def path(self) -> Location:
        """Return the file to write."""
        return self.folder.part_path(self.part)


def play_part(task: Task) -> PartRecord | None:
    """Play a part and write its file.

    Returns
    -------
    PartRecord or None
        The digest and the counts of the part; None if play was stopped before its end.
    """
    start = time.perf_counter()
    rows: Rows = np.empty((N_COLUMNS, task.part.n_deals), dtype=np.uint16)
    if not play_rows(task.match, task.part.first, rows, partial(is_play_wanted, task.slot)):
        return None
    record = record_of_rows(rows, task.match, task.part)
    content = part_bytes(rows, task.match, task.engine, record)
    task.folder.store.write(task.part.file_name, content)
    return replace(record, checksum=checksum_of(content), seconds=time.perf_counter() - start)


def play_rows(match: Match, first: int, rows: Rows, is_wanted: Callable[[int], bool]) -> bool:
    """Fill `rows` with the deals from `first` on, slice by slice.

    Parameters
    ----------
    match : Match
        What is played.
    first : int
        Index of the first deal, which opens a session.
    rows : ndarray of uint16, shape (N_COLUMNS, n)
        Filled.
    is_wanted : callable
        Called with the number of deals played so far; play ends early when it returns False.

    Returns
    -------
    bool
        Whether all deals were played.
    """
    state = table_of(match)
    n = rows.shape[1]
    size = _whole_sessions(1 if match.lineup.looks_ahead else FIRST_SLICE, match.session)
    played = 0
    while played < n:
        if not is_wanted(played):
            return False
        batch: Rows = np.empty((N_COLUMNS, min(size, n - played)), dtype=np.uint16)
        start = time.perf_counter()
        play_batch(state, match.seed, first + played, match.session, batch)
        rows[:, played : played + batch.shape[1]] = batch
        played += batch.shape[1]
        size = _next_size(size, time.perf_counter() - start, match.session)
    return is_wanted(played)


def _next_size(size: int, seconds: float, session: int) -> int:
    fitting = size * min(GROWTH, SLICE_S / max(seconds, 1e-6))
    return _whole_sessions(min(int(fitting), MAX_SLICE), session)


def _whole_sessions(deals: int, session: int) -> int:
    return max(1, deals // session) * session


def table_of(match: Match) -> State:
    """Return the state of a table set for a game, its bots seated."""
    state = new_table(match.variant, match.players)
    slots = match.lineup.slots
    state[BOT : BOT + len(slots)] = slots
    return state


def measured_speed(match: Match) -> float:
    """Return the deals a second that one core plays, from a short trial."""
    start = time.perf_counter()
    deadline = start + PILOT_S
    counted = 0

    def is_wanted(played: int) -> bool:
        nonlocal counted
        counted = played
        return time.perf_counter() < deadline

    play_rows(match, 0, np.empty((N_COLUMNS, MAX_SLICE), dtype=np.uint16), is_wanted)
    return max(1, counted) / (time.perf_counter() - start)
