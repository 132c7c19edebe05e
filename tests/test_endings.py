"""Engine and rules text agree on every moment of thousands of endings for two, walked to the last one."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import ACTOR, LOSER, NOBODY, PH_OVER, PHASE, PLACE, RESULT, State
from simcli.engine.notation import RESULT_WORDS, action_text, parse_action, parse_cards
from simcli.engine.view import MAX_LEGAL, list_legal
from simcli.rules.load import variant_from_mapping
from tests.endings import (
    Agreements,
    Ending,
    Outcome,
    Solver,
    after,
    legal_actions,
    random_agreements,
    random_ending,
)
from tests.oracle_variants import resolve

ACTIONS = np.zeros(MAX_LEGAL, dtype=np.int64)
SHARE = 1 if JIT_ENABLED else 8  # plain Python walks an eighth of the endings

code_of = cache(parse_action)

Line = tuple[Any, ...]  # the actions that led to a moment, the last one outermost


def game_of(rules: dict[str, Any], e: Ending) -> Game:
    """Set an ending up in the engine, a bout about to be led."""
    return Game.position(
        variant_from_mapping({**rules, "name": "test"}),
        [parse_cards(hand) for hand in e.hands],
        [],
        "CDHS".index(e.trump),
        e.attacker,
        e.first_bout,
        e.beaten_before,
    )


def outcome_in(state: State) -> Outcome | None:
    """Read the outcome off the engine's state; None while the deal goes on."""
    if state[PHASE] != PH_OVER:
        return None
    first, second = (int(place) or None for place in state[PLACE : PLACE + 2])
    loser = None if state[LOSER] == NOBODY else int(state[LOSER])
    return Outcome(str(RESULT_WORDS[state[RESULT]]), loser, (first, second))


def what_the_engine_says(state: State) -> tuple[Outcome | None, int | None, list[int]]:
    """Return outcome, seat to act and legal actions, as packed numbers in order."""
    outcome = outcome_in(state)
    if outcome is not None:
        return outcome, None, []
    return None, int(state[ACTOR]), sorted(ACTIONS[: list_legal(state, ACTIONS)].tolist())


def what_the_rules_say(rules: Agreements, e: Ending) -> tuple[Outcome | None, int | None, list[int]]:
    """Return the same from the rules text."""
    if e.outcome is not None:
        return e.outcome, None, []
    return None, e.to_act, sorted(code_of(action) for action in legal_actions(rules, e))


def compare(rules: Agreements, start: Ending, line: Line, e: Ending, state: State) -> None:
    """Compare one moment; say how to reach it where the two part."""
    engine, text = what_the_engine_says(state), what_the_rules_say(rules, e)
    if engine == text:
        return
    played: list[str] = []
    while line:
        line, action = line
        played.insert(0, action)
    legal = [action_text(action) for action in engine[2]]
    pytest.fail(f"engine {engine[:2]} {legal}\nrules {e}\n{rules}\n{start}\nafter {' | '.join(played)}")


def walk(rules: dict[str, Any], start: Ending) -> Counter[str]:
    """Compare every moment that can be reached from an ending; count moments and results."""
    agreements = Agreements.of(rules)
    state = game_of(rules, start).state
    compare(agreements, start, (), start, state)
    seen = {start}
    waiting: list[tuple[Ending, State, Line]] = [(start, state, ())]
    counts: Counter[str] = Counter()
    while waiting:
        e, state, line = waiting.pop()
        counts["moments"] += 1
        for action in legal_actions(agreements, e):
            following, next_state = after(agreements, e, action), state.copy()
            apply_move(next_state, code_of(action))
            compare(agreements, start, (line, action), following, next_state)
            if following not in seen:
                seen.add(following)
                waiting.append((following, next_state, (line, action)))
                counts[following.outcome.result if following.outcome else action.split()[0]] += 1
    return counts


def drawn_endings(seed: int, n_endings: int, n_cards: int) -> list[tuple[dict[str, Any], Ending]]:
    """Draw endings, each with agreements of its own; large ones end with the first bout that is taken."""
    rng = random.Random(seed)
    drawn = [(resolve(random_agreements(rng)), random_ending(rng, n_cards)) for _ in range(n_endings)]
    if n_cards > 8:
        for rules, _ in drawn:
            rules["end"]["stall_bouts"] = 1
    return drawn


