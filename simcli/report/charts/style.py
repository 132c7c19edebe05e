"""What the charts have in common: their size, their colours, and how they are written."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from simcli.rules.wording import printable_path

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE_FILE = Path(__file__).with_name("simcli.mplstyle")
WIDTH = 432.0
"""Width of every chart in points (6 inches): on paper as it is, on a telephone a little smaller."""
EDGE = 5.0
"""Room left free on both sides, in points."""
INNER = WIDTH - 2 * EDGE
POINTS_PER_INCH = 72.0
PRINT_DPI = 300

SIZE, SMALL, HEAD = 10.0, 9.5, 11.5
"""Sizes of text in points."""
LINE = 13.0
"""Distance of lines of text in points."""

HEAD_HEIGHT = 2.9 * LINE
"""Room for the title and the line below it."""

INK, PAPER = "#1a1a1a", "#ffffff"
MORE, LESS = "#d1600a", "#1f7fc4"
"""More and less than the baseline: an orange and a blue that colour-blind people can tell apart, both with a
contrast above 3 : 1 on white and on black paper."""
QUIET = 0.72
"""Opacity of text that is not the point."""
FAINT = 0.1
"""Opacity of areas behind the data."""

P = ParamSpec("P")
R = TypeVar("R")


@contextmanager
def chart_style() -> Iterator[None]:
    """Draw as the style file says, whatever the reader's own settings are."""
    from matplotlib import style

    with style.context(["default", STYLE_FILE]), missing_glyphs_allowed():
        yield


@contextmanager
def missing_glyphs_allowed() -> Iterator[None]:
    """Let names be in a script that the font lacks: the page shows them in a font of the reader's."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        warnings.filterwarnings("ignore", message="Matplotlib currently does not support")
        yield


def styled(plot: Callable[P, R]) -> Callable[P, R]:
    """Return a function that draws in the common style."""

    @functools.wraps(plot)
    def in_style(*args: P.args, **kwargs: P.kwargs) -> R:
        with chart_style():
            return plot(*args, **kwargs)

    return in_style


def new_figure(height: float) -> Figure:
    """Return an empty figure of the common width; `height` in points."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / POINTS_PER_INCH, height / POINTS_PER_INCH))
    FigureCanvasAgg(figure)
    return figure


def height_of(figure: Figure) -> float:
    """Return a figure's height in points."""
    return float(figure.get_figheight()) * POINTS_PER_INCH


def axes_at(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Return new axes; all measures in points, `left` within the edge, `top` from the upper edge."""
    whole = height_of(figure)
    return figure.add_axes(((left + EDGE) / WIDTH, 1 - (top + height) / whole, width / WIDTH, height / whole))


def write(
    figure: Figure,
    left: float,
    top: float,
    text: str,
    *,
    size: float = SIZE,
    bold: bool = False,
    quiet: bool = False,
    align: str = "left",
) -> None:
    """Write a line of text; `top` is its middle; measures as for `axes_at`."""
    figure.text(
        (left + EDGE) / WIDTH,
        1 - top / height_of(figure),
        printable_path(text),
        fontsize=size,
        fontweight="bold" if bold else "normal",
        alpha=QUIET if quiet else None,
        ha=align,
        va="center_baseline",
    )


def to_png(figure: Figure, path: os.PathLike[str] | str) -> None:
    """Write a figure as PNG at print resolution; the same figure gives the same bytes.

    Parameters
    ----------
    figure : Figure
        The chart.
    path : path-like or str
        File to write; it is replaced as a whole.

    Raises
    ------
    InputError
        It cannot be written.
    """
    from io import BytesIO

    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from simcli.runs.outfile import write_file

    buffer = BytesIO()
    with chart_style():
        figure.savefig(buffer, format="png", dpi=PRINT_DPI, metadata={"Software": None})
        # What drew the picture is kept with it by every text: let that be small again.
        FigureCanvasAgg(figure)
        figure.draw_without_rendering()
    write_file(Path(path), buffer.getvalue())
