"""The folder of one run: what lies in it, and whose it is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar

from simcli.errors import refusal
from simcli.rules.wording import printable, printable_path
from simcli.runs.jointmatch import COUNTS_NAME
from simcli.runs.lock import LOCK_FILE
from simcli.runs.partfile import (
    TEMPORARY_END,
    DamagedPart,
    PartRecord,
    read_record,
    write_whole,
)
from simcli.runs.plan import Match, Part, Plan
from simcli.runs.planfile import NO_ROWS, load_plan, yaml_text
from simcli.runs.sums import SUMS_FILE, load_sums, write_sums

PLAN_FILE = "plan.yaml"
RUN_FILE = "run.yaml"
PART_END = ".parquet"
PART_NAME = re.compile(r"part-(\d{5,})\.parquet")
READERS = 4  # parts read at the same time: as fast as disks are, and little memory
WAY_OUT = "give another --out, or start again with --fresh"


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
    path : Path
        The folder; it need not exist yet.
    """

    path: Path

    part_name: ClassVar[re.Pattern[str]] = PART_NAME

    @staticmethod
    def load(path: Path) -> Plan:
        """Load a plan as it lies in such a folder."""
        return load_plan(path)

    @staticmethod
    def read_part(path: Path, plan: Plan, part: Part, known: str | None) -> PartRecord | None:
        """Return what a part's file says, as `partfile.read_record` does."""
        return read_record(path, plan, part, known)

    @property
    def plan_path(self) -> Path:
        """Return where the plan lies."""
        return self.path / PLAN_FILE

    @property
    def run_path(self) -> Path:
        """Return where the report on the complete run lies."""
        return self.path / RUN_FILE

    @property
    def sums_path(self) -> Path:
        """Return where the checksums of the parts lie."""
        return self.path / SUMS_FILE

    def part_path(self, part: Part) -> Path:
        """Return where a part lies."""
        return self.path / part.file_name

    def plan(self) -> Plan | None:
        """Return the plan of the run in the folder, None if the folder is empty or not there.

        Raises
        ------
        InputError
            The folder holds something else, or its plan cannot be read.
        """
        self.refuse_other_contents()
        if self.plan_path.exists():
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
        self.run_path.unlink(missing_ok=True)
        self.make()
        write_whole(self.plan_path, yaml_text(plan.as_mapping()).encode())

    def records(self, plan: Plan, parts: Iterable[Part]) -> tuple[list[PartRecord], list[Part], list[Damage]]:
        """Return which parts are complete, which are absent, and which are damaged; look at every byte."""
        complete: list[PartRecord] = []
        absent: list[Part] = []
        damaged: list[Damage] = []
        wanted = list(parts)
        sums = load_sums(self.sums_path)
        for part, found in zip(wanted, _in_threads(partial(self._found, plan, sums), wanted), strict=True):
            if found is None:
                absent.append(part)
            elif isinstance(found, Damage):
                damaged.append(found)
            else:
                complete.append(found)
        return complete, absent, damaged

    def _found(self, plan: Plan, sums: dict[str, str], part: Part) -> PartRecord | Damage | None:
        try:
            return self.read_part(self.part_path(part), plan, part, sums.get(part.file_name))
        except DamagedPart as error:
            return Damage(part, str(error))

    def note_sums(self, records: Iterable[PartRecord]) -> None:
        """Write down the checksums of complete parts, beside those of the other parts that are there."""
        before = load_sums(self.sums_path)
        told = before | {record.part.file_name: record.checksum for record in records}
        sums = {name: told[name] for name in self._names() if name in told}
        if sums != before:
            write_sums(self.sums_path, sums)

    def clear(self) -> None:
        """Remove a run, and nothing else: first what says that it is complete, last its plan."""
        self.refuse_other_contents()
        self.run_path.unlink(missing_ok=True)
        self.remove_temporary()
        for name in self.part_names():
            (self.path / name).unlink()
        self.sums_path.unlink(missing_ok=True)
        self.plan_path.unlink(missing_ok=True)

    def remove_parts_after(self, last: int) -> None:
        """Remove the parts whose number is above `last`."""
        for name in self._names():
            match = self.part_name.fullmatch(name)
            if match is not None and int(match[1]) > last:
                (self.path / name).unlink()
        self.note_sums(())

    def remove_temporary(self) -> None:
        """Remove what a killed worker left behind."""
        for name in self._names():
            if _is_temporary(name):
                (self.path / name).unlink(missing_ok=True)

    def refuse_unwritable(self) -> None:
        """Raise an `InputError` if the folder cannot be made or written."""
        there = next(path for path in (self.path, *self.path.absolute().parents) if os.path.lexists(path))
        where = printable_path(there)
        if there.is_symlink() and not there.exists():
            target = printable_path(os.readlink(there))
            raise refusal(
                where, f"expected a folder, got a link to {target}, which is not there – give another --out"
            )
        if not there.is_dir():
            raise refusal(where, "expected a folder, got a file – give another --out")
        if not os.access(there, os.W_OK | os.X_OK):
            raise refusal(
                where, "expected a folder that can be written, got one that cannot – give another --out"
            )

    def make(self) -> None:
        """Make the folder, if it is not there."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"expected a folder that can be made, got: {error.strerror} – give another --out"
            raise refusal(printable_path(self.path), message) from None

    def part_names(self) -> list[str]:
        """Return the names of the parts that are there, whether planned and sound or not."""
        return [name for name in self._names() if self.part_name.fullmatch(name)]

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self.path))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            where = printable_path(self.path)
            raise refusal(where, f"expected a folder that can be read, got: {error.strerror}") from None

    def refuse_other_contents(self) -> None:
        """Raise an `InputError` if anything but a run lies in the folder."""
        strange = [name for name in self._names() if not self._is_ours(name)]
        if any(COUNTS_NAME.fullmatch(name) for name in strange):
            raise refusal(printable_path(self.path), f"expected a run with rows, got counts – {NO_ROWS}")
        if strange:
            shown = ", ".join(printable(name) for name in strange[:3])
            more = f" and {len(strange) - 3} more" if len(strange) > 3 else ""
            message = f"expected nothing but a run of simcli, got {shown}{more} – move it away"
            raise refusal(printable_path(self.path), f"{message}, or give another --out")
        for name in self._names():
            path = self.path / name
            if not path.is_file() and os.path.lexists(path):  # what another command sweeps away is no fault
                message = "expected a file of a run, got something else – move it away, or give another --out"
                raise refusal(printable_path(path), message)

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
