"""The folder of one run: what lies in it, and whose it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, BinaryIO, ClassVar, Self

from simcli.errors import InputError, refusal
from simcli.rules.wording import printable, printable_path
from simcli.runs.jointmatch import COUNTS_NAME
from simcli.runs.lock import LOCK_FILE
from simcli.runs.partfile import (
    TEMPORARY_END,
    DamagedPart,
    PartRecord,
    match_metadata,
    read_record,
    told_about,
)
from simcli.runs.plan import Match, Part, Plan
from simcli.runs.planfile import NO_ROWS, load_plan, yaml_text
from simcli.runs.store.location import Location, is_url
from simcli.runs.store.store import Lock, Store, store_at
from simcli.runs.sums import SUMS_FILE, load_sums, write_sums

PLAN_FILE = "plan.yaml"
RUN_FILE = "run.yaml"
PART_END = ".parquet"
PART_NAME = re.compile(r"part-(\d{5,})\.parquet")
READERS = 4  # parts read at the same time: as fast as disks are, and little memory
WAY_OUT = "give another --out, or start again with --fresh"


def no_run(path: Location, *, only_one: bool = False) -> InputError:
    """Return the refusal of a folder without a plan; where runs lie in it, with how to name them.

    Parameters
    ----------
    path : Path or S3Url
        The folder.
    only_one : bool
        Whether a single run is wanted.
    """
    where, expected = printable_path(path), "expected the folder of a run"
    if not holds_runs(path):
        return refusal(where, f"{expected}, got one without {PLAN_FILE} – `simcli runs` lists runs")
    way_out = f"those in it are {where}/*"
    if only_one or is_url(str(path)):
        way_out = f"`simcli runs {where}` lists those in it"
    return refusal(where, f"{expected}, got one of runs – {way_out}")


def holds_runs(path: Location) -> bool:
    """Return whether a folder is one of runs."""
    with suppress(OSError):
        return any(store_at(path / name).has(PLAN_FILE) for name in store_at(path).names())
    return False


@dataclass(frozen=True)
class Damage:
    """Name a part's file that is not what it should be, and why."""

    part: Part
    reason: str


