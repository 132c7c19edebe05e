"""`simcli verify`: read runs again, play a sample of their deals again, repair what is damaged."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.errors import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simcli.runs.pool import Pool
    from simcli.runs.report import Report
    from simcli.runs.store.location import Location
    from simcli.runs.verify import Verified

EXIT_DAMAGED = 1


def verify(
    folders: Annotated[
        list[str], typer.Argument(metavar="RUN…", help="Folders of runs, or their URLs.", show_default=False)
    ],
    sample: Annotated[
        str, typer.Option(metavar="N", help="Play about N deals of each again, drawn at random.")
    ] = "1000",
    repair: Annotated[
        bool, typer.Option("--repair", help="Play damaged parts again, write damaged files again.")
    ] = False,
    workers: Annotated[
        str | None, typer.Option(metavar="W", help="With --repair: processes. [default: all cores]")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Read every row, or count, of some runs again, and play a random sample of their deals again.

    Damage is named part by part. The exit code is 0 if all is sound, 1 if anything is damaged and has not
    been repaired.
    """
    from simcli.cli.run import n_workers
    from simcli.cli.tables import print_json
    from simcli.rules.numbers import whole_number
    from simcli.runs.pool import Pool
    from simcli.runs.report import report_for
    from simcli.runs.store.location import location
    from simcli.runs.verify import MAX_SAMPLE, run_of

    n_sample = whole_number(sample, "--sample", 0, MAX_SAMPLE)
    if workers is not None and not repair:
        raise refusal("--workers", "expected --repair with it, got none")
    n_processes = n_workers(workers)
    places = [location(folder) for folder in folders]
    for place in places:
        run_of(place)  # what is no run is told before hours of reading
    report = report_for(sys.stderr)
    verified = []
    with Pool(n_processes) as pool:
        for place in places:
            verified.append(_verified(place, n_sample, pool if repair else None, report))
            if not as_json:
                _print(verified[-1])
    if as_json:
        print_json([each.as_mapping() for each in verified])
    if not all(each.is_sound for each in verified):
        raise typer.Exit(EXIT_DAMAGED)


def _verified(folder: Location, sample: int, pool: Pool | None, report: Report) -> Verified:
    """Verify a run, and repair it if there is a pool for that, showing how far it is."""
    from simcli.analysis.recount import checks_of
    from simcli.runs.engine import ready_engine
    from simcli.runs.repair import repair_run
    from simcli.runs.verify import run_of, verify_run

    _, plan, _ = run_of(folder)
    if sample or pool is not None:
        ready_engine(report, plan.match.lineup.looks_ahead)
    checks = checks_of(folder)
    report.begin(folder.name, plan.deals, 0)
    try:
        if pool is None:
            return verify_run(folder, sample, report.show, checks)
        return repair_run(folder, pool, sample, report.show, report.say, checks)
    finally:
        report.end()


def _print(run: Verified) -> None:
    from simcli.rules.wording import printable_path

    state = "DAMAGED" if not run.is_sound else "repaired" if run.faults else "sound"
    print(f"{printable_path(run.folder)}: {state}")
    for line in _lines(run):
        print(f"  {line}")


def _lines(run: Verified) -> Iterator[str]:
    """Yield what was found, line by line."""
    what = "their counts" if run.summary else "every row"
    yield f"{run.read:,} of {run.deals:,} deals read, {what}"
    if run.absent:
        yield f"{run.absent:,} deals not played yet – give its command again to go on"
    if run.holder:
        yield f"another simcli plays there ({run.holder})"
    if run.skipped:
        yield f"none played again: {run.skipped}"
    elif run.replayed:
        yield f"{run.replayed:,} deals played again, all the same"
    for fault in run.faults:
        yield f"{fault.file}: {fault.reason}{'; repaired' if fault.repaired else ''}"
