"""Experiments on the terminal: what there is, what is planned, what came out."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from simcli.analysis.comparison import Comparison
from simcli.analysis.factorial import ranked
from simcli.analysis.found import Table, VerdictRow
from simcli.analysis.further import Further
from simcli.analysis.leftout import LeftOut
from simcli.analysis.lineup_words import ROTATED, players_words
from simcli.analysis.phrases import (
    decimals_for,
    heading,
    margin_words,
    points,
    short_name,
    table_words,
)
from simcli.analysis.pooled import leading_rotation
from simcli.analysis.sizes import HARDLY
from simcli.cli.compare_tables import (
    mark_of,
    print_legend,
    print_profile,
    print_sizes,
    print_skill,
    print_verdicts,
    sentence,
)
from simcli.cli.narrow import print_table
from simcli.cli.plan import duration
from simcli.cli.tables import console
from simcli.experiments.load import load_experiment
from simcli.experiments.planning import ExperimentPlan, PlannedCell
from simcli.experiments.result import Result
from simcli.report.answers import answers
from simcli.report.charts.contrasts import effect_words, than_words
from simcli.rules.shelf import EXPERIMENTS
from simcli.runs.store.location import Location

FEW_VERDICTS = 6
"""As many verdicts as are told one by one; of more, the strongest, below a table of all."""
STRONGEST = 5
TOP = 4
"""As many effects of options as are told for each table."""
WORDS = {"changes": ("●", "bold"), "inside": ("○", "dim"), "undecided": ("◐", "")}
"""The mark and style of what is said of an effect."""
MORE = 4
"""By how much more deals the next command asks for, where something is undecided."""
COUNTED = "counted is"
"""How the note begins that the heading of an overview makes needless."""


# ------------------------------------------------------------------------------------ what there is


def experiments_mapping() -> list[dict[str, str]]:
    """Return the shipped experiments as plain data."""
    loaded = [load_experiment(EXPERIMENTS.locate_shipped(name)) for name in EXPERIMENTS.shipped_names()]
    return [{"name": each.name, "title": each.heading, "question": each.question} for each in loaded]


def print_experiments() -> None:
    """Print the shipped experiments with their questions."""
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("experiment", no_wrap=True)
    grid.add_column("question", overflow="fold")
    listed = experiments_mapping()
    for each in listed:
        grid.add_row(Text(each["name"]), Text(each["question"]))
    out = console()
    print_table(grid, out)
    out.print()
    out.print(Text(f"What one takes: simcli experiment {listed[0]['name']} --dry-run"), soft_wrap=True)


# ------------------------------------------------------------------------------------ what is planned


def plan_line(plan: ExperimentPlan, seconds: float) -> str:
    """Return in one line what an experiment plays, and how long that takes."""
    n, experiment = len(plan.cells), plan.experiment
    cells = f"{n} {'run' if n == 1 else 'runs'}"
    most = "at most " if experiment.rule is not None else ""
    if not plan.missing:
        return f"{experiment.name}: {cells}, {plan.deals:,} deals, all there"
    takes = f"{most}{plan.missing:,} deals to play: {most}{duration(seconds)}"
    there = plan.deals - plan.missing
    return f"{experiment.name}: {cells}, {f'{there:,} deals there, ' if there else ''}{takes}"


def print_plan(plan: ExperimentPlan, seconds: float, command: str) -> None:
    """Print what an experiment would play, a line a variant and line-up, and the command that plays it."""
    out, experiment = console(), plan.experiment
    out.print(Text(experiment.heading, style="bold"))
    out.print(Text(experiment.question))
    out.print()
    sizes = sorted({planned.cell.players for planned in plan.cells})
    cells: dict[tuple[str, int, str], list[PlannedCell]] = {}
    for planned in plan.cells:
        lineup = _lineup(planned, experiment.rotate)
        cells.setdefault((planned.cell.name, planned.cell.players, lineup), []).append(planned)
    lineups = list(dict.fromkeys(lineup for _, _, lineup in cells))
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("deals to play", overflow="fold")
    if len(lineups) > 1:
        grid.add_column("line-up", overflow="fold")
    for size in sizes:
        grid.add_column(f"{size} players", justify="right")
    base = "" if experiment.base is None else experiment.base.name
    for name in dict.fromkeys(planned.cell.name for planned in plan.cells):
        for lineup in lineups:
            row = [cells.get((name, size, lineup), []) for size in sizes]
            if any(row):
                extra = [Text(lineup.replace(",", ", "))] if len(lineups) > 1 else []
                played = (Text(_to_play(together)) for together in row)
                grid.add_row(Text(short_name(name, base)), *extra, *played)
    print_table(grid, out)
    out.print()
    _print_left_out(plan.design.left_out, out)
    out.print(Text(plan_line(plan, seconds)))
    out.print(Text(f"  {command}"), soft_wrap=True)


def _lineup(planned: PlannedCell, is_rotated: bool) -> str:
    """Return the line-up of a cell, that of all its rotations if they are played."""
    lineup = planned.cell.lineup
    return f"{leading_rotation(lineup).text}{ROTATED}" if is_rotated else lineup.text


def _to_play(together: Sequence[PlannedCell]) -> str:
    """Return how many deals of some cells, the rotations of one line-up, are to be played."""
    if not together:
        return "–"
    missing = sum(planned.missing for planned in together)
    return f"{missing:,}" if missing else "there"


def plan_mapping(plan: ExperimentPlan, seconds: float) -> dict[str, Any]:
    """Return what `print_plan` prints as plain data."""
    return {
        "name": plan.experiment.name,
        "title": plan.experiment.heading,
        "question": plan.experiment.question,
        "deals": plan.deals,
        "missing": plan.missing,
        "seconds": seconds,
        "cells": [
            {
                "variant": planned.cell.name,
                "players": planned.cell.players,
                "lineup": planned.cell.lineup.text,
                "deals": planned.deals,
                "there": planned.there,
                "folder": str(planned.order.folder.path),
            }
            for planned in plan.cells
        ],
        "left_out": [gone.as_mapping() for gone in plan.design.left_out],
    }


def _print_left_out(left_out: Iterable[LeftOut], out: Console) -> None:
    listed = list(left_out)
    for gone in listed:
        out.print(Text(f"Left out: {gone}."))
    if listed:
        out.print()


# ------------------------------------------------------------------------------------ what came out


def print_result(result: Result, name: str, results: Location) -> None:
    """Print what came out of an experiment, on about a page.

    Parameters
    ----------
    result : Result
        What came out.
    name : str
        The experiment, as the command named it.
    results : Path or S3Url
        The results folder.
    """
    out = console()
    out.print(Text(result.experiment.heading, style="bold"))
    out.print(Text(result.experiment.question))
    out.print()
    _print_answers(result, out)
    for table in (table for table in _tables(result) if table.skill):
        out.print(Text(f"Skill: {table_words(table.runs.players, table.runs.lineup)}", style="bold"))
        print_skill(table, out)
    is_short = sum(len(table.verdicts) for table in _tables(result)) <= FEW_VERDICTS
    for comparison in result.comparisons:
        if is_short:
            _print_in_full(comparison, out)
        else:
            _print_overview(comparison, out)
    if any(table.verdicts for table in _tables(result)):
        if is_short:
            print_legend(result.comparisons[0], out)
        else:
            _print_marks(result.experiment.margin, out)
            _print_strongest(result, out)
    for each in result.further:
        _print_contrasts(each, out)
    notes = dict.fromkeys(note for comparison in result.comparisons for note in comparison.notes)
    for note in (note for note in notes if not note.startswith(COUNTED)):
        out.print(Text(f"Note: {note}."))
    _print_left_out(result.left_out, out)
    _print_next(result, name, results, out)


def _tables(result: Result) -> Iterator[Table]:
    for comparison in result.comparisons:
        yield from comparison.tables


def _print_in_full(comparison: Comparison, out: Console) -> None:
    """Print every verdict, who gains and who pays; where nothing is judged, how table sizes compare."""
    if not any(table.verdicts for table in comparison.tables):
        print_sizes(comparison, out)
        return
    for table in comparison.tables:
        print_verdicts(table, out)
        print_profile(comparison, table, out)


def _print_overview(comparison: Comparison, out: Console) -> None:
    """Print a line a variant, with its largest change in each table."""
    shown = [table for table in comparison.tables if table.verdicts]
    counted = "who is out first" if comparison.view.outcome == "first_out" else "who loses"
    lineups = list(dict.fromkeys(table.runs.lineup for table in shown))
    sizes = list(dict.fromkeys(table.runs.players for table in shown))
    for lineup in lineups:
        here = {table.runs.players: table for table in shown if table.runs.lineup == lineup}
        grid = Grid(box=None, pad_edge=False)
        grid.add_column(Text("largest change", style="dim"), overflow="fold")
        for size in sizes:
            grid.add_column(f"{size} players", justify="right", no_wrap=True)
        for name in dict.fromkeys(verdict.variant for table in here.values() for verdict in table.verdicts):
            changes = (_change(here[size], name) if size in here else Text("– ") for size in sizes)
            grid.add_row(Text(short_name(name, comparison.baseline)), *changes)
        out.print(Text(f"Against {comparison.baseline}, {players_words(lineup)}: {counted}", style="bold"))
        print_table(grid, out)
        out.print()


def _change(table: Table, name: str) -> Text:
    """Return a variant's change in the cell that its verdict names, with the mark of the verdict."""
    verdict = next((each for each in table.verdicts if each.variant == name), None)
    if verdict is None:
        return Text("– ")
    mark, style = mark_of(verdict)
    row = next((row for row in table.differences if (row.variant, row.cell) == (name, verdict.cell)), None)
    number = "" if row is None else points(row.difference, min(2, decimals_for(row.interval)))
    return Text(f"{number} {mark}", style=style)


