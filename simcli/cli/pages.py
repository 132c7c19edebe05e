"""Write a page about what was found, and say where it lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from simcli.cli.speech import remark

if TYPE_CHECKING:
    from simcli.analysis.comparison import Comparison
    from simcli.experiments.result import Result
    from simcli.report.model import Report

PAGES = Path("reports")
"""Where the pages of experiments go."""


def write_page(
    found: Result | Comparison,
    page: Path,
    png: Path | None,
    json: Path | None,
    *,
    title: str = "",
    workers: int,
) -> None:
    """Write a page, and if wanted its charts and numbers; tell each place and size."""
    from simcli.report.write import write_report

    remark("drawing …")
    _tell(write_report(found, page, png, json, title=title, workers=workers), page, png, json)


def _tell(report: Report, page: Path, png: Path | None, json: Path | None) -> None:
    """Say what was written, and how large it is."""
    from simcli.rules.wording import printable_path

    for path in filter(None, (page, json)):
        remark(f"written: {printable_path(path)} ({_size(path.stat().st_size)})")
    if png is not None:
        remark(f"written: {len(report.charts)} charts in {printable_path(png)}")


def _size(n_bytes: int) -> str:
    """Return a number of bytes for people.

    >>> _size(950), _size(188_700), _size(2_400_000)
    ('950 bytes', '189 kB', '2.4 MB')
    """
    if n_bytes < 1000:
        return f"{n_bytes} bytes"
    return f"{n_bytes / 1000:.0f} kB" if n_bytes < 999_500 else f"{n_bytes / 1e6:.1f} MB"
