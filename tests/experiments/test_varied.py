"""Variants made from others: their values, names and titles."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.experiments.varied import VARIED_KEYS, varied, varied_name, varied_title
from simcli.rules.canonical import differences, rules_hash
from simcli.rules.load import load_variant
from simcli.rules.sheet import differences_in_words
from simcli.rules.variant import NAME_LENGTH, NAME_PATTERN, RULE_OPTIONS, Variant, option_value

CLASSIC = load_variant("classic")


def values_of(key: str) -> list[str | int | bool]:
    """Return some values of an option."""
    option = next((each for each in RULE_OPTIONS if each.key == key), None)
    if option is None:
        return [24, 36, 52]
    return list(option.values or (option.low or 1, 5, option.high or 36))


some_changes = st.dictionaries(st.sampled_from(VARIED_KEYS), st.integers(0, 2), max_size=6).map(
    lambda picks: {key: values_of(key)[pick % len(values_of(key))] for key, pick in picks.items()}
)


@given(some_changes)
def test_a_varied_variant_differs_in_nothing_else(changes: dict[str, str | int | bool]) -> None:
    variant = varied(CLASSIC, changes)
    assert all(option_value(variant, key) == value for key, value in changes.items())
    changed = {key for key, _, _ in differences(variant, CLASSIC)}
    assert changed <= {*changes, "attack.first_limit"}


@given(some_changes)
def test_a_name_is_one_of_a_variant_file(changes: dict[str, str | int | bool]) -> None:
    name = varied_name(CLASSIC, changes)
    assert re.fullmatch(NAME_PATTERN, name)
    assert len(name) <= NAME_LENGTH


@given(some_changes, some_changes)
def test_other_rules_have_another_name(
    changes: dict[str, str | int | bool], others: dict[str, str | int | bool]
) -> None:
    first, second = varied(CLASSIC, changes), varied(CLASSIC, others)
    assert (first.name == second.name) <= (rules_hash(first) == rules_hash(second))


@pytest.mark.parametrize(
    "changes, name",
    [
        ({}, "classic"),
        ({"transfer.mode": "early"}, "classic"),
        ({"transfer.mode": "late"}, "classic_transfer-late"),
        ({"pass_card.enabled": True, "transfer.mode": "late"}, "classic_transfer-late_pass-card"),
        ({"transfer.first_bout": False}, "classic_no-first-bout"),
        ({"draw.first": "join_order", "deck": 52}, "classic_deck-52_draw-join-order"),
        ({"end.stall_bouts": 50}, "classic_stall-bouts-50"),
    ],
)
def test_a_name_says_what_differs(changes: dict[str, str | int | bool], name: str) -> None:
    assert varied_name(CLASSIC, changes) == name


def test_a_title_says_what_differs_as_a_file_would() -> None:
    changes = {"transfer.first_bout": False, "transfer.mode": "late", "deck": 24}
    assert varied_title(Variant(name="mine", title="Durak"), changes) == (
        "mine with deck 24, transfer.mode late and transfer.first_bout false"
    )


def test_a_long_name_keeps_its_beginning_and_stays_apart() -> None:
    changes = {"draw.first": "final_attacker", "draw.defender": "in_turn", "end.objective": "first_out_wins"}
    base = CLASSIC.model_copy(update={"name": "a" * 40})
    first = varied_name(base, changes)
    second = varied_name(base, {**changes, "end.tie": "defender_last"})
    assert len(first) == len(second) == NAME_LENGTH
    assert first.startswith("a" * 40 + "_draw-final")
    assert first != second


def test_first_limit_follows_a_limit_that_it_equals() -> None:
    assert varied(CLASSIC, {"attack.limit": 5}).attack.first_limit == 5
    five = load_variant("five-card-opening")
    assert varied(five, {"attack.limit": 8}).attack.first_limit == 5
    both = varied(CLASSIC, {"attack.limit": 8, "attack.first_limit": 4})
    assert (both.attack.limit, both.attack.first_limit) == (8, 4)


@given(some_changes)
def test_a_summary_says_what_is_otherwise(changes: dict[str, str | int | bool]) -> None:
    variant = varied(CLASSIC, changes)
    assert len(variant.summary) <= 500
    sentences = " ".join(differences_in_words(variant, CLASSIC))
    if sentences and len(sentences) <= 500:
        assert variant.summary == sentences
    if not sentences:
        assert variant.summary == CLASSIC.summary
