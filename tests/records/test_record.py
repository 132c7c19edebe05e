"""A record holds all that is needed to follow a deal, in the form of docs/formats.md."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from simcli.bots.lineup import parse_lineup
from simcli.engine.game import Game
from simcli.engine.notation import action_text, parse_action
from simcli.records.record import game_of, record_line
from simcli.records.replay import replay
from simcli.rules.canonical import resolved
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match as Run
from tests.engine.tables import TABLES, table_id

KEYS = """
format variant players bots seed deal session deal_in_session previous dealer trump hands stock opener
events result loser places
"""


def run_of(variant: Variant, bots: str, session: int = 1) -> Run:
    return Run(variant, parse_lineup(bots, variant.players), 5, session)


def one_record(variant: Variant, bots: str = "random", deal: int = 0, legal: bool = False) -> dict[str, Any]:
    (record,) = replay(run_of(variant, bots), range(deal, deal + 1), legal)
    return record


def follow(record: dict[str, Any]) -> Game:
    """Play the actions of a record to the end, checking the legal ones where they are listed."""
    game = game_of(record)
    for event in record["events"]:
        if "do" in event:
            game.ask(event["seat"])
            if "legal" in event:
                assert [action_text(action) for action in game.legal()] == event["legal"]
            game.play(parse_action(event["do"]))
    return game


@pytest.mark.parametrize("variant", TABLES, ids=table_id)
def test_record_written_and_read_again_is_played_to_the_same_end(variant: Variant) -> None:
    record = json.loads(record_line(one_record(variant)))
    game = follow(record)
    assert game.events == record["events"]
    assert game.over
    assert (game.result, game.loser, game.places) == tuple(
        record[key] for key in ("result", "loser", "places")
    )


@pytest.mark.parametrize("variant", TABLES, ids=table_id)
def test_record_on_request_lists_the_legal_actions_of_every_decision(variant: Variant) -> None:
    record = one_record(variant, "lowest", legal=True)
    actions = [event for event in record["events"] if "do" in event]
    assert all(event["do"] in event["legal"] for event in actions)
    follow(record)
    for event in actions:
        del event["legal"]
    assert record == one_record(variant, "lowest")


def test_keys_stand_in_the_order_of_the_format() -> None:
    record = json.loads(record_line(one_record(load_variant("classic"))))
    assert list(record) == KEYS.split()
    assert record["format"] == "durak-record/1"


def test_variant_is_spelled_out_with_the_number_of_players_played() -> None:
    variant = seat(load_variant("classic"), 3)
    record = one_record(variant)
    assert record["variant"] == resolved(variant)
    assert (record["players"], record["variant"]["players"], len(record["hands"])) == (3, 3, 3)


def test_exposed_trump_is_the_last_card_of_the_stock() -> None:
    record = one_record(seat(load_variant("classic"), 3))
    assert record["trump"] == record["stock"][-1]
    cards = [card for hand in record["hands"] for card in hand] + record["stock"]
    assert len(cards) == len(set(cards)) == 36


def test_stock_is_empty_when_all_cards_are_dealt() -> None:
    record = one_record(seat(load_variant("classic"), 6))
    assert record["stock"] == []
    assert record["trump"] in record["hands"][record["dealer"]]


def test_draws_follow_the_stock_card_by_card() -> None:
    record = one_record(seat(load_variant("classic"), 2))
    drawn = [card for event in record["events"] for card in event.get("draw", [])]
    assert drawn == record["stock"]


def test_hands_are_those_dealt_before_an_exchange() -> None:
    variant = load_variant("trump-six-exchange")
    for deal in range(200):
        record = one_record(variant, deal=deal)
        if record["events"][0].get("do") == "exchange":
            assert f"6{record['trump'][-1]}" in record["hands"][record["events"][0]["seat"]]
            assert record["stock"][-1] == record["trump"]
            return
    pytest.fail("no deal began with an exchange")


def test_later_deal_of_a_session_tells_of_the_one_before() -> None:
    run = run_of(seat(load_variant("classic"), 3), "lowest", session=4)
    records = list(replay(run, range(4, 8)))
    assert [(record["session"], record["deal_in_session"]) for record in records] == [
        (1, i) for i in range(4)
    ]
    assert records[0]["previous"] is None
    for before, record in pairwise(records):
        assert record["previous"] == {key: before[key] for key in ("dealer", "loser", "places", "result")}
        if before["loser"] is not None:
            assert record["dealer"] == before["loser"]
