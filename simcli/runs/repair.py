"""Repair a run: play its damaged parts again, and write again what plan and parts say anew."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from simcli.rules.wording import printable_path
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.folder import PLAN_FILE, RunFolder
from simcli.runs.outcome import Outcome, other_engines, run_mapping
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Plan
from simcli.runs.planfile import yaml_text
from simcli.runs.pool import PartDone, PartFailed, Pool, Tick, WorkerLost
from simcli.runs.runfile import kept_figures
from simcli.runs.store.location import Location
from simcli.runs.summary import add_summaries, n_positions
from simcli.runs.sums import SUMS_FILE
from simcli.runs.taking import disk_errors, refuse_other_engine
from simcli.runs.verify import (
    DEFAULT_SAMPLE,
    ROWS,
    Checks,
    Fault,
    Inspection,
    Show,
    Verified,
    inspect_run,
    report_faults,
    run_of,
    sums_faults,
)

Say = Callable[[str], None]


def repair_run(
    path: Location,
    pool: Pool,
    sample: int = DEFAULT_SAMPLE,
    show: Show = lambda read: None,
    say: Say = lambda text: None,
    checks: Checks = ROWS,
) -> Verified:
    """Verify a run, and repair what is damaged: its plan, parts, checksums and `run.yaml`.

    Only damaged parts are played again, and parts that are missing though the run is complete; what has not
    been played yet is left to the run's own command.

    Parameters
    ----------
    path : Path or S3Url
        The folder of the run.
    pool : Pool
        Who plays.
    sample, show
        As for `verify_run`; when damaged parts are played, `show` is told of their deals as well.
    say : callable
        Told what is being done.
    checks : Checks
        As for `verify_run`.

    Raises
    ------
    InputError
        As for `verify_run`; another command plays there; or the run is one of another engine.
    RunError
        The folder cannot be written, or workers kept dying.
    """
    start = time.monotonic()
    folder, plan, _ = run_of(path)
    refuse_other_engine(plan, folder)
    with folder.locked() as lock, disk_errors(path):
        lock.refuse_busy()
        folder = folder.under(lock)
        inspection = replace(inspect_run(path, sample, show, checks), folder=folder)
        if not inspection.found.faults:
            return inspection.found
        folder.refuse_unwritable()
        if any(fault.file == printable_path(folder.plan_path) for fault in inspection.found.faults):
            folder.store.write(PLAN_FILE, yaml_text(plan.as_mapping()).encode())
        again = _played_again(inspection, pool, show, say, checks)
        records = sorted([*inspection.records, *again], key=lambda record: record.part.index)
        faults = _with_later_ones(inspection, records)
        _write_sums(folder, records, faults)
        if any(fault.file == printable_path(folder.run_path) for fault in faults):
            seconds = time.monotonic() - start
            _write_report(folder, plan, records, sum(record.part.n_deals for record in again), seconds)
    repaired = tuple(replace(fault, repaired=not fault.is_surplus) for fault in faults)
    read = sum(record.part.n_deals for record in records)
    return replace(inspection.found, read=read, faults=repaired)


def _played_again(
    inspection: Inspection, pool: Pool, show: Show, say: Say, checks: Checks
) -> list[PartRecord]:
    """Return the damaged parts, played again."""
    folder, plan, read = inspection.folder, inspection.plan, inspection.found.read
    records: list[PartRecord] = []
    parts = inspection.damaged

    tasks = (checks.task(plan, part, folder) for part in parts)
    for event in pool.play(tasks, min(pool.workers, len(parts))):
        if isinstance(event, PartDone):
            records.append(event.record)
            read += event.record.part.n_deals
            say(f"{printable_path(event.task.path)}: played again")
        elif isinstance(event, PartFailed):
            raise event.error
        elif isinstance(event, WorkerLost):
            say("a worker died; what was in play is played again")
        elif isinstance(event, Tick):
            show(read + event.played)
    return records


def _with_later_ones(inspection: Inspection, records: list[PartRecord]) -> list[Fault]:
    """Return the faults with those that show only once all parts are sound."""
    faults = list(inspection.found.faults)
    known = {fault.file for fault in faults}
    later = sums_faults(inspection.folder, records)
    if not inspection.found.absent:
        later += report_faults(inspection.folder, inspection.plan, records)
    return [*faults, *(fault for fault in later if fault.file not in known)]


def _write_sums(folder: RunFolder, records: list[PartRecord], faults: list[Fault]) -> None:
    """Write the checksums of all parts, from nothing if the list is damaged."""
    if any(fault.file == printable_path(folder.sums_path) for fault in faults):
        folder.store.remove(SUMS_FILE)
    folder.note_sums(records)


def _write_report(
    folder: RunFolder, plan: Plan, records: list[PartRecord], n_played: int, seconds: float
) -> None:
    """Write `run.yaml`; what only it knows stays as far as it can be read."""
    outcome = Outcome(
        plan,
        folder.path,
        plan.deals,
        add_summaries((record.summary for record in records), n_positions(plan.match.variant)),
        digest_text(add_digests(*(record.digest for record in records))),
        n_played,
        seconds,
        other_engines(plan, records),
    )
    mapping = run_mapping(outcome, datetime.now(UTC)) | kept_figures(folder.run_path)
    folder.write_report(mapping)
