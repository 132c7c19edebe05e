"""`simcli run`: play deals in bulk."""

from __future__ import annotations

import shlex
import sys
from typing import Annotated

import typer

from simcli.cli.completion import variant_names
from simcli.errors import refusal
from simcli.runs.store.location import Location, location


def results_folder(text: str) -> Location:
    """Return the results folder that --out names."""
    if not text:
        raise refusal("--out", "expected a folder, got nothing")
    return location(text)


def run(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="VARIANT",
            help="Variant files (ending in .yaml or .yml, or with a slash) or names of shipped variants.",
            autocompletion=variant_names,
            show_default=False,
        ),
    ],
    deals: Annotated[
        str | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            help="Number of deals; 200k, 5M and 1_000_000 are numbers. [default: 1M]",
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="N", help="Table size. [default: the variant's]")
    ] = None,
    bots: Annotated[
        str, typer.Option(metavar="LINEUP", help="One bot for all seats, or one for each, with commas.")
    ] = "thrifty",
    seed: Annotated[str, typer.Option(metavar="S", help="Seed of everything random.")] = "1",
    workers: Annotated[
        str | None, typer.Option(metavar="W", help="Number of processes. [default: all cores]")
    ] = None,
    session: Annotated[
        str, typer.Option(metavar="K", help="Deals in a session: the loser deals the next one.")
    ] = "1",
    until_half_width: Annotated[
        str | None,
        typer.Option(
            metavar="POINTS",
            help="Stop when every 95 % interval of the table is as narrow: 0.1pp is ± a tenth of a point.",
        ),
    ] = None,
    max_deals: Annotated[
        str | None, typer.Option(metavar="N", help="With --until-half-width: deals at most.")
    ] = None,
    rotate: Annotated[
        bool,
        typer.Option(
            "--rotate",
            help="Play every rotation of the line-up, one run each: no bot has the better seats.",
        ),
    ] = False,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Results folder, or s3://BUCKET/PREFIX.")
    ] = "results",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start again from nothing where a run exists.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Play deals in bulk and say who lost how often.

    Every deal becomes a row of a Parquet file in the results folder. The same command goes on with a run that
    was stopped, prints the table of a finished one, and with more --deals plays only those that are missing.
    """
    from simcli.cli.rotation import print_strengths
    from simcli.cli.stopping import stopping_rule_of
    from simcli.cli.tables import outcome_mapping, print_json, print_next_command, print_outcome
    from simcli.rules.numbers import whole_number
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS
    from simcli.runs.conduct import conduct_all
    from simcli.runs.orders import make_orders
    from simcli.runs.plan import MAX_DEALS, MAX_SEED, MAX_SESSION
    from simcli.runs.pool import Pool
    from simcli.runs.report import report_for
    from simcli.runs.staged import conduct_each_until_narrow

    n_processes = n_workers(workers)
    rule = stopping_rule_of(until_half_width, None, max_deals, deals)
    orders = make_orders(
        variants,
        bots=bots,
        seed=whole_number(seed, "--seed", 0, MAX_SEED),
        session=whole_number(session, "--session", 1, MAX_SESSION),
        deals=None if deals is None else whole_number(deals, "--deals", 1, MAX_DEALS),
        players=None if players is None else whole_number(players, "--players", MIN_PLAYERS, MAX_PLAYERS),
        results=results_folder(out),
        fresh=fresh,
        rule=rule,
        rotate=rotate,
    )
    report = report_for(sys.stderr)
    outcomes = []
    try:
        with Pool(n_processes) as pool:
            if rule is None:
                played = conduct_all(orders, pool, report, fresh)
            else:
                played = conduct_each_until_narrow(orders, rule, pool, report, fresh)
            for outcome in played:
                outcomes.append(outcome)
                if not as_json:
                    print_outcome(outcome)
    except KeyboardInterrupt:
        report.say(f"stopped; complete parts stay. Go on with:\n  {_same_command()}")
        raise
    if as_json:
        print_json([outcome_mapping(outcome) for outcome in outcomes])
    else:
        if rotate:
            print_strengths(outcomes)
        print_next_command(outcomes[0])


def _same_command() -> str:
    """Return the present command without --fresh, which would throw away what is there."""
    return shlex.join(["simcli", *(word for word in sys.argv[1:] if word != "--fresh")])


def n_workers(text: str | None) -> int:
    """Return the number of processes asked for, by default one a core that this process may use."""
    from simcli.rules.numbers import whole_number
    from simcli.runs.pool import usable_cores

    if text is None:
        return usable_cores()
    return whole_number(text, "--workers", 1, 1024)
