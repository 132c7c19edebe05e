"""`simcli verify`: read runs again, row by row, and play a sample of their deals again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simcli.runs.report import Report
    from simcli.runs.verify import Verified

COMMAND = "simcli verify"


def verify(
    folders: Annotated[
        list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.", show_default=False)
    ],
    sample: Annotated[
        str, typer.Option(metavar="N", help="Play about N deals of each again, drawn at random.")
    ] = "1000",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read every row of some runs again, and play a random sample of their deals again.

    Damage is named part by part. The exit code is 0 if all is sound, 1 if anything is damaged.
    """
    from simcli.cli.numbers import whole_number
    from simcli.cli.tables import print_json
    from simcli.runs.report import report_for
    from simcli.runs.verify import MAX_SAMPLE, folder_and_plan

    n_sample = whole_number(sample, "--sample", 0, MAX_SAMPLE)
    for folder in folders:
        folder_and_plan(folder)  # what is no run is told before hours of reading
    report = report_for(sys.stderr)
    verified = []
    for folder in folders:
        verified.append(_verified(folder, n_sample, report))
        if not as_json:
            _print(verified[-1])
    if as_json:
        print_json([each.as_mapping() for each in verified])
    if not all(each.is_sound for each in verified):
        raise typer.Exit(1)


def _verified(folder: Path, sample: int, report: Report) -> Verified:
    """Verify a run, showing how far it is."""
    from simcli.runs.engine import ready_engine
    from simcli.runs.verify import folder_and_plan, verify_run

    _, plan = folder_and_plan(folder)
    if sample:
        ready_engine(report)
    report.begin(folder.name, plan.deals, 0)
    try:
        return verify_run(folder, sample, report.show)
    finally:
        report.end()


def _print(run: Verified) -> None:
    from simcli.rules.wording import printable_path

    print(f"{printable_path(run.folder)}: {'sound' if run.is_sound else 'DAMAGED'}")
    for line in _lines(run):
        print(f"  {line}")


def _lines(run: Verified) -> Sequence[str]:
    """Return what was found, line by line."""
    lines = [f"{run.read:,} of {run.deals:,} deals read, every row"]
    if run.absent:
        lines.append(f"{run.absent:,} deals not played yet – give its command again to go on")
    if run.skipped:
        lines.append(f"none played again: {run.skipped}")
    elif run.replayed:
        lines.append(f"{run.replayed:,} deals played again, all the same")
    lines += [f"{fault.file}: {fault.reason}" for fault in run.faults]
    return lines
