"""What a counting bot knows follows from what its seat has seen, and is true."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import simcli.bots
from simcli.bots.choose import THRIFTY, choose_move
from simcli.bots.knowledge import (
    CERTAIN,
    chance_lacking,
    chance_of_none,
    chance_unbeaten,
    deduced_hand,
    exposed,
    hidden_cards,
    n_hidden_in,
    remembered,
    share_of,
    still_out,
)
from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.layout import ACTIVE, ACTOR, HAND, MAX_PLAYERS, PH_OVER, PHASE, State
from simcli.engine.legal import has_stock
from simcli.engine.notation import parse_cards
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from tests.bots.positions import after, position

#: slots of the state, and helpers, that tell what other seats hold or what lies in the stock
SECRETS = {
    "HAND",
    "STOCK",
    "DREW",
    "SHUFFLE",
    "KNOWN",
    "TRUMPS_DEALT",
    "RACE_STREAM",
    "BOT_STREAM",
    "hand_size",
}


def cards(words: str) -> int:
    """Return a set of cards written as words."""
    return parse_cards(words.split())


def imported_names(module: str) -> set[str]:
    """Return the names that a module of the bots imports."""
    folder = Path(next(iter(simcli.bots.__path__)))
    tree = ast.parse((folder / f"{module}.py").read_text(encoding="utf-8"))
    return {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}


@pytest.mark.parametrize("module", ["counting", "counting_worth"])
def test_counting_reads_hands_through_knowledge_alone(module: str) -> None:
    names = imported_names(module)
    assert not names & SECRETS
    assert "own_hand" in names  # it does read its own, through knowledge


def test_discards_table_and_own_cards_are_not_out() -> None:
    game = after(position("9S KS 6C", "JS QS 7C 8C", "AC AD"), "attack 9S", "cover 9S JS")
    assert game.to_act == 1
    assert still_out(game.state) == cards("KS 6C AC AD")
    game = after(game, "attack 7C")
    assert game.to_act == 2
    assert still_out(game.state) == cards("KS 6C QS 8C")


def test_the_exposed_trump_is_in_nobodys_hand_while_it_lies_under_the_stock() -> None:
    state = position("9S KS 6C", "JS QS 7C", stock="10C AH").state
    assert exposed(state) == cards("AH")
    assert not hidden_cards(state) & cards("AH")
    assert exposed(position("9S KS 6C", "JS QS 7C").state) == 0


def test_cards_picked_up_are_remembered_until_they_are_played() -> None:
    game = after(position("9S KS 6C", "10D QS 7C", "7D 8D JD"), "attack 9S", "pick_up")
    assert remembered(game.state, 1) == cards("9S")
    assert hidden_cards(game.state) == cards("KS 6C 10D QS 7C")
    game = after(game, "attack 7D", "pick_up", "pass", "attack 9S")
    assert remembered(game.state, 1) == 0
    assert remembered(game.state, 0) == cards("7D")


def test_the_last_opponents_hand_is_deduced_and_no_other() -> None:
    two = position("9S KS 6C", "JS QS 7C")
    # a pack that is dealt in part: the rest counts as discarded
    assert deduced_hand(two.state, 1) == cards("JS QS 7C")
    three = position("9S KS 6C", "JS QS 7C", "7D 8D 9D")
    assert deduced_hand(three.state, 1) == deduced_hand(three.state, 2) == 0
    with_stock = position("9S KS 6C", "JS QS 7C", stock="10C AH")
    assert deduced_hand(with_stock.state, 1) == 0
    # one card besides the exposed one: it may lie in the hand or in the stock
    last = position("9S KS 6C", "JS QS 7C", stock="AH")
    assert deduced_hand(last.state, 1) == cards("JS QS 7C")


def decisions_of(variant_name: str, players: int, deals: int) -> list[State]:
    """Return the positions in which `thrifty` is asked."""
    variant = seat(load_variant(variant_name), players)
    found = []
    for deal in range(deals):
        state = Game.deal(variant, players, seed=5, deal=deal, bots=[THRIFTY] * players).state
        while state[PHASE] != PH_OVER:
            found.append(state.copy())
            apply_move(state, choose_move(state))
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_what_is_deduced_is_true_and_complete_for_the_last_two(players: int) -> None:
    n_last_two = 0
    for state in decisions_of("classic", players, 20):
        asked = int(state[ACTOR])
        hidden = hidden_cards(state)
        for other in range(players):
            if other == asked:
                continue
            hand = int(state[HAND + other])
            assert hand & ~hidden == remembered(state, other)
            assert n_hidden_in(state, 1 << other) == (hand & hidden).bit_count()
            assert 0 <= share_of(state, 1 << other, hidden) <= CERTAIN
            deduced = deduced_hand(state, other)
            assert deduced in (0, hand)
            if int(state[ACTIVE]) == 1 << asked | 1 << other and not has_stock(state):
                assert deduced == hand
                n_last_two += 1
    assert n_last_two > 0


def test_chances_are_certain_where_cards_are_known() -> None:
    held, hidden = cards("QS"), cards("KS AC")
    assert chance_lacking(cards("QS KS"), held, hidden, 0) == 0
    assert chance_lacking(cards("KS"), held, hidden, CERTAIN) == 0
    assert chance_lacking(cards("KS"), held, hidden, 0) == CERTAIN
    assert chance_lacking(cards("7D"), held, hidden, CERTAIN // 2) == CERTAIN


def test_the_chance_that_none_of_n_cards_is_held_falls_by_the_same_factor() -> None:
    for share in (0, 100, 512, 900, CERTAIN):
        for n in range(12):
            exact = CERTAIN * (1 - share / CERTAIN) ** n
            assert abs(chance_of_none(share, n) - exact) <= n + 1


def test_an_attack_is_unbeaten_if_the_last_opponent_holds_nothing_that_beats_it() -> None:
    state = position("QS 6C", "JS 7C 8D").state
    hidden = hidden_cards(state)
    share = share_of(state, 2, hidden)
    assert share == CERTAIN
    assert chance_unbeaten(state, cards("QS"), 0, hidden, share) == CERTAIN
    assert chance_unbeaten(state, cards("6C"), 0, hidden, share) == 0
    assert chance_unbeaten(state, cards("6C QS"), 0, hidden, share) == CERTAIN


def test_seats_that_are_not_asked_have_no_say_in_the_mask_of_seats() -> None:
    state = position("9S KS 6C", "JS QS 7C", "7D 8D 9D").state
    assert n_hidden_in(state, 0) == 0
    assert [n_hidden_in(state, 1 << s) for s in range(MAX_PLAYERS)] == [3, 3, 3, 0, 0, 0]
    assert np.bitwise_or.reduce(state[HAND + 1 : HAND + 3]) == hidden_cards(state)
