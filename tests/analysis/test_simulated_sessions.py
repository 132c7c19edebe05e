"""Coverage where the deals of a session depend on each other: the session is the unit."""

import numpy as np
import pytest

from simcli.analysis.estimates import cell_rate, measure_difference, measure_mean, paired_difference
from simcli.analysis.rates import Interval
from simcli.analysis.rows import MEASURES, Rows
from simcli.analysis.tally import PairTally, RunTally

N_REPLICATES = 10_000
LENGTH, SESSIONS = 5, 200
FLIPPED = 0.2  # mean chance that a deal ends otherwise
LOST, SPREAD = 0.4, 0.2  # a session's chance of loss lies evenly within ± SPREAD of LOST


def rows(cells: np.ndarray, ending: np.ndarray, bouts: np.ndarray) -> Rows:
    none = np.zeros(cells.size, np.uint32)
    counts = {name: np.zeros(cells.size, np.uint16) for name in MEASURES}
    counts["bouts"] = bouts.ravel().astype(np.uint16)
    flat = cells.ravel().astype(np.uint8)
    return Rows(flat, flat, ending.ravel().astype(np.uint8), none, none, counts)


def replicate(rng: np.random.Generator) -> list[bool]:
    """Return whether each interval of one simulated comparison holds the truth."""
    shape = (SESSIONS, LENGTH)
    chance = LOST + SPREAD * (2 * rng.random((SESSIONS, 1)) - 1)
    before = rng.random(shape) < chance
    flips = rng.random(shape) < 2 * FLIPPED * rng.random((SESSIONS, 1))
    after = before ^ flips
    mood = rng.standard_normal((SESSIONS, 1))
    bouts = np.round(20 + 3 * mood + 2 * rng.standard_normal(shape)).clip(0)
    longer = bouts + (rng.random(shape) < 0.5 * (1 + np.tanh(mood)))
    stalled = np.where(rng.random(shape) < 0.1, 2, 0)
    base, other = rows(before, stalled, bouts), rows(after, np.zeros(shape), longer)
    run, pair = RunTally(2, LENGTH), PairTally(2, LENGTH, mask=0)
    run.add_rows(base)
    pair.add_rows(base, other)
    _, difference, _ = paired_difference(pair, 1, "1", 0.05, 1)
    checks = (
        (cell_rate(run, 1, 0.05, 1).interval, LOST),
        (difference, FLIPPED * (1 - 2 * LOST)),
        (measure_mean(run, "bouts", 0.05, 1).interval, 20.0),
        (measure_difference(pair, "bouts", 0.05, 1).interval, 0.5),
    )
    return [_holds(interval, truth) for interval, truth in checks]


def _holds(interval: Interval | None, truth: float) -> bool:
    assert interval is not None
    return not interval.excludes(truth)


@pytest.mark.slow
def test_intervals_from_session_totals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(20_261)
    coverage = np.mean([replicate(rng) for _ in range(N_REPLICATES)], axis=0)
    assert coverage.min() > 0.93, coverage
    assert coverage.max() < 0.97, coverage


def test_a_single_comparison_of_sessions_holds_the_truth() -> None:
    assert replicate(np.random.default_rng(1)) == [True] * 4
