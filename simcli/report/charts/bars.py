"""Rows of numbers with their intervals on one scale: what forests, contrasts and streaks are drawn as."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from simcli.analysis.phrases import MINUS
from simcli.analysis.rates import Interval
from simcli.report.charts.labels import filled, fitted, text_width, wrapped, write_head, write_notes
from simcli.report.charts.marks import draw_mark
from simcli.report.charts.style import (
    FAINT,
    HEAD_HEIGHT,
    INK,
    INNER,
    LESS,
    LINE,
    MORE,
    QUIET,
    SIZE,
    SMALL,
    axes_at,
    new_figure,
    write,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEFT_COLUMN = 128.0
GAP = 8.0
ROW = 2.35 * LINE
AXIS = 2.6 * LINE
"""Room for the axis below the rows."""
TICK_GAP = 5.0
FAR = 4.0
"""So many times the median reach a row may reach before it is cut."""
SEVERAL = 3
"""So many rows beyond the margin have a median of their own."""


@dataclass(frozen=True)
class Bar:
    """Hold a row of the chart; numbers in points.

    Attributes
    ----------
    name, detail : str
        What it is about: the first line, and the second.
    value : float
        The number.
    interval : (float, float) or None
        Its bounds.
    verdict : str or None
        Which mark it has.
    word, number : str
        What stands to the right: the verdict, and the number in figures.
    thin : (float, float) or None
        A range drawn as a thin line.
    """

    name: str
    detail: str
    value: float
    interval: tuple[float, float] | None
    verdict: str | None
    word: str
    number: str
    thin: tuple[float, float] | None = None

    @property
    def reach(self) -> float:
        """Return how far from zero the row reaches."""
        return max(abs(end) for end in self.ends)

    @property
    def ends(self) -> tuple[float, ...]:
        """Return all that has a place on the scale."""
        return (self.value, *(self.interval or ()), *(self.thin or ()))


def plot_bars(
    title: str, subtitle: str, bars: Sequence[Bar], margin: float, unit: str, notes: Sequence[str]
) -> Figure:
    """Return the chart of some rows, the first on top.

    Parameters
    ----------
    title, subtitle : str
        What stands above.
    bars : sequence of Bar
        The rows; without any there is no scale, and the notes say why.
    margin : float
        Half the width of the shaded band, in points; 0 for none.
    unit : str
        What the axis counts.
    notes : sequence of str
        What stands below, a paragraph each.
    """
    below = [line for note in notes for line in filled(note, INNER, SMALL)]
    names = [wrapped(bar.name, LEFT_COLUMN - GAP, lines=3) for bar in bars]
    heights = [
        max(ROW, (len(name) + bool(bar.detail) + 0.35) * LINE) for name, bar in zip(names, bars, strict=True)
    ]
    rows = max(sum(heights), LINE)
    scale = rows + AXIS if bars else 0.0
    figure = new_figure(HEAD_HEIGHT + scale + (len(below) + 0.6) * LINE)
    write_head(figure, title, subtitle)
    write_notes(figure, HEAD_HEIGHT + scale, below)
    if not bars:  # a scale without anything on it says nothing
        return figure
    right = max((max(text_width(bar.word), text_width(bar.number, SMALL)) for bar in bars), default=0.0)
    width = INNER - LEFT_COLUMN - right - GAP
    axes = axes_at(figure, LEFT_COLUMN, HEAD_HEIGHT, width, rows)
    axes.set_ylim(rows, 0)
    axes.set_yticks([])
    limit = limit_of([bar.reach for bar in bars], margin)
    points_axis(axes, -limit, limit, margin, width)
    top = 0.0
    for bar, name, height in zip(bars, names, heights, strict=True):
        middle = top + height / 2
        draw_bar(axes, middle, bar, limit)
        _write_row(figure, HEAD_HEIGHT + middle, bar, name, INNER - right)
        top += height
    write(figure, LEFT_COLUMN + width / 2, HEAD_HEIGHT + rows + 1.75 * LINE, unit, size=SMALL, align="center")
    return figure


def _write_row(figure: Figure, middle: float, bar: Bar, name: Sequence[str], right: float) -> None:
    """Write what stands on both sides of a row."""
    detail = fitted(bar.detail, LEFT_COLUMN - GAP, SMALL)
    texts = [*((line, False) for line in name), *([(detail, True)] if detail else [])]
    for index, (text, quiet) in enumerate(texts):
        top = middle + (index - (len(texts) - 1) / 2) * LINE
        write(figure, 0, top, text, quiet=quiet, size=SMALL if quiet else SIZE)
    is_bold = bar.verdict == "changes"
    write(figure, right, middle - LINE / 2, bar.word, bold=is_bold)
    write(figure, right, middle + LINE / 2, bar.number, size=SMALL, quiet=True)


# ------------------------------------------------------------------------------------ the scale


def limit_of(reaches: Sequence[float], margin: float) -> float:
    """Return where the scale ends: at the farthest row, at most four times as far as the middle one.

    Where several reach beyond the margin, it is the middle one of those: however many rows without a change
    there are, they do not make the scale narrow.

    >>> limit_of([1.0, 1.2, 0.8], 0.5), limit_of([1.0, 1.0, 30.0], 0.5), limit_of([0.1] * 9 + [1, 2, 4], 0.5)
    (1.26, 4.2, 4.2)
    """
    least = max(1.5 * margin, 0.01)
    farthest = max(reaches, default=least)
    beyond = [reach for reach in reaches if reach > margin]
    counted = beyond if len(beyond) >= SEVERAL else reaches
    usual = max(least, FAR * median(counted)) if counted else least
    return round(1.05 * max(least, min(farthest, usual)), 9)


def nice_step(span: float, most: int) -> float:
    """Return the distance of ticks: 1, 2 or 5 times a power of ten, at most `most` of them in `span`.

    >>> nice_step(4.0, 5), nice_step(0.3, 4)
    (1.0, 0.1)
    """
    rough = span / most
    power = 10.0 ** math.floor(math.log10(rough))
    return next(round(step * power, 12) for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))


def ticks_between(low: float, high: float, step: float) -> list[float]:
    """Return the multiples of a step within bounds."""
    return [
        round(k * step, 12) for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def roomy_ticks(low: float, high: float, width: float) -> list[float]:
    """Return as many ticks as have room for their labels, between neighbours and at the ends."""
    ticks, unit = [0.0], width / (high - low)
    for most in range(2, 12):
        finer = ticks_between(low, high, nice_step(high - low, most))
        widest = max((text_width(tick_text(tick), SMALL) for tick in finer), default=0.0)
        if len(finer) > 1 and (finer[1] - finer[0]) * unit < widest + TICK_GAP:
            break
        ticks = finer
    roomy = [tick for tick in ticks if _reaches_out(tick, low, high, unit) <= TICK_GAP / 2]
    return roomy if len(roomy) > 1 else _two_ticks(low, high, width) or roomy


def _two_ticks(low: float, high: float, width: float) -> list[float]:
    """Return the farthest ticks that a narrow axis has room for; the line at zero needs no label."""
    unit = width / (high - low)
    for most in range(2, 24):
        step = nice_step(high - low, most)
        room = 2 * step * unit - text_width(tick_text(-step), SMALL)
        if room >= TICK_GAP and all(
            _reaches_out(end, low, high, unit) <= TICK_GAP / 2 for end in (-step, step)
        ):
            return [-step, step]
    return []


def _reaches_out(tick: float, low: float, high: float, unit: float) -> float:
    """Return by how many points a tick's label goes beyond the axis."""
    half = text_width(tick_text(tick), SMALL) / 2
    return half - min(tick - low, high - tick) * unit


