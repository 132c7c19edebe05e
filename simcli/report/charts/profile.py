"""The loss profile: how the lost deals are shared out among the positions, and how a variant shifts that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import ShareRow, Table
from simcli.analysis.phrases import (
    DRAWN,
    NO_LOSER,
    SHARED,
    STALLED,
    heading,
    percent,
    short_name,
    small_percent,
    table_words,
)
from simcli.report.charts.bars import colour_of, nice_step, tick_text, ticks_between
from simcli.report.charts.labels import filled, fitted, write_head, write_notes
from simcli.report.charts.style import (
    HEAD_HEIGHT,
    INK,
    INNER,
    LINE,
    PAPER,
    QUIET,
    SMALL,
    WIDTH,
    axes_at,
    new_figure,
    styled,
    write,
)
from simcli.report.charts.words import level_percent
from simcli.rules.wording import listing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POSITION_COLUMN, NAME_COLUMN = 62.0, 128.0
ROW = LINE
BETWEEN = 0.5 * LINE
AXIS = 1.9 * LINE
DOT_SIZE = 5.0
ARROW = {"linewidth": 0.8, "shrinkA": 2.5, "shrinkB": 2.0, "mutation_scale": 6}
LEAST_VARIANTS, MOST_VARIANTS = 2, 4
MOST_ROWS = 30
"""Where no variants are asked for, so many are shown that all panels fit on a sheet of paper."""


@dataclass(frozen=True)
class Panel:
    """Hold one table of the chart.

    Attributes
    ----------
    table : Table
        The table.
    variants : tuple of str
        Those shown of it.
    rows : list of list of ShareRow
        Per position the baseline's row, then one a variant.
    notes : list of str
        Lines on deals that nobody lost.
    """

    table: Table
    variants: tuple[str, ...]
    rows: list[list[ShareRow]]
    notes: list[str]

    @property
    def fair(self) -> float:
        """Return the share of a fair table."""
        return self.rows[0][0].fair if self.rows else 1.0

    @property
    def height(self) -> float:
        """Return what the panel takes, in points."""
        return 1.4 * LINE + self.scale_height + (len(self.notes) + 0.6) * LINE

    @property
    def is_blank(self) -> bool:
        """Return whether no position has a share, for nobody lost."""
        return all(row.share is None for rows in self.rows for row in rows)

    @property
    def scale_height(self) -> float:
        """Return what its rows take with the axis below them; neither is there without a share."""
        return 0.0 if self.is_blank else self.dots_height + AXIS

    @property
    def dots_height(self) -> float:
        """Return what its rows take."""
        return max(1.0, sum(len(shown_rows(rows)) * ROW + BETWEEN for rows in self.rows))


def shown_rows(rows: Sequence[ShareRow]) -> Sequence[ShareRow]:
    """Return what has a line of its own: the variants, or the baseline if it is alone."""
    return rows[1:] or rows


@styled
def plot_profile(
    comparison: Comparison, tables: Sequence[Table], variants: Sequence[str] | None = None
) -> Figure:
    """Return the chart of each position's share of the deals that somebody lost, a panel a table.

    Open dots are the baseline, filled ones the variants, an arrow from one to the other. All panels have the
    same scale, each about its own fair share 1/N.

    Parameters
    ----------
    comparison : Comparison
        For what was counted.
    tables : sequence of Table
        Those to show, a panel each.
    variants : sequence of str, optional
        Those to show; by default the ones that change most.
    """
    chosen = tuple(variants) if variants is not None else chosen_variants(tables)
    panels = [_panel(comparison, table, chosen) for table in tables]
    notes = filled(_note(comparison, panels), INNER, SMALL)
    figure = new_figure(HEAD_HEIGHT + sum(panel.height for panel in panels) + (len(notes) + 0.4) * LINE)
    write_head(figure, title_of(comparison), _subtitle(comparison, tables))
    half = _half_range(panels)
    top = HEAD_HEIGHT
    for panel in panels:
        _draw_panel(figure, top, panel, comparison, half)
        top += panel.height
    write_notes(figure, top, notes)
    return figure


def title_of(comparison: Comparison) -> str:
    """Return the chart's title: who loses, or who is out first."""
    return "Who is out first" if comparison.view.outcome == "first_out" else "Who loses"


def _subtitle(comparison: Comparison, tables: Sequence[Table]) -> str:
    what = "decided" if comparison.view.outcome == "first_out" else "lost"
    base = tables[0].variants[0].variant if tables else comparison.baseline
    is_alone = all(len(table.variants) == 1 for table in tables)
    marks = base if is_alone else f"open: {base}, filled: the variant"
    return f"share of the {what} deals by position; {marks}"


