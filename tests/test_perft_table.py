"""Oracle and engine count the same sequences of actions, and every option changes how many there are."""

from __future__ import annotations

import random

import pytest

from simcli.engine.game import Game
from simcli.engine.notation import CARD_WORDS, card_words
from simcli.rules.load import variant_from_mapping
from simcli.rules.options import RuleOption
from simcli.rules.variant import RULE_OPTIONS
from tests.oracle import Deal
from tests.oracle_variants import random_rules, resolve
from tests.perft import perft
from tests.perft_table import (
    Table,
    count_by_engine,
    count_by_oracle,
    count_in_deal,
    count_in_game,
    pack_of_deal,
    read_tables,
    with_counts,
)

TABLES = read_tables()
BY_NAME = {table.path.stem: table for table in TABLES}

each_table = pytest.mark.parametrize("table", TABLES, ids=list(BY_NAME))
each_option = pytest.mark.parametrize("option", RULE_OPTIONS, ids=lambda option: option.key)


@each_table
def test_the_oracle_counts_what_the_file_says(table: Table) -> None:
    assert {row: count_by_oracle(table, row, table.depth) for row in table.rows} == table.counts


@each_table
def test_the_engine_counts_what_the_file_says(table: Table) -> None:
    assert {row: count_by_engine(table, row, table.depth) for row in table.rows} == table.counts


@each_table
def test_the_file_looks_as_the_update_writes_it(table: Table) -> None:
    text = table.path.read_text(encoding="utf-8")
    assert with_counts(text, table.depth, table.counts) == text


@each_option
def test_an_option_is_counted_with_every_value(option: RuleOption) -> None:
    rows = BY_NAME[option.key].rows
    assert len(rows) == len(set(rows)) >= 2
    if option.values is not None:
        assert set(rows) == {str(value).lower() for value in option.values}


@each_option
def test_every_value_of_an_option_counts_otherwise_than_the_one_of_classic(option: RuleOption) -> None:
    table = BY_NAME[option.key]
    group, _, name = option.key.partition(".")
    classic = resolve("classic")[group]
    first, *others = table.rows
    assert first == str(classic[name] if name else classic).lower()
    for other in others:
        assert table.counts[other] != table.counts[first]


def test_an_ending_counted_by_hand() -> None:
    """Hearts are trumps; seat 0 holds 7C 8C and leads, seat 1 holds 9C 6D.

    Two leads; each is covered with 9C or picked up. Nobody has a matching card, so the next lead is the third
    action: 6D after a cover, the other club after a pick-up. Fourth, seat 0 must pick up the 6D (one line for
    each first lead: seat 1 is out and seat 0 has lost); seat 1 covers 8C with 9C or picks up (two lines),
    covers 7C with 8C or 9C or picks up (three). Each of the five empties the hand of seat 0: seat 1 has lost.
    """
    deal = Deal.position(resolve("classic"), [["7C", "8C"], ["9C", "6D"]], [], "H", 0, False, False)
    assert count_in_deal(deal, 5) == [2, 4, 4, 7, 0, 7, 0, 0, 0]


def both_dealt(seed: int) -> tuple[Game, Deal]:
    """Deal the same cards in engine and oracle, with drawn rules."""
    rules = random_rules(random.Random(seed))
    game = Game.deal(variant_from_mapping({**rules, "name": "test"}), rules["players"], seed, 0)
    assert game.dealer is not None
    hands = [card_words(hand) for hand in game.hands]
    stock = [CARD_WORDS[card] for card in game.stock]
    if not stock:
        hands[game.dealer].sort(
            key=lambda card: card == CARD_WORDS[game.trump_card]
        )  # dealt last and exposed
    pack = pack_of_deal(hands, stock, game.dealer)
    return game, Deal(rules, game.players, pack, game.dealer, random_opener=game.opener)


@pytest.mark.parametrize("seed", range(20))
def test_both_count_the_same_under_drawn_rules(seed: int) -> None:
    game, deal = both_dealt(seed)
    counts = count_in_deal(deal, 3)
    assert count_in_game(game, 3) == counts
    assert counts[:3] == [perft(deal, depth) for depth in (1, 2, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 200))
def test_both_count_the_same_under_many_drawn_rules(seed: int) -> None:
    game, deal = both_dealt(seed)
    assert count_in_game(game, 5) == count_in_deal(deal, 5)


@pytest.mark.slow
@each_table
def test_both_count_the_same_beyond_the_file(table: Table) -> None:
    for row in table.rows:
        assert count_by_engine(table, row, table.depth + 2) == count_by_oracle(table, row, table.depth + 2)
