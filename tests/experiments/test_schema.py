"""The JSON schema says what the loader accepts."""

import re

import pytest

from simcli.experiments.experiment import Experiment
from simcli.experiments.load import EVERY
from simcli.experiments.schema import (
    COUNT,
    POINTS,
    SCHEMA_FILE,
    SCHEMA_LINE,
    experiment_json_schema,
    schema_text,
)
from simcli.experiments.varied import VARIED_KEYS
from simcli.rules.numbers import whole_number
from simcli.rules.points import share_of_points
from simcli.rules.shelf import EXPERIMENTS
from simcli.rules.variant import RULE_OPTIONS


def test_schema_describes_every_key() -> None:
    properties = experiment_json_schema()["properties"]
    assert list(properties) == list(Experiment.model_fields)
    for key, field in Experiment.model_fields.items():
        assert properties[key]["description"] == field.description


def test_schema_requires_a_name_and_a_question_and_refuses_unknown_keys() -> None:
    schema = experiment_json_schema()
    assert schema["required"] == ["name", "question"]
    assert schema["additionalProperties"] is False


def test_schema_knows_every_option_that_can_be_varied() -> None:
    vary = experiment_json_schema()["properties"]["vary"]
    assert list(vary["properties"]) == list(VARIED_KEYS)
    assert vary["additionalProperties"] is False


@pytest.mark.parametrize("option", RULE_OPTIONS, ids=lambda option: option.key)
def test_schema_gives_the_values_of_an_option(option) -> None:  # type: ignore[no-untyped-def]
    found = experiment_json_schema()["properties"]["vary"]["properties"][option.key]
    assert found["description"] == option.description
    if option.values is None:
        bounds = found["items"]
        assert (bounds["minimum"], bounds["maximum"]) == (option.low, option.high)
    else:
        every, values = found["oneOf"]
        assert every == {"const": EVERY}
        assert values["items"]["enum"] == list(option.values)


def test_every_reference_leads_somewhere() -> None:
    schema = experiment_json_schema()
    named = re.findall(r"'#/\$defs/(\w+)'", str(schema))
    assert set(named) <= set(schema["$defs"])
    assert {"variant", "reference"} <= set(named)


@pytest.mark.parametrize("text", ["200k", "1.5M", "1_000_000", "7"])
def test_a_number_that_the_loader_takes_fits_the_schema(text: str) -> None:
    assert whole_number(text, "deals", 1, 10**9)
    assert re.search(COUNT["oneOf"][1]["pattern"], text)


@pytest.mark.parametrize("text", ["0.5pp", ".5", "1 point", "2 %"])
def test_points_that_the_loader_takes_fit_the_schema(text: str) -> None:
    assert share_of_points(text, "margin")
    assert re.search(str(POINTS["oneOf"][1]["pattern"]), text)


def test_the_schema_beside_the_shipped_files_is_the_one_of_the_code() -> None:
    assert (EXPERIMENTS.shipped_folder() / SCHEMA_FILE).read_text(encoding="utf-8") == schema_text()


@pytest.mark.parametrize("name", EXPERIMENTS.shipped_names())
def test_a_shipped_file_points_editors_at_the_schema(name: str) -> None:
    text = EXPERIMENTS.locate_shipped(name).read_text(encoding="utf-8")
    assert text.startswith(f"{SCHEMA_LINE}\n")
