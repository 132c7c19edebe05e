"""How often 50 looks at a growing run raise a false alarm: fixed seeds, 10,000 runs."""

import numpy as np
import pytest

from simcli.analysis.paired import tango_bounds
from simcli.analysis.rates import critical_value, wilson_bounds
from simcli.analysis.sequences import alpha_at_look, paired_variance, sequence_half_width
from simcli.analysis.sizes import deals_for_half_width
from simcli.analysis.verdict import MARGIN
from tests.analysis.outcomes import REPLICATES, discordant, joint_shares, monte_carlo_error

ALPHA, LOOKS = 0.05, 50
SCHEDULES = {
    "equal steps to a million": np.linspace(20_000, 1_000_000, LOOKS).astype(int),
    "geometric steps from a thousand": np.geomspace(1000, 1_000_000, LOOKS).round().astype(int),
}


def draw_runs(shares: list[float], sizes: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return b and c at each look, shape (looks, replicates)."""
    rng = np.random.default_rng(seed)
    steps = np.diff(sizes, prepend=0)
    drawn = np.stack([rng.multinomial(step, shares, REPLICATES) for step in steps]).cumsum(axis=0)
    return drawn[..., 0], drawn[..., 1]


def ever_missed(b: np.ndarray, c: np.ndarray, sizes: np.ndarray, truth: float, k: int = 1) -> np.ndarray:
    n = sizes[:, None]
    half = sequence_half_width(paired_variance(b, c, n), n, ALPHA, k)
    return np.asarray((np.abs((b - c) / n - truth) > half).any(axis=0))


@pytest.mark.parametrize("sizes", SCHEDULES.values(), ids=SCHEDULES)
@pytest.mark.parametrize("discordance", [0.001, 0.01, 0.1, 0.5])
def test_fifty_looks_at_equal_rules_raise_a_false_alarm_in_one_of_20_runs_at_most(sizes, discordance) -> None:
    b, c = draw_runs([discordance / 2, discordance / 2, 1 - discordance], sizes, 41)
    assert ever_missed(b, c, sizes, 0.0).mean() <= ALPHA


@pytest.mark.parametrize("sizes", SCHEDULES.values(), ids=SCHEDULES)
@pytest.mark.parametrize("discordance", [0.005, 0.05, 0.5])
def test_fifty_looks_at_an_effect_at_the_margin_judge_it_wrongly_in_one_of_20_at_most(
    sizes, discordance
) -> None:
    gain = (discordance + MARGIN) / 2
    b, c = draw_runs([gain, discordance - gain, 1 - discordance], sizes, 42)
    assert ever_missed(b, c, sizes, MARGIN).mean() <= ALPHA


@pytest.mark.parametrize("sizes", SCHEDULES.values(), ids=SCHEDULES)
def test_fifty_looks_at_all_cells_raise_a_false_alarm_in_one_of_20_runs_at_most(sizes) -> None:
    rng = np.random.default_rng(43)
    shares, tables, alarm = joint_shares(0.1), 0, np.zeros(REPLICATES, bool)
    for n, step in zip(sizes, np.diff(sizes, prepend=0), strict=True):
        tables = tables + rng.multinomial(step, shares.ravel(), REPLICATES).reshape(-1, 6, 6)
        b, c = discordant(tables)
        half = sequence_half_width(paired_variance(b, c, n), n, ALPHA, 6)
        alarm |= (np.abs(b - c) / n > half).any(axis=1)
    assert alarm.mean() <= ALPHA


@pytest.mark.parametrize("sizes", SCHEDULES.values(), ids=SCHEDULES)
def test_the_ordinary_interval_would_raise_many(sizes) -> None:
    b, c = draw_runs([0.05, 0.05, 0.9], sizes, 44)
    z = np.abs(b - c) / np.sqrt(np.maximum(b + c, 1))
    assert (z > critical_value(ALPHA)).any(axis=0).mean() > 0.25


def test_extending_a_run_ten_times_raises_a_false_alarm_in_one_of_20_at_most() -> None:
    sizes = 100_000 * np.arange(1, 11)
    b, c = draw_runs([0.05, 0.05, 0.9], sizes, 45)
    alarm = np.zeros(REPLICATES, bool)
    for look, n in enumerate(sizes, 1):
        low, high = tango_bounds(b[look - 1], c[look - 1], n, critical_value(alpha_at_look(ALPHA, look)))
        alarm |= (low > 0) | (high < 0)
    assert alarm.mean() <= ALPHA


@pytest.mark.parametrize("p", [0.05, 0.25])
def test_stopping_at_a_width_needs_no_sequence(p: float) -> None:
    step, width = 1000, 0.005
    steps = 2 * deals_for_half_width(width, p) // step
    counts = np.random.default_rng(46).binomial(step, p, (steps, REPLICATES)).cumsum(axis=0)
    n = (step * np.arange(1, steps + 1))[:, None]
    low, high = wilson_bounds(counts, n, critical_value(ALPHA))
    narrow = (high - low) / 2 <= width
    assert narrow[-1].all()
    stop = narrow.argmax(axis=0)
    runs = np.arange(REPLICATES)
    covers = (low[stop, runs] <= p) & (p <= high[stop, runs])
    assert abs(covers.mean() - (1 - ALPHA)) <= 0.01 + monte_carlo_error(ALPHA)
