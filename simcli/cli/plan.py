"""`simcli plan`: how many deals a comparison takes, and how long."""

from __future__ import annotations

import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.comparing import WorkersOption
from simcli.cli.completion import variant_names
from simcli.cli.executors import (
    CollectOption,
    ExecutorOption,
    LineupOption,
    OutOption,
    SeedOption,
    workers_asked,
)
from simcli.cli.interrupted import say_stopped
from simcli.cli.run import results_folder
from simcli.errors import refusal
from simcli.runs.store.location import Location

if TYPE_CHECKING:
    from simcli.analysis.planning import ComparisonPlan, PlannedVariant

COMMAND = "simcli plan"
DEFAULT_MARGIN = "0.5pp"
MINUTE_S, HOUR_S, DAY_S = 60, 3600, 86_400


def plan(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="VARIANT…",
            help="Variant files or names of shipped variants.",
            show_default=False,
            autocompletion=variant_names,
        ),
    ],
    margin: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help=f"Deals for a verdict at this margin. [default: {DEFAULT_MARGIN}]",
            show_default=False,
        ),
    ] = None,
    half_width: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help="Instead: deals for changes known as narrowly; 0.1pp is ± a tenth of a point.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Compare with this one. [default: classic, else the first]"),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="N", help="Table size. [default: the baseline's]")
    ] = None,
    bots: LineupOption = "thrifty",
    seed: SeedOption = "1",
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    collect: CollectOption = False,
    out: OutOption = "results",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of lines.")] = False,
) -> None:
    """Say how many deals a comparison takes, and how long.

    A pilot of 20,000 deals of each variant tells how much the variants differ deal by deal. It is the
    beginning of the run: the comparison plays on from there.
    """
    from simcli.analysis.missing import commission, refuse_nothing_to_judge
    from simcli.analysis.planning import plan_comparison
    from simcli.cli.tables import print_json
    from simcli.rules.numbers import whole_number
    from simcli.rules.points import share_of_points
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS
    from simcli.runs.executors import opened_pool, place_of
    from simcli.runs.plan import MAX_SEED
    from simcli.runs.report import report_for
    from simcli.runs.stopping import LARGEST_THRESHOLD

    if margin is not None and half_width is not None:
        raise refusal(COMMAND, "expected --margin or --half-width, got both")
    place, n_most = place_of(executor, collect), workers_asked(workers)
    results = results_folder(out)
    size = None if players is None else whole_number(players, "--players", MIN_PLAYERS, MAX_PLAYERS)
    if half_width is not None:
        threshold = share_of_points(half_width, "--half-width", LARGEST_THRESHOLD)
    else:
        threshold = share_of_points(margin or DEFAULT_MARGIN, "--margin", LARGEST_THRESHOLD)
    ordered = commission(
        variants,
        lineups=[bots],
        baseline=baseline,
        players=[] if size is None else [size],
        by_players=False,
        deals=None,
        seed=whole_number(seed, "--seed", 0, MAX_SEED),
        session=1,
        results=results,
    )
    refuse_nothing_to_judge(ordered.orders, baseline, COMMAND)
    report = report_for(sys.stderr)
    try:
        with opened_pool(place, n_most, report) as pool:
            found = plan_comparison(
                ordered.orders,
                "margin" if half_width is None else "half-width",
                threshold,
                baseline,
                pool,
                report,
            )
    except KeyboardInterrupt:
        say_stopped(report)
        raise
    command = _command(variants, found, baseline, size, results)
    if as_json:
        print_json({**asdict(found), "left_out": list(ordered.left_out), "command": command})
    else:
        _print(found, ordered.left_out, command)


def _command(
    variants: list[str], found: ComparisonPlan, baseline: str | None, players: int | None, out: Location
) -> str:
    """Return the command that plays what was planned."""
    from simcli.analysis.phrases import margin_words

    words = ["simcli", "compare", *variants]
    if baseline is not None:
        words += ["--baseline", baseline]
    if found.aim == "margin":
        words += ["--margin", f"{margin_words(found.threshold)}pp"]
    if players is not None:
        words += ["--players", str(players)]
    if found.lineup != "thrifty":
        words += ["--bots", found.lineup]
    if found.seed != 1:
        words += ["--seed", str(found.seed)]
    if out != Path("results"):
        words += ["--out", str(out)]
    return shlex.join([*words, "-n", str(found.deals if _needs_more(found) else found.pilot)])


def _needs_more(found: ComparisonPlan) -> bool:
    """Return whether more deals than the pilot's would decide anything."""
    return any(each.deals is not None and each.deals > found.pilot for each in found.variants)


def _print(found: ComparisonPlan, left_out: tuple[str, ...], command: str) -> None:
    """Print a line a variant, and the command to give next."""
    from rich.table import Table
    from rich.text import Text

    from simcli.analysis.phrases import table_words
    from simcli.cli.tables import console

    out = console()
    title = f"Against {found.baseline}: {table_words(found.players, found.lineup)}"
    out.print(Text(f"{title}, from a pilot of {found.pilot:,} deals", style="bold"))
    grid = Table.grid(padding=(0, 2, 0, 0))
    for each in found.variants:
        grid.add_row(Text(each.variant), Text(_words(each, found)))
    for name in found.not_compared:
        grid.add_row(Text(name), Text("not compared: teams and single players have other positions"))
    out.print(grid)
    for text in left_out:
        out.print(Text(f"left out: {text}"), soft_wrap=True)
    out.print()
    if _needs_more(found):
        out.print(Text(f"{found.deals:,} deals of each, {duration(found.seconds)} more:"))
    else:
        out.print(Text("What the pilot shows:"))
    out.print(Text(f"  {command}"), soft_wrap=True)


def _words(each: PlannedVariant, found: ComparisonPlan) -> str:
    """Say what a variant takes, and what that will decide."""
    from simcli.analysis.phrases import margin_words
    from simcli.analysis.sizes import HARDLY, MOST_DEALS

    size = margin_words(found.threshold)
    if each.cell is None or each.difference is None:
        return "the same rules: nothing to find out"
    if each.deals is None:
        return HARDLY if found.aim == "margin" else f"more than {MOST_DEALS:,} deals for changes to ±{size}"
    takes = f"{each.deals:,} deals, {duration(each.seconds or 0.0)}"
    if found.aim == "half-width" and each.deals <= found.pilot:
        return f"the pilot is enough: every change to ±{size} or better"
    if found.aim == "half-width":
        return f"{takes}: every change to ±{size} or better"
    if each.deals <= found.pilot:
        return f"decided by the pilot: {each.verdict}"
    word = "more" if each.is_beyond else "not more"
    return f"{takes}: whether it changes more than the margin of {size}; {word}, by the pilot"


def duration(seconds: float) -> str:
    """Return a time in its largest unit.

    >>> duration(0.2), duration(75), duration(5000)
    ('1 s', '1.2 min', '1.4 h')
    """
    for unit, word in ((DAY_S, "days"), (HOUR_S, "h"), (MINUTE_S, "min")):
        if seconds >= unit:
            return f"{seconds / unit:.2g} {word}"
    return f"{max(1.0, seconds):.0f} s"
