"""Finished runs: read their folders, and refuse whatever a comparison could not rely on."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.canonical import rules_hash
from simcli.rules.variant import Variant
from simcli.rules.wording import printable_path, shown
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import PLAN_FILE, RunFolder, no_run
from simcli.runs.jointfolder import is_joint
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Match, Part, Plan
from simcli.runs.runfile import report_problems
from simcli.runs.store.location import Location, S3Url, location, resolved
from simcli.runs.store.store import store_at
from simcli.runs.summary import Summary, add_summaries, n_positions

if TYPE_CHECKING:
    import polars as pl

    from simcli.analysis.tablecounts import TableCounts

GO_ON = "go on with it by the command that began it"
AGAIN = "play it again with simcli run … --fresh"
PLAY_ROWS = "play it without --summary"
MEND = "mend it by the command that played it"


@dataclass(frozen=True)
class FinishedRun:
    """Hold a run whose folder is complete and agrees with itself.

    Attributes
    ----------
    path : Path or S3Url
        Its folder.
    plan : Plan
        What was played.
    deals : int
        How many of its deals are to be looked at: a number it was declared with.
    digest : str
        Digest of the rows up to `deals`.
    summary : Summary
        What its parts say they hold, up to `deals`.
    counts : TableCounts, optional
        What is kept of it and of the runs it was played with, where that is in place of rows.
    """

    path: Location
    plan: Plan
    deals: int
    digest: str
    summary: Summary
    counts: TableCounts | None = field(default=None, kw_only=True, repr=False, compare=False)

    @property
    def match(self) -> Match:
        """Return what was played."""
        return self.plan.match

    @property
    def variant(self) -> Variant:
        """Return the seated variant."""
        return self.plan.match.variant

    @property
    def lineup(self) -> str:
        """Return who played, as a table names it."""
        return self.match.lineup.text

    @property
    def members(self) -> tuple[FinishedRun, ...]:
        """Return the runs that its rows are of: itself."""
        return (self,)

    @property
    def look(self) -> int:
        """Return the place of `deals` among the declared sizes, from 1: a longer run is a further look."""
        return self.plan.declared.index(self.deals) + 1

    @property
    def place(self) -> Location:
        """Return what tells it from other runs: its folder, and in a folder of several its name, too."""
        whole = resolved(self.path)
        return whole if self.counts is None else whole / self.variant.name

    @cached_property
    def rules(self) -> str:
        """Return the hash of the rules."""
        return rules_hash(self.variant)

    @property
    def positions(self) -> int:
        """Return the number of positions: seats, or teams."""
        return n_positions(self.variant)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Return the parts that are looked at, in order of deals."""
        return tuple(self.plan.parts(self.deals))

    def parts_in(self, first: int, end: int) -> Iterator[Part]:
        """Yield the parts that hold any of the deals from `first` to `end`, the latter excluded."""
        for part in self.parts[bisect_right(self.parts, first, key=lambda part: part.end) :]:
            if part.first >= end:
                return
            yield part

    def path_of(self, part: Part) -> Location:
        """Return the file of a part.

        Raises
        ------
        InputError
            There are counts in place of rows.
        """
        self._refuse_counts()
        return self.path / part.file_name

    def scan(self, part: Part) -> pl.LazyFrame:
        """Return the rows of a part; refused where counts are kept in their place."""
        self._refuse_counts()
        return store_at(self.path).scan(part.file_name)

    def _refuse_counts(self) -> None:
        if self.counts is not None:
            raise refusal(printable_path(self.path), f"expected a run with rows, got counts – {PLAY_ROWS}")


def counts_of(runs: Sequence[FinishedRun]) -> TableCounts | None:
    """Return what is kept of some runs in place of their rows, None if they have rows."""
    return runs[0].counts


def load_finished(path: Location, deals: int | None = None) -> FinishedRun:
    """Load the folder of a finished run.

    Parameters
    ----------
    path : Path or S3Url
        The folder that `simcli run` filled.
    deals : int, optional
        A number of deals the run was once declared with; by default all.

    Raises
    ------
    InputError
        There is no run, it is not finished, a part is cut short or foreign, or its files disagree.
    """
    found = complete_parts(RunFolder(path), deals)
    counted = add_summaries(
        (record.summary for record in found.records), n_positions(found.plan.match.variant)
    )
    return FinishedRun(path, found.plan, found.deals, found.digest, counted)


