"""How often a rule changes a deal against what it does there: rare but decisive, frequent but harmless."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import EffectRow, Table, VerdictRow
from simcli.analysis.phrases import heading, margin_words, short_name, small_percent
from simcli.analysis.phrases import points as points_text
from simcli.analysis.rates import Interval
from simcli.report.charts.bars import TICK_GAP, colour_of, tick_text
from simcli.report.charts.labels import (
    CLEAR,
    Box,
    filled,
    fitted,
    place_labels,
    spread,
    text_width,
    wrapped,
    write_head,
    write_notes,
)
from simcli.report.charts.marks import MARK_SIZE, draw_mark
from simcli.report.charts.style import (
    EDGE,
    FAINT,
    HEAD_HEIGHT,
    INK,
    INNER,
    LINE,
    QUIET,
    SMALL,
    WIDTH,
    axes_at,
    height_of,
    new_figure,
    styled,
    write,
)
from simcli.report.charts.words import against, change_sentence, change_words, level_words
from simcli.rules.wording import listing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "How often a rule changes a deal, and what it does there"
AXIS_COLUMN = 40.0
LEAST_HEIGHT, MOST_HEIGHT, HEIGHT_OF_A_NAME = 260.0, 400.0, 10.0
NAMES_COLUMN, BROAD_COLUMN = 132.0, 200.0
"""Room to the right for the names of what affects many deals: there the marks crowd."""
COLUMN_GAP = 14.0
"""What of that room is taken by the lines that lead to the names."""
MANY = 0.12
"""Share of deals from which a name stands in that column."""
MOST_SHARE = 1.35
"""The share axis goes on beyond 100 % so that marks there are seen whole."""
LINEAR = 1.0
"""Up to so many points the scale of changes is linear, beyond it logarithmic."""
BEND = 24
"""So many steps draw the part of the margin's line that is not straight."""
TICKS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


@dataclass(frozen=True)
class Point:
    """Hold a variant's place in the chart; numbers in points, the share from 0 to 1."""

    name: str
    short: str
    share: float
    share_interval: Interval | None
    change: float
    interval: Interval | None
    verdict: str
    row: EffectRow

    @property
    def ends(self) -> tuple[float, ...]:
        """Return the change, and the bounds of its interval if it has one."""
        return (self.change, *(() if self.interval is None else (self.interval.low, self.interval.high)))

    @property
    def words(self) -> str:
        """Return the change in figures."""
        if self.interval is None:
            return points_text(self.change / 100)
        return change_words(self.change / 100, self.interval.scaled(0.01))


@styled
def plot_in_play(comparison: Comparison, table: Table) -> Figure:
    """Return the chart of the share of deals affected against the change among them.

    Along the dotted lines share × change is the margin: between them a rule changes less than that.

    Parameters
    ----------
    comparison : Comparison
        For the margin.
    table : Table
        One of its tables.
    """
    points = points_of(table)
    margin = 100 * comparison.margin
    notes = [line for note in _notes(comparison, table, points) for line in filled(note, INNER, SMALL)]
    column = _names_column(points)
    names = sum(len(_name_lines(point, column)) for point in points)
    height = min(MOST_HEIGHT, LEAST_HEIGHT + HEIGHT_OF_A_NAME * max(0, names - 6))
    figure = new_figure(HEAD_HEIGHT + 1.2 * LINE + height + (2.8 + len(notes)) * LINE)
    write_head(figure, TITLE, against(table))
    write(figure, 0, HEAD_HEIGHT + 0.5 * LINE, "change among the affected deals, points", size=SMALL)
    top, width = HEAD_HEIGHT + 1.2 * LINE, INNER - AXIS_COLUMN - column
    axes = axes_at(figure, AXIS_COLUMN, top, width, height)
    low, limit = _least_share(points), _limit(points, margin)
    _scale(axes, low, limit, width)
    _draw_margin(axes, low, limit, margin)
    for point in points:
        _draw_point(axes, point)
    _label(figure, axes, points, column)
    middle = AXIS_COLUMN + width / 2
    write(figure, middle, top + height + 1.75 * LINE, "deals affected", size=SMALL, align="center")
    write_notes(figure, top + height + 2.5 * LINE, notes)
    return figure


