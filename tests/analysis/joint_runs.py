"""Variants played twice: once into rows, once into counts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from simcli.analysis.finished import FinishedRun
from simcli.analysis.joint import joint_commission, play_joint
from simcli.analysis.missing import commission, play_missing
from simcli.rules.variant import Variant
from simcli.runs.pool import Pool
from tests.runs.conftest import Notes


@dataclass(frozen=True)
class Asked:
    """What is played, and what it is counted for."""

    variants: Sequence[str | Variant] = ("classic", "late-transfer")
    players: int = 3
    session: int = 1
    deals: int = 900
    baseline: str | None = None
    frame: str = "opener"
    outcome: str | None = None
    seed: int = 1

    def _table(self, results: Path) -> dict[str, Any]:
        return {
            "lineups": ["lowest"], "baseline": self.baseline, "players": [self.players], "by_players": False,
            "deals": self.deals, "seed": self.seed, "session": self.session, "results": results,
        }  # fmt: skip

    def rows(self, results: Path, report: Notes, workers: int = 1) -> list[FinishedRun]:
        """Play into rows."""
        orders = commission(list(self.variants), **self._table(results)).orders
        with Pool(workers) as pool:
            return list(play_missing(orders, pool, report))

    def counts(
        self, results: Path, report: Notes, workers: int = 1, *, fresh: bool = False
    ) -> list[FinishedRun]:
        """Play into counts."""
        joint = joint_commission(
            list(self.variants), **self._table(results), frame=self.frame, outcome=self.outcome, fresh=fresh
        )  # type: ignore[arg-type]
        with Pool(workers) as pool:
            (outcome,) = play_joint(joint.orders, pool, report, fresh)
        return list(outcome.runs)


Counts = Callable[..., list[FinishedRun]]


@pytest.fixture
def counts(tmp_path: Path, notes: Notes) -> Counts:
    """Return a function that plays into counts in a results folder of the test."""

    def counted(asked: Asked, workers: int = 1, *, fresh: bool = False) -> list[FinishedRun]:
        return asked.counts(tmp_path, notes, workers, fresh=fresh)

    return counted