def tick_text(value: float, sign: bool = True) -> str:
    """Return a tick in as few digits as it takes.

    >>> tick_text(0.5), tick_text(-2.0), tick_text(0.0)
    ('+0.5', '−2', '0')
    """
    text = f"{abs(value):.10g}"
    if value == 0:
        return "0"
    return f"{MINUS if value < 0 else '+' if sign else ''}{text}"


def points_axis(axes: Axes, low: float, high: float, margin: float, width: float) -> None:
    """Scale an axis in points with its zero line and the band of the margin."""
    axes.set_xlim(low, high)
    ticks = roomy_ticks(low, high, width)
    axes.set_xticks(ticks, [tick_text(tick) for tick in ticks])
    if margin:
        axes.axvspan(
            max(low, -margin), min(high, margin), color=INK, alpha=FAINT, linewidth=0, clip_on=False, zorder=0
        )
    axes.axvline(0, color=INK, linewidth=0.8, alpha=QUIET, clip_on=False, zorder=1)


# ------------------------------------------------------------------------------------ a row


def colour_of(bounds: tuple[float, float] | Interval | None) -> str:
    """Return the colour of a difference: of more, of less, or of neither where none is shown."""
    if bounds is None:
        return INK
    low, high = (bounds.low, bounds.high) if isinstance(bounds, Interval) else bounds
    return MORE if low > 0 else LESS if high < 0 else INK


def draw_bar(axes: Axes, y: float, bar: Bar, limit: float) -> None:
    """Draw a number with its interval; an arrow says where it goes on beyond the scale."""
    colour = colour_of(bar.interval)
    is_cut = bar.reach > limit
    if bar.thin is not None:
        axes.plot(
            bar.thin, (y, y), clip_on=is_cut, color=INK, linewidth=0.8, alpha=QUIET, label="range", zorder=2
        )
    if bar.interval is not None:
        axes.plot(
            bar.interval, (y, y), clip_on=is_cut, color=colour, linewidth=2.4, label="interval", zorder=3
        )
    for sign in (-1, 1):
        if any(sign * end > limit for end in bar.ends):
            axes.plot(
                [sign * limit], [y], marker="<" if sign < 0 else ">", markersize=6, color=colour,
                clip_on=False, linestyle="none", label="beyond", zorder=5,
            )  # fmt: skip
    if abs(bar.value) <= limit:
        draw_mark(axes, bar.value, y, bar.verdict, colour)
