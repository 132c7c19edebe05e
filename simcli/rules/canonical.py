"""What makes two variants the same: a plain form, a hash of the rules, and the list of differences."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from simcli.rules.options import Value
from simcli.rules.variant import RULE_OPTIONS, Variant, option_value


def resolved(variant: Variant) -> dict[str, Any]:
    """Return every key of a variant as nested dictionaries, in the order of a variant file."""
    return variant.model_dump(mode="python")


def rules_hash(variant: Variant) -> str:
    """Return the SHA-256 of what is played, in hexadecimal.

    It is taken over the compact JSON object, keys sorted, that maps ``deck`` and each rule option's
    dotted key to its value. Name, title, summary and table size have no part in it.
    """
    rules: dict[str, Value] = {option.key: option_value(variant, option.key) for option in RULE_OPTIONS}
    rules["deck"] = variant.deck
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def differences(variant: Variant, base: Variant) -> list[tuple[str, Value, Value]]:
    """Return the keys in which a variant differs from another: (key, its value, the other's value).

    Deck and rule options in the order of a variant file; names and table sizes are not compared.
    """
    keys = ("deck", *(option.key for option in RULE_OPTIONS))
    pairs = [(key, option_value(variant, key), option_value(base, key)) for key in keys]
    return [(key, value, other) for key, value, other in pairs if value != other]
