"""`simcli bots ladder`: measure bots against each other."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simcli.cli.completion import variant_names
from simcli.cli.executors import CollectOption, ExecutorOption, workers_asked
from simcli.cli.interrupted import say_stopped
from simcli.cli.run import results_folder

DEFAULT_SEED = "1"
DEFAULT_OUT = "results"


def ladder(
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOT",
            help="Bots, with their parameters. [default: all that ship, endgame:1000 and montecarlo:32]",
            show_default=False,
        ),
    ] = None,
    variant: Annotated[
        str,
        typer.Option(metavar="V", help="The rules: a variant file or a name.", autocompletion=variant_names),
    ] = "classic",
    players: Annotated[
        str | None, typer.Option(metavar="N", help="Table size. [default: the variant's]")
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            help="Packs of each pair, played once a rotation. [default: 20k; 1k where a bot takes its time]",
        ),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Seed of everything random.")] = DEFAULT_SEED,
    workers: Annotated[
        str | None, typer.Option(metavar="W", help="Number of processes. [default: all cores]")
    ] = None,
    executor: ExecutorOption = "local",
    collect: CollectOption = False,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Results folder, or s3://BUCKET/PREFIX.")
    ] = DEFAULT_OUT,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also save it as JSON.", show_default=False)
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write it into a page between its marks.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Measure how strong bots are against each other, on one scale.

    Of each pair one bot sits among others of the other kind, and the other way round, at every seat in turn
    and with the same packs. What was played lies in the results folder and is not played again.
    """
    from simcli.analysis.duels import LEAST_PACKS
    from simcli.api import ladder as measured
    from simcli.arguments import seated
    from simcli.cli.ladder_tables import block_of, markdown_text, print_ladder
    from simcli.cli.speech import remark
    from simcli.cli.tables import print_json
    from simcli.rules.numbers import whole_number
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS
    from simcli.rules.wording import printable_path
    from simcli.runs.marked import load_marked, with_block
    from simcli.runs.outfile import check_file, write_file
    from simcli.runs.plan import MAX_DEALS, MAX_SEED
    from simcli.runs.report import Notices

    size = None if players is None else whole_number(players, "--players", MIN_PLAYERS, MAX_PLAYERS)
    table = seated(variant, size)
    page = None if markdown is None else load_marked(markdown, block_of(table.name, table.players))
    for file in (save, markdown):
        if file is not None:
            check_file(file)
    try:
        found = measured(
            bots or None,
            table,
            None if deals is None else whole_number(deals, "--deals", LEAST_PACKS, MAX_DEALS),
            seed=whole_number(seed, "--seed", 0, MAX_SEED),
            workers=workers_asked(workers),
            executor=executor,
            collect=collect,
            out=results_folder(out),
            progress=True,
        )
    except KeyboardInterrupt:
        say_stopped(Notices(sys.stderr))
        raise
    written = {}
    if save is not None:
        content = json.dumps(found.to_dict(), indent=1, ensure_ascii=False, allow_nan=False)
        written[save] = f"{content}\n"
    if markdown is not None and page is not None:
        written[markdown] = with_block(page, block_of(found.variant, found.players), markdown_text(found))
    for file, text in written.items():
        write_file(file, text.encode())
        remark(f"written: {printable_path(file)}")
    if as_json:
        print_json(found.to_dict())
    else:
        print_ladder(found, _options(variant, found.players, seed, out))


def _options(variant: str, players: int, seed: str, out: str) -> list[str]:
    """Return the options that name a ladder's table and runs, those that are as usual left out."""
    usual = {"--variant": None, "--players": None, "--seed": DEFAULT_SEED, "--out": DEFAULT_OUT}
    given = {"--variant": variant, "--players": str(players), "--seed": seed, "--out": out}
    return [word for option, value in given.items() if value != usual[option] for word in (option, value)]
