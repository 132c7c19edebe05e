"""Verify folders of counts: read every part again, and play a sample of their parts again."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from simcli.analysis.counting import CountingTask, counted_part
from simcli.analysis.plaincounts import restored
from simcli.analysis.rows import View
from simcli.analysis.tablecounts import TableCounts
from simcli.rules.wording import printable_path
from simcli.runs.countsfile import CountsRecord, read_counts, read_counts_record
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity
from simcli.runs.jointfolder import JointFolder, verified_folder
from simcli.runs.jointmatch import JointMatch
from simcli.runs.partfile import DamagedPart
from simcli.runs.plan import Part, Plan
from simcli.runs.play import Task
from simcli.runs.store.location import Location
from simcli.runs.verify import ROWS, Checks, Fault, Found, IsWanted


class CountChecks(Checks):
    """Say how the parts of a folder of counts are checked and played again: whole, for counts do not part."""

    def drawn(self, plan: Plan, sample: int) -> Mapping[int, list[int]]:
        """Return the parts to be played again, drawn at random: as many as hold the deals of the sample."""
        parts = list(plan.parts()) if sample else []
        random.shuffle(parts)
        drawn: dict[int, list[int]] = {}
        deals = 0
        for part in parts:
            if deals >= sample:
                break
            drawn[part.index] = [part.first]
            deals += part.n_deals
        return drawn

    def checked(
        self,
        folder: RunFolder,
        plan: Plan,
        part: Part,
        checksum: str | None,
        drawn: Sequence[int],
        is_wanted: IsWanted,
    ) -> Found:
        """Return what is found of a part of counts."""
        match = plan.match
        assert isinstance(match, JointMatch)
        try:
            record = read_counts_record(folder.store, plan, part, checksum)
            if record is None:
                return None
            _, told = read_counts(folder.store, plan, part)
            _refuse_other_counts(match, record, told)
            if drawn:
                again = counted_part(match, part, is_wanted)
                if again is not None and again != (record, told):
                    raise DamagedPart("it was played again and came to other counts")
        except DamagedPart as error:
            return Fault(printable_path(folder.part_path(part)), str(error), part.index)
        return record, part.n_deals if drawn else 0

    def task(self, plan: Plan, part: Part, folder: RunFolder) -> Task:
        """Return what a worker is told who is to play and count a part again."""
        return CountingTask(plan.match, engine_identity(plan.match.tuned), part, folder)


COUNTS = CountChecks()


def checks_of(path: Location) -> Checks:
    """Return how the parts of a run are checked, be it one with rows or with counts."""
    return COUNTS if isinstance(verified_folder(path), JointFolder) else ROWS


def _refuse_other_counts(match: JointMatch, record: CountsRecord, told: Mapping[str, object]) -> None:
    """Raise a `DamagedPart` if counts are of another kind than the plan's, or of another number of deals."""
    try:
        restored(told, TableCounts.of(match.matches, View.of(match.frame, match.outcome)))
    except (ValueError, KeyError, TypeError):
        raise DamagedPart("its counts are not those of this table") from None
    if any(summary.deals != record.part.n_deals for summary in record.summaries):
        raise DamagedPart("its counts are of another number of deals")
