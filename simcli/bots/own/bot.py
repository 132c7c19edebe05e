"""An own bot at a seat: its function, what it is set to, how a line-up writes it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from simcli.bots.choose import FIRST_OWN
from simcli.bots.own.source import Source, Unusable, canonical_name, error_text, is_file_name, load_source
from simcli.engine.layout import N_BOT_PARAMS
from simcli.errors import refusal
from simcli.rules.wording import choice, did_you_mean, printable

PLAIN = "choose(view, legal, …)"
COMPILED = "choose(state, …)"

Reading = Callable[[str], Any]


@dataclass(frozen=True)
class OwnBot:
    """Hold an own bot and what it is set to.

    Attributes
    ----------
    source : Source
        Its function.
    values : tuple of (str, value)
        All its parameters.
    text : str
        It as a line-up has it, defaults left out.
    is_compiled : bool
        Whether it is a compiled function of the state, not a plain one of a view.
    """

    source: Source
    values: tuple[tuple[str, Any], ...]
    text: str
    is_compiled: bool

    @property
    def code(self) -> int:
        """Return the number by which this process knows it."""
        if self not in _known:
            _known.append(self)
        return FIRST_OWN + _known.index(self)

    @property
    def slots(self) -> tuple[int, ...]:
        """Return what its seat's slots of the state hold: the parameters of a compiled bot."""
        values = tuple(int(value) for _, value in self.values) if self.is_compiled else ()
        return values + (0,) * (N_BOT_PARAMS - len(values))


_known: list[OwnBot] = []


def bot_of_code(code: int) -> OwnBot | None:
    """Return the own bot that has a number in this process, None for a shipped bot's number."""
    return _known[code - FIRST_OWN] if code >= FIRST_OWN else None


def split_text(text: str) -> tuple[str, list[str]]:
    """Return the name in a bot's text and the parts behind it.

    >>> split_text("my_bot.py:choose:k=2"), split_text("theirs:k=2")
    (('my_bot.py:choose', ['k=2']), ('theirs', ['k=2']))
    """
    first, *rest = text.split(":")
    if is_file_name(first):
        return f"{first}:{rest[0] if rest else ''}", rest[1:]
    return first, rest


def read_own(text: str) -> OwnBot:
    """Return the own bot that one seat's text stands for, its file as it is now.

    Raises
    ------
    Unusable
        It cannot be found, loaded or set so.
    """
    name, parts = split_text(text)
    if is_file_name(name):
        file, _, function = name.partition(":")
        name = canonical_name(file, function)
    return _bot(load_source(name), tuple(parts))


@cache
def own_bot(text: str, sha256: str) -> OwnBot:
    """Return the own bot of a text, which must be the one of a hash.

    Raises
    ------
    InputError
        It is not, or cannot be found or loaded.
    """
    name, parts = split_text(text)
    try:
        bot = _bot(load_source(name), tuple(parts))
    except Unusable as error:
        raise refusal("--bots", str(error)) from None
    if bot.source.sha256 != sha256:
        raise refusal("--bots", changed_text(name, sha256, bot.source.sha256))
    return bot


def changed_text(name: str, before: str, now: str) -> str:
    """Return in words that the file of a bot is another one than that of a run."""
    return (
        f"{printable(name)}: expected the file as it was when the run began (SHA-256 {before[:12]}…), "
        f"got another ({now[:12]}…) – put that one back, or give another --out or --fresh"
    )


