"""Write the figures into a page of Markdown, between two marks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from simcli.errors import refusal
from simcli.rules.wording import printable_path
from simcli.runs.bench.figures import Figures
from simcli.runs.bench.sections import Section, sections
from simcli.runs.marked import load_marked, marks, with_block

BLOCK = "bench"
BEGIN, END = marks(BLOCK)


def load_page(path: Path) -> str:
    """Return the page that a file holds; arguments and errors as for `simcli.runs.marked.load_marked`."""
    return load_marked(path, BLOCK)


def write_page(path: Path, page: str, figures: Figures) -> None:
    """Write a page with the text between the marks replaced by the figures.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    try:
        path.write_text(with_figures(page, figures), encoding="utf-8")
    except OSError as error:
        message = f"expected a file that can be written ({error.strerror}) – name another"
        raise refusal(printable_path(path), message) from None


def with_figures(page: str, figures: Figures) -> str:
    """Return a page with the text between the marks replaced by the figures."""
    return with_block(page, BLOCK, "\n".join(_lines(figures)) + "\n")


def _lines(figures: Figures) -> Iterator[str]:
    yield from ("", "| | |", "|---|---|")
    yield from (f"| {what} | {value} |" for what, value in figures.machine.items())
    yield ""
    for section in sections(figures):
        yield from (f"### {section.title}", "", section.note, "")
        yield from table_lines(section)
        yield ""


def table_lines(section: Section) -> Iterator[str]:
    """Yield a section's table, numbers to the right."""
    yield "| " + " | ".join(section.head) + " |"
    rules = ["---" if column < section.n_words else "---:" for column in range(len(section.head))]
    yield "|" + "|".join(rules) + "|"
    for row in section.rows:
        yield "| " + " | ".join(row) + " |"
