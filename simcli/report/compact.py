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
        bare = TWO_CLASSES.sub(r'class="\1 ', STYLE.sub(with_class, drawing)).replace(" />", "/>")
        return PATH.sub(lambda path: f' d="{_short_path(path[1])}"', IDENTIFIER.sub(with_name, bare))

    shortened = [small(drawing) for drawing in drawings]
    rules = (
        f".{name}{{{IDENTIFIER.sub(with_name, html.unescape(style)).replace('; ', ';')}}}"
        for style, name in classes.items()
    )
    return shortened, "\n".join(rules)


def _short_path(path: str) -> str:
    """Return a path to a tenth of a point, every step told from where the last one ended.

    >>> _short_path("M 128 51.004  L 176 51  L 176.5 70.88  z "), _short_path("M 0 0 L 14 0 L 28 0 L 29 -1")
    ('M128 51h48l.5 19.9z', 'M0 0h28l1-1')
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
    """Yield the steps of straight lines, those that go on the same way as one."""
    at = way = (0, 0)
    has_line = False
    for letter, x, y in points:
        step = x - at[0], y - at[1]
        if letter == "L" and has_line and _goes_on(way, step):
            way = way[0] + step[0], way[1] + step[1]
        else:
            yield _step(way, is_dot=has_line)
            has_line = letter == "L"
            way = step if has_line else (0, 0)
            if not has_line:
                yield letter if letter == "z" else f"M{_pair(x, y)}"
        if letter != "z":
            at = x, y
    yield _step(way, is_dot=has_line)


def _goes_on(way: tuple[int, int], step: tuple[int, int]) -> bool:
    """Return whether a step goes on straight along an axis, or one of both goes nowhere."""
    (right, down), (x, y) = way, step
    return (0, 0) in (way, step) or (down == y == 0 and right * x > 0) or (right == x == 0 and down * y > 0)


def _step(way: tuple[int, int], *, is_dot: bool) -> str:
    """Return a step as letters and numbers; a line of no length is a dot."""
    right, down = way
    if right and down:
        return f"l{_pair(right, down)}"
    if down:
        return f"v{_number(down)}"
    return f"h{_number(right)}" if right or is_dot else ""


def _pair(x: int, y: int) -> str:
    """Return two numbers; a minus keeps them apart."""
    left, right = _number(x), _number(y)
    return f"{left}{right}" if right.startswith("-") else f"{left} {right}"


def _number(tenths: int) -> str:
    text = f"{tenths / 10:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
