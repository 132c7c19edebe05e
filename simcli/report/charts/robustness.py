"""Whether a finding survives other players: one row a finding, one column a line-up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Table
from simcli.analysis.lineup_words import bots_of, lineup_words
from simcli.analysis.phrases import NUMBERS, change_decimals, heading, margin_words, points, short_name
from simcli.analysis.robustness import RobustnessRow, robustness
from simcli.bots.registry import BOTS
from simcli.report.charts.bars import Bar, draw_bar, limit_of, points_axis
from simcli.report.charts.labels import filled, text_width, wrapped, write_head, write_notes
from simcli.report.charts.style import (
    HEAD_HEIGHT,
    INNER,
    LINE,
    SIZE,
    SMALL,
    axes_at,
    new_figure,
    styled,
    write,
)
from simcli.report.charts.words import change_sentence, change_words, in_points, level_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TITLE = "Does it survive other players?"
NAME_COLUMN = 118.0
GAP = 7.0
ROW = 2.3 * LINE
AXIS = 2.5 * LINE


@dataclass(frozen=True)
class Finding:
    """Hold a row of the chart: what a variant's verdict names, per line-up."""

    variant: str
    cell: str
    rows: dict[str, RobustnessRow]

    @property
    def largest(self) -> float:
        """Return its largest difference."""
        return max(abs(row.difference) for row in self.rows.values())

    @property
    def any_row(self) -> RobustnessRow:
        """Return one of the rows: all have the same counts."""
        return next(iter(self.rows.values()))

    @property
    def is_everywhere(self) -> bool:
        """Return whether every one of several line-ups shows it."""
        return 1 < self.any_row.lineups == self.any_row.shown

    @property
    def counts(self) -> tuple[str, ...]:
        """Return in how many line-ups it is shown, and in how many its opposite if in any."""
        row = self.any_row
        return (f"{row.shown} of {row.lineups}", *([f"{row.opposite} opposite"] if row.opposite else []))


@styled
def plot_robustness(comparison: Comparison, players: int) -> Figure:
    """Return the chart of each variant's finding under every line-up, from weak to strong.

    Parameters
    ----------
    comparison : Comparison
        Of several line-ups.
    players : int
        Table size.
    """
    tables = tables_by_strength(comparison, players)
    findings = findings_of(comparison, players)
    lineups = [table.runs.lineup for table in tables]
    last = max(text_width(text) for text in ("shown in", *(each for row in findings for each in row.counts)))
    width = (INNER - NAME_COLUMN - last - GAP * (len(tables) + 1)) / max(1, len(tables))
    heads = [wrapped(lineup_words(lineup), width, SMALL, lines=4) for lineup in lineups]
    deep = max((len(head) for head in heads), default=1)
    names = [
        wrapped(short_name(finding.variant, comparison.baseline), NAME_COLUMN - GAP, lines=3)
        for finding in findings
    ]
    heights = [max(ROW, (len(name) + 1.3) * LINE) for name in names]
    rows = max(sum(heights), LINE)
    notes = filled(_note(comparison, findings), INNER, SMALL)
    top = HEAD_HEIGHT + (deep + 0.5) * LINE
    figure = new_figure(top + rows + AXIS + (len(notes) + 0.4) * LINE)
    write_head(figure, TITLE, _subtitle(comparison, players))
    margin = 100 * comparison.margin
    bars = [[_bar(finding, lineup) for lineup in lineups] for finding in findings]
    limit = limit_of([bar.reach for row in bars for bar in row if bar is not None], margin)
    for column, head in enumerate(heads):
        left = NAME_COLUMN + column * (width + GAP)
        for index, line in enumerate(head):
            write(
                figure, left + width / 2, HEAD_HEIGHT + (index + 0.6) * LINE, line, size=SMALL, align="center"
            )
        axes = axes_at(figure, left, top, width, rows)
        axes.set_ylim(rows, 0)
        axes.set_yticks([])
        points_axis(axes, -limit, limit, margin, width)
        y = 0.0
        for row, height in zip(bars, heights, strict=True):
            bar = row[column]
            if bar is not None:
                draw_bar(axes, y + height / 2, bar, limit)
                if abs(bar.value) > limit:
                    _write_beyond(figure, left, width, top + y + height / 2 - LINE, bar)
            y += height
    write(figure, INNER - last, HEAD_HEIGHT + 0.6 * LINE, "shown in", size=SMALL)
    y = top
    for finding, name, height in zip(findings, names, heights, strict=True):
        texts = [*((line, False) for line in name), (_cell(comparison, finding), True)]
        for index, (text, quiet) in enumerate(texts):
            place = y + height / 2 + (index - (len(texts) - 1) / 2) * LINE
            write(figure, 0, place, text, quiet=quiet, size=SMALL if quiet else SIZE)
        for index, text in enumerate(finding.counts):
            place = y + height / 2 + (index - (len(finding.counts) - 1) / 2) * LINE
            write(figure, INNER - last, place, text, bold=finding.is_everywhere)
        y += height
    middle = NAME_COLUMN + (INNER - NAME_COLUMN - last) / 2
    write(figure, middle, y + 1.75 * LINE, "change in points of all deals", size=SMALL, align="center")
    write_notes(figure, y + AXIS - 0.1 * LINE, notes)
    return figure


