"""Rule sheets say everything once; differences in words say what differs."""

import doctest
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcli.errors import InputError
from simcli.rules import sheet
from simcli.rules.canonical import differences
from simcli.rules.conflicts import conflicts
from simcli.rules.load import load_variant, variant_from_mapping
from simcli.rules.sheet import differences_in_words, has_effect, rule_sheet, table_sizes
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import COMPARED, RULE_OPTIONS, Variant, option_value

SHIPPED = {name: load_variant(name) for name in shipped_names()}
CLASSIC = SHIPPED["classic"]


def nested(values):
    mapping = {}
    for key, value in values.items():
        block, _, name = key.rpartition(".")
        (mapping.setdefault(block, {}) if block else mapping)[name] = value
    return mapping


@st.composite
def variants(draw):
    """Draw any variant whose options fit together."""
    values = {"deck": draw(st.sampled_from([24, 36, 52]))}
    for option in RULE_OPTIONS:
        high = min(option.high or 0, 12)
        values[option.key] = draw(
            st.sampled_from(option.values) if option.values else st.integers(option.low, high)
        )
    values["attack.first_limit"] = min(values["attack.first_limit"], values["attack.limit"])
    if values["transfer.mode"] == "none":
        values["pass_card.enabled"] = False
    if values["teams"] != "none":
        values["end.objective"] = "last_loses"
        values["deck"] = max(36, values["deck"])
    players = {"none": 3, 2: 4, 3: 6}[values["teams"]]
    return variant_from_mapping({"name": "any", "players": players, **nested(values)})


def sentences_of(variant):
    return [sentence for section in rule_sheet(variant) for sentence in section.sentences]


def fits(values):
    try:
        return variant_from_mapping({"name": "other", **nested(values)})
    except InputError:
        return None


def values_of(variant):
    values = {option.key: option_value(variant, option.key) for option in COMPARED}
    return {"players": variant.players, **values}


@given(variants())
@settings(max_examples=60, deadline=None)
def test_every_option_is_expressed_exactly_once(variant):
    sheet_text = sentences_of(variant)
    for option in COMPARED:
        rule = option.text(option_value(variant, option.key)).rule
        found = sum(rule in sentence for sentence in sheet_text)
        assert found == has_effect(variant, option.key), option.key


@given(variants())
@settings(max_examples=60, deadline=None)
def test_no_sentence_stands_twice_and_all_are_sentences_of_plain_words(variant):
    found = sentences_of(variant)
    assert max(Counter(found).values()) == 1
    for sentence in found:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert not set("_{}`") & set(sentence)
        assert not {"seat", "index", "option", "mode", "true", "false"} & set(sentence.lower().split())


@given(variants(), st.sampled_from(COMPARED))
@settings(max_examples=60, deadline=None)
def test_an_option_has_an_effect_just_where_another_value_changes_the_sheet(variant, option):
    values = option.values or (option.low, option.high)
    others = [value for value in values if value != option_value(variant, option.key)]
    changed = [fits({**values_of(variant), option.key: value}) for value in others]
    for other in filter(None, changed):
        if option.key in ("teams", "attack.limit", "end.objective", "deck"):
            assert rule_sheet(other) != rule_sheet(variant)
        else:
            effect = has_effect(variant, option.key) or has_effect(other, option.key)
            assert (rule_sheet(other) != rule_sheet(variant)) == effect


@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_variant_differs_from_classic_in_as_many_sentences_as_options(name):
    variant = SHIPPED[name]
    scoped = [key for key, _, _ in differences(variant, CLASSIC) if has_effect(variant, key)]
    n_rules = len([key for key in scoped if key != "attack.first_scope"])
    if variant.transfer.mode == "none" or name in ("advanced-transfer", "transferable"):
        assert len(differences_in_words(variant, CLASSIC)) == n_rules
    else:
        assert len(differences_in_words(variant, CLASSIC)) == len(differences_in_words(CLASSIC, variant))
    assert bool(n_rules) == (name != "classic")


@given(variants(), variants())
@settings(max_examples=60, deadline=None)
def test_differences_are_sentences_and_are_none_just_where_the_sheets_say_the_same(variant, other):
    words = differences_in_words(variant, other)
    assert len(set(words)) == len(words)
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in words)
    assert differences_in_words(variant, variant) == ()


def test_a_late_transfer_is_told_beside_an_early_one():
    assert differences_in_words(SHIPPED["late-transfer"], CLASSIC) == (
        "Transfers are allowed as long as one attack card is uncovered, even if others are covered; "
        "in classic they are allowed only before the first cover.",
    )


def test_variants_of_one_name_are_told_apart():
    (words,) = differences_in_words(Variant(teams=2, players=4), Variant())
    assert words.endswith("; in the other everybody plays alone.")


def test_a_rule_that_has_no_counterpart_is_told_alone():
    words = differences_in_words(SHIPPED["transferable"], SHIPPED["podkidnoy"])
    assert "A transfer is made with a single card." in words


def test_a_lower_first_limit_is_told_with_its_scope():
    (words,) = differences_in_words(SHIPPED["five-until-discard"], CLASSIC)
    assert words == (
        "At most five attack cards may be played in a bout until an attack has been beaten for the first "
        "time in the deal; in classic there is no lower limit."
    )
    (back,) = differences_in_words(CLASSIC, SHIPPED["five-until-discard"])
    assert back.startswith(
        "There is no lower limit for the first bouts of a deal; in five-until-discard at most"
    )


def test_podkidnoy_says_of_transfers_only_that_there_are_none():
    (section,) = (part for part in rule_sheet(SHIPPED["podkidnoy"]) if part.title == "Transferring")
    assert section.sentences == ("Transfers are not allowed.",)
    others = [part for part in rule_sheet(SHIPPED["podkidnoy"]) if part.title != "Transferring"]
    assert not any("transfer" in sentence for part in others for sentence in part.sentences)


def test_partners_have_a_section_of_their_own_and_single_players_none():
    assert "Partners" in [part.title for part in rule_sheet(SHIPPED["partners"])]
    assert "Partners" not in [part.title for part in rule_sheet(CLASSIC)]


def test_a_table_that_deals_out_the_whole_pack_has_no_stock_to_speak_of():
    whole = Variant(players=6, teams=3)
    assert table_sizes(whole) == (6,)
    assert not conflicts(whole)
    text = " ".join(sentences_of(whole))
    assert "There is no stock" in text
    assert "Turn up" not in text


def test_examples_in_the_docstrings_hold():
    assert doctest.testmod(sheet).failed == 0
