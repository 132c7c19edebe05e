"""Find the function that an own bot is, in a file or in an installed package, and load it."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from simcli.bots.own.limits import Clock, TooLong
from simcli.rules.wording import did_you_mean, printable, printable_path

GROUP = "simcli.bots"
SUFFIX = ".py"
LOADING_S = 60.0


class Unusable(Exception):
    """A bot cannot be used; the message says why, as a problem does."""


@dataclass(frozen=True)
class Source:
    """Hold the function of a bot and what names it.

    Attributes
    ----------
    name : str
        How a line-up names it, without parameters: ``my_bot.py:choose``, or the name of an entry point.
    path : Path
        The file that it stands in.
    sha256 : str
        Hash of that file.
    function : callable
        The function.
    """

    name: str
    path: Path
    sha256: str
    function: Callable[..., Any] = field(compare=False, repr=False)

    def place_of(self, error: BaseException) -> str:
        """Return the line of the bot's own file at which an exception passed last, or nothing."""
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == str(self.path)
        ]
        return f"{printable_path(shown_path(self.path))}:{lines[-1]}" if lines else ""


def shown_path(path: Path) -> Path:
    """Return a path from the working folder on if it lies there."""
    folder = Path.cwd()
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def is_file_name(name: str) -> bool:
    """Return whether a bot's text names a file first, rather than a bot.

    >>> is_file_name("my_bot.py:choose"), is_file_name("bots/mine"), is_file_name("thrifty")
    (True, True, False)
    """
    first = name.partition(":")[0]
    return "/" in first or first.endswith(SUFFIX)


def canonical_name(file: str, function: str) -> str:
    """Return the one name of a bot in a file: from the working folder on if the file lies there."""
    path = Path(file).expanduser().absolute()
    path = path.parent.resolve() / path.name if ".." in path.parts else path
    return f"{shown_path(path)}:{function}"


def entry_point_of(name: str) -> EntryPoint | None:
    """Return the entry point of an installed package that has this name, None if none has."""
    return next(iter(entry_points(group=GROUP, name=name)), None)


def entry_point_names() -> list[str]:
    """Return the names of the bots that installed packages bring."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def load_source(name: str) -> Source:
    """Return the bot of a name: its file is loaded anew where it has changed.

    Raises
    ------
    Unusable
        It cannot be found or loaded.
    """
    file, colon, function = name.partition(":")
    if not colon:
        return _installed(name)
    path = Path(file).absolute()
    content = _content(path, file)
    module = _module(path, content)
    return Source(name, path, hashlib.sha256(content).hexdigest(), _function(module, path, function))


def _content(path: Path, shown: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        message = f"expected a bot's file, there is no {printable_path(shown)}"
        raise Unusable(f"{message} in {printable_path(path.parent)}") from None
    except OSError as error:
        raise Unusable(
            f"{printable_path(shown)}: expected a bot's file, it cannot be read ({error.strerror})"
        ) from None


@cache
def _module(path: Path, content: bytes) -> ModuleType:
    """Return a file as a module; what lies beside it can be imported by it."""
    name = f"simcli_own_{path.stem}_{hashlib.sha256(content).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise Unusable(f"{printable_path(shown_path(path))}: expected a file that ends in {SUFFIX}")
    module = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules[name] = module
    try:
        with Clock(LOADING_S) as clock:
            clock.start()
            exec(compile(content, str(path), "exec"), module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise Unusable(_why_not_loaded(path, error)) from None
    return module


def _why_not_loaded(path: Path, error: BaseException) -> str:
    lines = [
        frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
    ]
    line = error.lineno if isinstance(error, SyntaxError) and error.filename == str(path) else None
    line = line or (lines[-1] if lines else None)
    place = printable_path(shown_path(path)) + (f":{line}" if line else "")
    if isinstance(error, TooLong):
        return f"{place}: expected a file that is loaded at once, it was not after {LOADING_S:g} seconds"
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{place}: expected a file that can be loaded, got {error_text(error, what)}"


def error_text(error: BaseException, message: str | None = None) -> str:
    """Return an exception in a few words, as the last line of a traceback has it.

    >>> error_text(KeyError("x")), error_text(ValueError())
    ("KeyError: 'x'", 'ValueError')
    """
    try:
        text = printable(str(error) if message is None else message)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _function(module: ModuleType, path: Path, name: str) -> Callable[..., Any]:
    """Return the function of a module that a bot names."""
    where = printable_path(shown_path(path))
    found = getattr(module, name, None)
    if found is None:
        names = [
            key
            for key, value in vars(module).items()
            if callable(value)
            and not key.startswith("_")
            and getattr(value, "__module__", "") == module.__name__
        ]
        there = f"it has {', '.join(names)}" if names else "it has no function"
        hint = did_you_mean(name, names) or f" – {there}"
        raise Unusable(
            f"{where}: expected a function {printable(name) or '(FILE:FUNCTION)'}, there is none{hint}"
        )
    if not callable(found) or inspect.isclass(found):
        kind = "a class" if inspect.isclass(found) else f"a value ({type(found).__name__})"
        raise Unusable(f"{where}: {name}: expected a function, got {kind}")
    return found


def _installed(name: str) -> Source:
    point = entry_point_of(name)
    if point is None:
        raise Unusable(f"expected a bot of an installed package, none brings {printable(name)} any more")
    try:
        found = point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise Unusable(
            f"{name}: expected a bot that can be loaded, {point.value} gives {error_text(error)}"
        ) from None
    module = sys.modules.get(point.value.partition(":")[0])
    path = Path(str(getattr(module, "__file__", "")))
    if not callable(found) or inspect.isclass(found) or not path.is_file():
        raise Unusable(f"{name}: expected a function in a file, {point.value} is none")
    return Source(name, path, hashlib.sha256(path.read_bytes()).hexdigest(), found)
