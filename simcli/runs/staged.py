"""Play runs side by side, look at them in the order of their deals, and stop where a rule holds.

Looks fall at multiples of `LOOK` deals, and a part ends at each. Some looks are played ahead at a time, a
stage; then they are gone through one after the other, and what was played beyond the first at which the rule
holds is thrown away. So where a run stops depends on its deals alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import takewhile

from simcli.runs.digest import add_digests, digest_text
from simcli.runs.identity import engine_identity
from simcli.runs.orders import Order, refuse_other_rule
from simcli.runs.outcome import Outcome, other_engines
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Part, Plan
from simcli.runs.pool import Pool
from simcli.runs.progress import Progress
from simcli.runs.report import Report
from simcli.runs.speeds import Speeds
from simcli.runs.stopping import LOOK, StoppingRule, next_look, widest_half_width
from simcli.runs.store.location import Location
from simcli.runs.summary import Summary, add_summaries, n_positions
from simcli.runs.taking import TakenRun, by_folder, disk_errors, refuse_other_engine, taken_up
from simcli.runs.together import Share, play_together, raise_errors

LOOKS_PER_WORKER = 2
"""Looks of the shortest stage, so that no worker is idle for long."""
STAGE_GROWTH = 4
"""A stage is at most this part of what is played already: so much may be thrown away."""


@dataclass
class StagedRun:
    """Hold a run that is played stage by stage.

    Attributes
    ----------
    taken : TakenRun
        Its folder.
    plan : Plan or None
        Its plan; None until its first deal is to be played.
    records : list of PartRecord
        The parts that are complete, in order, up to `done`.
    done : int
        Deals so far.
    n_played : int
        Those of them that were played now.
    seconds : float
        The run's share of the time that took.
    """

    taken: TakenRun
    plan: Plan | None
    records: list[PartRecord] = field(default_factory=list)
    done: int = 0
    n_played: int = 0
    seconds: float = 0.0
    _n_summed: int = field(default=0, init=False)
    _summed: Summary | None = field(default=None, init=False)

    @property
    def order(self) -> Order:
        """Return what was ordered."""
        return self.taken.order

    @property
    def settled_deals(self) -> int:
        """Return the deals that the run has in any case."""
        return 0 if self.plan is None else self.plan.settled_deals

    def planned(self) -> Plan:
        """Return the plan, which there is once deals are played."""
        if self.plan is None:
            raise AssertionError("no deal is planned yet")
        return self.plan

    def summary(self, look: int) -> Summary:
        """Return the counts of the deals before a look, which is none before those asked for so far."""
        positions = n_positions(self.order.match.variant)
        new = []
        while self._n_summed < len(self.records) and self.records[self._n_summed].part.end <= look:
            new.append(self.records[self._n_summed].summary)
            self._n_summed += 1
        old = [] if self._summed is None else [self._summed]
        self._summed = add_summaries([*old, *new], positions)
        return self._summed

    def lacking(self, look: int, rule: StoppingRule) -> Share:
        """Return what is missing up to a look; note what is there."""
        if look > self.settled_deals:
            self._open(rule)
        plan = self.planned()
        parts = [part for part in _parts_before(plan, look) if part.end > self.done]
        complete, missing = self.taken.found(plan, parts)
        self.records += complete
        return Share(self.taken, plan, missing)

    def _open(self, rule: StoppingRule) -> None:
        """Plan a stretch that the rule may end, unless there is that very one."""
        plan, folder = self.plan, self.taken.folder
        if plan is not None and plan.is_open and plan.stretches[-1].rule == rule:
            return
        if plan is not None:
            refuse_other_engine(plan, folder)
        self.plan = (plan or Plan(self.order.match, (), engine_identity(self.order.match.tuned))).with_rule(
            rule, LOOK
        )
        self.taken.write_plan(self.plan)

    def reach(self, look: int, share: Share) -> None:
        """Note that all parts up to a look are complete, some of them played now."""
        self.records.sort(key=lambda record: record.part.index)
        self.done = look
        self.n_played += share.n_played
        self.seconds += share.seconds

    def stop(self, look: int, stopped: bool) -> Outcome:
        """Declare the deals before a look to be the run, and throw away what was played beyond."""
        plan, folder = self.planned(), self.taken.folder
        if plan.is_open:
            self.taken.lock.refuse_busy()
            *_, last = _parts_before(plan, look)
            folder.remove_parts_after(last.index)
            self.plan = plan = plan.settled(look, stopped)
            folder.write_plan(plan)
        kept = [record for record in self.records if record.part.end <= look]
        outcome = Outcome(
            plan,
            folder.path,
            look,
            add_summaries((record.summary for record in kept), n_positions(plan.match.variant)),
            digest_text(add_digests(*(record.digest for record in kept))),
            self.n_played,
            self.seconds,
            other_engines(plan, kept),
        )
        self.taken.write_report(outcome)
        return outcome


def _parts_before(plan: Plan, look: int) -> Iterator[Part]:
    """Yield the parts up to a look; an open stretch may have many more."""
    return takewhile(lambda part: part.end <= look, plan.parts(look))


Watch = Callable[[Sequence[StagedRun], int], bool]
"""Says of some runs whether the rule holds at a look; called for each look in turn."""


def conduct_until(
    orders: Sequence[Order],
    rule: StoppingRule,
    is_reached: Watch,
    pool: Pool,
    report: Report,
    fresh: bool = False,
) -> list[Outcome]:
    """Play runs until a rule holds for all of them together, or its most deals are played.

    Runs that are there are not cut: the first look falls where the longest of them has all its deals.

    Parameters
    ----------
    orders : sequence of Order
        What to play, of one number of players and one line-up; no run twice.
    rule : StoppingRule
        The rule.
    is_reached : callable
        Says whether it holds.
    pool, report, fresh
        As for `simcli.runs.conduct.conduct`.

    Raises
    ------
    InputError
        As for `conduct`; or a run is longer than the most deals of the rule.
    RunError
        As for `conduct`.
    """
    speeds = Speeds(report)
    runs: dict[Location, StagedRun] = {}
    with ExitStack() as folders:
        for order in by_folder(orders):
            with disk_errors(order.folder.path):
                taken = folders.enter_context(taken_up(order, pool.workers, speeds, report, fresh))
                plan = taken.folder.plan_of(order.match)
                if plan is None or plan.is_open:
                    taken.lock.refuse_busy()
                runs[order.folder.path] = StagedRun(taken, plan)
        together = [runs[order.folder.path] for order in orders]
        return _played_until(together, rule, is_reached, pool, report)


def conduct_each_until_narrow(
    orders: Iterable[Order], rule: StoppingRule, pool: Pool, report: Report, fresh: bool = False
) -> Iterator[Outcome]:
    """Yield what each order comes to, its run played until its own table is narrow enough.

    Arguments and errors as for `conduct_until`.
    """
    for order in orders:
        yield from conduct_until([order], rule, is_narrow(rule.threshold), pool, report, fresh)


def _played_until(
    runs: Sequence[StagedRun], rule: StoppingRule, is_reached: Watch, pool: Pool, report: Report
) -> list[Outcome]:
    """Return what runs whose folders are held come to."""
    for run in runs:
        if run.plan is not None:
            refuse_other_rule(run.order, run.plan, rule)
    look = next_look(max(run.settled_deals for run in runs))
    rule = replace(rule, max_deals=max(rule.max_deals, look))
    names = tuple(run.taken.folder.path.name for run in runs)
    end = look
    with Progress(report, names, rule.max_deals * len(runs)) as progress:
        while True:
            _play_stage(runs, end, rule, pool, progress)
            while look <= end:
                stopped = is_reached(runs, look)
                if stopped or look == rule.max_deals:
                    return [_stop(run, look, stopped) for run in runs]
                look += LOOK
            end = min(rule.max_deals, end + _stage(end, pool.workers))


def _play_stage(
    runs: Sequence[StagedRun], end: int, rule: StoppingRule, pool: Pool, progress: Progress
) -> None:
    """Play all runs up to a look."""
    shares = []
    for run in runs:
        with disk_errors(run.taken.folder.path):
            shares.append(run.lacking(end, rule))
    progress.done = end * len(runs) - sum(share.n_deals for share in shares)
    by_share = {id(share): run for share, run in zip(shares, runs, strict=True)}
    lacking = [share for share in shares if share.parts]
    for share, record in play_together(lacking, pool, runs[0].taken.speeds, progress):
        by_share[id(share)].records.append(record)
    raise_errors(shares)
    for run, share in zip(runs, shares, strict=True):
        run.reach(end, share)


def _stop(run: StagedRun, look: int, stopped: bool) -> Outcome:
    with disk_errors(run.taken.folder.path):
        return run.stop(look, stopped)


def _stage(done: int, workers: int) -> int:
    """Return how many deals to play ahead."""
    return max(LOOKS_PER_WORKER * workers, done // LOOK // STAGE_GROWTH) * LOOK


def is_narrow(half_width: float) -> Watch:
    """Return what says whether the tables of all runs have half-widths of at most so much."""

    def watch(runs: Sequence[StagedRun], look: int) -> bool:
        return all(widest_half_width(run.summary(look)) <= half_width for run in runs)

    return watch
