"""The engine and the oracle play the same deals in the same way, action by action.

At every decision: who may be asked, exactly what is legal, hands, table, stock and roles; after every action:
the events; at the end: result, loser, places and all counters. The deals are those of the shipped variants at
every table size, of rules drawn option by option, and of drawn positions.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.agreement import CHOOSERS, Disagreement, dealt_pair, play_out, play_session, position_pair
from tests.oracle_variants import SHIPPED, merge, random_rules, resolve, table_sizes

TABLES = [(name, players) for name in SHIPPED for players in table_sizes(resolve(name))]
N_SESSIONS = 6  # of three deals each, by each chooser at each table
N_CHUNKS = 20
CHUNK = 200  # drawn rules, and drawn positions, of a chunk
SLOW = 20  # times as many on demand


def play_shipped(name: str, players: int, seeds: range) -> None:
    """Play sessions of a shipped variant, by each chooser."""
    rules = resolve(name)
    for seed in seeds:
        for bot in CHOOSERS:
            play_session(rules, players, seed, (bot,) * 3)


def play_drawn_rules(seeds: range) -> None:
    """Play a session of each of many drawn rules, the choosers taking turns."""
    for seed in seeds:
        rng = random.Random(seed)
        rules = random_rules(rng)
        bots = [CHOOSERS[(seed + deal) % 3] for deal in range(rng.choice((1, 2, 3)))]
        play_session(rules, rules["players"], seed, bots)


def play_drawn_positions(seeds: range) -> None:
    """Play on from a position of each of many drawn rules."""
    for seed in seeds:
        rng = random.Random(-1 - seed)
        rules = random_rules(rng)
        pair = position_pair(rules, rules["players"], rng)
        if pair is not None:
            play_out(pair, None, rng)


def chunk_of(number: int) -> range:
    """Return the seeds of a chunk."""
    return range(number * CHUNK, (number + 1) * CHUNK)


@pytest.mark.parametrize("name, players", TABLES)
def test_shipped_variant_is_played_as_the_rules_say(name: str, players: int) -> None:
    play_shipped(name, players, range(N_SESSIONS))


@pytest.mark.parametrize("number", range(N_CHUNKS))
def test_any_combination_of_options_is_played_as_the_rules_say(number: int) -> None:
    play_drawn_rules(chunk_of(number))


@pytest.mark.parametrize("number", range(N_CHUNKS))
def test_any_position_is_played_on_as_the_rules_say(number: int) -> None:
    play_drawn_positions(chunk_of(number))


@pytest.mark.slow
@pytest.mark.parametrize("name, players", TABLES)
def test_many_deals_of_a_shipped_variant_are_played_as_the_rules_say(name: str, players: int) -> None:
    play_shipped(name, players, range(N_SESSIONS, N_SESSIONS * SLOW))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(N_CHUNKS, N_CHUNKS * SLOW))
def test_many_combinations_of_options_are_played_as_the_rules_say(number: int) -> None:
    play_drawn_rules(chunk_of(number))
    play_drawn_positions(chunk_of(number))


@pytest.mark.parametrize(
    "change, found",
    [
        ({"attack": {"limit": 2, "first_limit": 2}}, "legal actions"),
        ({"transfer": {"mode": "none"}}, "legal actions"),
        ({"throw_in": {"window": "from_lead"}}, "askable|legal actions"),
        ({"throw_in": {"on_pickup": False}}, "events|askable"),
        ({"draw": {"first": "join_order", "defender": "in_turn"}}, "events"),
        ({"end": {"stall_bouts": 1}}, "over"),
    ],
    ids=["limit", "transfer", "window", "on_pickup", "draw", "stall"],
)
def test_other_rules_on_one_side_are_noticed(change: dict[str, Any], found: str) -> None:
    with pytest.raises(Disagreement, match=rf"^({found})"):
        play_with_other_rules(merge(resolve("classic"), change))


def play_with_other_rules(rules: dict[str, Any]) -> None:
    """Play deals by the rules of `classic` in the engine and by others in the oracle."""
    rng = random.Random(1)
    for deal in range(50):
        pair = dealt_pair(resolve("classic"), 4, 1, deal, None, None)
        pair.oracle.rules = rules
        play_out(pair, None, rng)
