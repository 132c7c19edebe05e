"""Write a report: the page, its JSON twin, and its charts as PNG."""

from __future__ import annotations

import json as json_format
import os
from collections.abc import Sequence
from pathlib import Path

from simcli.analysis.comparison import Comparison
from simcli.errors import InputError, refusal
from simcli.experiments.result import Result
from simcli.report.about import About, about_result
from simcli.report.build import build_report
from simcli.report.model import Report
from simcli.report.page import page_text
from simcli.rules.wording import printable_path, without_bytes
from simcli.runs.partfile import write_whole


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
        A file or folder cannot be written.
    """
    if isinstance(found, Result):
        report = build_report(found.comparisons, about_result(found, title), workers)
    else:
        several = [found] if isinstance(found, Comparison) else found
        report = build_report(several, About(title=title), workers)
    write_html(report, Path(html))
    if json is not None:
        write_json(report, Path(json))
    if png is not None:
        write_pngs(report, Path(png))
    return report


def write_html(report: Report, path: Path) -> None:
    """Write the page; errors as for `write_report`."""
    _write(path, page_text(report))


def write_json(report: Report, path: Path) -> None:
    """Write every number of the page, and what made it; errors as for `write_report`."""
    text = json_format.dumps(report.as_mapping(), indent=1, ensure_ascii=False, allow_nan=False)
    _write(path, f"{text}\n")


def write_pngs(report: Report, folder: Path) -> None:
    """Write one PNG per chart into a folder, at print resolution; errors as for `write_report`."""
    from simcli.report.charts.style import to_png

    for chart in report.charts:
        path = folder / f"{chart.key}.png"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            to_png(chart.figure, path)
        except OSError as error:
            raise _unwritable(path, error) from None


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, without_bytes(text).encode())
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return refusal(printable_path(path), f"expected a file that can be written, got: {error.strerror}")