def points_of(table: Table) -> list[Point]:
    """Return the variants that have a place: compared deal by deal, with any deal affected."""
    verdicts = {row.variant: row for row in table.verdicts}
    base = table.variants[0].variant
    found = (_point(effect, verdicts[effect.variant], base) for effect in table.effects)
    return sorted((point for point in found if point is not None), key=lambda point: -abs(point.change))


def _point(effect: EffectRow, verdict: VerdictRow, baseline: str) -> Point | None:
    share, among = effect.affected, effect.among_affected
    if share is None or among is None or not share.value or among.value is None:
        return None
    return Point(
        effect.variant,
        short_name(effect.variant, baseline),
        share.value,
        share.interval,
        100 * among.value,
        None if among.interval is None else among.interval.scaled(100.0),
        verdict.verdict,
        effect,
    )


def _limit(points: Sequence[Point], margin: float) -> float:
    """Return where the scale of changes ends: at the first tick that no interval goes beyond."""
    farthest = max([2 * margin, 2 * LINEAR, *(abs(end) for point in points for end in point.ends)])
    return 1.3 * next((tick for tick in TICKS if tick >= farthest), TICKS[-1])


def _least_share(points: Sequence[Point]) -> float:
    """Return where the scale of shares begins: below the rarest rule, at 10 % or less."""
    shares = [point.share_interval.low if point.share_interval else point.share for point in points]
    least = max(1e-9, min(shares, default=0.1))
    return 0.7 * min(0.1, least)


# ------------------------------------------------------------------------------------ drawing


def _scale(axes: Axes, low: float, limit: float, width: float) -> None:
    from matplotlib.ticker import NullFormatter, NullLocator

    axes.set_xscale("log")
    axes.set_xlim(low, MOST_SHARE)
    shares = share_ticks(low, width)
    axes.set_xticks(shares, [_share_tick(share) for share in shares])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_yscale("symlog", linthresh=LINEAR, linscale=0.7)
    axes.set_ylim(-limit, limit)
    ticks = [0.0, *(sign * tick for tick in TICKS if tick < limit for sign in (-1, 1))]
    axes.set_yticks(ticks, [tick_text(tick) for tick in ticks])
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(0, color=INK, linewidth=0.8, alpha=QUIET, zorder=1)


def share_ticks(low: float, width: float) -> list[float]:
    """Return powers of ten from 100 % down, as many as have room for their labels."""
    unit = width / math.log10(MOST_SHARE / low)
    powers = range(0, math.ceil(math.log10(low)) - 1, -1)
    widest = max(text_width(_share_tick(10.0**power), SMALL) for power in powers)
    return [10.0**power for power in powers[:: math.ceil((widest + TICK_GAP) / unit)]]


def _share_tick(share: float) -> str:
    return f"{100 * share:.10g} %"


def _draw_margin(axes: Axes, low: float, limit: float, margin: float) -> None:
    """Shade where share × change stays within the margin."""
    shares = _shares_along(low, limit, margin)
    curve = [margin / share for share in shares]
    axes.fill_between(
        shares, [-min(limit, end) for end in curve], [min(limit, end) for end in curve],
        color=INK, alpha=FAINT, linewidth=0, zorder=0,
    )  # fmt: skip
    for sign in (-1, 1):
        ends = [sign * end for end in curve]
        axes.plot(
            shares, ends, color=INK, linewidth=0.9, alpha=QUIET, linestyle=":", label="margin", zorder=1
        )


def _shares_along(low: float, limit: float, margin: float) -> list[float]:
    """Return the shares at which the margin's line bends: on logarithmic scales it is straight."""
    corners = [low, margin / limit, margin / LINEAR, MOST_SHARE]
    start = min(max(low, margin / LINEAR), MOST_SHARE)
    bend = [start * (MOST_SHARE / start) ** (step / BEND) for step in range(1, BEND)]
    return sorted({low, *(share for share in (*corners, *bend) if low <= share <= MOST_SHARE)})


