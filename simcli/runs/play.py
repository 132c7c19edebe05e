"""Play one part: what a worker does."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from simcli.bots.batch import N_COLUMNS, Rows, play_batch
from simcli.bots.own.decide import Misplay
from simcli.engine.layout import BOT, State
from simcli.engine.table import new_table
from simcli.errors import RunError
from simcli.rules.wording import printable_path
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
PILOT_DEALS = 10_000


@dataclass(frozen=True)
class Task:
    """Tell a worker which part to play and where to put it.

    Attributes
    ----------
    match : Match
        What is played.
    engine : dict of str
        The engine that plays it, as `engine_identity` names it.
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

    def played(self) -> PlayedPart | None:
        """Play the part into rows; return None if play was stopped before its end."""
        start = time.perf_counter()
        rows: Rows = np.empty((N_COLUMNS, self.part.n_deals), dtype=np.uint16)
        if not play_rows(self.match, self.part.first, rows, partial(is_play_wanted, self.slot)):
            return None
        record = record_of_rows(rows, self.match, self.part)
        content = part_bytes(rows, self.match, self.engine, record)
        return finished_part(record, content, self.engine, time.perf_counter() - start)


@dataclass(frozen=True)
class PlayedPart:
    """Hold a part that is played and not yet written.

    Attributes
    ----------
    record : PartRecord
        Its digest and counts.
    content : bytes
        What its file is to hold.
    """

    record: PartRecord
    content: bytes


def play_part(task: Task) -> PartRecord | None:
    """Play a part and write its file.

    Returns
    -------
    PartRecord or None
        The digest and the counts of the part; None if play was stopped before its end.

    Raises
    ------
    RunError
        An own bot did what a bot must not do.
    """
    start = time.perf_counter()
    played = played_part(task)
    if played is None:
        return None
    task.folder.store.write(task.part.file_name, played.content)
    return replace(played.record, seconds=time.perf_counter() - start)


def played_part(task: Task) -> PlayedPart | None:
    """Play a part; return None if play was stopped before its end."""
    try:
        return task.played()
    except Misplay as misplay:
        raise RunError(misplay_text(misplay, task.folder.path)) from None


def finished_part(record: PartRecord, content: bytes, engine: dict[str, str], seconds: float) -> PlayedPart:
    """Return a part with what only its end tells: the checksum of its file, who played it, how long."""
    whole = replace(record, checksum=checksum_of(content), engine=engine, seconds=seconds)
    return PlayedPart(whole, content)


def misplay_text(misplay: Misplay, folder: Location) -> str:
    """Return in words what an own bot did in a run, and how to see it."""
    command = shlex.join(["simcli", "replay", str(folder), "--deal", str(misplay.deal)])
    return f"{printable_path(folder)}: {misplay} – complete parts stay; see it with: {command}"


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

    Raises
    ------
    Misplay
        An own bot did what a bot must not do.
    """
    play = _player_of(match)
    n = rows.shape[1]
    size = _whole_sessions(1 if match.is_slow else FIRST_SLICE, match.session)
    played = 0
    while played < n:
        if not is_wanted(played):
            return False
        batch: Rows = np.empty((N_COLUMNS, min(size, n - played)), dtype=np.uint16)
        start = time.perf_counter()
        play(first + played, batch)
        rows[:, played : played + batch.shape[1]] = batch
        played += batch.shape[1]
        size = _next_size(size, time.perf_counter() - start, match.session)
    return is_wanted(played)


def _player_of(match: Match) -> Callable[[int, Rows], None]:
    """Return what plays a slice of a match, given its first deal: here, or apart where own bots sit."""
    if match.lineup.own:
        from simcli.runs.apart import play_apart

        return partial(play_apart, match)
    state = table_of(match)
    return lambda first, rows: play_batch(state, match.seed, first, match.session, rows)


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
    """Return the deals a second that one core plays, from a short trial.

    What an own bot does wrong in it is told when the run itself comes to that deal.
    """
    if match.lineup.own:
        with suppress(RunError):  # the process that plays starts, compiled bots are compiled
            play_rows(match, 0, np.empty((N_COLUMNS, match.session), dtype=np.uint16), lambda played: True)
    start = time.perf_counter()
    deadline = start + PILOT_S
    counted = 0

    def is_wanted(played: int) -> bool:
        nonlocal counted
        counted = played
        return played < PILOT_DEALS and time.perf_counter() < deadline

    with suppress(RunError):
        play_rows(match, 0, np.empty((N_COLUMNS, MAX_SLICE), dtype=np.uint16), is_wanted)
    return max(1, counted) / (time.perf_counter() - start)
