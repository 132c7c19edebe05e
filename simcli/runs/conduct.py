"""Conduct runs from the order to the result: plan them or take them up, play what is missing, sum up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from simcli.errors import BusyError, InputError, Problems, input_error, problems_of
from simcli.runs.digest import add_digests, digest_text
from simcli.runs.executors import SURELY_LONG
from simcli.runs.lock import room_for_locks
from simcli.runs.orders import Order
from simcli.runs.outcome import Engines, Outcome, other_engines
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import DEFAULT_DEALS, Plan
from simcli.runs.pool import Pool
from simcli.runs.progress import Progress
from simcli.runs.report import Report
from simcli.runs.speeds import Speeds
from simcli.runs.store.location import Location
from simcli.runs.summary import Summary, add_summaries, n_positions
from simcli.runs.taking import TakenRun, by_folder, disk_errors, taken_up
from simcli.runs.together import Share, play_together, raise_errors


@dataclass
class RunInPlay:
    """Hold a run that is played as far as it was ordered.

    Attributes
    ----------
    taken : TakenRun
        Its folder.
    plan : Plan
        Its plan.
    deals : int
        Deals ordered.
    share : Share
        What was missing of them.
    """

    taken: TakenRun
    plan: Plan
    deals: int
    share: Share
    outcome: Outcome | None = field(default=None, init=False)
    _digest: int = field(default=0, init=False)
    _summary: Summary | None = field(default=None, init=False)
    _engines: Engines = field(default=(), init=False)
    _played: set[int] = field(default_factory=set, init=False)
    _n_reached: int = field(default=0, init=False)

    @property
    def order(self) -> Order:
        """Return what was ordered."""
        return self.taken.order

    @property
    def done(self) -> int:
        """Return the deal up to which all are complete."""
        parts = self.share.parts
        while self._n_reached < len(parts) and parts[self._n_reached].index in self._played:
            self._n_reached += 1
        return parts[self._n_reached].first if self._n_reached < len(parts) else self.deals

    def add(self, records: Iterable[PartRecord]) -> None:
        """Count parts that are complete."""
        for record in records:
            self._played.add(record.part.index)
            self._digest = add_digests(self._digest, record.digest)
            self._summary = self._sum(record.summary)
            others = other_engines(self.plan, [record])
            self._engines += tuple(engine for engine in others if engine not in self._engines)

    def _sum(self, *summaries: Summary) -> Summary:
        before = [] if self._summary is None else [self._summary]
        return add_summaries([*before, *summaries], n_positions(self.plan.match.variant))

    def end_if_complete(self) -> None:
        """Once no part is missing any more, write what the run came to and leave its folder to others."""
        if self.done < self.deals:
            return
        self.outcome = Outcome(
            self.plan,
            self.taken.folder.path,
            self.deals,
            self._sum(),
            digest_text(self._digest),
            self.share.n_played,
            self.share.seconds,
            self._engines,
        )
        self.taken.write_report(self.outcome)
        self.taken.leave()


Onlooker = Callable[[Sequence[RunInPlay]], None]
"""Is shown all runs that are played together, each time that a part of one of them is complete."""


def conduct_all(
    orders: Iterable[Order],
    pool: Pool,
    report: Report,
    fresh: bool = False,
    onlooker: Onlooker | None = None,
) -> Iterator[Outcome]:
    """Carry out orders: plan all of them, play together what is missing of them, and sum up.

    All runs advance together through the deals. Each is complete as soon as its own parts are; one that fails
    does not keep the others from their end.

    Parameters
    ----------
    orders : iterable of Order
        What to play and where to put it.
    pool : Pool
        Who plays.
    report : Report
        Whom to tell.
    fresh : bool
        Whether to throw away runs that lie there.
    onlooker : callable, optional
        Looks on.

    Yields
    ------
    Outcome
        Of each order in turn, once they are played; those that failed are left out.

    Raises
    ------
    InputError
        Before anything is played: folders hold other runs or something else, another command plays in them,
        or a number of deals does not fit them.
    RunError
        In the end, of the runs that failed: rows could not be written, or workers kept dying. At once if the
        disk is full.
    """
    for together in _rounds(orders):
        if _is_surely_long(together, fresh):
            pool.start()  # they load the engine while this process measures its speed
        with ExitStack() as folders:
            speeds = Speeds(report)
            runs = _taken(together, pool, speeds, report, fresh, folders)
            _play(runs, pool, speeds, report, onlooker)
        yield from (run.outcome for run in runs if run.outcome is not None)
        raise_errors([run.share for run in runs])


def conduct(order: Order, pool: Pool, report: Report, fresh: bool = False) -> Outcome:
    """Carry out one order; arguments and errors as for `conduct_all`."""
    (outcome,) = conduct_all([order], pool, report, fresh)
    return outcome


def _is_surely_long(orders: Sequence[Order], fresh: bool) -> bool:
    """Return whether orders ask for play in all workers, however fast it is."""
    waiting = (order for order in orders if fresh or not order.folder.has_report())
    return sum(order.deals or DEFAULT_DEALS for order in waiting) >= SURELY_LONG


def _rounds(orders: Iterable[Order]) -> Iterator[list[Order]]:
    """Yield orders that can be carried out together: of one folder each, and no more than can be held."""
    waiting = list(orders)
    most = room_for_locks(len(waiting))
    together: dict[Location, Order] = {}
    for order in waiting:
        if order.folder.path in together or len(together) == most:
            yield list(together.values())
            together = {}
        together[order.folder.path] = order
    if together:
        yield list(together.values())


def _taken(
    orders: Sequence[Order], pool: Pool, speeds: Speeds, report: Report, fresh: bool, folders: ExitStack
) -> list[RunInPlay]:
    """Return the runs of some orders, planned, and with what is there of them counted.

    Once another command is in the way no further folder is taken, which that command may want as well.
    """
    runs: dict[Location, RunInPlay] = {}
    problems: dict[Location, Problems] = {}
    for order in by_folder(orders):
        path = order.folder.path
        try:
            with disk_errors(path):
                taken = folders.enter_context(taken_up(order, pool.workers, speeds, report, fresh))
                plan, deals = taken.planned()
                complete, missing = taken.found(plan, plan.parts(deals))
                runs[path] = RunInPlay(taken, plan, deals, Share(taken, plan, missing))
                runs[path].add(complete)
                runs[path].end_if_complete()
        except InputError as error:
            problems[path] = problems_of(error)
            if isinstance(error, BusyError):
                break
    paths = [order.folder.path for order in orders]
    if problems:
        raise input_error(problem for path in paths for problem in problems.get(path, ()))
    return [runs[path] for path in paths]


def _play(
    runs: Sequence[RunInPlay], pool: Pool, speeds: Speeds, report: Report, onlooker: Onlooker | None
) -> None:
    """Play what is missing of some runs."""
    by_share = {id(run.share): run for run in runs}
    shares = [run.share for run in runs if run.outcome is None]
    if not shares:
        return
    deals = sum(run.deals for run in runs if run.outcome is None)
    names = tuple(share.run.folder.path.name for share in shares)
    with Progress(report, names, deals, deals - sum(share.n_deals for share in shares)) as progress:
        for share, record in play_together(shares, pool, speeds, progress):
            run = by_share[id(share)]
            with share.failing_alone():
                run.add([record])
                run.end_if_complete()
            if onlooker is not None:
                onlooker(runs)