def _print_marks(margin: float, out: Console) -> None:
    lines = (
        "The position, draw or stall that changes most, in points of all deals.",
        f"● changes more than the margin of {margin_words(margin)}   ○ less   ◐ undecided   = same rules",
    )
    for line in lines:
        out.print(Text(line, style="dim"))
    out.print()


def _print_strongest(result: Result, out: Console) -> None:
    """Print the verdicts on the variants that change most."""
    found: dict[str, tuple[float, VerdictRow]] = {}
    for table in _tables(result):
        sizes = {(row.variant, row.cell): abs(row.difference) for row in table.differences}
        for verdict in table.verdicts:
            size = sizes.get((verdict.variant, str(verdict.cell)), 0.0)
            if verdict.verdict == "changes" and size > found.get(verdict.variant, (0.0, verdict))[0]:
                found[verdict.variant] = size, verdict
    strongest = sorted(found.values(), key=lambda each: -each[0])[:STRONGEST]
    if not strongest:
        return
    out.print(Text("What changes most", style="bold"))
    for _, verdict in strongest:
        out.print(sentence(verdict, ""))
    out.print()


def _print_answers(result: Result, out: Console) -> None:
    """Print what was found beyond the verdicts, a sentence a table."""
    told = list(answers(result.comparisons, result.further))
    for sentence_ in told:
        out.print(Text(sentence_))
    if told:
        out.print()


