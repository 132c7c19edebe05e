"""The chapters of a report that go beyond single tables: sizes, line-ups, combined options, sessions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from simcli.analysis.comparison import Comparison
from simcli.analysis.factorial import ContrastRow, ranked
from simcli.analysis.found import AnyRow, Table
from simcli.analysis.further import Further
from simcli.analysis.lineup_words import lineup_words
from simcli.analysis.phrases import (
    NUMBERS,
    bounds_words,
    change_decimals,
    points,
    short_heading,
    spelled,
    table_words,
)
from simcli.analysis.robustness import RobustnessRow, robustness
from simcli.analysis.shifts import ShiftRow, shifts
from simcli.analysis.streaks import StreakRow
from simcli.report.figures import CONTRASTS, PROFILE, ROBUSTNESS, SKILL, STREAKS
from simcli.report.model import Cell, Chapter, Chart, Column, NumberTable
from simcli.report.numbers import NONE, VARIANT, estimate_cell, interval_cell, skill_numbers
from simcli.rules.wording import listing

Found = dict[str, list[dict[str, Any]]]


def chapters(
    comparisons: Sequence[Comparison], further: Sequence[Further], found: Found
) -> Iterator[Chapter]:
    """Yield the chapters that there is anything for.

    Parameters
    ----------
    comparisons : sequence of Comparison
        What was found.
    further : sequence of Further
        What was found beyond.
    found : dict
        Takes the rows that are shown here, as plain data.
    """
    yield from _skill(comparisons)
    yield from _contrasts(further, found)
    yield from _streaks(further, found)
    for maker in (_sizes, _lineups):
        yield from maker(comparisons, found)


def has_own_profile(comparison: Comparison, table: Table) -> bool:
    """Return whether a table's profile of losses stands alone: no other size is set beside it."""
    return sum(other.runs.lineup == table.runs.lineup for other in comparison.tables) == 1


def _note(found: Found, name: str, rows: Sequence[AnyRow]) -> None:
    found.setdefault(name, []).extend(row.as_mapping() for row in rows)


# ------------------------------------------------------------------------------------ skill


def _skill(comparisons: Sequence[Comparison]) -> Iterator[Chapter]:
    charts: list[Chart] = []
    numbers: list[NumberTable] = []
    for comparison, table in ((each, table) for each in comparisons for table in each.tables if table.skill):
        key = f"skill-p{table.runs.players}-{_slug(table.runs.lineup)}-{len(numbers)}"
        if any(row.difference is not None for row in table.skill):
            charts.append(SKILL.draw(key, comparison, table))
        numbers.append(skill_numbers(f"{key}-numbers", comparison, table))
    if numbers:
        lead = (
            "Skill share: how much less often a bot loses than the others at its table, where all of them "
            "move round and every pack is played at each seat. At 0 it is luck alone; at 100 % the bot never "
            "loses."
        )
        yield Chapter("skill", "What skill is worth", lead, tuple(charts), tuple(numbers))


# ------------------------------------------------------------------------------------ table sizes


def _sizes(comparisons: Sequence[Comparison], found: Found) -> Iterator[Chapter]:
    charts = []
    for number, comparison in enumerate(comparisons):
        for lineup in dict.fromkeys(table.runs.lineup for table in comparison.tables):
            tables = [table for table in comparison.tables if table.runs.lineup == lineup]
            if len(tables) > 1:
                charts.append(PROFILE.draw(f"sizes-{number}-{_slug(lineup)}", comparison, tables))
    if charts:
        lead = "Between table sizes the only common yardstick is a fair share: one in so many players."
        yield Chapter("sizes", "From table to table", lead, tuple(charts))


def _slug(text: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "-" for char in text)


# ------------------------------------------------------------------------------------ line-ups


