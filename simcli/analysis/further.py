"""What tables show beyond differences from a baseline: effects of options, and streaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from simcli.analysis.comparison import Comparison
from simcli.analysis.crossed import Levels
from simcli.analysis.factorial import ContrastRow, contrasts
from simcli.analysis.found import Table
from simcli.analysis.streaks import StreakRow, streaks


@dataclass(frozen=True)
class Factorial:
    """Say which options a set of variants combines.

    Attributes
    ----------
    levels : Mapping
        Per variant the value of each option; empty if none are combined.
    reference : Mapping
        The value of each that the others are contrasted with.
    """

    levels: Mapping[str, Levels] = field(default_factory=dict)
    reference: Levels = field(default_factory=dict)


@dataclass(frozen=True)
class Further:
    """Hold what one table shows further.

    Attributes
    ----------
    comparison, table
        Where it belongs.
    contrasts : tuple of ContrastRow
        Effects of options; empty where none are combined.
    streaks : tuple of StreakRow
        Whether losing breeds losing; empty without sessions.
    """

    comparison: Comparison
    table: Table
    contrasts: tuple[ContrastRow, ...]
    streaks: tuple[StreakRow, ...]


def further(
    comparisons: Sequence[Comparison], factorial: Factorial | None = None, workers: int | None = None
) -> tuple[Further, ...]:
    """Return what the tables of some comparisons show further; tables that show nothing are left out.

    Parameters
    ----------
    comparisons : sequence of Comparison
        What was compared.
    factorial : Factorial, optional
        Which options the variants combine.
    workers : int, optional
        Threads that count; by default one a core.

    Raises
    ------
    InputError
        As for `contrasts` and `streaks`.
    """
    return tuple(_further(comparisons, factorial or Factorial(), workers))


def _further(
    comparisons: Sequence[Comparison], factorial: Factorial, workers: int | None
) -> Iterator[Further]:
    for comparison in comparisons:
        for table in comparison.tables:
            effects = _contrasts(comparison, table, factorial, workers)
            in_sessions = streaks(table, view=comparison.view, workers=workers)
            if effects or in_sessions:
                yield Further(comparison, table, effects, in_sessions)


def _contrasts(
    comparison: Comparison, table: Table, factorial: Factorial, workers: int | None
) -> tuple[ContrastRow, ...]:
    here = {entry.label for entry in table.runs.entries if entry.run.positions == table.base_positions}
    levels = {name: values for name, values in factorial.levels.items() if name in here}
    if len(levels) < 2:
        return ()
    return contrasts(
        table, levels, factorial.reference, margin=comparison.margin, view=comparison.view, workers=workers
    )
