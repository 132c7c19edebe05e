"""All counts of the runs of one table, kept together: what a comparison needs of them without their rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simcli.analysis.adjustment import Arm, HandSums
from simcli.analysis.curves import MEASURE, Crossings, Measured, crossings_between
from simcli.analysis.finished import FinishedRun
from simcli.analysis.rates import Floats
from simcli.analysis.rows import Frame, Outcome, Rows, View
from simcli.analysis.streaks import Counted, session_counts
from simcli.analysis.tally import Tallies
from simcli.analysis.together import Together
from simcli.errors import refusal
from simcli.runs.plan import Match
from simcli.runs.summary import n_positions


class Dealt(NamedTuple):
    """Hold some deals of one run, as the counts take them."""

    rows: Rows
    arm: Arm


@dataclass
class TableCounts:
    """Count runs of the same deals in every way that a comparison asks for.

    Each part is what the comparison of rows counts by itself when it needs it.

    Attributes
    ----------
    names : tuple of str
        The variants, the baseline first.
    frame, outcome
        What is counted, as in `View`.
    tallies : Tallies
        Cells, measures and effects.
    crossings : dict of int to Crossings
        Numbers of bouts, of each run against the baseline.
    together : Together
        How often any two runs end alike.
    hands : HandSums
        Trumps dealt and outcomes.
    streaks : list of Counted
        Who loses after whom, of each run in sessions; empty for single deals.
    """

    names: tuple[str, ...]
    frame: Frame
    outcome: Outcome
    tallies: Tallies
    crossings: dict[int, Crossings]
    together: Together
    hands: HandSums
    streaks: list[Counted]

    @classmethod
    def of(cls, matches: Sequence[Match], view: View) -> TableCounts:
        """Return the counts of nothing yet, for matches of one seed and length of sessions."""
        base = matches[0]
        positions = [n_positions(match.variant) for match in matches]
        compared = {
            index: crossings_between(match, base)
            for index, match in enumerate(matches)
            if index > 0 and match.variant.teams == base.variant.teams
        }
        return cls(
            tuple(match.variant.name for match in matches),
            view.frame,
            view.outcome,
            Tallies.of(matches),
            compared,
            Together(len(matches), max(positions) + 3, base.session),
            HandSums.of(matches),
            _streaks(positions) if base.session > 1 else [],
        )

    def add_deals(self, deals: Sequence[Dealt]) -> None:
        """Count the same further deals of all runs, whole sessions."""
        rows = [each.rows for each in deals]
        self.tallies.add_rows(rows)
        measured = [Measured(own.measures[MEASURE], own.ending) for own in rows]
        for index, crossings in self.crossings.items():
            crossings.add_measures(measured[index], measured[0])
        self.together.add_cells(np.stack([own.cells for own in rows]))
        self.hands.add_arms(each.arm for each in deals)
        self._add_streaks(rows)

    def _add_streaks(self, rows: Sequence[Rows]) -> None:
        base: Floats | None = None
        for index, (counted, own) in enumerate(zip(self.streaks, rows, strict=bool(self.streaks))):
            tally = self.tallies.runs[index]
            counts = session_counts(own.seats, tally.session, tally.positions)
            counted.add_counts(counts, base)
            if index == 0:
                base = counts

    def add(self, other: TableCounts) -> None:
        """Count what other counts of the same runs have counted."""
        self.tallies.add(other.tallies)
        for index, crossings in self.crossings.items():
            crossings.add(other.crossings[index])
        self.together.add(other.together)
        self.hands.add(other.hands)
        for mine, theirs in zip(self.streaks, other.streaks, strict=True):
            mine.add(theirs)

    # -------------------------------------------------------------------------------- what is asked for

    def _places(self, runs: Iterable[FinishedRun]) -> list[int]:
        return [self.names.index(run.variant.name) for run in runs]

    def tallies_of(self, runs: Sequence[FinishedRun]) -> Tallies:
        """Return what `tally.tally_runs` counts of some runs, the baseline first."""
        places = self._against_baseline(runs)
        pairs = {
            index: self.tallies.pairs[place]
            for index, place in enumerate(places)
            if place in self.tallies.pairs
        }
        return Tallies([self.tallies.runs[place] for place in places], pairs)

    def crossings_of(self, runs: Sequence[FinishedRun]) -> list[Crossings]:
        """Return what `curves.bout_curves` counts of some runs, the baseline first."""
        _, *others = self._against_baseline(runs)
        return [self.crossings[place] for place in others]

    def together_of(self, runs: Sequence[FinishedRun]) -> Together:
        """Return what `together.count_together` counts of some runs, all of as many positions."""
        return self.together.of_runs(self._places(runs), runs[0].positions + 3)

    def hands_of(self, runs: Sequence[FinishedRun]) -> HandSums:
        """Return what `adjustment.count_hands` counts of some runs, the baseline first."""
        places = self._against_baseline(runs)
        pairs = {
            index: self.hands.pairs[place] for index, place in enumerate(places) if place in self.hands.pairs
        }
        widths = [self.hands.widths[place] for place in places]
        return HandSums(widths, [self.hands.runs[place] for place in places], pairs)

    def streaks_of(self, runs: Sequence[FinishedRun]) -> list[Counted]:
        """Return what `streaks.streaks` counts of some runs in sessions."""
        return [self.streaks[place] for place in self._places(runs)]

    def _against_baseline(self, runs: Sequence[FinishedRun]) -> list[int]:
        places = self._places(runs)
        if places[0] != 0:
            raise refusal("baseline", f"expected {self.names[0]}, as was counted, got {runs[0].variant.name}")
        return places


def _streaks(positions: Sequence[int]) -> list[Counted]:
    base = positions[0]
    return [Counted.of(own, beside_baseline=index > 0 and own == base) for index, own in enumerate(positions)]
