"""Text that fits: how wide it is, how it is broken, and where labels find room among the marks."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from simcli.report.charts.style import (
    HEAD,
    INNER,
    LINE,
    POINTS_PER_INCH,
    SIZE,
    SMALL,
    missing_glyphs_allowed,
    write,
)
from simcli.rules.wording import printable_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BREAK_AFTER = re.compile(r"(?<=[-/, (.])")
ELLIPSIS = "…"
ENLARGED = 20
SMALLEST = 7.5
"""What a long line below a title may shrink to before its middle is left out."""


@lru_cache(maxsize=4096)
def text_width(text: str, size: float = SIZE, bold: bool = False) -> float:
    """Return the width of a line of text in points."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    font = get_font(findfont(FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")))
    # Large, so that what hinting does to every letter at screen size does not count.
    font.set_size(size, POINTS_PER_INCH * ENLARGED)
    with missing_glyphs_allowed():
        font.set_text(text, 0)
    return float(font.get_width_height()[0]) / 64 / ENLARGED


def wrapped(text: str, width: float, size: float = SIZE, lines: int = 2) -> list[str]:
    """Return a name broken into lines no wider than `width`: between words, else after hyphens and the like.

    What does not fit is left out in the middle.
    """
    text = printable_path(text)
    broken = _broken(text.split(" "), " ", width, size)
    if len(broken) > lines or any(text_width(line, size) > width for line in broken):
        broken = _broken(BREAK_AFTER.split(text), "", width, size)
    if len(broken) > lines:
        broken[lines - 1 :] = ["".join(broken[lines - 1 :])]
    return [fitted(line.rstrip(), width, size) for line in broken]


def _broken(pieces: Sequence[str], between: str, width: float, size: float) -> list[str]:
    """Return pieces put together in lines, as many in each as fit."""
    broken = [pieces[0]]
    for piece in pieces[1:]:
        longer = broken[-1] + between + piece
        if text_width(longer.rstrip(), size) <= width:
            broken[-1] = longer
        else:
            broken.append(piece)
    return broken


def fitted(text: str, width: float, size: float = SIZE, bold: bool = False) -> str:
    """Return a text no wider than `width`, its middle left out if need be."""
    if text_width(text, size, bold) <= width:
        return text
    kept = len(text) - 1
    while kept > 1:
        head = (kept + 1) // 2
        short = f"{text[:head]}{ELLIPSIS}{text[len(text) - (kept - head) :]}"
        if text_width(short, size, bold) <= width:
            return short
        kept -= 1
    return ELLIPSIS


def filled(text: str, width: float, size: float = SIZE) -> list[str]:
    """Return a sentence broken between words into as many lines as it takes.

    >>> filled("bars are intervals", 60.0, 9.0)
    ['bars are', 'intervals']
    """
    broken: list[str] = []
    for word in text.split():
        longer = f"{broken[-1]} {word}" if broken else ""
        if longer and text_width(longer, size) <= width:
            broken[-1] = longer
        else:
            broken.append(fitted(word, width, size))
    return broken


def write_head(figure: Figure, title: str, subtitle: str) -> None:
    """Write what a chart shows above it; takes `HEAD_HEIGHT`."""
    write(figure, 0, 0.7 * LINE, fitted(title, INNER, HEAD, bold=True), size=HEAD, bold=True)
    text = printable_path(subtitle)
    size = max(SMALLEST, min(SMALL, SMALL * INNER / text_width(text, SMALL))) if text else SMALL
    write(figure, 0, 1.95 * LINE, fitted(text, INNER, size), size=size, quiet=True)


def write_notes(figure: Figure, top: float, lines: Iterable[str]) -> None:
    """Write lines below a chart; `top` is the upper edge of the first."""
    for index, line in enumerate(lines):
        write(figure, 0, top + (index + 0.5) * LINE, line, size=SMALL, quiet=True)


