"""Check each key and value of a variant file on its own: known keys, right types, allowed values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from simcli.errors import SHOWN_PROBLEMS, Problem
from simcli.rules.document import Document, KeyPath
from simcli.rules.options import Value, allowed_values, bounds
from simcli.rules.textfile import character_name, forbidden_character
from simcli.rules.variant import NAME_LENGTH, NAME_PATTERN, RULE_OPTIONS, Variant
from simcli.rules.wording import choice, did_you_mean, shown

SPELLED_BOOLEANS = {"yes": "true", "on": "true", "y": "true", "no": "false", "off": "false", "n": "false"}
EXTENDS = "extends"

Fault = tuple[KeyPath, Problem]


def faults(
    document: Document, file_keys: tuple[str, ...] = (), model: type[BaseModel] = Variant
) -> list[Fault]:
    """Return every key or value of a mapping that is wrong by itself, with its path.

    Parameters
    ----------
    document : Document
        The mapping, complete or not.
    file_keys : tuple of str
        Keys checked by the caller; they may stand in the file whether the model has them or not.
    model : type
        What the mapping describes; a variant by default.
    """
    return list(_block_faults(document, document.data, model, (), file_keys))


def _block_faults(
    document: Document, block: Any, model: type[BaseModel], path: KeyPath, file_keys: tuple[str, ...] = ()
) -> Iterator[Fault]:
    """Yield the faults of a block and of the blocks in it."""
    fields = model.model_fields
    if not isinstance(block, dict):
        message = f"expected a block with {choice(fields)}, got {shown(block)}"
        yield path, document.problem(path, message)
        return
    n_unknown = 0
    for key, value in block.items():
        here = (*path, key)
        if key in file_keys:
            continue
        if key not in fields:
            n_unknown += 1
            # Looking for near misses is slow, and a long list is cut short before anybody sees the rest.
            look_closer = n_unknown <= SHOWN_PROBLEMS
            known = list(dict.fromkeys([*fields, *file_keys]))
            nested = _nested_key(key) if look_closer and model is Variant else None
            message = _unknown_key(key, nested, known, look_closer=look_closer)
            yield here, document.problem(here, message)
            continue
        part = fields[key].annotation
        if isinstance(part, type) and issubclass(part, BaseModel):
            yield from _block_faults(document, value, part, here)
        else:
            fault = value_fault(key, fields[key], value)
            if fault:
                yield here, document.problem(here, fault)


def _unknown_key(key: str, nested: str | None, known: list[str], *, look_closer: bool) -> str:
    message = f"unknown key, expected {choice(known)}"
    if nested:
        return f"{message} – write {nested}"
    return message + did_you_mean(key, known) if look_closer else message


def _nested_key(key: str) -> str | None:
    """Return where a key belongs that stands at the top although it is part of a block."""
    for option in RULE_OPTIONS:
        block, _, name = option.key.rpartition(".")
        if block and key in (name, option.key):
            return f"{block}: {{{name}: …}}"
    return None


def option_fault(key: str, value: Any) -> str | None:
    """Return what is wrong with the value of an option given by its dotted key, None if nothing is."""
    *blocks, name = key.split(".")
    model: Any = Variant
    for block in blocks:
        model = model.model_fields[block].annotation
    return value_fault(name, model.model_fields[name], value)


def value_fault(key: str, field: FieldInfo, value: Any) -> str | None:
    """Return what is wrong with the value of a field, None if nothing is."""
    values = allowed_values(field)
    if values is not None:
        return _choice_fault(values, value)
    if field.annotation is int:
        return _number_fault(*bounds(field), value)
    return name_fault(value) if key == "name" else _line_fault(field, value)


def _choice_fault(values: tuple[Value, ...], value: Any) -> str | None:
    if any(type(value) is type(allowed) and value == allowed for allowed in values):
        return None
    ordered = (True, False) if values == (False, True) else values
    message = f"expected {choice(ordered)}, got {shown(value)}"
    if isinstance(value, str) and value in [shown(allowed) for allowed in values]:
        return f"{message} – leave the quotes out"
    if values == (False, True):
        meant = SPELLED_BOOLEANS.get(str(value).lower())
        return f"{message} – write {meant}" if meant else message
    if value in (False, None) and "none" in values:
        return f"{message} – did you mean none?"
    return message + did_you_mean(value, [str(allowed) for allowed in values])


def _number_fault(low: int | None, high: int | None, value: Any) -> str | None:
    if type(value) is int:
        if (low is None or low <= value) and (high is None or value <= high):
            return None
        return f"expected {low} to {high}, got {shown(value)}"
    message = f"expected a whole number, {low} to {high}, got {shown(value)}"
    if isinstance(value, str) and re.fullmatch(r"[1-9][0-9]{0,3}", value):
        return f"{message} – leave the quotes out"
    return message


def name_fault(value: Any) -> str | None:
    """Return what is wrong with the name of a variant, None if nothing is."""
    expected = "expected letters, digits, - and _"
    if not isinstance(value, str):
        hint = " – put it in quotes" if isinstance(value, int | float) else ""
        return f"{expected}, got {shown(value)}{hint}"
    if len(value) > NAME_LENGTH:
        return f"{expected}, at most {NAME_LENGTH} of them, got {len(value)}"
    return None if re.fullmatch(NAME_PATTERN, value) else f"{expected}, got {shown(value)}"


def _line_fault(field: FieldInfo, value: Any) -> str | None:
    if not isinstance(value, str):
        hint = " – put it in quotes" if isinstance(value, bool | int | float) else ""
        return f"expected one line of text, got {shown(value)}{hint}"
    length = next(m.max_length for m in field.metadata if hasattr(m, "max_length"))
    if len(value) > length:
        return f"expected at most {length} characters, got {len(value)}"
    if "\n" in value:
        return "expected one line of text, got several lines"
    bad = forbidden_character(value)
    return f"expected plain text, got the character {character_name(bad)}" if bad else None
