"""The entry point: the commands, and the only place that ends the program."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from simcli import __version__
from simcli.cli import bench, compare, plan, referee, replay, run, runs
from simcli.cli.encoding import never_fail
from simcli.cli.output import whole_output
from simcli.errors import InputError, RunError
from simcli.runs.identity import engine_signature

EXIT_FAILED = 1
EXIT_INPUT = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="simcli",
    help="Compare the house rules of the card game Durak by playing millions of deals.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
app.command("run")(run.run)
app.command("compare")(compare.compare)
app.command("plan")(plan.plan)
app.command("replay")(replay.replay)
app.command("runs")(runs.runs)
app.command("referee")(referee.referee)
app.command("bench")(bench.bench)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"simcli {__version__}, engine signature {engine_signature()}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print version and engine signature."
        ),
    ] = False,
) -> None:
    """Compare the house rules of the card game Durak by playing millions of deals."""


def main() -> None:
    """Run a command and end with its exit code: 1 a run failed, 2 wrong input, 130 Ctrl-C."""
    never_fail(sys.stdout, sys.stderr)
    try:
        with whole_output():
            app()
    except InputError as error:
        _fail(error, EXIT_INPUT)
    except RunError as error:
        _fail(error, EXIT_FAILED)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)


def _fail(error: Exception, code: int) -> None:
    print(error, file=sys.stderr)
    sys.exit(code)
