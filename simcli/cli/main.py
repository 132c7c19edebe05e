"""The commands, and the only place that ends the program."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Annotated

import typer

from simcli import __version__
from simcli.cli import (
    bench,
    bots,
    bots_tune,
    compare,
    experiment,
    init,
    ladder,
    plan,
    referee,
    replay,
    report,
    run,
    runs,
    variants,
    verify,
)
from simcli.cli.encoding import never_fail
from simcli.cli.examples import examples, first_steps
from simcli.cli.helptext import PlainCommand, PlainGroup, help_settings
from simcli.cli.output import whole_output
from simcli.cli.speech import USUAL, speak, with_speech
from simcli.cli.usage import UsageError, refusal_of
from simcli.errors import InputError, RunError
from simcli.runs.identity import engine_signature
from simcli.terminal import fitted

EXIT_FAILED = 1
EXIT_INPUT = 2


def _group(name: str, about: str) -> typer.Typer:
    """Return a group of commands that all look alike."""
    return typer.Typer(
        name=name,
        cls=PlainGroup,
        help=about,
        epilog=first_steps(name),
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings=help_settings(),
    )


def _add(group: typer.Typer, name: str, command: Callable[..., None]) -> None:
    """Add a command with its examples, and with --verbose and --quiet."""
    full = name if group is app else f"{group.info.name} {name}"
    group.command(name, cls=PlainCommand, epilog=examples(full))(with_speech(command))


app = _group("simcli", "Compare the house rules of the card game Durak by playing millions of deals.")
_add(app, "run", run.run)
_add(app, "compare", compare.compare)
_add(app, "report", report.report)
_add(app, "plan", plan.plan)
_add(app, "experiment", experiment.experiment)
_add(app, "replay", replay.replay)
_add(app, "runs", runs.runs)
_add(app, "verify", verify.verify)
_add(app, "referee", referee.referee)
_add(app, "bench", bench.bench)
_add(app, "init", init.init)

rules = _group("variants", "Read, compare, check and write the rules of tables.")
_add(rules, "list", variants.list_)
_add(rules, "show", variants.show)
_add(rules, "diff", variants.diff)
_add(rules, "check", variants.check)
_add(rules, "new", variants.new)
_add(rules, "schema", variants.schema)
_add(rules, "hash", variants.hash_)
app.add_typer(rules)

players = _group("bots", inspect.getdoc(bots.bots) or "")
players.info.no_args_is_help, players.info.subcommand_metavar = False, "[COMMAND] [ARGS]..."
players.callback(invoke_without_command=True)(with_speech(bots.bots))
_add(players, "check", bots.check)
_add(players, "ladder", ladder.ladder)
_add(players, "tune", bots_tune.tune)
app.add_typer(players)


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
    """Run a command and end with its exit code: 1 a run failed, 2 wrong input."""
    never_fail(sys.stdout, sys.stderr)
    speak(USUAL)
    try:
        with whole_output():
            sys.exit(_given())
    except InputError as error:
        _fail(error, EXIT_INPUT)
    except RunError as error:
        _fail(error, EXIT_FAILED)


def _given() -> int:
    """Carry out the command that was given; return the code with which it wants to end.

    Raises
    ------
    InputError
        There is no such command, or not with such options.
    """
    try:
        return int(app(standalone_mode=False) or 0)
    except UsageError as error:
        fault = refusal_of(error)
        if fault is not None:
            raise fault from None
        print(error, file=sys.stderr)  # a group by itself shows its help
        return EXIT_INPUT
    except typer.Abort:
        raise RunError("simcli: expected an answer, got the end of the input") from None


def _fail(error: Exception, code: int) -> None:
    print(fitted(str(error), sys.stderr), file=sys.stderr)
    sys.exit(code)