def _print_contrasts(found: Further, out: Console) -> None:
    """Print the largest effects of options, each with the range of its simple effects."""
    largest = list(ranked(found.contrasts))[:TOP]
    if not largest:
        return
    teams = found.table.has_teams(found.table.variants[0].variant)
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("option", overflow="fold")
    grid.add_column("position", no_wrap=True)
    grid.add_column("effect", justify="right", no_wrap=True)
    grid.add_column(Text("smallest and largest", style="dim"), justify="right", no_wrap=True)
    for row in largest:
        mark, style = WORDS[row.verdict]
        cell = heading(row.cell, found.comparison.view, teams)
        digits = min(2, decimals_for(row.interval))
        grid.add_row(
            Text(f"{effect_words(row)}, {than_words(row)}"),
            Text(cell),
            Text(f"{points(row.effect, digits)} {mark}", style=style),
            Text(f"{points(row.simple_low, digits)} to {points(row.simple_high, digits)}"),
        )
    who = table_words(found.table.runs.players, found.table.runs.lineup)
    out.print(Text(f"Option by option, averaged over the others: {who}", style="bold"))
    print_table(grid, out)
    out.print()


def _print_next(result: Result, name: str, results: Location, out: Console) -> None:
    """Name the command that may be wanted next: more deals, or the numbers behind the strongest change."""
    where = [] if results == Path("results") else ["--out", str(results)]
    verdicts = [verdict for table in _tables(result) for verdict in table.verdicts]
    n_open = sum(verdict.verdict == "undecided" for verdict in verdicts)
    experiment = result.experiment
    if n_open and experiment.rule is None:
        there = min((run.deals for run in result.runs), default=experiment.deals)
        command = shlex.join(["simcli", "experiment", name, "-n", str(MORE * there), *where])
        is_hopeless = all(HARDLY in each.sentence for each in verdicts if each.verdict == "undecided")
        hint = "More deals will hardly decide." if is_hopeless else f"More deals: {command}"
        out.print(Text(f"{n_open} of {len(verdicts)} verdicts are undecided. {hint}"), soft_wrap=True)
    ranked = [(table, table.ranking[0]) for table in _tables(result) if table.ranking]
    if ranked:
        table, first = max(ranked, key=lambda each: abs(each[1].difference))
        runs = (table.runs.baseline.run, table.run_of(first.variant))
        folders = [str(member.path) for run in runs for member in run.members]
        who = f"{first.variant}, {table_words(table.runs.players, table.runs.lineup)}"
        out.print(
            Text(f"All numbers of {who}: {shlex.join(['simcli', 'compare', *folders])}"), soft_wrap=True
        )
    elif result.runs:
        folder = shlex.quote(str(result.runs[0].path))
        out.print(Text(f"All numbers of a run: simcli compare {folder}"), soft_wrap=True)
