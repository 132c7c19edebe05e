"""The rows of a comparison about a run against the baseline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simcli.analysis.designs import (
    clustered_rate,
    design_effect,
    pair_design_effect,
    share_design_effect,
    widened,
)
from simcli.analysis.estimates import (
    Counts,
    in_sequence,
    independent_difference,
    independent_measure_difference,
    measure_difference,
    measure_quantile,
    paired_difference,
)
from simcli.analysis.found import DifferenceRow, EffectRow, Pairing, Rank, VerdictRow
from simcli.analysis.paired import holm, newcombe, stuart_maxwell, tango, variance_ratio
from simcli.analysis.phrases import display_name, packs_needed, table_words, verdict_sentence
from simcli.analysis.positions import fairness_change, lost_share_differences
from simcli.analysis.rates import NOTHING_KNOWN, Estimate, Interval
from simcli.analysis.rows import MEASURES
from simcli.analysis.setting import Setting
from simcli.analysis.sizes import games_to_notice
from simcli.analysis.tables import Entry
from simcli.analysis.tally import PairTally
from simcli.analysis.verdict import CellDifference, judge
from simcli.engine.layout import RULE_KEYS
from simcli.rules.canonical import differences
from simcli.rules.variant import Variant


def difference_rows(setting: Setting, index: int) -> Iterator[tuple[DifferenceRow, CellDifference]]:
    """Yield the difference of every cell, as a row and as the verdict takes it; p is not adjusted yet."""
    tally, base, pair = setting.tally(index), setting.base, setting.pair(index)
    p: float | None
    for cell, name in enumerate(setting.cells(index)):
        if pair is not None:
            bounds, interval, p = paired_difference(pair, cell, name, setting.alpha, setting.k)
            n = n_base = pair.n_deals
            count, base_count = int(pair.joint[:, cell].sum()), int(pair.joint[cell].sum())
        else:
            bounds, interval, p = independent_difference(tally, base, cell, name, setting.alpha, setting.k)
            n, n_base = tally.n_deals, base.n_deals
            count, base_count = int(tally.cells[cell]), int(base.cells[cell])
        if setting.is_sequential:
            deals = min(n, n_base)
            bounds, interval = in_sequence(bounds, deals, setting.alpha, setting.k, independent=pair is None)
            p = None
        row = DifferenceRow(
            *setting.key(index),
            cell=name,
            n=n,
            count=count,
            baseline_count=base_count,
            rate=count / n,
            baseline_rate=base_count / n_base,
            difference=bounds.difference,
            interval=interval.in_family(setting.family),
            p=p,
            p_adjusted=None if p is None else 1.0,
        )
        yield row, bounds


def with_holm(rows: Sequence[DifferenceRow]) -> tuple[DifferenceRow, ...]:
    """Return all differences of a table with p adjusted for their number."""
    tested = [row.p for row in rows if row.p is not None]
    if not tested:
        return tuple(rows)
    return tuple(replace(row, p_adjusted=p) for row, p in zip(rows, holm(tested), strict=True))


def verdict_rows(
    setting: Setting, index: int, rows: Sequence[DifferenceRow], cells: Sequence[CellDifference]
) -> tuple[VerdictRow, EffectRow]:
    """Return the verdict on a run, and what its rule did."""
    entry, pair = setting.entry(index), setting.pair(index)
    verdict = judge(
        cells,
        rows[0].n,
        setting.margin,
        same_rules=entry.run.rules == setting.runs.baseline.run.rules,
        affected=None if pair is None else int(pair.effects[0]),
    )
    named = next((row for row in rows if row.cell == verdict.cell), None)
    effect = _effect_row(setting, index, named or max(rows, key=lambda row: abs(row.difference)))
    sentence = verdict_sentence(
        f"{_name(entry)}, {table_words(setting.runs.players, setting.runs.lineup)}",
        verdict,
        named,
        effect,
        setting.view,
        setting.margin,
        setting.runs.baseline.label,
        setting.has_teams(index),
        setting.rotations,
    )
    needed = None if verdict.needed is None else verdict.needed.deals
    row = VerdictRow(
        *setting.key(index),
        verdict=verdict.verdict,
        cell=verdict.cell,
        sentence=sentence,
        text=verdict.text,
        differs=verdict.differs,
        deals_needed=needed
        if needed is None or setting.rotations == 1
        else packs_needed(needed, setting.rotations),
    )
    return row, effect


def _name(entry: Entry) -> str:
    """Return what a run is called; its title does not tell it from another run of the same variant."""
    variant = entry.run.variant
    return display_name(entry.label, variant.title if entry.label == variant.name else "")


def ranking(rows: Sequence[DifferenceRow], verdicts: Sequence[VerdictRow]) -> Iterator[Rank]:
    """Yield the variants by their largest difference."""
    largest = []
    for verdict in verdicts:
        mine = [row for row in rows if row.variant == verdict.variant]
        largest.append((max(mine, key=lambda row: abs(row.difference)), verdict))
    largest.sort(key=lambda pair: -abs(pair[0].difference))
    for rank, (row, verdict) in enumerate(largest, start=1):
        key = (row.variant, row.players, row.lineup)
        yield Rank(*key, rank, row.cell, row.difference, row.interval, verdict.verdict)


# ------------------------------------------------------------------------------------ what a rule did


class _Games(NamedTuple):
    """Games to notice a difference: by the estimate, at least, at most."""

    estimate: int | None
    low: int | None
    high: int | None


def _effect_row(setting: Setting, index: int, named: DifferenceRow) -> EffectRow:
    pair = setting.pair(index)
    games = _games(named)
    if pair is None:
        return EffectRow(
            *setting.key(index),
            pairing="independent runs",
            n=named.n,
            cell=named.cell,
            difference=named.difference,
            came_into_play=_came_into_play_alone(setting, index),
            affected=None,
            churn=None,
            result_changed=None,
            among_affected=None,
            variance_ratio=None,
            homogeneity_p=None,
            games_to_notice=games.estimate,
            games_low=games.low,
            games_high=games.high,
            fairness_before=None,
            fairness_after=None,
            fairness_change=None,
        )
    n, effect = pair.n_deals, pair_design_effect(pair)
    n_affected, n_played = (int(value) for value in pair.effects)
    players = pair.seats[: pair.positions, : pair.positions]
    fairness = fairness_change(loss_table(pair), setting.alpha, max(1, len(setting.compared)))

    def share(name: str, count: int) -> Estimate:
        return clustered_rate(count, n, share_design_effect(pair, name, count), setting.alpha)

    return EffectRow(
        *setting.key(index),
        pairing=_pairing(setting, pair),
        n=n,
        cell=named.cell,
        difference=named.difference,
        came_into_play=share("in_play", n_played),
        affected=share("affected", n_affected),
        churn=share("churn", int(players.sum() - np.trace(players))),
        result_changed=share("changed", n - int(np.trace(pair.seats))),
        among_affected=_among_affected(setting, index, pair, named.cell),
        variance_ratio=_variance_ratio(setting, index, pair, named.cell),
        homogeneity_p=stuart_maxwell(pair.joint).p if pair.session == 1 else None,
        games_to_notice=games.estimate,
        games_low=games.low,
        games_high=games.high,
        fairness_before=fairness.baseline,
        fairness_after=fairness.variant,
        fairness_change=widened(fairness.change, effect),
    )


def _pairing(setting: Setting, pair: PairTally) -> Pairing:
    if pair.session == 1:
        return "deal by deal"
    return "pack by pack" if pair.session == setting.rotations else "session by session"


def _came_into_play_alone(setting: Setting, index: int) -> Estimate | None:
    """Return the share of a run's own deals in which the one option decided anything that differs.

    Deals are told apart from those of ``classic``: where the variant has the option as there, the baseline's
    deals tell. With several options nothing is known, for nobody counted deals with any of them.
    """
    variants = setting.entry(index).run.variant, setting.runs.baseline.run.variant
    differing = [key for key, _, _ in differences(*variants) if key in RULE_KEYS]
    if len(differing) != 1:
        return None
    own = {key for key, _, _ in differences(variants[0], Variant())}
    tally = setting.tally(index) if differing[0] in own else setting.base
    count = int(tally.bits[RULE_KEYS.index(differing[0])])
    # rotations of a pack at worst say no more than one of them
    effect = design_effect(tally) * setting.rotations
    return clustered_rate(count, tally.n_deals, effect, setting.alpha)


def _games(row: DifferenceRow) -> _Games:
    """Return the games it takes to notice a difference; none if it is not shown."""
    if not row.interval.excludes(0.0):
        return _Games(None, None, None)
    near, far = sorted((row.interval.low, row.interval.high), key=abs)
    return _Games(*(games_to_notice(change, row.baseline_rate) for change in (row.difference, far, near)))


def _discordant(setting: Setting, index: int, pair: PairTally, name: str) -> tuple[int, int, int, int]:
    """Return the deals of a cell: the variant's only, the baseline's only, the variant's, the baseline's."""
    cell = setting.cells(index).index(name)
    after, before = int(pair.joint[:, cell].sum()), int(pair.joint[cell].sum())
    both = int(pair.joint[cell, cell])
    return after - both, before - both, after, before


def _among_affected(setting: Setting, index: int, pair: PairTally, name: str) -> Estimate | None:
    n = int(pair.effects[0])
    if n == 0:
        return None
    b, c, _, _ = _discordant(setting, index, pair, name)
    estimate = Estimate((b - c) / n, tango(b, c, n, setting.alpha))
    return widened(estimate, pair_design_effect(pair))


def _variance_ratio(setting: Setting, index: int, pair: PairTally, name: str) -> float | None:
    b, c, after, before = _discordant(setting, index, pair, name)
    ratio = variance_ratio(b, c, after, before, pair.n_deals)
    return None if ratio is None else ratio / pair_design_effect(pair)


# ------------------------------------------------------------------------------------ changes of run rows


def loss_table(pair: PairTally) -> Counts:
    """Return the joint table over the positions, then whatever is neither lost nor stalled, then stalled."""
    n = pair.positions
    fold = np.zeros((n + 3, n + 2), dtype=np.int64)
    fold[range(n + 2), range(n + 2)] = 1
    fold[n + 2, n] = 1
    return np.asarray(fold.T @ pair.joint @ fold)


def share_changes(setting: Setting, index: int) -> list[Estimate] | None:
    """Return the changes of the positions' shares of lost deals, None for what is not compared."""
    if index not in setting.compared:
        return None
    k = len(setting.compared) * setting.base.positions
    pair = setting.pair(index)
    if pair is not None:
        found = lost_share_differences(loss_table(pair), setting.alpha, k)
        return [widened(estimate, pair_design_effect(pair)) for estimate in found]
    mine, base = (
        [int(x) for x in each.cells[: each.positions]] for each in (setting.tally(index), setting.base)
    )
    return [
        _share_change(x1, sum(mine), x2, sum(base), newcombe(x1, sum(mine), x2, sum(base), setting.alpha, k))
        for x1, x2 in zip(mine, base, strict=True)
    ]


