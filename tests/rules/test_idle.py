"""Options that decide nothing beside the others."""

import pytest

from simcli.rules.idle import IDLE, idle_reason
from simcli.rules.load import load_variant, variant_from_mapping
from simcli.rules.variant import RULE_OPTIONS, Variant


@pytest.mark.parametrize(
    "key, rules",
    [
        ("attack.first_scope", {"attack": {"limit": 6, "first_limit": 5}}),
        ("throw_in.order", {"throw_in": {"who": "neighbours"}}),
        ("transfer.cards", {"transfer": {"mode": "late"}}),
        ("pass_card.per_bout", {"pass_card": {"enabled": True}}),
    ],
)
def test_an_option_decides_where_it_can(key: str, rules: dict[str, object]) -> None:
    assert idle_reason(variant_from_mapping(rules), key) is None


@pytest.mark.parametrize(
    "key, rules",
    [
        ("attack.first_scope", {"attack": {"limit": 5}}),
        ("throw_in.window", {"throw_in": {"who": "none"}}),
        ("transfer.first_bout", {"transfer": {"mode": "none"}}),
        ("pass_card.per_bout", {}),
        ("opening.no_trump", {"opening": {"first": "random"}}),
        ("opening.later", {}),
    ],
)
def test_an_option_is_idle_where_it_cannot(key: str, rules: dict[str, object]) -> None:
    assert str(idle_reason(variant_from_mapping(rules), key)).startswith("decides nothing")


def test_sessions_have_later_deals() -> None:
    variant = variant_from_mapping({"opening": {"first": "random", "later": "lowest_trump"}})
    assert idle_reason(variant, "opening.later", 2) is None
    assert idle_reason(variant, "opening.no_trump", 2) is None
    assert idle_reason(variant, "opening.no_trump", 1) is not None


def test_only_options_are_named() -> None:
    assert {key for idle in IDLE for key in idle.keys} <= {option.key for option in RULE_OPTIONS}


@pytest.mark.parametrize("key", [key for idle in IDLE for key in idle.keys])
def test_every_idle_option_decides_under_some_rules(key: str) -> None:
    everything = Variant.model_validate(
        {"attack": {"limit": 6, "first_limit": 5}, "pass_card": {"enabled": True}}
    )
    assert idle_reason(everything, key, session=2) is None
    assert idle_reason(load_variant("classic"), "attack.limit") is None
