"""Skill share: how much less often a bot loses than the others at its table, under each variant.

The line-up is played in all its rotations, so that luck of seats and packs is everybody's. The pack is what
is independent; under two variants its numbers are taken together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcli.analysis.estimates import between, from_both
from simcli.analysis.finished import FinishedRun
from simcli.analysis.found import SkillRow
from simcli.analysis.means import t_of_session_totals
from simcli.analysis.moments import Moments, influence_interval
from simcli.analysis.packs import OF_SESSIONS
from simcli.analysis.pooled import leading_rotation
from simcli.analysis.rates import NOTHING_KNOWN, Estimate, Floats, Interval
from simcli.analysis.rows import View, code_outcomes, read_outcomes
from simcli.analysis.setting import Setting
from simcli.analysis.tally import Block, deal_blocks, in_threads
from simcli.analysis.verdict import difference_word
from simcli.runs.pool import usable_cores

SKILL_MARGIN = 0.02
"""Smallest difference of skill shares that anybody would notice."""
LEAST = -1e6
"""No bound: a share is as far below 0 as the bot loses more often than the others."""

Failures = npt.NDArray[np.int64]
"""Shape (cells, 2): by who lost, or was first out, how many seats of the bot, and of the others, failed."""


class Seats(NamedTuple):
    """Hold how many seats a bot has, and how many the others."""

    bot: int
    others: int


@dataclass
class SkillCounts:
    """Hold what packs count of a run, and of it beside the baseline where both have the same packs.

    Attributes
    ----------
    own : Moments
        Per pack (or session of packs), over all rotations: failures of the bot's seats, and of the others.
    both : Moments or None
        The same numbers, then those of the baseline.
    """

    own: Moments
    both: Moments | None

    @classmethod
    def of(cls, *, beside_baseline: bool) -> SkillCounts:
        """Return the counts of nothing yet."""
        return cls(Moments(2), Moments(4) if beside_baseline else None)

    def add_counts(self, counts: Floats, before: Floats | None) -> None:
        """Add the counts of further packs, and the baseline's of the same if there are any."""
        self.own.add_counts(counts)
        if self.both is not None and before is not None:
            self.both.add_counts(np.hstack([counts, before]))

    def add(self, other: SkillCounts) -> None:
        """Add what another has counted."""
        self.own.add(other.own)
        if self.both is not None and other.both is not None:
            self.both.add(other.both)


class Share(NamedTuple):
    """Hold a skill share and how it depends on the totals of `SkillCounts.own`.

    Attributes
    ----------
    value : float
        1 − (S/s)/(O/o): S and O failures of the bot and of the others, s and o their seats.
    gradient : ndarray of float64, shape (2,)
        Derivatives by S and O.
    smallest : float
        The largest change by one failure more.
    """

    value: float
    gradient: Floats
    smallest: float


def share_of(totals: Floats, seats: Seats) -> Share | None:
    """Return the skill share of totals, None where the others never fail.

    >>> share_of(np.array([10.0, 60.0]), Seats(1, 3)).value
    0.5
    """
    failed, others = (float(total) for total in totals)
    if others == 0:
        return None
    ratio = (failed / seats.bot) / (others / seats.others)
    gradient = np.array([-seats.others / seats.bot / others, ratio / others])
    return Share(1 - ratio, gradient, float(np.abs(gradient).max()))


def share_interval(own: Moments, seats: Seats, alpha: float, k: int) -> Interval | None:
    """Return the interval of a skill share, one of k at level 1 − α; None where there is no share."""
    share = share_of(own.totals, seats)
    if share is None:
        return None
    return influence_interval(
        share.value, share.gradient, share.smallest, own, alpha, k, OF_SESSIONS, least=LEAST
    )


def share_difference(both: Moments, seats: Seats, alpha: float, k: int) -> Estimate:
    """Return the difference of two skill shares over the same packs, one of k at level 1 − α."""
    one, other = share_of(both.totals[:2], seats), share_of(both.totals[2:], seats)
    if one is None or other is None:
        return NOTHING_KNOWN
    gradient = np.concatenate([one.gradient, -other.gradient])
    smallest = max(one.smallest, other.smallest)
    value = one.value - other.value
    interval = influence_interval(value, gradient, smallest, both, alpha, k, OF_SESSIONS, least=LEAST)
    return Estimate(value, interval)


# ------------------------------------------------------------------------------------ rows


def skill_rows(setting: Setting) -> tuple[SkillRow, ...]:
    """Return the skill share of every run of a rotated line-up, the baseline first; none of any other."""
    if setting.rotations == 1:
        return ()
    runs = [entry.run for entry in setting.runs.entries]
    counted = count_skill(runs, setting.view, usable_cores())
    return tuple(_row(setting, index, counted) for index in range(len(runs)))


