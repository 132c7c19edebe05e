"""Variants that differ from another in a few options: made, named, and told apart in words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from simcli.rules.options import Value
from simcli.rules.sheet import differences_in_words
from simcli.rules.variant import NAME_LENGTH, RULE_OPTIONS, Variant, option_value
from simcli.rules.wording import shown

VARIED_KEYS = ("deck", *(option.key for option in RULE_OPTIONS))
"""Every key that an experiment may vary, in the order of a variant file."""
BLOCK_WORDS = ("first", "mode", "enabled")
"""Last parts of keys that say nothing without what stands before them."""
HASH_LENGTH = 8
SUMMARY_LENGTH = 500
"""As long as the summary of a variant file may be."""
Changes = Mapping[str, Value]


def varied(base: Variant, changes: Changes) -> Variant:
    """Return a variant that differs from `base` in some options; it may contradict itself.

    A first_limit that equals limit follows it, as it does in a file that leaves it out.
    """
    wanted = dict(changes)
    if "attack.limit" in wanted and base.attack.first_limit == base.attack.limit:
        wanted.setdefault("attack.first_limit", wanted["attack.limit"])
    variant = base
    for key, value in wanted.items():
        variant = _with_option(variant, key, value)
    names = {"name": varied_name(base, changes), "title": varied_title(base, changes)}
    named = variant.model_copy(update=names)
    return named.model_copy(update={"summary": varied_summary(named, base)})


def varied_summary(variant: Variant, base: Variant) -> str:
    """Return what a variant does otherwise than the one it was made from, in sentences; its own if nothing.

    >>> from simcli.rules.variant import Transfer
    >>> varied_summary(Variant(transfer=Transfer(mode="none")), Variant(name="classic"))
    'Transfers are not allowed; in classic they are allowed only before the first cover.'
    """
    sentences = differences_in_words(variant, base)
    text = " ".join(sentences) or base.summary
    if len(text) <= SUMMARY_LENGTH:
        return text
    return f"{len(sentences)} options are otherwise than in {base.name}."


def _with_option(variant: Variant, key: str, value: Value) -> Variant:
    block, _, name = key.rpartition(".")
    new: Any = getattr(variant, block).model_copy(update={name: value}) if block else value
    return variant.model_copy(update={block or name: new})


def differing(base: Variant, changes: Changes) -> dict[str, Value]:
    """Return those of the changes that change anything, in the order of a variant file."""
    return {
        key: changes[key] for key in VARIED_KEYS if key in changes and changes[key] != option_value(base, key)
    }


def varied_name(base: Variant, changes: Changes) -> str:
    """Return the name of a variant that differs from `base` in some options.

    >>> varied_name(Variant(name="classic"), {"transfer.mode": "late", "transfer.first_bout": False})
    'classic_transfer-late_no-first-bout'
    """
    words = [_option_word(key, value) for key, value in differing(base, changes).items()]
    name = "_".join([base.name, *words])
    if len(name) <= NAME_LENGTH:
        return name
    mark = hashlib.sha256(name.encode()).hexdigest()[:HASH_LENGTH]
    return f"{name[: NAME_LENGTH - HASH_LENGTH - 1]}-{mark}"


def _option_word(key: str, value: Value) -> str:
    """Return an option and its value as part of a name.

    >>> _option_word("draw.first", "join_order"), _option_word("pass_card.enabled", True)
    ('draw-join-order', 'pass-card')
    """
    block, _, last = key.rpartition(".")
    word = (block if last in BLOCK_WORDS else last).replace("_", "-")
    if isinstance(value, bool):
        return word if value else f"no-{word}"
    return f"{word}-{value}".replace("_", "-")


def varied_title(base: Variant, changes: Changes) -> str:
    """Return the title of a variant that differs from `base` in some options.

    >>> varied_title(Variant(name="classic"), {"transfer.mode": "late"})
    'classic with transfer.mode late'
    """
    parts = [f"{key} {shown(value)}" for key, value in differing(base, changes).items()]
    if not parts:
        return base.title
    listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"{base.name} with {listed}"
