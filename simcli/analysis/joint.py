"""Play variants together and keep counts in place of rows: what `--summary` does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from simcli.analysis.compare import view_of
from simcli.analysis.counted import load_counted
from simcli.analysis.counting import CountingTask
from simcli.analysis.finished import FinishedRun
from simcli.analysis.missing import refuse_few_deals, seating
from simcli.analysis.rows import Frame, Outcome
from simcli.bots.lineup import parse_lineup
from simcli.errors import refusal
from simcli.rules.variant import Variant, seat
from simcli.runs.conduct import conduct_all
from simcli.runs.folder import RunFolder
from simcli.runs.jointfolder import JointFolder
from simcli.runs.jointmatch import JointMatch, refuse_namesakes
from simcli.runs.orders import Order, check_order
from simcli.runs.outcome import Outcome as RunOutcome
from simcli.runs.plan import Part, Plan
from simcli.runs.play import Task
from simcli.runs.pool import Pool
from simcli.runs.report import Report
from simcli.runs.stopping import StoppingRule
from simcli.runs.store.location import Location


@dataclass(frozen=True)
class JointOrder(Order):
    """Say which variants to play together, how many deals, and into which results folder."""

    @property
    def folder(self) -> JointFolder:
        """Return the folder of their counts."""
        return JointFolder(self.results / self.match.folder_name)

    def task(self, plan: Plan, part: Part, folder: RunFolder) -> Task:
        """Return what a worker is told who is to play and count a part."""
        return CountingTask(plan.match, plan.engine, part, folder)


@dataclass(frozen=True)
class JointCommission:
    """Hold one order a table, and which variants cannot sit there."""

    orders: tuple[JointOrder, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class JointOutcome:
    """Hold what one order came to.

    Attributes
    ----------
    runs : tuple of FinishedRun
        The variants, the baseline first.
    played : int
        Deals that were played now, under every variant.
    seconds : float
        Time that took.
    """

    runs: tuple[FinishedRun, ...]
    played: int
    seconds: float

    def outcomes(self) -> Iterator[RunOutcome]:
        """Yield what each variant came to."""
        for run in self.runs:
            yield RunOutcome(
                run.plan,
                run.path,
                run.deals,
                run.summary,
                run.digest,
                self.played,
                self.seconds / len(self.runs),
            )


def joint_commission(
    variants: Sequence[str | Path | Variant],
    *,
    lineups: Sequence[str],
    baseline: str | None,
    players: Sequence[int],
    by_players: bool,
    deals: int | None,
    seed: int,
    session: int,
    results: Location,
    frame: Frame,
    outcome: Outcome | None,
    fresh: bool = False,
) -> JointCommission:
    """Return one order per table size and line-up, all checked before anything is played.

    Parameters
    ----------
    frame, outcome
        What is counted, as for `compare`.
    fresh : bool
        Whether counts that exist are to be thrown away.
    variants, lineups, baseline, players, by_players, deals, seed, session, results
        As for `missing.commission`.

    Raises
    ------
    InputError
        With the problems of all variants.
    """
    refuse_few_deals(deals, session)
    seated = seating(variants, baseline, players, by_players)
    everybody = [variant for table in seated.tables.values() for variant in table]
    view, _ = view_of(everybody, frame, outcome)
    orders = []
    for size, fitting in seated.tables.items():
        refuse_namesakes(fitting)
        base, *others = sorted(fitting, key=lambda variant: variant is not seated.baseline)
        for lineup in lineups:
            match = JointMatch(
                seat(base, size),
                parse_lineup(lineup, size),
                seed,
                session,
                tuple(seat(variant, size) for variant in others),
                view.frame,
                view.outcome,
            )
            orders.append(JointOrder(match, deals, results))
            check_order(orders[-1], fresh)
    return JointCommission(tuple(orders), seated.left_out)


def play_joint(
    orders: Sequence[JointOrder], pool: Pool, report: Report, fresh: bool = False
) -> Iterator[JointOutcome]:
    """Play what is missing of some orders, all together; arguments and errors as for `conduct_all`."""
    for outcome in conduct_all(orders, pool, report, fresh):
        yield JointOutcome(
            tuple(load_counted(outcome.folder, outcome.deals)), outcome.played, outcome.seconds
        )


def refuse_rule(rule: StoppingRule | None) -> None:
    """Raise an `InputError` if counts are to be looked at before their end: they are kept by whole parts."""
    if rule is not None:
        raise refusal(
            rule.option,
            "expected a number of deals with --summary, for early looks need rows – give --deals, "
            "or leave out --summary",
        )


def refuse_counted_rotation() -> None:
    """Raise an `InputError`, for counts do not tell one pack from another."""
    raise refusal("--rotate", "expected none with --summary, for rotations are compared by rows")
