"""Runs from Python: play deals in bulk, open what was played, scan its rows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simcli.analysis.finished import load_finished
from simcli.arguments import seated, whole_number
from simcli.bots.lineup import Lineup, parse_lineup
from simcli.records.replay import replay
from simcli.rules.variant import Variant
from simcli.runs.conduct import conduct
from simcli.runs.folder import RunFolder
from simcli.runs.orders import Order
from simcli.runs.plan import MAX_DEALS, MAX_SEED, MAX_SESSION, Match, Plan
from simcli.runs.pool import Pool, usable_cores
from simcli.runs.report import Notices, report_for
from simcli.runs.summary import Summary

if TYPE_CHECKING:
    import polars as pl

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
    folder : Path
        Where the rows lie.
    deals : int
        Number of deals.
    summary : Summary
        Their counts: deals lost by position, drawn, stalled, the sums of all counting columns.
    digest : str
        Digest of the rows: equal digests, equal rows.
    """

    plan: Plan
    folder: Path
    deals: int
    summary: Summary
    digest: str

    @classmethod
    def open(cls, folder: str | Path) -> Run:
        """Open the folder of a finished run.

        Raises
        ------
        InputError
            There is no run, it is not finished, or its files do not fit together.
        """
        finished = load_finished(Path(folder))
        return cls(finished.plan, finished.path, finished.deals, finished.summary, finished.digest)

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
    def parts(self) -> list[Path]:
        """The Parquet files, in the order of their deals."""
        return [RunFolder(self.folder).part_path(part) for part in self.plan.parts(self.deals)]

    def scan(self) -> pl.LazyFrame:
        """Return the rows, one a deal in their order, as a lazy frame (docs/formats.md)."""
        import polars as pl

        return pl.scan_parquet(self.parts)

    def record(self, deal: int) -> Record:
        """Play a deal of the run again and return its record (docs/formats.md, "Records").

        Parameters
        ----------
        deal : int
            Index of the deal, from 0.
        """
        index = whole_number(deal, "deal", 0, self.deals - 1)
        return next(replay(self.plan.match, range(index, index + 1)))


def run(
    variant: str | Path | Variant,
    deals: int | None = None,
    *,
    players: int | None = None,
    bots: str | Sequence[str] = "thrifty",
    seed: int = 1,
    workers: int | None = None,
    session: int = 1,
    out: str | Path = "results",
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
    session : int
        Deals in a session: the loser deals the next one.
    out : str or Path
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
        parse_lineup(bots if isinstance(bots, str) else ",".join(bots), table.players, "bots"),
        whole_number(seed, "seed", 0, MAX_SEED),
        whole_number(session, "session", 1, MAX_SESSION),
    )
    wanted = None if deals is None else whole_number(deals, "deals", 1, MAX_DEALS)
    n_workers = usable_cores() if workers is None else whole_number(workers, "workers", 1, MAX_WORKERS)
    report = report_for(sys.stderr) if progress else Notices(sys.stderr)
    with Pool(n_workers) as pool:
        outcome = conduct(Order(match, wanted, Path(out)), pool, report, fresh)
    return Run(outcome.plan, outcome.folder, outcome.deals, outcome.summary, outcome.digest)
