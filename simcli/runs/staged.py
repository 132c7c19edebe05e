"""Play runs side by side, look at them in the order of their deals, and stop where a rule holds.

Looks fall at multiples of `LOOK` deals, and a part ends at each. Some looks are played ahead at a time, a
stage; then they are gone through one after the other, and what was played beyond the first at which the rule
holds is thrown away. So where a run stops depends on its deals alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import takewhile

from simcli.runs.conduct import Conduct, Outcome, disk_errors, refuse_other_engine, taken_up
from simcli.runs.identity import engine_identity
from simcli.runs.orders import Order, refuse_other_rule
from simcli.runs.partfile import PartRecord
from simcli.runs.plan import Part, Plan
from simcli.runs.pool import Pool
from simcli.runs.report import Report
from simcli.runs.stopping import LOOK, StoppingRule, next_look, widest_half_width
from simcli.runs.summary import Summary, add_summaries, n_positions

LOOKS_PER_WORKER = 2
"""Looks of the shortest stage, so that no worker is idle for long."""
STAGE_GROWTH = 4
"""A stage is at most this part of what is played already: so much may be thrown away."""


@dataclass
class StagedRun:
    """Hold a run that is played stage by stage.

    Attributes
    ----------
    order : Order
        What is played.
    conduct : Conduct
        Plays its parts.
    plan : Plan or None
        Its plan; None until its first deal is to be played.
    records : list of PartRecord
        The parts that are complete, in order, up to `done`.
    done : int
        Deals so far.
    n_played : int
        Those of them that were played now.
    """

    order: Order
    conduct: Conduct
    plan: Plan | None
    records: list[PartRecord] = field(default_factory=list)
    done: int = 0
    n_played: int = 0
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    seconds: float = 0.0
    _n_summed: int = field(default=0, init=False)
    _summed: Summary | None = field(default=None, init=False)

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

    def play_to(self, look: int, rule: StoppingRule) -> None:
        """Play what is missing up to a look."""
        if look > self.settled_deals:
            self._open(rule)
        plan, start = self.planned(), time.monotonic()
        parts = [part for part in _parts_before(plan, look) if part.end > self.done]
        complete, missing = self.conduct.found(plan, parts)
        if missing:
            complete.extend(self.conduct.played(plan, missing, look))
            self.n_played += sum(part.n_deals for part in missing)
            self.seconds += time.monotonic() - start
        self.records += sorted(complete, key=lambda record: record.part.index)
        self.done = look

    def _open(self, rule: StoppingRule) -> None:
        """Plan a stretch that the rule may end, unless there is that very one."""
        plan, folder = self.plan, self.conduct.folder
        if plan is not None and plan.is_open and plan.stretches[-1].rule == rule:
            return
        if plan is not None:
            refuse_other_engine(plan, folder)
        self.plan = (plan or Plan(self.order.match, (), engine_identity())).with_rule(rule, LOOK)
        self.conduct.write_plan(self.plan)

    def stop(self, look: int, stopped: bool) -> Outcome:
        """Declare the deals before a look to be the run, and throw away what was played beyond."""
        plan, folder = self.planned(), self.conduct.folder
        if plan.is_open:
            self.conduct.lock.refuse_busy()
            *_, last = _parts_before(plan, look)
            folder.remove_parts_after(last.index)
            self.plan = plan = plan.settled(look, stopped)
            folder.write_plan(plan)
        kept = [record for record in self.records if record.part.end <= look]
        return self.conduct.summed_up(plan, look, kept, self.n_played, self.started, self.seconds)


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
        What to play, of one number of players and one line-up.
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
    with ExitStack() as folders:
        runs = []
        for order in orders:
            conduct = folders.enter_context(taken_up(order, pool, report, fresh))
            runs.append(StagedRun(order, conduct, order.folder.plan_of(order.match)))
        return _played_until(runs, rule, is_reached, pool)


def _played_until(
    runs: Sequence[StagedRun], rule: StoppingRule, is_reached: Watch, pool: Pool
) -> list[Outcome]:
    """Return what runs whose folders are held come to."""
    for run in runs:
        if run.plan is not None:
            refuse_other_rule(run.order, run.plan, rule)
    look = next_look(max(run.settled_deals for run in runs))
    rule = replace(rule, max_deals=max(rule.max_deals, look))
    end = look
    while True:
        for run in runs:
            with disk_errors(run.order.folder.path):
                run.play_to(end, rule)
        while look <= end:
            stopped = is_reached(runs, look)
            if stopped or look == rule.max_deals:
                return [_stop(run, look, stopped) for run in runs]
            look += LOOK
        end = min(rule.max_deals, end + _stage(end, pool.workers))


def _stop(run: StagedRun, look: int, stopped: bool) -> Outcome:
    with disk_errors(run.order.folder.path):
        return run.stop(look, stopped)


def _stage(done: int, workers: int) -> int:
    """Return how many deals to play ahead."""
    return max(LOOKS_PER_WORKER * workers, done // LOOK // STAGE_GROWTH) * LOOK


def is_narrow(half_width: float) -> Watch:
    """Return what says whether the tables of all runs have half-widths of at most so much."""

    def watch(runs: Sequence[StagedRun], look: int) -> bool:
        return all(widest_half_width(run.summary(look)) <= half_width for run in runs)

    return watch
