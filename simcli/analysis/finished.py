"""Finished runs: read their folders, and refuse whatever a comparison could not rely on."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.rules.canonical import rules_hash
from simcli.rules.variant import Variant
from simcli.rules.wording import printable_path, shown
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import PLAN_FILE, RunFolder
from simcli.runs.plan import Match, Part, Plan
from simcli.runs.runfile import report_problems
from simcli.runs.store.location import Location, S3Url, location, resolved
from simcli.runs.store.store import store_at
from simcli.runs.summary import Summary, add_summaries, n_positions

if TYPE_CHECKING:
    import polars as pl

GO_ON = "go on with it by the command that began it"
AGAIN = "play it again with simcli run … --fresh"
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
    """

    path: Location
    plan: Plan
    deals: int
    digest: str
    summary: Summary

    @property
    def match(self) -> Match:
        """Return what was played."""
        return self.plan.match

    @property
    def variant(self) -> Variant:
        """Return the seated variant."""
        return self.plan.match.variant

    @property
    def look(self) -> int:
        """Return the place of `deals` among the declared sizes, from 1: a longer run is a further look."""
        return self.plan.declared.index(self.deals) + 1

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
        """Return the file of a part."""
        return self.path / part.file_name

    def scan(self, part: Part) -> pl.LazyFrame:
        """Return the rows of a part."""
        return store_at(self.path).scan(part.file_name)


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
    where = printable_path(path)
    folder = RunFolder(path)
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
    counted = add_summaries((record.summary for record in complete), n_positions(plan.match.variant))
    return FinishedRun(path, plan, wanted, digest, counted)


def load_all_finished(runs: Iterable[os.PathLike[str] | str | S3Url | FinishedRun]) -> list[FinishedRun]:
    """Load several runs, a folder named twice once; errors as for `load_finished`, of all folders at once."""
    loaded: dict[Location, FinishedRun] = {}
    problems: list[Problem] = []
    for run in runs:
        if not isinstance(run, FinishedRun | str | os.PathLike | S3Url):
            raise refusal("runs", f"expected the folder of a run, got {shown(run)}")
        try:
            path = run.path if isinstance(run, FinishedRun) else location(run)
            if resolved(path) not in loaded:
                loaded[resolved(path)] = run if isinstance(run, FinishedRun) else load_finished(path)
        except InputError as error:
            problems.extend(problems_of(error))
    if problems:
        raise input_error(problems)
    return list(loaded.values())


def named_twice(runs: Iterable[os.PathLike[str] | str | S3Url | FinishedRun]) -> list[str]:
    """Return the folders that are named more than once, each as it is named again."""
    seen: set[Location] = set()
    again: dict[Location, str] = {}
    for path in (run.path if isinstance(run, FinishedRun) else location(run) for run in runs):
        whole = resolved(path)
        if whole in seen:
            again.setdefault(whole, printable_path(path))
        seen.add(whole)
    return list(again.values())


def _plan_in(folder: RunFolder, where: str) -> Plan:
    if not folder.is_there():
        raise refusal(where, "expected the folder of a run, there is none")
    plan = folder.plan() if folder.has_plan() else None
    if plan is None:
        raise refusal(where, f"expected the folder of a run, got one without {PLAN_FILE}")
    return plan


def _refuse_other_report(folder: RunFolder, plan: Plan, digest: str) -> None:
    """Raise an `InputError` if `run.yaml` speaks of another plan, or of other rows, than lie there."""
    problems = report_problems(folder.run_path, plan, digest)
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
