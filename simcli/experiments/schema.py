"""The JSON schema of an experiment file, for editors that check while one types."""

from __future__ import annotations

from typing import Any

from simcli.bots.registry import BOTS
from simcli.experiments.experiment import Experiment
from simcli.experiments.load import DECKS, EVERY, LONGEST_LIST
from simcli.rules.options import RuleOption
from simcli.rules.schema import editor_line, file_text, variant_json_schema
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, RULE_OPTIONS

SCHEMA_FILE = "experiment.schema.json"
"""Name of the JSON schema, which lies beside the experiment files."""
SCHEMA_LINE = editor_line(SCHEMA_FILE)
REFERENCE = {"$ref": "#/$defs/reference"}
COUNT = {
    "oneOf": [
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": r"^[0-9]+(_[0-9]+)*(\.[0-9]+)?[kKmMgG]?$"},
    ]
}
POINTS = {
    "oneOf": [
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 100},
        {"type": "string", "pattern": r"^([0-9]+(\.[0-9]+)?|\.[0-9]+) *(pp|points?|%)?$"},
    ]
}


def schema_text() -> str:
    """Return the JSON schema of an experiment file as the text of a file."""
    return file_text(experiment_json_schema())


def experiment_json_schema() -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of an experiment file."""
    schema = Experiment.model_json_schema()
    variant = variant_json_schema()
    definitions = variant.pop("$defs")
    dialect = variant.pop("$schema")
    definitions["variant"] = variant
    definitions["reference"] = {
        "oneOf": [{"type": "string", "minLength": 1}, {"$ref": "#/$defs/variant"}],
        "description": "A name, a path from this file, or a block of keys as in a variant file.",
    }
    written = _written()
    properties = {
        key: {"description": value["description"], **written[key]} if key in written else _plain(value)
        for key, value in schema["properties"].items()
    }
    return {
        "$schema": dialect,
        "title": "Durak experiment",
        "description": "A question, the variants that answer it, and the tables they are played at.",
        "type": "object",
        "properties": properties,
        "required": ["name", "question"],
        "anyOf": [{"required": [key]} for key in ("variants", "pairs", "vary", "bridge")],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _written() -> dict[str, dict[str, Any]]:
    """Return the form of those keys that a file writes otherwise than the model holds them."""
    pair = {"type": "array", "items": REFERENCE, "minItems": 2, "maxItems": 2}
    size = {"type": "integer", "minimum": MIN_PLAYERS, "maximum": MAX_PLAYERS}
    bot = rf"(({'|'.join(BOTS)})(:[^,: ]+)*|[^,:]+\.py(:[^,: ]+)+)"
    return {
        "variants": _list(REFERENCE),
        "pairs": _list(pair),
        "base": REFERENCE,
        "baseline": {"type": "string", "minLength": 1},
        "bridge": _list(REFERENCE),
        "vary": {
            "type": "object",
            "properties": {"deck": _deck(), **{option.key: _levels(option) for option in RULE_OPTIONS}},
            "additionalProperties": False,
            "minProperties": 1,
        },
        "players": _list(size),
        "bots": _list({"type": "string", "pattern": f"^ *{bot} *(, *{bot} *){{0,5}}$"}),
        "deals": COUNT,
        "max_deals": COUNT,
        "until_half_width": POINTS,
        "margin": POINTS,
    }


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": 1, "maxItems": LONGEST_LIST, "uniqueItems": True}


def _deck() -> dict[str, Any]:
    return {
        "description": "Cards in the pack.",
        "oneOf": [{"const": EVERY}, _list({"enum": list(DECKS)})],
    }


def _levels(option: RuleOption) -> dict[str, Any]:
    if option.values is None:
        number = {"type": "integer", "minimum": option.low, "maximum": option.high}
        return {"description": option.description, **_list(number)}
    values = _list({"enum": list(option.values)})
    return {"description": option.description, "oneOf": [{"const": EVERY}, values]}


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Return a word or number without the null that stands for its absence."""
    kept = {key: part for key, part in value.items() if key not in ("title", "anyOf")}
    if "anyOf" in value:
        (form,) = (part for part in value["anyOf"] if part.get("type") != "null")
        kept = {**kept, **form}
        kept.pop("default", None)
    return kept
