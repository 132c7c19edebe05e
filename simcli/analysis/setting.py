"""One table about to be judged: its runs, their counts, and the families that its intervals belong to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from simcli.analysis.means import LEAST_SESSIONS
from simcli.analysis.phrases import cell_names
from simcli.analysis.rates import ALPHA
from simcli.analysis.rows import View
from simcli.analysis.sequences import alpha_at_look
from simcli.analysis.tables import Entry, TableRuns
from simcli.analysis.tally import PairTally, RunTally, Tallies
from simcli.errors import Problem, input_error
from simcli.rules.wording import printable_path


@dataclass(frozen=True)
class Setting:
    """Hold what the rows of a table are made from.

    Attributes
    ----------
    runs : TableRuns
        The runs, the baseline first.
    view : View
        What is counted.
    margin : float
        As a share of all deals.
    tallies : Tallies
        The counts.
    """

    runs: TableRuns
    view: View
    margin: float
    tallies: Tallies

    def __post_init__(self) -> None:
        self._refuse_few_sessions()

    @cached_property
    def look(self) -> int:
        """Return the furthest of the declared sizes that the runs are looked at."""
        return max(entry.run.look for entry in self.runs.entries)

    @cached_property
    def looks_before_sequence(self) -> int | None:
        """Return the declared sizes looked at before the first verdict was waited for; None if none was."""
        runs = [entry.run for entry in self.runs.entries]
        found = [run.plan.looks_before_sequence(run.deals) for run in runs]
        if all(looks is None for looks in found):
            return None
        return max(run.look if looks is None else looks for run, looks in zip(runs, found, strict=True))

    @property
    def is_sequential(self) -> bool:
        """Return whether the runs were looked at while they were played, so that only the sequence holds."""
        return self.looks_before_sequence is not None

    @cached_property
    def alpha(self) -> float:
        """Return this look's part of 5 %; for a sequence, which is for all further looks, what is left."""
        if self.looks_before_sequence is not None:
            return ALPHA / (self.looks_before_sequence + 1)
        return alpha_at_look(ALPHA, self.look)

    @cached_property
    def has_no_loser(self) -> bool:
        """Return whether deals end without a loser though somebody won."""
        if self.view.outcome != "loss":
            return False
        return any(tally.cells[tally.positions + 2] for tally in self.tallies.runs)

    @cached_property
    def compared(self) -> tuple[int, ...]:
        """Return the runs that are compared: positions of teams and of single players are not the same."""
        teams = self.runs.baseline.run.variant.teams
        entries = enumerate(self.runs.entries)
        return tuple(index for index, entry in entries if index > 0 and entry.run.variant.teams == teams)

    @property
    def rotations(self) -> int:
        """Return in how many rotations of the line-up each pack was played."""
        return self.runs.baseline.run.match.rotations

    @property
    def base(self) -> RunTally:
        """Return the counts of the baseline."""
        return self.tallies.runs[0]

    @property
    def n_cells(self) -> int:
        """Return the cells of a family; where the first to leave is counted no deal can be drawn."""
        return self.n_cells_of(0)

    def n_cells_of(self, index: int) -> int:
        """Return the cells of one run: its positions, drawn and stalled, or what takes their place."""
        return self.tally(index).positions + (3 if self.has_no_loser else 2)

    @property
    def k(self) -> int:
        """Return the number of intervals that hold together: variants times cells."""
        return max(1, len(self.compared)) * self.n_cells

    @property
    def family(self) -> str:
        """Return that family in words."""
        n = len(self.compared)
        return f"{n} {'variant' if n == 1 else 'variants'} × {self.n_cells} cells"

    def entry(self, index: int) -> Entry:
        """Return a run under its name."""
        return self.runs.entries[index]

    def tally(self, index: int) -> RunTally:
        """Return the counts of a run."""
        return self.tallies.runs[index]

    def pair(self, index: int) -> PairTally | None:
        """Return the counts of a run against the baseline, None if their deals are not the same."""
        return self.tallies.pairs.get(index)

    def key(self, index: int) -> tuple[str, int, str]:
        """Return what a row says it is about."""
        return self.entry(index).label, self.runs.players, self.runs.lineup

    def cells(self, index: int) -> tuple[str, ...]:
        """Return the names of a run's cells."""
        return cell_names(self.tally(index).positions, self.view, no_loser=self.has_no_loser)

    def has_teams(self, index: int) -> bool:
        """Return whether a run's positions are teams."""
        return self.entry(index).run.variant.teams != "none"

    def _refuse_few_sessions(self) -> None:
        """Raise an `InputError` where sessions are too few to tell how much they differ."""
        counted = [
            (index, each.session, each.n_sessions)
            for index in range(len(self.runs.entries))
            for each in (self.tally(index), self.pair(index))
            if each is not None
        ]
        problems = [
            few_sessions(printable_path(self.entry(index).run.path), session, n, self.rotations)
            for index, session, n in counted
            if session > 1 and n < LEAST_SESSIONS
        ]
        if problems:
            raise input_error(dict.fromkeys(problems))


def few_sessions(where: str, length: int, n: int, rotations: int = 1) -> Problem:
    """Return the problem of having only `n` clusters of so many deals: sessions, or rotated packs."""
    what = "packs" if length == rotations else f"sessions of {length // rotations} deals"
    moved = " in every rotation" if rotations > 1 else ""
    message = f"expected at least {LEAST_SESSIONS} {what}{moved}, got {n} – play more deals"
    return Problem(where, None, None, message)
