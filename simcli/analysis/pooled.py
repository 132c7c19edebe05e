"""Runs of one line-up in all its rotations, as one run: each pack counts once, whoever sat where.

To everything that counts, such a run has as many deals as its rotations together. Those of one pack, or of
one session of packs, follow each other and are a cluster, as the deals of a session are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from simcli.analysis.finished import FinishedRun
from simcli.analysis.lineup_words import ROTATED
from simcli.analysis.phrases import deals_words
from simcli.bots.lineup import Lineup
from simcli.rules.wording import choice
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.plan import Match, Part
from simcli.runs.summary import add_summaries

if TYPE_CHECKING:
    import polars as pl

    from simcli.runs.store.location import Location

Place = tuple[int, str]
"""A table size and a line-up in the rotation that stands for all."""


@dataclass(frozen=True)
class RotatedMatch(Match):
    """Say what is played where the line-up moves round the table."""

    @property
    def rotations(self) -> int:
        """Return in how many rotations of the line-up each pack is played."""
        return len(self.lineup.rotations())


@dataclass(frozen=True)
class PooledRun(FinishedRun):
    """Hold the runs of all rotations of a line-up as one.

    Its deals are those of all of them: those of the first session in one rotation after another, then those
    of the second, and so on. Its path is that of the first rotation.

    Attributes
    ----------
    rotated : tuple of FinishedRun
        The runs, one a rotation.
    """

    rotated: tuple[FinishedRun, ...]

    @classmethod
    def of(cls, rotated: Sequence[FinishedRun]) -> PooledRun:
        """Return the runs of all rotations, over the same deals, as one."""
        first, n = rotated[0], len(rotated)
        seen_most = max(rotated, key=_looks)
        stretches = tuple(
            replace(each, deals=n * each.deals, part_deals=n * each.part_deals)
            for each in seen_most.plan.stretches
        )
        match = first.match
        plan = replace(
            first.plan,
            match=RotatedMatch(match.variant, match.lineup, match.seed, match.session),
            stretches=stretches,
        )
        return cls(
            first.path,
            plan,
            n * first.deals,
            digest_text(add_digests(*(int(run.digest, 16) for run in rotated))),
            add_summaries((run.summary for run in rotated), first.positions),
            tuple(rotated),
        )

    @property
    def lineup(self) -> str:
        """Return who played, as a table names it."""
        return f"{self.match.lineup.text}{ROTATED}"

    @property
    def members(self) -> tuple[FinishedRun, ...]:
        """Return the runs that its rows are of: one a rotation."""
        return self.rotated

    def path_of(self, part: Part) -> Location:
        """Refuse: the files are those of its members."""
        self._refuse_part(part)

    def scan(self, part: Part) -> pl.LazyFrame:
        """Refuse: the rows are those of its members."""
        self._refuse_part(part)

    def _refuse_part(self, part: Part) -> NoReturn:
        raise TypeError(f"expected a member of the rotation to hold {part.file_name}")


def _looks(run: FinishedRun) -> tuple[bool, int]:
    """Return how much a run was looked at: whether a verdict was waited for, and at how many sizes."""
    return run.plan.looks_before_sequence(run.deals) is not None, run.look


class Pooling(NamedTuple):
    """Hold runs, rotations pooled, and what has to be said of those that are not."""

    runs: list[FinishedRun]
    notes: tuple[str, ...]


def pool_rotations(runs: Sequence[FinishedRun]) -> Pooling:
    """Return the runs with full sets of rotations in place of their members.

    All variants of a table are pooled, or none: where one of them lacks a rotation, or has it over other
    deals, all runs of that line-up stay what they are, and a note says so. So do counts without rows, which
    do not tell one pack from another.

    Parameters
    ----------
    runs : sequence of FinishedRun
        In any order, which those that are left keep; a pooled run stands where its first member stood.
    """
    places: dict[Place, list[FinishedRun]] = {}
    for run in runs:
        places.setdefault((run.match.players, leading_rotation(run.match.lineup).text), []).append(run)
    taken: dict[int, FinishedRun | None] = {}
    notes = []
    for place, here in places.items():
        if len({run.match.lineup.text for run in here}) == 1:
            continue
        sets = _sets(here)
        lacking = list(_lacking(sets))
        if lacking:
            notes.append(_not_pooled(place, lacking))
            continue
        for members in sets:
            taken.update((id(run), None) for run in members)
            first = next(run for run in here if any(run is member for member in members))
            taken[id(first)] = PooledRun.of(members)
    kept = (taken.get(id(run), run) for run in runs)
    return Pooling([run for run in kept if run is not None], tuple(notes))


def leading_rotation(lineup: Lineup) -> Lineup:
    """Return the rotation that stands for all: one that begins with the bot at the fewest seats.

    >>> leading_rotation(Lineup(("lowest", "lowest", "thrifty"))).text
    'thrifty,lowest,lowest'
    """
    return min(lineup.rotations(), key=lambda each: (each.bots.count(each.bots[0]), each.text))


def _sets(runs: Sequence[FinishedRun]) -> list[list[FinishedRun]]:
    """Return the runs that differ in the rotation alone, in the order of the rotations."""
    alike: dict[tuple[object, ...], list[FinishedRun]] = {}
    for run in runs:
        match = run.match
        engine = tuple(run.plan.engine.get(key) for key in ("signature", "weights"))
        key = run.variant.name, run.rules, match.seed, match.session, run.deals, match.lineup.own, engine
        alike.setdefault(key, []).append(run)
    order = [each.text for each in leading_rotation(runs[0].match.lineup).rotations()]
    return [sorted(each, key=lambda run: order.index(run.match.lineup.text)) for each in alike.values()]


def _lacking(sets: Sequence[Sequence[FinishedRun]]) -> Iterator[str]:
    """Yield why runs are no full set of rotations, a few words a set that is none."""
    for members in sets:
        first = members[0]
        found = [run.match.lineup.text for run in members]
        missing = [each.text for each in first.match.lineup.rotations() if each.text not in found]
        who = f"{first.variant.name} (seed {first.match.seed}, {deals_words(first.deals)})"
        if any(run.counts is not None for run in members):
            yield f"{who} has counts in place of rows"
        elif missing:
            yield f"{who} lacks {choice(missing).replace(' or ', ' and ')}"
        elif len(found) > len(missing) + len(set(found)):
            yield f"{who} has a rotation more than once"


def _not_pooled(place: Place, lacking: Sequence[str]) -> str:
    players, lineup = place
    return (
        f"{lineup} at {players} players is not pooled over its rotations, each is a table of its own: "
        f"{'; '.join(lacking)}"
    )