def _share_change(x1: int, n1: int, x2: int, n2: int, interval: Interval) -> Estimate:
    return Estimate(x1 / n1 - x2 / n2 if n1 and n2 else None, interval)


def measure_change(setting: Setting, index: int, measure: str) -> Estimate | None:
    """Return the change of a measure's mean, None for what is not compared."""
    if index not in setting.compared:
        return None
    k = len(setting.compared) * len(MEASURES)
    pair = setting.pair(index)
    if pair is not None:
        return measure_difference(pair, measure, setting.alpha, k)
    return independent_measure_difference(setting.tally(index), setting.base, measure, setting.alpha, k)


def quantile_change(setting: Setting, index: int, measure: str, q: float) -> Estimate | None:
    """Return the change of a measure's quantile, None for what is not compared.

    The bounds are the far ends of both quantiles' intervals, each at half of α: conservative, but safe
    however the deals of both runs depend on each other.
    """
    if index not in setting.compared:
        return None
    mine, base = (
        measure_quantile(tally, measure, q, setting.alpha / 2)
        for tally in (setting.tally(index), setting.base)
    )
    if mine.value is None or base.value is None:
        return NOTHING_KNOWN
    change = mine.value - base.value
    if mine.interval is None or base.interval is None:
        return Estimate(change, None)
    low, high = mine.interval.low - base.interval.high, mine.interval.high - base.interval.low
    return Estimate(
        change,
        replace(mine.interval, low=low, high=high, level=1 - setting.alpha, kind="order statistics of both"),
    )
