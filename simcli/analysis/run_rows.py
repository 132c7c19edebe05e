"""The rows of a comparison about each run by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from simcli.analysis.designs import clustered_rate, design_effect
from simcli.analysis.estimates import Counts, cell_rate, measure_mean, measure_quantile
from simcli.analysis.found import FairnessRow, MeasureRow, PositionRow, ShareRow, StageRow, VariantRow
from simcli.analysis.pair_rows import measure_change, quantile_change, share_changes
from simcli.analysis.positions import equal_positions
from simcli.analysis.rows import MEASURES
from simcli.analysis.setting import Setting
from simcli.analysis.verdict import difference_word
from simcli.engine.layout import RULE_KEYS
from simcli.rules.canonical import differences
from simcli.rules.variant import Variant

MEASURE_MARGIN = 0.02
"""A measure's own margin, as a share of the baseline's mean."""


def variant_row(setting: Setting, index: int) -> VariantRow:
    """Return what was played."""
    run = setting.entry(index).run
    return VariantRow(
        *setting.key(index),
        baseline=index == 0,
        title=run.variant.title,
        summary=run.variant.summary,
        rules=run.rules,
        differs=tuple(differences(run.variant, setting.runs.baseline.run.variant)),
        in_play=tuple(_in_play(setting, index)),
        deals=run.deals,
        session=run.match.session,
        seed=run.match.seed,
        declared=run.plan.declared,
        digest=run.digest,
        folder=", ".join(str(member.path) for member in run.members),
        rotations=run.match.rotations,
    )


def _in_play(setting: Setting, index: int) -> Iterator[tuple[str, float]]:
    """Yield each option that is not as in `classic` with the share of deals in which it decided anything."""
    tally = setting.tally(index)
    for key, _, _ in differences(setting.entry(index).run.variant, Variant()):
        if key in RULE_KEYS:
            yield key, int(tally.bits[RULE_KEYS.index(key)]) / tally.n_deals


def position_rows(setting: Setting, index: int) -> Iterator[PositionRow]:
    """Yield the rate of every cell."""
    tally, k = setting.tally(index), setting.n_cells_of(index)
    for cell, name in enumerate(setting.cells(index)):
        rate = cell_rate(tally, cell, setting.alpha, k)
        count = int(tally.cells[cell])
        yield PositionRow(*setting.key(index), name, tally.n_deals, count, rate.value, rate.interval)


def share_rows(setting: Setting, index: int) -> Iterator[ShareRow]:
    """Yield every position's share of the deals that somebody lost."""
    tally = setting.tally(index)
    n, effect = tally.positions, design_effect(tally)
    lost = [int(count) for count in tally.cells[:n]]
    changes = share_changes(setting, index)
    for cell, count in enumerate(lost):
        share = clustered_rate(count, sum(lost), effect, setting.alpha, n)
        yield ShareRow(
            *setting.key(index),
            cell=str(cell),
            n=sum(lost),
            count=count,
            fair=1 / n,
            share=share.value,
            interval=share.interval,
            difference=changes[cell] if changes else None,
        )


def stage_rows(setting: Setting, index: int) -> Iterator[StageRow]:
    """Yield the rates of first and later deals of sessions, if deals come in sessions."""
    tally = setting.tally(index)
    if tally.chain == 1:
        return
    effect = design_effect(tally)
    stages: tuple[tuple[Literal["first", "later"], Counts, float], ...] = (
        ("first", tally.first_cells, 1.0 if tally.rotations == 1 else effect),
        ("later", tally.cells - tally.first_cells, effect),
    )
    for stage, counts, effect in stages:
        n = int(counts.sum())
        for cell, name in enumerate(setting.cells(index)):
            count = int(counts[cell])
            rate = clustered_rate(count, n, effect, setting.alpha, setting.n_cells_of(index))
            yield StageRow(*setting.key(index), stage, name, n, count, rate.value, rate.interval)


def fairness_row(setting: Setting, index: int) -> FairnessRow:
    """Return the test of equal positions."""
    tally = setting.tally(index)
    lost = tally.cells[: tally.positions]
    test = equal_positions(lost / design_effect(tally), setting.alpha)
    return FairnessRow(*setting.key(index), int(lost.sum()), test.statistic, test.df, test.p, test.w)


def measure_rows(setting: Setting, index: int) -> Iterator[MeasureRow]:
    """Yield what is counted in a deal, and how it changes against the baseline."""
    tally, alpha = setting.tally(index), setting.alpha
    for measure in MEASURES:
        mean = measure_mean(tally, measure, alpha, len(MEASURES))
        before = measure_mean(setting.base, measure, alpha, len(MEASURES)).value
        margin = None if before is None else MEASURE_MARGIN * before
        change = measure_change(setting, index, measure)
        yield MeasureRow(
            *setting.key(index),
            measure=measure,
            n=tally.sums_of(measure)[0],
            mean=mean.value,
            interval=mean.interval,
            median=measure_quantile(tally, measure, 0.5, alpha),
            p90=measure_quantile(tally, measure, 0.9, alpha),
            difference=change,
            median_difference=quantile_change(setting, index, measure, 0.5),
            p90_difference=quantile_change(setting, index, measure, 0.9),
            margin=margin,
            verdict=difference_word(change, margin),
        )
