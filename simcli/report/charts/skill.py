"""What skill is worth: how far a bot's advantage over the others changes under each variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import SkillRow, Table
from simcli.analysis.phrases import NUMBERS, percent, played_words
from simcli.analysis.skill import SKILL_MARGIN
from simcli.analysis.skill_words import of_skill, ranked_by_skill
from simcli.report.charts.bars import Bar, plot_bars
from simcli.report.charts.style import styled
from simcli.report.charts.words import change_words, in_points, level_words, short_verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Where does a better player gain more?"


@styled
def plot_skill(comparison: Comparison, table: Table) -> Figure:
    """Return the chart of how each variant changes the skill share, the largest share on top.

    Parameters
    ----------
    comparison : Comparison
        For what was counted.
    table : Table
        Of a rotated line-up; variants that are not compared with the baseline are left out and named.
    """
    shown = _shown(table)
    first = next((row.difference.interval for row in shown if row.difference is not None), None)
    notes = [
        f"Shaded: less than {SKILL_MARGIN * 100:g} points. Bars: intervals, {level_words(first)}.",
        f"Below each name: how much less often {table.skill[0].bot} loses than the others."
        if comparison.view.outcome == "loss"
        else f"Below each name: how much less often {table.skill[0].bot} fails to be first than the others.",
    ]
    others = [row.variant for row in table.skill[1:] if row not in shown]
    if others:
        notes.append(f"Not compared: {', '.join(others)}.")
    return plot_bars(
        TITLE,
        _subtitle(table),
        [_bar(row) for row in shown],
        100 * SKILL_MARGIN,
        "change of the skill share, in points",
        notes,
    )


def _shown(table: Table) -> list[SkillRow]:
    return [
        row
        for row in ranked_by_skill(table.skill)
        if row.difference is not None and row.difference.value is not None
    ]


def _subtitle(table: Table) -> str:
    base, row = table.variants[0], table.skill[0]
    who = f"{row.bot} among {row.others.replace(',', ', ')}, {NUMBERS[row.players]} players"
    return f"against {base.variant}, {who}, {played_words(base.deals, base.rotations)}"


def _bar(row: SkillRow) -> Bar:
    change = row.difference
    assert change is not None
    assert change.value is not None
    return Bar(
        name=row.variant,
        detail=_detail(row),
        value=100 * change.value,
        interval=None if change.interval is None else in_points(change.interval),
        verdict=row.verdict,
        word=short_verdict(row.verdict or ""),
        number=_number(row),
    )


def _detail(row: SkillRow) -> str:
    if row.share is None:
        return "–"
    return f"{percent(abs(row.share))} {'less' if row.share >= 0 else 'more'}"


def _number(row: SkillRow) -> str:
    change = row.difference
    if change is None or change.value is None or change.interval is None:
        return "–"
    return change_words(change.value, change.interval)


# ------------------------------------------------------------------------------------ in words


def caption(comparison: Comparison, table: Table) -> str:
    """Return what the chart shows in a sentence or two."""
    return " ".join(of_skill(table, comparison.view)) or "Nobody ever loses here."


def alt_text(comparison: Comparison, table: Table) -> str:
    """Return the chart in words, row by row."""
    texts = "; ".join(f"{row.variant} {_detail(row)}, {_number(row)}, {row.verdict}" for row in _shown(table))
    return f"{TITLE} {_subtitle(table)}. {texts or 'Nothing'}."
