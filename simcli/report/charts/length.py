"""How long deals last: by how many bouts how many deals are over, against the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import MeasureRow, Table
from simcli.analysis.phrases import points
from simcli.report.charts.bars import colour_of, nice_step, tick_text, ticks_between
from simcli.report.charts.labels import filled, fitted
from simcli.report.charts.style import (
    HEAD_HEIGHT,
    INK,
    INNER,
    LINE,
    QUIET,
    SMALL,
    axes_at,
    new_figure,
    styled,
    write,
    write_head,
)
from simcli.report.charts.words import against

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "How long deals last"
MEASURE = "bouts"
NEARLY_ALL = 0.999
"""The scale of bouts ends where so many deals are over, under every variant."""
AXIS_COLUMN, GUTTER = 30.0, 16.0
STRIP, PANEL = 46.0, 46.0
PANEL_HEAD = 2.1 * LINE
AXIS = 1.6 * LINE
BAND = 0.3
"""Opacity of the band."""


class CurveRow(Protocol):
    """A measure's distribution under a variant and under the baseline, with a band about the difference.

    Attributes
    ----------
    variant, measure : str
        Whose distribution, and of what.
    values : sequence of int
        The values of the measure.
    baseline, cdf : sequence of float
        Shares of deals with at most so much, under the baseline and under the variant.
    difference, low, high : sequence of float
        The latter less the former, and a band that holds for all values at once.
    level, family : float, str
        What the band promises.
    """

    @property
    def variant(self) -> str:
        """Return whose distribution it is."""

    @property
    def measure(self) -> str:
        """Return of what."""

    @property
    def values(self) -> Sequence[int]:
        """Return the values."""

    @property
    def baseline(self) -> Sequence[float]:
        """Return the baseline's distribution."""

    @property
    def cdf(self) -> Sequence[float]:
        """Return the variant's distribution."""

    @property
    def difference(self) -> Sequence[float]:
        """Return the difference."""

    @property
    def low(self) -> Sequence[float]:
        """Return the band's lower edge."""

    @property
    def high(self) -> Sequence[float]:
        """Return the band's upper edge."""

    @property
    def level(self) -> float:
        """Return the chance that the band covers."""

    @property
    def family(self) -> str:
        """Return with what else."""


@dataclass(frozen=True)
class Scale:
    """Hold what all panels share: bouts from 0 to `most`, differences from −`reach` to `reach` points."""

    most: int
    reach: float


