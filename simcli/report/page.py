"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from simcli.report.compact import compacted
from simcli.report.model import Cell, Column, Report
from simcli.rules.wording import printable_path

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).with_name("templates")
MOST_BYTES = 1_000_000
"""What a mailbox takes and a phone shows without a pause."""


def page_text(report: Report) -> str:
    """Return a report as the text of an HTML file: nothing outside it is referred to, nor is a date.

    Where it would be longer than `MOST_BYTES` the tables under "All numbers" are left out, and if that is not
    enough, all rules of variants of which it is said what they do otherwise than another; and it says so.
    """
    for has_numbers, has_sheets in ((True, True), (False, True), (False, False)):
        text = _rendered(report, has_numbers=has_numbers, has_sheets=has_sheets)
        if len(text.encode()) <= MOST_BYTES:
            break
    return text


def _rendered(report: Report, *, has_numbers: bool, has_sheets: bool) -> str:
    drawings, classes = compacted([chart.svg for chart in report.charts])
    script, style = _asset("page.js"), f"{_asset('page.css')}\n{classes}"
    named = {chart.key: Markup(svg) for chart, svg in zip(report.charts, drawings, strict=True)}
    return (
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            has_numbers=has_numbers,
            has_sheets=has_sheets,
            drawings=named,
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
    return environment


def _readable(value: Any) -> Any:
    """Return a text with control characters and direction marks spelled out, but for ends of lines."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = "\n".join(map(printable_path, value.split("\n")))
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _class_of(cell: Cell, column: Column) -> Markup:
    """Return the class of a cell: t for text, and its tone."""
    names = " ".join(filter(None, ("" if column.is_number else "t", cell.tone)))
    return Markup(f' class="{names}"') if names else Markup("")
