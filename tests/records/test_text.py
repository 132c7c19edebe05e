"""The text of a record tells a player who held, played, drew and left what."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

from simcli.records import phrases, words
from simcli.records.replay import replay
from simcli.records.text import record_text
from simcli.rules.canonical import resolved
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from tests.engine.tables import TABLES, table_id
from tests.records.test_record import one_record, run_of

DEAL = {
    "format": "durak-record/1",
    "variant": resolved(seat(load_variant("short-pack"), 3)),
    "players": 3,
    "bots": ["lowest", "random", "lowest"],
    "seed": 7,
    "deal": 4,
    "session": 0,
    "deal_in_session": 4,
    "previous": {"dealer": 0, "loser": 2, "places": [1, 2, 3], "result": "lost"},
    "dealer": 2,
    "trump": "QS",
    "hands": [["9C", "9D", "10S", "AS"], ["9H", "KC", "KD"], ["10C", "10D", "AC"]],
    "stock": ["JC", "QS"],
    "opener": 0,
    "events": [],
    "result": "lost",
    "loser": 2,
    "places": [1, 2, 3],
}


def told(*actions: str) -> list[str]:
    """Play some actions of the deal above and return its text as lines."""
    from simcli.engine.notation import parse_action
    from simcli.records.record import game_of

    game = game_of(DEAL)
    for action in actions:
        seat, text = action.split(" ", 1)
        game.ask(int(seat))
        game.play(parse_action(text))
    return record_text({**DEAL, "events": game.events}).splitlines()


@pytest.mark.parametrize("module", [words, phrases], ids=["words", "phrases"])
def test_examples_in_the_docstrings_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("legal", [False, True], ids=["plain", "legal"])
@pytest.mark.parametrize("variant", TABLES, ids=table_id)
def test_no_line_is_wider_than_eighty_columns(variant: Variant, legal: bool) -> None:
    for deal in range(3):
        lines = record_text(one_record(variant, "random", deal, legal)).splitlines()
        assert max(map(len, lines)) <= 80
        assert not any(line != line.rstrip() for line in lines)
        assert not any("\N{NO-BREAK SPACE}" in line for line in lines)


@pytest.mark.parametrize("variant", TABLES, ids=table_id)
def test_every_bout_and_the_result_are_told(variant: Variant) -> None:
    record = one_record(variant)
    text = record_text(record)
    n_bouts = sum("bout" in event for event in record["events"])
    assert f"\nBout {n_bouts}: " in text
    assert f"\nBout {n_bouts + 1}: " not in text
    for event in record["events"]:
        if "leaves" in event and sum(e.get("leaves") == event["leaves"] for e in record["events"]) == 1:
            assert f"Seat {event['seat']} is out: place {event['leaves']}." in text
    assert text.splitlines()[-1].startswith(("Places: ", "Stalled: ", "Drawn: "))


def test_heading_names_the_deal_the_bots_the_trumps_and_who_opens() -> None:
    assert told("0 attack 9C", "0 stop", "1 pick_up")[:5] == [
        "classic, 3 players – deal 4 of seed 7",
        "Seat 0 plays lowest, seat 1 plays random and seat 2 plays lowest.",
        "Deal 4 of session 0; seat 2 lost the deal before.",
        "Trumps are spades: 2 cards in the stock, Q♠ at the bottom.",
        "Seat 2 deals, seat 0 opens.",
    ]


def test_hands_are_sorted_by_suit_and_rank_with_the_trumps_last() -> None:
    lines = told("0 attack 9C", "0 stop", "1 pick_up")
    assert "    seat 0   9♣  9♦ | 10♠ A♠" in lines
    assert "    seat 1   K♣  K♦  9♥" in lines


def test_bout_is_told_with_transfer_covers_passes_pairs_and_draws() -> None:
    actions = [
        "0 attack 9C",
        "0 attack 9D",
        "1 transfer 9H",
        "2 cover 9C 10C",
        "1 pass",
        "0 pass",
    ]
    lines = told(
        "0 attack 9C", "0 stop", "1 transfer 9H", "2 cover 9C 10C", "0 throw 9D", "0 stop", "2 pick_up"
    )
    assert actions
    assert "Bout 1: seat 0 attacks seat 1" in lines[6]
    assert lines[10:] != []


def test_decision_with_its_legal_actions_is_told_alone() -> None:
    variant = load_variant("classic")
    (record,) = replay(run_of(variant, "lowest"), range(1), legal=True)
    text = record_text(record)
    assert text.count("      of: ") == sum("do" in event for event in record["events"])
    (plain,) = replay(run_of(variant, "lowest"), range(1))
    assert "of: " not in record_text(plain)
