"""The tables of numbers of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import (
    DifferenceRow,
    EffectRow,
    FairnessRow,
    MeasureRow,
    PositionRow,
    Row,
    ShareRow,
    SkillRow,
    Table,
)
from simcli.analysis.lineup_words import lineup_words
from simcli.analysis.phrases import (
    ALL_STALLED,
    MARKS,
    MEASURE_NAMES,
    bounds_words,
    change_decimals,
    decimals_for,
    heading,
    p_words,
    points,
    short_heading,
    short_name,
    signed,
    small_percent,
    table_words,
)
from simcli.analysis.rates import Estimate, Interval
from simcli.analysis.skill import SKILL_MARGIN
from simcli.analysis.skill_words import ranked_by_skill
from simcli.report.model import Cell, Column, NumberTable, Tone

AnyRow = TypeVar("AnyRow", bound=Row)
NONE = Cell("–")
MOVES = ("transfers", "late_transfers", "shows", "throw_ins", "covers", "pickups", "cards_picked_up")
LENGTH = ("bouts", "decisions", "cards_played", "largest_hand")
VARIANT = Column("variant", is_number=False)
JOINT = "Intervals hold together within the table of {}."


# ------------------------------------------------------------------------------------ across tables


def glances(comparisons: Sequence[Comparison], titles: Sequence[str]) -> Iterator[NumberTable]:
    """Yield the verdicts of several tables side by side: a mark and the largest change.

    Comparisons have a table each, but those of single variants, each with a baseline of its own, share one.
    Nothing stands beside a table that is alone.
    """
    if sum(bool(table.verdicts) for each in comparisons for table in each.tables) < 2:
        return
    pairs = [(each, title) for each, title in zip(comparisons, titles, strict=True) if _judged(each)]
    is_several = len({each.baseline for each, _ in pairs}) > 1
    together = is_several and all(len(_judged(each)) == 1 for each, _ in pairs)
    groups = [[each for each, _ in pairs]] if together else [[each] for each, _ in pairs]
    for number, group in enumerate(groups):
        title = "" if together else pairs[number][1]
        key = "at-a-glance" if len(groups) == 1 else f"at-a-glance-{number + 1}"
        yield _glance(key, title, group, is_against=together)


def rates_side_by_side(comparisons: Sequence[Comparison]) -> Iterator[NumberTable]:
    """Yield who loses at several tables, where each has one variant and nothing is compared."""
    pairs = [(each, table) for each in comparisons for table in each.tables]
    if len(pairs) < 2 or any(table.verdicts or len(table.variants) > 1 for _, table in pairs):
        return
    comparison = pairs[0][0]
    cells = max(([row.cell for row in table.lost_shares] for _, table in pairs), key=len)
    heads = [heading(cell, comparison.view, teams=False) for cell in cells]
    is_loss = comparison.view.outcome == "loss"
    yield NumberTable(
        "at-a-glance",
        f"Shares of the deals that somebody {'lost' if is_loss else 'was first out of alone'}, in %; in "
        "brackets as multiples of a fair share.",
        (Column("table", is_number=False), *map(Column, heads), Column("drawn, % of all")),
        tuple(_rates_row(table, len(cells)) for _, table in pairs),
        "Intervals and counts stand under “All numbers”.",
    )


def _rates_row(table: Table, width: int) -> tuple[Cell, ...]:
    words = _words(table)
    drawn = next((row for row in table.positions if row.cell == "drawn"), None)
    shares = [
        NONE
        if row.share is None or row.interval is None
        else Cell(
            f"{row.share * 100:.1f} ({row.share / row.fair:.2f}×)",
            row.share,
            row.interval.low,
            row.interval.high,
        )
        for row in table.lost_shares
    ]
    blank = [Cell("")] * (width - len(shares))
    last = NONE if drawn is None or drawn.rate is None else Cell(f"{drawn.rate * 100:.1f}", drawn.rate)
    return (Cell(f"{words[:1].upper()}{words[1:]}"), *shares, *blank, last)


def _judged(comparison: Comparison) -> list[str]:
    """Return the variants with a verdict at any table, those that change most at any in front."""
    largest: dict[str, float] = {}
    for table in comparison.tables:
        for verdict in table.verdicts:
            largest.setdefault(verdict.variant, 0.0)
        for rank in table.ranking:
            largest[rank.variant] = max(largest[rank.variant], abs(rank.difference))
    return sorted(largest, key=lambda name: -largest[name])


def _glance(key: str, title: str, comparisons: Sequence[Comparison], *, is_against: bool) -> NumberTable:
    tables = [table for each in comparisons for table in each.tables if table.verdicts]
    places = list(dict.fromkeys((table.runs.players, table.runs.lineup) for table in tables))
    has_lineups = len({lineup for _, lineup in places}) > 1
    heads = [
        f"{players} players{f', {lineup_words(lineup)}' if has_lineups else ''}" for players, lineup in places
    ]
    rows = [
        (
            Cell(short_name(name, each.baseline)),
            *([Cell(each.baseline)] if is_against else []),
            *(_glance_cell(name, each, place) for place in places),
        )
        for each in comparisons
        for name in _judged(each)
    ]
    against = [Column("against", is_number=False)] if is_against else []
    caption = f"{title[:1].upper()}{title[1:]}" if title else "Verdicts side by side"
    return NumberTable(
        key,
        f"{caption}: the largest change of any position, in points of all deals.",
        (VARIANT, *against, *(Column(head, is_number=False) for head in heads)),
        tuple(rows),
        "● changes, ○ no change that matters, ◐ undecided, = same rules, – not played there.",
    )


def _glance_cell(variant: str, comparison: Comparison, place: tuple[int, str]) -> Cell:
    here = (each for each in comparison.tables if (each.runs.players, each.runs.lineup) == place)
    table = next(here, None)
    if table is None:
        return NONE
    verdict = next((row for row in table.verdicts if row.variant == variant), None)
    if verdict is None:
        return NONE
    rank = next((row for row in table.ranking if row.variant == variant), None)
    mark = MARKS[verdict.verdict]
    if rank is None:
        return Cell(mark, tone="quiet")
    number = points(rank.difference, min(2, decimals_for(rank.interval)))
    who = heading(rank.cell, comparison.view, table.has_teams(variant))
    tone: Tone = "" if verdict.verdict == "changes" else "quiet"
    return Cell(f"{mark} {number} {who}", rank.difference, rank.interval.low, rank.interval.high, tone)


# ------------------------------------------------------------------------------------ one table


def number_tables(comparison: Comparison, table: Table, key: str) -> Iterator[NumberTable]:
    """Yield all number tables of a table but those of `move_tables`; `key` begins their anchors."""
    yield _outcomes(comparison, table, key)
    if table.effects:
        yield _effects(comparison, table, key)
    yield from _ways_to_be_fair(table, key)
    yield from _stages(comparison, table, key)
    yield from _adjusted(comparison, table, key)
    yield from _examples(table, key)


def _outcomes(comparison: Comparison, table: Table, key: str) -> NumberTable:
    """Return rates, shares of lost deals and changes: one row per variant and cell."""
    changes = {(row.variant, row.cell): row for row in table.differences}
    shares = {(row.variant, row.cell): row for row in table.lost_shares}
    is_loss = comparison.view.outcome == "loss"
    columns = [
        VARIANT,
        Column("lost by" if is_loss else "first out", is_number=False),
        Column("deals"),
        Column("% of deals"),
        Column("interval"),
        Column("% of lost" if is_loss else "% of decided"),
    ]
    if changes:
        columns += [Column("change, points"), Column("interval"), Column("p (Holm)")]
    rows = []
    for row in table.positions:
        if not comparison.shows(row.cell):
            continue
        cells = _rate_cells(row, comparison, table)
        cells.append(_share_cell(shares.get((row.variant, row.cell))))
        if changes:
            cells += _change_cells(changes.get((row.variant, row.cell)), comparison)
        rows.append(tuple(cells))
    return NumberTable(
        f"{key}-outcomes",
        f"Who {'loses' if is_loss else 'is first out'}: rates and changes, {_words(table)}.",
        tuple(columns),
        tuple(rows),
        "Rates: joint intervals over the cells of a variant. Changes: joint over all cells of all variants.",
    )


def _rate_cells(row: PositionRow, comparison: Comparison, table: Table) -> list[Cell]:
    digits = max(2, decimals_for(row.interval))
    return [
        Cell(row.variant),
        Cell(short_heading(row.cell, comparison.view, table.has_teams(row.variant))),
        Cell(f"{row.count:,}", row.count),
        NONE if row.rate is None else Cell(f"{row.rate * 100:.{digits}f}", row.rate),
        interval_cell(row.interval, digits, sign=False),
    ]


def _share_cell(row: ShareRow | None) -> Cell:
    if row is None:
        return Cell("")
    return NONE if row.share is None else _with_bounds(f"{row.share * 100:.2f}", row.share, row.interval)


def _change_cells(row: DifferenceRow | None, comparison: Comparison) -> list[Cell]:
    if row is None:
        return [Cell(""), Cell(""), Cell("")]
    digits = max(2, change_decimals(row.interval))
    return [
        Cell(points(row.difference, digits), row.difference, tone=tone_of(row, comparison)),
        interval_cell(row.interval, digits),
        Cell(p_words(row.p_adjusted), row.p_adjusted),
    ]


def tone_of(row: DifferenceRow, comparison: Comparison) -> Tone:
    """Return whether a position gains or pays by a change that is shown."""
    if not row.interval.excludes(0.0):
        return "quiet"
    if not row.cell.isdigit():
        return ""
    return "pays" if (row.difference > 0) == (comparison.view.outcome == "loss") else "gains"


def _effects(comparison: Comparison, table: Table, key: str) -> NumberTable:
    """Return what each rule did, whatever came of it in sum."""
    is_loss = comparison.view.outcome == "loss"
    columns = (
        VARIANT,
        Column("came into play"),
        Column("went otherwise"),
        Column("somebody else loses" if is_loss else "somebody else is first"),
        Column("position", is_number=False),
        Column("change, points"),
        Column("change in affected deals"),
        Column("pairing is worth"),
        Column("games to notice"),
        Column("change of w²"),
        Column("p, no change at all"),
    )
    return NumberTable(
        f"{key}-effects",
        f"What each rule did, {_words(table)}.",
        columns,
        tuple(tuple(_effect_cells(row, comparison, table)) for row in table.effects),
        "Each interval alone. Pairing is worth so many times as many independent deals. Games to notice: "
        "under each rule, by one person. Change of w²: below 0 the table is fairer with the rule.",
    )


def _effect_cells(row: EffectRow, comparison: Comparison, table: Table) -> Iterator[Cell]:
    yield Cell(row.variant)
    for share in (row.came_into_play, row.affected, row.churn):
        yield estimate_cell(share, small_percent)
    teams = table.has_teams(row.variant)
    yield Cell("–" if row.cell is None else heading(row.cell, comparison.view, teams))
    yield Cell(points(row.difference, 2), row.difference)
    yield estimate_cell(row.among_affected, lambda value: points(value, 2))
    ratio = row.variance_ratio
    yield NONE if ratio is None else Cell(f"{ratio:.3g}×", ratio)
    games = row.games_to_notice
    yield NONE if games is None else Cell(f"{games:,}", games, row.games_low, row.games_high)
    yield estimate_cell(row.fairness_change, lambda value: signed(value, 4))
    yield Cell(p_words(row.homogeneity_p), row.homogeneity_p)


def skill_numbers(key: str, comparison: Comparison, table: Table) -> NumberTable:
    """Return the skill share under each variant, the largest on top."""
    first = table.skill[0]
    fails = "loses" if comparison.view.outcome == "loss" else "is not first"
    columns = (
        VARIANT,
        Column(f"{first.bot} {fails}, %"),
        Column("the others, %"),
        Column("advantage, points"),
        Column("skill share, %"),
        Column("interval"),
        Column("change, points"),
        Column("interval"),
        Column("verdict", is_number=False),
    )
    return NumberTable(
        key,
        f"Skill share of {first.bot}, {_words(table)}.",
        columns,
        tuple(tuple(_skill_cells(row)) for row in ranked_by_skill(table.skill)),
        "Rates and advantage: each interval alone. Shares, and changes of shares, hold together over the "
        f"variants of the table. A change below {SKILL_MARGIN * 100:g} points does not matter.",
    )


def _skill_cells(row: SkillRow) -> Iterator[Cell]:
    yield Cell(row.variant)
    yield estimate_cell(row.rate, lambda value: f"{value * 100:.2f}")
    yield estimate_cell(row.others_rate, lambda value: f"{value * 100:.2f}")
    yield estimate_cell(row.advantage, lambda value: points(value, 2, sign=False))
    digits = decimals_for(row.interval)
    yield NONE if row.share is None else Cell(points(row.share, digits, sign=row.share < 0), row.share)
    yield NONE if row.interval is None else interval_cell(row.interval, digits, sign=row.interval.low < 0)
    change = row.difference
    if change is None or change.value is None or change.interval is None:
        yield from (Cell(""), Cell(""), Cell(row.verdict or ""))
        return
    yield Cell(points(change.value, digits), change.value, tone="" if row.verdict == "changes" else "quiet")
    yield interval_cell(change.interval, digits)
    yield Cell(row.verdict or "")


def _ways_to_be_fair(table: Table, key: str) -> Iterator[NumberTable]:
    if not table.fairness:
        return
    columns = (
        VARIANT,
        Column("deals"),
        Column("w"),
        Column("interval"),
        Column("χ²"),
        Column("df"),
        Column("p"),
    )
    yield NumberTable(
        f"{key}-fairness",
        f"How unequal the positions are, {_words(table)}.",
        columns,
        tuple(_fairness_cells(row) for row in table.fairness),
        "w is 0 at a fair table; what chance alone adds has been taken off.",
    )


def _fairness_cells(row: FairnessRow) -> tuple[Cell, ...]:
    w = row.w
    bounds = w.interval
    return (
        Cell(row.variant),
        Cell(f"{row.n:,}", row.n),
        NONE if w.value is None else Cell(f"{w.value:.3f}", w.value),
        NONE
        if bounds is None
        else Cell(f"{bounds.low:.3f}–{bounds.high:.3f}", None, bounds.low, bounds.high),
        Cell(f"{row.statistic:,.1f}", row.statistic),
        Cell(f"{row.df}", row.df),
        Cell(p_words(row.p), row.p),
    )


def _stages(comparison: Comparison, table: Table, key: str) -> Iterator[NumberTable]:
    """Yield the rates of first and later deals of sessions, if there are sessions."""
    if not table.stages:
        return
    later = {(row.variant, row.cell): row for row in table.stages if row.deals == "later"}
    rows = []
    for row in table.stages:
        if row.deals == "later" or not comparison.shows(row.cell):
            continue
        cells = [
            Cell(row.variant), Cell(short_heading(row.cell, comparison.view, table.has_teams(row.variant)))
        ]  # fmt: skip
        for each in (row, later[row.variant, row.cell]):
            cells.append(NONE if each.rate is None else Cell(f"{each.rate * 100:.2f}", each.rate))
            cells.append(interval_cell(each.interval, 2, sign=False))
        rows.append(tuple(cells))
    yield NumberTable(
        f"{key}-stages",
        f"First and later deals of sessions, in % of deals, {_words(table)}.",
        (
            VARIANT, Column("position", is_number=False),
            Column("first deals"), Column("interval"), Column("later deals"), Column("interval"),
        ),
        tuple(rows),
    )  # fmt: skip


def _adjusted(comparison: Comparison, table: Table, key: str) -> Iterator[NumberTable]:
    """Yield rates and changes at equal trumps, if they were asked for."""
    if not table.adjusted:
        return
    rows = [
        (
            Cell(row.variant),
            Cell(short_heading(row.cell, comparison.view, table.has_teams(row.variant))),
            NONE if row.rate is None else Cell(f"{row.rate * 100:.2f}", row.rate),
            interval_cell(row.interval, 2, sign=False),
            estimate_cell(row.difference, lambda value: points(value, 2)),
        )
        for row in table.adjusted
        if comparison.shows(row.cell)
    ]
    yield NumberTable(
        f"{key}-adjusted",
        f"What remains when all positions hold equal trumps, {_words(table)}.",
        (
            VARIANT, Column("position", is_number=False),
            Column("% of deals"), Column("interval"), Column("change, points"),
        ),
        tuple(rows),
    )  # fmt: skip


def _examples(table: Table, key: str) -> Iterator[NumberTable]:
    if not table.examples:
        return
    rows = [
        (
            Cell(row.variant),
            Cell(str(row.deal), row.deal),
            Cell(str(row.baseline_seat), row.baseline_seat),
            Cell(str(row.seat), row.seat),
            Cell(str(row.bouts), row.bouts),
            Cell(row.versus or row.replay),
        )
        for row in table.examples
    ]
    yield NumberTable(
        f"{key}-examples",
        f"Deals in which somebody else loses, {_words(table)}.",
        (
            VARIANT, Column("deal"), Column("baseline’s loser, seat"), Column("loser, seat"), Column("bouts"),
            Column("to see it", is_number=False),
        ),
        tuple(rows),
    )  # fmt: skip


# ------------------------------------------------------------------------------------ what is done in a deal


def move_tables(table: Table, key: str) -> Iterator[NumberTable]:
    """Yield what is done in a deal and how long it lasts: means, and their changes against the baseline.

    Where every deal stalled there is a single table, which says so.
    """
    means = (
        _means(
            table, key, "moves", MOVES, "Transfers, shows, throw-ins, covers and pick-ups: means per deal"
        ),
        _means(table, key, "lasting", LENGTH, "How long a deal lasts: means per deal"),
    )
    known = [each for each in means if len(each.columns) > 1]
    yield from known
    lengths = _quantiles(table, key)
    yield lengths if known else replace(lengths, note=ALL_STALLED)


def _means(table: Table, key: str, name: str, measures: Iterable[str], caption: str) -> NumberTable:
    rows = {(row.variant, row.measure): row for row in table.measures}
    shown = [
        measure
        for measure in measures
        if any(_is_counted(rows[row.variant, measure]) for row in table.variants)
    ]
    cells = [
        (Cell(each.variant), *(_mean_cell(rows[each.variant, measure]) for measure in shown))
        for each in table.variants
    ]
    return NumberTable(
        f"{key}-{name}",
        f"{caption}, {_words(table)}.",
        (VARIANT, *(Column(MEASURE_NAMES.get(measure, measure)) for measure in shown)),
        tuple(cells),
        "In brackets the change against the baseline, where there is any; ▲ ▼ by more than 2 % of its "
        "mean, · not shown to differ. Stalled deals are left out.",
    )


def _is_counted(row: MeasureRow) -> bool:
    """Leave out what neither table has."""
    return bool(row.mean) or (row.difference is not None and bool(row.difference.value))


def _mean_cell(row: MeasureRow) -> Cell:
    if row.mean is None:
        return NONE
    bounds = (None, None) if row.interval is None else (row.interval.low, row.interval.high)
    return Cell(f"{row.mean:.2f}{_mean_change(row)}", row.mean, *bounds)


def _mean_change(row: MeasureRow) -> str:
    change = row.difference
    if change is None or not change.value:
        return ""
    interval = change.interval
    if interval is None:
        mark = " ·"
    elif row.verdict == "changes":
        mark = " ▲" if change.value > 0 else " ▼"
    else:
        mark = "" if interval.excludes(0.0) else " ·"
    return f" ({signed(change.value)}{mark})"


def _quantiles(table: Table, key: str) -> NumberTable:
    rows = [row for row in table.measures if row.measure == "bouts"]
    return NumberTable(
        f"{key}-quantiles",
        f"Bouts per deal, {_words(table)}: mean, median and 90th percentile.",
        (
            VARIANT, Column("mean"), Column("interval"), Column("median"), Column("90th percentile"),
            Column("change of mean"), Column("interval"), Column("by 2 % of the mean", is_number=False),
        ),
        tuple(_quantile_cells(row) for row in rows),
    )  # fmt: skip


def _quantile_cells(row: MeasureRow) -> tuple[Cell, ...]:
    change = row.difference or Estimate(None, None)
    return (
        Cell(row.variant),
        NONE if row.mean is None else Cell(f"{row.mean:.3f}", row.mean),
        _plain_interval(row.interval, lambda bound: f"{bound:.3f}", "–"),
        estimate_cell(row.median, lambda value: f"{value:g}"),
        estimate_cell(row.p90, lambda value: f"{value:g}"),
        NONE if change.value is None else Cell(signed(change.value, 3), change.value),
        _plain_interval(change.interval, lambda bound: signed(bound, 3), " to "),
        Cell(row.verdict or ""),
    )


# ------------------------------------------------------------------------------------ small pieces


def _words(table: Table) -> str:
    return table_words(table.runs.players, table.runs.lineup)


def _with_bounds(text: str, value: float, interval: Interval | None) -> Cell:
    if interval is None:
        return Cell(text, value)
    return Cell(text, value, interval.low, interval.high)


def interval_cell(interval: Interval | None, digits: int, sign: bool = True) -> Cell:
    """Return bounds in points."""
    if interval is None:
        return NONE
    return Cell(bounds_words(interval, digits, sign), None, interval.low, interval.high)


def _plain_interval(interval: Interval | None, words: Callable[[float], str], between: str) -> Cell:
    if interval is None:
        return NONE
    text = f"{words(interval.low)}{between}{words(interval.high)}"
    return Cell(text, None, interval.low, interval.high)


def estimate_cell(estimate: Estimate | None, words: Callable[[float], str]) -> Cell:
    """Return an estimate with its interval in brackets."""
    if estimate is None or estimate.value is None:
        return NONE
    interval = estimate.interval
    if interval is None:
        return Cell(words(estimate.value), estimate.value)
    text = f"{words(estimate.value)} ({words(interval.low)} to {words(interval.high)})"
    return Cell(text, estimate.value, interval.low, interval.high)
