"""How long deals last: by how many bouts how many deals are over, against the baseline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.curves import CurveRow
from simcli.analysis.found import Table
from simcli.analysis.phrases import points, short_name
from simcli.report.charts.bars import nice_step, tick_text, ticks_between
from simcli.report.charts.labels import filled, fitted, write_head, write_notes
from simcli.report.charts.style import (
    HEAD_HEIGHT,
    INK,
    INNER,
    LESS,
    LINE,
    MORE,
    QUIET,
    SMALL,
    axes_at,
    new_figure,
    styled,
    write,
)
from simcli.report.charts.words import against

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE = "How long deals last"
NEARLY_ALL = 0.999
"""The scale of bouts ends where so many deals are over, under every variant."""
AXIS_COLUMN, GUTTER = 30.0, 8.0
STRIP, PANEL = 46.0, 46.0
PANEL_HEAD = 2.35 * LINE
AXIS = 1.6 * LINE
GAP = 0.8 * LINE
REACHES = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Points at which the scale of a panel may end."""
LONGER, SHORTER = MORE, LESS
BAND, BARS = 0.35, 0.4
"""Opacities of the band and of the baseline's bars."""


@styled
def plot_length(comparison: Comparison, table: Table, curves: Sequence[CurveRow]) -> Figure:
    """Return the chart of the deals that are over by a number of bouts, as differences to the baseline.

    The strip on top is the baseline itself, with its median and its 90th percentile. A variant whose band
    never leaves zero is named below, with how far the band reaches.

    Parameters
    ----------
    comparison : Comparison
        What the table belongs to.
    table : Table
        One of its tables.
    curves : sequence of CurveRow
        Those of its variants.
    """
    shown = [curve for curve in sorted_curves(curves) if is_shown_to_differ(curve)]
    most = _most_bouts(sorted_curves(curves))
    notes = [line for note in _notes(table, curves) for line in filled(note, INNER, SMALL)]
    rows = (len(shown) + 1) // 2
    strip = _strip_height(curves)
    grid = rows * (PANEL_HEAD + PANEL + GAP) + (AXIS + LINE if rows else 0)
    figure = new_figure(HEAD_HEIGHT + strip + grid + (len(notes) + 0.6) * LINE)
    write_head(figure, TITLE, against(table))
    if curves:
        _draw_strip(figure, HEAD_HEIGHT, table, curves[0], most)
    width = (INNER - 2 * AXIS_COLUMN - GUTTER) / 2
    top = HEAD_HEIGHT + strip
    for index, curve in enumerate(shown):
        left = AXIS_COLUMN + (index % 2) * (width + GUTTER + AXIS_COLUMN)
        place = (left, top + (index // 2) * (PANEL_HEAD + PANEL + GAP), width)
        name = short_name(curve.variant, table.variants[0].variant)
        _draw_panel(figure, place, name, curve, most, with_bouts=index + 2 >= len(shown))
    if rows:
        write(figure, INNER / 2, top + grid - 0.9 * LINE, "bouts", size=SMALL, align="center")
    write_notes(figure, top + grid + 0.1 * LINE, notes)
    return figure


def sorted_curves(curves: Sequence[CurveRow]) -> list[CurveRow]:
    """Return the curves, those that differ most first."""
    return sorted(curves, key=lambda curve: (-max(map(abs, curve.difference), default=0.0), curve.variant))


def is_shown_to_differ(curve: CurveRow) -> bool:
    """Return whether the band leaves zero anywhere."""
    return any(low > 0 or high < 0 for low, high in zip(curve.low, curve.high, strict=True))


def _most_bouts(curves: Sequence[CurveRow]) -> int:
    """Return where the scale of bouts ends."""
    most = 1
    for curve in curves:
        for shares in (curve.baseline, curve.cdf):
            late = (value for value, share in zip(curve.values, shares, strict=True) if share >= NEARLY_ALL)
            most = max(most, next(late, curve.values[-1] if curve.values else 1))
    return most


# ------------------------------------------------------------------------------------ drawing


def _bouts_axis(axes: Axes, most: int, width: float, labelled: bool) -> None:
    axes.set_xlim(0, most + 1)
    ticks = ticks_between(0, most, max(1.0, nice_step(most, max(2, int(width / 30)))))
    axes.set_xticks(ticks, [f"{tick:.0f}" if labelled else "" for tick in ticks])


def _strip_height(curves: Sequence[CurveRow]) -> float:
    if not curves:
        return LINE
    return PANEL_HEAD + STRIP + AXIS + LINE if _has_ended(curves[0]) else PANEL_HEAD


def _has_ended(curve: CurveRow) -> bool:
    """Return whether any deal of the baseline came to its end."""
    return curve.baseline_median.value is not None


def _draw_strip(figure: Figure, top: float, table: Table, curve: CurveRow, most: int) -> None:
    """Draw how many deals last how many bouts under the baseline."""
    name = fitted(table.variants[0].variant, INNER / 2)
    write(figure, 0, top + 0.5 * LINE, f"{name}: deals by their number of bouts")
    median, p90 = curve.baseline_median.value, curve.baseline_p90.value
    write(figure, 0, top + 1.5 * LINE, _quantiles(median, p90, median, p90), size=SMALL, quiet=True)
    if not _has_ended(curve):
        return
    width = INNER - AXIS_COLUMN
    axes = axes_at(figure, AXIS_COLUMN, top + PANEL_HEAD, width, STRIP)
    _bouts_axis(axes, most, width, labelled=True)
    shares = [100 * (b - a) for a, b in zip((0.0, *curve.baseline), curve.baseline, strict=False)]
    edges = [each + side for each in curve.values for side in (-0.5, 0.5)]
    heights = [share for share in shares for _ in range(2)]
    axes.fill_between(edges, heights, color=INK, alpha=BARS, linewidth=0)
    highest = max([*shares, 0.01])
    axes.set_ylim(0, 1.15 * highest)
    ticks = ticks_between(0, highest, nice_step(highest, 2))
    axes.set_yticks(ticks, [f"{tick_text(tick, sign=False)} %" for tick in ticks])
    for mark, style in ((median, "-"), (p90, "--")):
        if mark is not None:
            axes.axvline(mark, color=INK, linewidth=1.2, linestyle=style, label="quantile")


def _draw_panel(
    figure: Figure,
    place: tuple[float, float, float],
    name: str,
    curve: CurveRow,
    most: int,
    *,
    with_bouts: bool,
) -> None:
    from matplotlib.patches import Polygon

    left, top, width = place
    write(figure, left, top + 0.55 * LINE, fitted(name, width))
    words = _quantiles(
        curve.baseline_median.value, curve.baseline_p90.value, curve.median.value, curve.p90.value
    )
    write(figure, left, top + 1.5 * LINE, fitted(words, width, SMALL), size=SMALL, quiet=True)
    axes = axes_at(figure, left, top + PANEL_HEAD, width, PANEL)
    _bouts_axis(axes, most, width, with_bouts)
    reach = _reach(curve)
    axes.set_ylim(-reach, reach)
    axes.set_yticks([-reach, 0, reach], [tick_text(tick) for tick in (-reach, 0, reach)])
    axes.spines["bottom"].set_visible(with_bouts)
    axes.tick_params(axis="x", bottom=with_bouts)
    axes.axhline(0, color=INK, linewidth=0.8, alpha=QUIET, zorder=1)
    colour = LONGER if is_longer(curve) else SHORTER
    low, high = (_corners(*_steps(curve, shares, most)) for shares in (curve.low, curve.high))
    band = Polygon([*low, *reversed(high)], facecolor=colour, alpha=BAND, linewidth=0, label="band", zorder=2)
    axes.add_patch(band)
    xs, ys = _steps(curve, curve.difference, most)
    axes.plot(xs, ys, drawstyle="steps-post", color=colour, linewidth=1.3, label="difference", zorder=3)


def _steps(curve: CurveRow, shares: Sequence[float], most: int) -> tuple[list[float], list[float]]:
    """Return the steps of a difference in points, from 0 bouts to the end of the scale.

    Before the first value there is nothing, and nothing once all deals are over; steps too small to be seen
    are left out.
    """
    seen = 0.1 * 2 * _reach(curve) / PANEL
    xs, ys = [0.0], [0.0]
    for value, share in zip((*curve.values, curve.values[-1] + 1), (*shares, 0.0), strict=True):
        if value <= most and abs(100 * share - ys[-1]) >= seen:
            xs.append(float(value))
            ys.append(100 * share)
    return [*xs, most + 1.0], [*ys, ys[-1]]


def _corners(xs: Sequence[float], ys: Sequence[float]) -> list[tuple[float, float]]:
    """Return the corners of steps."""
    corners = [(xs[0], ys[0])]
    for x, y in zip(xs[1:], ys[1:], strict=True):
        corners += [(x, corners[-1][1]), (x, y)]
    return corners


def _reach(curve: CurveRow) -> float:
    """Return how far a panel's scale goes: the first of `REACHES` that holds its band."""
    farthest = 100 * max(map(abs, (*curve.low, *curve.high)))
    return next((reach for reach in REACHES if farthest <= reach), REACHES[-1])


def is_longer(curve: CurveRow) -> bool:
    """Return whether deals last longer than under the baseline, by the largest difference that is shown."""
    bands = zip(curve.difference, curve.low, curve.high, strict=True)
    return max((change for change, low, high in bands if low > 0 or high < 0), key=abs, default=0.0) < 0


def _quantiles(
    before: float | None, before_p90: float | None, median: float | None, p90: float | None
) -> str:
    """Return median and 90th percentile, from the baseline's to the variant's where they differ."""
    if median is None or p90 is None:
        return "all deals stalled"
    return f"median {_from_to(before, median)}, 90 % {_from_to(before_p90, p90)}"


def _from_to(before: float | None, after: float) -> str:
    return f"{after:g}" if before is None or before == after else f"{before:g} → {after:g}"


# ------------------------------------------------------------------------------------ in words


def _notes(table: Table, curves: Sequence[CurveRow]) -> list[str]:
    base = table.variants[0].variant
    if not curves:
        return [f"Nothing is compared with {base} here."]
    if all(curve.median.value is None or not _has_ended(curve) for curve in curves):
        return ["No deal came to its end here and there: there are no lengths to compare."]
    same = [curve for curve in sorted_curves(curves) if not is_shown_to_differ(curve)]
    notes = [
        f"Panels: points of deals more than under {base} that are over by a number of bouts; below zero "
        "(orange) deals last longer, above (blue) they are shorter. Each has its own scale, the largest "
        f"differences come first. Bands: {100 * curves[0].level:.4g} % at once, {curves[0].family}. Strip: a "
        "line at the median, a broken one at the 90th percentile (90 %: so many deals are over by "
        "then). Stalled deals are left out."
    ]
    if same:
        ends = [abs(end) for curve in same for end in (*curve.low, *curve.high)]
        within = f", all bands within ±{100 * max(ends):.2g} points" if ends else ""
        notes.append(f"No difference is shown{within}: {', '.join(curve.variant for curve in same)}.")
    return notes


def caption(comparison: Comparison, table: Table, curves: Sequence[CurveRow]) -> str:
    """Return what the chart shows in a sentence."""
    name = table.variants[0].variant
    if not curves:
        return f"Nothing is compared with {name} here."
    shown = [curve for curve in sorted_curves(curves) if is_shown_to_differ(curve)]
    median, p90 = curves[0].baseline_median.value, curves[0].baseline_p90.value
    start = f"Under {name} all deals stalled"
    if median is not None and p90 is not None:
        start = f"Under {name} half of the deals are over by bout {median:g}, nine in ten by bout {p90:g}"
    if not shown:
        return f"{start}; no variant is shown to change that."
    first = shown[0]
    at = _farthest(first)
    band = f"{points(first.low[at])} to {points(first.high[at])}"
    most = f"{len(shown)} of {len(curves)} variants are shown to differ, most of all {first.variant}"
    if len(curves) == 1:
        most = f"{first.variant} is shown to differ"
    return (
        f"{start}; {most}: {points(first.difference[at])} "
        f"points ({band}) of deals over by bout {first.values[at]}."
    )


def _farthest(curve: CurveRow) -> int:
    """Return where a curve differs most."""
    return max(range(len(curve.values)), key=lambda index: abs(curve.difference[index]))


def alt_text(comparison: Comparison, table: Table, curves: Sequence[CurveRow]) -> str:
    """Return the chart in words, variant by variant."""
    rows = []
    for curve in sorted_curves(curves):
        words = _quantiles(
            curve.baseline_median.value, curve.baseline_p90.value, curve.median.value, curve.p90.value
        )
        if curve.values:
            at = _farthest(curve)
            words = f"{points(curve.difference[at])} points over by bout {curve.values[at]}, {words}"
        rows.append(f"{curve.variant} {words}")
    return (
        f"{TITLE}, {against(table)}: largest differences of the deals over. {'; '.join(rows) or 'Nothing'}."
    )
