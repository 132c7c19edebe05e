"""Cards and actions are read as they are written, and everything else is refused with the way out."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.engine import notation
from simcli.engine.actions import action, cover_action, packed
from simcli.engine.layout import ALL_CARDS, ATTACK, PICK_UP, SHOW, THROW
from simcli.engine.notation import (
    CARD_WORDS,
    NotationError,
    action_text,
    card_words,
    cards_in,
    mask_of,
    parse_action,
    parse_card,
    parse_cards,
    split_seat,
)

CARDS = st.integers(0, 51)


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(notation).failed == 0


@given(CARDS)
def test_card_is_its_rank_times_four_plus_its_suit(card: int) -> None:
    word = CARD_WORDS[card]
    assert parse_card(word) == card
    assert "CDHS".index(word[-1]) == card % 4
    assert ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"].index(word[:-1]) == card // 4


@given(st.sets(CARDS))
def test_set_of_cards_survives_being_written(cards: set[int]) -> None:
    mask = mask_of(cards)
    assert set(cards_in(mask)) == cards
    assert list(cards_in(mask)) == sorted(cards)
    assert parse_cards(card_words(mask)) == mask
    assert mask & ~ALL_CARDS == 0


@given(CARDS, CARDS)
def test_cover_is_the_attack_and_then_the_card(attack: int, card: int) -> None:
    if attack == card:
        with pytest.raises(NotationError, match="two different cards"):
            parse_action(f"cover {CARD_WORDS[attack]} {CARD_WORDS[card]}")
        return
    text = f"cover {CARD_WORDS[attack]} {CARD_WORDS[card]}"
    assert parse_action(text) == packed(cover_action(1 << attack, 1 << card))
    assert action_text(parse_action(text)) == text


@pytest.mark.parametrize(
    "text, verb, cards",
    [
        ("attack 9C", ATTACK, ["9C"]),
        ("show 9S", SHOW, ["9S"]),
        ("throw 10H", THROW, ["10H"]),
        ("pick_up", PICK_UP, []),
    ],
)
def test_action_is_the_engines_number(text: str, verb: int, cards: list[str]) -> None:
    assert parse_action(text) == packed(action(verb, parse_cards(cards)))


@pytest.mark.parametrize("text", ["transfer 9D", "pass", "stop", "exchange", "keep"])
def test_action_survives_being_written(text: str) -> None:
    assert action_text(parse_action(text)) == text


@pytest.mark.parametrize("word", ["", "1C", "11C", "9", "C", "9X", "9CC", "C9", "9 C", "\uff19C"])
def test_word_that_is_no_card_is_refused(word: str) -> None:
    with pytest.raises(NotationError, match=r"expected a card such as 9C or 10H .*, got"):
        parse_card(word)


def test_card_in_small_letters_is_told_how_to_be_written() -> None:
    with pytest.raises(NotationError, match="write 10H"):
        parse_card("10h")


def test_card_named_twice_is_refused() -> None:
    with pytest.raises(NotationError, match="each card once, got 9C twice"):
        parse_cards(["9C", "10H", "9C"])


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "expected attack CARD, .*got nothing"),
        ("atack 9C", "expected attack CARD, .*got 'atack 9C'"),
        ("attack", "expected attack CARD, got 'attack'"),
        ("attack 9C 9D", "expected attack CARD, got"),
        ("cover 9C", "expected cover ATTACK CARD, got"),
        ("pass 9C", "expected pass, got"),
        ("throw 1C", "expected a card such as"),
    ],
)
def test_text_that_is_no_action_is_told_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        parse_action(text)


def test_step_begins_with_its_seat() -> None:
    assert split_seat("1 cover 9C QC", 3) == (1, "cover 9C QC")


@pytest.mark.parametrize("text", ["3 pass", "-1 pass", "x pass", "", "pass", "01 pass", "² pass"])
def test_step_of_no_seat_at_the_table_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected a seat from 0 to 2"):
        split_seat(text, 3)
