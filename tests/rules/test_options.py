"""The table of rule options is the one in docs/rules.md 7, in its order."""

import pytest

from simcli.rules.variant import RULE_OPTIONS, Variant, option_value

KEYS = [
    "opening.first",
    "opening.no_trump",
    "opening.later",
    "attack.lead",
    "attack.limit",
    "attack.first_limit",
    "attack.first_scope",
    "throw_in.who",
    "throw_in.window",
    "throw_in.order",
    "throw_in.on_pickup",
    "transfer.mode",
    "transfer.cards",
    "transfer.first_bout",
    "pass_card.enabled",
    "pass_card.per_bout",
    "draw.first",
    "draw.defender",
    "trump_exchange",
    "end.objective",
    "end.tie",
    "end.stall_bouts",
    "teams",
]

CHOICES = {
    "opening.first": ("lowest_trump", "dealer_left", "random"),
    "opening.no_trump": ("dealer_left", "random"),
    "opening.later": ("dealer_left", "attack_loser", "lowest_trump"),
    "attack.lead": ("one", "several"),
    "attack.first_scope": ("first_bout", "until_first_discard"),
    "throw_in.who": ("all", "neighbours", "attacker", "none"),
    "throw_in.window": ("from_lead", "after_cover", "when_beaten"),
    "throw_in.order": ("clockwise", "simultaneous"),
    "throw_in.on_pickup": (False, True),
    "transfer.mode": ("none", "early", "late"),
    "transfer.cards": ("one", "several"),
    "transfer.first_bout": (False, True),
    "pass_card.enabled": (False, True),
    "draw.first": ("original_attacker", "final_attacker", "join_order"),
    "draw.defender": ("last", "last_unless_original", "in_turn"),
    "trump_exchange": ("none", "lowest"),
    "end.objective": ("last_loses", "first_out_wins"),
    "end.tie": ("shared", "defender_last"),
    "teams": ("none", 2, 3),
}

BOUNDS = {
    "attack.limit": (1, 36),
    "attack.first_limit": (1, 36),
    "pass_card.per_bout": (1, 36),
    "end.stall_bouts": (1, 1000),
}


def test_options_stand_in_the_order_of_a_variant_file():
    assert [option.key for option in RULE_OPTIONS] == KEYS


def test_choices_are_those_of_the_rules():
    found = {option.key: option.values for option in RULE_OPTIONS if option.values is not None}
    assert found == CHOICES


def test_numbers_have_the_bounds_of_the_rules():
    found = {option.key: (option.low, option.high) for option in RULE_OPTIONS if option.values is None}
    assert found == BOUNDS


@pytest.mark.parametrize("option", RULE_OPTIONS, ids=KEYS)
def test_default_of_an_option_is_that_of_an_unnamed_variant(option):
    assert option_value(Variant(), option.key) == option.default


@pytest.mark.parametrize("option", RULE_OPTIONS, ids=KEYS)
def test_every_option_is_described_in_a_sentence(option):
    assert option.description.endswith(".")
    assert len(option.description.split()) > 3
