"""The bots on the terminal and as JSON."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from rich.table import Table
from rich.text import Text

from simcli.analysis.shipped_ladder import ShippedLadder, shipped_ladder
from simcli.bots.own.source import GROUP
from simcli.bots.parameters import Parameter
from simcli.bots.registry import BOTS, BotEntry
from simcli.cli.ladder_tables import UNKNOWN, cost_text
from simcli.cli.narrow import print_table
from simcli.cli.tables import console
from simcli.rules.wording import printable
from simcli.runs.identity import engine_signature


def catalogue_mapping() -> dict[str, Any]:
    """Return the bots as plain data (docs/formats.md)."""
    ladder = shipped_ladder()
    return {
        "bots": [_mapping(entry, ladder) for entry in _entries(ladder)],
        "installed": [
            {"name": point.name, "package": _package(point), "function": point.value}
            for point in _installed()
        ],
        "measured": {
            "variant": ladder.variant,
            "players": ladder.players,
            "seed": ladder.seed,
            "packs": list(ladder.packs),
            "signature": ladder.signature,
        },
    }


def print_catalogue() -> None:
    """Print the bots, the strongest first, their parameters, and how rank and cost were measured."""
    ladder, out = shipped_ladder(), console()
    table = Table(box=None, pad_edge=False)
    table.add_column("bot", no_wrap=True)
    table.add_column("rank", justify="right")
    table.add_column("cost", justify="right")
    table.add_column("how it plays")
    for entry in _entries(ladder):
        standing = ladder.standings.get(entry.name)
        rank, cost = (
            (UNKNOWN, UNKNOWN) if standing is None else (str(standing.rank), cost_text(standing.cost))
        )
        table.add_row(entry.name, rank, cost, Text(entry.description))
    print_table(table, out)
    out.print()
    table = Table(box=None, pad_edge=False)
    table.add_column("parameter, as it is", no_wrap=True)
    table.add_column("what it means, and may be")
    for entry in BOTS.values():
        for each in entry.parameters:
            words = f"{each.description} {_values(entry, each)}."
            table.add_row(f"{entry.name}:{each.name}={each.default}", Text(words))
    print_table(table, out)
    out.print()
    for point in _installed():
        text = f"{printable(point.name)} comes with {_package(point)}: {printable(point.value)}"
        out.print(Text(text), soft_wrap=True)
    if not _installed():
        out.print(Text("No installed package brings bots. Of your own: --bots my_bot.py:choose"))
    out.print()
    for line in _measured(ladder):
        out.print(Text(line))
    out.print(Text("Measure them at your table: simcli bots ladder --variant V --players N"), soft_wrap=True)


def _entries(ladder: ShippedLadder) -> list[BotEntry]:
    """Return the bots, the strongest first, those that were not measured last."""
    places = {name: place for place, name in enumerate(ladder.standings)}
    return sorted(BOTS.values(), key=lambda entry: places.get(entry.name, len(places)))


def _mapping(entry: BotEntry, ladder: ShippedLadder) -> dict[str, Any]:
    standing = ladder.standings.get(entry.name)
    return {
        "name": entry.name,
        "description": entry.description,
        "looks_ahead": entry.looks_ahead,
        "parameters": [
            {
                "name": each.name,
                "default": each.default,
                "values": list(each.words) if each.words else {"low": each.low, "high": each.high},
                "bare": each.is_bare,
                "description": each.description,
            }
            for each in entry.parameters
        ],
        "measured_as": None if standing is None else standing.measured_as,
        "rank": None if standing is None else standing.rank,
        "rating": None if standing is None else dict(standing.rating),
        "cost": None if standing is None else standing.cost,
    }


def _values(entry: BotEntry, parameter: Parameter) -> str:
    """Return what a parameter may be, as a sentence without its full stop.

    >>> _values(BOTS["montecarlo"], BOTS["montecarlo"].parameters[0])
    'A whole number from 1 to 4,096, montecarlo:64 for short'
    """
    expected = f"{parameter.expected[0].upper()}{parameter.expected[1:]}"
    return f"{expected}, {entry.name}:{parameter.default} for short" if parameter.is_bare else expected


def _measured(ladder: ShippedLadder) -> list[str]:
    """Say how rank and cost were measured."""
    settings = [
        f"{name} as {each.measured_as}" for name, each in ladder.standings.items() if each.measured_as != name
    ]
    packs = f"{ladder.packs[0]:,} packs of a pair"
    if len(ladder.packs) > 1:
        packs += f", {ladder.packs[-1]:,} where one takes its time"
    lines = [
        "Rank: one more than the number of bots that are surely stronger; cost: CPU time of a deal with the "
        f"bot at every seat, lowest 1. Measured under {ladder.variant} with {ladder.players} players, "
        f"{', '.join([*settings, packs])}, engine signature {ladder.signature}."
    ]
    if ladder.signature != engine_signature():
        lines.append(f"This engine plays otherwise: its signature is {engine_signature()}.")
    return lines


def _installed() -> list[EntryPoint]:
    """Return the bots that installed packages bring, by name."""
    return sorted(entry_points(group=GROUP), key=lambda point: point.name)


def _package(point: EntryPoint) -> str:
    return "an unnamed package" if point.dist is None else f"{point.dist.name} {point.dist.version}"