def walk_all(seed: int, n_of_size: dict[int, int]) -> Counter[str]:
    """Walk some endings of each size, in cards, and add up the counts."""
    counts: Counter[str] = Counter()
    for n_cards, n_endings in n_of_size.items():
        for rules, start in drawn_endings(seed + n_cards, n_endings // SHARE, n_cards):
            counts += walk(rules, start)
    return counts


HAPPENINGS = {"attack", "transfer", "show", "cover", "throw", "pick_up", "pass", "stop"}
RESULTS = {"lost", "won", "drawn", "stalled"}


def test_engine_and_rules_agree_on_every_moment_of_small_endings() -> None:
    counts = walk_all(0, {4: 1_500, 6: 1_000, 8: 60, 10: 500})
    assert set(counts) == {"moments"} | HAPPENINGS | RESULTS


@pytest.mark.slow
def test_engine_and_rules_agree_on_every_moment_of_many_endings() -> None:
    counts = walk_all(100, {4: 20_000, 6: 15_000, 8: 1_500, 10: 10_000})
    assert set(counts) == {"moments"} | HAPPENINGS | RESULTS


def swap_seats(e: Ending) -> Ending:
    """Let the two players change seats."""
    return e._replace(hands=e.hands[::-1], attacker=1 - e.attacker)


def rename_suits(e: Ending) -> Ending:
    """Give every suit another name."""
    names = dict(zip("CDHS", "DHSC", strict=True))
    hands = tuple(frozenset(card[:-1] + names[card[-1]] for card in hand) for hand in e.hands)
    return e._replace(trump=names[e.trump], hands=(hands[0], hands[1]))


def test_the_value_of_an_ending_knows_neither_seats_nor_names_of_suits() -> None:
    values = set()
    for rules, e in drawn_endings(5, 200, 6):
        solver = Solver(Agreements.of(rules))
        value = solver.value(e)
        assert solver.value(swap_seats(e)) == value
        assert solver.value(rename_suits(e)) == value
        values.add(value)
    assert values == {"win", "draw", "lose"}


def test_best_play_gets_what_it_promises_from_the_engine() -> None:
    """One seat plays by the search, the other at random: the engine's result is never below the promise."""
    rng = random.Random(9)
    for rules, start in drawn_endings(6, 400 // SHARE, 6):
        solver, e, game = Solver(Agreements.of(rules)), start, game_of(rules, start)
        seat = rng.randint(0, 1)
        sign = 1 if seat == 0 else -1
        promised = sign * solver.points(start)
        while not game.over:
            legal = [action_text(action) for action in game.legal()]
            if game.to_act == seat:
                action = max(legal, key=lambda a, e=e: sign * solver.points(after(solver.rules, e, a)))
            else:
                action = rng.choice(legal)
            game.play(parse_action(action))
            e = after(solver.rules, e, action)
        place = game.places[seat]
        reached = 0 if game.result in ("drawn", "stalled") else 1 if place == 1 else -1
        assert reached >= promised, (rules, start)


@pytest.mark.parametrize(
    "changes, hands, value",
    [
        # the last card is led, the last card covers it: nobody is left
        ({}, ("6C", "7C"), "draw"),
        # the same where the attacker's last card counts first, whatever is played for
        ({"end": {"tie": "defender_last"}}, ("6C", "7C"), "win"),
        ({"end": {"tie": "defender_last", "objective": "first_out_wins"}}, ("6C", "7C"), "win"),
        # 7C does not beat 8C: seat 1 is left with both
        ({}, ("8C", "7C"), "win"),
        # 6C, covered with 7C, then 6S thrown in and covered with 7S; keeping 6S loses it to the 7S led next
        ({"attack": {"lead": "one"}, "transfer": {"mode": "none"}}, ("6C 6S", "7C 7S"), "draw"),
        # with no throw-ins 6S must be kept: seat 1 leads 7S, and seat 0 is left with two cards
        ({"attack": {"lead": "one"}, "throw_in": {"who": "none"}}, ("6C 6S", "7C 7S"), "lose"),
        # both sixes at once, and no seven beats 6D
        ({}, ("6C 6D", "7C 7S"), "win"),
        # the first bout taken stalls the deal: 6C is picked up, and seat 0 still holds 9S
        ({"end": {"stall_bouts": 1}}, ("6C 9S", "7D 7S"), "draw"),
    ],
)
def test_endings_solved_by_hand(changes: dict[str, Any], hands: tuple[str, str], value: str) -> None:
    """Hearts are trumps, seat 0 leads."""
    first, second = (frozenset(hand.split()) for hand in hands)
    assert Solver(Agreements.of(resolve(changes))).value(Ending("H", (first, second), 0)) == value
