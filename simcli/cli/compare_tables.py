"""A comparison on the terminal: the verdict first, then who gains and who pays, then the numbers."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import DifferenceRow, SkillRow, Table, VerdictRow
from simcli.analysis.phrases import (
    MARKS,
    bounds_words,
    deals_compared,
    decimals_for,
    heading,
    margin_words,
    points,
    short_heading,
    table_words,
)
from simcli.analysis.skill import SKILL_MARGIN
from simcli.analysis.skill_words import ranked_by_skill, skill_words
from simcli.cli.compare_details import print_details, print_examples
from simcli.cli.narrow import print_table
from simcli.cli.tables import console

NAME_WIDTH = 18


def print_comparison(comparison: Comparison, out: Console | None = None, *, is_brief: bool = False) -> None:
    """Print a comparison.

    Parameters
    ----------
    comparison : Comparison
        What was found.
    out : Console, optional
        Where to; the terminal by default.
    is_brief : bool
        Whether to leave out the numbers behind the verdicts, and how they were measured.
    """
    out = out or console()
    for table in comparison.tables:
        print_verdicts(table, out)
        print_profile(comparison, table, out)
        print_skill(table, out)
    if any(table.verdicts for table in comparison.tables):
        print_legend(comparison, out)
    if len({table.runs.players for table in comparison.tables}) > 1:
        print_sizes(comparison, out)
    if comparison.findings:
        _print_findings(comparison, out)
    if comparison.notes:
        for note in comparison.notes:
            out.print(Text(f"Note: {note}."))
        out.print()
    if is_brief:
        print_examples(comparison, out)
    else:
        print_details(comparison, out)


def print_verdicts(table: Table, out: Console) -> None:
    """Print what is compared, and a sentence a variant."""
    base = table.variants[0]
    title = f"{base.variant}: {table_words(table.runs.players, table.runs.lineup)}"
    if len(table.variants) > 1:
        title = f"Against {title}"
    out.print(Text(f"{title}, {deals_compared(table)}", style="bold"))
    out.print()
    if not table.verdicts:
        return
    grid = Grid.grid(padding=(0, 1, 1, 0))
    grid.add_column(width=1)
    grid.add_column(overflow="fold")
    for verdict in table.verdicts:
        mark, style = mark_of(verdict)
        grid.add_row(Text(mark, style=style), sentence(verdict, style))
        for asked in (row for row in table.asked if row.variant == verdict.variant):
            mine = Grid.grid(padding=(0, 1, 0, 0))
            mine.add_row(Text(MARKS[asked.verdict]), Text(asked.sentence))
            grid.add_row("", mine)
    out.print(grid)
    out.print()


def mark_of(verdict: VerdictRow) -> tuple[str, str]:
    """Return the mark of a verdict, and its style."""
    return MARKS[verdict.verdict], "bold" if verdict.verdict == "changes" else ""


def sentence(verdict: VerdictRow, style: str) -> Text:
    """Return a verdict with the finding set off from what follows."""
    text = Text(verdict.sentence)
    end = verdict.sentence.find(". ")
    text.stylize(style, 0, end if end > 0 else len(verdict.sentence))
    return text


def print_profile(comparison: Comparison, table: Table, out: Console) -> None:
    """Print who gains and who pays: the baseline's rates, and a row of changes in points per variant."""
    view = comparison.view
    base = table.variants[0]
    teams = table.has_teams(base.variant)
    counted = "who is first" if view.outcome == "first_out" else "who loses"
    shown = [row for row in table.positions if row.variant == base.variant and comparison.shows(row.cell)]
    grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    grid.add_column(Text(counted, style="dim"), max_width=NAME_WIDTH, overflow="fold")
    for row in shown:
        grid.add_column(f"{heading(row.cell, view, teams)} ", justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True)
    rates = ["– " if row.rate is None else f"{row.rate * 100:.1f} " for row in shown]
    grid.add_row(Text(base.variant), *rates, Text("%", style="dim"))
    changes = {(row.variant, row.cell): row for row in table.differences}
    for verdict in table.verdicts:
        cells = [_change(changes[verdict.variant, row.cell], comparison) for row in shown]
        mark, style = mark_of(verdict)
        grid.add_row(Text(verdict.variant), *cells, Text(mark, style=style))
    print_table(grid, out)
    out.print()