@dataclass(frozen=True)
class CompleteParts:
    """Hold what a folder holds that is complete up to a number of deals, and agrees with itself."""

    plan: Plan
    deals: int
    digest: str
    records: Sequence[PartRecord]


def complete_parts(folder: RunFolder, deals: int | None = None) -> CompleteParts:
    """Return the parts of a finished run; arguments and errors as for `load_finished`."""
    where = printable_path(folder.path)
    plan = _plan_in(folder, where)
    wanted = plan.deals if deals is None else deals
    if wanted not in plan.declared:
        known = ", ".join(f"{size:,}" for size in plan.declared)
        raise refusal(
            where, f"expected a number of deals this run was declared with ({known}), got {wanted:,}"
        )
    complete, absent, damaged = folder.records(plan, plan.parts(wanted))
    if damaged:
        raise input_error(
            Problem(printable_path(folder.part_path(each.part)), None, None, f"{each.reason} – {MEND}")
            for each in damaged
        )
    is_whole = wanted == plan.deals
    if absent or (is_whole and not folder.has_report()):
        done = sum(record.part.n_deals for record in complete)
        if not absent:
            raise refusal(where, f"expected a finished run, got one without {folder.run_path.name} – {GO_ON}")
        raise refusal(where, f"expected a finished run, got {done:,} of {wanted:,} deals – {GO_ON}")
    digest = digest_text(add_digests(*(record.digest for record in complete)))
    if is_whole:
        _refuse_other_report(folder, plan, digest)
    _refuse_surplus(folder, plan)
    return CompleteParts(plan, wanted, digest, complete)


def load_all_finished(runs: Iterable[os.PathLike[str] | str | S3Url | FinishedRun]) -> list[FinishedRun]:
    """Load several runs, a folder named twice once; errors as for `load_finished`, of all folders at once."""
    loaded: dict[Location, FinishedRun] = {}
    problems: list[Problem] = []
    for run in runs:
        if not isinstance(run, FinishedRun | str | os.PathLike | S3Url):
            raise refusal("runs", f"expected the folder of a run, got {shown(run)}")
        try:
            for each in [run] if isinstance(run, FinishedRun) else _loaded(location(run), loaded):
                loaded.setdefault(each.place, each)
        except InputError as error:
            problems.extend(problems_of(error))
    if problems:
        raise input_error(problems)
    return list(loaded.values())


def _loaded(path: Location, known: Mapping[Location, FinishedRun]) -> list[FinishedRun]:
    """Return the runs of a folder that is not known yet: one, or those that were counted together."""
    from simcli.analysis.counted import load_counted

    if resolved(path) in {resolved(run.path) for run in known.values()}:
        return []
    return load_counted(path) if is_joint(path) else [load_finished(path)]


def named_twice(runs: Iterable[os.PathLike[str] | str | S3Url | FinishedRun]) -> list[str]:
    """Return the folders that are named more than once, each as it is named again.

    Each of several variants that were counted together stands for the folder of all.
    """
    seen: set[Location] = set()
    again: dict[Location, str] = {}
    for run in runs:
        path = run.path if isinstance(run, FinishedRun) else location(run)
        whole = run.place if isinstance(run, FinishedRun) else resolved(path)
        if whole in seen and not is_joint(whole):
            again.setdefault(whole, printable_path(path))
        seen.add(whole)
    return list(again.values())


def _plan_in(folder: RunFolder, where: str) -> Plan:
    if not folder.is_there():
        raise refusal(where, "expected the folder of a run, there is none")
    plan = folder.plan() if folder.has_plan() else None
    if plan is None:
        raise no_run(folder.path)
    return plan


def _refuse_other_report(folder: RunFolder, plan: Plan, digest: str) -> None:
    """Raise an `InputError` if `run.yaml` speaks of another plan, or of other rows, than lie there."""
    problems = report_problems(folder.run_path, plan, digest, folder.load)
    if problems:
        raise input_error(replace(problem, message=f"{problem.message} – {MEND}") for problem in problems)


def _refuse_surplus(folder: RunFolder, plan: Plan) -> None:
    """Raise an `InputError` if parts lie there that the plan does not have."""
    planned = {part.file_name for part in plan.parts()}
    surplus = [name for name in folder.part_names() if name not in planned]
    if surplus:
        raise refusal(
            printable_path(folder.path),
            f"expected the parts that {PLAN_FILE} has, got {', '.join(surplus[:3])} besides – move them away",
        )
