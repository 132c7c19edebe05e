"""How often intervals hold between real rules that cannot differ: 10,000 replicates of 150 deals, seed 1."""

from pathlib import Path

import numpy as np
import pytest

from simcli.analysis.paired import newcombe, stuart_maxwell, tango_bounds
from simcli.analysis.rates import critical_value
from simcli.bots.batch import N_COLUMNS, O_LOSER, O_OPENER, O_RESULT, Rows
from simcli.engine.layout import DRAWN, LOST, STALLED
from simcli.runs.play import play_rows
from tests.analysis.outcomes import REPLICATES, discordant, monte_carlo_error
from tests.runs.conftest import match_of

ALPHA, DEALS, PLAYERS = 0.05, 150, 4


def cells_of(variant: str) -> np.ndarray:
    """Play all replicates and return the cell of each deal, shape (replicates, deals)."""
    rows: Rows = np.zeros((N_COLUMNS, REPLICATES * DEALS), dtype=np.uint16)
    assert play_rows(match_of(variant, players=PLAYERS), 0, rows, lambda played: True)
    cells = (rows[O_LOSER].astype(int) - rows[O_OPENER]) % PLAYERS
    for cell, result in ((PLAYERS, DRAWN), (PLAYERS + 1, STALLED)):
        cells[rows[O_RESULT] == result] = cell
    assert set(np.unique(rows[O_RESULT])) <= {LOST, DRAWN, STALLED}
    return cells.reshape(REPLICATES, DEALS)


@pytest.mark.slow
def test_the_left_of_a_random_dealer_opens_like_a_random_seat(tmp_path: Path) -> None:
    path = tmp_path / "dealer-left.yaml"
    path.write_text("name: dealer-left\nextends: classic\nopening:\n  first: dealer_left\n", encoding="utf-8")
    pairs = cells_of(str(path)) * 6 + cells_of("random-opening")
    tables = np.stack([np.bincount(deals, minlength=36) for deals in pairs]).reshape(-1, 6, 6)
    b, c = discordant(tables)
    assert (b + c)[:, 0].mean() > 20

    low, high = tango_bounds(b, c, DEALS, critical_value(ALPHA))
    for position in range(PLAYERS):
        covers = (low[:, position] <= 0) & (high[:, position] >= 0)
        assert 0.93 <= covers.mean() <= 0.97
    together = tango_bounds(b, c, DEALS, critical_value(ALPHA, 6))
    assert ((together[0] > 0) | (together[1] < 0)).any(axis=1).mean() <= ALPHA + monte_carlo_error(ALPHA)
    alarms = np.mean([stuart_maxwell(table).p < ALPHA for table in tables])
    assert abs(alarms - ALPHA) <= 0.015


@pytest.mark.slow
def test_disjoint_ranges_of_a_run_are_alike() -> None:
    opener = (cells_of("classic") == 0).sum(axis=1)
    first, second = opener[::2].tolist(), opener[1::2].tolist()
    intervals = [newcombe(x1, DEALS, x2, DEALS) for x1, x2 in zip(first, second, strict=True)]
    assert 0.93 <= np.mean([not interval.excludes(0.0) for interval in intervals]) <= 0.97
