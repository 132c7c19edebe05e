from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

from simcli.analysis.compare import compare
from simcli.analysis.curves import Band, Crossings, CurveRow, Measured, bout_curves, difference_band
from simcli.analysis.paired import newcombe, tango
from simcli.analysis.sequences import KIND, confidence_sequence, sequence_half_width
from simcli.bots.lineup import parse_lineup
from simcli.rules.variant import Variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of

ALPHA = 0.025  # the first look's part of 5 %
STALLED = 2


def match(name: str, seed: int = 1, session: int = 1) -> Match:
    return Match(Variant(name=name, players=2), parse_lineup("lowest", 2), seed, session)


def lengths(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return made-up bouts of n deals, and which of them stalled."""
    rng = np.random.default_rng(seed)
    return 3 + rng.poisson(6, n), rng.random(n) < 0.05


def curves_of(
    tmp_path: Path, *runs: tuple[np.ndarray, np.ndarray], seeds: Sequence[int] = (1, 1, 1), session: int = 1
) -> tuple[CurveRow, ...]:
    paths = []
    for name, seed, (bouts, stalled) in zip(("classic", "longer", "other"), seeds, runs, strict=False):
        deals = [
            Dealt("stalled" if stops else 0, bouts=int(n)) for n, stops in zip(bouts, stalled, strict=True)
        ]
        paths.append(run_of(tmp_path, match(name, seed, session), deals, parts=70))
    return bout_curves(compare(paths).tables[0], workers=2)


def test_a_curve_counts_the_deals_that_have_ended(tmp_path: Path) -> None:
    (before, stuck), (after, stuck_too) = lengths(300, 1), lengths(300, 2)
    after = np.where(np.arange(300) % 3 == 0, before + 2, after)
    (curve,) = curves_of(tmp_path, (before, stuck), (after, stuck_too))
    kept = ~stuck & ~stuck_too
    before, after, n = before[kept], after[kept], int(kept.sum())
    values = sorted({*before.tolist(), *after.tolist()})[:-1]
    assert (curve.values, curve.n, curve.measure) == (tuple(values), n, "bouts")
    assert curve.baseline == tuple(float((before <= value).sum()) / n for value in values)
    assert curve.cdf == tuple(float((after <= value).sum()) / n for value in values)
    for i, value in enumerate(values):
        b = int(((after <= value) & (before > value)).sum())
        c = int(((after > value) & (before <= value)).sum())
        expected = tango(b, c, n, ALPHA, len(values))
        assert curve.difference[i] == pytest.approx((b - c) / n, abs=1e-12)
        assert (curve.low[i], curve.high[i]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (curve.kind, curve.level) == ("Tango", 1 - ALPHA)
    assert curve.family == f"1 variant × {len(values)} values"
    assert curve.median.value == np.quantile(after, 0.5, method="inverted_cdf")
    assert curve.baseline_p90.value == np.quantile(before, 0.9, method="inverted_cdf")


def test_all_curves_of_a_table_have_one_scale_and_one_family(tmp_path: Path) -> None:
    one, other = curves_of(tmp_path, lengths(200, 1), lengths(200, 2), lengths(200, 3))
    assert one.values == other.values
    assert one.family == other.family == f"2 variants × {len(one.values)} values"


def test_in_sessions_a_band_comes_from_their_totals(tmp_path: Path) -> None:
    (before, stuck), (after, stuck_too) = lengths(304, 1), lengths(304, 2)
    (curve,) = curves_of(tmp_path, (before, stuck), (after, stuck_too), session=5)
    kept = ~stuck & ~stuck_too
    starts = np.arange(0, 304, 5)
    sizes = np.add.reduceat(kept.astype(float), starts)
    for i, value in enumerate(curve.values):
        each = np.where(kept, (after <= value).astype(float) - (before <= value), 0)
        totals = np.add.reduceat(each, starts)
        ratio = totals.sum() / sizes.sum()
        residuals = totals - ratio * sizes
        variance = ((residuals**2).sum() + 2) / (len(starts) - 1)
        half = student.isf(ALPHA / len(curve.values) / 2, len(starts) - 1)
        half *= np.sqrt(variance / len(starts)) * len(starts) / sizes.sum()
        assert curve.difference[i] == pytest.approx(ratio, abs=1e-12)
        assert curve.high[i] - curve.difference[i] == pytest.approx(half, rel=1e-9)
        assert curve.difference[i] - curve.low[i] == pytest.approx(half, rel=1e-9)
    assert curve.kind == "t of session totals"
    assert curve.median.interval is None


def test_runs_of_other_seeds_are_independent(tmp_path: Path) -> None:
    (before, stuck), (after, stuck_too) = lengths(200, 1), lengths(150, 2)
    (curve,) = curves_of(tmp_path, (before, stuck), (after, stuck_too), seeds=(1, 2))
    before, after = before[~stuck], after[~stuck_too]
    place = curve.values.index(9)
    counts = int((after <= 9).sum()), len(after), int((before <= 9).sum()), len(before)
    expected = newcombe(*counts, ALPHA, len(curve.values))
    assert (curve.low[place], curve.high[place]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert (curve.kind, curve.n) == ("Newcombe", len(after))


def test_runs_of_other_seeds_in_sessions_have_no_curve(tmp_path: Path) -> None:
    assert curves_of(tmp_path, lengths(60, 1), lengths(60, 2), seeds=(1, 2), session=5) == ()


def test_after_an_early_stop_the_band_is_the_sequences() -> None:
    counted = crossings(lengths(30_000, 1)[0], lengths(30_000, 2)[0])
    low, high, kind = difference_band(counted, np.array([8]), Band(0.05, 12, is_sequential=True))
    b, c = (int(counted.counts[row, :9].sum()) for row in (2, 3))
    expected = confidence_sequence(b, c, 30_000, 0.05, 12)
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert kind == expected.kind


def test_after_an_early_stop_in_sessions_the_sequence_has_their_variance() -> None:
    counted = crossings(lengths(30_000, 1)[0], lengths(30_000, 2)[0], session=5)
    values = np.array([8, 12])
    low, high, kind = difference_band(counted, values, Band(0.05, 12, is_sequential=True))
    narrow, wide, _ = difference_band(counted, values, Band(0.05, 12, is_sequential=False))
    error = (wide - narrow) / 2 / student.isf(0.05 / 12 / 2, 5999)
    half = sequence_half_width(error**2 * 30_000, 30_000, 0.05, 12)
    assert (high - low) / 2 == pytest.approx(half, rel=1e-9)
    assert (high + low) / 2 == pytest.approx((wide + narrow) / 2, abs=1e-12)
    assert kind == KIND


def test_after_an_early_stop_independent_runs_count_the_deals_of_the_shorter() -> None:
    (before, _), (after, _) = lengths(30_000, 1), lengths(20_000, 2)
    counted = Crossings(1, is_paired=False)
    counted.add_measures(
        *(Measured(each.astype(np.uint16), np.zeros(each.size, np.uint8)) for each in (after, before))
    )
    low, high, _ = difference_band(counted, np.array([8]), Band(0.05, 12, is_sequential=True))
    p1, p2 = (after <= 8).mean(), (before <= 8).mean()
    variance = p1 * (1 - p1) + p2 * (1 - p2) + 2 / 20_002
    half = sequence_half_width(variance, 20_000, 0.05, 12)
    assert (low[0], high[0]) == pytest.approx((p1 - p2 - half, p1 - p2 + half), abs=1e-12)


def crossings(after: np.ndarray, before: np.ndarray, session: int = 1) -> Crossings:
    counted = Crossings(session, is_paired=True)
    ended = np.zeros(len(after), np.uint8)
    counted.add_measures(Measured(after.astype(np.uint16), ended), Measured(before.astype(np.uint16), ended))
    return counted


def test_equally_long_deals_have_a_curve_without_values(tmp_path: Path) -> None:
    same = np.full(30, 7), np.zeros(30, bool)
    (curve,) = curves_of(tmp_path, same, same)
    assert (curve.values, curve.low, curve.family) == ((), (), "1 variant × 0 values")
    assert curve.median.value == 7.0


@pytest.mark.parametrize("n, stuck", [(1, False), (3, True)])
def test_nothing_to_go_by_leaves_finite_bands(tmp_path: Path, n: int, stuck: bool) -> None:
    before, after = np.arange(5, 5 + n), np.arange(6, 6 + n)
    stalled = np.full(n, stuck)
    (curve,) = curves_of(tmp_path, (before, stalled), (after, stalled))
    assert all(-1 <= low <= high <= 1 for low, high in zip(curve.low, curve.high, strict=True))
    assert curve.n == (0 if stuck else n)
    assert set(curve.as_mapping()) >= {"values", "baseline", "cdf", "difference", "low", "high", "median"}
    assert curve.as_mapping()["p90"]["value"] == (None if stuck else 6.0)


def test_counts_may_be_added_block_by_block() -> None:
    after, before = lengths(500, 1)[0], lengths(500, 2)[0]
    whole, first, second = crossings(after, before), crossings(after[:9], before[:9]), None
    second = crossings(after[9:], before[9:])
    first.add(second)
    size = min(each.counts.shape[1] for each in (whole, first))
    assert (whole.counts[:, :size] == first.counts[:, :size]).all()
    assert whole.counts[:, size:].sum() == first.counts[:, size:].sum() == 0


@pytest.mark.slow
@pytest.mark.parametrize("n, changed", [(300, 0.3), (3000, 0.02)])
def test_simulated_bands_cover_everywhere_at_least_as_often_as_they_say(n: int, changed: float) -> None:
    rng = np.random.default_rng(20_263)
    held = 0
    means = 3 + np.arange(60)
    stretch = np.array([0, 1, 3])
    # the true difference, from one very long sample of the same kind
    many = 4_000_000
    before = 3 + rng.poisson(6, many)
    after = before + (rng.random(many) < changed) * rng.choice(stretch, many)
    truth = np.array([(after <= value).mean() - (before <= value).mean() for value in means])
    for _ in range(10_000):
        before = 3 + rng.poisson(6, n)
        after = before + (rng.random(n) < changed) * rng.choice(stretch, n)
        values = np.unique(np.concatenate([before, after]))[:-1]
        low, high, _ = difference_band(crossings(after, before), values, Band(0.05, values.size, False))
        true = truth[values - 3]
        held += bool(((low <= true) & (true <= high)).all())
    assert held / 10_000 > 0.95, held
