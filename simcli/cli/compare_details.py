"""The numbers behind a comparison, on the terminal: variant by variant, then how they were measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import EffectRow, FairnessRow, MeasureRow, Row, ShareRow, Table, VariantRow
from simcli.analysis.method import merged_lines
from simcli.analysis.phrases import (
    ALL_STALLED,
    DRAWN,
    MEASURE_NAMES,
    bounds_words,
    change_decimals,
    decimals_for,
    heading,
    p_words,
    played_words,
    points,
    short_heading,
    signed,
    small_percent,
    spelled,
    table_words,
)
from simcli.analysis.rates import Estimate, Interval
from simcli.cli.narrow import print_table
from simcli.rules.variant import Variant, option_value

AnyRow = TypeVar("AnyRow", bound=Row)


def print_details(comparison: Comparison, out: Console) -> None:
    """Print the numbers of every table."""
    for table in comparison.tables:
        if len(comparison.tables) > 1:
            out.rule(Text(table_words(table.runs.players, table.runs.lineup)), style="dim")
            out.print()
        if len(table.ranking) > 1:
            _print_ranking(comparison, table, out)
        for variant in table.variants:
            _print_variant(comparison, table, variant, out)
    out.print(Text("How it was measured", style="bold"))
    for line in merged_lines((comparison, table) for table in comparison.tables):
        out.print(Text(line))


def _print_ranking(comparison: Comparison, table: Table, out: Console) -> None:
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("", justify="right")
    grid.add_column("largest change", overflow="fold")
    grid.add_column("")
    grid.add_column("points", justify="right", no_wrap=True)
    grid.add_column("interval", justify="right", no_wrap=True)
    grid.add_column("verdict")
    for rank in table.ranking:
        digits = change_decimals(rank.interval)
        grid.add_row(
            str(rank.rank),
            Text(rank.variant),
            heading(rank.cell, comparison.view, table.has_teams(rank.variant)),
            points(rank.difference, digits),
            bounds_words(rank.interval, digits),
            rank.verdict.removesuffix(" beyond the margin"),
        )
    print_table(grid, out)
    out.print()


def _print_variant(comparison: Comparison, table: Table, variant: VariantRow, out: Console) -> None:
    role = ", the baseline" if variant.baseline and len(table.variants) > 1 else ""
    chain = f", sessions of {variant.session}" if variant.session > 1 else ""
    about = f"{role}: {played_words(variant.deals, variant.rotations)}, seed {variant.seed}{chain}"
    out.print(Text.assemble((variant.variant, "bold"), about))
    if variant.differs:
        out.print(Text("; ".join(_rules_words(variant)), style="dim"))
    out.print()
    grids = [
        _rates_grid(comparison, table, variant),
        _stages_grid(comparison, table, variant),
        _adjusted_grid(comparison, table, variant),
        _effects_grid(comparison, table, variant),
        _measures_grid(table, variant),
    ]
    for grid in grids:
        if grid.row_count:
            print_table(grid, out)
            out.print()
    if not grids[-1].row_count:
        out.print(Text(ALL_STALLED))
        out.print()
    _print_examples(comparison, table, variant, out)


def _rules_words(variant: VariantRow) -> Iterator[str]:
    """Say in which rules a variant differs, and how often each of them decided anything."""
    in_play = dict(variant.in_play)
    for key, value, other in variant.differs:
        words = f"{key} {spelled(value)} instead of {spelled(other)}"
        # The share is against classic: it speaks of this difference only where the baseline is as classic.
        if key in in_play and option_value(Variant(), key) == other:
            words += f" (in play in {small_percent(in_play[key])})"
        yield words


# ------------------------------------------------------------------------------------ grids


def _rates_grid(comparison: Comparison, table: Table, variant: VariantRow) -> Grid:
    """Return rates, shares of lost deals and changes, one row a cell."""
    view = comparison.view
    changes = {row.cell: row for row in _of(table.differences, variant)}
    shares = {row.cell: row for row in _of(table.lost_shares, variant)}
    is_loss = view.outcome == "loss"
    heads = ["% of deals", "interval", "of lost" if is_loss else "of decided"]
    if changes:
        heads += ["change", "interval", "Holm p"]
    grid = _grid("lost by" if is_loss else "first out", heads)
    for row in _of(table.positions, variant):
        if row.cell == DRAWN and not is_loss:
            continue
        digits = max(2, decimals_for(row.interval))
        cells = [
            short_heading(row.cell, view, table.has_teams(variant.variant)),
            "–" if row.rate is None else f"{row.rate * 100:.{digits}f}",
            bounds_words(row.interval, digits, sign=False),
            _share(shares.get(row.cell)),
        ]
        change = changes.get(row.cell)
        if change is not None:
            digits = max(2, change_decimals(change.interval))
            cells += [
                points(change.difference, digits),
                bounds_words(change.interval, digits),
                p_words(change.p_adjusted),
            ]
        grid.add_row(*map(Text, cells))
    return grid


def _share(row: ShareRow | None) -> str:
    if row is None:
        return ""
    return "–" if row.share is None else f"{row.share * 100:.2f}"


def _stages_grid(comparison: Comparison, table: Table, variant: VariantRow) -> Grid:
    """Return the rates of first and later deals of sessions."""
    grid = _grid("in a session", ["first deals", "interval", "later deals", "interval"])
    rows = list(_of(table.stages, variant))
    later = {row.cell: row for row in rows if row.deals == "later"}
    for row in rows:
        if row.deals == "later" or (row.cell == DRAWN and comparison.view.outcome == "first_out"):
            continue
        cells = [short_heading(row.cell, comparison.view, table.has_teams(variant.variant))]
        for each in (row, later[row.cell]):
            cells.append("–" if each.rate is None else f"{each.rate * 100:.2f}")
            cells.append(bounds_words(each.interval, 2, sign=False))
        grid.add_row(*map(Text, cells))
    return grid


def _adjusted_grid(comparison: Comparison, table: Table, variant: VariantRow) -> Grid:
    """Return the rates and changes at equal trumps."""
    grid = _grid("at equal trumps", ["% of deals", "interval", "change", "interval"])
    for row in _of(table.adjusted, variant):
        change = row.difference
        changed = ["", ""]
        if change is not None and change.value is not None:
            changed = [points(change.value, 2), bounds_words(change.interval, 2)]
        grid.add_row(
            short_heading(row.cell, comparison.view, table.has_teams(variant.variant)),
            "–" if row.rate is None else f"{row.rate * 100:.2f}",
            bounds_words(row.interval, 2, sign=False),
            *changed,
        )
    return grid


def _effects_grid(comparison: Comparison, table: Table, variant: VariantRow) -> Grid:
    """Return how fair the table is, and what the rule did."""
    grid = Grid(box=None, pad_edge=False, show_header=False)
    grid.add_column("", no_wrap=True)
    grid.add_column("", justify="right", no_wrap=True)
    grid.add_column("", overflow="fold")
    cells = [_effect_cells(effect, comparison, table) for effect in _of(table.effects, variant)]
    cells += [_fairness_cells(fairness) for fairness in _of(table.fairness, variant)]
    for each in cells:
        for row in each:
            grid.add_row(*map(Text, row))
    return grid


Cells = tuple[str, str, str]


def _effect_cells(effect: EffectRow, comparison: Comparison, table: Table) -> Iterator[Cells]:
    is_loss = comparison.view.outcome == "loss"
    shares = (
        ("came into play", effect.came_into_play),
        ("went otherwise", effect.affected),
        ("somebody else loses" if is_loss else "somebody else is first", effect.churn),
    )
    for name, share in shares:
        if share is not None and share.value is not None:
            yield name, small_percent(share.value), _of_deals(share.interval)
    among = effect.among_affected
    if among is not None and among.value is not None and effect.cell is not None:
        digits = change_decimals(among.interval)
        who = heading(effect.cell, comparison.view, table.has_teams(effect.variant))
        bounds = "" if among.interval is None else f", {bounds_words(among.interval, digits)}"
        yield "change in those deals", points(among.value, digits), f"points for {who}{bounds}"
    if effect.pairing != "independent runs":
        ratio = effect.variance_ratio
        words = "the same outcome in every deal" if ratio is None else "times as many independent deals"
        yield "pairing is worth", "same play" if ratio is None else f"{ratio:.3g}", words
    change = effect.fairness_change
    if change is not None and change.value is not None and change.interval is not None:
        low, high = change.interval.low, change.interval.high
        word = "less fair" if low > 0 else "fairer" if high < 0 else "not shown to be fairer or less fair"
        bounds = f"{signed(low, 4)} to {signed(high, 4)}"
        yield "fairness, change of w²", signed(change.value, 4), f"{word}, {bounds}"
    if effect.homogeneity_p is not None:
        yield "no change in any cell", f"p {_p_words(effect.homogeneity_p)}", "Stuart–Maxwell"


def _fairness_cells(fairness: FairnessRow) -> Iterator[Cells]:
    w = fairness.w
    if fairness.n == 0 or w.value is None:
        return
    bounds = "" if w.interval is None else f"{w.interval.low:.3f} to {w.interval.high:.3f}"
    yield "unequal positions, w", f"{w.value:.3f}", f"{bounds}; 0 is a fair table"
    yield "all positions equal", f"p {_p_words(fairness.p)}", f"χ² {fairness.statistic:,.1f}"


def _of_deals(interval: Interval | None) -> str:
    if interval is None:
        return "of deals"
    return f"of deals, {bounds_words(interval, max(1, decimals_for(interval)), sign=False)}"


def _measures_grid(table: Table, variant: VariantRow) -> Grid:
    """Return what is counted in a deal, one row a measure."""
    rows = [row for row in _of(table.measures, variant) if _is_counted(row)]
    is_changed = any(row.difference is not None for row in rows)
    heads = ["mean", "interval", "median", "90 %"] + (["change", "interval"] if is_changed else [])
    grid = _grid("per deal", heads)
    for row in rows:
        grid.add_row(*map(Text, _measure_cells(row)))
    return grid


def _is_counted(row: MeasureRow) -> bool:
    """Leave out what neither table has."""
    return bool(row.mean) or (row.difference is not None and bool(row.difference.value))


def _measure_cells(row: MeasureRow) -> Iterator[str]:
    yield MEASURE_NAMES.get(row.measure, row.measure)
    yield "–" if row.mean is None else f"{row.mean:.2f}"
    yield "–" if row.interval is None else f"{row.interval.low:.2f}–{row.interval.high:.2f}"
    yield _number(row.median)
    yield _number(row.p90)
    change = row.difference
    if change is None:
        return
    yield "–" if change.value is None else signed(change.value)
    bounds = change.interval
    yield "–" if bounds is None else f"{signed(bounds.low)} to {signed(bounds.high)}"


def print_examples(comparison: Comparison, out: Console) -> None:
    """Print the deals in which somebody else loses, if they were asked for."""
    for table in comparison.tables:
        for variant in table.variants:
            _print_examples(comparison, table, variant, out)


def _print_examples(comparison: Comparison, table: Table, variant: VariantRow, out: Console) -> None:
    rows = list(_of(table.examples, variant))
    if not rows:
        return
    who = "team" if table.has_teams(variant.variant) else "seat"
    does = "loses" if comparison.view.outcome == "loss" else "is out first"
    out.print(Text(f"deals in which somebody else {does} under {variant.variant}, by {who}", style="dim"))
    for row in rows:
        out.print(Text(f"deal {row.deal}: {who} {row.seat} instead of {who} {row.baseline_seat}"))
        for command in (row.versus,) if row.versus else (row.replay, row.baseline_replay):
            out.print(Text(f"  {command}", style="dim"), soft_wrap=True)
    out.print()


# ------------------------------------------------------------------------------------ small pieces


def _of(rows: Iterable[AnyRow], variant: VariantRow) -> Iterator[AnyRow]:
    return (row for row in rows if row.variant == variant.variant)


def _grid(name: str, heads: Sequence[str]) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    grid.add_column(name, overflow="fold")
    for head in heads:
        grid.add_column(head, justify="right")
    return grid


def _number(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:g}"


def _p_words(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"
