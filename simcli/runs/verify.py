"""Verify a finished or unfinished run: read every row again, and play a sample of its deals again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from simcli.bots.batch import N_COLUMNS, Rows
from simcli.errors import refusal
from simcli.rules.wording import printable_path
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import PLAN_FILE, RunFolder
from simcli.runs.identity import engine_identity, engine_text, is_this_engine
from simcli.runs.partfile import DamagedPart, PartRecord, read_record, rows_of_file
from simcli.runs.plan import Part, Plan
from simcli.runs.play import play_rows
from simcli.runs.runfile import report_problems
from simcli.runs.sums import load_sums

DEFAULT_SAMPLE = 1000
MAX_SAMPLE = 1_000_000
READERS = 2  # every row is taken apart, so this many cores are busy and as many parts in memory


@dataclass(frozen=True)
class Fault:
    """Name a file of a run that is not what it should be.

    Attributes
    ----------
    file : str
        Its path.
    reason : str
        What is wrong with it.
    part : int or None
        The number of the part, None if it is no part.
    """

    file: str
    reason: str
    part: int | None = None


@dataclass(frozen=True)
class Verified:
    """Hold what was found out about a run.

    Attributes
    ----------
    folder : str
        Its folder.
    deals : int
        Deals that were declared.
    read : int
        Deals whose rows were read and are sound.
    absent : int
        Deals that have not been played yet.
    replayed : int
        Deals that were played again and went the same way.
    skipped : str or None
        Why none was played again.
    faults : tuple of Fault
        What is damaged.
    """

    folder: str
    deals: int
    read: int
    absent: int
    replayed: int
    skipped: str | None
    faults: tuple[Fault, ...]

    @property
    def is_sound(self) -> bool:
        """Return whether nothing is damaged; deals that are still to be played are no damage."""
        return not self.faults

    def as_mapping(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "sound": self.is_sound}


def verify_run(
    path: Path, sample: int = DEFAULT_SAMPLE, show: Callable[[int], None] = lambda read: None
) -> Verified:
    """Read every part of a run again, and play a random sample of its deals again.

    A part is sound if its file is of this run and range, has the columns and types of docs/formats.md, holds
    the deals of its range in order, and its rows have the digest and the counts that it names. The sample is
    drawn anew each time: deals of whole sessions, spread over all parts.

    Parameters
    ----------
    path : Path
        The folder of the run.
    sample : int
        About how many deals to play again; sessions are played as a whole.
    show : callable
        Told after each part how many deals have been read.

    Raises
    ------
    InputError
        There is no such folder, no plan in it, or none that can be read.
    """
    folder, plan = folder_and_plan(path)
    parts = list(plan.parts())
    can_replay = is_this_engine(plan.engine)
    sessions = _drawn_sessions(plan, sample if can_replay else 0)
    sums = load_sums(folder.sums_path)
    faults: list[Fault] = []
    records: list[PartRecord] = []
    absent = read = replayed = 0

    def check(part: Part) -> tuple[PartRecord, int] | Fault | None:
        return _checked(folder, plan, part, sums.get(part.file_name), sessions.get(part.index, []))

    for part, found in zip(parts, _each(check, parts), strict=True):
        if found is None:
            absent += part.n_deals
        elif isinstance(found, Fault):
            faults.append(found)
        else:
            records.append(found[0])
            read += part.n_deals
            replayed += found[1]
        show(read)
    if not absent and not faults:
        digest = digest_text(add_digests(*(record.digest for record in records)))
        faults += _report_faults(folder, plan, digest)
    return Verified(
        str(path),
        plan.deals,
        read,
        absent,
        replayed,
        None if can_replay else _other_engine(plan),
        tuple(faults),
    )


def folder_and_plan(path: Path) -> tuple[RunFolder, Plan]:
    """Return the folder of a run and its plan.

    Raises
    ------
    InputError
        There is no such folder, no plan in it, or none that can be read.
    """
    where = printable_path(path)
    if not path.is_dir():
        raise refusal(where, "expected the folder of a run, there is none – `simcli runs` lists them")
    folder = RunFolder(path)
    plan = folder.plan()
    if plan is None:
        raise refusal(where, f"expected a run with its {PLAN_FILE}, there is none – `simcli runs` lists runs")
    return folder, plan


def _report_faults(folder: RunFolder, plan: Plan, digest: str) -> list[Fault]:
    """Return what is wrong with `run.yaml`, which a complete run has."""
    where = printable_path(folder.run_path)
    if not folder.run_path.is_file():
        return [Fault(where, "it is missing though all parts are there")]
    return [
        Fault(where, str(problem).removeprefix(f"{where}: "))
        for problem in report_problems(folder.run_path, plan, digest)
    ]


def _each(
    check: Callable[[Part], tuple[PartRecord, int] | Fault | None], parts: list[Part]
) -> Iterator[tuple[PartRecord, int] | Fault | None]:
    """Yield what a check says of each part, in order, `READERS` at a time."""
    threads = ThreadPoolExecutor(READERS)
    try:
        yield from threads.map(check, parts)
    finally:
        threads.shutdown(cancel_futures=True)


def _checked(
    folder: RunFolder, plan: Plan, part: Part, checksum: str | None, sessions: list[int]
) -> tuple[PartRecord, int] | Fault | None:
    """Return a part's record and how many of its deals were played again, or what is wrong with it."""
    path = folder.part_path(part)
    where = printable_path(path)
    try:
        record = read_record(path, plan, part)
        if record is None:
            return None
        if checksum is not None and record.checksum != checksum:
            return Fault(where, "its bytes are not those that were written", part.index)
        wrong = _first_wrong_deal(plan, part, rows_of_file(path), sessions)
    except DamagedPart as error:
        return Fault(where, str(error), part.index)
    if wrong is not None:
        return Fault(where, f"deal {wrong} was played again and went another way", part.index)
    return record, sum(_length(plan, session) for session in sessions)


