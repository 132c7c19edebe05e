"""Small runs for the tests of bulk play."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from simcli.bots.lineup import parse_lineup
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from simcli.runs import plan as planning
from simcli.runs import together
from simcli.runs.conduct import conduct
from simcli.runs.orders import Order
from simcli.runs.outcome import Outcome
from simcli.runs.plan import Match
from simcli.runs.pool import Pool
from simcli.runs.report import Silent


class Notes(Silent):
    """A report that keeps what it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)


def match_of(
    variant: str = "classic",
    bots: str = "lowest",
    players: int | None = None,
    seed: int = 1,
    session: int = 1,
) -> Match:
    seated = seat(load_variant(variant), players)
    return Match(seated, parse_lineup(bots, seated.players), seed, session)


def rows_in(folder: Path) -> pl.DataFrame:
    return pl.read_parquet(folder / "part-*.parquet")


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let parts be as small as a hundred deals."""
    monkeypatch.setattr(planning, "MIN_PART", 100)


@pytest.fixture
def always_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start worker processes however short the run."""
    monkeypatch.setattr(together, "START_S", 0.0)


@pytest.fixture
def notes() -> Notes:
    return Notes()


Play = Callable[..., Outcome]


@pytest.fixture
def play(tmp_path: Path, notes: Notes) -> Play:
    """Return a function that carries out an order in a results folder of the test."""

    def played(
        match: Match, deals: int | None, *, workers: int = 1, results: str = "results", fresh: bool = False
    ) -> Outcome:
        with Pool(workers) as pool:
            return conduct(Order(match, deals, tmp_path / results), pool, notes, fresh)

    return played
