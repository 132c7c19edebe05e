"""A chart as inline SVG: for light and dark pages, for every width, for readers who cannot see it."""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ElementTree
from io import StringIO
from typing import TYPE_CHECKING

from simcli.report.charts.style import INK, LESS, MORE, PAPER, SMALL, chart_style
from simcli.rules.wording import printable_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {
    INK: "currentColor",
    PAPER: "var(--paper, Canvas)",
    MORE: f"var(--more, {MORE})",
    LESS: f"var(--less, {LESS})",
}
"""What a page may set: its text colour, its background, and the two colours of the charts."""
FONTS = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif'
NO_METADATA = dict.fromkeys(("Date", "Creator", "Format", "Type"))
ID_LENGTH = 10
MOST_ENLARGED = 1.6
"""On a wide page a chart grows to so many pixels a point, its text to about the size of the page's."""
SVG = "http://www.w3.org/2000/svg"
LINK = "{http://www.w3.org/1999/xlink}href"
NEEDLESS_TAGS = ("metadata", "style")

# matplotlib writes "font: bold 11px 'DejaVu Sans', …" or each part of it by itself.
FONT = re.compile(r"font:(?P<words>[^;]*?) ?(?P<size>[0-9.]+px) [^;]*")
FAMILY = re.compile(r"font-family: [^;]*; ?")
UNTURNED = re.compile(r"rotate\(-?0 [^)]*\)")
UNSEEN = "fill: none"
INHERITED = ("fill: currentColor", f"font-size: {SMALL:g}px", "text-anchor: start")
"""What the root says once for all; matplotlib says it at every element."""
CURVE = re.compile(r"[CQ]")
REFERENCE = re.compile(r"url\(#([^)]+)\)")
NUMBER = re.compile(r"-?[0-9]+\.[0-9]{2,}")


def to_svg(figure: Figure, title: str, description: str) -> str:
    """Return a figure as an ``<svg>`` element to stand in a page.

    The same figure gives the same text. Ids begin with a digest of the chart, so that several charts in one
    page keep apart. Ink takes the colour of the text around it; a page may set ``--paper``, ``--more``,
    ``--less`` and ``--chart-font``.

    Parameters
    ----------
    figure : Figure
        The chart.
    title : str
        What it is, in a few words.
    description : str
        What it shows, for those who cannot see it.
    """
    written = StringIO()
    with chart_style():
        figure.savefig(written, format="svg", metadata=NO_METADATA, facecolor="none")
    root = ElementTree.fromstring(written.getvalue())
    words = printable_path(title), printable_path(description)
    prefix = _prefix(written.getvalue(), *words)
    _clean(root, prefix)
    _describe(root, prefix, *words)
    return ElementTree.tostring(root, encoding="unicode")


def _prefix(*parts: str) -> str:
    """Return what all ids of a chart begin with: a letter, then a digest."""
    return f"c{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:ID_LENGTH]}"


def _clean(root: ElementTree.Element, prefix: str) -> None:
    """Leave out what a page has no use for; colours and ids become the page's."""
    used = _references(root)
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")
        for child in [child for child in element if child.tag.rpartition("}")[2] in NEEDLESS_TAGS]:
            element.remove(child)
        link = element.attrib.pop(LINK, None)
        if link is not None:
            element.set("href", f"#{prefix}-{link[1:]}")
        name = element.attrib.pop("id", None)
        if name in used:
            element.set("id", f"{prefix}-{name}")
        for key, value in element.attrib.items():
            if key != "href":
                element.set(key, _restyled(value, prefix, 1 if _is_straight(element) else 2))
        _shorten(element)
        if element.tag != "text":
            element.text = None
        element.tail = None
        if UNTURNED.fullmatch(element.get("transform", "")):
            del element.attrib["transform"]
    _drop_unseen(root)


def _references(root: ElementTree.Element) -> set[str]:
    """Return the ids that something refers to."""
    found = {element.attrib[LINK][1:] for element in root.iter() if LINK in element.attrib}
    for element in root.iter():
        for value in element.attrib.values():
            found.update(REFERENCE.findall(value))
    return found


def _drop_unseen(parent: ElementTree.Element) -> None:
    """Leave out groups without content and shapes without colour; a lone child takes its group's place."""
    for index, child in reversed(list(enumerate(parent))):
        _drop_unseen(child)
        is_empty = child.tag in ("g", "defs") and len(child) == 0
        if "id" not in child.attrib and (is_empty or child.get("style") == UNSEEN):
            parent.remove(child)
        elif child.tag == "g" and not child.attrib:
            parent[index : index + 1] = list(child)


def _is_straight(element: ElementTree.Element) -> bool:
    """Return whether an element is all straight lines, for which a tenth of a point is fine enough."""
    return element.tag not in ("svg", "rect") and CURVE.search(element.get("d", "")) is None


def _shorten(element: ElementTree.Element) -> None:
    """Leave out what the root says, and the letters of lines that follow lines."""
    if "style" in element.attrib:
        parts = [part for part in element.attrib["style"].split("; ") if part not in INHERITED]
        element.attrib["style"] = "; ".join(parts)
        if not parts:
            del element.attrib["style"]
    if "d" in element.attrib:
        path = " ".join(element.attrib["d"].split())
        if CURVE.search(path) is None:
            path = path.replace(" L ", " ").replace("M ", "M").replace(" z", "z")
        element.attrib["d"] = path


def _restyled(value: str, prefix: str, decimals: int) -> str:
    """Return an attribute with the page's colours, without matplotlib's fonts, its numbers rounded."""
    value = FAMILY.sub("", FONT.sub(_font, value))
    for colour, name in COLOURS.items():
        value = value.replace(colour, name)
    value = REFERENCE.sub(lambda match: f"url(#{prefix}-{match[1]})", value)
    return NUMBER.sub(lambda match: _rounded(match[0], decimals), value)


def _rounded(number: str, decimals: int) -> str:
    text = f"{float(number):.{decimals}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _font(match: re.Match[str]) -> str:
    weight = "; font-weight: bold" if {"bold", "700"} & set(match["words"].split()) else ""
    return f"font-size: {match['size']}{weight}"


def _describe(root: ElementTree.Element, prefix: str, title: str, description: str) -> None:
    """Say what the chart is, and let it be as wide as the page allows."""
    view_box = root.attrib["viewBox"]
    width = float(view_box.split()[2])
    root.attrib.clear()
    root.attrib.update(
        {
            "xmlns": SVG,
            "viewBox": view_box,
            "width": "100%",
            "role": "img",
            "aria-labelledby": f"{prefix}-title {prefix}-desc",
            "class": "chart",
            "style": (
                f"max-width: {width * MOST_ENLARGED:.0f}px; fill: currentColor; "
                f"font-size: {SMALL:g}px; stroke-linejoin: round; stroke-linecap: butt; "
                f"font-family: var(--chart-font, {FONTS})"
            ),
        }
    )
    for index, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ElementTree.Element(tag, {"id": f"{prefix}-{tag}"})
        element.text = text
        root.insert(index, element)