def _draw_point(axes: Axes, point: Point) -> None:
    colour = colour_of(point.interval)
    x, y = point.share, point.change
    bars = (("interval", point.interval, True), ("share", point.share_interval, False))
    for label, bounds, is_upright in bars:
        if bounds is None:
            continue
        ends, still = (bounds.low, bounds.high), (x, x) if is_upright else (y, y)
        xs, ys = (still, ends) if is_upright else (ends, still)
        axes.plot(xs, ys, color=colour, linewidth=1.6, clip_on=False, label=label, zorder=3)
    draw_mark(axes, x, y, point.verdict, colour)


def _names_column(points: Sequence[Point]) -> float:
    """Return the room for names at the right: more than usual for long ones."""
    longest = max((text_width(point.short, SMALL) for point in points if point.share >= MANY), default=0.0)
    return min(BROAD_COLUMN, max(NAMES_COLUMN, longest + COLUMN_GAP))


def _label(figure: Figure, axes: Axes, points: Sequence[Point], column: float) -> None:
    """Name the points: those that crowd at the right in a column, the others where there is room."""
    crowd = [point for point in points if point.share >= MANY]
    taken = [box for point in points for box in _boxes(axes, point)]
    left, zero = _place(axes, axes.get_xlim()[0], 0.0)
    edge, _ = _place(axes, MOST_SHARE, 0.0)
    taken.append(Box(left, zero - 0.5, edge, zero + 0.5))
    taken += _label_crowd(figure, axes, crowd, column)
    _label_others(figure, axes, [point for point in points if point.share < MANY], taken)


def _boxes(axes: Axes, point: Point) -> Iterator[Box]:
    """Yield the room that a point's mark and bars take."""
    x, y = _place(axes, point.share, point.change)
    half = MARK_SIZE / 2 + 0.5
    yield Box(x - half, y - half, x + half, y + half)
    low, high = (_place(axes, point.share, end)[1] for end in (min(point.ends), max(point.ends)))
    yield Box(x - 1, low, x + 1, high)
    if point.share_interval is not None:
        ends = (point.share_interval.low, point.share_interval.high)
        start, end = (_place(axes, share, point.change)[0] for share in ends)
        yield Box(start, y - 1, end, y + 1)


def _name_lines(point: Point, column: float) -> list[str]:
    """Return a name as it stands in the column: in two lines if need be."""
    return wrapped(point.short, column - COLUMN_GAP, SMALL) if point.share >= MANY else [point.short]


def _label_crowd(figure: Figure, axes: Axes, crowd: Sequence[Point], column: float) -> list[Box]:
    """Write names in a column at the right, a line to each; return the room that the lines take."""
    spots = sorted((*_place(axes, point.share, point.change), _name_lines(point, column)) for point in crowd)
    spots.sort(key=lambda spot: spot[1])
    edge = _place(axes, MOST_SHARE, 0.0)[0]
    bottom, top = (_place(axes, 1.0, end)[1] for end in axes.get_ylim())
    wanted = [y for _, y, lines in spots for _ in lines]
    heights = iter(spread(wanted, LINE, bottom + LINE / 2, top - LINE / 2))
    taken: list[Box] = []
    for x, y, lines in spots:
        for line in reversed(lines):
            height = next(heights)
            _draw_label(figure, (edge + COLUMN_GAP - 2, height), line, "left")
        _draw_leader(figure, [(x, y), (edge, height), (edge + COLUMN_GAP - 5, height)])
        taken += _boxes_along((x, y), (edge, height))
    return taken


def _label_others(figure: Figure, axes: Axes, points: Sequence[Point], taken: Sequence[Box]) -> None:
    """Write names beside their marks, with a line where there is no room that near."""
    spots = [_place(axes, point.share, point.change) for point in points]
    texts = [fitted(point.short, NAMES_COLUMN, SMALL) for point in points]
    left, bottom = _place(axes, axes.get_xlim()[0], axes.get_ylim()[0])
    right, top = _place(axes, MOST_SHARE, axes.get_ylim()[1])
    widths = [text_width(text, SMALL) for text in texts]
    placed = place_labels(spots, widths, taken, Box(left + 2, bottom, right, top))
    for (x, y), text, (box, is_far) in zip(spots, texts, placed, strict=True):
        if is_far:
            near = (max(box.left, min(x, box.right)), max(box.bottom + 2, min(y, box.top - 2)))
            _draw_leader(figure, [(x, y), near])
        end, align = _anchor(box, x)
        _draw_label(figure, (end, (box.bottom + box.top) / 2), text, align)


