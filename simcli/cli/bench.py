"""`simcli bench`: measure how fast deals are played."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.completion import variant_names
from simcli.errors import refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from simcli.runs.bench.baseline import Baseline, Compared
    from simcli.runs.bench.figures import Figures
    from simcli.runs.plan import Match

USUAL_TABLES = (2, 3, 4, 6)
TRIGGER_BOT = "lowest"
YARDSTICK = Path("tests", "bench", "durak.c")
EXIT_SLOWER = 1
LEAST_S, MOST_S = 0.001, 60.0


def bench(
    variants: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="VARIANT…",
            help="Variants to measure. [default: classic]",
            show_default=False,
            autocompletion=variant_names,
        ),
    ] = None,
    players: Annotated[
        list[str] | None,
        typer.Option(metavar="N", help="Table size; may be repeated. [default: 2, 3, 4 and 6]"),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(metavar="LINEUP", help="Line-up; may be repeated. [default: each shipped bot]"),
    ] = None,
    seconds: Annotated[str, typer.Option(metavar="S", help="CPU seconds of the engine for each line.")] = "1",
    yardstick: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Compare with the yardstick, tests/bench/durak.c in a checkout; needs gcc.",
            show_default=False,
        ),
    ] = None,
    triggers: Annotated[
        bool, typer.Option("--triggers", help="Measure what noting the options that decided costs.")
    ] = False,
    runs: Annotated[
        bool, typer.Option("--runs", help="Measure whole commands and 1, 2 … workers; a minute or two.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Measure all of this; best in a checkout, on an idle machine.")
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Also write the figures into a page between its marks.", show_default=False
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the speeds in units of a fixed work, for --against.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Compare with what --save wrote; exit code 1 if slower.", show_default=False
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure how fast deals are played.

    Prints the deals a CPU second on one core for each variant, table size and line-up, with the engine
    compiled and warm. Options add how this compares with a C program, what noting the options that decided
    costs (for the variants named, else for all that ship), and what whole commands take.
    """
    from simcli.bots.registry import BOTS
    from simcli.cli.run import n_workers
    from simcli.cli.tables import print_json
    from simcli.rules.numbers import whole_number
    from simcli.rules.shipped import shipped_names
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS
    from simcli.runs.bench.figures import Wanted, measure
    from simcli.runs.bench.page import load_page, write_page
    from simcli.runs.bench.speed import default_tables, make_matches
    from simcli.runs.bench.steps import steps_for

    tables = [whole_number(n, "--players", MIN_PLAYERS, MAX_PLAYERS) for n in players or ()]
    usual = [bot for bot, entry in BOTS.items() if not entry.looks_ahead]
    page = None if markdown is None else load_page(markdown)
    steps = steps_for(sys.stderr)
    if save is not None or against is not None:
        others = {"--yardstick": yardstick, "--triggers": triggers, "--runs": runs, "--all": everything,
                  "--markdown": markdown}  # fmt: skip
        beside = [option for option, value in others.items() if value]
        if beside:
            raise refusal("--save" if against is None else "--against", f"expected it without {beside[0]}")
        matches = make_matches(variants or ["classic"], tables, bots or usual, USUAL_TABLES)
        _compare(matches, _seconds(seconds), save, against, as_json)
        return
    if everything and yardstick is None:
        yardstick = _found_yardstick()
        if yardstick is None:
            steps.say(f"without the yardstick: no {YARDSTICK} here, or no gcc to build it with")
    wanted = Wanted(
        make_matches(variants or ["classic"], tables, bots or usual, USUAL_TABLES),
        default_tables(variants or shipped_names(), TRIGGER_BOT) if triggers or everything else (),
        yardstick,
        runs or everything,
        _seconds(seconds),
        n_workers(None),
    )
    _make_ready(wanted.matches)
    figures = measure(wanted, steps)
    if page is not None and markdown is not None:
        write_page(markdown, page, figures)
    if as_json:
        print_json(figures.as_mapping())
    else:
        _print_figures(figures)


