"""Does losing breed losing: whether who lost a deal loses the next one more often than other deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import FinishedRun, counts_of
from simcli.analysis.found import Row, Table
from simcli.analysis.means import LEAST_SESSIONS
from simcli.analysis.moments import Moments, influence_interval
from simcli.analysis.rates import NOTHING_KNOWN, Estimate, Floats, Interval
from simcli.analysis.rows import View, code_outcomes, read_outcomes
from simcli.analysis.setting import few_sessions
from simcli.analysis.tables import Entry
from simcli.analysis.tally import Block, deal_blocks, in_threads
from simcli.errors import input_error
from simcli.rules.wording import printable_path
from simcli.runs.pool import usable_cores

KIND = "t of session totals"
NOT_PLAYED = 254
"""Stands for the deals that a session cut short lacks."""


@dataclass(frozen=True)
class StreakRow(Row):
    """Hold whether the loser of a deal loses the next deal of the session more often.

    Attributes
    ----------
    session : int
        Deals of a session.
    sessions : int
        Sessions that were played.
    n : int
        Deals that somebody lost and that another deal followed.
    again : float or None
        Chance that the loser of a deal loses the next one, the mean over seats.
    rate : float or None
        Chance to lose a deal that follows another, the mean over the same seats.
    excess : float or None
        The former less the latter: above 0 losing breeds losing.
    interval : Interval or None
        Of the excess; holds jointly with those of the other runs in sessions.
    difference : Estimate or None
        Of the excess, against the baseline; None for the baseline and where there is nothing to compare.
    """

    session: int
    sessions: int
    n: int
    again: float | None
    rate: float | None
    excess: float | None
    interval: Interval | None
    difference: Estimate | None


@dataclass
class Counted:
    """Hold the moments of a run, and of it beside the baseline if their sessions are the same."""

    own: Moments
    both: Moments | None

    @classmethod
    def of(cls, seats: int, *, beside_baseline: bool) -> Counted:
        """Return the moments of nothing yet, for a number of seats, or of teams."""
        return cls(Moments(3 * seats + 1), Moments(6 * seats + 2) if beside_baseline else None)

    def add_counts(self, counts: Floats, before: Floats | None) -> None:
        """Add the `session_counts` of further sessions, and the baseline's of the same if there are any."""
        self.own.add_counts(counts)
        if self.both is not None and before is not None:
            self.both.add_counts(np.hstack([counts, before]))

    def add(self, other: Counted) -> None:
        """Add what another has added up."""
        self.own.add(other.own)
        if self.both is not None and other.both is not None:
            self.both.add(other.both)


class Streak(NamedTuple):
    """Hold what totals say: the numbers of `StreakRow`, and how the excess depends on the totals.

    Attributes
    ----------
    again, rate : float
        As there.
    gradient : ndarray of float64
        Derivatives of the excess by the totals of `session_counts`.
    smallest : float
        The largest change of the excess by one deal more that is lost again.
    """

    again: float
    rate: float
    gradient: Floats
    smallest: float

    @property
    def excess(self) -> float:
        """Return the excess."""
        return self.again - self.rate


def streaks(table: Table, *, view: View | None = None, workers: int | None = None) -> tuple[StreakRow, ...]:
    """Return, for each run in sessions, whether losing breeds losing.

    Parameters
    ----------
    table : Table
        The compared runs.
    view : View, optional
        What is counted, as in the comparison: its `view`. With ``first_out`` it is whether winning breeds
        winning.
    workers : int, optional
        Threads that count; by default one a core.

    Returns
    -------
    tuple of StreakRow
        One a run with more than one deal in a session, the baseline first; none for rotated line-ups, whose
        seats change their players.

    Raises
    ------
    InputError
        There are fewer than `LEAST_SESSIONS` sessions.

    Notes
    -----
    Let sessions count, per seat, A the deals it lost after having lost the one before, B the deals it lost
    that another follows, and L the deals it lost that follow another, of M that do. The excess is the mean
    over the seats with B > 0 of A/B − L/M, so that a seat that plays worse than the others makes none. The
    session is the unit: its influence on the excess is the sum, over seats, of
    (A − B·ΣA/ΣB)·G/ΣB − (L − M·ΣL/ΣM)·G/ΣM, over their number (Hampel 1974).
    """
    base = table.runs.baseline.run
    entries = [entry for entry in table.runs.entries if _is_in_sessions(entry.run)]
    if not entries:
        return ()
    runs = [entry.run for entry in entries]
    counted = _count(base, runs, view or View(), workers or usable_cores())
    problems = [
        few_sessions(printable_path(run.path), run.match.session, each.own.sessions)
        for run, each in zip(runs, counted, strict=True)
        if each.own.sessions < LEAST_SESSIONS
    ]
    if problems:
        raise input_error(problems)
    n_compared = sum(each.both is not None for each in counted)
    return tuple(
        _row(table, entry, each, len(entries), n_compared)
        for entry, each in zip(entries, counted, strict=True)
    )


