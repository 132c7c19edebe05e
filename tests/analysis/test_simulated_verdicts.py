"""How often a table of 20 variants holds any wrong verdict: fixed seeds, 10,000 tables of 300,000 deals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.analysis.paired import tango_bounds
from simcli.analysis.rates import critical_value
from simcli.analysis.sequences import paired_variance
from simcli.analysis.verdict import MARGIN, CellDifference, Verdict, judge
from tests.analysis.outcomes import (
    CELLS,
    REPLICATES,
    discordant,
    draw_joint_tables,
    joint_shares,
    monte_carlo_error,
    true_differences,
)

ALPHA, VARIANTS, DEALS = 0.05, 20, 300_000
NAMES = ["0", "1", "2", "3", "drawn", "stalled"]

#: effects of the variants of a table, as multiples of the margin
TABLES = {
    "none has an effect": [0.0] * VARIANTS,
    "all at the margin": [1.0] * VARIANTS,
    "near the margin": [0.9, 1.1] * (VARIANTS // 2),
    "of all kinds": [0.0, 0.5, 0.9, 1.0, 1.1] * (VARIANTS // 5),
}
DISCORDANCES = [0.01, 0.03, 0.1, 0.2, 0.5]


def is_wrong(verdict: Verdict, truth: np.ndarray) -> bool:
    """Say whether a verdict claims what is not so."""
    largest = np.abs(truth).max()
    if verdict.differs and largest == 0:
        return True
    if verdict.verdict == "changes":
        return bool(abs(truth[NAMES.index(str(verdict.cell))]) <= MARGIN)
    inside = verdict.verdict in ("too small to matter", "no change beyond the margin")
    return inside and bool(largest >= MARGIN)


def verdict_of(low: np.ndarray, high: np.ndarray, d: np.ndarray, critical: float) -> Verdict:
    rows = zip(NAMES, d.tolist(), low.tolist(), high.tolist(), strict=True)
    cells = [CellDifference(name, x, lo, hi, 0.1, critical) for name, x, lo, hi in rows]
    return judge(cells, DEALS)


def wrong_verdicts(effect: float, discordance: float, seed: int, replicates: int) -> np.ndarray:
    """Return in which replicates a verdict is wrong; only where an interval misses it needs judging."""
    shares = joint_shares(discordance, effect)
    truth = true_differences(shares) if effect else np.zeros(len(CELLS))
    truth[np.abs(truth) < 1e-12] = 0.0
    if effect == MARGIN:
        truth[:2] = -MARGIN, MARGIN
    b, c = discordant(draw_joint_tables(np.random.default_rng(seed), shares, DEALS, replicates))
    critical = critical_value(ALPHA, VARIANTS * len(CELLS))
    low, high = tango_bounds(b, c, DEALS, critical)
    d = (b - c) / DEALS
    wrong = np.zeros(replicates, bool)
    for i in np.flatnonzero(((truth < low) | (truth > high)).any(axis=1)):
        wrong[i] = is_wrong(verdict_of(low[i], high[i], d[i], critical), truth)
    return wrong


@given(
    st.lists(
        st.tuples(st.floats(-0.02, 0.02), st.floats(0, 0.01), st.floats(0, 0.01)), min_size=6, max_size=6
    )
)
def test_no_verdict_is_wrong_if_all_intervals_cover(cells) -> None:
    truth = np.array([x for x, _, _ in cells])
    low = truth - [below for _, below, _ in cells]
    high = truth + [above for _, _, above in cells]
    assert not is_wrong(verdict_of(low, high, (low + high) / 2, 2.6), truth)


def wrong_tables(effects: list[float], replicates: int, seed: int) -> float:
    """Return the share of tables with any wrong verdict."""
    wrong = np.zeros(replicates, bool)
    for variant, effect in enumerate(effects):
        discordance = DISCORDANCES[variant % len(DISCORDANCES)]
        wrong |= wrong_verdicts(effect * MARGIN, discordance, seed + variant, replicates)
    return float(wrong.mean())


def test_a_table_of_20_variants_of_all_kinds_holds_a_wrong_verdict_in_one_of_20_at_most() -> None:
    assert wrong_tables(TABLES["of all kinds"], REPLICATES, 1000) <= ALPHA + monte_carlo_error(ALPHA)


@pytest.mark.slow
@pytest.mark.parametrize("effects", TABLES.values(), ids=TABLES)
def test_any_table_of_20_variants_holds_a_wrong_verdict_in_one_of_20_at_most(effects: list[float]) -> None:
    assert wrong_tables(effects, 2 * REPLICATES, 2000) <= ALPHA + monte_carlo_error(ALPHA, 2 * REPLICATES)


@pytest.mark.parametrize("effect, word", [(3 * MARGIN, "changes"), (0.0, "no change beyond the margin")])
def test_what_is_clear_enough_is_said(effect: float, word: str) -> None:
    tables = draw_joint_tables(np.random.default_rng(30), joint_shares(0.1, effect), DEALS, 500)
    b, c = discordant(tables)
    critical = critical_value(ALPHA, VARIANTS * len(CELLS))
    low, high = tango_bounds(b, c, DEALS, critical)
    words = [verdict_of(low[i], high[i], (b - c)[i] / DEALS, critical).verdict for i in range(500)]
    assert words.count(word) / 500 > 0.95


def test_a_single_variant_at_the_margin_is_judged_wrongly_in_one_of_20_at_most() -> None:
    critical = critical_value(ALPHA, len(CELLS))
    b, c = discordant(
        draw_joint_tables(np.random.default_rng(31), joint_shares(0.1, MARGIN), DEALS, REPLICATES)
    )
    low, high = tango_bounds(b, c, DEALS, critical)
    truth = np.array([-MARGIN, MARGIN, 0, 0, 0, 0])
    d = (b - c) / DEALS
    assert float(paired_variance(b, c, DEALS).min()) > 0
    wrong = [is_wrong(verdict_of(low[i], high[i], d[i], critical), truth) for i in range(REPLICATES)]
    assert np.mean(wrong) <= ALPHA + monte_carlo_error(ALPHA)