def _write_beyond(figure: Figure, left: float, width: float, top: float, bar: Bar) -> None:
    """Write a number that the scale has no room for above its arrow."""
    place, align = (left - GAP / 2, "left") if bar.value < 0 else (left + width + GAP / 2, "right")
    write(figure, place, top, bar.number, size=SMALL, align=align)


def tables_by_strength(comparison: Comparison, players: int) -> list[Table]:
    """Return the tables of a size, from the weakest line-up to the strongest."""
    tables = [table for table in comparison.tables if table.runs.players == players]
    return sorted(tables, key=lambda table: strength(table.runs.lineup))


def strength(lineup: str) -> float:
    """Return how strong a line-up is: the mean place of its bots in the registry, the weakest first.

    >>> strength("random") < strength("lowest,thrifty") < strength("thrifty")
    True
    """
    order = list(BOTS)
    places = [order.index(name) if name in order else len(order) for name in _bots(lineup)]
    return sum(places) / len(places)


def _bots(lineup: str) -> list[str]:
    """Return the bots of a line-up without their parameters."""
    return [bot.partition(":")[0] for bot in bots_of(lineup)]


def findings_of(comparison: Comparison, players: int) -> list[Finding]:
    """Return one finding a variant, the largest on top."""
    found: dict[str, Finding] = {}
    for row in robustness(comparison):
        if row.players == players:
            found.setdefault(row.variant, Finding(row.variant, row.cell, {})).rows[row.lineup] = row
    return sorted(found.values(), key=lambda finding: (-finding.largest, finding.variant))


def _bar(finding: Finding, lineup: str) -> Bar | None:
    row = finding.rows.get(lineup)
    if row is None:
        return None
    number = points(row.difference, change_decimals(row.interval))
    return Bar(row.variant, "", 100 * row.difference, in_points(row.interval), None, "", number)


# ------------------------------------------------------------------------------------ in words


def _subtitle(comparison: Comparison, players: int) -> str:
    return f"against {comparison.baseline}, {NUMBERS[players]} players, line-ups from weak to strong"


def _cell(comparison: Comparison, finding: Finding) -> str:
    teams = any(
        table.has_teams(finding.variant)
        for table in comparison.tables
        if finding.variant in {row.variant for row in table.variants}
    )
    return heading(finding.cell, comparison.view, teams)


def _note(comparison: Comparison, findings: Sequence[Finding]) -> str:
    if not findings:
        return "Nothing is compared here."
    row = findings[0].any_row
    return (
        "Shown: same direction, and the interval excludes 0; empty: not shown. Shaded: less than the margin "
        f"of {margin_words(comparison.margin)} points. Bars: intervals, {level_words(row.interval)}, each "
        "line-up by itself."
    )


def caption(comparison: Comparison, players: int) -> str:
    """Return what the chart shows in a sentence."""
    findings = findings_of(comparison, players)
    if not findings:
        return f"Nothing is compared with {comparison.baseline} at {NUMBERS[players]} players."
    everywhere = [finding for finding in findings if finding.is_everywhere]
    turned = [finding for finding in findings if finding.any_row.opposite]
    n, lineups = len(findings), len(tables_by_strength(comparison, players))
    text = f"{len(everywhere)} of {n} {'finding is' if n == 1 else 'findings are'} shown with every line-up"
    if lineups == 1:
        text = "Only one line-up played, so nothing is known of others"
    if turned:
        text += (
            f", {len(turned)} {'is' if len(turned) == 1 else 'are'} shown the other way round with another"
        )
    first = findings[0]
    changes = ", ".join(
        f"{change_sentence(row.difference, row.interval)} with {lineup_words(row.lineup)}"
        for row in sorted(first.rows.values(), key=lambda row: strength(row.lineup))
    )
    return f"{text}; the largest is {first.variant}, {_cell(comparison, first)}: {changes}."


def alt_text(comparison: Comparison, players: int) -> str:
    """Return the chart in words, row by row."""
    rows = []
    for finding in findings_of(comparison, players):
        changes = ", ".join(
            f"{lineup_words(row.lineup)} {change_words(row.difference, row.interval)}"
            for row in sorted(finding.rows.values(), key=lambda row: strength(row.lineup))
        )
        counts = ", ".join(finding.counts)
        rows.append(f"{finding.variant}, {_cell(comparison, finding)}: {changes}; shown in {counts}")
    return f"{TITLE} {_subtitle(comparison, players)}. {'. '.join(rows) or 'Nothing'}."
