"""`simcli run`: play deals in bulk."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.comparing import FrameName, OutcomeName, SummaryOption, WorkersOption
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
from simcli.cli.speech import remark
from simcli.errors import InputError, refusal
from simcli.runs.store.location import Location, location

if TYPE_CHECKING:
    from simcli.analysis.joint import JointOrder
    from simcli.runs.outcome import Outcome
    from simcli.runs.pool import Pool
    from simcli.runs.report import Report


def results_folder(text: str) -> Location:
    """Return the results folder that --out names."""
    if not text:
        raise refusal("--out", "expected a folder, got nothing")
    return location(text)


def run(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="VARIANT…",
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
    bots: LineupOption = "thrifty",
    seed: SeedOption = "1",
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    collect: CollectOption = False,
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
    out: OutOption = "results",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start again from nothing where a run exists.")
    ] = False,
    summary: SummaryOption = False,
    baseline: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="With --summary: count against this one. [default: classic, else the first]"
        ),
    ] = None,
    frame: Annotated[
        FrameName | None,
        typer.Option(
            help="With --summary: from where positions count.  [default: opener]", show_default=False
        ),
    ] = None,
    outcome: Annotated[
        OutcomeName | None,
        typer.Option(
            help="With --summary: who loses, or who is out first.  [default: loss]", show_default=False
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Play deals in bulk and say who lost how often.

    Every deal becomes a row of a Parquet file in the results folder. The same command goes on with a run that
    was stopped, prints the table of a finished one, and with more --deals plays only those that are missing.
    """
    from simcli.runs.executors import early_pool, opened_pool, place_of
    from simcli.runs.report import report_for

    place, n_most = place_of(executor, collect), workers_asked(workers)
    results, report = results_folder(out), report_for(sys.stderr)
    is_new = until_half_width is None and _is_surely_new(variants, deals, seed, results, fresh)
    with early_pool(place, n_most, is_new) as early:  # what follows takes half a second to load
        from simcli.cli.rotation import print_strengths
        from simcli.cli.stopping import stopping_rule_of
        from simcli.cli.tables import outcome_mapping, print_json, print_next_command, print_outcome
        from simcli.rules.numbers import whole_number
        from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS
        from simcli.runs.conduct import conduct_all
        from simcli.runs.orders import make_orders
        from simcli.runs.plan import MAX_DEALS, MAX_SEED, MAX_SESSION
        from simcli.runs.staged import conduct_each_until_narrow

        rule = stopping_rule_of(until_half_width, None, max_deals, deals)
        n_seed = whole_number(seed, "--seed", 0, MAX_SEED)
        n_session = whole_number(session, "--session", 1, MAX_SESSION)
        n_deals = None if deals is None else whole_number(deals, "--deals", 1, MAX_DEALS)
        size = None if players is None else whole_number(players, "--players", MIN_PLAYERS, MAX_PLAYERS)
        carry_out: Callable[[Pool], Iterator[Outcome]]
        if summary:
            from simcli.analysis.joint import joint_commission, refuse_counted_rotation, refuse_rule

            refuse_rule(rule)
            if rotate:
                refuse_counted_rotation()
            joint = joint_commission(
                variants, lineups=[bots], baseline=baseline, players=[] if size is None else [size],
                by_players=False, deals=n_deals, seed=n_seed, session=n_session, results=results,
                frame="opener" if frame is None else frame.value,
                outcome=None if outcome is None else outcome.value, fresh=fresh,
            )  # fmt: skip
            for text in joint.left_out:
                remark(f"left out: {text}")
            carry_out = partial(_counted, joint.orders, report, fresh)
        else:
            _refuse_without_summary({"--baseline": baseline, "--frame": frame, "--outcome": outcome})
            orders = make_orders(
                variants, bots=bots, seed=n_seed, session=n_session, deals=n_deals, players=size,
                results=results, fresh=fresh, rule=rule, rotate=rotate,
            )  # fmt: skip
            if rule is None:
                carry_out = partial(conduct_all, orders, report=report, fresh=fresh)
            else:
                carry_out = partial(conduct_each_until_narrow, orders, rule, report=report, fresh=fresh)
        outcomes = []
        try:
            with opened_pool(place, n_most, report, early) as pool:
                for played in carry_out(pool=pool):
                    outcomes.append(played)
                    if not as_json:
                        print_outcome(played)
        except KeyboardInterrupt:
            say_stopped(report)
            raise
        if as_json:
            print_json([outcome_mapping(outcome) for outcome in outcomes])
        else:
            if rotate:
                print_strengths(outcomes)
            print_next_command(outcomes[0])


def _is_surely_new(
    variants: Sequence[str], deals: str | None, seed: str, results: Location, fresh: bool
) -> bool:
    """Return whether there is as good as certainly something to play, and for longer than workers start."""
    from simcli.rules.numbers import whole_number
    from simcli.runs.executors import SURELY_LONG

    try:
        n_deals = SURELY_LONG if deals is None else whole_number(deals, "--deals", 1, sys.maxsize)
    except InputError:  # which is told later, with all that is wrong
        return False
    if n_deals * len(variants) < SURELY_LONG or not isinstance(results, Path):
        return False
    names = (f"*{escape(Path(each).stem)}*-s{escape(seed)}*/run.yaml" for each in variants)
    return fresh or not any(path for name in names for path in results.glob(name))


def _counted(orders: Sequence[JointOrder], report: Report, fresh: bool, pool: Pool) -> Iterator[Outcome]:
    """Yield what variants that are counted together came to."""
    from simcli.analysis.joint import play_joint

    for joint in play_joint(orders, pool, report, fresh):
        yield from joint.outcomes()


def _refuse_without_summary(options: Mapping[str, object]) -> None:
    """Raise an `InputError` if an option says what counts are of, where rows are kept."""
    for option, value in options.items():
        if value is not None:
            raise refusal(option, "expected --summary with it – rows answer for all: give it to compare")


def n_workers(text: str | None) -> int:
    """Return the number of processes asked for, by default one a core that this process may use."""
    from simcli.rules.numbers import whole_number
    from simcli.runs.pool import usable_cores

    if text is None:
        return usable_cores()
    return whole_number(text, "--workers", 1, 1024)
