"""The yardstick tests/bench/durak.c: an implementation of the same rules and bots that shares no code with ours."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from simcli.bots.batch import N_COLUMNS, Rows, play_batch
from simcli.bots.lineup import parse_lineup
from simcli.rules.variant import Variant, seat
from simcli.runs.bench.yardstick import COMPILER, Profile, Yardstick, built_yardstick, can_compile
from simcli.runs.plan import Game
from simcli.runs.play import table_of
from simcli.runs.summary import n_positions, summary_of_rows

SOURCE = Path(__file__).with_name("durak.c")
SLICE = 20_000
SEED = 1
LEAST_IN_CELL = 10  # of both samples together, so that about five are expected in each


@pytest.fixture(scope="session")
def yardstick() -> Iterator[Yardstick]:
    """Build the yardstick; skip where there is nothing to build it with."""
    if not can_compile():
        pytest.skip(f"no {COMPILER} to build the yardstick with")
    with built_yardstick(SOURCE) as built:
        yield built


def engine_counts(variant: Variant, players: int, bot: str, deals: int) -> list[int]:
    """Return how the engine's deals ended: lost by position from the opener, drawn, stalled."""
    seated = seat(variant, players)
    state = table_of(Game(seated, parse_lineup(bot, players), SEED, 1))
    counts = np.zeros(players + 2, dtype=np.int64)
    for first in range(0, deals, SLICE):
        rows: Rows = np.empty((N_COLUMNS, min(SLICE, deals - first)), dtype=np.uint16)
        play_batch(state, SEED, first, 1, rows)
        summary = summary_of_rows(rows, n_positions(seated))
        counts += (*summary.decided, summary.drawn, summary.stalled)
    return [int(count) for count in counts]


def counts_of(profile: Profile) -> list[int]:
    """Return how the yardstick's deals ended, in the same order."""
    return [*profile.lost, profile.drawn, profile.stalled]


def merged(ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """Return the cells of both samples, the rarest put together until none is too rare for χ²."""
    cells = sorted(zip(ours, theirs, strict=True), key=sum)
    while sum(cells[0]) < LEAST_IN_CELL:
        (a, b), (c, d), *rest = cells
        cells = sorted([(a + c, b + d), *rest], key=sum)
    return cells


def p_same(ours: Sequence[int], theirs: Sequence[int]) -> float:
    """Return the p-value of the hypothesis that both samples come from one distribution."""
    return float(chi2_contingency(np.array(merged(ours, theirs)).T).pvalue)
