"""Runs from Python: play deals in bulk, open what was played, scan its rows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from simcli.analysis.compare import view_of
from simcli.analysis.deciding import Deciding
from simcli.analysis.duels import LEAST_PACKS, plan_ladder
from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.joint import joint_commission, play_joint, refuse_counted_rotation, refuse_rule
from simcli.analysis.ladder import Ladder, measure_ladder
from simcli.analysis.live import Looking
from simcli.analysis.missing import (
    commission,
    play_missing,
    play_until,
    refuse_lonely,
    refuse_nothing_to_judge,
    sized,
)
from simcli.analysis.rows import Frame, Outcome
from simcli.analysis.tables import By
from simcli.analysis.verdict import MARGIN
from simcli.arguments import lineup_text, seated, several, share, whole_number
from simcli.bots.lineup import Lineup, parse_lineup
from simcli.records.replay import replay
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, Variant
from simcli.runs.bench.steps import Quiet, steps_for
from simcli.runs.conduct import conduct
from simcli.runs.executors import opened_pool, place_of
from simcli.runs.orders import UNTIL_DECIDED, Order, stopping_rule
from simcli.runs.plan import MAX_DEALS, MAX_SEED, MAX_SESSION, Match, Plan
from simcli.runs.report import Notices, Report, report_for
from simcli.runs.staged import conduct_each_until_narrow, is_narrow
from simcli.runs.stopping import LARGEST_THRESHOLD, LOOK, StoppingRule
from simcli.runs.store.location import Location, location
from simcli.runs.summary import Summary

if TYPE_CHECKING:
    import polars as pl

    from simcli.analysis.tablecounts import TableCounts
    from simcli.records.record import Record

MAX_WORKERS = 1024


@dataclass(frozen=True)
class Run:
    """Hold a finished run: what was played, where its rows lie, what came out.

    Made by `run` or `Run.open`.

    Attributes
    ----------
    plan : Plan
        Its plan, which may hold more deals.
    folder : Path or S3Url
        Where the rows lie.
    deals : int
        Number of deals.
    summary : Summary
        Their counts: deals lost by position, drawn, stalled, the sums of all counting columns.
    digest : str
        Digest of the rows: equal digests, equal rows.
    """

    plan: Plan
    folder: Location
    deals: int
    summary: Summary
    digest: str
    _counts: TableCounts | None = field(default=None, repr=False, compare=False)

    @classmethod
    def open(cls, folder: str | Location) -> Run:
        """Open the folder of a finished run.

        Raises
        ------
        InputError
            There is no run with rows, it is not finished, or its files do not fit together.
        """
        return cls.of(load_finished(location(folder)))

    @classmethod
    def of(cls, finished: FinishedRun) -> Run:
        """Return a run that is loaded already."""
        return cls(
            finished.plan,
            finished.path,
            finished.deals,
            finished.summary,
            finished.digest,
            finished.counts,
        )

    def finished(self) -> FinishedRun:
        """Return the run as comparisons take it, without reading it once more."""
        counts = self._counts
        return FinishedRun(self.folder, self.plan, self.deals, self.digest, self.summary, counts=counts)

    def __fspath__(self) -> str:
        """Return the folder: a run stands for its folder wherever a path is expected."""
        return str(self.folder)

    @property
    def variant(self) -> Variant:
        """The rules, seated: `variant.players` is the number of players."""
        return self.plan.match.variant

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.plan.match.players

    @property
    def lineup(self) -> Lineup:
        """The bot of every seat."""
        return self.plan.match.lineup

    @property
    def seed(self) -> int:
        """Seed of everything random."""
        return self.plan.match.seed

    @property
    def session(self) -> int:
        """Deals in a session."""
        return self.plan.match.session

    @property
    def parts(self) -> list[Location]:
        """The Parquet files, in the order of their deals; refused where counts are kept in place of rows."""
        finished = self.finished()
        return [finished.path_of(part) for part in finished.parts]

    def scan(self) -> pl.LazyFrame:
        """Return the rows, one a deal in their order, as a lazy frame (docs/formats.md)."""
        import polars as pl

        paths = [path for path in self.parts if isinstance(path, Path)]
        if paths:
            return pl.scan_parquet(paths)
        finished = self.finished()
        return pl.concat([finished.scan(part) for part in finished.parts])

    def record(self, deal: int) -> Record:
        """Play a deal of the run again and return its record (docs/formats.md, "Records").

        Parameters
        ----------
        deal : int
            Index of the deal, from 0.
        """
        index = whole_number(deal, "deal", 0, self.deals - 1)
        return next(replay(self.plan.match, range(index, index + 1)))


class Runs(list[Run]):
    """Runs that were played together, in the order in which they were asked for.

    Attributes
    ----------
    left_out : tuple of str
        Which variants cannot sit at a table that was asked for, and why.
    """

    def __init__(self, runs: Iterable[Run] = (), left_out: Iterable[str] = ()) -> None:
        super().__init__(runs)
        self.left_out = tuple(left_out)


def run(
    variant: str | Path | Variant,
    deals: int | None = None,
    *,
    players: int | None = None,
    bots: str | Sequence[str] = "thrifty",
    seed: int = 1,
    workers: int | None = None,
    executor: str = "local",
    collect: bool = False,
    session: int = 1,
    until_half_width: float | None = None,
    max_deals: int | None = None,
    out: str | Location = "results",
    fresh: bool = False,
    progress: bool = False,
) -> Run:
    """Play deals in bulk, as `simcli run` does: the same call goes on with a run that was stopped.

    Parameters
    ----------
    variant : str, Path or Variant
        Name of a shipped variant, path of a variant file, or a variant.
    deals : int, optional
        Number of deals; by default a million, or all that the run has if that is more.
    players : int, optional
        Table size; the variant's own by default.
    bots : str or sequence of str
        One bot for all seats, or one for each.
    seed : int
        Seed of everything random.
    workers : int, optional
        Most processes; by default one for each core. They are started as `multiprocessing` starts them, so a
        script that plays more than a second or two needs the usual ``if __name__ == "__main__":``.
    executor : str
        Who plays: ``local`` (processes of this machine), ``threads``, ``dask`` (a cluster of this machine) or
        ``dask://HOST:PORT``; docs/cluster.md.
    collect : bool
        Whether the workers of a cluster send their parts back, for they share no folder with this machine.
    session : int
        Deals in a session: the loser deals the next one.
    until_half_width : float, optional
        In place of a number of deals: stop when every 95 % interval of the run's table is at most ± so wide,
        a share of all deals: 0.001 is a tenth of a point.
    max_deals : int, optional
        With `until_half_width`, deals at most: a multiple of 20,000.
    out : str, Path or S3Url
        Results folder; the run gets a folder of its own in it.
    fresh : bool
        Whether to throw away a run that lies there.
    progress : bool
        Whether to show progress and notices on the error stream.

    Returns
    -------
    Run
        The finished run.

    Raises
    ------
    InputError
        An argument cannot be used, or the folder holds another run.
    RunError
        The rows could not be written, or workers kept dying.
    """
    table = seated(variant, players)
    match = Match(
        table,
        parse_lineup(lineup_text(bots, "bots"), table.players, "bots"),
        whole_number(seed, "seed", 0, MAX_SEED),
        whole_number(session, "session", 1, MAX_SESSION),
    )
    rule = _rule(until_half_width, None, max_deals, deals)
    order = Order(match, _deals(deals), location(out), rule)
    place, report = place_of(executor, collect), _report(progress)
    with opened_pool(place, _workers(workers), report) as pool:
        if rule is None:
            outcome = conduct(order, pool, report, fresh)
        else:
            (outcome,) = conduct_each_until_narrow([order], rule, pool, report, fresh)
    return Run(outcome.plan, outcome.folder, outcome.deals, outcome.summary, outcome.digest)


def play(
    variants: Iterable[str | Path | Variant],
    deals: int | None = None,
    *,
    baseline: str | None = None,
    players: SupportsIndex | Sequence[int] | None = None,
    by: By | None = None,
    lineups: str | Sequence[str] = "thrifty",
    seed: int = 1,
    workers: int | None = None,
    executor: str = "local",
    collect: bool = False,
    session: int = 1,
    until_half_width: float | None = None,
    until_decided: bool = False,
    margin: float = MARGIN,
    max_deals: int | None = None,
    frame: Frame = "opener",
    outcome: Outcome | None = None,
    out: str | Location = "results",
    progress: bool = False,
    summary: bool = False,
    rotate: bool = False,
) -> Runs:
    """Play the runs of a comparison together, as `simcli compare VARIANT…` does before it compares them.

    All runs advance together through the deals, and those that are there already go on where they stopped.

    Parameters
    ----------
    variants : iterable of str, Path or Variant
        Names of shipped variants, paths of variant files, or variants.
    deals : int, optional
        Number of deals of each; by default 300,000, or all that a run has if that is more.
    baseline : str, optional
        Name of the variant that the others will be compared with; by default ``classic`` if it is among them,
        else the first.
    players : int or sequence of int, optional
        Table sizes; by default the baseline's, or with ``by="players"`` all that seat the baseline.
    by : {"players", "bots"}, optional
        What each table of the comparison will have of its own.
    lineups : str or sequence of str
        Line-ups, each one bot for all seats or one for each, with commas; all variants are played with each.
    seed, workers, executor, collect, session, out, progress
        As for `run`; progress shows the largest difference so far as well.
    until_half_width : float, optional
        In place of a number of deals: stop when every 95 % interval of the runs of a table is as narrow.
    until_decided : bool
        In place of a number of deals: stop when no variant of a table is undecided at the margin.
    margin : float
        The margin of the verdicts that are waited for, a share of all deals.
    max_deals : int, optional
        With an until argument: deals at most, a multiple of 20,000. `until_decided` needs it.
    frame, outcome
        What will be counted, as for `compare`: the verdicts that are waited for rest on it, and so do counts.
    summary : bool
        Whether to keep counts in place of rows, some kilobytes a part (docs/formats.md): they answer
        `compare` with this baseline, frame and outcome. Not with an until argument.
    rotate : bool
        Whether every line-up is played in all its rotations, so that each bot sits at every seat: a run each,
        which `compare` takes together. Not with an until argument or `summary`.

    Returns
    -------
    Runs
        The finished runs, a list for `compare`.

    Raises
    ------
    InputError
        An argument cannot be used, or a folder holds another run.
    RunError
        Rows could not be written, or workers kept dying.
    """
    rule = _rule(until_half_width, margin if until_decided else None, max_deals, deals)
    sizes = [players] if isinstance(players, SupportsIndex) else list(players or ())
    known = several(variants, "variants", "play([first, second])", (str, Path, Variant))
    asked: dict[str, Any] = {
        "lineups": [lineups]
        if isinstance(lineups, str)
        else several(lineups, "lineups", 'lineups=["thrifty"]', str),
        "baseline": baseline,
        "players": [whole_number(size, "players", MIN_PLAYERS, MAX_PLAYERS) for size in sizes],
        "by_players": by == "players",
        "deals": _deals(deals),
        "seed": whole_number(seed, "seed", 0, MAX_SEED),
        "session": whole_number(session, "session", 1, MAX_SESSION),
        "results": location(out),
    }
    place, report = place_of(executor, collect), _report(progress)
    if summary:
        refuse_rule(rule)
        if rotate:
            refuse_counted_rotation()
        joint = joint_commission(known, **asked, frame=frame, outcome=outcome)
        if len(known) > 1:
            refuse_lonely(joint.orders, joint.left_out)
        orders = [sized(order) for order in joint.orders]
        with opened_pool(place, _workers(workers), report) as pool:
            counted = [run for each in play_joint(orders, pool, report) for run in each.runs]
        return Runs(map(Run.of, counted), joint.left_out)
    ordered = commission(known, **asked, rule=rule, rotate=rotate)
    if len(known) > 1:
        refuse_lonely(ordered.orders, ordered.left_out)
    view, _ = view_of([order.match.variant for order in ordered.orders], frame, outcome)
    if rule is not None and rule.kind == "decided":
        refuse_nothing_to_judge(ordered.orders, baseline, UNTIL_DECIDED)
    with opened_pool(place, _workers(workers), report) as pool:
        if rule is None:
            played = play_missing(ordered.orders, pool, report, Looking(baseline, view, report))
        elif rule.kind == "half-width":
            played = play_until(ordered.orders, rule, lambda: is_narrow(rule.threshold), pool, report)
        else:
            played = play_until(
                ordered.orders, rule, lambda: Deciding(baseline, rule.threshold, view, report), pool, report
            )
        return Runs(map(Run.of, played), ordered.left_out)


def ladder(
    bots: Iterable[str] | None = None,
    variant: str | Path | Variant = "classic",
    deals: int | None = None,
    *,
    players: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    executor: str = "local",
    collect: bool = False,
    out: str | Location = "results",
    progress: bool = False,
) -> Ladder:
    """Measure how strong bots are against each other, as `simcli bots ladder` does.

    Every bot sits once among others of every other kind, in all rotations of the line-up over the same packs.
    What was played is not played again.

    Parameters
    ----------
    bots : iterable of str, optional
        The bots, with their parameters; by default all that ship, those that take their time with small
        budgets.
    variant : str, Path or Variant
        Name of a shipped variant, path of a variant file, or a variant.
    deals : int, optional
        Packs of each pair, each played once a rotation; by default 20,000, or 1,000 where a bot looks ahead
        or is an own one.
    players : int, optional
        Table size; the variant's own by default.
    seed, workers, executor, collect, out, progress
        As for `run`.

    Returns
    -------
    Ladder
        The bots on one scale, and each pair.

    Raises
    ------
    InputError
        An argument cannot be used, or a folder holds another run.
    RunError
        Rows could not be written, or workers kept dying.
    """
    known = [] if bots is None else several(bots, "bots", 'ladder(["thrifty", "lowest"])', str)
    number = None if deals is None else whole_number(deals, "deals", LEAST_PACKS, MAX_DEALS)
    planned = plan_ladder(
        [lineup_text(bot, "bots") for bot in known],
        seated(variant, players),
        deals=number,
        seed=whole_number(seed, "seed", 0, MAX_SEED),
        results=location(out),
    )
    place, report = place_of(executor, collect), _report(progress)
    with opened_pool(place, _workers(workers), report) as pool:
        return measure_ladder(planned, pool, report, steps_for(sys.stderr) if progress else Quiet())


def _rule(
    half_width: float | None, margin: float | None, max_deals: int | None, deals: int | None
) -> StoppingRule | None:
    return stopping_rule(
        None if half_width is None else share(half_width, "until_half_width", LARGEST_THRESHOLD),
        None if margin is None else share(margin, "margin", LARGEST_THRESHOLD),
        None if max_deals is None else whole_number(max_deals, "max_deals", LOOK, MAX_DEALS),
        has_deals=deals is not None,
    )


def _deals(deals: int | None) -> int | None:
    return None if deals is None else whole_number(deals, "deals", 1, MAX_DEALS)


def _workers(workers: int | None) -> int | None:
    return None if workers is None else whole_number(workers, "workers", 1, MAX_WORKERS)


def _report(progress: bool) -> Report:
    return report_for(sys.stderr) if progress else Notices(sys.stderr)
