"""How fast one core plays at each kind of table, measured once for all runs that are played together."""

from __future__ import annotations

from dataclasses import dataclass, field

from simcli.runs.engine import ready_engine
from simcli.runs.plan import Match
from simcli.runs.play import measured_speed
from simcli.runs.report import Report

Kind = tuple[int, int, str]


@dataclass
class Speeds:
    """Measure speeds as they are asked for.

    Runs of one deck, table size and line-up are about equally fast: the first of them stands for all.

    Attributes
    ----------
    report : Report
        Is told that the engine is being compiled.
    """

    report: Report
    _known: dict[Kind, float] = field(default_factory=dict, init=False)

    def ready(self, match: Match) -> None:
        """Have the engine ready that plays a match."""
        ready_engine(self.report, match.lineup.looks_ahead)

    def of(self, match: Match) -> float:
        """Return the deals a second of one core; the engine is ready afterwards."""
        kind = (match.variant.deck, match.players, match.lineup.text)
        if kind not in self._known:
            self.ready(match)
            self._known[kind] = measured_speed(match)
        return self._known[kind]
