"""Who deals and who opens the later deals of a session (docs/rules.md 2.3 and 2.4)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from simcli.bots.batch import (
    N_COLUMNS,
    O_DEALER,
    O_LOSER,
    O_OPENER,
    O_PLACE,
    O_RESULT,
    Rows,
    play_batch,
)
from simcli.bots.choose import LOWEST, RANDOM
from simcli.engine.game import Game
from simcli.engine.layout import BOT, DRAWN, LOST, STALLED, WON
from simcli.engine.table import new_table
from simcli.rules.variant import Variant
from tests.engine.chance import is_uniform
from tests.engine.test_deal_and_opening import SEED, seat_with_the_lowest_trump, variant_of

FOUR = range(4)


def next_deal(previous: dict[str, Any], deal: int = 1, players: int = 4, **options: Any) -> Game:
    """Deal the deal that follows another one."""
    return Game.deal(variant_of(36, players, **options), players, SEED, deal, previous=previous)


def lost_by(loser: int, dealer: int) -> dict[str, Any]:
    places: list[int | None] = [1, 2, 3]
    places.insert(loser, 4)
    return {"dealer": dealer, "loser": loser, "places": places, "result": "lost"}


def nobody_lost(result: str, dealer: int) -> dict[str, Any]:
    places = [1, 2, 3, 3] if result == "drawn" else [1, None, None, None]
    return {"dealer": dealer, "loser": None, "places": places, "result": result}


def won_by(winner: int, dealer: int, loser: int | None = None) -> dict[str, Any]:
    places: list[int | None] = [None] * 4
    places[winner] = 1
    return {"dealer": dealer, "loser": loser, "places": places, "result": "won"}


FIRST_PLACE_SHARED = {"loser": None, "places": [None, 1, 1, None], "result": "drawn"}
FIRST_OUT = {"objective": "first_out_wins"}

# ---------------------------------------------------------------------------------- the dealer


@pytest.mark.parametrize("loser, dealer", list(product(FOUR, FOUR)))
def test_the_loser_deals(loser: int, dealer: int) -> None:
    assert next_deal(lost_by(loser, dealer)).dealer == loser


@pytest.mark.parametrize("result, dealer", list(product(["drawn", "stalled"], FOUR)))
def test_after_a_drawn_or_stalled_deal_the_same_dealer_deals(result: str, dealer: int) -> None:
    assert next_deal(nobody_lost(result, dealer)).dealer == dealer


@pytest.mark.parametrize("winner, dealer", list(product(FOUR, FOUR)))
def test_the_winners_left_neighbour_deals(winner: int, dealer: int) -> None:
    assert next_deal(won_by(winner, dealer), end=FIRST_OUT).dealer == (winner + 1) % 4


@pytest.mark.parametrize("winner, loser", [(0, 2), (3, 1), (2, 1)])
def test_the_winners_left_neighbour_deals_although_a_loser_is_recorded(winner: int, loser: int) -> None:
    assert next_deal(won_by(winner, 0, loser), end=FIRST_OUT).dealer == (winner + 1) % 4


@pytest.mark.parametrize("dealer", FOUR)
def test_if_first_place_is_shared_the_same_dealer_deals(dealer: int) -> None:
    previous = {**FIRST_PLACE_SHARED, "dealer": dealer}
    assert next_deal(previous, end=FIRST_OUT).dealer == dealer


@pytest.mark.parametrize("dealer", FOUR)
def test_a_stalled_deal_under_first_out_wins_keeps_its_dealer(dealer: int) -> None:
    previous = {"dealer": dealer, "loser": None, "places": [None] * 4, "result": "stalled"}
    assert next_deal(previous, end=FIRST_OUT).dealer == dealer


# ---------------------------------------------------------------------------------- the opener


@pytest.mark.parametrize("first", ["lowest_trump", "random"])
@pytest.mark.parametrize("loser", FOUR)
def test_later_dealer_left_opens_whatever_opens_a_first_deal(loser: int, first: str) -> None:
    openers = [
        next_deal(lost_by(loser, 0), deal, opening={"first": first, "later": "dealer_left"}).opener
        for deal in range(1, 12)
    ]
    assert openers == [(loser + 1) % 4] * 11


@pytest.mark.parametrize("loser, dealer", list(product(FOUR, FOUR)))
def test_under_attack_loser_the_right_neighbour_opens_and_the_loser_defends(loser: int, dealer: int) -> None:
    game = next_deal(lost_by(loser, dealer), opening={"later": "attack_loser"})
    assert game.opener == (loser - 1) % 4
    assert game.defender == loser


@pytest.mark.parametrize("result, dealer", list(product(["drawn", "stalled"], FOUR)))
def test_under_attack_loser_the_dealers_left_opens_if_nobody_lost(result: str, dealer: int) -> None:
    game = next_deal(nobody_lost(result, dealer), opening={"later": "attack_loser"})
    assert game.opener == (dealer + 1) % 4


@pytest.mark.parametrize("winner", FOUR)
def test_under_attack_loser_a_won_deal_has_a_loser_only_if_one_is_recorded(winner: int) -> None:
    later = {"later": "attack_loser"}
    nobody = next_deal(won_by(winner, 0), end=FIRST_OUT, opening=later)
    assert nobody.opener == (winner + 2) % 4  # the left neighbour of the dealer, who sits left of the winner
    loser = (winner + 3) % 4
    somebody = next_deal(won_by(winner, 0, loser), end=FIRST_OUT, opening=later)
    assert (somebody.opener, somebody.defender) == ((loser - 1) % 4, loser)


def test_later_lowest_trump_opens_as_in_a_first_deal() -> None:
    others = 0
    for deal in range(1, 30):
        game = next_deal(lost_by(2, 0), deal, opening={"first": "dealer_left", "later": "lowest_trump"})
        holder = seat_with_the_lowest_trump(game)
        assert holder is not None
        assert game.opener == holder
        others += holder != 3
    assert others > 0


def later_deals_without_a_trump(no_trump: str) -> list[int]:
    """Return who opens later deals for two, dealt by seat 1, in which nobody holds a trump."""
    previous = {"dealer": 0, "loser": 1, "places": [1, 2], "result": "lost"}
    variant = variant_of(52, 2, opening={"no_trump": no_trump, "later": "lowest_trump"})
    games = (Game.deal(variant, 2, SEED, deal, previous=previous) for deal in range(1, 6000))
    return [game.opener for game in games if seat_with_the_lowest_trump(game) is None]


def test_later_lowest_trump_falls_back_on_no_trump_too() -> None:
    assert set(later_deals_without_a_trump("dealer_left")) == {0}
    assert is_uniform(later_deals_without_a_trump("random"), range(2))


def test_opening_later_does_not_touch_a_first_deal() -> None:
    for later in ("dealer_left", "attack_loser"):
        for deal in range(20):
            game = Game.deal(variant_of(opening={"later": later}), 4, SEED, deal)
            assert game.opener == seat_with_the_lowest_trump(game)


# ----------------------------------------------------------------------------- played sessions


def played(variant: Variant, bot: int, n_deals: int, session: int) -> Rows:
    """Play some sessions in one batch."""
    table = new_table(variant, variant.players)
    table[BOT : BOT + variant.players] = bot
    rows: Rows = np.zeros((N_COLUMNS, n_deals), dtype=np.uint16)
    play_batch(table, SEED, 0, session, rows)
    return rows


PLAYED = [
    (variant_of(36, 3), LOWEST),
    (variant_of(36, 4, end={"stall_bouts": 3}), RANDOM),
    (variant_of(24, 3, end={"objective": "first_out_wins"}), LOWEST),
    (variant_of(36, 4, end={"objective": "first_out_wins", "stall_bouts": 3}), RANDOM),
    (variant_of(36, 4, teams=2), LOWEST),
]


@pytest.mark.parametrize("variant, bot", PLAYED)
def test_each_deal_of_a_played_session_follows_from_the_one_before(variant: Variant, bot: int) -> None:
    n_deals, session = 60, 20
    rows = played(variant, bot, n_deals, session)
    n = variant.players
    for deal in range(n_deals):
        if deal % session == 0:
            first = Game.deal(variant, n, SEED, deal)
            assert (rows[O_DEALER, deal], rows[O_OPENER, deal]) == (first.dealer, first.opener)
            continue
        result, places = rows[O_RESULT, deal - 1], rows[O_PLACE : O_PLACE + n, deal - 1].tolist()
        if result == LOST:
            dealer = rows[O_LOSER, deal - 1]
        elif result == WON:
            dealer = (places.index(1) + 1) % n
        else:
            dealer = rows[O_DEALER, deal - 1]
        assert rows[O_DEALER, deal] == dealer
        assert rows[O_OPENER, deal] == (dealer + 1) % n


def test_the_played_sessions_have_every_result() -> None:
    results: set[int] = set()
    for variant, bot in PLAYED:
        results |= set(played(variant, bot, 60, 20)[O_RESULT].tolist())
    assert {LOST, WON, STALLED} <= results


def test_a_stalled_deal_is_a_row_of_its_own_kind() -> None:
    rows = played(variant_of(36, 4, end={"stall_bouts": 1}), RANDOM, 50, 1)
    stalled = rows[O_RESULT] == STALLED
    assert 0 < stalled.sum() <= 50
    assert STALLED != DRAWN
    assert set(rows[O_LOSER, stalled].tolist()) == {0xFFFF}  # nobody
