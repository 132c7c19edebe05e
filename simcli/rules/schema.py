"""The JSON schema of a variant file, for editors that check while one types."""

from __future__ import annotations

import json
from typing import Any

from simcli.rules.variant import Variant


def variant_json_schema() -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of a variant file."""
    schema = Variant.model_json_schema()
    properties = schema["properties"]
    properties["name"].pop("default")
    extends = {
        "type": "string",
        "minLength": 1,
        "description": "Another file (relative to this one) or a shipped variant; settles what is not named.",
    }
    ordered: dict[str, Any] = {}
    for key, value in properties.items():
        ordered[key] = value
        if key == "summary":
            ordered["extends"] = extends
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Durak variant",
        "properties": ordered,
        "required": ["name"],
    }


def file_text(schema: dict[str, Any]) -> str:
    """Return a JSON schema as the text of a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def editor_line(schema_file: str) -> str:
    """Return the line of a YAML file that tells editors where its schema lies."""
    return f"# yaml-language-server: $schema={schema_file}"
