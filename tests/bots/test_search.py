"""The exact search of endings says what an exhaustive search in plain Python says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simcli.bots.search import UNKNOWN, is_open_ending, solve
from simcli.bots.work import W_NODES, work_array
from simcli.engine.apply import apply_move
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import PH_OVER, PHASE
from simcli.engine.notation import action_text
from tests.bots.positions import after as played
from tests.bots.positions import position
from tests.endings import Agreements, Ending, Solver, after
from tests.test_endings import drawn_endings, game_of

PLENTY = 10_000_000
SHARE = 1 if JIT_ENABLED else 8


def solve_line(rules: dict[str, Any], start: Ending, counts: Counter[int]) -> None:
    """Play an ending by the search to its end; compare each value and action with exhaustive search."""
    solver, e = Solver(Agreements.of(rules)), start
    state = game_of(rules, start).state
    while state[PHASE] != PH_OVER:
        assert is_open_ending(state)
        sign = 1 if e.to_act == 0 else -1
        before = state.copy()
        value, best = solve(state, work_array(), PLENTY)
        assert (state == before).all()
        assert value == sign * solver.points(e), (rules, start, e)
        e = after(solver.rules, e, action_text(int(best)))
        assert value == sign * solver.points(e), (rules, start, action_text(int(best)))
        counts[value] += 1
        apply_move(state, best)


def solve_all(seed: int, n_endings: int, n_cards: int, stall_bouts: int = 0) -> Counter[int]:
    """Solve endings of some size under drawn options; count the values met."""
    counts: Counter[int] = Counter()
    for rules, start in drawn_endings(seed, n_endings // SHARE, n_cards):
        if stall_bouts:
            rules["end"]["stall_bouts"] = stall_bouts
        solve_line(rules, start, counts)
    return counts


def test_values_and_actions_are_those_of_exhaustive_search() -> None:
    counts = solve_all(1, 800, 5) + solve_all(2, 160, 7)
    assert set(counts) == {-1, 0, 1}


def test_values_are_exact_where_the_horizon_grows_step_by_step() -> None:
    counts = solve_all(3, 400, 5, stall_bouts=5) + solve_all(4, 100, 5, stall_bouts=9)
    assert set(counts) == {-1, 0, 1}


@pytest.mark.slow
def test_values_and_actions_are_those_of_exhaustive_search_in_thousands_of_endings() -> None:
    counts = solve_all(10, 6_000, 6) + solve_all(11, 400, 8) + solve_all(12, 2_000, 5, stall_bouts=7)
    assert set(counts) == {-1, 0, 1}


def test_a_win_that_takes_longer_than_the_stall_allows_is_none() -> None:
    """The same cards: with one bout to take it is a draw, with two a win."""
    values = set()
    for rules, start in drawn_endings(5, 200 // SHARE, 5):
        of_this = []
        for stall_bouts in (1, 8):
            rules["end"]["stall_bouts"] = stall_bouts
            of_this.append(int(solve(game_of(rules, start).state, work_array(), PLENTY)[0]))
        values.add(tuple(of_this))
    assert {(0, 1), (0, -1), (0, 0), (1, 1), (-1, -1)} >= values >= {(0, 1), (1, 1)}


def test_without_budget_the_value_is_unknown_and_the_action_still_legal() -> None:
    game = position("6C 7D 9S KS 6H", "7C 8D 10S AS JD")
    value, best = solve(game.state, work_array(), 1)
    assert value == UNKNOWN
    assert int(best) in game.legal()


def test_the_budget_is_not_exceeded() -> None:
    game = position("6C 7D 9S KS 6H QD", "7C 8D 10S AS JD QC")
    for nodes in (1, 10, 100, 1000):
        solve(game.state, work_array(), nodes)
        assert work_array()[W_NODES] >= -1


def test_a_search_does_not_depend_on_what_was_searched_before() -> None:
    games = [position("6C 7D 9S KS 6H", "7C 8D 10S AS JD"), position("6C 9S KS", "7C 10S AS")]
    found = [tuple(map(int, solve(game.state, work_array(), 300))) for game in games * 3]
    assert found == found[:2] * 3


def test_an_ending_is_open_without_stock_and_with_two_seats_left() -> None:
    assert is_open_ending(position("6C 9S", "7C 8C").state)
    assert not is_open_ending(position("6C 9S", "7C 8C", stock="AH").state)
    three = position("6C", "7C 8C", "9D 10D")
    assert not is_open_ending(three.state)
    assert is_open_ending(played(three, "attack 6C", "cover 6C 7C").state)