@dataclass(frozen=True)
class RunFolder:
    """Read and write the folder of a run.

    Attributes
    ----------
    path : Path or S3Url
        The folder; it need not exist yet.
    token : str
        That of the lock under which it is written, if one is held.
    """

    path: Location
    token: str = field(default="", compare=False)

    part_name: ClassVar[re.Pattern[str]] = PART_NAME

    @staticmethod
    def load(path: Location) -> Plan:
        """Load a plan as it lies in such a folder."""
        return load_plan(path)

    @staticmethod
    def read_part(store: Store, plan: Plan, part: Part, known: str | None) -> PartRecord | None:
        """Return what a part's file says, as `partfile.read_record` does."""
        return read_record(store, plan, part, known)

    @staticmethod
    def told_about(file: BinaryIO) -> dict[str, Any]:
        """Return what a part's file says of itself, as `partfile.told_about` does."""
        return told_about(file)

    @staticmethod
    def metadata_of(match: Match) -> dict[str, Any]:
        """Return what every part says of what is played."""
        return match_metadata(match)

    @property
    def store(self) -> Store:
        """Return what keeps the files of the folder."""
        return store_at(self.path, self.token)

    @contextmanager
    def locked(self) -> Iterator[Lock]:
        """Hold the lock of the folder, if nobody else does."""
        lock = self.store.lock()
        lock.take()
        try:
            yield lock
        finally:
            lock.release()

    def holder(self) -> str | None:
        """Return who plays there, None if nobody does."""
        with self.locked() as lock:
            return lock.holder

    def absolute(self) -> Self:
        """Return the folder as processes that run elsewhere have to be told of it."""
        return replace(self, path=self.path.absolute())

    def under(self, lock: Lock) -> Self:
        """Return the folder as it is written under a lock."""
        return replace(self, token=lock.token)

    @property
    def plan_path(self) -> Location:
        """Return where the plan lies."""
        return self.path / PLAN_FILE

    @property
    def run_path(self) -> Location:
        """Return where the report on the complete run lies."""
        return self.path / RUN_FILE

    @property
    def sums_path(self) -> Location:
        """Return where the checksums of the parts lie."""
        return self.path / SUMS_FILE

    def part_path(self, part: Part) -> Location:
        """Return where a part lies."""
        return self.path / part.file_name

    def is_there(self) -> bool:
        """Return whether there is such a folder."""
        return self.store.is_there()

    def has_plan(self) -> bool:
        """Return whether a plan lies there."""
        return self.store.has(PLAN_FILE)

    def has_report(self) -> bool:
        """Return whether there is a report on the complete run."""
        return self.store.has(RUN_FILE)

    def plan(self) -> Plan | None:
        """Return the plan of the run in the folder, None if the folder is empty or not there.

        Raises
        ------
        InputError
            The folder holds something else, or its plan cannot be read.
        """
        self.refuse_other_contents()
        if self.has_plan():
            return self.load(self.plan_path)
        if any(not _is_temporary(name) and name != LOCK_FILE for name in self._names()):
            message = f"expected a {PLAN_FILE}, got parts without one – {WAY_OUT}"
            raise refusal(printable_path(self.path), message)
        return None

    def plan_of(self, match: Match) -> Plan | None:
        """Return the plan of the run in the folder, which must be of this match; None if there is none.

        Raises
        ------
        InputError
            The folder holds another run or something else.
        """
        plan = self.plan()
        if plan is not None and plan.match.identity() != match.identity():
            what = "; ".join(match.differences(plan.match))
            raise refusal(
                printable_path(self.path),
                f"expected a run of the same plan, got another ({what}) – {WAY_OUT}",
            )
        return plan

    def write_plan(self, plan: Plan) -> None:
        """Write the plan; the report on a shorter run goes first, for it no longer tells the whole."""
        self.remove_report()
        self.make()
        self.store.write(PLAN_FILE, yaml_text(plan.as_mapping()).encode())

    def write_report(self, mapping: dict[str, Any]) -> None:
        """Write the report on the complete run."""
        self.store.write(RUN_FILE, yaml_text(mapping).encode())

    def remove_report(self) -> None:
        """Remove the report: the run is not complete, or not any more."""
        self.store.remove(RUN_FILE)

    def records(self, plan: Plan, parts: Iterable[Part]) -> tuple[list[PartRecord], list[Part], list[Damage]]:
        """Return which parts are complete, which are absent, and which are damaged; look at every byte."""
        complete: list[PartRecord] = []
        absent: list[Part] = []
        damaged: list[Damage] = []
        wanted = list(parts)
        there, sums = frozenset(self._names()), load_sums(self.store)
        check = partial(self._found, plan, there, sums)
        for part, found in zip(wanted, _in_threads(check, wanted), strict=True):
            if found is None:
                absent.append(part)
            elif isinstance(found, Damage):
                damaged.append(found)
            else:
                complete.append(found)
        return complete, absent, damaged

    def _found(
        self, plan: Plan, there: Collection[str], sums: dict[str, str], part: Part
    ) -> PartRecord | Damage | None:
        if part.file_name not in there:
            return None
        try:
            return self.read_part(self.store, plan, part, sums.get(part.file_name))
        except DamagedPart as error:
            return Damage(part, str(error))

    def note_sums(self, records: Iterable[PartRecord]) -> None:
        """Write down the checksums of complete parts, beside those of the other parts that are there."""
        before = load_sums(self.store)
        told = before | {record.part.file_name: record.checksum for record in records}
        sums = {name: told[name] for name in self._names() if name in told}
        if sums != before:
            write_sums(self.store, sums)

    def clear(self) -> None:
        """Remove a run, and nothing else: first what says that it is complete, last its plan."""
        self.refuse_other_contents()
        self.remove_report()
        self.remove_temporary()
        for name in self.part_names():
            self.store.remove(name)
        self.store.remove(SUMS_FILE)
        self.store.remove(PLAN_FILE)

    def remove_parts_after(self, last: int) -> None:
        """Remove the parts whose number is above `last`."""
        for name in self._names():
            match = self.part_name.fullmatch(name)
            if match is not None and int(match[1]) > last:
                self.store.remove(name)
        self.note_sums(())

    def remove_temporary(self) -> None:
        """Remove what a killed worker left behind."""
        for name in self._names():
            if _is_temporary(name):
                self.store.remove(name)

    def refuse_unwritable(self) -> None:
        """Raise an `InputError` if the folder cannot be made or written."""
        self.store.refuse_unwritable()

    def make(self) -> None:
        """Make the folder, if it is not there."""
        self.store.make()

    def part_names(self) -> list[str]:
        """Return the names of the parts that are there, whether planned and sound or not."""
        return [name for name in self._names() if self.part_name.fullmatch(name)]

    def _names(self) -> list[str]:
        try:
            return self.store.names()
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            where = printable_path(self.path)
            raise refusal(where, f"expected a folder that can be read, got: {error.strerror}") from None

    def refuse_other_contents(self) -> None:
        """Raise an `InputError` if anything but a run lies in the folder."""
        names, store = self._names(), self.store
        strange = [name for name in names if not self._is_ours(name)]
        if any(COUNTS_NAME.fullmatch(name) for name in strange):
            raise refusal(printable_path(self.path), f"expected a run with rows, got counts – {NO_ROWS}")
        if strange:
            shown = ", ".join(printable(name) for name in strange[:3])
            more = f" and {len(strange) - 3} more" if len(strange) > 3 else ""
            message = f"expected nothing but a run of simcli, got {shown}{more} – move it away"
            raise refusal(printable_path(self.path), f"{message}, or give another --out")
        for name in names:
            if store.is_no_file(name):
                message = "expected a file of a run, got something else – move it away, or give another --out"
                raise refusal(printable_path(self.path / name), message)

    def _is_ours(self, name: str) -> bool:
        known = (PLAN_FILE, RUN_FILE, SUMS_FILE, LOCK_FILE)
        return name in known or self.part_name.fullmatch(name) is not None or _is_temporary(name)


def _in_threads(
    check: Callable[[Part], PartRecord | Damage | None], parts: Sequence[Part]
) -> list[PartRecord | Damage | None]:
    """Return what a check says of each part, several at a time; Ctrl-C waits for those only."""
    if len(parts) < 2:
        return [check(part) for part in parts]
    threads = ThreadPoolExecutor(READERS)
    try:
        return list(threads.map(check, parts))
    finally:
        threads.shutdown(cancel_futures=True)


def _is_temporary(name: str) -> bool:
    return name.startswith(".") and name.endswith(TEMPORARY_END)
