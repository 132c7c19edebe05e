"""Verify a finished or unfinished run: read every part again, and play a sample of its deals again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from simcli.bots.batch import N_COLUMNS, Rows
from simcli.errors import refusal
from simcli.rules.wording import printable_path
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import PLAN_FILE, RunFolder, holds_runs, no_run
from simcli.runs.identity import engine_identity, engine_text, is_this_engine
from simcli.runs.jointfolder import JointFolder, verified_folder
from simcli.runs.jointmatch import COUNTS
from simcli.runs.partfile import DamagedPart, PartRecord, read_record, rows_of_content
from simcli.runs.plan import PARQUET, Part, Plan
from simcli.runs.play import Task, play_rows
from simcli.runs.restore import plan_and_fault
from simcli.runs.runfile import report_problems
from simcli.runs.store.location import Location
from simcli.runs.sums import load_sums, unread_lines

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
    repaired : bool
        Whether it has been put right.
    """

    file: str
    reason: str
    part: int | None = None
    repaired: bool = False

    @property
    def is_surplus(self) -> bool:
        """Return whether it is a part that the plan has no place for; nobody but its owner removes it."""
        return self.part is None and self.file.endswith((PARQUET, COUNTS))


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
        Deals whose rows, or counts, were read and are sound.
    absent : int
        Deals that have not been played yet.
    replayed : int
        Deals that were played again and went the same way.
    skipped : str or None
        Why none was played again.
    holder : str or None
        Who is playing there.
    faults : tuple of Fault
        What is damaged, or was.
    summary : bool
        Whether it holds counts in place of rows.
    """

    folder: str
    deals: int
    read: int
    absent: int
    replayed: int
    skipped: str | None
    holder: str | None
    faults: tuple[Fault, ...]
    summary: bool = False

    @property
    def is_sound(self) -> bool:
        """Return whether nothing is damaged now; deals that are still to be played are no damage."""
        return all(fault.repaired for fault in self.faults)

    def as_mapping(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {**asdict(self), "sound": self.is_sound}


@dataclass(frozen=True)
class Inspection:
    """Hold a run that was read, and what was found.

    Attributes
    ----------
    folder : RunFolder
        Its folder.
    plan : Plan
        Its plan, or what that must have been.
    records : tuple of PartRecord
        The parts that are sound, in order.
    found : Verified
        What was found out.
    """

    folder: RunFolder
    plan: Plan
    records: tuple[PartRecord, ...]
    found: Verified

    @property
    def damaged(self) -> list[Part]:
        """Return the parts that are damaged."""
        numbers = {fault.part for fault in self.found.faults if not fault.repaired}
        return [part for part in self.plan.parts() if part.index in numbers]


Show = Callable[[int], None]
IsWanted = Callable[[int], bool]
Found = tuple[PartRecord, int] | Fault | None
"""A part's record and how many of its deals were played again, or what is wrong with it; None: absent."""


class Checks:
    """Say how the parts of a run with rows are checked and played again."""

    def drawn(self, plan: Plan, sample: int) -> Mapping[int, list[int]]:
        """Return the first deals of what is to be played again, by the number of the part they lie in."""
        return _drawn_sessions(plan, sample)

    def checked(
        self,
        folder: RunFolder,
        plan: Plan,
        part: Part,
        checksum: str | None,
        drawn: Sequence[int],
        is_wanted: IsWanted,
    ) -> Found:
        """Return what is found of a part; play again from the deals that were drawn, as long as is wanted."""
        return _checked(folder, plan, part, checksum, drawn)

    def task(self, plan: Plan, part: Part, folder: RunFolder) -> Task:
        """Return what a worker is told who is to play a part again."""
        return Task(plan.match, engine_identity(plan.match.tuned), part, folder)


ROWS = Checks()


