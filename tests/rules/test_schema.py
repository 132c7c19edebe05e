"""The JSON schema says what the loader accepts."""

import pytest

from simcli.rules.newfile import SCHEMA_FILE, schema_text
from simcli.rules.schema import variant_json_schema
from simcli.rules.shipped import shipped_folder
from simcli.rules.variant import RULE_OPTIONS, TABLE_KEYS


def property_of(schema, key):
    node = schema
    for part in key.split("."):
        node = node["properties"][part]
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    return node


@pytest.mark.parametrize("option", RULE_OPTIONS, ids=lambda option: option.key)
def test_schema_describes_every_option_with_its_values(option):
    found = property_of(variant_json_schema(), option.key)
    assert found["description"] == option.description
    if option.values is None:
        assert (found["type"], found["minimum"], found["maximum"]) == ("integer", option.low, option.high)
    elif option.values == (False, True):
        assert found["type"] == "boolean"
    else:
        assert found["enum"] == list(option.values)


def test_schema_requires_a_name_and_refuses_unknown_keys():
    schema = variant_json_schema()
    assert schema["required"] == ["name"]
    assert schema["additionalProperties"] is False
    assert all(part["additionalProperties"] is False for part in schema["$defs"].values())


def test_schema_knows_the_keys_of_a_file():
    keys = set(variant_json_schema()["properties"])
    assert keys == {*TABLE_KEYS, "extends", *(option.key.partition(".")[0] for option in RULE_OPTIONS)}


def test_the_schema_beside_the_variant_files_is_that_of_the_model():
    shipped = shipped_folder() / SCHEMA_FILE
    assert shipped.read_text(encoding="utf-8") == schema_text()


def test_schema_gives_no_default_where_another_key_decides():
    assert "default" not in property_of(variant_json_schema(), "attack.first_limit")
