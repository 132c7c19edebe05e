"""Write a report: the page, its JSON twin, and its charts as PNG."""

from __future__ import annotations

import json as json_format
import logging
import os
from collections.abc import Sequence
from pathlib import Path

from simcli.analysis.comparison import Comparison
from simcli.errors import refusal
from simcli.experiments.result import Result
from simcli.report.about import About, about_result
from simcli.report.build import build_report
from simcli.report.model import Report
from simcli.report.page import LEFT_OUT, MOST_BYTES, page_of
from simcli.rules.wording import listing, printable_path, without_bytes
from simcli.runs.outfile import check_file, check_folder, write_file

LONGEST_TITLE = 200
_LOGGER = logging.getLogger(__name__)


def write_report(
    found: Result | Comparison | Sequence[Comparison],
    html: str | os.PathLike[str],
    png: str | os.PathLike[str] | None = None,
    json: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    workers: int | None = None,
) -> Report:
    """Write what was found as a page, and if wanted as JSON and PNG: same data, same bytes.

    Parameters
    ----------
    found : Result, Comparison or sequence of Comparison
        What an experiment, or what comparisons found.
    html : path-like
        The page; folders on the way to it are made.
    png : path-like, optional
        Folder for one PNG per chart.
    json : path-like, optional
        File for every number of the page.
    title : str
        Title of the page; by default the experiment's, or what is compared with what.
    workers : int, optional
        Threads that count; by default one a core.

    Returns
    -------
    Report
        What was written.

    Raises
    ------
    InputError
        There is nothing to report, the title is too long, or a file or folder cannot be written.
    """
    check_title(title)
    _check_places(html, json, png)
    if isinstance(found, Result):
        report = build_report(found.comparisons, about_result(found, title), workers)
    else:
        report = build_report(_comparisons(found), About(title=title), workers)
    write_html(report, Path(html))
    if json is not None:
        write_json(report, Path(json))
    if png is not None:
        write_pngs(report, Path(png))
    return report


def check_title(title: str) -> None:
    """Refuse a title too long for the head of a page."""
    if len(title) > LONGEST_TITLE:
        raise refusal("title", f"expected at most {LONGEST_TITLE} characters, got {len(title)}")


def _comparisons(found: object) -> list[Comparison]:
    """Return one or several comparisons as a list; anything else is refused."""
    several: list[object] = (
        list(found) if isinstance(found, Sequence) and not isinstance(found, str) else [found]
    )
    strange = [each for each in several if not isinstance(each, Comparison)]
    if strange or not several:
        got = f"a {type(strange[0]).__name__}" if strange else "none"
        raise refusal(
            "found",
            f"expected comparisons, or the result of an experiment, got {got} – "
            "write write_report(compare(runs), …)",
        )
    return [each for each in several if isinstance(each, Comparison)]


def _check_places(
    html: str | os.PathLike[str], json: str | os.PathLike[str] | None, png: str | os.PathLike[str] | None
) -> None:
    for file in (html, json):
        if file is not None:
            check_file(Path(file))
    if png is not None:
        check_folder(Path(png))


def write_html(report: Report, path: Path) -> None:
    """Write the page, and remark what had no room on it; errors as for `write_report`."""
    page = page_of(report)
    _write(path, page.text)
    if page.left_out:
        words = listing([LEFT_OUT[what] for what in page.left_out], len(LEFT_OUT))
        _LOGGER.info("left out, for a page below %s MB: %s", f"{MOST_BYTES / 1e6:g}", words)
    if page.is_too_long:
        _LOGGER.warning(
            "%s: longer than %s MB all the same – report fewer variants, table sizes or line-ups at once",
            printable_path(path), f"{MOST_BYTES / 1e6:g}",
        )  # fmt: skip


def write_json(report: Report, path: Path) -> None:
    """Write every number of the page, and what made it; errors as for `write_report`."""
    text = json_format.dumps(report.as_mapping(), indent=1, ensure_ascii=False, allow_nan=False)
    _write(path, f"{text}\n")


def write_pngs(report: Report, folder: Path) -> None:
    """Write one PNG per chart into a folder, at print resolution; errors as for `write_report`."""
    from simcli.report.charts.style import to_png

    check_folder(folder)
    for chart in report.charts:
        to_png(chart.figure, folder / f"{chart.key}.png")


def _write(path: Path, text: str) -> None:
    write_file(path, without_bytes(text).encode())
