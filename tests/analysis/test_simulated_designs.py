"""Coverage of the intervals that are widened for sessions, from no dependence to a design effect of 2.7."""

import numpy as np
import pytest

from simcli.analysis.designs import clustered_rate, design_effect, pair_design_effect, widened
from simcli.analysis.pair_rows import loss_table
from simcli.analysis.positions import lost_share_differences
from simcli.analysis.rates import Interval
from simcli.analysis.tally import PairTally, RunTally

N_REPLICATES = 10_000
LENGTH, SESSIONS = 30, 200
LOST = 0.25  # mean chance that position 1 loses a deal
MORE, LESS = 0.12, 0.10  # mean chances that only the variant, and only the baseline, has it lose
EFFECTS = (1.0, 1.3, 2.0, 2.7)


def run_tally(rng: np.random.Generator, effect: float) -> RunTally:
    """Return counts whose sessions have beta-distributed chances of loss, for this design effect."""
    chance = np.full(SESSIONS, LOST)
    alike = (effect - 1) / (LENGTH - 1)  # the correlation of two deals of a session
    if alike > 0:
        chance = rng.beta(LOST * (1 / alike - 1), (1 - LOST) * (1 / alike - 1), SESSIONS)
    lost = rng.binomial(LENGTH, chance)
    tally = RunTally(2, LENGTH, n_deals=LENGTH * SESSIONS, n_sessions=SESSIONS)
    for cell, counts in enumerate((LENGTH - lost, lost)):
        tally.cells[cell], tally.squares[cell] = counts.sum(), (counts**2).sum()
    return tally


def pair_tally(rng: np.random.Generator, effect: float) -> PairTally:
    """Return counts whose sessions lean one way or the other, for this design effect of the difference."""
    alone = MORE + LESS - (MORE - LESS) ** 2
    lean = np.sqrt(3 * (effect - 1) * alone / (LENGTH - 1)) * (2 * rng.random(SESSIONS) - 1)
    more, less = MORE + lean / 2, LESS - lean / 2  # their difference leans, their sum does not
    b = rng.binomial(LENGTH, more)
    c = rng.binomial(LENGTH - b, less / (1 - more))
    pair = PairTally(2, LENGTH, mask=0, n_deals=LENGTH * SESSIONS, n_sessions=SESSIONS)
    pair.joint[0, 1], pair.joint[1, 0] = b.sum(), c.sum()
    pair.joint[1, 1] = round(LENGTH * SESSIONS * (LOST - LESS))
    pair.joint[0, 0] = pair.n_deals - pair.joint.sum()
    pair.squares[:2] = ((b - c) ** 2).sum()
    return pair


def holds(interval: Interval | None, truth: float) -> bool:
    assert interval is not None
    return not interval.excludes(truth)


@pytest.mark.parametrize("effect", EFFECTS)
def test_design_effects_are_found(effect: float) -> None:
    rng = np.random.default_rng(1)
    runs = [design_effect(run_tally(rng, effect)) for _ in range(200)]
    pairs = [pair_design_effect(pair_tally(rng, effect)) for _ in range(200)]
    assert np.mean(runs) == pytest.approx(effect, abs=0.1)
    assert np.mean(pairs) == pytest.approx(effect, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("effect", EFFECTS)
def test_widened_intervals_cover_as_often_as_they_say(effect: float) -> None:
    rng = np.random.default_rng(20_265)
    covered = np.zeros(2)
    for _ in range(N_REPLICATES):
        run, pair = run_tally(rng, effect), pair_tally(rng, effect)
        rate = clustered_rate(int(run.cells[1]), run.n_deals, design_effect(run), 0.05)
        change = widened(lost_share_differences(loss_table(pair), 0.05, 1)[1], pair_design_effect(pair))
        covered += holds(rate.interval, LOST), holds(change.interval, MORE - LESS)
    coverage = covered / N_REPLICATES
    assert coverage.min() > 0.93, coverage
    assert coverage.max() < 0.97, coverage