def _change(row: DifferenceRow, comparison: Comparison) -> Text:
    """Return a cell's change with its mark, red where a position pays and green where it gains."""
    low, high, margin = row.interval.low, row.interval.high, comparison.margin
    number = points(row.difference, min(2, decimals_for(row.interval)))
    if not row.interval.excludes(0.0):
        return Text(f"{number} ", style="dim")
    is_beyond = low > margin or high < -margin
    mark = ("▲" if is_beyond else "↑") if low > 0 else ("▼" if is_beyond else "↓")
    if not row.cell.isdigit():
        return Text(number + mark)
    pays = (low > 0) == (comparison.view.outcome == "loss")
    return Text(number + mark, style="red" if pays else "green")


def print_skill(table: Table, out: Console) -> None:
    """Print how much less often a bot fails than the others, the variants where it gains most on top."""
    if not table.skill:
        return
    first = table.skill[0]
    grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    grid.add_column(Text("skill share", style="dim"), max_width=NAME_WIDTH, overflow="fold")
    for head in ("% of deals", "less, %", "interval", "change", "interval"):
        grid.add_column(head, justify="right", no_wrap=True)
    grid.add_column("", no_wrap=True)
    for row in ranked_by_skill(table.skill):
        own, others, share, bounds = skill_words(row)
        cells = (f"{own}, {others}", share, bounds)
        grid.add_row(Text(row.variant), *map(Text, cells), *_skill_change(row))
    print_table(grid, out)
    margin = f"{SKILL_MARGIN * 100:g}"
    for line in (
        f"Skill share: how often a seat of {first.bot}, and one of the others, fails;",
        f"by how much less {first.bot} does. A change below {margin} points does not matter.",
    ):
        out.print(Text(line, style="dim"))
    out.print()


def _skill_change(row: SkillRow) -> tuple[Text, Text, Text]:
    change, digits = row.difference, decimals_for(row.interval)
    if change is None or change.value is None or row.verdict is None:
        return Text(""), Text(""), Text("")
    style = "bold" if row.verdict == "changes" else ""
    bounds = bounds_words(change.interval, digits)
    return (
        Text(points(change.value, digits), style=style),
        Text(bounds),
        Text(MARKS[row.verdict], style=style),
    )


def print_legend(comparison: Comparison, out: Console) -> None:
    """Print what the marks mean."""
    margin = margin_words(comparison.margin)
    lines = (
        "Below the baseline's rates: changes in points of all deals; plus: more often.",
        f"▲ ▼ beyond the margin of {margin}   ↑ ↓ shown, not beyond   plain: not shown",
        "● changes   ○ no change that matters   ◐ undecided   = same rules",
    )
    for line in lines:
        out.print(Text(line, style="dim"))
    out.print()


def print_sizes(comparison: Comparison, out: Console) -> None:
    """Print how table sizes compare: shares of lost deals as multiples of a fair share."""
    largest = max(table.base_positions for table in comparison.tables)
    grid = Grid(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    n_lineups = len({table.runs.lineup for table in comparison.tables})
    grid.add_column("× a fair share", max_width=NAME_WIDTH * 2, overflow="fold")
    grid.add_column("players", justify="right")
    for position in range(largest):
        grid.add_column(heading(str(position), comparison.view, teams=False), justify="right")
    for table in comparison.tables:
        for variant in table.variants:
            rows = [row for row in table.lost_shares if row.variant == variant.variant]
            shares = ["–" if row.share is None else f"{row.share / row.fair:.2f}" for row in rows]
            name = f"{variant.variant}, {variant.lineup}" if n_lineups > 1 else variant.variant
            grid.add_row(Text(name), str(variant.players), *shares)
    print_table(grid, out)
    out.print()


def _print_findings(comparison: Comparison, out: Console) -> None:
    """Print in how many line-ups each difference is shown."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("in how many line-ups", max_width=24, overflow="fold")
    grid.add_column("")
    several = len({each.players for each in comparison.findings}) > 1
    for head in (*(("players",) if several else ()), "shown", "not shown", "opposite"):
        grid.add_column(head, justify="right")
    for each in comparison.findings:
        teams = any(
            table.has_teams(each.variant)
            for table in comparison.tables
            if each.variant in {row.variant for row in table.variants}
        )
        cell = short_heading(each.cell, comparison.view, teams)
        sizes = (each.players,) if several else ()
        numbers = (str(number) for number in (*sizes, each.shown, each.not_shown, each.opposite))
        grid.add_row(Text(each.variant), Text(f"{cell} {each.direction}"), *numbers)
    print_table(grid, out)
    text = "Shown: same direction, and the interval excludes 0; direction alone often agrees by chance."
    out.print(Text(text, style="dim"))
    out.print()
