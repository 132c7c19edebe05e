"""Write a page about what was found, and say where it lies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from simcli.cli.speech import remark
from simcli.errors import refusal
from simcli.rules.wording import printable_path

if TYPE_CHECKING:
    from simcli.analysis.comparison import Comparison
    from simcli.experiments.result import Result
    from simcli.report.model import Report

PAGES = Path("reports")
"""Where the pages of experiments go."""
ENDINGS = ("", ".html", ".htm", ".xhtml")


def check_places(page: Path, png: Path | None, json: Path | None, command: str) -> None:
    """Refuse places that cannot be written, and one for two things, before the work that is to fill them."""
    from simcli.runs.outfile import check_file, check_folder

    if page.suffix.lower() not in ENDINGS:
        raise refusal("--output", f"expected a name that ends in .html, got {printable_path(page)}")
    places = [path.absolute() for path in (page, png, json) if path is not None]
    if len(set(places)) < len(places):
        raise refusal(command, "expected different places for --output, --png and --json, got one twice")
    for file in filter(None, (page, json)):
        check_file(file)
    if png is not None:
        check_folder(png)


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
    for path in filter(None, (page, json)):
        size = f" ({_size(path.stat().st_size)})" if path.is_file() else ""
        remark(f"written: {printable_path(path)}{size}")
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
