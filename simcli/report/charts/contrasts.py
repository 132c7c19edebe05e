"""The effects of options that a set of variants varies, ranked, with the range of their simple effects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.crossed import TIMES
from simcli.analysis.factorial import ContrastRow, ranked
from simcli.analysis.found import Table
from simcli.analysis.phrases import heading, margin_words, player, points, table_words
from simcli.report.charts.bars import Bar, plot_bars
from simcli.report.charts.style import styled
from simcli.report.charts.words import change_sentence, change_words, in_points, margin_note
from simcli.rules.wording import shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "What each option changes"
WORDS = {"changes": "changes", "inside": "within the margin", "undecided": "undecided"}
"""The verdicts for people."""


@styled
def plot_contrasts(comparison: Comparison, table: Table, rows: Sequence[ContrastRow]) -> Figure:
    """Return the chart of the largest effect of each option, the largest on top.

    The thin line is the range of the simple effects: one per combination of the other options.

    Parameters
    ----------
    comparison : Comparison
        For what was counted, and the margin.
    table : Table
        The table that the rows belong to.
    rows : sequence of ContrastRow
        Of all cells; each effect is shown with that of its largest.
    """
    largest = list(ranked(rows))
    notes = [margin_note(comparison.margin, largest[0].interval if largest else None)]
    if any(row.n_simple > 1 for row in largest):
        notes.append(
            "Thin lines: from the smallest to the largest simple effect, one per combination of the other "
            "options."
        )
    if any(row.order > 1 for row in largest):
        notes.append("Together (×): what two options do beyond the sum of what each does.")
    return plot_bars(
        TITLE,
        _subtitle(table, rows),
        [_bar(comparison, table, row) for row in largest],
        100 * comparison.margin,
        "effect in points of all deals",
        notes,
    )


def _subtitle(table: Table, rows: Sequence[ContrastRow]) -> str:
    deals = f", {rows[0].n:,} deals" if rows else ""
    return f"{table_words(table.runs.players, table.runs.lineup)}{deals} of each variant"


def _bar(comparison: Comparison, table: Table, row: ContrastRow) -> Bar:
    return Bar(
        name=effect_words(row),
        detail=f"{than_words(row)}: {_cell(comparison, table, row)}",
        value=100 * row.effect,
        interval=in_points(row.interval),
        verdict=row.verdict,
        word=WORDS[row.verdict],
        number=change_words(row.effect, row.interval),
        thin=(100 * row.simple_low, 100 * row.simple_high) if row.n_simple > 1 else None,
    )


def effect_words(row: ContrastRow) -> str:
    """Return an option with its value; of an interaction two of each."""
    factors, values = row.factor.split(TIMES), _spelled(row.value).split(TIMES)
    return TIMES.join(f"{factor} {value}" for factor, value in zip(factors, values, strict=True))


def than_words(row: ContrastRow) -> str:
    """Return the value that an effect starts from."""
    return f"from {_spelled(row.reference)}" if row.order == 1 else "together"


def _spelled(value: object) -> str:
    return value if isinstance(value, str) else shown(value)


def _cell(comparison: Comparison, table: Table, row: ContrastRow) -> str:
    return heading(row.cell, comparison.view, table.has_teams(table.variants[0].variant))


# ------------------------------------------------------------------------------------ in words


def caption(comparison: Comparison, table: Table, rows: Sequence[ContrastRow]) -> str:
    """Return what the chart shows in a sentence."""
    largest = list(ranked(rows))
    if not largest:
        return "No option is varied here."
    beyond = sum(row.verdict == "changes" for row in largest)
    first = largest[0]
    teams = table.has_teams(table.variants[0].variant)
    who = player(first.cell, comparison.view, teams) if first.cell.isdigit() else first.cell.replace("_", " ")
    spread = ""
    if first.n_simple > 1:
        ends = f"{points(first.simple_low)} to {points(first.simple_high)}"
        spread = f", {ends} over {first.n_simple} combinations of the others"
    than = f" instead of {_spelled(first.reference)}" if first.order == 1 else ""
    effects = "effect" if len(largest) == 1 else "effects"
    count = f"{beyond or 'None'} of {len(largest)} {effects} {'are' if beyond > 1 else 'is'}"
    return (
        f"{count} shown to exceed the margin of {margin_words(comparison.margin)} points; the largest "
        f"is that of {effect_words(first)}{than} on {who}: "
        f"{change_sentence(first.effect, first.interval)}{spread}."
    )


def alt_text(comparison: Comparison, table: Table, rows: Sequence[ContrastRow]) -> str:
    """Return the chart in words, row by row."""
    texts = []
    for row in ranked(rows):
        change = change_words(row.effect, row.interval)
        text = f"{effect_words(row)}, {than_words(row)}, {_cell(comparison, table, row)} {change}"
        if row.n_simple > 1:
            text += f", simple effects {points(row.simple_low)} to {points(row.simple_high)}"
        texts.append(f"{text}, {WORDS[row.verdict]}")
    return f"{TITLE}, {_subtitle(table, rows)}, in points of all deals: {'; '.join(texts) or 'nothing'}."
