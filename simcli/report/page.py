"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from simcli.report.compact import compacted
from simcli.report.model import Cell, Chart, Column, Report
from simcli.rules.wording import listing, printable_path

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")
MOST_BYTES = 1_000_000
"""What a mailbox takes and a phone shows without a pause."""


LEFT_OUT = {
    "numbers": "the tables under “All numbers”",
    "sheets": "all rules of variants of which it says what they do otherwise",
    "moves": "the tables of what is done in a deal, and those below the charts that go across tables",
    "length": "the charts of how long deals last",
    "in-play": "the charts of how often a rule changes a deal",
    "runs": "the list of runs",
    "changes": "the charts of what each variant changes most",
    "profile": "the charts of who loses",
    "folded": "the verdicts on what is no change",
    "robustness": "the charts of line-ups side by side",
    "gains": "the charts of who gains and who pays",
}
"""What a page that would be too long leaves out, that which is missed least first, in words.

The names of charts are those at the ends of their keys.
"""
CHARTS = ("length", "in-play", "changes", "profile", "robustness", "gains")
"""What of it are charts."""


@dataclass(frozen=True)
class Page:
    """Hold a page.

    Attributes
    ----------
    text : str
        The HTML file.
    left_out : tuple of str
        What it lacks because it would be too long, as in `LEFT_OUT`.
    """

    text: str
    left_out: tuple[str, ...]

    @property
    def is_too_long(self) -> bool:
        """Return whether it is longer than `MOST_BYTES` all the same."""
        return len(self.text.encode()) > MOST_BYTES


def page_of(report: Report) -> Page:
    """Return a report as an HTML file: nothing outside it is referred to, nor is a date.

    Where it would be longer than `MOST_BYTES` one thing after the other is left out, as far as the report has
    it, and the page says what.
    """
    page = Page(_rendered(report, ()), ())
    for what in LEFT_OUT:
        if not page.is_too_long:
            break
        if _has(report, what):
            left_out = (*page.left_out, what)
            page = Page(_rendered(report, left_out), left_out)
    return page


def page_text(report: Report) -> str:
    """Return the text of a report's page."""
    return page_of(report).text


def _has(report: Report, what: str) -> bool:
    """Return whether a report has anything of what a page can leave out."""
    if what == "folded":
        return any(group.is_folded for table in report.tables for group in table.groups)
    if what in CHARTS:
        return any(map(partial(_is_kind, what), report.charts))
    return True


def _is_kind(name: str, chart: Chart) -> bool:
    return chart.key.endswith(f"-{name}")


def _rendered(report: Report, left_out: Sequence[str]) -> str:
    shown = [chart for chart in report.charts if not any(_is_kind(name, chart) for name in left_out)]
    drawings, classes = compacted([chart.svg for chart in shown])
    script, style = _asset("page.js"), f"{_asset('page.css')}\n{classes}"
    return (
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            left_out=left_out,
            left_out_words=listing([LEFT_OUT[what] for what in left_out], len(LEFT_OUT)),
            drawings={chart.key: Markup(svg) for chart, svg in zip(shown, drawings, strict=True)},
            style=Markup(style),
            script=Markup(script),
            style_hash=_hash(style),
            script_hash=_hash(script),
        )
    )


def _asset(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    """Return what a content security policy calls a style or script that it allows."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _environment() -> Environment:
    """Return a template environment that escapes everything but what is marked as drawn here."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_readable,
    )
    environment.filters["class_of"] = _class_of
    environment.filters["shown"] = _shown
    return environment


def _readable(value: Any) -> Any:
    """Return a text with control characters and direction marks spelled out, but for ends of lines."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = "\n".join(map(printable_path, value.split("\n")))
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _shown(charts: Sequence[Chart], drawings: Mapping[str, Markup]) -> list[Chart]:
    """Return the charts that are on the page."""
    return [chart for chart in charts if chart.key in drawings]


def _class_of(cell: Cell, column: Column) -> Markup:
    """Return the class of a cell: t for text, and its tone."""
    names = " ".join(filter(None, ("" if column.is_number else "t", cell.tone)))
    return Markup(f' class="{names}"') if names else Markup("")
