"""Write a variant file as a person would: what it begins with, and only the keys that are otherwise."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from simcli.errors import InputError, Problem, input_error, refusal
from simcli.rules.check import value_fault
from simcli.rules.load import load_variant, load_variant_mapping
from simcli.rules.options import Value, allowed_values, bounds
from simcli.rules.scalars import scalar_value
from simcli.rules.schema import editor_line, file_text, variant_json_schema
from simcli.rules.shelf import VARIANTS
from simcli.rules.shipped import locate_variant
from simcli.rules.variant import RULE_OPTIONS, Variant, option_value
from simcli.rules.wording import did_you_mean, printable, printable_path, shown
from simcli.rules.yamlfile import parse_yaml

SCHEMA_FILE = "variant.schema.json"
"""Name of the JSON schema, which lies beside the variant files."""
SCHEMA_LINE = editor_line(SCHEMA_FILE)
WIDTH = 100
LINES = ("title", "summary")
KEYS = ("players", "max_players", "deck", *(option.key for option in RULE_OPTIONS))
"""All keys of a variant file that are choices, in its order."""


def schema_text() -> str:
    """Return the JSON schema of a variant file as the text of a file."""
    return file_text(variant_json_schema())


def setting(text: str) -> tuple[str, Value]:
    """Return the key and the value of a text such as ``"transfer.mode=late"``.

    Raises
    ------
    InputError
        No such key, or not a value that it may have.
    """
    key, equals, written = text.partition("=")
    keys = [*LINES, *KEYS]
    where = "--set"
    if key not in keys:
        meant = did_you_mean(key, keys) or f" – one of {', '.join(keys)}"
        raise refusal(where, f"expected KEY=VALUE with a key of a variant file, got {printable(text)}{meant}")
    if not equals:
        raise refusal(where, "expected KEY=VALUE, got no value", key=key)
    value = written if key in LINES else scalar_value(written.strip())
    fault = value_fault(key.rpartition(".")[2], field_of(key), value)
    if fault:
        raise refusal(where, fault, key=key)
    return key, value


def field_of(key: str) -> Any:
    """Return the field of the model that a dotted key names."""
    fields = Variant.model_fields
    *blocks, name = key.split(".")
    for block in blocks:
        part: Any = fields[block].annotation
        fields = part.model_fields
    return fields[name]


def variant_file_text(name: str, base: str | Path, folder: Path, values: Mapping[str, Value]) -> str:
    """Return the text of a new variant file.

    Parameters
    ----------
    name : str
        Name of the new variant.
    base : str or Path
        File or name of the variant that it begins with.
    folder : Path
        Where the file will lie, from which paths in it start.
    values : Mapping of str to Value
        What it says of its own, by dotted key. A value that the base has already is left out, but for title
        and summary.

    Raises
    ------
    InputError
        The base cannot be loaded, or the values do not fit together.
    """
    parent, extends = load_variant(base), _reference(base, folder)
    own = {key: value for key, value in values.items() if key in LINES or value != option_value(parent, key)}
    text = _text(name, parent, extends, own)
    loaded = _loaded(text, name, folder)
    # A first limit that is the base's has to be named all the same where the limit is another.
    lost = {key: value for key, value in values.items() if option_value(loaded, key) != value}
    if lost:
        text = _text(name, parent, extends, {**own, **lost})
        _loaded(text, name, folder)
    return text


def _loaded(text: str, name: str, folder: Path) -> Variant:
    """Return the variant that a text stands for, which checks it."""
    return load_variant_mapping(parse_yaml(text, f"{name}.yaml").check(), folder, name_required=True)


def _reference(base: str | Path, folder: Path) -> str:
    """Return what `extends` says: a name for a file that ships, else the path from the new file's folder."""
    path = locate_variant(base)
    if VARIANTS.ships(path):
        return path.stem
    relative = os.path.relpath(path, folder)
    return relative if "/" in relative else f"./{relative}"


def _text(name: str, parent: Variant, extends: str, own: Mapping[str, Value]) -> str:
    return "\n".join(_lines(name, parent, extends, own)) + "\n"


def _lines(name: str, parent: Variant, extends: str, own: Mapping[str, Value]) -> Iterator[str]:
    yield SCHEMA_LINE
    yield f"# Everything that is not named here is as in {parent.name}."
    yield ""
    yield f"name: {_scalar(name)}"
    for key in LINES:
        if own.get(key):
            yield f"{key}: {_scalar(own[key])}"
    yield f"extends: {_scalar(extends)}"
    block = ""
    for key in KEYS:
        if key in own:
            above, _, last = key.rpartition(".")
            if not above or above != block:
                yield ""
            if above and above != block:
                yield f"{above}:"
            block = above
            yield from _option_lines(key, last, "  " if above else "", own[key], parent)


def _option_lines(key: str, last: str, indent: str, value: Value, parent: Variant) -> Iterator[str]:
    """Yield what a key decides, and its line with what else it may be."""
    field = field_of(key)
    for line in textwrap.wrap(field.description or "", WIDTH - len(indent) - 2):
        yield f"{indent}# {line}"
    values, (low, high), before = allowed_values(field), bounds(field), option_value(parent, key)
    others = (
        f"{low} to {high}"
        if values is None
        else " | ".join(_scalar(each) for each in values if each != value)
    )
    yield f"{indent}{last}: {_scalar(value)}  # {others}; in {parent.name}: {_scalar(before)}"


def _scalar(value: Value) -> str:
    """Return a value as a YAML file spells it; text that could be read otherwise in quotes."""
    if not isinstance(value, str):
        return shown(value)
    return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)


def _is_plain(text: str) -> bool:
    """Return whether a text needs no quotes: every reader of YAML takes it for what it is."""
    line = f"x: {text}"
    with suppress(InputError, yaml.YAMLError):
        return bool(parse_yaml(line, "x").check().data == yaml.safe_load(line) == {"x": text})
    return False


def refuse_existing(*paths: Path) -> None:
    """Refuse to write over anything.

    Raises
    ------
    InputError
        There is something of such a name.
    """
    message = "expected no such file yet, there is one – choose another name"
    there = [Problem(printable_path(path), None, None, message) for path in paths if os.path.lexists(path)]
    if there:
        raise input_error(there)


def refuse_name(name: str, fault: str | None) -> None:
    """Raise the fault of a name as an `InputError`, if it has one."""
    if fault:
        raise input_error([Problem(printable(name) or '""', None, "name", fault)])