def _lineups(comparisons: Sequence[Comparison], found: Found) -> Iterator[Chapter]:
    charts: list[Chart] = []
    tables: list[NumberTable] = []
    for number, comparison in enumerate(comparisons):
        rows = [row for row in robustness(comparison) if row.lineups > 1]
        for players in dict.fromkeys(row.players for row in rows):
            key = f"line-ups-{number}-p{players}"
            here = [row for row in rows if row.players == players]
            _note(found, "robustness", here)
            charts.append(ROBUSTNESS.draw(key, comparison, players))
            tables.append(_robustness_numbers(f"{key}-numbers", comparison, here))
        for players, moved in groupby(shifts(comparison), key=lambda row: row.players):
            rows_of_size = list(moved)
            _note(found, "shifts", rows_of_size)
            tables.append(_shift_numbers(f"line-ups-{number}-p{players}-shifts", comparison, rows_of_size))
    if charts:
        lead = (
            "A finding is shown by a line-up if it has the same direction there and its interval excludes 0. "
            "Direction alone often agrees by chance."
        )
        yield Chapter("line-ups", "Whoever plays", lead, tuple(charts), tuple(tables))


def _robustness_numbers(key: str, comparison: Comparison, rows: Sequence[RobustnessRow]) -> NumberTable:
    def cells(row: RobustnessRow) -> tuple[Cell, ...]:
        digits = max(2, change_decimals(row.interval))
        return (
            Cell(row.variant),
            Cell(row.lineup),
            Cell(short_heading(row.cell, comparison.view, _has_teams(comparison, row.variant))),
            Cell(points(row.difference, digits), row.difference),
            interval_cell(row.interval, digits),
            Cell(row.agreement),
            Cell(f"{row.shown} of {row.lineups}", row.shown),
        )

    columns = (
        VARIANT, Column("line-up", is_number=False), Column("position", is_number=False),
        Column("change, points"), Column("interval"), Column("there it is", is_number=False),
        Column("shown by"),
    )  # fmt: skip
    who = f"{NUMBERS[rows[0].players]} players"
    return NumberTable(key, f"Each finding in every line-up, {who}.", columns, tuple(map(cells, rows)))


def _shift_numbers(key: str, comparison: Comparison, rows: Sequence[ShiftRow]) -> NumberTable:
    """Return how far each line-up moves the findings of the first."""

    def cells(row: ShiftRow) -> tuple[Cell, ...]:
        interval = row.shift.interval
        digits = 2 if interval is None else max(2, change_decimals(interval))
        return (
            Cell(row.variant),
            Cell(row.lineup),
            Cell(short_heading(row.cell, comparison.view, _has_teams(comparison, row.variant))),
            Cell(points(row.before, digits), row.before),
            Cell(points(row.after, digits), row.after),
            estimate_cell(row.shift, partial(points, decimals=digits)),
        )

    columns = (
        VARIANT, Column("line-up", is_number=False), Column("position", is_number=False),
        Column(f"with {lineup_words(rows[0].first)}"), Column("with this one"), Column("moved by, points"),
    )  # fmt: skip
    who = f"{NUMBERS[rows[0].players]} players"
    title = f"How far each line-up moves a finding from where {lineup_words(rows[0].first)} has it, {who}."
    return NumberTable(key, title, columns, tuple(map(cells, rows)))


def _has_teams(comparison: Comparison, variant: str) -> bool:
    return any(
        table.has_teams(variant)
        for table in comparison.tables
        if variant in {row.variant for row in table.variants}
    )


# ------------------------------------------------------------------------------------ combined options


def _contrasts(further: Sequence[Further], found: Found) -> Iterator[Chapter]:
    charts: list[Chart] = []
    numbers: list[NumberTable] = []
    for comparison, table, rows in ((each.comparison, each.table, each.contrasts) for each in further):
        if not rows:
            continue
        _note(found, "contrasts", rows)
        key = f"contrasts-p{table.runs.players}-{_slug(table.runs.lineup)}-{len(numbers)}"
        charts.append(CONTRASTS.draw(key, comparison, table, rows))
        numbers.append(_contrast_numbers(f"{key}-numbers", comparison, table, rows))
    if numbers:
        lead = (
            "The effect of an option is the average of what it does beside every combination of the "
            "others; the range of those is given with it, for an average may hide effects that are "
            "opposite."
        )
        yield Chapter("contrasts", "Option by option", lead, tuple(charts), tuple(numbers))