def _drawn_sessions(plan: Plan, sample: int) -> dict[int, list[int]]:
    """Return the first deals of some sessions drawn at random, by the number of the part they lie in."""
    length = plan.match.session
    n_sessions = -(-plan.deals // length)
    wanted = min(n_sessions, -(-sample // length))
    firsts = sorted(session * length for session in random.sample(range(n_sessions), wanted))
    drawn: dict[int, list[int]] = {}
    parts = plan.parts()
    part = next(parts)
    for first in firsts:
        while first >= part.end:
            part = next(parts)
        drawn.setdefault(part.index, []).append(first)
    return drawn


def _length(plan: Plan, first: int) -> int:
    """Return the deals of the session that begins with a deal."""
    return min(plan.match.session, plan.deals - first)


def _first_wrong_deal(plan: Plan, part: Part, rows: Rows, sessions: list[int]) -> int | None:
    """Return the first deal of some sessions that goes another way when played again, None if none does."""
    for first in sessions:
        again: Rows = np.empty((N_COLUMNS, _length(plan, first)), dtype=np.uint16)
        play_rows(plan.match, first, again, lambda played: True)
        begin = first - part.first
        differs = _differing(rows[:, begin : begin + again.shape[1]], again, plan.match.players)
        if differs.any():
            return first + int(differs.argmax())
    return None


def _differing(rows: Rows, again: Rows, players: int) -> npt.NDArray[np.bool_]:
    """Return which columns of two batches differ in anything that a part keeps."""
    from simcli.runs.columns import frame_of_rows

    kept, played = (frame_of_rows(each, 0, 1, players) for each in (rows, again))
    differs = np.zeros(rows.shape[1], dtype=np.bool_)
    for name in kept.columns:
        differs |= kept[name].ne_missing(played[name]).to_numpy()
    return differs


def _other_engine(plan: Plan) -> str:
    return f"played by engine {engine_text(plan.engine)}, this is {engine_text(engine_identity())}"