def _anchor(box: Box, x: float) -> tuple[float, str]:
    """Return where a label is held: at its end by the mark, since a reader's font may be narrower."""
    if box.left > x:
        return box.left + CLEAR, "left"
    if box.right < x:
        return box.right - CLEAR, "right"
    return (box.left + box.right) / 2, "center"


def _place(axes: Axes, share: float, change: float) -> tuple[float, float]:
    """Return where a point lies on the sheet, in points from its lower left corner."""
    x, y = axes.transData.transform((share, change))
    return float(x), float(y)


def _boxes_along(start: tuple[float, float], end: tuple[float, float], steps: int = 12) -> list[Box]:
    """Return small boxes along a line."""
    spots = [
        tuple(a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
        for step in range(steps + 1)
    ]
    return [Box(x - 1, y - 1, x + 1, y + 1) for x, y in spots]


def _draw_label(figure: Figure, place: tuple[float, float], text: str, align: str) -> None:
    left, bottom = place
    write(figure, left - EDGE, height_of(figure) - bottom, text, size=SMALL, align=align)


def _draw_leader(figure: Figure, corners: Sequence[tuple[float, float]]) -> None:
    """Draw a line from a mark's edge to its name."""
    from matplotlib.lines import Line2D

    (x, y), (u, v) = corners[:2]
    part = min(1.0, (MARK_SIZE / 2 + 1) / max(1e-9, math.hypot(u - x, v - y)))
    corners = [(x + part * (u - x), y + part * (v - y)), *corners[1:]]
    xs, ys = [x / WIDTH for x, _ in corners], [y / height_of(figure) for _, y in corners]
    figure.add_artist(Line2D(xs, ys, color=INK, linewidth=0.5, alpha=0.55, label="leader", zorder=1))


# ------------------------------------------------------------------------------------ in words


def _notes(comparison: Comparison, table: Table, points: Sequence[Point]) -> list[str]:
    placed = {point.name for point in points}
    never = [row.variant for row in table.effects if row.affected is not None and row.affected.value == 0]
    others = [row.variant for row in table.effects if row.variant not in placed and row.variant not in never]
    notes = [
        f"Shaded: share × change is less than the margin of {margin_words(comparison.margin)} points. "
        "Filled: changes more than that; half: undecided; empty: does not. The scale of changes is "
        f"logarithmic beyond {LINEAR:g} point."
    ]
    if points and points[0].interval is not None:
        notes[0] += f" Bars: intervals, {level_words(points[0].interval)}."
    if never:
        notes.append(f"No deal affected: {', '.join(never)}.")
    if others:
        notes.append(f"Not compared deal by deal: {', '.join(others)}.")
    return notes


def _cell(comparison: Comparison, table: Table, row: EffectRow) -> str:
    return heading(str(row.cell), comparison.view, table.has_teams(row.variant))


def caption(comparison: Comparison, table: Table) -> str:
    """Return what the chart shows in a sentence."""
    points = points_of(table)
    if not points:
        return f"No deal goes otherwise than under {table.variants[0].variant}."
    rare, often = min(points, key=lambda point: point.share), max(points, key=lambda point: point.share)

    def words(point: Point) -> str:
        cell = _cell(comparison, table, point.row)
        share = small_percent(point.share)
        change = change_sentence(point.change / 100, point.interval.scaled(0.01) if point.interval else None)
        return f"{point.name} affects {share} of deals, {cell} {change} in those"

    if rare is often:
        return f"{words(rare)}."
    return f"Rarest, {words(rare)}; most often, {words(often)}."


def alt_text(comparison: Comparison, table: Table) -> str:
    """Return the chart in words, variant by variant."""
    points = points_of(table)
    rows = "; ".join(
        f"{point.name} {small_percent(point.share)}, {_cell(comparison, table, point.row)} "
        f"{point.words}, {point.verdict}"
        for point in points
    )
    return f"{TITLE}, {against(table)}: {rows or listing([])}."
