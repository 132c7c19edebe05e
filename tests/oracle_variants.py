"""The variants as docs/rules.md 7 and 8 print them, for the oracle: independent of the product's loader."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import yaml

# docs/rules.md 7. `attack.first_limit` is missing on purpose: omitted, it equals `limit`.
DEFAULTS: dict[str, Any] = {
    "players": 4,
    "max_players": 6,
    "deck": 36,
    "opening": {"first": "lowest_trump", "no_trump": "dealer_left", "later": "dealer_left"},
    "attack": {"lead": "several", "limit": 6, "first_scope": "first_bout"},
    "throw_in": {"who": "all", "window": "after_cover", "order": "clockwise", "on_pickup": True},
    "transfer": {"mode": "early", "cards": "several", "first_bout": True},
    "pass_card": {"enabled": False, "per_bout": 1},
    "draw": {"first": "original_attacker", "defender": "last_unless_original"},
    "trump_exchange": "none",
    "end": {"objective": "last_loses", "tie": "shared", "stall_bouts": 100},
    "teams": "none",
}

_ADVANCED: dict[str, Any] = {
    "max_players": 4,
    "attack": {"lead": "one"},
    "throw_in": {"who": "neighbours", "window": "from_lead", "on_pickup": False},
    "draw": {"defender": "last"},
}
_REGULAR: dict[str, Any] = {
    "attack": {"lead": "one"},
    "throw_in": {"window": "from_lead", "on_pickup": False},
    "draw": {"first": "join_order", "defender": "last"},
    "end": {"objective": "first_out_wins", "tie": "defender_last"},
}

# docs/rules.md 8: what each shipped variant differs from `classic` in.
SHIPPED: dict[str, dict[str, Any]] = {
    "classic": {},
    "simultaneous": {
        "attack": {"lead": "one"},
        "throw_in": {"window": "from_lead", "order": "simultaneous"},
        "transfer": {"cards": "one"},
        "draw": {"defender": "last"},
    },
    "duel": {
        "players": 2,
        "attack": {"lead": "one"},
        "throw_in": {"on_pickup": False},
        "transfer": {"cards": "one"},
        "draw": {"first": "final_attacker", "defender": "last"},
        "end": {"tie": "defender_last"},
    },
    "advanced-standard": {**_ADVANCED, "transfer": {"mode": "none"}},
    "advanced-transfer": {**_ADVANCED, "transfer": {"mode": "early", "cards": "one"}},
    "regular": {**_REGULAR, "transfer": {"mode": "none"}},
    "transferable": {**_REGULAR, "transfer": {"mode": "early", "cards": "one"}},
    "podkidnoy": {"transfer": {"mode": "none"}},
    "late-transfer": {"transfer": {"mode": "late"}},
    "pass-card": {"pass_card": {"enabled": True}},
    "five-card-opening": {"attack": {"first_limit": 5}},
    "five-until-discard": {"attack": {"first_limit": 5, "first_scope": "until_first_discard"}},
    "draw-final-attacker": {"draw": {"first": "final_attacker"}},
    "draw-join-order": {"draw": {"first": "join_order"}},
    "draw-defender-last": {"draw": {"defender": "last"}},
    "draw-in-turn": {"draw": {"defender": "in_turn"}},
    "no-draws": {"end": {"tie": "defender_last"}},
    "neighbours-only": {"throw_in": {"who": "neighbours"}},
    "random-opening": {"opening": {"first": "random"}},
    "first-bout-no-transfer": {"transfer": {"first_bout": False}},
    "trump-six-exchange": {"trump_exchange": "lowest"},
    "partners": {"teams": 2},
    "short-pack": {"deck": 24, "players": 3},
    "full-pack": {"deck": 52, "players": 4},
}


def merge(rules: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Return `rules` with the named options changed, group by group."""
    merged = copy.deepcopy(rules)
    for key, value in changes.items():
        if key in ("name", "title", "summary", "extends"):
            continue
        if key not in DEFAULTS:
            raise KeyError(f"unknown option {key}")
        if isinstance(DEFAULTS[key], dict):
            unknown = set(value) - set(DEFAULTS[key]) - {"first_limit"}
            if unknown:
                raise KeyError(f"unknown options of {key}: {sorted(unknown)}")
            merged[key].update(value)
        else:
            merged[key] = value
    return merged


def _unresolved(variant: str | dict[str, Any], folder: Path) -> dict[str, Any]:
    if isinstance(variant, dict):
        base = _unresolved(variant["extends"], folder) if "extends" in variant else DEFAULTS
        return merge(base, variant)
    if "/" in variant or variant.endswith((".yaml", ".yml")):
        path = folder / variant
        return _unresolved(yaml.safe_load(path.read_text(encoding="utf-8")), path.parent)
    return merge(DEFAULTS, SHIPPED[variant])


def resolve(variant: str | dict[str, Any], folder: Path = Path()) -> dict[str, Any]:
    """Spell out every option of a shipped name, a path relative to `folder`, or an inline mapping."""
    rules = _unresolved(variant, folder)
    rules["attack"].setdefault("first_limit", rules["attack"]["limit"])
    return rules


def table_sizes(rules: dict[str, Any]) -> list[int]:
    """List the numbers of players that the rules can be played with (docs/rules.md 1, 6 and 7)."""
    seats = {"none": (2, 3, 4, 5, 6), 2: (4, 6), 3: (6,)}[rules["teams"]]
    return [n for n in seats if n <= rules["max_players"] and n * 6 <= rules["deck"]]


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Draw every option of a variant file, keeping what belongs together together."""
    deck = rng.choice((24, 36, 36, 52))
    teams = rng.choice(("none", "none", "none", 2, 3 if deck > 24 else 2))
    limit = rng.choice((1, 2, 3, 4, 5, 6, 6, 6, 7, 12, 36))
    mode = rng.choice(("none", "early", "late"))
    rules: dict[str, Any] = {
        "max_players": 6,
        "deck": deck,
        "opening": {
            "first": rng.choice(("lowest_trump", "dealer_left", "random")),
            "no_trump": rng.choice(("dealer_left", "random")),
            "later": rng.choice(("dealer_left", "attack_loser", "lowest_trump")),
        },
        "attack": {
            "lead": rng.choice(("several", "one")),
            "limit": limit,
            "first_limit": rng.choice((limit, rng.randint(1, limit))),
            "first_scope": rng.choice(("first_bout", "until_first_discard")),
        },
        "throw_in": {
            "who": rng.choice(("all", "all", "neighbours", "attacker", "none")),
            "window": rng.choice(("from_lead", "after_cover", "when_beaten")),
            "order": rng.choice(("clockwise", "simultaneous")),
            "on_pickup": rng.random() < 0.5,
        },
        "transfer": {
            "mode": mode,
            "cards": rng.choice(("several", "one")),
            "first_bout": rng.random() < 0.5,
        },
        "pass_card": {
            "enabled": mode != "none" and rng.random() < 0.5,
            "per_bout": rng.choice((1, 1, 2, 36)),
        },
        "draw": {
            "first": rng.choice(("original_attacker", "final_attacker", "join_order")),
            "defender": rng.choice(("last", "last_unless_original", "in_turn")),
        },
        "trump_exchange": rng.choice(("none", "lowest")),
        "end": {
            "objective": "last_loses" if teams != "none" else rng.choice(("last_loses", "first_out_wins")),
            "tie": rng.choice(("shared", "defender_last")),
            "stall_bouts": rng.choice((1, 2, 3, 5, 100, 100)),
        },
        "teams": teams,
    }
    rules["players"] = rng.choice(table_sizes({**rules, "players": 0}))
    return rules