def verify_run(
    path: Location, sample: int = DEFAULT_SAMPLE, show: Show = lambda read: None, checks: Checks = ROWS
) -> Verified:
    """Read every part of a run again, and play a random sample of its deals again.

    A part is sound if its file is of this run and range, has the columns and types of docs/formats.md, holds
    the deals of its range in order, and its rows have the digest and the counts that it names. The sample is
    drawn anew each time: deals of whole sessions, spread over all parts.

    Parameters
    ----------
    path : Path or S3Url
        The folder of the run.
    sample : int
        About how many deals to play again; sessions are played as a whole.
    show : callable
        Told after each part how many deals have been read.
    checks : Checks
        How parts are checked: those of a run with rows, unless `simcli.analysis.recount` says otherwise.

    Raises
    ------
    InputError
        There is no such folder, no run in it, or no plan of it that can be read or restored.
    """
    return inspect_run(path, sample, show, checks, RunFolder(path).holder()).found


def inspect_run(
    path: Location, sample: int, show: Show, checks: Checks, holder: str | None = None
) -> Inspection:
    """Return what `verify_run` finds, with all that is needed to repair it.

    Of a run that somebody plays, files that lag behind its parts are no damage.
    """
    folder, plan, reason = run_of(path)
    faults = [] if reason is None else [Fault(printable_path(folder.plan_path), reason)]
    can_replay = is_this_engine(plan.engine, plan.match.tuned)
    drawn = checks.drawn(plan, sample if can_replay else 0)
    sums = load_sums(folder.store)
    parts = list(plan.parts())
    records: list[PartRecord] = []
    absent = read = replayed = 0

    def check(part: Part, is_wanted: IsWanted) -> Found:
        known = sums.get(part.file_name)
        return checks.checked(folder, plan, part, known, drawn.get(part.index, []), is_wanted)

    is_complete = folder.has_report()
    for part, found in zip(parts, _each(check, parts), strict=True):
        if isinstance(found, Fault):
            faults.append(found)
        elif found is not None:
            records.append(found[0])
            read += part.n_deals
            replayed += found[1]
        elif is_complete:
            where = printable_path(folder.part_path(part))
            faults.append(Fault(where, "it is missing, though the run is complete", part.index))
        else:
            absent += part.n_deals
        show(read)
    faults += _surplus(folder, parts)
    if holder is None:
        faults += sums_faults(folder, records)
        if len(records) == len(parts):
            faults += report_faults(folder, plan, records)
    skipped = None if can_replay else _other_engine(plan)
    is_counted = isinstance(folder, JointFolder)
    found_out = Verified(
        str(path), plan.deals, read, absent, replayed, skipped, holder, tuple(faults), is_counted
    )
    return Inspection(folder, plan, tuple(records), found_out)


def run_of(path: Location) -> tuple[RunFolder, Plan, str | None]:
    """Return the folder of a run, its plan, and what is wrong with the plan's file, if anything is.

    Raises
    ------
    InputError
        As for `verify_run`.
    """
    folder = verified_folder(path)
    if not folder.is_there():
        raise refusal(
            printable_path(path), "expected the folder of a run, there is none – `simcli runs` lists them"
        )
    if not folder.has_plan() and holds_runs(path):
        raise no_run(path)
    folder.refuse_other_contents()
    return folder, *plan_and_fault(folder)


def report_faults(folder: RunFolder, plan: Plan, records: list[PartRecord]) -> list[Fault]:
    """Return what is wrong with `run.yaml`, which a complete run has."""
    where = printable_path(folder.run_path)
    if not folder.has_report():
        return [Fault(where, "it is missing, though all parts are there")]
    digest = digest_text(add_digests(*(record.digest for record in records)))
    return [
        Fault(where, _beside(where, str(problem)))
        for problem in report_problems(folder.run_path, plan, digest, folder.load)
    ]