# ------------------------------------------------------------------------------------ among marks


class Box(NamedTuple):
    """A rectangle in points, y upward."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: Box) -> float:
        """Return the area that both cover."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(0.0, width) * max(0.0, height)

    def outside(self, frame: Box) -> float:
        """Return the area that lies beyond a frame."""
        area = (self.right - self.left) * (self.top - self.bottom)
        return area - self.overlap(frame)


class Placed(NamedTuple):
    """A label with the room it takes, and whether it stands so far off that a line has to lead to it."""

    box: Box
    is_far: bool


def spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Return ascending places as near to the wanted ones as they can be when they lie so far apart.

    Places that would touch are moved together about their common middle.

    >>> spread([1.0, 2.0, 9.0], 4.0, 0.0, 20.0)
    [0.0, 4.0, 9.0]
    """
    apart = min(apart, (high - low) / max(1, len(wanted) - 1))
    blocks: list[tuple[float, int]] = []  # middle, members
    for place in wanted:
        blocks.append((place, 1))
        while len(blocks) > 1:
            (middle, n), (next_middle, m) = blocks[-2:]
            if next_middle - middle >= apart * (n + m) / 2:
                break
            first = (
                n * (middle - apart * (n - 1) / 2) + m * (next_middle - apart * (m - 1) / 2 - apart * n)
            ) / (n + m)
            blocks[-2:] = [(first + apart * (n + m - 1) / 2, n + m)]
    places = [middle + apart * (k - (n - 1) / 2) for middle, n in blocks for k in range(n)]
    for index, place in enumerate(places):
        places[index] = max(place, low + apart * index)
    for index in range(len(places)):
        back = len(places) - 1 - index
        places[back] = min(places[back], high - apart * index)
    return places


STEPS = tuple(range(6, 150, 4))
ANGLES = tuple(math.radians(angle) for angle in (0, 180, 90, 270, 30, 150, 330, 210, 60, 120, 300, 240))
NEAR = 10
CLEAR = 1.5
"""Room around a label in points."""


def place_labels(
    points: Sequence[tuple[float, float]], widths: Sequence[float], taken: Iterable[Box], frame: Box
) -> list[Placed]:
    """Return where labels stand beside their points without covering anything.

    Each label in turn, the most crowded first, takes the nearest free place around its point.

    Parameters
    ----------
    points : sequence of (x, y)
        In points.
    widths : sequence of float
        Of the labels.
    taken : iterable of Box
        What no label may cover: marks, bars, other text.
    frame : Box
        What no label may leave.
    """
    blocked = list(taken)
    placed: dict[int, Placed] = {}
    for index in _crowded_first(points):
        best = min(
            _candidates(points[index], widths[index]),
            key=lambda candidate: _cost(candidate, blocked, frame),
        )
        placed[index] = best
        blocked.append(best.box)
    return [placed[index] for index in range(len(points))]


def _crowded_first(points: Sequence[tuple[float, float]]) -> list[int]:
    """Return the points in order of how little room there is around them."""

    def crowd(index: int) -> float:
        x, y = points[index]
        return sum(1 / (10 + math.hypot(x - u, 2 * (y - v))) for u, v in points)

    return sorted(range(len(points)), key=lambda index: (-crowd(index), index))


def _candidates(point: tuple[float, float], width: float) -> Iterator[Placed]:
    half, rise = width / 2 + CLEAR, LINE / 2
    for step in STEPS:
        for angle in ANGLES:
            # The box leans against a circle around the point.
            x = point[0] + math.cos(angle) * (step + half)
            y = point[1] + math.sin(angle) * (step + rise)
            yield Placed(Box(x - half, y - rise, x + half, y + rise), step > NEAR)


def _cost(candidate: Placed, blocked: Sequence[Box], frame: Box) -> float:
    covered = sum(candidate.box.overlap(box) for box in blocked) + 10 * candidate.box.outside(frame)
    return covered
