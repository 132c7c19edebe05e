"""A deal played one action at a time is the deal that the compiled batch plays."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from simcli.bots.batch import N_COLUMNS, Rows, play_batch, write_row
from simcli.bots.choose import LOWEST, RANDOM, choose_move
from simcli.engine.actions import packed, whole_turn
from simcli.engine.game import Game, IllegalAction, split_turn
from simcli.engine.layout import ATTACK, BOT, DISCARD, LOSER, PACK, THROW
from simcli.engine.notation import action_text, card_words, mask_of, parse_action, parse_cards
from simcli.engine.table import new_table
from simcli.rules.load import load_variant, variant_from_mapping
from simcli.rules.variant import Variant, seat
from tests.engine.tables import TABLES, table_id

SEED = 11
N_DEALS = 6
SESSION = 3


def session_games(variant: Variant, bot: int, n_deals: int, session: int) -> Iterator[Game]:
    """Yield the deals of a run, each dealt and not yet played."""
    previous = None
    for deal in range(n_deals):
        if deal % session == 0:
            previous = None
        game = Game.deal(
            variant, variant.players, SEED, deal, previous=previous, bots=(bot,) * variant.players
        )
        yield game
        previous = game.summary()


def play_out(game: Game) -> None:
    while not game.over:
        game.play_move(choose_move(game.state))


def position(
    hands: list[str], *, variant: str = "classic", trump: str = "S", stock: str = "", **rest: bool
) -> Game:
    """Set up a position from words."""
    cards = [parse_cards([word]).bit_length() - 1 for word in stock.split()]
    return Game.position(
        load_variant(variant),
        [parse_cards(hand.split()) for hand in hands],
        cards,
        "CDHS".index(trump),
        0,
        **rest,
    )


def play(game: Game, *texts: str) -> None:
    for text in texts:
        game.play(parse_action(text))


@pytest.mark.parametrize("bot", [RANDOM, LOWEST], ids=["random", "lowest"])
@pytest.mark.parametrize("variant", TABLES, ids=table_id)
def test_stepwise_play_has_the_outcome_and_trace_of_the_batch(variant: Variant, bot: int) -> None:
    table = new_table(variant, variant.players)
    table[BOT : BOT + variant.players] = bot
    rows: Rows = np.zeros((N_COLUMNS, N_DEALS), dtype=np.uint16)
    play_batch(table, SEED, 0, SESSION, rows)
    stepwise: Rows = np.zeros_like(rows)
    for deal, game in enumerate(session_games(variant, bot, N_DEALS, SESSION)):
        play_out(game)
        write_row(game.state, stepwise, deal)
    np.testing.assert_array_equal(stepwise, rows)


@pytest.mark.parametrize("variant", TABLES, ids=table_id)
def test_every_card_is_in_exactly_one_place_at_every_step(variant: Variant) -> None:
    for game in session_games(variant, RANDOM, 3, 3):
        while not game.over:
            game.play_move(choose_move(game.state))
            on_table = [card for pair in game.table for card in pair if card is not None]
            places = [*game.hands, mask_of(game.stock), mask_of(on_table), int(game.state[DISCARD])]
            assert sum(mask.bit_count() for mask in places) == variant.deck
            assert sum(places) == game.state[PACK]


def seen(game: Game) -> tuple[Any, ...]:
    """Return what a game knows beside its state."""
    return game.table, game.closed_table, list(game.events), list(game.legal())


@pytest.mark.parametrize("variant", TABLES, ids=table_id)
def test_every_action_can_be_taken_back(variant: Variant) -> None:
    rng = random.Random(variant.name)
    game = next(session_games(variant, RANDOM, 1, 1))
    history = []
    while not game.over:
        history.append(
            (game.state.copy(), game.table, game.closed_table, list(game.events), list(game.legal()))
        )
        game.play(rng.choice(game.legal()))
    for state, table, closed_table, events, legal in reversed(history):
        game.undo()
        np.testing.assert_array_equal(game.state, state)
        assert (game.table, game.closed_table, game.events, game.legal()) == (
            table,
            closed_table,
            events,
            legal,
        )
    with pytest.raises(IllegalAction, match="nothing to take back"):
        game.undo()


def test_clone_goes_its_own_way() -> None:
    game = position(["9C 6D 7H", "9D KC", "9S QC AH"])
    play(game, "attack 9C")
    twin = game.clone()
    play(twin, "transfer 9D")
    assert game.table == ((28, None),)
    assert [event["do"] for event in game.events] == ["attack 9C"]
    assert (game.to_act, twin.to_act) == (1, 2)
    twin.undo()
    twin.undo()
    assert game.table == ((28, None),)
    assert twin.table == ()


def test_illegal_action_changes_nothing_and_names_the_legal_ones() -> None:
    game = position(["9C 6D 7H", "9D KC", "9S QC AH"], trump="D")
    play(game, "attack 9C", "transfer 9D")
    before = game.state.copy()
    message = "transfer 9S is not legal: seat 2 may cover 9C QC, pick_up"
    with pytest.raises(IllegalAction, match=message):
        play(game, "transfer 9S")
    np.testing.assert_array_equal(game.state, before)
    assert len(game.events) == 2


def test_nothing_is_legal_when_the_deal_is_over() -> None:
    game = position(["9C", "10C 6D"])
    play(game, "attack 9C", "pick_up")
    assert game.over
    assert (game.result, game.loser, game.places) == ("lost", 1, [1, 2])
    assert (game.to_act, game.attacker, game.defender, game.leader) == (None, None, None, None)
    assert game.legal() == []
    assert game.askable() == 0
    with pytest.raises(IllegalAction, match="the deal is over"):
        play(game, "pick_up")


def test_legal_actions_come_in_a_readable_order() -> None:
    game = position(["9C 6D 7H", "9D KC AS QC", "9S 6H AH 7C 8C 10C"], trump="D")
    assert list(map(action_text, game.legal())) == ["attack 6D", "attack 7H", "attack 9C"]
    play(game, "attack 9C")
    expected = ["cover 9C 9D", "cover 9C QC", "cover 9C KC", "transfer 9D", "pick_up"]
    assert list(map(action_text, game.legal())) == expected


def test_events_tell_the_bout_then_draws_in_drawing_order_then_who_leaves() -> None:
    game = position(["9C 10H 6H 7H 8H", "10C", "7D 8D"], stock="6C 6D 7S")
    play(game, "attack 9C")
    assert game.play(parse_action("cover 9C 10C")) == [
        {"seat": 1, "do": "cover 9C 10C"},
        {"bout": "beaten", "defender": 1, "cards": ["9C", "10C"]},
        {"seat": 0, "draw": ["6C", "6D"]},
        {"seat": 2, "draw": ["7S"]},
        {"seat": 1, "leaves": 1},
    ]
    assert game.closed_table == ((28, 32),)
    assert game.n_stock == 0
    assert (game.left, game.active) == ((1,), (0, 2))


def test_table_keeps_the_order_of_play() -> None:
    game = position(["9C 9H KD", "10C 10H QD", "7D 8D 10D"])
    play(game, "attack 9H", "attack 9C", "cover 9C 10C")
    assert game.table == ((30, None), (28, 32))
    play(game, "throw 10D", "pick_up")
    assert game.closed_table == ((30, None), (28, 32), (33, None))


def test_stock_is_seen_in_drawing_order_and_with_the_exchanged_trump() -> None:
    game = position(["6D 9C", "7H 8H"], variant="trump-six-exchange", trump="D", stock="8S KC KD")
    assert card_words(mask_of(game.stock)) == ["8S", "KC", "KD"]
    assert game.stock == (27, 44, 45)
    play(game, "exchange")
    assert game.stock == (27, 44, 17)
    assert card_words(game.hands[0]) == ["9C", "KD"]
    assert game.leader == 0


def test_racing_seats_may_all_be_asked_and_others_may_not() -> None:
    hands = ["6C 7D AD", "7C 10D 10H JH", "7H QC QD", "6D QH KH"]
    game = position(hands, variant="simultaneous")
    play(game, "attack 6C", "pass")
    play(game, "cover 6C 7C")
    assert game.askable() == 0b1101
    for seat_asked, card in ((3, "6D"), (2, "7H"), (0, "7D")):
        game.ask(seat_asked)
        assert game.to_act == seat_asked
        assert list(map(action_text, game.legal())) == [f"throw {card}", "pass"]
    with pytest.raises(IllegalAction, match="seat 1 is not asked now"):
        game.ask(1)


def test_whole_turn_is_played_as_single_actions_and_ends_with_a_stop() -> None:
    game = position(["9C 9D 9H KD", "10C 10H JH QH QC"], trump="C")
    events = game.play_move(packed(whole_turn(ATTACK, parse_cards(["9C", "9D"]))))
    assert [event["do"] for event in events] == ["attack 9D", "attack 9C", "stop"]


def test_whole_turn_without_a_choice_left_needs_no_stop() -> None:
    game = position(["9C 9D KD", "10C 10H JH QH QC"])
    events = game.play_move(packed(whole_turn(ATTACK, parse_cards(["9C", "9D"]))))
    assert [event["do"] for event in events] == ["attack 9C", "attack 9D"]


def test_whole_turn_is_split_into_non_trumps_then_trumps_from_the_lowest() -> None:
    cards = parse_cards(["6S", "7S", "9C", "JD"])
    actions = split_turn(packed(whole_turn(THROW, cards)), parse_cards(["6S", "7S", "8S"]))
    assert list(map(action_text, actions)) == ["throw 9C", "throw JD", "throw 6S", "throw 7S"]


def test_given_deal_is_played_as_the_shuffled_one_was() -> None:
    variant = seat(load_variant("classic"), 6)
    game = next(session_games(variant, LOWEST, 1, 1))
    play_out(game)
    assert game.trump_card is not None
    assert game.dealer is not None
    again = Game.dealt(variant, game.hands_dealt, game.stock_dealt, game.trump_card, game.dealer, game.opener)
    for event in game.events:
        if "do" in event:
            play(again, event["do"])
    assert again.events == game.events
    assert again.summary() == game.summary()


def test_empty_hand_has_left_a_position_without_stock_only() -> None:
    assert position(["9C", "", "10C"]).left == (1,)
    assert position(["9C", "", "10C"], stock="6S").left == ()


def test_first_bout_and_beaten_before_set_the_limit_of_a_position() -> None:
    rules = {"name": "test", "players": 2, "attack": {"first_limit": 1, "first_scope": "until_first_discard"}}
    variant = variant_from_mapping(rules)
    hands = [parse_cards(["9C", "9D"]), parse_cards(["10C", "JC"])]
    for beaten_before, n_leads in ((False, 1), (True, 2)):
        game = Game.position(variant, hands, [], 3, 0, beaten_before=beaten_before)
        play(game, "attack 9C")
        assert (game.to_act == 0) == (n_leads == 2)


def test_seats_of_a_team_name_each_other() -> None:
    game = next(session_games(seat(load_variant("partners"), 4), LOWEST, 1, 1))
    assert [game.team(each) for each in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]
    assert game.state[LOSER] == -1
