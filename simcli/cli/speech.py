"""What a command says beside its answer: remarks on the error stream, more of them or none.

Remarks are log records of the logger `simcli`: the layers below know nothing of options.
"""

from __future__ import annotations

import functools
import inspect
import logging
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from simcli import __version__
from simcli.errors import refusal
from simcli.runs.identity import engine_signature
from simcli.terminal import fitted

VERBOSE, USUAL, QUIET = logging.DEBUG, logging.INFO, logging.ERROR

Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more: the version, the files used.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]


class _Remarks(logging.Handler):
    """Write each remark once on the error stream."""

    def __init__(self) -> None:
        super().__init__()
        self._said: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a remark, unless it has been made before."""
        text = record.getMessage()
        if text not in self._said:
            self._said.add(text)
            print(fitted(text, sys.stderr), file=sys.stderr, flush=True)


def speak(level: int) -> None:
    """Let remarks of a level and above be heard on the error stream."""
    logger = logging.getLogger("simcli")
    for handler in logger.handlers[:]:
        if isinstance(handler, _Remarks):
            logger.removeHandler(handler)
    logger.addHandler(_Remarks())
    logger.setLevel(level)
    logger.propagate = False


def remark(text: str) -> None:
    """Make a remark; with --quiet it is not heard."""
    logging.getLogger("simcli").info("%s", text)


def with_speech(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that knows --verbose and --quiet besides its own options."""
    signature = inspect.signature(command, eval_str=True)
    own = frozenset(signature.parameters)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in (("verbose", Verbose), ("quiet", Quiet))
        if name not in own
    ]

    @functools.wraps(command)
    def speaking(*arguments: Any, **values: Any) -> None:
        _choose(verbose=values["verbose"], quiet=values["quiet"])
        command(*arguments, **{key: value for key, value in values.items() if key in own})

    parameters = [*signature.parameters.values(), *added]
    speaking.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return speaking


def _choose(*, verbose: bool, quiet: bool) -> None:
    if verbose and quiet:
        raise refusal("simcli", "expected either --verbose or --quiet, got both")
    speak(VERBOSE if verbose else QUIET if quiet else USUAL)
    logging.getLogger("simcli").debug("simcli %s, engine signature %s", __version__, engine_signature())
