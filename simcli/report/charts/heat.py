"""The heat table: variants by cells, who gains and who pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import DifferenceRow, Table
from simcli.analysis.phrases import (
    decimals_for,
    heading,
    margin_words,
    player,
    points,
    short_name,
)
from simcli.report.charts.labels import filled, text_width, wrapped, write_head, write_notes
from simcli.report.charts.style import (
    HEAD_HEIGHT,
    INK,
    INNER,
    LESS,
    LINE,
    MORE,
    SIZE,
    SMALL,
    axes_at,
    new_figure,
    styled,
    write,
)
from simcli.report.charts.words import (
    MOST_DECIMALS,
    against,
    change_sentence,
    change_words,
    level_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path

TITLE = "Who gains and who pays"
NAME_COLUMN = 118.0
ROW = 1.75 * LINE
CLIP = 3.0
"""Colours are full at so many margins."""
STRONGEST = 0.5
"""Opacity of a full colour: the number on it stays readable, on light and on dark paper."""
HATCH = 7.0
"""Distance of the lines across a cell in points."""
HATCH_OPACITY = 0.35


@styled
def plot_heat(comparison: Comparison, table: Table) -> Figure:
    """Return the table of all changes as coloured cells, the number in each.

    Hatched cells are undecided; a frame says that the interval excludes 0.

    Parameters
    ----------
    comparison : Comparison
        For what was counted, and the margin.
    table : Table
        One of its tables.
    """
    names = [rank.variant for rank in table.ranking]
    cells = shown_cells(comparison, table)
    base = table.variants[0].variant
    labels = [wrapped(short_name(name, base), NAME_COLUMN - 6, lines=3) for name in names]
    heights = [max(ROW, (len(label) + 0.4) * LINE) for label in labels]
    notes = filled(_note(comparison, table), INNER, SMALL)
    width = (INNER - NAME_COLUMN) / max(1, len(cells))
    heads = [wrapped(_column_head(comparison, table, cell, width), width - 2, SMALL) for cell in cells]
    deep = max((len(head) for head in heads), default=1)
    top, rows = HEAD_HEIGHT + (deep + 0.4) * LINE, max(sum(heights), LINE)
    figure = new_figure(top + rows + (len(notes) + 2.4) * LINE)
    write_head(figure, TITLE, against(table))
    axes = axes_at(figure, NAME_COLUMN, top, INNER - NAME_COLUMN, rows)
    axes.set_axis_off()
    axes.set_xlim(0, INNER - NAME_COLUMN)
    axes.set_ylim(rows, 0)
    for index, head in enumerate(heads):
        middle = NAME_COLUMN + (index + 0.5) * width
        for up, line in enumerate(reversed(head)):
            write(figure, middle, top - (0.7 + up) * LINE, line, size=SMALL, align="center")
    y = 0.0
    for name, label, height in zip(names, labels, heights, strict=True):
        for index, line in enumerate(label):
            write(figure, 0, top + y + height / 2 + (index - (len(label) - 1) / 2) * LINE, line)
        mine = {row.cell: row for row in table.differences if row.variant == name}
        for index, cell in enumerate(cells):
            if cell in mine:
                _draw_cell(axes, (index * width, y, width, height), mine[cell], comparison.margin)
        y += height
    _draw_key(figure, top + rows + 0.4 * LINE, comparison.margin)
    write_notes(figure, top + rows + 1.7 * LINE, notes)
    return figure


def shown_cells(comparison: Comparison, table: Table) -> list[str]:
    """Return the cells that a table's variants have and that can happen, in their order."""
    cells = dict.fromkeys(row.cell for row in table.differences if comparison.shows(row.cell))
    return sorted(cells, key=lambda cell: (not cell.isdigit(), cell if cell.isdigit() else ""))


def _column_head(comparison: Comparison, table: Table, cell: str, width: float) -> str:
    """Return a cell's name, or a shorter one where the column is narrow."""
    teams = any(table.has_teams(rank.variant) for rank in table.ranking)
    name = heading(cell, comparison.view, teams)
    return "2nd" if cell == "1" and text_width(name, SMALL) > width - 2 else name


def _draw_cell(
    axes: Axes, place: tuple[float, float, float, float], row: DifferenceRow, margin: float
) -> None:
    """Draw a change; what is open has lines across, what is shown a frame."""
    x, y, width, height = place
    is_open = not _is_beyond(row, margin) and not _is_inside(row, margin)
    draw_swatch(
        axes,
        (x + 1, y + 1, width - 2, height - 2),
        row.difference / margin,
        is_open,
        row.interval.excludes(0.0),
    )
    digits = min(MOST_DECIMALS, decimals_for(row.interval))
    axes.text(
        x + width / 2, y + height / 2, points(row.difference, digits),
        fontsize=SIZE if width > 40 else SMALL, ha="center", va="center_baseline",
        fontweight="bold" if _is_beyond(row, margin) else "normal",
    )  # fmt: skip


