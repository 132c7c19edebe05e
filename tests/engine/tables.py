"""Every shipped variant at every table that can play it."""

from __future__ import annotations

from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant, seat


def shipped_tables() -> list[Variant]:
    """Return the shipped variants, seated at each number of players that they allow."""
    tables = []
    for name in shipped_names():
        for players in range(2, 7):
            try:
                tables.append(seat(load_variant(name), players))
            except InputError:
                continue
    return tables


TABLES = shipped_tables()


def table_id(variant: Variant) -> str:
    """Return a name for the parameter of a test."""
    return f"{variant.name}-{variant.players}"