def chosen_variants(tables: Sequence[Table]) -> tuple[str, ...]:
    """Return the variants that change most at any of the tables, those that are shown to change first."""
    ranks = [rank for table in tables for rank in table.ranking]
    ranks.sort(key=lambda rank: (rank.verdict != "changes", -abs(rank.difference), rank.variant))
    positions = sum(table.base_positions for table in tables)
    most = max(LEAST_VARIANTS, min(MOST_VARIANTS, MOST_ROWS // max(1, positions)))
    return tuple(dict.fromkeys(rank.variant for rank in ranks))[:most]


def _panel(comparison: Comparison, table: Table, chosen: Sequence[str]) -> Panel:
    base = table.variants[0].variant
    shown = [row.variant for row in table.variants[1:] if row.variant in chosen]
    shown.sort(key=list(chosen).index)
    shares = {(row.variant, row.cell): row for row in table.lost_shares}
    cells = [row.cell for row in table.lost_shares if row.variant == base]
    rows = [[shares[name, cell] for name in (base, *shown) if (name, cell) in shares] for cell in cells]
    notes = filled(_nobody(comparison, table, (base, *shown)), INNER, SMALL)
    return Panel(table, tuple(shown), rows, notes)


def _nobody(comparison: Comparison, table: Table, variants: Sequence[str]) -> str:
    """Say how many deals nobody lost."""
    words = {DRAWN: "drawn", STALLED: "stalled", SHARED: "first place shared", NO_LOSER: "no loser"}
    parts = []
    for cell, word in words.items():
        rows = [
            row
            for row in table.positions
            if row.variant in variants and row.cell == cell and row.rate is not None
        ]
        if comparison.shows(cell) and any(row.count for row in rows):
            rates = ", ".join(f"{row.variant} {small_percent(row.rate or 0.0)}" for row in rows)
            parts.append(f"{word}: {rates}")
    if parts:
        return f"Of all deals {'; '.join(parts)}."
    if comparison.view.outcome == "first_out":
        return "In every deal somebody is out first alone."
    return "Every deal has a loser."


def _half_range(panels: Sequence[Panel]) -> float:
    """Return how far from the fair share any panel reaches."""
    ends = [
        abs(end - panel.fair)
        for panel in panels
        for rows in panel.rows
        for row in rows
        if row.share is not None
        for end in (row.share, *((row.interval.low, row.interval.high) if row.interval else ()))
    ]
    return max(1.08 * max(ends, default=0.0), 0.005)


# ------------------------------------------------------------------------------------ drawing


def _draw_panel(figure: Figure, top: float, panel: Panel, comparison: Comparison, half: float) -> None:
    table = panel.table
    words = fitted(table_words(table.runs.players, table.runs.lineup), INNER - 140, bold=True)
    write(figure, 0, top + 0.7 * LINE, words, bold=True)
    top += 1.4 * LINE
    for index, text in enumerate(panel.notes):
        lower = top + panel.scale_height + (index + 0.4) * LINE
        write(figure, 0, lower, text, size=SMALL, quiet=True)
    if panel.is_blank:
        return
    line = f"line: fair share, {percent(panel.fair)}"
    write(figure, INNER, top - 0.7 * LINE, line, size=SMALL, quiet=True, align="right")
    height, width = panel.dots_height, INNER - POSITION_COLUMN - NAME_COLUMN
    axes = axes_at(figure, POSITION_COLUMN, top, width, height)
    axes.set_ylim(height, 0)
    axes.set_yticks([])
    _share_axis(axes, panel.fair, half, width)
    y = BETWEEN / 2
    teams = table.has_teams(table.variants[0].variant)
    for rows in panel.rows:
        name = heading(rows[0].cell, comparison.view, teams)
        write(figure, 0, top + y + ROW / 2, fitted(name, POSITION_COLUMN - 4))
        for row in shown_rows(rows):
            middle = y + ROW / 2
            _draw_row(axes, middle, row, rows[0])
            text = fitted(_beside(panel, row), NAME_COLUMN - 8 - 38, SMALL)
            write(figure, POSITION_COLUMN + width + 6, top + middle, text, size=SMALL)
            share = "–" if row.share is None else percent(row.share)
            write(figure, INNER, top + middle, share, size=SMALL, quiet=True, align="right")
            y += ROW
        y += BETWEEN


def _beside(panel: Panel, row: ShareRow) -> str:
    """Return what stands beside a dot: the variant, or if there is but one, how far it is from fair."""
    if panel.variants:
        return short_name(row.variant, panel.table.variants[0].variant)
    return "" if row.share is None else f"{row.share / row.fair:.2f} × fair"


def _share_axis(axes: Axes, fair: float, half: float, width: float) -> None:
    low, high = 100 * (fair - half), 100 * (fair + half)
    axes.set_xlim(low, high)
    ticks = ticks_between(max(low, 0), min(high, 100), nice_step(high - low, max(2, int(width / 40))))
    axes.set_xticks(ticks, [f"{tick_text(tick, sign=False)} %" for tick in ticks])
    axes.axvline(100 * fair, color=INK, linewidth=0.8, alpha=QUIET, clip_on=False, label="fair", zorder=1)


def _draw_row(axes: Axes, y: float, row: ShareRow, base: ShareRow) -> None:
    """Draw a share with its interval, and how it got there from the baseline's."""
    colour = colour_of(None if row.difference is None else row.difference.interval)
    _draw_interval(axes, y, base, INK)
    if base.share is not None:
        _draw_dot(axes, 100 * base.share, y, INK, PAPER)
    if row is base or row.share is None:
        return
    if base.share is not None and _is_way(axes, row.share, base.share):
        axes.annotate(
            "", (100 * row.share, y), (100 * base.share, y),
            arrowprops={"arrowstyle": "-|>", "color": colour, **ARROW}, zorder=2,
        )  # fmt: skip
    _draw_interval(axes, y, row, colour)
    _draw_dot(axes, 100 * row.share, y, colour, colour, DOT_SIZE * (0.6 if colour == INK else 1))


def _is_way(axes: Axes, share: float, before: float) -> bool:
    """Return whether there is room for an arrow between two dots."""
    low, high = axes.get_xlim()
    width = axes.get_position().width * WIDTH
    return abs(100 * (share - before)) / (high - low) * width > 2 * DOT_SIZE


def _draw_interval(axes: Axes, y: float, row: ShareRow, colour: str) -> None:
    if row.interval is not None and row.share is not None:
        ends = (100 * row.interval.low, 100 * row.interval.high)
        axes.plot(ends, (y, y), color=colour, linewidth=1.8, clip_on=False, label="interval", zorder=3)


def _draw_dot(axes: Axes, x: float, y: float, edge: str, face: str, size: float = DOT_SIZE) -> None:
    axes.plot(
        [x], [y], marker="o", markersize=size, markerfacecolor=face, markeredgecolor=edge,
        markeredgewidth=1.0, linestyle="none", clip_on=False, label="dot", zorder=4,
    )  # fmt: skip


def _chosen(panels: Sequence[Panel]) -> str:
    """Say that there are more variants than those shown, if there are."""
    shown = {name for panel in panels for name in panel.variants}
    compared = {rank.variant for panel in panels for rank in panel.table.ranking}
    return f" Of {len(compared)} variants those that change most." if shown and shown < compared else ""


def _note(comparison: Comparison, panels: Sequence[Panel]) -> str:
    if all(panel.is_blank for panel in panels):
        ends = "was out first" if comparison.view.outcome == "first_out" else "lost"
        return f"Nobody {ends}: there are no shares to show."
    rows = [row for panel in panels for rows in panel.rows for row in rows if row.interval is not None]
    level = ""
    if rows and rows[0].interval is not None:
        level = f" Bars: intervals, {level_percent(rows[0].interval)} at once for a variant's positions."
    coloured = " Small and black: not shown to differ." if any(panel.variants for panel in panels) else ""
    return f"All panels have one scale, each about its fair share.{coloured}{_chosen(panels)}{level}"


# ------------------------------------------------------------------------------------ in words


def caption(comparison: Comparison, tables: Sequence[Table], variants: Sequence[str] | None = None) -> str:
    """Return what the chart shows in a sentence."""
    chosen = tuple(variants) if variants is not None else chosen_variants(tables)
    base = tables[0].variants[0].variant if tables else comparison.baseline
    loses = "is out first in" if comparison.view.outcome == "first_out" else "loses"
    parts = []
    for table in tables:
        rows = [row for row in table.lost_shares if row.variant == base and row.share is not None]
        if not rows:
            continue
        most = max(rows, key=lambda row: row.share or 0.0)
        name = heading(most.cell, comparison.view, table.has_teams(base))
        parts.append(
            f"with {table_words(table.runs.players, table.runs.lineup)} the {name} {loses} "
            f"{percent(most.share or 0.0)} (a fair share is {percent(most.fair)})"
        )
    if not parts:
        return f"Under {base} nobody lost."
    what = "decided" if comparison.view.outcome == "first_out" else "lost"
    shown = f"; shown beside it: {listing(chosen)}" if chosen else ""
    return f"Under {base}, of the {what} deals, {'; '.join(parts)}{shown}."


def alt_text(comparison: Comparison, tables: Sequence[Table], variants: Sequence[str] | None = None) -> str:
    """Return the chart in words, panel by panel."""
    chosen = tuple(variants) if variants is not None else chosen_variants(tables)
    panels = []
    for panel in (_panel(comparison, table, chosen) for table in tables):
        teams = panel.table.has_teams(panel.table.variants[0].variant)
        lines = [
            f"{heading(rows[0].cell, comparison.view, teams)} "
            + ", ".join(
                f"{row.variant} {'unknown' if row.share is None else percent(row.share)}" for row in rows
            )
            for rows in panel.rows
        ]
        words = table_words(panel.table.runs.players, panel.table.runs.lineup)
        panels.append(f"{words}: {'; '.join([*lines, *panel.notes])}")
    return f"{title_of(comparison)}, {_subtitle(comparison, tables)}. {'. '.join(panels)}."
