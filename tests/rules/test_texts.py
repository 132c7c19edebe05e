"""Every value of every option has a text, and texts count in words."""

import doctest

import pytest

from simcli.rules import texts
from simcli.rules.texts import Count
from simcli.rules.variant import COMPARED, Variant, option_value


@pytest.mark.parametrize("option", COMPARED, ids=lambda option: option.key)
def test_every_value_of_an_option_has_one_text(option):
    said = [text.value for text in option.texts]
    wanted = [None] if option.values is None else list(option.values)
    assert sorted(map(repr, said)) == sorted(map(repr, wanted))


@pytest.mark.parametrize("option", COMPARED, ids=lambda option: option.key)
def test_texts_of_an_option_differ_and_are_plain_english(option):
    rules = [text.rule for text in option.texts]
    shorts = [text.beside for text in option.texts]
    assert len(set(rules)) == len(rules)
    assert len(set(shorts)) == len(shorts)
    for text in [*rules, *shorts]:
        assert "_" not in text
        assert not text.endswith((".", " "))
    assert all(text[0].islower() for text in shorts)


@pytest.mark.parametrize("option", [o for o in COMPARED if o.values is None], ids=lambda option: option.key)
def test_the_text_of_a_number_holds_the_number(option):
    for number in (option.low, 7, option.high):
        text = option.text(number)
        counted = f"{Count(number):times}" if "per_bout" in option.key else f"{Count(number)}"
        assert counted in text.rule
        assert counted in text.beside


def test_a_text_is_found_for_false_and_not_for_nought():
    option = next(o for o in COMPARED if o.key == "transfer.first_bout")
    assert option.text(option_value(Variant(), option.key)).value is True
    with pytest.raises(KeyError):
        option.text(1)


def test_examples_in_the_docstrings_hold():
    assert doctest.testmod(texts).failed == 0
