"""Commands that were given in a way that none is: one line in the words of all other messages."""

from __future__ import annotations

import re
from typing import Any

import typer

from simcli.cli.examples import EXAMPLES
from simcli.errors import InputError, refusal
from simcli.rules.wording import choice, did_you_mean, printable

UsageError: type[Exception] = typer.BadParameter.__mro__[1]
"""What the parser raises for any command that it cannot read."""
PROGRAM = "simcli"
QUOTED = re.compile(r"'([^']*)'")
NOTHING_GIVEN = "NoArgsIsHelpError"


def refusal_of(error: Any) -> InputError | None:
    """Return a parser's fault as our messages are; None for a group by itself, which shows its help.

    Parameters
    ----------
    error : UsageError
        What the parser raised.
    """
    if type(error).__name__ == NOTHING_GIVEN:
        return None
    command = _command(error.ctx)
    if hasattr(error, "possibilities"):
        return refusal(command, _unknown_option(error, command))
    if hasattr(error, "option_name"):
        return refusal(error.option_name, _misused_option(error, command))
    if hasattr(error, "param_type"):
        return refusal(command, f"expected {_metavar(error.param)}, got none{_way_out(command)}")
    if getattr(error, "param", None) is not None:
        return refusal(_name(error.param), _bad_value(error.message))
    return refusal(command, _too_much(error, command))


def _command(context: Any) -> str:
    """Return the command that was given, without how the program was called."""
    words: list[str] = []
    while context is not None and context.parent is not None:
        words.insert(0, str(context.info_name))
        context = context.parent
    return " ".join([PROGRAM, *words])


def _options(context: Any) -> list[str]:
    params = context.command.get_params(context)
    names = [name for each in params for name in (*each.opts, *each.secondary_opts)]
    return [name for name in names if name.startswith("-")]


def _unknown_option(error: Any, command: str) -> str:
    meant = did_you_mean(error.option_name, _options(error.ctx)) if error.ctx else ""
    got = printable(error.option_name)
    return f"expected one of its options, got {got}{meant or f' – {command} --help names them'}"


def _misused_option(error: Any, command: str) -> str:
    """Say that an option lacks its value, or has one though it is a switch."""
    if "does not take" in error.message:
        return "expected no value, got one"
    param = next(
        (each for each in error.ctx.command.get_params(error.ctx) if error.option_name in each.opts), None
    )
    what = "a value" if param is None or not param.metavar else f"{param.metavar} behind it"
    return f"expected {what}, got none{_way_out(command, error.option_name)}"


def _bad_value(message: str) -> str:
    """Say which values there are, and which one was given."""
    got, *values = QUOTED.findall(message)
    if not values:
        return message
    return f"expected {choice(values)}, got {printable(got) or 'nothing'}{did_you_mean(got, values)}"


def _too_much(error: Any, command: str) -> str:
    """Say which words were not expected: a command that there is not, or arguments too many."""
    commands = getattr(error.ctx.command, "commands", None) if error.ctx else None
    if commands is not None:
        got = next(iter(QUOTED.findall(error.message)), "")
        below = [name for name, group in commands.items() if got in getattr(group, "commands", ())]
        meant = f" – did you mean {below[0]} {got}?" if below else did_you_mean(got, list(commands))
        meant = meant or f" – {command} --help names them"
        return f"expected one of its commands, got {printable(got) or 'nothing'}{meant}"
    extra = re.search(r" \((.*)\)$", error.message)
    if error.ctx is None or extra is None:
        return str(error.message)
    names = [_metavar(each) for each in error.ctx.command.params if each.param_type_name == "argument"]
    expected = f"{' and '.join(names)} and no more" if names else "no argument"
    return f"expected {expected}, got {printable(extra[1])}, too{_way_out(command)}"


def _way_out(command: str, option: str = "") -> str:
    """Return an example of the command, with the option if there is one."""
    examples = EXAMPLES.get(command.removeprefix(f"{PROGRAM} "), ())
    fitting = [line for line in examples if option in line.split()] if option else list(examples)
    return f" – for example: {fitting[0]}" if fitting else f" – {command} --help says more"


def _name(param: Any) -> str:
    return str(param.opts[0]) if param.param_type_name == "option" else _metavar(param)


def _metavar(param: Any) -> str:
    """Return what a place is called in the help; alternatives as words."""
    if param.param_type_name == "option":
        return _name(param)
    return str(param.metavar or param.name.upper()).replace("|", " or ")
