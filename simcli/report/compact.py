"""Make drawings small: styles and names are shared out over the page, and paths lose what nobody sees."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence

STYLE = re.compile(r' style="([^"]*)"| clip-path="([^"]*)"')
TWO_CLASSES = re.compile(r'class="([^"]*)" class="')
IDENTIFIER = re.compile(r"\bc[0-9a-f]{10}-[\w-]+")
PATH = re.compile(r' d="([^"]*)"')
STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?[0-9]*\.?[0-9]+")
LETTER = re.compile(r"[A-Za-z]")
STRAIGHT = frozenset("MLz")
"""What the paths that are shortened consist of."""


def compacted(drawings: Sequence[str]) -> tuple[list[str], str]:
    """Return drawings without style attributes, and the style sheet that takes their place.

    A page whose drawings have no style attributes can forbid them altogether.

    Parameters
    ----------
    drawings : sequence of str
        As `<svg>` elements, each with identifiers of its own.
    """
    classes: dict[str, str] = {}
    identifiers: dict[str, str] = {}

    def with_class(found: re.Match[str]) -> str:
        style = f"clip-path: {found[2]}" if found[2] else found[1]
        return f' class="{classes.setdefault(style, f"d{len(classes)}")}"'

    def with_name(found: re.Match[str]) -> str:
        return identifiers.setdefault(found[0], f"i{len(identifiers)}")

    def small(drawing: str) -> str:
        bare = TWO_CLASSES.sub(r'class="\1 ', STYLE.sub(with_class, drawing))
        return PATH.sub(lambda path: f' d="{_short_path(path[1])}"', IDENTIFIER.sub(with_name, bare))

    shortened = [small(drawing) for drawing in drawings]
    rules = (
        f".{name}{{{IDENTIFIER.sub(with_name, html.unescape(style)).replace('; ', ';')}}}"
        for style, name in classes.items()
    )
    return shortened, "\n".join(rules)


def _short_path(path: str) -> str:
    """Return a path to a tenth of a point, every step told from where the last one ended.

    >>> _short_path("M 128 51.004  L 176 51  L 176.5 70.88  z ")
    'M128 51h48l.5 19.9z'
    """
    if set(LETTER.findall(path)) - STRAIGHT:
        return " ".join(path.split())
    return "".join(_steps(_points(path)))


def _points(path: str) -> Iterator[tuple[str, int, int]]:
    """Yield the points of a path with their letters, in tenths of a point."""
    for found in STEP.finditer(path):
        numbers = [round(float(number) * 10) for number in NUMBER.findall(found[2])]
        if not numbers:
            yield found[1], 0, 0
        for place in range(0, len(numbers), 2):
            # Further points after a letter are lines.
            yield found[1] if place == 0 else "L", numbers[place], numbers[place + 1]


def _steps(points: Iterable[tuple[str, int, int]]) -> Iterator[str]:
    """Yield the steps of straight lines."""
    at = (0, 0)
    has_line = False
    for letter, x, y in points:
        if letter == "z":
            yield letter
            continue
        right, down = x - at[0], y - at[1]
        if letter == "M":
            yield f"M{_number(x)} {_number(y)}"
        elif not down and (right or not has_line):  # a line of no length is a dot
            yield f"h{_number(right)}"
        elif not right and down:
            yield f"v{_number(down)}"
        elif right:
            yield f"l{_number(right)} {_number(down)}"
        at, has_line = (x, y), letter == "L"


def _number(tenths: int) -> str:
    text = f"{tenths / 10:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
