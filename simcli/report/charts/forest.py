"""The forest: each variant with its largest change, the largest on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Rank, Table
from simcli.analysis.phrases import heading, margin_words, player, short_name
from simcli.report.charts.bars import Bar, plot_bars
from simcli.report.charts.style import styled
from simcli.report.charts.words import (
    against,
    change_sentence,
    change_words,
    in_points,
    margin_note,
    not_compared,
    short_verdict,
)
from simcli.rules.wording import listing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "What each variant changes most"


@styled
def plot_forest(comparison: Comparison, table: Table) -> Figure:
    """Return the chart of the largest change of each variant, with interval, margin and verdict.

    Parameters
    ----------
    comparison : Comparison
        For what was counted, and the margin.
    table : Table
        One of its tables.
    """
    bars = [_bar(comparison, table, rank) for rank in table.ranking]
    interval = table.ranking[0].interval if table.ranking else None
    return plot_bars(
        TITLE,
        against(table),
        bars,
        100 * comparison.margin,
        "change in points of all deals",
        [margin_note(comparison.margin, interval) if bars else caption(comparison, table), *_left_out(table)],
    )


def _bar(comparison: Comparison, table: Table, rank: Rank) -> Bar:
    return Bar(
        name=short_name(rank.variant, table.variants[0].variant),
        detail=_cell(comparison, table, rank),
        value=100 * rank.difference,
        interval=in_points(rank.interval),
        verdict=rank.verdict,
        word=short_verdict(rank.verdict),
        number=change_words(rank.difference, rank.interval),
    )


def _cell(comparison: Comparison, table: Table, rank: Rank) -> str:
    """Return whose change it is, and which cell decided if it was another one."""
    teams = table.has_teams(rank.variant)
    name = heading(rank.cell, comparison.view, teams)
    verdict = next(row for row in table.verdicts if row.variant == rank.variant)
    if verdict.verdict == "changes" and verdict.cell not in (None, rank.cell):
        return f"{name}; decides: {heading(str(verdict.cell), comparison.view, teams)}"
    return name


def _left_out(table: Table) -> list[str]:
    names = not_compared(table)
    return [f"Not compared with {table.variants[0].variant}: {listing(names)}."] if names else []


def caption(comparison: Comparison, table: Table) -> str:
    """Return what the chart shows in a sentence."""
    base = table.variants[0].variant
    if not table.ranking:
        return f"Nothing is compared with {base} here."
    changing = [rank for rank in table.ranking if rank.verdict == "changes"]
    first = (changing or list(table.ranking))[0]
    open_ones = sum(rank.verdict == "undecided" for rank in table.ranking)
    n = len(table.ranking)
    who = first.cell.replace("_", " ")
    if who.isdigit():
        who = player(who, comparison.view, table.has_teams(first.variant))
    change_of = f"{who} {change_sentence(first.difference, first.interval)}"
    numbers = f"{first.variant}, {change_of}"
    beyond = f"the margin of {margin_words(comparison.margin)} points against {base}"
    if n == 1:
        shown = "changes" if changing else "is not shown to change"
        return f"{first.variant} {shown} more than {beyond}; its largest change is {change_of}."
    count = f"{len(changing) or 'None'} of {n} variants"
    change = f"{count} {'change' if len(changing) > 1 else 'changes'}"
    extra = f"; {open_ones} {'is' if open_ones == 1 else 'are'} undecided" if open_ones else ""
    return f"{change} more than {beyond}{extra}; the largest change is that of {numbers}."


def alt_text(comparison: Comparison, table: Table) -> str:
    """Return the chart in words, row by row."""
    rows = "; ".join(
        f"{rank.variant}, {heading(rank.cell, comparison.view, table.has_teams(rank.variant))} "
        f"{change_words(rank.difference, rank.interval)}, {rank.verdict}"
        for rank in table.ranking
    )
    return f"{TITLE}, {against(table)}, in points of all deals with intervals: {rows or 'nothing'}."
