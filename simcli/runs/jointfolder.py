"""The folder of several variants that are counted together."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar

from simcli.runs.countsfile import counts_metadata, read_counts_record, told_about_counts
from simcli.runs.folder import PLAN_FILE, RunFolder
from simcli.runs.jointmatch import COUNTS_NAME, FORMAT
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Match, Part, Plan
from simcli.runs.planfile import load_joint_plan
from simcli.runs.store.location import Location
from simcli.runs.store.store import Store, store_at


@dataclass(frozen=True)
class JointFolder(RunFolder):
    """Read and write such a folder: as a run's, but for what its parts hold."""

    part_name: ClassVar[re.Pattern[str]] = COUNTS_NAME

    @staticmethod
    def load(path: Location) -> Plan:
        """Load a plan as it lies in such a folder."""
        return load_joint_plan(path)

    @staticmethod
    def read_part(store: Store, plan: Plan, part: Part, known: str | None) -> PartRecord | None:
        """Return what a part's file says, as `countsfile.read_counts_record` does."""
        return read_counts_record(store, plan, part, known)

    @staticmethod
    def told_about(file: BinaryIO) -> dict[str, Any]:
        """Return what a part's file says of itself, as `countsfile.told_about_counts` does."""
        return told_about_counts(file)

    @staticmethod
    def metadata_of(match: Match) -> dict[str, Any]:
        """Return what every part says of what is played."""
        return counts_metadata(match)


def is_joint(path: Location) -> bool:
    """Return whether a folder is one of variants that are counted together, by the first line of its plan."""
    try:
        with store_at(path).open(PLAN_FILE) as file:
            return file.readline().strip() == f"format: {FORMAT}".encode()
    except OSError:
        return False


def folder_at(path: Location) -> RunFolder:
    """Return a folder as what it is."""
    return JointFolder(path) if is_joint(path) else RunFolder(path)


def verified_folder(path: Location) -> RunFolder:
    """Return a folder as what it is, even if its plan does not say so any more."""
    folder = JointFolder(path)
    return folder if is_joint(path) or folder.part_names() else RunFolder(path)
