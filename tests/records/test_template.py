"""The scenario to fill in names every key that a scenario may have."""

from pathlib import Path

from simcli.records.scenario import KEYS, read_scenario
from simcli.records.template import TEMPLATE
from simcli.rules.yamlfile import parse_yaml


def test_the_template_has_every_key_in_order() -> None:
    document = parse_yaml(TEMPLATE, "position.yaml")
    assert tuple(key for (key,) in (mark for mark in document.marks if len(mark) == 1)) == (
        "name", "variant", "trump", "hands", "stock", "leader", "first_bout", "beaten_before", "steps",
    )  # fmt: skip
    assert set(document.data) == set(KEYS)


def test_the_template_can_be_read_and_fits_a_terminal() -> None:
    assert read_scenario(parse_yaml(TEMPLATE, "position.yaml"), Path()).name == "may I transfer, too?"
    assert max(map(len, TEMPLATE.splitlines())) <= 80
