"""The hash and the plain form of a variant, and what two variants differ in."""

import hashlib
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.rules.canonical import differences, resolved, rules_hash
from simcli.rules.load import load_variant, variant_from_mapping
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import RULE_OPTIONS, Attack, End, Variant, option_value, seat


def values_of(option):
    return option.values if option.values is not None else tuple(range(option.low, option.high + 1))


def with_value(option, value):
    """Return a variant that differs from the default in one option, with what that option needs."""
    data = {"players": 6}
    if option.key == "attack.first_limit":
        data["attack"] = {"limit": max(value, 6)}
    elif option.key == "attack.limit":
        data["attack"] = {"first_limit": 1}
    block, _, name = option.key.rpartition(".")
    target = data.setdefault(block, {}) if block else data
    target[name] = value
    return variant_from_mapping(data)


@pytest.mark.parametrize("option", RULE_OPTIONS, ids=lambda option: option.key)
def test_hash_depends_on_every_value_of_every_option(option):
    values = values_of(option)
    assert len({rules_hash(with_value(option, value)) for value in values}) == len(values)


def test_hash_depends_on_the_deck():
    assert len({rules_hash(Variant(deck=deck)) for deck in (24, 36, 52)}) == 3


def test_hash_does_not_depend_on_names_and_table_sizes():
    other = Variant(name="x", title="T", summary="S", players=2, max_players=5)
    assert rules_hash(other) == rules_hash(Variant())
    assert rules_hash(seat(load_variant("partners"), 6)) == rules_hash(load_variant("partners"))


@given(st.randoms(use_true_random=False), st.data())
def test_hash_does_not_depend_on_key_order_or_defaults_spelled_out(rng, data):
    chosen = data.draw(st.sets(st.sampled_from([option.key for option in RULE_OPTIONS])))
    full = resolved(Variant(name="x", attack=Attack(limit=5), end=End(stall_bouts=7)))
    kept = {"name": "x", "attack": {"limit": 5}, "end": {"stall_bouts": 7}}
    for key in chosen:
        block, _, name = key.rpartition(".")
        (kept.setdefault(block, {}) if block else kept)[name] = (full[block] if block else full)[name]
    assert rules_hash(variant_from_mapping(shuffled(kept, rng))) == rules_hash(variant_from_mapping(full))


def shuffled(mapping: dict, rng: random.Random) -> dict:
    items = list(mapping.items())
    rng.shuffle(items)
    return {key: shuffled(value, rng) if isinstance(value, dict) else value for key, value in items}


def test_hash_does_not_depend_on_comments_or_layout(tmp_path):
    block, flow = tmp_path / "block.yaml", tmp_path / "flow.yaml"
    block.write_text("# one\nname: a\nattack:\n  # five\n  limit: 5\n  lead: one\ntransfer:\n  mode: early\n")
    flow.write_text("attack: {lead: one, limit: 5, first_limit: 5}  # two\nname: b\nplayers: 3\n")
    assert rules_hash(load_variant(block)) == rules_hash(load_variant(flow))


def test_hash_is_the_documented_one():
    """The recipe of the docstring followed by hand: it pins the hash across versions."""
    text = (
        '{"attack.first_limit":6,"attack.first_scope":"first_bout","attack.lead":"several","attack.limit":6,'
        '"deck":36,"draw.defender":"last_unless_original","draw.first":"original_attacker",'
        '"end.objective":"last_loses","end.stall_bouts":100,"end.tie":"shared","opening.first":"lowest_trump",'
        '"opening.later":"dealer_left","opening.no_trump":"dealer_left","pass_card.enabled":false,'
        '"pass_card.per_bout":1,"teams":"none","throw_in.on_pickup":true,"throw_in.order":"clockwise",'
        '"throw_in.who":"all","throw_in.window":"after_cover","transfer.cards":"several",'
        '"transfer.first_bout":true,"transfer.mode":"early","trump_exchange":"none"}'
    )
    assert rules_hash(load_variant("classic")) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", shipped_names())
def test_plain_form_survives_json_and_comes_back_the_same(name):
    variant = load_variant(name)
    assert variant_from_mapping(json.loads(json.dumps(resolved(variant)))) == variant


def test_plain_form_has_every_key_in_the_order_of_a_file():
    plain = resolved(Variant())
    flat = [
        f"{key}.{inner}" if isinstance(value, dict) else key
        for key, value in plain.items()
        for inner in (value if isinstance(value, dict) else [key])
    ]
    table = ["name", "title", "summary", "players", "max_players", "deck"]
    assert flat == [*table, *(option.key for option in RULE_OPTIONS)]


def test_differences_name_key_value_and_base_value_in_file_order():
    found = differences(load_variant("five-until-discard"), load_variant("podkidnoy"))
    assert found == [
        ("attack.first_limit", 5, 6),
        ("attack.first_scope", "until_first_discard", "first_bout"),
        ("transfer.mode", "early", "none"),
    ]


@pytest.mark.parametrize("name", shipped_names())
def test_differences_are_empty_exactly_when_the_hashes_agree(name):
    classic, variant = load_variant("classic"), load_variant(name)
    assert bool(differences(variant, classic)) == (rules_hash(variant) != rules_hash(classic))
    for key, value, base in differences(variant, classic):
        assert option_value(variant, key) == value != base == option_value(classic, key)
