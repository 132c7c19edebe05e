"""How strong a bot is among others: runs of one line-up in all its rotations, pooled pack by pack.

Every rotation plays the same packs, so that what luck gives to a seat it gives once to every bot. The pack,
not the deal, is what is independent: a pack counts once, with its mean over the rotations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import FinishedRun
from simcli.analysis.means import t_of_session_totals
from simcli.analysis.packs import KIND
from simcli.analysis.rates import ALPHA, Estimate, Interval
from simcli.analysis.rows import read_columns
from simcli.errors import Problem, input_error, refusal
from simcli.rules.variant import Variant
from simcli.rules.wording import choice, printable, printable_path
from simcli.runs.identity import plays_alike
from simcli.runs.plan import Match

Failures = npt.NDArray[np.bool_]
"""Shape (players, deals): whether a seat, or its team, lost or did not win."""

BLOCK = 1_000_000
WHERE = "strength"


@dataclass(frozen=True)
class Strength:
    """Hold how much more often a bot fails than the mean of the others at its table.

    To fail is to lose (with teams: as a team); where the first out wins, not to be out first alone.

    Attributes
    ----------
    bot : str
        The bot, as in the line-up.
    others : tuple of str
        The other bots.
    difference : Estimate
        The bot's rate less the mean of the others, a share of all deals; below 0 it is the stronger one.
    packs : int
        Packs, each played once a rotation.
    rotations : int
        Rotations of the line-up.
    """

    bot: str
    others: tuple[str, ...]
    difference: Estimate
    packs: int
    rotations: int

    def beats(self, margin: float = 0.01) -> bool:
        """Return whether the bot fails less often by `margin` or more, and surely less often at all."""
        value, interval = self.difference.value, self.difference.interval
        return value is not None and interval is not None and value <= -margin and interval.high < 0


def strength(runs: Sequence[FinishedRun], bot: str | None = None, alpha: float = ALPHA) -> Strength:
    """Return how a bot fares among the others of a line-up that was played in all its rotations.

    Parameters
    ----------
    runs : sequence of FinishedRun
        The rotations, as `simcli run --rotate` plays them, in any order.
    bot : str, optional
        The bot; by default the one that sits at the fewest seats.
    alpha : float
        The interval holds at level 1 − α.

    Returns
    -------
    Strength
        With the interval of t from totals of packs, or of whole sessions.

    Raises
    ------
    InputError
        The runs are no full set of rotations of one line-up, or the bot does not sit there.
    """
    _refuse_other_runs(runs)
    first = runs[0]
    chosen = _chosen(first.match, bot)
    total = square = 0.0
    session = first.match.session
    block = max(1, BLOCK // session) * session
    for start in range(0, first.deals, block):
        end = min(start + block, first.deals)
        sums = _sums_of_sessions(sum(_margins(run, chosen, start, end) for run in runs), session)
        total += float(sums.sum())
        square += float((sums * sums).sum())
    n_sessions = -(-first.deals // session)
    # the smallest step of a pack's total: one deal of one rotation fails or not
    estimate = t_of_session_totals(total, square, n_sessions, session * len(runs), alpha)
    others = tuple(name for name in dict.fromkeys(first.match.lineup.bots) if name != chosen)
    return Strength(chosen, others, _named(estimate), first.deals, len(runs))


def margins(failed: Failures, seats: Sequence[int]) -> npt.NDArray[np.float64]:
    """Return by deal the share of some seats that failed, less the share of the others.

    Parameters
    ----------
    failed : ndarray of bool, shape (players, deals)
        Who failed.
    seats : sequence of int
        The seats of the bot in question; not all of them.
    """
    others = [seat for seat in range(failed.shape[0]) if seat not in seats]
    difference: npt.NDArray[np.float64] = failed[list(seats)].mean(axis=0) - failed[others].mean(axis=0)
    return difference


def team_of(variant: Variant, seat: int) -> list[int]:
    """Return the seats that win and lose together with a seat of a seated variant, itself included."""
    n_teams = variant.players if variant.teams == "none" else variant.teams
    return [other for other in range(variant.players) if other % n_teams == seat % n_teams]


def _margins(run: FinishedRun, bot: str, first: int, end: int) -> npt.NDArray[np.float64]:
    seats = [seat for seat, name in enumerate(run.match.lineup.bots) if name == bot]
    return margins(failures(run, first, end), seats)


def failures(run: FinishedRun, first: int, end: int) -> Failures:
    """Return who failed in the deals from `first` to `end`, the latter excluded."""
    players = run.match.players
    if run.variant.end.objective == "first_out_wins":
        table = read_columns(run, first, end, ["result", *(f"place_{seat}" for seat in range(players))])
        is_won = (table["result"] == "won").to_numpy()
        places = [table[f"place_{seat}"].fill_null(0).to_numpy() for seat in range(players)]
        return np.stack([~(is_won & (place == 1)) for place in places])
    table = read_columns(run, first, end, ["result", "loser"])
    is_lost = (table["result"] == "lost").to_numpy()
    losers = table["loser"].fill_null(players).to_numpy()
    return np.stack([is_lost & np.isin(losers, team_of(run.variant, seat)) for seat in range(players)])


def _sums_of_sessions(values: npt.NDArray[np.float64] | float, session: int) -> npt.NDArray[np.float64]:
    by_deal = np.asarray(values, dtype=np.float64)
    sums: npt.NDArray[np.float64] = np.add.reduceat(by_deal, np.arange(0, by_deal.size, session))
    return sums


def _named(estimate: Estimate) -> Estimate:
    """Return an estimate whose interval says that packs are what is counted."""
    interval = estimate.interval
    if interval is None:
        return estimate
    low, high, level = interval.low, interval.high, interval.level
    return Estimate(estimate.value, Interval(low, high, level, KIND, interval.family))


def _chosen(match: Match, bot: str | None) -> str:
    bots = list(dict.fromkeys(match.lineup.bots))
    if bot is None:
        return min(bots, key=match.lineup.bots.count)
    if bot not in bots:
        raise refusal(WHERE, f"expected a bot of the line-up ({choice(bots)}), got {printable(bot)}")
    return bot


def _refuse_other_runs(runs: Sequence[FinishedRun]) -> None:
    """Raise an `InputError` unless the runs are all rotations of one line-up, in the same deals."""
    if not runs:
        raise refusal(WHERE, "expected the runs of simcli run --rotate, got none")
    first = runs[0]
    wanted = {lineup.text for lineup in first.match.lineup.rotations()}
    if len(wanted) == 1:
        raise refusal(printable_path(first.path), "expected different bots at a table, got one at all seats")
    problems = [
        Problem(printable_path(run.path), None, None, f"expected the same deals in every rotation, {what}")
        for run in runs
        if (what := _difference(first, run)) is not None
    ]
    found = [run.match.lineup.text for run in runs]
    missing = sorted(wanted.difference(found))
    if missing:
        lineups = "; ".join(missing)
        problems.append(Problem(WHERE, None, None, f"expected every rotation, {lineups} is missing"))
    if len(found) > len(set(found)):
        problems.append(Problem(WHERE, None, None, "expected every rotation once, got one several times"))
    if problems:
        raise input_error(problems)


def _difference(first: FinishedRun, run: FinishedRun) -> str | None:
    """Return in words why a run does not belong to the same rotations as the first, None if it does."""
    ours, theirs = first.match, run.match
    if first.rules != run.rules or ours.players != theirs.players:
        return f"got other rules or another table than {printable_path(first.path)}"
    if (ours.seed, ours.session, first.deals) != (theirs.seed, theirs.session, run.deals):
        return f"got another seed, session or number of deals than {printable_path(first.path)}"
    if not plays_alike(first.plan.engine, run.plan.engine):
        return "got another engine"
    if theirs.lineup.text not in {lineup.text for lineup in ours.lineup.rotations()}:
        return f"{theirs.lineup.text} is no rotation of {ours.lineup.text}"
    return None