def _row(setting: Setting, index: int, counted: Sequence[SkillCounts]) -> SkillRow:
    run, own = setting.entry(index).run, counted[index].own
    seats, k = seats_of(run), len(setting.runs.entries)
    share, interval = share_of(own.totals, seats), share_interval(own, seats, setting.alpha, k)
    change = _change(setting, index, counted)
    if change is not None and change.interval is not None:
        change = replace(change, interval=change.interval.in_family(_variants(len(setting.compared))))
    bot, *others = dict.fromkeys(leading_rotation(run.match.lineup).bots)
    return SkillRow(
        *setting.key(index),
        bot=bot,
        others=",".join(others),
        n=run.deals,
        packs=run.deals // run.match.rotations,
        rate=between(_mean(own, run, np.array([1 / seats.bot, 0.0]), setting.alpha), 0.0, 1.0),
        others_rate=between(_mean(own, run, np.array([0.0, 1 / seats.others]), setting.alpha), 0.0, 1.0),
        advantage=_mean(own, run, np.array([-1 / seats.bot, 1 / seats.others]), setting.alpha),
        share=None if share is None else share.value,
        interval=None if interval is None else interval.in_family(_variants(k)),
        difference=change,
        margin=SKILL_MARGIN,
        verdict=_verdict(setting, index, change),
    )


def _variants(n: int) -> str:
    return f"{n} {'variant' if n == 1 else 'variants'}"


def seats_of(run: FinishedRun) -> Seats:
    """Return how many seats the bot in question has, and how many the others."""
    bots = leading_rotation(run.match.lineup).bots
    n = bots.count(bots[0])
    return Seats(n, len(bots) - n)


def _mean(own: Moments, run: FinishedRun, weights: Floats, alpha: float) -> Estimate:
    """Return a weighted sum of failures per deal, its interval alone."""
    total, square = float(weights @ own.totals), float(weights @ own.products @ weights)
    unit = float(np.abs(weights).max())
    deals = run.deals / own.sessions
    mean = t_of_session_totals(total, square, own.sessions, 1, alpha, unit=unit)
    interval = None if mean.interval is None else mean.interval.scaled(1 / deals)
    return Estimate(total / run.deals, interval)


def _change(setting: Setting, index: int, counted: Sequence[SkillCounts]) -> Estimate | None:
    """Return the difference of a run's share from the baseline's, None for what is not compared."""
    if index not in setting.compared:
        return None
    seats, k, both = seats_of(setting.entry(index).run), len(setting.compared), counted[index].both
    if both is not None:
        return share_difference(both, seats, setting.alpha, k)
    estimates = []
    for own in (counted[index].own, counted[0].own):
        share, interval = share_of(own.totals, seats), share_interval(own, seats, setting.alpha, k)
        if share is None or interval is None:
            return NOTHING_KNOWN
        estimates.append(Estimate(share.value, interval))
    one, other = estimates
    assert one.value is not None
    assert other.value is not None
    return Estimate(one.value - other.value, from_both(one, other, f"{OF_SESSIONS}, independent"))


def _verdict(setting: Setting, index: int, change: Estimate | None) -> str | None:
    if change is not None and setting.entry(index).run.rules == setting.runs.baseline.run.rules:
        return "same rules"
    return difference_word(change, SKILL_MARGIN)


# ------------------------------------------------------------------------------------ counting


def count_skill(runs: Sequence[FinishedRun], view: View, workers: int) -> list[SkillCounts]:
    """Count runs of one rotated line-up, and those of the first one's packs beside it."""
    counted, *others = in_threads(partial(_count_blocks, runs, view), list(deal_blocks(runs)), workers)
    for other in others:
        for mine, theirs in zip(counted, other, strict=True):
            mine.add(theirs)
    return counted


def _count_blocks(runs: Sequence[FinishedRun], view: View, blocks: Sequence[Block]) -> list[SkillCounts]:
    base = runs[0]
    counted = [
        SkillCounts.of(beside_baseline=run is not base and run.match.seed == base.match.seed) for run in runs
    ]
    length = lcm(*(run.match.session for run in runs))
    for first, end in blocks:
        before: Floats | None = None
        for run, each in zip(runs, counted, strict=True):
            if run.deals < end:
                continue
            counts = _counts(run, first, end, length, view)
            each.add_counts(counts, before)
            if run is base:
                before = counts
    return counted


def _counts(run: FinishedRun, first: int, end: int, length: int, view: View) -> Floats:
    """Return a row for every `length` packs: failures in all rotations, of the bot and of the others."""
    n = len(run.members)
    first, end = first // n, end // n
    bot = leading_rotation(run.match.lineup).bots[0]
    sums = np.zeros((end - first, 2), dtype=np.int64)
    for member in run.members:
        frame = read_outcomes(member, first, end, View("seat", view.outcome))
        cells, _ = code_outcomes(member, frame, View("seat", view.outcome))
        sums += failures(member, bot, view)[cells]
    return np.add.reduceat(sums, np.arange(0, len(sums), length)).astype(np.float64)


def failures(run: FinishedRun, bot: str, view: View) -> Failures:
    """Return, by who lost or was first out, how many seats of a bot and of the others failed.

    Parameters
    ----------
    run : FinishedRun
        One rotation.
    bot : str
        The bot.
    view : View
        What is counted. The cells are seats or teams, then those in which nobody loses, or is first out
        alone.
    """
    bots, teams = run.match.lineup.bots, run.positions
    seats = np.zeros((teams + 3, 2), dtype=np.int64)
    for seat, name in enumerate(bots):
        seats[seat % teams, 0 if name == bot else 1] += 1
    if view.outcome == "loss":
        return seats
    counts: Failures = seats.sum(axis=0) - seats
    return counts