def _beside(where: str, problem: str) -> str:
    """Return a problem's text without its file, which stands before it already.

    >>> _beside("a.yaml", "a.yaml:3: expected a number"), _beside("a.yaml", "a.yaml: expected a file")
    ('line 3: expected a number', 'expected a file')
    """
    if problem.startswith(f"{where}: "):
        return problem.removeprefix(f"{where}: ")
    return f"line {problem.removeprefix(where)[1:]}" if problem.startswith(f"{where}:") else problem


def sums_faults(folder: RunFolder, records: list[PartRecord]) -> list[Fault]:
    """Return what is wrong with the list of checksums: lines that say nothing, parts without one.

    A command that is killed may leave its last parts without a line; that is no damage.
    """
    where = printable_path(folder.sums_path)
    n_unread = unread_lines(folder.store)
    if n_unread:
        return [Fault(where, f"{n_unread} of its lines say nothing")]
    if folder.has_report():
        sums = load_sums(folder.store)
        n_lacking = sum(record.part.file_name not in sums for record in records)
        if n_lacking:
            return [Fault(where, f"it lacks the checksums of {n_lacking} parts")]
    return []


def _surplus(folder: RunFolder, parts: list[Part]) -> Iterator[Fault]:
    """Yield the parts that the plan has no place for."""
    planned = {part.file_name for part in parts}
    for name in folder.part_names():
        if name not in planned:
            yield Fault(printable_path(folder.path / name), f"{PLAN_FILE} has no such part – move it away")


def _each(check: Callable[[Part, IsWanted], Found], parts: list[Part]) -> Iterator[Found]:
    """Yield what a check says of each part, in order, `READERS` at a time; after Ctrl-C none plays on."""
    threads, is_over = ThreadPoolExecutor(READERS), Event()
    try:
        yield from threads.map(lambda part: check(part, lambda played: not is_over.is_set()), parts)
    finally:
        is_over.set()
        threads.shutdown(cancel_futures=True)


def _checked(
    folder: RunFolder, plan: Plan, part: Part, checksum: str | None, sessions: Sequence[int]
) -> Found:
    """Return what is found of a part with rows."""
    where = printable_path(folder.part_path(part))
    try:
        record = read_record(folder.store, plan, part)
        if record is None:
            return None
        if checksum is not None and record.checksum != checksum:
            return Fault(where, "its bytes are not those that were written", part.index)
        wrong = _first_wrong_deal(plan, part, rows_of_content(folder.store.read(part.file_name)), sessions)
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


def _first_wrong_deal(plan: Plan, part: Part, rows: Rows, sessions: Sequence[int]) -> int | None:
    """Return the first deal of some sessions that goes another way when played again, None if none does."""
    if not sessions:
        return None
    lengths = [_length(plan, first) for first in sessions]
    deals = np.concatenate([np.arange(first, first + n) for first, n in zip(sessions, lengths, strict=True)])
    again: Rows = np.empty((N_COLUMNS, len(deals)), dtype=np.uint16)
    begin = 0
    for first, n_deals in zip(sessions, lengths, strict=True):
        play_rows(plan.match, first, again[:, begin : begin + n_deals], lambda played: True)
        begin += n_deals
    differs = _differing(rows[:, deals - part.first], again, plan.match.players)
    return int(deals[differs.argmax()]) if differs.any() else None


def _differing(rows: Rows, again: Rows, players: int) -> npt.NDArray[np.bool_]:
    """Return which columns of two batches differ in anything that a part keeps."""
    from simcli.runs.columns import frame_of_rows

    kept, played = (frame_of_rows(each, 0, 1, players) for each in (rows, again))
    differs = np.zeros(rows.shape[1], dtype=np.bool_)
    for name in kept.columns:
        differs |= kept[name].ne_missing(played[name]).to_numpy()
    return differs


def _other_engine(plan: Plan) -> str:
    ours = engine_identity(plan.match.tuned)
    return f"played by engine {engine_text(plan.engine)}, this is {engine_text(ours)}"
