"""`simcli experiment`: answer a question from a file."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from simcli.cli.comparing import WorkersOption
from simcli.cli.executors import CollectOption, ExecutorOption, OutOption, workers_asked
from simcli.cli.interrupted import say_stopped
from simcli.cli.run import n_workers, results_folder
from simcli.errors import refusal

COMMAND = "simcli experiment"


def experiment(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="EXPERIMENT",
            help="An experiment file (ending in .yaml or .yml, or with a slash) or a shipped one's name.",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        str | None,
        typer.Option(
            "--deals",
            "-n",
            metavar="N",
            help="Deals of each variant at each table; 200k and 5M are numbers. [default: the file's]",
        ),
    ] = None,
    workers: WorkersOption = None,
    executor: ExecutorOption = "local",
    collect: CollectOption = False,
    out: OutOption = "results",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The page to write. [default: reports/NAME.html]"
        ),
    ] = None,
    png: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write every chart into this folder, too, as PNG.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be played, and how long that takes.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the shipped experiments.")] = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of experiment files, for editors.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Answer a question from a file: play what it takes, say what came out, and write a page about it.

    The file names variants, or options to vary, and tables. What is there already is not played again, and an
    experiment that was stopped goes on where it was.
    """
    from simcli.cli.experiment_tables import (
        experiments_mapping,
        plan_line,
        plan_mapping,
        print_experiments,
        print_plan,
        print_result,
    )
    from simcli.cli.pages import PAGES, check_places, write_page
    from simcli.cli.tables import print_json
    from simcli.experiments.conduct import conduct_experiment
    from simcli.experiments.load import load_experiment
    from simcli.experiments.planning import plan_experiment
    from simcli.experiments.schema import schema_text
    from simcli.rules.numbers import whole_number
    from simcli.runs.executors import opened_pool, place_of
    from simcli.runs.plan import MAX_DEALS
    from simcli.runs.report import report_for

    if listed or schema:
        _refuse_beside("--list" if listed else "--schema", name is not None or (listed and schema))
        if schema:
            sys.stdout.write(schema_text())
        elif as_json:
            print_json(experiments_mapping())
        else:
            print_experiments()
        return
    if name is None:
        raise refusal(COMMAND, "expected an experiment, got none – --list names those that ship")
    place, n_most, n_processes = place_of(executor, collect), workers_asked(workers), n_workers(workers)
    n_deals = None if deals is None else whole_number(deals, "--deals", 1, MAX_DEALS)
    asked = load_experiment(name)
    if n_deals is not None:
        asked = asked.with_deals(n_deals)
    page = output or PAGES / f"{asked.name}.html"
    check_places(page, png, None, COMMAND)
    plan = plan_experiment(asked, results_folder(out))
    report = report_for(sys.stderr)
    seconds = plan.seconds(n_processes, report)
    if dry_run:
        if as_json:
            print_json(plan_mapping(plan, seconds))
        else:
            print_plan(plan, seconds, _command_to_play())
        return
    report.say(plan_line(plan, seconds))
    try:
        with opened_pool(place, n_most, report) as pool:
            result = conduct_experiment(plan, pool, report)
    except KeyboardInterrupt:
        say_stopped(report)
        raise
    if as_json:
        print_json(result.to_dict())
    else:
        print_result(result, name, results_folder(out))
    write_page(result, page, png, None, workers=n_processes)


def _refuse_beside(option: str, is_beside: bool) -> None:
    if is_beside:
        raise refusal(COMMAND, f"expected {option} alone, got more")


def _command_to_play() -> str:
    """Return the present command without --dry-run."""
    return shlex.join(["simcli", *(word for word in sys.argv[1:] if word != "--dry-run")])
