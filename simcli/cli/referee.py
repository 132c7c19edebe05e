"""`simcli referee`: settle positions and check records of whole games."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcli.cli.completion import variant_names
from simcli.cli.speech import remark
from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.terminal import fitted

if TYPE_CHECKING:
    from simcli.records.verdict import Verdict

COMMAND = "simcli referee"
EXIT_WRONG = 1
EXIT_INPUT = 2
STDIN = "-"
KERNELS = ("begin_position", "list_legal", "apply_move", "why_illegal")


class Form(StrEnum):
    """How verdicts are written down."""

    text = "text"
    json = "json"


def referee(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENARIO…",
            help="Scenarios (YAML) and records (.jsonl); - is standard input.",
            show_default=False,
        ),
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="Words for people, or one JSON object.")] = Form.text,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show the course of every file.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only what is wrong.")] = False,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Step through a scenario, or through a deal.")
    ] = False,
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="V",
            help="Interactive: file or name of a variant.",
            show_default=False,
            autocompletion=variant_names,
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="N", help="Interactive: table size.", show_default=False)
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(
            metavar="S", help="Interactive: seed of the deal; drawn if omitted.", show_default=False
        ),
    ] = None,
    deal: Annotated[
        str | None,
        typer.Option(metavar="I", help="Interactive: the deal, counted from 0.", show_default=False),
    ] = None,
    template: Annotated[
        bool, typer.Option("--template", help="Print a scenario to fill in, with what each line means.")
    ] = False,
) -> None:
    """Settle positions by the rules, or check records of whole games.

    A scenario is a file that says who holds what, what was done, and what is asked: --template prints one.
    Exit code 0: every step is legal and every expectation met; 1: one is not, and the rule that decides it is
    named; 2: a file cannot be read. Of several files the worst counts. A single scenario is shown step by
    step, several files by a line each.
    """
    if template:
        from simcli.records.template import TEMPLATE

        others = (files, interactive, variant, players, seed, deal, verbose, quiet, form is not Form.text)
        if any(other not in (None, False) and other != [] for other in others):
            raise refusal(COMMAND, "expected --template alone, got more")
        typer.echo(TEMPLATE, nl=False)
        return
    options = {"--variant": variant, "--players": players, "--seed": seed, "--deal": deal}
    named = [option for option, value in options.items() if value is not None]
    if named and not interactive:
        belong = "belongs" if len(named) == 1 else "belong"
        raise refusal(COMMAND, f"{' and '.join(named)} {belong} to --interactive – add it")
    if interactive:
        if files and named:
            raise refusal(COMMAND, f"a scenario has its own deal – leave {' and '.join(named)} out")
        if len(files or ()) > 1:
            raise refusal(COMMAND, f"expected one scenario to step through, got {len(files or ())}")
        _step_through(files[0] if files else None, variant, players, seed, deal)
        return
    if not files:
        raise refusal(COMMAND, "expected scenarios or records, got none – --template prints one to fill in")
    if verbose and quiet:
        raise refusal(COMMAND, "expected either --verbose or --quiet, got both")
    verdicts, problems = _settled(files)
    if form is Form.json:
        _write_json(verdicts, problems)
    else:
        _write_text(verdicts, many=len(files) > 1, verbose=verbose, quiet=quiet)
    for each in problems:
        typer.echo(fitted(str(each), sys.stderr), err=True)
    code = EXIT_INPUT if problems else 0 if all(verdict.ok for verdict in verdicts) else EXIT_WRONG
    raise typer.Exit(code)


def _say_if_compiling() -> None:
    """Explain the pause on a machine where the referee's part of the engine has not been used yet."""
    from simcli.runs.engine import are_compiled

    if not are_compiled(KERNELS):
        remark("compiling the referee: once on this machine, a few seconds …")


def _settled(files: list[str]) -> tuple[list[Verdict], list[InputError]]:
    """Return the verdicts about all that can be read, and the errors about the rest."""
    from simcli.records.judge import judge, load_file, load_stdin
    from simcli.records.scenario import Scenario

    verdicts: list[Verdict] = []
    errors: list[InputError] = []
    for file in files:
        try:
            loaded = load_stdin() if file == STDIN else load_file(Path(file))
            if not verdicts:
                _say_if_compiling()
            verdicts += judge(loaded)
            if not isinstance(loaded, Scenario) and loaded.problems:
                errors.append(input_error(loaded.problems))
        except InputError as error:
            errors.append(error)
    return verdicts, errors


def _write_text(verdicts: list[Verdict], *, many: bool, verbose: bool, quiet: bool) -> None:
    from simcli.records.verdict_text import course_text, verdict_line

    for verdict in verdicts:
        if verbose or (not many and not quiet and verdict.kind == "scenario"):
            for line in course_text(verdict):
                typer.echo(line)
            typer.echo("")
        if not quiet or not verdict.ok:
            typer.echo(fitted(verdict_line(verdict), sys.stdout))
    if many and not quiet:
        n_wrong = sum(not verdict.ok for verdict in verdicts)
        typer.echo(f"{len(verdicts)} checked, {n_wrong or 'none'} wrong")


def _write_json(verdicts: list[Verdict], errors: list[InputError]) -> None:
    import json

    problems = [_problem_json(problem) for error in errors for problem in problems_of(error)]
    answer = {
        "ok": not problems and all(verdict.ok for verdict in verdicts),
        "verdicts": [verdict.to_json() for verdict in verdicts],
        "problems": problems,
    }
    typer.echo(json.dumps(answer, indent=2, ensure_ascii=False))


def _problem_json(problem: Problem) -> dict[str, str | int | None]:
    return {
        "file": problem.where,
        "line": problem.line,
        "key": problem.key,
        "message": problem.message,
    }


def _step_through(
    file: str | None, variant: str | None, players: str | None, seed: str | None, deal: str | None
) -> None:
    """Let a person step through a scenario, or through a deal, until they quit or their input ends."""
    from simcli.records.sitting import MAX_DEAL, Sitting, sitting_at_deal, sitting_at_scenario
    from simcli.rules.numbers import whole_number
    from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS
    from simcli.runs.plan import MAX_SEED

    size = None if players is None else whole_number(players, "--players", MIN_PLAYERS, MAX_PLAYERS)
    n_seed = None if seed is None else whole_number(seed, "--seed", 0, MAX_SEED)
    index = None if deal is None else whole_number(deal, "--deal", 0, MAX_DEAL)
    _say_if_compiling()
    sitting: Sitting
    if file is None:
        sitting = sitting_at_deal(variant or "classic", size, n_seed, index)
    else:
        sitting = sitting_at_scenario(Path(file))
    for line in sitting.greeting():
        typer.echo(line)
    while not sitting.done:
        entry = _entered()
        if entry is None:
            typer.echo("")
            return
        for line in sitting.answer(entry):
            typer.echo(line)


def _entered() -> str | None:
    """Return the next line that a person types or a pipe brings, None at the end of the input."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 – lets input() edit the line
        try:
            return input("> ")
        except EOFError:
            return None
    typer.echo("> ", nl=False)
    entry = sys.stdin.readline()
    if entry:
        typer.echo(entry.rstrip("\n"))
    return entry or None