def _row(table: Table, entry: Entry, counted: Counted, n_runs: int, n_compared: int) -> StreakRow:
    own = counted.own
    streak = streak_of(own.totals)
    interval = None if table.is_sequential else excess_interval(own, table.alpha, n_runs)
    difference = None
    if counted.both is not None:
        difference = streak_difference(counted.both, table.alpha, n_compared)
        if table.is_sequential:
            difference = replace(difference, interval=None)
    n_seats = (own.totals.size - 1) // 3
    return StreakRow(
        entry.label,
        table.runs.players,
        table.runs.lineup,
        session=entry.run.match.session,
        sessions=own.sessions,
        n=int(own.totals[n_seats : 2 * n_seats].sum()),
        again=None if streak is None else streak.again,
        rate=None if streak is None else streak.rate,
        excess=None if streak is None else streak.excess,
        interval=interval,
        difference=difference,
    )


# ------------------------------------------------------------------------------------ counting


def _count(base: FinishedRun, runs: Sequence[FinishedRun], view: View, workers: int) -> list[Counted]:
    """Count all runs, and those in the baseline's sessions beside it."""
    counts = counts_of(runs)
    if counts is not None:
        return counts.streaks_of(runs)
    count = partial(_count_blocks, base, runs, view)
    counted, *others = in_threads(count, list(deal_blocks(runs)), workers)
    for other in others:
        for mine, theirs in zip(counted, other, strict=True):
            mine.add(theirs)
    return counted


def _count_blocks(
    base: FinishedRun, runs: Sequence[FinishedRun], view: View, blocks: Sequence[Block]
) -> list[Counted]:
    counted = [Counted.of(run.positions, beside_baseline=_is_like(run, base)) for run in runs]
    for first, end in blocks:
        before: Floats | None = None
        for run, each in zip(runs, counted, strict=True):
            if run.deals < end:
                continue
            counts = _counts(run, first, end, view)
            each.add_counts(counts, before)
            if run is base:
                before = counts
    return counted


def _is_in_sessions(run: FinishedRun) -> bool:
    """Return whether the same players sit through sessions of a run."""
    return run.match.session > 1 and run.match.rotations == 1


def _is_like(run: FinishedRun, base: FinishedRun) -> bool:
    """Return whether a run has the baseline's deals in the baseline's sessions."""
    if run is base:
        return False
    mine, theirs = ((each.match.seed, each.match.session, each.positions) for each in (run, base))
    return mine == theirs


def _counts(run: FinishedRun, first: int, end: int, view: View) -> Floats:
    _, losers = code_outcomes(run, read_outcomes(run, first, end, view), view)
    return session_counts(losers, run.match.session, run.positions)


def session_counts(losers: npt.NDArray[np.uint8], length: int, seats: int) -> Floats:
    """Count, session by session, who lost after what.

    Parameters
    ----------
    losers : ndarray of uint8
        Per deal the seat that lost; `seats` or more if none did.
    length, seats : int
        Deals of a session, of which the last may be cut short; seats.

    Returns
    -------
    ndarray of float64, shape (sessions, 3·seats + 1)
        Per seat A, then per seat B, then per seat L, then M, as in `streaks`.
    """
    n_sessions = -(-losers.size // length)
    padded = np.full(n_sessions * length, NOT_PLAYED, dtype=np.uint8)
    padded[: losers.size] = losers
    table = padded.reshape(n_sessions, length)
    this, following = table[:, :-1], table[:, 1:]
    played = following != NOT_PLAYED
    counts = np.empty((n_sessions, 3 * seats + 1))
    for seat in range(seats):
        before, after = (this == seat) & played, following == seat
        counts[:, seat] = (before & after).sum(axis=1)
        counts[:, seats + seat] = before.sum(axis=1)
        counts[:, 2 * seats + seat] = after.sum(axis=1)
    counts[:, -1] = played.sum(axis=1)
    return counts


# ------------------------------------------------------------------------------------ estimates


def streak_of(totals: Floats) -> Streak | None:
    """Return what the totals of `session_counts` say, None where nobody lost a deal that another followed."""
    seats = (totals.size - 1) // 3
    again, lost, rates = (totals[part * seats : (part + 1) * seats] for part in range(3))
    played = totals[-1]
    there = np.where(lost > 0, 1.0, 0.0)
    n = there.sum()
    if n == 0:
        return None
    per_loss = there / np.maximum(lost, 1.0)
    chances, shares = again * per_loss, rates / played * there
    gradient = [per_loss, -chances * per_loss, -there / played, [shares.sum() / played]]
    return Streak(
        float(chances.sum() / n),
        float(shares.sum() / n),
        np.concatenate(gradient) / n,
        float(per_loss.max() / n),
    )


def excess_interval(own: Moments, alpha: float, k: int) -> Interval | None:
    """Return the interval of an excess, one of k at level 1 − α; None where there is no excess."""
    streak = streak_of(own.totals)
    if streak is None:
        return None
    return influence_interval(streak.excess, streak.gradient, streak.smallest, own, alpha, k, KIND)


def streak_difference(both: Moments, alpha: float, k: int) -> Estimate:
    """Return the difference of two excesses over the same sessions, one of k at level 1 − α."""
    half = both.totals.size // 2
    one, other = streak_of(both.totals[:half]), streak_of(both.totals[half:])
    if one is None or other is None:
        return NOTHING_KNOWN
    difference = one.excess - other.excess
    gradient = np.concatenate([one.gradient, -other.gradient])
    smallest = max(one.smallest, other.smallest)
    return Estimate(difference, influence_interval(difference, gradient, smallest, both, alpha, k, KIND))