def _contrast_numbers(
    key: str, comparison: Comparison, table: Table, rows: Sequence[ContrastRow]
) -> NumberTable:
    ranks = {(row.factor, repr(row.value)): rank for rank, row in enumerate(ranked(rows))}
    teams = table.has_teams(table.variants[0].variant)

    def cells(row: ContrastRow) -> tuple[Cell, ...]:
        digits = max(2, change_decimals(row.interval))
        ends = f"{points(row.simple_low, digits)} to {points(row.simple_high, digits)}"
        return (
            Cell(row.factor),
            Cell(f"{_level(row.value)} instead of {_level(row.reference)}"),
            Cell(short_heading(row.cell, comparison.view, teams)),
            Cell(points(row.effect, digits), row.effect),
            interval_cell(row.interval, digits),
            Cell(ends, None, row.simple_low, row.simple_high),
            Cell(str(row.n_simple), row.n_simple),
            Cell(row.verdict),
        )

    ordered = sorted(rows, key=lambda row: ranks[row.factor, repr(row.value)])
    return NumberTable(
        key,
        f"Effects of single options, {table_words(table.runs.players, table.runs.lineup)}.",
        (
            Column("option", is_number=False), Column("value", is_number=False),
            Column("position", is_number=False), Column("effect, points"), Column("interval"),
            Column("simple effects"), Column("combinations"), Column("verdict", is_number=False),
        ),
        tuple(map(cells, ordered)),
        "Intervals hold together over all effects and cells of the table.",
    )  # fmt: skip


def _level(value: object) -> str:
    """Return the value of an option, or those of an interaction."""
    if isinstance(value, tuple | list):
        return " and ".join(map(spelled, value))
    return spelled(value)


# ------------------------------------------------------------------------------------ sessions


def _streaks(further: Sequence[Further], found: Found) -> Iterator[Chapter]:
    charts: list[Chart] = []
    numbers: list[NumberTable] = []
    for comparison, table, rows in ((each.comparison, each.table, each.streaks) for each in further):
        if not rows:
            continue
        _note(found, "streaks", rows)
        key = f"streaks-p{table.runs.players}-{_slug(table.runs.lineup)}-{len(numbers)}"
        charts.append(STREAKS.draw(key, comparison, table, rows))
        numbers.append(_streak_numbers(f"{key}-numbers", table, rows))
    if numbers:
        lead = (
            "Does losing breed losing? The chance to lose a deal after having lost the one before, less the "
            "chance to lose one at all."
        )
        yield Chapter("streaks", "From deal to deal", lead, tuple(charts), tuple(numbers))


def _streak_numbers(key: str, table: Table, rows: Sequence[StreakRow]) -> NumberTable:
    def cells(row: StreakRow) -> tuple[Cell, ...]:
        digits = max(2, change_decimals(row.interval))
        return (
            Cell(row.variant),
            Cell(f"{row.sessions:,}", row.sessions),
            Cell(f"{row.n:,}", row.n),
            NONE if row.again is None else Cell(f"{row.again * 100:.{digits}f}", row.again),
            NONE if row.rate is None else Cell(f"{row.rate * 100:.{digits}f}", row.rate),
            NONE if row.excess is None else Cell(points(row.excess, digits), row.excess),
            Cell(bounds_words(row.interval, digits))
            if row.interval is None
            else interval_cell(row.interval, digits),
            estimate_cell(row.difference, lambda value: points(value, digits)),
        )

    columns = (
        VARIANT, Column("sessions"), Column("deals"), Column("% after losing"), Column("% of all"),
        Column("excess, points"), Column("interval"), Column("against the baseline, points"),
    )  # fmt: skip
    lengths = listing([str(length) for length in sorted({row.session for row in rows})])
    who = f"{NUMBERS[table.runs.players]} players, sessions of {lengths}"
    return NumberTable(key, f"Losing after losing, {who}.", columns, tuple(map(cells, rows)))