@styled
def plot_length(comparison: Comparison, table: Table, curves: Sequence[CurveRow]) -> Figure:
    """Return the chart of the deals that are over by a number of bouts, as differences to the baseline.

    The strip on top is the baseline itself, with its median and its 90th percentile.

    Parameters
    ----------
    comparison : Comparison
        What the table belongs to.
    table : Table
        One of its tables.
    curves : sequence of CurveRow
        Those of its variants; those of other measures are passed over.
    """
    shown = sorted_curves(curves)
    scale = _scale(shown)
    notes = filled(_note(table, shown), INNER, SMALL)
    rows = (len(shown) + 1) // 2
    strip = (PANEL_HEAD + STRIP + AXIS) if shown else LINE
    grid = rows * (PANEL_HEAD + PANEL) + (AXIS + LINE if rows else 0)
    figure = new_figure(HEAD_HEIGHT + strip + grid + (len(notes) + 0.6) * LINE)
    write_head(figure, TITLE, against(table))
    if shown:
        _draw_strip(figure, HEAD_HEIGHT, table, shown[0], scale)
    width = (INNER - AXIS_COLUMN - GUTTER) / 2
    top = HEAD_HEIGHT + strip
    for index, curve in enumerate(shown):
        left = AXIS_COLUMN + (index % 2) * (width + GUTTER)
        place = (left, top + (index // 2) * (PANEL_HEAD + PANEL), width)
        is_last = index + 2 >= len(shown)
        _draw_panel(figure, place, table, curve, scale, with_bouts=is_last, with_points=index % 2 == 0)
    if rows:
        write(
            figure, AXIS_COLUMN + (INNER - AXIS_COLUMN) / 2, top + grid - 0.5 * LINE, "bouts",
            size=SMALL, align="center",
        )  # fmt: skip
    for index, line in enumerate(notes):
        write(figure, 0, top + grid + (index + 0.6) * LINE, line, size=SMALL, quiet=True)
    return figure


def sorted_curves(curves: Sequence[CurveRow]) -> list[CurveRow]:
    """Return the curves of bouts, those that differ most first."""
    ours = [curve for curve in curves if curve.measure == MEASURE and len(curve.values)]
    return sorted(ours, key=lambda curve: (-_largest(curve), curve.variant))


def _largest(curve: CurveRow) -> float:
    return max(abs(change) for change in curve.difference)


def _scale(curves: Sequence[CurveRow]) -> Scale:
    most, reach = 1, 0.5
    for curve in curves:
        for shares in (curve.baseline, curve.cdf):
            over = next((i for i, share in enumerate(shares) if share >= NEARLY_ALL), len(shares) - 1)
            most = max(most, curve.values[over])
        reach = max(reach, *(100 * abs(end) for end in (*curve.low, *curve.high)))
    return Scale(most, 1.08 * reach)


# ------------------------------------------------------------------------------------ drawing


def _steps(curve: CurveRow, shares: Sequence[float], scale: Scale) -> tuple[list[float], list[float]]:
    """Return a distribution's steps in points, up to the end of the scale."""
    kept = [(value, 100 * share) for value, share in zip(curve.values, shares, strict=True) if value <= scale.most]
    xs = [float(value) for value, _ in kept]
    return [*xs, scale.most + 1.0], [*(share for _, share in kept), kept[-1][1]]


def _bouts_axis(axes: Axes, scale: Scale, width: float, labelled: bool) -> None:
    axes.set_xlim(0, scale.most + 1)
    step = max(1.0, nice_step(scale.most, max(2, int(width / 30))))
    ticks = ticks_between(0, scale.most, step)
    axes.set_xticks(ticks, [f"{tick:.0f}" if labelled else "" for tick in ticks])


def _draw_strip(figure: Figure, top: float, table: Table, curve: CurveRow, scale: Scale) -> None:
    """Draw how many deals last how many bouts under the baseline."""
    base = table.variants[0].variant
    write(figure, 0, top + 0.5 * LINE, f"{base}: deals by their number of bouts")
    row = _measure(table, base)
    if row is not None:
        write(figure, 0, top + 1.5 * LINE, _quantiles(row, row), size=SMALL, quiet=True)
    width = INNER - AXIS_COLUMN
    axes = axes_at(figure, AXIS_COLUMN, top + PANEL_HEAD, width, STRIP)
    _bouts_axis(axes, scale, width, labelled=True)
    shares = [b - a for a, b in zip([0.0, *curve.baseline[:-1]], curve.baseline, strict=True)]
    kept = [(value, 100 * share) for value, share in zip(curve.values, shares, strict=True) if value <= scale.most]
    axes.bar([v for v, _ in kept], [s for _, s in kept], width=0.8, color=INK, alpha=0.4, linewidth=0)
    highest = max([share for _, share in kept] + [0.01])
    axes.set_ylim(0, 1.15 * highest)
    ticks = ticks_between(0, highest, nice_step(highest, 2))
    axes.set_yticks(ticks, [f"{tick_text(tick, sign=False)} %" for tick in ticks])
    for mark, style in (() if row is None else ((row.median.value, "-"), (row.p90.value, "--"))):
        if mark is not None:
            axes.axvline(mark, color=INK, linewidth=1.2, linestyle=style, label="quantile")


def _draw_panel(
    figure: Figure, place: tuple[float, float, float], table: Table, curve: CurveRow, scale: Scale,
    *, with_bouts: bool, with_points: bool,
) -> None:  # fmt: skip
    left, top, width = place
    row, base = _measure(table, curve.variant), _measure(table, table.variants[0].variant)
    write(figure, left, top + 0.55 * LINE, fitted(curve.variant, width))
    if row is not None and base is not None:
        write(figure, left, top + 1.5 * LINE, fitted(_quantiles(row, base), width, SMALL), size=SMALL, quiet=True)
    axes = axes_at(figure, left, top + PANEL_HEAD, width, PANEL)
    _bouts_axis(axes, scale, width, with_bouts)
    axes.set_ylim(-scale.reach, scale.reach)
    ticks = ticks_between(-scale.reach, scale.reach, nice_step(2 * scale.reach, 3))
    axes.set_yticks(ticks, [tick_text(tick) if with_points else "" for tick in ticks])
    axes.spines["bottom"].set_visible(with_bouts)
    if not with_bouts:
        axes.tick_params(bottom=False)
    axes.axhline(0, color=INK, linewidth=0.8, alpha=QUIET, zorder=1)
    xs, low = _steps(curve, curve.low, scale)
    _, high = _steps(curve, curve.high, scale)
    _, middle = _steps(curve, curve.difference, scale)
    colour = _colour(curve)
    axes.fill_between(xs, low, high, step="post", color=colour, alpha=BAND, linewidth=0, label="band", zorder=2)
    axes.plot(xs, middle, drawstyle="steps-post", color=colour, linewidth=1.3, label="difference", zorder=3)


def _colour(curve: CurveRow) -> str:
    """Return the colour of longer or shorter deals; of neither where the band never leaves zero."""
    shown = [
        change
        for change, low, high in zip(curve.difference, curve.low, curve.high, strict=True)
        if low > 0 or high < 0
    ]
    if not shown:
        return INK
    # Fewer deals over by a bout: they last longer.
    return colour_of(*(2 * (-max(shown, key=abs),)))


def _measure(table: Table, variant: str) -> MeasureRow | None:
    rows = (row for row in table.measures if row.variant == variant and row.measure == MEASURE)
    return next(rows, None)


def _quantiles(row: MeasureRow, base: MeasureRow) -> str:
    """Return median and 90th percentile, from the baseline's to the variant's where they differ."""
    if row.median.value is None or row.p90.value is None:
        return "all deals stalled"
    return f"median {_from_to(base.median.value, row.median.value)}, 90 % {_from_to(base.p90.value, row.p90.value)}"


def _from_to(before: float | None, after: float) -> str:
    return f"{after:g}" if before is None or before == after else f"{before:g} → {after:g}"


# ------------------------------------------------------------------------------------ in words


def _note(table: Table, curves: Sequence[CurveRow]) -> str:
    if not curves:
        return f"Nothing is compared with {table.variants[0].variant} here."
    level = f"{100 * curves[0].level:.4g} %"
    return (
        "Below the strip: points of deals more that are over by a number of bouts than under "
        f"{table.variants[0].variant}; below zero deals last longer (orange), above it they are shorter (blue). "
        f"Bands: each holds along its whole length, {level}. Strip: the median is a line, the 90th percentile a "
        "broken one. Stalled deals are left out."
    )


def caption(comparison: Comparison, table: Table, curves: Sequence[CurveRow]) -> str:
    """Return what the chart shows in a sentence."""
    base = _measure(table, table.variants[0].variant)
    name = table.variants[0].variant
    shown = [curve for curve in sorted_curves(curves) if _colour(curve) != INK]
    start = f"Under {name} nothing is known of the length of deals"
    if base is not None and base.median.value is not None and base.p90.value is not None:
        start = (
            f"Under {name} half of the deals are over by bout {base.median.value:g}, nine in ten by bout "
            f"{base.p90.value:g}"
        )
    if not shown:
        return f"{start}; no variant is shown to change that."
    first = shown[0]
    at = max(range(len(first.values)), key=lambda index: abs(first.difference[index]))
    band = f"{points(first.low[at])} to {points(first.high[at])}"
    return (
        f"{start}; most different is {first.variant}, with {points(first.difference[at])} points of deals over by "
        f"bout {first.values[at]} ({band})."
    )


def alt_text(comparison: Comparison, table: Table, curves: Sequence[CurveRow]) -> str:
    """Return the chart in words, variant by variant."""
    base = _measure(table, table.variants[0].variant)
    rows = []
    for curve in sorted_curves(curves):
        at = max(range(len(curve.values)), key=lambda index: abs(curve.difference[index]))
        words = f"{curve.variant} {points(curve.difference[at])} points over by bout {curve.values[at]}"
        row = _measure(table, curve.variant)
        rows.append(words if row is None or base is None else f"{words}, {_quantiles(row, base)}")
    return f"{TITLE}, {against(table)}: largest differences of the deals over. {'; '.join(rows) or 'Nothing'}."
