"""Take up the run of an order: hold its folder, plan it, find what is there, write what it came to."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from simcli.errors import RunError, refusal
from simcli.rules.wording import printable_path
from simcli.runs.folder import RunFolder
from simcli.runs.identity import engine_identity, engine_text, is_this_engine
from simcli.runs.orders import Order, check_order, wanted_deals
from simcli.runs.outcome import Outcome, run_mapping
from simcli.runs.outfile import FULL
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Part, Plan, Stretch, is_one_part
from simcli.runs.report import Report
from simcli.runs.runfile import kept_figures, report_problems
from simcli.runs.speeds import Speeds
from simcli.runs.store.location import Location, resolved
from simcli.runs.store.store import Lock

FAILING = (errno.EROFS, errno.EIO)
LOCKED = (errno.EACCES, errno.EPERM)
LIMITED = (errno.EFBIG,)


class DiskError(RunError):
    """A disk takes no more, whichever folder on it is written."""


@dataclass
class TakenRun:
    """Read and write the folder of an order's run, as long as it is held.

    Attributes
    ----------
    order : Order
        What is asked for.
    workers : int
        Processes that will play it.
    speeds : Speeds
        How fast they are.
    report : Report
        Whom to tell.
    lock : Lock
        The lock of the folder.
    """

    order: Order
    workers: int
    speeds: Speeds
    report: Report
    lock: Lock
    folder: RunFolder = field(init=False)
    _is_playing: bool = field(default=False, init=False)
    started: datetime = field(default_factory=lambda: datetime.now(UTC), init=False)

    def __post_init__(self) -> None:
        self.folder = self.order.folder.under(self.lock)

    def planned(self) -> tuple[Plan, int]:
        """Return the plan, made or extended where needed, and the deals wanted of it."""
        plan = self.folder.plan_of(self.order.match)
        deals = wanted_deals(self.order, plan)
        if plan is not None and plan.is_open and deals == plan.deals:
            plan = plan.settled(deals, stopped=False)
            self.write_plan(plan)
        if plan is not None and deals <= plan.deals:
            return plan, deals
        if plan is not None:
            refuse_other_engine(plan, self.folder)
        self.lock.refuse_busy()
        size = self._part_size(deals - (0 if plan is None else plan.deals))
        if plan is None:
            plan = Plan(self.order.match, (Stretch(deals, size),), engine_identity(self.order.match.tuned))
        else:
            plan = plan.extended(deals, size)
        self.write_plan(plan)
        return plan, deals

    def _part_size(self, deals: int) -> int:
        """Return the deals of a part of a new stretch; one part needs no speed."""
        match = self.order.match
        speed = 1.0 if is_one_part(deals) else self.speeds.of(match)
        return match.part_deals(deals, speed, self.workers)

    def write_plan(self, plan: Plan) -> None:
        """Write the plan, unless another command plays in the folder."""
        self.lock.refuse_busy()
        self.folder.write_plan(plan)

    def found(self, plan: Plan, parts: Iterable[Part]) -> tuple[list[PartRecord], list[Part]]:
        """Return which parts are complete, and which are to be played; tell which are damaged."""
        complete, absent, damaged = self.folder.records(plan, parts)
        if absent or damaged:
            self.lock.refuse_busy()
            refuse_other_engine(plan, self.folder)
        if self.lock.is_held:
            self.folder.note_sums(complete)
        for damage in damaged:
            path = printable_path(self.folder.part_path(damage.part))
            self.report.say(f"{path}: {damage.reason}; it is played again")
        missing = [*absent, *(damage.part for damage in damaged)]
        return complete, sorted(missing, key=lambda part: part.index)

    def prepare(self) -> None:
        """Make the folder ready for parts: the run is not complete any more, and nothing is half written."""
        self.folder.refuse_unwritable()
        self.folder.remove_report()
        self._is_playing = True
        self.sweep()

    def sweep(self) -> None:
        """Remove what is half written, if it is this command that has been playing here."""
        if self._is_playing:
            self.folder.remove_temporary()

    def leave(self) -> None:
        """Leave the folder to others."""
        self.sweep()
        self._is_playing = False
        self.lock.release()

    def write_report(self, outcome: Outcome) -> None:
        """Write `run.yaml` of a whole run, where there is none or it does not say what the parts say."""
        if outcome.deals != outcome.plan.deals:
            return
        path, mapping = self.folder.run_path, run_mapping(outcome, self.started)
        if self.folder.has_report():
            problems = report_problems(path, outcome.plan, outcome.digest, self.folder.load)
            if not problems:
                return
            self.lock.refuse_busy()
            for problem in problems:
                self.report.say(f"{problem}; it is written again")
            mapping |= kept_figures(path)
        self.lock.refuse_busy()
        self.folder.write_report(mapping)


@contextmanager
def taken_up(
    order: Order, workers: int, speeds: Speeds, report: Report, fresh: bool = False
) -> Iterator[TakenRun]:
    """Check an order and hold the folder of its run; the lock may be given back before.

    Where another command plays in the folder, what is finished can still be summed up.

    Parameters
    ----------
    order, workers, speeds, report
        As in `TakenRun`.
    fresh : bool
        Whether to throw away a run that lies there.
    """
    check_order(order, fresh)
    order.folder.make()
    with order.folder.locked() as lock:
        run = TakenRun(order, workers, speeds, report, lock)
        if fresh:
            lock.refuse_busy()
            run.folder.clear()
        yield run


def by_folder(orders: Sequence[Order]) -> list[Order]:
    """Return orders in the order in which all commands take their folders.

    Of two commands that want some of the same, one gets them all; else each could keep the other from some.
    """
    return sorted(orders, key=lambda order: str(resolved(order.folder.path)))


def refuse_other_engine(plan: Plan, folder: RunFolder) -> None:
    """Raise an `InputError` if a run was begun by an engine that plays otherwise than this one."""
    if not is_this_engine(plan.engine, plan.match.tuned):
        theirs, ours = engine_text(plan.engine), engine_text(engine_identity(plan.match.tuned))
        raise refusal(
            printable_path(folder.path),
            f"expected to go on with the engine that began this run, {theirs}, got {ours} – "
            "use that version of simcli, or start again with --fresh",
        )


@contextmanager
def disk_errors(folder: Location) -> Iterator[None]:
    """Turn a full or failing disk into one clear message."""
    try:
        yield
    except OSError as error:
        where = printable_path(folder)
        if error.errno in FULL:
            raise DiskError(
                f"{where}: the disk is full – complete parts stay; make room and give the command again"
            ) from None
        if error.errno in (*FAILING, *LOCKED, *LIMITED):
            kind = DiskError if error.errno in FAILING else RunError
            raise kind(
                f"{where}: cannot be written any more ({error.strerror}) – complete parts stay; "
                "give the command again to go on"
            ) from None
        raise
