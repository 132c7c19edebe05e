"""The yardstick durak.c beside this file: the same rules and bots, and not a line in common with ours."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from simcli.bots.batch import (
    N_COLUMNS,
    O_BOUTS,
    O_DECISIONS,
    O_RESULT,
    O_TRANSFERS,
    Rows,
    play_batch,
)
from simcli.bots.lineup import parse_lineup
from simcli.engine.layout import STALLED
from simcli.rules.variant import Variant, seat
from simcli.runs.bench.yardstick import COMPILER, Profile, Yardstick, built_yardstick, can_compile
from simcli.runs.plan import Match
from simcli.runs.play import table_of
from simcli.runs.summary import summary_of_rows

SOURCE = Path(__file__).with_name("durak.c")
SEED = 1
MEASURES = {"bouts": O_BOUTS, "decisions": O_DECISIONS, "transfers": O_TRANSFERS}
LEAST_IN_CELL = 10  # of both samples together, so that about five are expected in each


@pytest.fixture(scope="session")
def yardstick() -> Iterator[Yardstick]:
    """Build the yardstick; skip where there is nothing to build it with."""
    if not can_compile():
        pytest.skip(f"no {COMPILER} to build the yardstick with")
    with built_yardstick(SOURCE) as built:
        yield built


def engine_rows(variant: Variant, players: int, bot: str, deals: int) -> Rows:
    """Return the engine's deals, an outcome column each."""
    state = table_of(Match(seat(variant, players), parse_lineup(bot, players), SEED, 1))
    rows: Rows = np.empty((N_COLUMNS, deals), dtype=np.uint16)
    play_batch(state, SEED, 0, 1, rows)
    return rows


def engine_counts(rows: Rows, players: int) -> list[int]:
    """Return how the engine's deals ended: lost by position from the opener, drawn, stalled."""
    summary = summary_of_rows(rows, players)
    return [*summary.decided, summary.drawn, summary.stalled]


def deviations(rows: Rows, profile: Profile) -> dict[str, float]:
    """Return by how many standard errors the mean of each measure differs, stalled deals left out."""
    ended = rows[:, rows[O_RESULT] != STALLED]
    found = {}
    for measure, column in MEASURES.items():
        error = float(ended[column].std()) * np.sqrt(2 / ended.shape[1])
        found[measure] = (float(ended[column].mean()) - profile.means[measure]) / error
    return found


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