@cache
def _bot(source: Source, parts: tuple[str, ...]) -> OwnBot:
    function = getattr(source.function, "py_func", source.function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        raise Unusable(f"{source.name}: expected a function {PLAIN}, got one without a signature") from None
    given = [each for each in signature.parameters.values() if _is_given_by_place(each)]
    is_compiled = is_dispatcher(source.function) or (not _jit_enabled() and len(given) == 1)
    n_given = 1 if is_compiled else 2
    if len(given) != n_given and not _takes(signature, n_given):
        raise Unusable(_wrong_signature(source.name, signature, is_compiled))
    settable = list(signature.parameters.values())[n_given:]
    values = _values(source.name, settable, parts, is_compiled)
    if is_compiled:
        _refuse_what_numba_cannot(source, len(values))
    defaults = {each.name: each.default for each in settable}
    told = "".join(
        f":{name}={value}" for name, value in values if defaults.get(name, inspect.Parameter.empty) != value
    )
    return OwnBot(source, values, source.name + told, is_compiled)


def is_dispatcher(function: object) -> bool:
    """Return whether a function is one that numba compiles."""
    return hasattr(function, "py_func") and hasattr(function, "signatures")


def _jit_enabled() -> bool:
    from simcli.engine.jit import JIT_ENABLED

    return JIT_ENABLED


def _is_given_by_place(parameter: inspect.Parameter) -> bool:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return parameter.kind in kinds and parameter.default is inspect.Parameter.empty


def _takes(signature: inspect.Signature, n_given: int) -> bool:
    """Return whether a function takes so many arguments by place, the others having values or names."""
    by_place = list(signature.parameters.values())[:n_given]
    return len(by_place) == n_given and all(_is_given_by_place(each) for each in by_place)


def _wrong_signature(name: str, signature: inspect.Signature, is_compiled: bool) -> str:
    function = name.rpartition(":")[2]
    message = f"{name}: expected a function {COMPILED if is_compiled else PLAIN}, got {function}{signature}"
    n = sum(_is_given_by_place(each) for each in signature.parameters.values())
    if not is_compiled and n == 1:
        return f"{message} – a compiled bot, which takes the state alone, is marked with numba.njit"
    return message


def _values(
    name: str, settable: Sequence[inspect.Parameter], parts: Sequence[str], is_compiled: bool
) -> tuple[tuple[str, Any], ...]:
    """Return the value of every parameter, given the parts of the text between colons."""
    named = {each.name: each for each in settable if each.kind not in _VARIABLE}
    takes_any = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in settable)
    given: dict[str, Any] = {}
    for part in parts:
        key, equals, text = part.partition("=")
        if not equals or not key.isidentifier() or not (key in named or takes_any):
            raise Unusable(_unknown(name, part, list(named)))
        if key in given:
            raise Unusable(f"{name}: {key}: expected one value, got a second one ({printable(part)})")
        given[key] = _value(name, key, text, named.get(key), is_compiled)
    values = {}
    for key, parameter in named.items():
        if key not in given and parameter.default is inspect.Parameter.empty:
            raise Unusable(f"{name}: {key}: expected a value, got none – write {name}:{key}=…")
        values[key] = given.pop(key, parameter.default)
    return tuple((values | dict(sorted(given.items()))).items())


_VARIABLE = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def _unknown(name: str, part: str, names: list[str]) -> str:
    got = printable(part) or "nothing"
    if not names:
        return f"{name}: expected no parameters, as the function takes none, got {got}"
    hint = did_you_mean(part.partition("=")[0], names)
    return f"{name}: expected {choice([f'{each}=…' for each in names])}, got {got}{hint}"


def _value(name: str, key: str, text: str, parameter: inspect.Parameter | None, is_compiled: bool) -> Any:
    """Return a parameter's value as written: of the kind of its default or annotation, else as it looks."""
    kind = "int" if is_compiled else _kind_of(parameter)
    readings: Mapping[str, tuple[Reading, str]] = {
        "int": (int, "a whole number"),
        "float": (float, "a number"),
        "bool": ({"true": True, "false": False}.__getitem__, "true or false"),
        "str": (str, "a text"),
    }
    if kind is None:
        for reading in (int, float):
            try:
                return reading(text)
            except ValueError:
                continue
        return text
    reading_of_kind, expected = readings[kind]
    try:
        value = reading_of_kind(text)
    except (ValueError, KeyError):
        value = None
    if value is None or (is_compiled and abs(value) >= 1 << 62):
        raise Unusable(f"{name}: {key}: expected {expected}, got {printable(text) or 'nothing'}")
    return value


def _kind_of(parameter: inspect.Parameter | None) -> str | None:
    if parameter is None:
        return None
    if parameter.default is not inspect.Parameter.empty and parameter.default is not None:
        kind = type(parameter.default).__name__
    else:
        kind = getattr(parameter.annotation, "__name__", str(parameter.annotation))
    return kind if kind in ("int", "float", "bool", "str") else None


def _refuse_what_numba_cannot(source: Source, n_values: int) -> None:
    """Raise an `Unusable` if a compiled bot does not compile for the state, or answers with no number."""
    if n_values > N_BOT_PARAMS:
        raise Unusable(f"{source.name}: expected at most {N_BOT_PARAMS} parameters, got {n_values}")
    if not is_dispatcher(source.function):
        return
    import numba

    types = (numba.types.Array(numba.int64, 1, "C"), *[numba.int64] * n_values)
    try:
        source.function.compile(types)  # type: ignore[attr-defined]
        returned = source.function.overloads[types].signature.return_type  # type: ignore[attr-defined]
    except Exception as error:
        first = str(error).strip().splitlines()
        raise Unusable(
            f"{source.name}: expected a function that numba compiles for an array of int64, "
            f"got {error_text(error, ' '.join(first[:3]))}"
        ) from None
    if not isinstance(returned, numba.types.Integer):
        raise Unusable(f"{source.name}: expected a function that answers with a move (int64), got {returned}")
