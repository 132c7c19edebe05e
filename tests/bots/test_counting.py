"""`counting` plays what it knows, and better than `thrifty` in the same deals."""

from __future__ import annotations

import numpy as np
import pytest

from simcli.bots.counting_weights import (
    AMONG_RACERS,
    END,
    N_ROWS,
    N_STAGES,
    N_WEIGHTS,
    NAMES,
    ROW_NAMES,
    WEIGHTS,
)
from simcli.bots.counting_worth import row_of, strength
from simcli.engine.notation import parse_cards
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from tests.bench.strength import margin
from tests.bots.positions import after, position, turn_of

# In classic and podkidnoy the margins of docs/bots.md are a point and more; a margin below zero by five
# standard errors is missed less than once in a million seeds.
ERRORS = 5


def card(word: str) -> int:
    """Return a set of one card."""
    return parse_cards([word])


def test_weights_have_a_name_and_a_row_each() -> None:
    assert WEIGHTS.shape == (N_ROWS, N_WEIGHTS) == (len(ROW_NAMES), len(NAMES))


@pytest.mark.parametrize(
    "hands, stock, name",
    [
        (2, "10C AH", "late, two"),
        (2, "", "end, two"),
        (3, "", "end, three"),
        (4, "10C 10D 10S JC JD JS AH", "early, four"),
    ],
)
def test_weights_go_by_stock_and_seats(hands: int, stock: str, name: str) -> None:
    full = ["6C 7C 8C 9C KC QC", "6D 7D 8D 9D KD QD", "6S 7S 8S 9S KS QS", "6H 7H 8H 9H KH QH"]
    state = position(*full[:hands], stock=stock).state
    assert ROW_NAMES[int(row_of(state))] == name


def test_racers_have_weights_of_their_own() -> None:
    hands = "6C 7C", "6D 7D", "6S 7S"
    assert int(row_of(position(*hands, variant="transferable").state)) == AMONG_RACERS + END
    assert int(row_of(position(*hands[:2], variant="transferable").state)) == END


def test_tables_without_transfers_have_weights_of_their_own() -> None:
    state = position("6C 7C", "6D 7D", "6S 7S", variant="podkidnoy").state
    assert ROW_NAMES[int(row_of(state))] == "end, three, no transfers"


def one_weight(name: str, value: int) -> np.ndarray:
    """Return weights of which one has a say, in every row."""
    weights = np.zeros_like(WEIGHTS)
    weights[:, NAMES.index(name)] = value
    return weights


def test_a_king_is_an_ace_once_the_ace_is_gone() -> None:
    state = position("KS 6C", "7C 8C").state
    weights = one_weight("relative", 64)
    row = N_STAGES
    without_ace = strength(state, weights, row, card("KS"), 0)
    assert without_ace == strength(state, weights, row, card("AS"), 0)
    assert without_ace > strength(state, weights, row, card("KS"), card("AS"))


def test_a_card_is_of_use_for_each_lower_card_that_is_out() -> None:
    state = position("KS 6C", "7C 8C").state
    weights = one_weight("useful", 5)
    alone = strength(state, weights, 0, card("KS"), parse_cards(["AS", "7D"]))
    assert strength(state, weights, 0, card("KS"), parse_cards(["6S", "7S", "AS", "7D"])) == alone + 10


def test_counting_leads_what_the_last_opponent_cannot_beat_and_its_weak_card_last() -> None:
    assert turn_of("counting", position("6C AH", "7C KH")) == ["attack AH"]


def test_counting_leads_its_last_cards_together() -> None:
    assert turn_of("counting", position("9S 9H", "10C JC QC", "6C 6D")) == ["attack 9S", "attack 9H"]


def test_counting_covers_with_the_low_card_and_keeps_the_trump() -> None:
    stock = "AC AD KC KD QC QD JC JD 10C 10D AH"
    game = after(position("9S 7C 8C KD", "JS 6H AC AD", "7D 8D", stock=stock), "attack 9S")
    assert turn_of("counting", game) == ["cover 9S JS"]


def test_counting_exchanges_the_lowest_trump() -> None:
    game = position("6H 9S", "7C 8C", variant="trump-six-exchange", stock="10C 10D AH")
    assert turn_of("counting", game) == ["exchange"]


@pytest.mark.parametrize("name", ["classic", "podkidnoy"])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_one_counting_among_thrifty_fails_less_often_than_the_others(name: str, players: int) -> None:
    variant = seat(load_variant(name), players)
    found = margin(variant, players, "counting", "thrifty", 40_000)
    assert found.points + ERRORS * found.error < 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["classic", "podkidnoy"])
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_one_counting_among_thrifty_fails_a_point_less_than_the_others(name: str, players: int) -> None:
    variant = seat(load_variant(name), players)
    found = margin(variant, players, "counting", "thrifty", 1_000_000)
    assert found.points + ERRORS * found.error < -1
