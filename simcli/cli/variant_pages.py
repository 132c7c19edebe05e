"""Variants on the terminal, as Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from simcli.cli.narrow import print_table
from simcli.cli.tables import console
from simcli.errors import InputError, Problems
from simcli.rules.canonical import differences, resolved, rules_hash
from simcli.rules.load import load_variant
from simcli.rules.options import Value
from simcli.rules.sheet import differences_in_words, rule_sheet, table_sizes
from simcli.rules.shelf import VARIANTS
from simcli.rules.shipped import shipped_folder, shipped_names
from simcli.rules.variant import TABLE_KEYS, Variant, option_value
from simcli.rules.wording import printable_path, shown
from simcli.terminal import wrapped

BASELINE = "classic"
HERE = Path("variants")
SHEET_WIDTH = 80
ROOM_FOR_COLUMNS = 70
TABLE_SIZE_KEYS = ("players", "max_players")


@dataclass(frozen=True)
class Entry:
    """Hold a variant that has a name here, and its file."""

    variant: Variant
    file: Path
    ships: bool


def catalogue() -> tuple[list[Entry], list[InputError]]:
    """Return the variants that have a name here, those of the folder variants/ first, and what is wrong."""
    entries, errors = [], []
    shipped = {name: shipped_folder() / f"{name}.yaml" for name in shipped_names()}
    here = {path.stem: path for path in sorted(HERE.glob("*.yaml"))}
    local = {name: path for name, path in here.items() if not VARIANTS.ships(path)}
    for name, path in [
        *local.items(),
        *((name, path) for name, path in shipped.items() if name not in local),
    ]:
        try:
            entries.append(Entry(load_variant(path), path, ships=name not in local))
        except InputError as error:
            errors.append(error)
    return entries, errors


def entry_mapping(entry: Entry) -> dict[str, Any]:
    """Return a line of the list as plain data."""
    variant, base = entry.variant, load_variant(shipped_folder() / f"{BASELINE}.yaml")
    return {
        "name": variant.name,
        "title": variant.title,
        "summary": variant.summary,
        "players": variant.players,
        "sizes": list(table_sizes(variant)),
        "file": str(entry.file),
        "ships": entry.ships,
        "differs": {key: value for key, value, _ in _differences(variant, base)},
        "words": list(differences_in_words(variant, base)),
    }


def print_catalogue(entries: list[Entry]) -> None:
    """Print each variant with its table sizes and what it does otherwise than classic."""
    out = console()
    base = load_variant(shipped_folder() / f"{BASELINE}.yaml")
    table = Table(box=None, pad_edge=False)
    for heading in ("variant", "players", "title: what differs from classic"):
        table.add_column(heading)
    for entry in entries:
        variant = entry.variant
        where = "" if entry.ships else f" ({printable_path(entry.file)})"
        keys = [f"{key} {shown(value)}" for key, value, _ in _differences(variant, base)]
        text = f"{variant.title or variant.summary}{where}".strip() + (f": {', '.join(keys)}" if keys else "")
        if out.width < ROOM_FOR_COLUMNS:
            out.print(Text(variant.name, style="bold") + Text(f", {_sizes(variant)} players"))
            out.print(Text(wrapped(f"  {text}", out.width)))
        table.add_row(Text(variant.name, style="bold"), Text(_sizes(variant)), Text(text))
    if out.width >= ROOM_FOR_COLUMNS:
        print_table(table, out)


def _sizes(variant: Variant) -> str:
    """Return table sizes in short.

    >>> _sizes(Variant()), _sizes(Variant(teams=2))
    ('2–6', '4, 6')
    """
    sizes = table_sizes(variant)
    if len(sizes) > 2 and sizes[-1] - sizes[0] == len(sizes) - 1:
        return f"{sizes[0]}–{sizes[-1]}"
    return ", ".join(map(str, sizes))


def _differences(variant: Variant, other: Variant) -> Iterator[tuple[str, Value, Value]]:
    """Yield the keys that differ: the usual table size, the largest one, pack and rules."""
    for key in TABLE_SIZE_KEYS:
        value, before = option_value(variant, key), option_value(other, key)
        if value != before:
            yield key, value, before
    yield from differences(variant, other)


def sheet_mapping(variant: Variant) -> dict[str, Any]:
    """Return a rule sheet as plain data."""
    return {
        "name": variant.name,
        "title": variant.title,
        "summary": variant.summary,
        "players": variant.players,
        "sizes": list(table_sizes(variant)),
        "hash": rules_hash(variant),
        "sections": [
            {"title": section.title, "sentences": list(section.sentences)} for section in rule_sheet(variant)
        ],
        "rules": {key: value for key, value in resolved(variant).items() if key not in TABLE_KEYS[:3]},
    }


def sheet_markdown(variant: Variant) -> str:
    """Return a rule sheet as Markdown."""
    lines = [f"# {variant.title or variant.name}", ""]
    if variant.summary:
        lines += [variant.summary, ""]
    for section in rule_sheet(variant):
        lines += [f"## {section.title}", "", *(f"- {sentence}" for sentence in section.sentences), ""]
    return "\n".join(lines)


def print_sheet(variant: Variant) -> None:
    """Print a rule sheet, not wider than a page."""
    out = console()
    width = min(out.width, SHEET_WIDTH)
    out.print(Text(wrapped(variant.title or variant.name, width), style="bold"))
    if variant.summary:
        out.print(Text(wrapped(variant.summary, width).replace("\n  ", "\n")))
    for section in rule_sheet(variant):
        out.print()
        out.print(Text(section.title, style="bold"))
        for sentence in section.sentences:
            out.print(Text(wrapped(f"- {sentence}", width)))


def diff_mapping(variant: Variant, other: Variant) -> dict[str, Any]:
    """Return the differences of two variants as plain data."""
    return {
        "variant": variant.name,
        "other": other.name,
        "same_rules": rules_hash(variant) == rules_hash(other),
        "words": list(differences_in_words(variant, other)),
        "keys": [
            {"key": key, "variant": value, "other": before}
            for key, value, before in _differences(variant, other)
        ],
    }


def print_diff(variant: Variant, other: Variant) -> None:
    """Print the differences of two variants, in words and as keys."""
    out = console()
    words = differences_in_words(variant, other)
    out.print(Text(f"{variant.name} and {other.name}", style="bold"))
    for sentence in words:
        out.print(Text(wrapped(f"- {sentence}", min(out.width, SHEET_WIDTH))))
    if not words:
        same = rules_hash(variant) == rules_hash(other)
        said = "They are the same rules." if same else "They are the same rules: what differs has no effect."
        out.print(Text(wrapped(said, out.width)))
    keys = list(_differences(variant, other))
    if keys:
        table = Table(box=None, pad_edge=False)
        for heading in ("key", variant.name, other.name):
            table.add_column(heading)
        for key, value, before in keys:
            table.add_row(key, shown(value), shown(before))
        out.print()
        print_table(table, out)


def verdict_mapping(file: str, problems: Problems) -> dict[str, Any]:
    """Return what was found out about a file as plain data."""
    return {
        "file": file,
        "ok": not problems,
        "problems": [
            {"file": each.where, "line": each.line, "key": each.key, "message": each.message}
            for each in problems
        ],
    }