def draw_swatch(
    axes: Axes, place: tuple[float, float, float, float], margins: float, is_open: bool, is_framed: bool
) -> None:
    """Draw a coloured cell: how many margins a change is, whether it is open, whether it is shown."""
    from matplotlib.patches import Rectangle

    x, y, width, height = place
    strength = STRONGEST * min(CLIP, abs(margins)) / CLIP
    colour = MORE if margins > 0 else LESS
    if round(strength, 2):
        axes.add_patch(
            Rectangle((x, y), width, height, facecolor=colour, alpha=strength, clip_on=False, label="colour")
        )
    if is_open:
        _hatch(axes, place)
    if is_framed:
        axes.add_patch(
            Rectangle(
                (x, y),
                width,
                height,
                fill=False,
                edgecolor=INK,
                linewidth=0.9,
                joinstyle="round",
                clip_on=False,
                label="shown",
            )
        )


def _hatch(axes: Axes, place: tuple[float, float, float, float]) -> None:
    """Draw lines across a cell from lower left to upper right; as a mark it is in a page but once."""
    x, y, width, height = place
    axes.plot(
        [x + width / 2], [y + height / 2], marker=_hatching(width, height), markersize=max(width, height),
        linestyle="none", fillstyle="none", markeredgecolor=INK, markeredgewidth=0.5, alpha=HATCH_OPACITY,
        clip_on=False, label="open",
    )  # fmt: skip


def _hatching(width: float, height: float) -> Path:
    """Return lines across a cell about its middle."""
    from matplotlib.path import Path

    ends: list[tuple[float, float]] = []
    for step in range(1, int((width + height) / HATCH) + 1):
        reach = step * HATCH
        ends.append((max(0.0, reach - height) - width / 2, height / 2 - min(reach, height)))
        ends.append((min(reach, width) - width / 2, height / 2 - max(0.0, reach - width)))
    return Path(ends, [Path.MOVETO, Path.LINETO] * (len(ends) // 2))


def _is_beyond(row: DifferenceRow, margin: float) -> bool:
    return row.interval.low > margin or row.interval.high < -margin


def _is_inside(row: DifferenceRow, margin: float) -> bool:
    return -margin < row.interval.low and row.interval.high < margin


def _draw_key(figure: Figure, top: float, margin: float) -> None:
    """Draw what colours, lines and frames mean."""
    keys = (
        (-CLIP, False, False, f"−{margin_words(CLIP * margin)} or less"),
        (CLIP, False, False, f"+{margin_words(CLIP * margin)} or more"),
        (0.0, True, False, "undecided"),
        (0.0, False, True, "shown to differ"),
    )
    axes = axes_at(figure, 0, top, INNER, LINE)
    axes.set_axis_off()
    axes.set_xlim(0, INNER)
    axes.set_ylim(LINE, 0)
    left = 0.0
    for margins, is_open, is_framed, text in keys:
        draw_swatch(axes, (left + 1, 1, 18, LINE - 2), margins, is_open, is_framed)
        write(figure, left + 24, top + LINE / 2, text, size=SMALL)
        left += 24 + text_width(text, SMALL) + 14


def _note(comparison: Comparison, table: Table) -> str:
    interval = table.differences[0].interval if table.differences else None
    what = "is out first" if comparison.view.outcome == "first_out" else "loses"
    return (
        f"Changes in points of all deals: a position that {what} more often has a plus. Bold: beyond the "
        f"margin of {margin_words(comparison.margin)} points; undecided: neither within it nor beyond. "
        f"Intervals: {level_words(interval)}."
    )


# ------------------------------------------------------------------------------------ in words


def caption(comparison: Comparison, table: Table) -> str:
    """Return what the chart shows in a sentence."""
    base = table.variants[0].variant
    shown = [row for row in table.differences if comparison.shows(row.cell)]
    beyond = [row for row in shown if _is_beyond(row, comparison.margin)]
    margin = margin_words(comparison.margin)
    if not table.differences:
        return f"Nothing is compared with {base} here."
    if not beyond:
        return f"No cell is shown to change by more than {margin} points against {base}."
    up, down = max(beyond, key=lambda row: row.difference), min(beyond, key=lambda row: row.difference)
    named = dict.fromkeys((up, down))
    words = ", and ".join(
        f"{_who(comparison, table, row)} under {row.variant}, {change_sentence(row.difference, row.interval)}"
        for row in named
    )
    count = f"{len(beyond)} of {len(shown)} cells {'is' if len(beyond) == 1 else 'are'}"
    return f"{count} shown to change by more than {margin} points against {base}, most of all {words}."


def _who(comparison: Comparison, table: Table, row: DifferenceRow) -> str:
    if row.cell.isdigit():
        return player(row.cell, comparison.view, table.has_teams(row.variant))
    return heading(row.cell, comparison.view, table.has_teams(row.variant))


def alt_text(comparison: Comparison, table: Table) -> str:
    """Return the chart in words, row by row."""
    rows = []
    for rank in table.ranking:
        teams = table.has_teams(rank.variant)
        changes = ", ".join(
            f"{heading(row.cell, comparison.view, teams)} {change_words(row.difference, row.interval)}"
            for row in table.differences
            if row.variant == rank.variant and comparison.shows(row.cell)
        )
        rows.append(f"{rank.variant}: {changes}")
    return f"{TITLE}: changes in points of all deals {against(table)}. {'; '.join(rows) or 'Nothing'}."
