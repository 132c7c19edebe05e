"""Options decide where they make a difference, and nowhere else (docs/formats.md, `triggered`)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from simcli.bots.batch import (
    N_COLUMNS,
    O_DEALER,
    O_OPENER,
    O_RESULT,
    O_TRACE_HIGH,
    O_TRACE_LOW,
    O_TRIGGERED_HIGH,
    O_TRIGGERED_LOW,
    O_TRUMPS,
    Rows,
    play_batch,
)
from simcli.bots.choose import LOWEST, RANDOM
from simcli.engine.game import Game
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import BOT, CLASSIC_RULES, MAX_PLAYERS, RULE_KEYS, TRIGGERED, WATCHED
from simcli.engine.notation import parse_action, parse_card, parse_cards, split_seat
from simcli.engine.table import new_table
from simcli.rules.canonical import rules_hash
from simcli.rules.load import load_variant, variant_from_mapping
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant
from tests.oracle_variants import random_rules, table_sizes

N_DEALS = 3000 if JIT_ENABLED else 20
CLASSIC = load_variant("classic")
NAMELESS = {"name", "title", "summary"}


def played(variant: Variant, players: int, bot: int, n_deals: int, session: int = 1) -> Rows:
    state = new_table(variant, players)
    state[BOT : BOT + MAX_PLAYERS] = bot
    rows: Rows = np.zeros((N_COLUMNS, n_deals), dtype=np.uint16)
    play_batch(state, 1, 0, session, rows)
    return rows


def triggered(rows: Rows) -> np.ndarray:
    return rows[O_TRIGGERED_LOW].astype(np.int64) | (rows[O_TRIGGERED_HIGH].astype(np.int64) << 16)


def trace(rows: Rows) -> np.ndarray:
    return rows[O_TRACE_LOW].astype(np.int64) | (rows[O_TRACE_HIGH].astype(np.int64) << 16)


def classic_like(variant: Variant) -> Variant:
    """Return `classic` with the deck of a variant."""
    return CLASSIC.model_copy(update={"deck": variant.deck, "max_players": variant.max_players})


def sizes(variant: Variant) -> list[int]:
    most = min(variant.max_players, variant.deck // 6)
    fits = {"none": range(2, most + 1), 2: (4, 6), 3: (6,)}[variant.teams]
    return [n for n in fits if n <= most]


def assert_untriggered_deals_are_played_as_in_classic(
    variant: Variant, players: int, bot: int, n_deals: int
) -> None:
    rows = played(variant, players, bot, n_deals)
    classic = played(classic_like(variant), players, bot, n_deals)
    untouched = triggered(rows) == 0
    np.testing.assert_array_equal(trace(rows)[untouched], trace(classic)[untouched])
    np.testing.assert_array_equal(rows[O_RESULT][untouched], classic[O_RESULT][untouched])


def test_the_defaults_of_a_variant_file_are_classic() -> None:
    assert rules_hash(CLASSIC) == rules_hash(Variant())
    assert tuple(new_table(CLASSIC, 4)[: len(RULE_KEYS)]) == CLASSIC_RULES


@pytest.mark.parametrize("bot", [RANDOM, LOWEST])
@pytest.mark.parametrize("players", range(2, 7))
def test_nothing_ever_triggers_in_classic(players: int, bot: int) -> None:
    assert not triggered(played(CLASSIC, players, bot, N_DEALS)).any()


@pytest.mark.parametrize("bot", [RANDOM, LOWEST])
@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_variant_that_never_triggers_is_played_as_classic(name: str, bot: int) -> None:
    variant = load_variant(name)
    for players in sizes(variant):
        assert_untriggered_deals_are_played_as_in_classic(variant, players, bot, N_DEALS)


def test_drawn_rules_that_never_trigger_are_played_as_classic() -> None:
    rng = random.Random(7)
    for _ in range(60 if JIT_ENABLED else 6):
        rules = random_rules(rng)
        variant = variant_from_mapping({k: v for k, v in rules.items() if k not in NAMELESS}, "drawn")
        players = rng.choice(table_sizes(rules))
        bot = rng.choice((RANDOM, LOWEST))
        assert_untriggered_deals_are_played_as_in_classic(variant, players, bot, N_DEALS // 10)


def single_changes() -> list[tuple[str, dict[str, object]]]:
    """Return one variant an option, in which that option alone differs from `classic`."""
    changes: dict[str, object] = {
        "opening.first": "random",
        "opening.later": "attack_loser",
        "attack.lead": "one",
        "attack.limit": 4,
        "attack.first_limit": 3,
        "throw_in.who": "neighbours",
        "throw_in.window": "from_lead",
        "throw_in.order": "simultaneous",
        "throw_in.on_pickup": False,
        "transfer.mode": "late",
        "transfer.cards": "one",
        "transfer.first_bout": False,
        "pass_card.enabled": True,
        "draw.first": "final_attacker",
        "draw.defender": "in_turn",
        "trump_exchange": "lowest",
        "end.objective": "first_out_wins",
        "end.tie": "defender_last",
        "end.stall_bouts": 2,
        "teams": 2,
    }
    return list(changes.items())


def with_option(key: str, value: object, **more: object) -> Variant:
    data: dict[str, object] = {"players": 4}
    for name, setting in {key: value, **more}.items():
        block, _, option = name.partition(".")
        if option:
            data.setdefault(block, {})[option] = setting  # type: ignore[index]
        else:
            data[block] = setting
    if key == "attack.limit":
        data["attack"]["first_limit"] = value  # type: ignore[index]
    return variant_from_mapping(data, key)


needs_many_deals = pytest.mark.skipif(not JIT_ENABLED, reason="thousands of deals need the compiled engine")


@needs_many_deals
@pytest.mark.parametrize("key, value", single_changes(), ids=[key for key, _ in single_changes()])
def test_only_an_option_that_differs_is_watched_and_it_does_decide_somewhere(key: str, value: object) -> None:
    variant = with_option(key, value)
    rows = played(variant, 4, RANDOM, N_DEALS, session=20)
    seen = int(np.bitwise_or.reduce(triggered(rows)))
    allowed = {key, "attack.first_limit"} if key == "attack.limit" else {key}
    assert {RULE_KEYS[bit] for bit in range(len(RULE_KEYS)) if seen >> bit & 1} == allowed


@needs_many_deals
def test_two_options_about_the_first_bouts_decide_apart() -> None:
    variant = with_option("attack.first_limit", 3, **{"attack.first_scope": "until_first_discard"})
    seen = triggered(played(variant, 4, RANDOM, N_DEALS))
    limit, scope = (1 << RULE_KEYS.index(f"attack.{name}") for name in ("first_limit", "first_scope"))
    assert set(np.unique(seen)) <= {0, limit, scope, limit | scope}
    assert (seen & scope).any()
    assert (seen == limit).any()


@needs_many_deals
def test_who_opens_without_trumps_decides_only_in_deals_without_trumps() -> None:
    data = {"players": 2, "deck": 24, "opening": {"no_trump": "random"}}
    rows = played(variant_from_mapping(data, "no_trump"), 2, RANDOM, 3000)
    without = (rows[O_TRUMPS] == 0) & (rows[O_TRUMPS + 1] == 0)
    decided = triggered(rows) != 0
    assert without.any()
    assert not decided[~without].any()
    elsewhere = rows[O_OPENER] != (rows[O_DEALER] + 1) % 2
    np.testing.assert_array_equal(decided, without & elsewhere)


def test_a_random_opener_decides_where_another_seat_holds_the_lowest_trump() -> None:
    rows = played(load_variant("random-opening"), 4, RANDOM, N_DEALS)
    classic = played(CLASSIC, 4, RANDOM, N_DEALS)
    np.testing.assert_array_equal(triggered(rows) != 0, rows[O_OPENER] != classic[O_OPENER])


def decided_after(variant: Variant, position: Mapping[str, Any], steps: Sequence[str]) -> set[str]:
    """Play the steps of a position and return the options that have decided something by then."""
    hands = position["hands"]
    game = Game.position(
        variant.model_copy(update={"players": len(hands)}),
        [parse_cards(hand.split()) for hand in hands],
        [parse_card(card) for card in position.get("stock", "").split()],
        "CDHS".index(position.get("trump", "S")),
        position.get("leader", 0),
        position.get("first_bout", False),
        seed=position.get("seed", 0),
    )
    for step in steps:
        seat, action = split_seat(step, len(hands))
        if game.to_act != seat:
            game.ask(seat)
        game.play(parse_action(action))
    bits = int(game.state[TRIGGERED])
    assert bits & ~int(game.state[WATCHED]) == 0
    return {RULE_KEYS[bit] for bit in range(len(RULE_KEYS)) if bits >> bit & 1}


# option, its value, more of the variant, the position, steps before it decides, the step at which it does
POSITIONS: list[tuple[str, object, dict[str, object], dict[str, Any], list[str], list[str]]] = [
    ("attack.lead", "one", {}, {"hands": ["8C 8D KD", "9C QD", "JS"]}, [], ["0 attack 8C"]),
    (
        "attack.limit",
        1,
        {},
        {"hands": ["8C KD 6C", "9C QD 9H", "JS 9D 7C"]},
        ["0 attack 8C"],
        ["1 cover 8C 9C"],
    ),
    (
        "attack.first_limit",
        1,
        {},
        {"hands": ["8C 8D KD", "9C QD 9H", "JS"], "first_bout": True},
        [],
        ["0 attack 8C"],
    ),
    (
        "attack.first_scope",
        "until_first_discard",
        {"attack.first_limit": 1},
        {"hands": ["8C KD 6C", "9C QD 9H", "7S 7D 7C"], "first_bout": True},
        ["0 attack 8C", "1 pick_up"],
        ["2 attack 7C"],
    ),
    (
        "throw_in.who",
        "neighbours",
        {},
        {"hands": ["8C KD 6C", "9C QD 9H", "JS QS", "9D 7C"]},
        ["0 attack 8C"],
        ["1 cover 8C 9C"],
    ),
    (
        "throw_in.window",
        "from_lead",
        {},
        {"hands": ["8C KD 6C", "9C QD 9H", "JS 8S", "9D 7C"]},
        [],
        ["0 attack 8C"],
    ),
    (
        "throw_in.window",
        "when_beaten",
        {},
        {"hands": ["8C 8D 6C", "9C 9S QD 9H", "JS 9D", "7C"]},
        ["0 attack 8C", "0 attack 8D"],
        ["1 cover 8C 9C"],
    ),
    (
        "throw_in.on_pickup",
        False,
        {},
        {"hands": ["8C KD 6C", "9C QD 9H", "JS 8S"]},
        ["0 attack 8C"],
        ["1 pick_up"],
    ),
    ("transfer.mode", "none", {}, {"hands": ["8C KD 6C", "8D QD 9H", "JS 9S"]}, [], ["0 attack 8C"]),
    (
        "transfer.mode",
        "late",
        {},
        {"hands": ["8C KD 9D", "9C 9S QD", "JS AS"]},
        ["0 attack 8C", "1 cover 8C 9C"],
        ["0 throw 9D"],
    ),
    (
        "transfer.cards",
        "one",
        {},
        {"hands": ["8C KD 9D", "8D 8S QD", "JS AS AC"]},
        ["0 attack 8C"],
        ["1 transfer 8D"],
    ),
    (
        "transfer.first_bout",
        False,
        {},
        {"hands": ["8C KD 9D", "8D 8S QD", "JS AS AC"], "first_bout": True},
        [],
        ["0 attack 8C"],
    ),
    (
        "pass_card.enabled",
        True,
        {},
        {"hands": ["8C KD 9D", "8S QD AD", "JS AS AC"]},
        [],
        ["0 attack 8C"],
    ),
    (
        "pass_card.per_bout",
        2,
        {"pass_card.enabled": True},
        {"hands": ["10D 10H 7S 8S AS", "10C 6H 6D JS"], "trump": "C"},
        ["0 attack 10D", "0 stop", "1 show 10C"],
        ["0 transfer 10H"],
    ),
    (
        "draw.first",
        "final_attacker",
        {},
        {
            "hands": ["8C KD 9D QC KC", "8D QD 10D 7D 6D", "JS AS AC 9S 7S 6H"],
            "stock": "10H 10S",
        },
        ["0 attack 8C", "1 transfer 8D", "2 cover 8C JS"],
        ["2 cover 8D AS"],
    ),
    (
        "draw.defender",
        "in_turn",
        {},
        {"hands": ["7C JC QC KC AC JD", "9C 10H 9H 6S 6H QH", "7H 10C 10D QD KD AD"], "stock": "10S KS"},
        ["0 attack 7C", "1 cover 7C 9C", "2 throw 7H"],
        ["1 cover 7H 9H"],
    ),
    (
        "trump_exchange",
        "lowest",
        {},
        {"hands": ["7C JC", "9C 10H", "6S 10C"], "stock": "8H 9D KS"},
        [],
        [],
    ),
    (
        "end.objective",
        "first_out_wins",
        {},
        {"hands": ["7C", "10D KD", "AC AD"]},
        ["0 attack 7C"],
        ["1 pick_up"],
    ),
    ("end.tie", "defender_last", {}, {"hands": ["7C", "9C", "AC AD"]}, ["0 attack 7C"], ["1 cover 7C 9C"]),
    (
        "end.stall_bouts",
        2,
        {},
        {"hands": ["6C KD", "QH 9H", "7C KH"]},
        ["0 attack 6C", "1 pick_up", "2 attack 7C"],
        ["0 pick_up"],
    ),
    (
        "teams",
        2,
        {},
        {"hands": ["8C KD AD", "9C QD QH", "9D 10D 10H", "9H 8H JD"]},
        ["0 attack 8C", "1 cover 8C 9C"],
        ["2 pass"],
    ),
]


@pytest.mark.parametrize(
    "key, value, more, position, before, step",
    POSITIONS,
    ids=[f"{key}={value}" for key, value, *_ in POSITIONS],
)
def test_an_option_decides_at_the_very_step_where_it_makes_a_difference(
    key: str,
    value: object,
    more: dict[str, object],
    position: dict[str, Any],
    before: list[str],
    step: list[str],
) -> None:
    variant = with_option(key, value, **more)
    if step:
        assert key not in decided_after(variant, position, before)
    assert key in decided_after(variant, position, before + step)


def test_the_racing_order_decides_when_another_seat_than_the_first_is_drawn() -> None:
    hands = ["6C 7D AD", "7C 10D 10H JH", "7H 6S QC QD", "6D QH KH"]
    decided = {
        seed: decided_after(
            with_option("throw_in.order", "simultaneous", **{"throw_in.window": "from_lead"}),
            {"hands": hands, "seed": seed, "trump": "H"},
            ["0 attack 6C"],
        )
        for seed in range(40)
    }
    racing = {seed for seed, keys in decided.items() if "throw_in.order" in keys}
    assert 0 < len(racing) < 40


def test_every_option_of_the_rules_has_a_test_of_its_own() -> None:
    tested = {key for key, *_ in POSITIONS} | {key for key, _ in single_changes()}
    assert tested | {"opening.no_trump"} == set(RULE_KEYS)
