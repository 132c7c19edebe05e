"""`simcli bots tune`: adapt the weights of a bot to the rules of a table."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcli.cli.completion import variant_names
from simcli.errors import InputError, RunError, refusal

if TYPE_CHECKING:
    from simcli.analysis.rates import Estimate
    from simcli.tuning.botfile import Tuned

MOST_MINUTES = 10_000
DEFAULT_FILE = "my_thrifty.py"


def tune(
    variant: Annotated[
        str,
        typer.Option(
            metavar="V",
            help="The variant: its name or file.",
            show_default=False,
            autocompletion=variant_names,
        ),
    ],
    players: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Table sizes, with commas. [default: 2,3,4, as far as it seats so many]"
        ),
    ] = None,
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="What to begin with: thrifty, or thrifty:weights=SET.")
    ] = "thrifty",
    generations: Annotated[
        str,
        typer.Option(
            "--generations", "-n", metavar="N", help="Generations for two seats, and for more than two."
        ),
    ] = "80",
    deals: Annotated[
        str, typer.Option(metavar="N", help="Deals of each of its 14 members at each table.")
    ] = "10k",
    minutes: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="End the search by the clock, if that is sooner; what it finds depends on it then.",
        ),
    ] = None,
    test: Annotated[
        str, typer.Option(metavar="N", help="Packs at each table in which the outcome is tested.")
    ] = "50k",
    seed: Annotated[str, typer.Option(metavar="S", help="Seed of everything random.")] = "1",
    workers: Annotated[
        str | None, typer.Option(metavar="W", help="Number of threads. [default: all cores]")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The bot's file.")] = Path(
        DEFAULT_FILE
    ),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tune the weights of thrifty to a variant by play against itself.

    One seat plays by changed weights, the others by the usual ones or the best so far, and what loses less
    often goes on. The outcome is tested in packs that the search has not seen, and written as a bot's file:
    --bots my_thrifty.py:choose plays it. The same seed and generations give the same weights. Ctrl-C ends the
    search and keeps the best so far. Needs pip install 'simcli[tune]'.
    """
    from simcli.cli.run import n_workers
    from simcli.cli.tables import print_json
    from simcli.rules.load import load_variant
    from simcli.rules.numbers import whole_number
    from simcli.rules.wording import printable_path
    from simcli.runs.outfile import check_file, write_file
    from simcli.runs.report import report_for
    from simcli.tuning.botfile import Tuned
    from simcli.tuning.search import MAX_SEED, Budget, Search, refuse_without_cma
    from simcli.tuning.tune import gains_of, make_ready, start_of, tables_of

    sizes = [] if players is None else [_size(text) for text in players.split(",")]
    budget = Budget(
        whole_number(generations, "--generations", 1, 100_000),
        whole_number(deals, "--deals", 100, 10_000_000),
        None if minutes is None else _minutes(minutes),
    )
    n_packs = whole_number(test, "--test", 100, 100_000_000)
    n_seed = whole_number(seed, "--seed", 0, MAX_SEED)
    threads = n_workers(workers)
    tables = tables_of(load_variant(variant), sizes)
    start = start_of(bot, tables[0])
    _refuse_no_module(output)
    check_file(output)
    _refuse_other_file(output)
    refuse_without_cma()
    report = report_for(sys.stderr)
    make_ready(tables[0], report)
    found = Search(tables, start, budget, n_seed, threads, report).run()
    tuned = Tuned(tables[0].name, found, shlex.join(["simcli", *sys.argv[1:]]))
    is_whole = not found.is_stopped
    if is_whole:
        try:
            tuned = replace(tuned, gains=gains_of(tables, found.weights, start, n_seed, n_packs, report))
        except KeyboardInterrupt:
            is_whole = False
    source = tuned.source(printable_path(output))
    try:
        write_file(output, source.encode())
    except (InputError, RunError) as error:
        print(source)
        raise RunError(f"{error} – what was to be in it is printed instead") from None
    if not is_whole:
        report.say(f"stopped after {tuned.played}; the best so far, untested, is in {printable_path(output)}")
        raise KeyboardInterrupt
    if as_json:
        print_json(_mapping(tuned, output))
    else:
        _print(tuned, output)


def _size(text: str) -> int:
    """Return one of the table sizes."""
    from simcli.rules.numbers import whole_number
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS

    return whole_number(text, "--players", MIN_PLAYERS, MAX_PLAYERS)


def _minutes(text: str) -> float:
    """Return a number of minutes."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number <= MOST_MINUTES:
        from simcli.rules.wording import printable

        expected = f"expected minutes above 0 and up to {MOST_MINUTES:,}"
        raise refusal("--minutes", f"{expected}, got {printable(text) or 'nothing'}")
    return number


def _refuse_no_module(path: Path) -> None:
    """Raise an `InputError` if a file's name is not that of a bot's file."""
    from simcli.bots.own.source import SUFFIX

    if path.suffix != SUFFIX:
        from simcli.rules.wording import printable_path

        raise refusal(printable_path(path), f"expected a file that ends in {SUFFIX}, for it is to be a bot")


def _refuse_other_file(path: Path) -> None:
    """Raise an `InputError` if a file is there that no tuning has written."""
    from simcli.rules.wording import printable_path
    from simcli.tuning.botfile import MARK

    if path.is_file() and MARK not in path.read_bytes():
        expected = "expected a new file or one that simcli bots tune has written"
        raise refusal(printable_path(path), f"{expected}, got another – name one with -o")


def _print(tuned: Tuned, path: Path) -> None:
    from rich.table import Table
    from rich.text import Text

    from simcli.cli.tables import console
    from simcli.rules.wording import listing, printable_path
    from simcli.tuning.botfile import heading, points_text

    out = console()
    out.print(Text(f"thrifty tuned to {tuned.variant}: {tuned.played}", style="bold"), soft_wrap=True)
    out.print(Text(heading(tuned.gains)))
    table = Table(box=None, pad_edge=False)
    for head in ("players", "it alone loses", "the usual one alone loses"):
        table.add_column(head, justify="right")
    for gain in tuned.gains:
        cells = (str(gain.players), points_text(gain.among_usual), points_text(gain.among_tuned))
        table.add_row(*map(Text, cells))
    out.print(table)
    unclear = [str(gain.players) for gain in tuned.gains if not gain.is_shown]
    if unclear:
        out.print(Text(f"With {listing(unclear, 6)} players that is no clear gain."))
    command = f"simcli run {tuned.variant} --bots {printable_path(path)}:choose"
    out.print(Text(f"Play it: {command}"), soft_wrap=True)


def _mapping(tuned: Tuned, path: Path) -> dict[str, Any]:
    def interval(estimate: Estimate) -> dict[str, float | None]:
        bounds = estimate.interval
        low, high = (None, None) if bounds is None else (bounds.low, bounds.high)
        return {"difference": estimate.value, "low": low, "high": high}

    return {
        "variant": tuned.variant,
        "generations": tuned.found.generations,
        "weights": tuned.found.weights._asdict(),
        "gains": [
            {
                "players": gain.players,
                "packs": gain.packs,
                "among_usual": interval(gain.among_usual),
                "among_tuned": interval(gain.among_tuned),
            }
            for gain in tuned.gains
        ],
        "file": str(path),
    }
