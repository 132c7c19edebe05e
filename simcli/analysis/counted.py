"""Variants that were counted together: load their folder as runs without rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from simcli.analysis.finished import AGAIN, FinishedRun, complete_parts
from simcli.analysis.plaincounts import restored
from simcli.analysis.rows import Frame, Outcome, View
from simcli.analysis.tablecounts import TableCounts
from simcli.errors import refusal
from simcli.rules.wording import printable_path
from simcli.runs.countsfile import CountsRecord, read_counts
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.jointfolder import JointFolder
from simcli.runs.jointmatch import JointMatch
from simcli.runs.partfile import DamagedPart
from simcli.runs.plan import Plan
from simcli.runs.store.location import Location
from simcli.runs.summary import Summary, add_summaries, n_positions


def load_counted(path: Location, deals: int | None = None) -> list[FinishedRun]:
    """Load the variants of a folder of counts, the baseline first; all else as for `load_finished`."""
    folder = JointFolder(path)
    found = complete_parts(folder, deals)
    match = _joint(found.plan)
    view = View.of(match.frame, match.outcome)
    counts = TableCounts.of(match.matches, view)
    digests = [0 for _ in match.variants]
    summaries = [add_summaries((), n_positions(variant)) for variant in match.variants]
    for part in found.plan.parts(found.deals):
        where = folder.part_path(part)
        try:
            record, told = read_counts(folder.store, found.plan, part)
            counts.add(restored(told, TableCounts.of(match.matches, view)))
        except DamagedPart as damage:
            raise refusal(printable_path(where), f"{damage} – {AGAIN}") from None
        except (ValueError, KeyError, TypeError):
            raise refusal(
                printable_path(where), f"expected counts of this table, got others – {AGAIN}"
            ) from None
        digests = [add_digests(*each) for each in zip(digests, record.digests, strict=True)]
        summaries = list(_added(match, summaries, record))
    return [
        FinishedRun(
            path,
            Plan(each, found.plan.stretches, found.plan.engine),
            found.deals,
            digest_text(digest),
            summary,
            counts=counts,
        )
        for each, digest, summary in zip(match.matches, digests, summaries, strict=True)
    ]


def _joint(plan: Plan) -> JointMatch:
    if not isinstance(plan.match, JointMatch):
        raise TypeError("expected the plan of variants that are counted together")
    return plan.match


def _added(match: JointMatch, summaries: Sequence[Summary], record: CountsRecord) -> Iterator[Summary]:
    for variant, before, further in zip(match.variants, summaries, record.summaries, strict=True):
        yield add_summaries((before, further), n_positions(variant))


# ------------------------------------------------------------------------------------ what is fixed


class Fixed(NamedTuple):
    """Say what was decided before play, since counts answer nothing else: see `compare`."""

    baseline: str
    frame: Frame
    outcome: Outcome

    @property
    def words(self) -> str:
        """Say it."""
        return f"against {self.baseline}, frame {self.frame}, outcome {self.outcome}"


def fixed_by(runs: Sequence[FinishedRun]) -> Fixed | None:
    """Return what the counts of some runs are of, None if all have rows.

    Raises
    ------
    InputError
        Some have rows and some have not, two folders are of one table, or they are of different things.
    """
    counted = {run.path: run for run in runs if run.counts is not None}
    if not counted:
        return None
    names = ", ".join(printable_path(path) for path in counted)
    if any(run.counts is None for run in runs):
        raise refusal(names, "expected only runs with rows or only counts without, got both")
    tables = {(run.match.players, run.match.lineup.text) for run in counted.values()}
    if len(tables) < len(counted):
        raise refusal(
            names,
            "expected one folder of counts for each table size and line-up, got several – variants that are "
            "to be compared are counted together",
        )
    found = {
        path: Fixed(run.counts.names[0], run.counts.frame, run.counts.outcome)
        for path, run in counted.items()
        if run.counts is not None
    }
    if len(set(found.values())) > 1:
        told = "; ".join(f"{printable_path(path)}: {each.words}" for path, each in found.items())
        raise refusal("simcli compare", f"expected counts of one kind, got {told}")
    return next(iter(found.values()))


def refuse_other(
    fixed: Fixed, baseline: str | None, frame: str | None, outcome: str | None, examples: int
) -> None:
    """Raise an `InputError` if a comparison asks counts for what they were not made for."""
    asked = {"--baseline": baseline, "--frame": frame, "--outcome": outcome}
    there = {"--baseline": fixed.baseline, "--frame": fixed.frame, "--outcome": fixed.outcome}
    for option, value in asked.items():
        if value is not None and value != there[option]:
            raise refusal(
                option,
                f"expected {there[option]}, which was fixed when these variants were counted "
                f"({fixed.words}), got {value} – play them with --summary and that, or without --summary",
            )
    if examples:
        raise refusal("--examples", "expected runs with rows, got counts – play them without --summary")