def _compare(
    matches: Sequence[Match], cpu_s: float, save: Path | None, against: Path | None, as_json: bool
) -> None:
    """Measure in units of a fixed work; save that, compare it with what was saved, or both."""
    from simcli.cli.run import n_workers
    from simcli.cli.tables import print_json
    from simcli.rules.wording import printable_path
    from simcli.runs.bench.baseline import compare_baselines, load_baseline, measure_baseline, save_baseline
    from simcli.runs.bench.steps import steps_for

    before = None if against is None else load_baseline(against)
    if before is not None and not {(m.variant.name, m.players, m.lineup.text) for m in matches} & {
        line.table for line in before.lines
    }:
        where = printable_path(against or "")
        raise refusal(where, "expected a line that is measured now, got none – measure what was saved")
    _make_ready(matches)
    now = measure_baseline(matches, cpu_s, n_workers(None), steps_for(sys.stderr))
    if save is not None:
        save_baseline(save, now)
    if before is None:
        print_json(now.as_mapping()) if as_json else _print_lines(now)
        return
    compared = compare_baselines(before, now)
    print_json([each.as_mapping() for each in compared]) if as_json else _print_compared(before, compared)
    if any(each.verdict == "slower" for each in compared):
        raise typer.Exit(EXIT_SLOWER)


def _make_ready(matches: Sequence[Match]) -> None:
    """Compile what the matches need, where that has not been done."""
    from simcli.runs.engine import ready_engine
    from simcli.runs.report import report_for

    report = report_for(sys.stderr)
    ready_engine(report)
    if any(match.lineup.looks_ahead for match in matches):
        ready_engine(report, looks_ahead=True)


def _found_yardstick() -> Path | None:
    """Return the yardstick of the checkout in which the command is given, if it can be built."""
    from simcli.runs.bench.yardstick import can_compile

    return YARDSTICK if YARDSTICK.is_file() and can_compile() else None


def _seconds(text: str) -> float:
    """Return a number of seconds."""
    number = float(text) if re.fullmatch(r"\d+(\.\d+)?|\.\d+", text) else 0.0
    if not LEAST_S <= number <= MOST_S:
        from simcli.rules.wording import printable

        expected = f"expected seconds from {LEAST_S} to {MOST_S:.0f}"
        raise refusal("--seconds", f"{expected}, got {printable(text) or 'nothing'}")
    return number


def _print_lines(baseline: Baseline) -> None:
    rows = [(*map(str, line.table), f"{line.ratio:,.0f}", f"±{line.error:.1%}") for line in baseline.lines]
    _print_rows(("variant", "players", "bots", "speed", "error"), rows)
    print("\nspeed: deals in the time of a million loops of a fixed work, on the same core")


def _print_compared(before: Baseline, compared: Sequence[Compared]) -> None:
    rows = [
        (
            *map(str, each.now.table),
            f"{each.before.ratio:,.0f}",
            f"{each.now.ratio:,.0f}",
            f"{each.change:+.1%}".replace("-", "−"),
            f"±{each.noise:.1%}",
            each.verdict.upper() if each.verdict == "slower" else each.verdict,
        )
        for each in compared
    ]
    _print_rows(("variant", "players", "bots", "before", "now", "change", "noise", ""), rows)
    n_slower = sum(each.verdict == "slower" for each in compared)
    print(f"\n{n_slower or 'none'} of {len(compared)} lines slower beyond the noise")
    print(f"before: {before.machine.get('simcli')}, {before.machine.get('processor')}")


def _print_rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table, numbers to the right."""
    from rich.table import Table
    from rich.text import Text

    from simcli.cli.tables import console

    table = Table(box=None, pad_edge=False)
    for name in head:
        table.add_column(name, justify="left" if name in ("variant", "bots", "") else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    console().print(table)


def _print_figures(figures: Figures) -> None:
    """Print what was measured, a table each."""
    from rich.text import Text

    from simcli.cli.tables import console, print_section
    from simcli.runs.bench.sections import sections

    out = console()
    for section in sections(figures):
        print_section(section, out)
        out.print()
    machine = figures.machine
    out.print(Text(f"{machine['processor']}; {machine['python']}; {machine['libraries']}"))
