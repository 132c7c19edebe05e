"""`simcli bots`: what there is to know about bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcli.cli.completion import variant_names
from simcli.cli.speech import Quiet, Verbose
from simcli.errors import refusal

if TYPE_CHECKING:
    from simcli.runs.check_bot import Examination

EXIT_WRONG = 1


def bots(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
) -> None:
    """List the bots, check one of your own, measure how strong they are.

    Without a command: every bot that ships, with its parameters, its rank and what it costs as they were
    measured, and those of installed packages.
    """
    if context.invoked_subcommand is not None:
        given = {"--json": as_json, "--verbose": verbose, "--quiet": quiet}
        for option in (option for option, is_given in given.items() if is_given):
            command = f"simcli bots {context.invoked_subcommand}"
            raise refusal(command, f"expected {option} behind the command, got it before")
        return
    from simcli.cli.bot_pages import catalogue_mapping, print_catalogue
    from simcli.cli.tables import print_json

    if as_json:
        print_json(catalogue_mapping())
    else:
        print_catalogue()


def check(
    bot: Annotated[
        str,
        typer.Argument(
            metavar="BOT",
            help="The bot as --bots takes it: FILE.py:FUNCTION, with its parameters.",
            show_default=False,
        ),
    ],
    deals: Annotated[
        str, typer.Option("--deals", "-n", metavar="N", help="Deals at each table of each variant.")
    ] = "1",
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="V",
            help="Only under this variant; may be given several times. [default: all that ship]",
            show_default=False,
            autocompletion=variant_names,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Check a bot of your own before it plays for real.

    It plays whole deals under every variant and at every table size, and is asked at every decision
    of as many more: whether it keeps to the rules, answers the same when asked again, is blind to hidden
    cards, leaves its view alone, and decides in time. Exit code 1: it does not, and the first fault of each
    kind is told with the command that replays the deal.
    """
    from simcli.cli.tables import print_json
    from simcli.rules.numbers import whole_number
    from simcli.runs.check_bot import check_bot

    found = check_bot(bot, whole_number(deals, "--deals", 1, 10_000), variant or ())
    if as_json:
        print_json(_mapping(found))
    else:
        _print(found)
    if not found.ok:
        raise typer.Exit(EXIT_WRONG)


def _print(found: Examination) -> None:
    from rich.text import Text

    from simcli.cli.tables import console
    from simcli.runs.check_bot import CHECKS

    out = console()
    out.print(Text(f"{found.bot}, a {found.kind} bot, at {found.tables} tables:"))
    for name, meaning in CHECKS.items():
        fault = found.faults.get(name)
        if fault is not None:
            out.print(Text(f"  wrong  {name}: {fault.text}"))
            out.print(Text(f"         see it with: {fault.replay}"), soft_wrap=True)
        elif found.decisions or name == "whole deals":
            out.print(Text(f"  ok     {name}: {meaning}"))
        else:
            out.print(Text(f"  –      {name}: not looked at, mend the rest first"))
    if found.decisions:
        out.print(Text(_figures(found)))


def _figures(found: Examination) -> str:
    stalled = f", {found.stalled:,} of them stalled" if found.stalled else ""
    return (
        f"{found.deals:,} deals{stalled}; {found.decisions:,} questions of {len(found.asked)} kinds, "
        f"{1e6 * found.mean_s:,.0f} µs a decision, the slowest {1e3 * found.slowest_s:,.1f} ms"
    )


def _mapping(found: Examination) -> dict[str, Any]:
    from simcli.runs.check_bot import CHECKS

    return {
        "bot": found.bot,
        "kind": found.kind,
        "ok": found.ok,
        "tables": found.tables,
        "deals": found.deals,
        "stalled": found.stalled,
        "decisions": found.decisions,
        "asked": sorted(found.asked),
        "mean_s": found.mean_s,
        "slowest_s": found.slowest_s,
        "checks": [
            {
                "check": name,
                "ok": name not in found.faults,
                "text": found.faults[name].text if name in found.faults else meaning,
                "replay": found.faults[name].replay if name in found.faults else None,
            }
            for name, meaning in CHECKS.items()
        ],
    }
