"""The text of a record tells a player who held, played, drew and left what."""

from __future__ import annotations

import doctest
import re
from typing import Any

import pytest

from simcli.engine.notation import parse_action, split_seat
from simcli.records import phrases, words
from simcli.records.record import game_of
from simcli.records.replay import replay
from simcli.records.text import record_text
from simcli.rules.canonical import resolved
from simcli.rules.load import load_variant, variant_from_mapping
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


def told(*actions: str, variant: Variant | None = None, **changes: Any) -> list[str]:
    """Play some actions of the deal above, changed as said, and return its text as lines."""
    record = {**DEAL, **changes}
    if variant is not None:
        record["variant"] = resolved(seat(variant, 3))
    game = game_of(record)
    for step in actions:
        number, action = split_seat(step, 3)
        game.ask(number)
        game.play(parse_action(action))
    return record_text({**record, "events": game.events}).splitlines()


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
    assert "\nPlaces: " in text or record["result"] == "stalled"


def test_heading_names_the_deal_the_bots_the_trumps_and_who_opens() -> None:
    assert told("0 attack 9C", "0 stop", "1 pick_up")[:5] == [
        "short-pack, 3 players – deal 4 of seed 7",
        "Seat 0 plays lowest, seat 1 plays random and seat 2 plays lowest.",
        "Deal 4 of session 0; seat 2 lost the deal before.",
        "Trumps are spades: 2 cards in the stock, Q♠ at the bottom.",
        "Seat 2 deals, seat 0 opens.",
    ]


def test_hands_are_sorted_by_suit_and_rank_with_the_trumps_last() -> None:
    lines = told("0 attack 9C", "0 stop", "1 pick_up")
    assert "    seat 0   9♣  9♦ | 10♠ A♠" in lines
    assert "    seat 1   K♣  K♦  9♥" in lines


def test_bout_is_told_with_transfer_covers_throw_ins_and_pairs() -> None:
    lines = told("0 attack 9C", "0 stop", "1 transfer 9H", "2 cover 9C 10C", "0 throw 10S", "2 pick_up")
    title = "Bout 1: seat 0 attacks seat 1"
    assert lines[6] == f"{title}{'2 in the stock':>{80 - len(title)}}"
    assert lines[10:17] == [
        "  Seat 0 leads 9♣.",
        "  Seat 1 transfers with 9♥ to seat 2.",
        "  Seat 2 covers 9♣ with 10♣.",
        "  Seat 0 throws in 10♠.",
        "  Seat 2 picks up.",
        "    9♣/10♣  9♥  10♠ – seat 2 takes 4 cards.",
        "  Seat 0 draws J♣ Q♠.",
    ]


def test_covers_in_a_row_are_one_sentence_and_so_are_passes() -> None:
    lines = told("0 attack 9C", "0 attack 9D", "1 cover 9C KC", "1 cover 9D KD")
    assert "  Seat 0 leads 9♣ 9♦." in lines
    assert "  Seat 1 covers 9♣ with K♣, 9♦ with K♦." in lines
    hands = [["9C", "KS"], ["10C", "AS"], ["10D", "9S"]]
    lines = told("0 attack 9C", "1 cover 9C 10C", "2 pass", hands=hands)
    assert "  Seat 2 passes." in lines
    hands = [["9C", "9H", "10S"], ["10C", "AS"], ["10D", "9S"]]
    lines = told("0 attack 9C", "0 stop", "1 cover 9C 10C", "0 pass", "2 pass", hands=hands)
    assert "  Seats 0 and 2 pass." in lines


def test_deal_that_goes_on_is_told_up_to_now() -> None:
    lines = told("0 attack 9C", "0 stop", "1 transfer 9H", "2 cover 9C 10C")
    assert lines[-3:] == ["    9♣/10♣  9♥", "", "Seat 0 is to act."]


def test_shown_card_and_exchange_are_told() -> None:
    variant = load_variant("pass-card")
    hands = [["9C", "KH"], ["9S", "AC"], ["10C", "10D", "AH"]]
    lines = told("0 attack 9C", "1 show 9S", variant=variant, hands=hands)
    assert "  Seat 1 shows 9♠ and keeps it: seat 2 defends." in lines
    variant = load_variant("trump-six-exchange")
    lines = told("0 exchange", variant=variant, hands=[["6S", "7C"], ["8C"], ["9C"]])
    assert "  Seat 0 swaps 6♠ for Q♠." in lines
    lines = told("0 keep", variant=variant, hands=[["6S", "7C"], ["8C"], ["9C"]])
    assert "  Seat 0 keeps the lowest trump." in lines


ENDINGS = {
    "a loser with cards": (
        "classic",
        [["9C"], ["10C", "KD"], ["QD"]],
        ["0 attack 9C", "1 pick_up", "2 attack QD", "1 pick_up"],
        ["Seat 1 is left with 4 cards and loses.", "Places: seat 0 first, seat 2 second, seat 1 third."],
    ),
    "a draw": (
        "classic",
        [["9C"], ["10C"], []],
        ["0 attack 9C", "1 cover 9C 10C"],
        ["Drawn: seats 0 and 1 are the last to be out, together.", "Places: seats 0 and 1 second."],
    ),
}


@pytest.mark.parametrize("name, hands, actions, expected", ENDINGS.values(), ids=ENDINGS)
def test_end_is_told_in_a_sentence(
    name: str, hands: list[list[str]], actions: list[str], expected: list[str]
) -> None:
    lines = told(*actions, variant=load_variant(name), hands=hands, stock=[])
    assert lines[-2:] == expected


@pytest.mark.parametrize(
    "name, result, wording",
    [
        ("classic", "lost", r"Seat \d is left with \d+ cards? and loses\."),
        ("classic", "drawn", r"Drawn: seats \d and \d are the last to be out, together\."),
        ("no-draws", "lost", r"Seat \d is out last, as the defender, and loses\."),
        ("regular", "won", r"Seat \d is the first to be out and wins\."),
        ("partners", "lost", r"The team of seats \d and \d loses, named by seat \d\."),
        ("stalling", "stalled", r"Stalled: one pick-up followed another, and nobody loses\."),
        ("tied", "drawn", r"Drawn: seats \d( and|,) \d .*are the first to be out, together\."),
    ],
)
def test_every_kind_of_result_has_its_sentence(name: str, result: str, wording: str) -> None:
    made = {
        "stalling": {"name": "stalling", "players": 3, "end": {"stall_bouts": 1}},
        "tied": {"name": "tied", "players": 3, "end": {"objective": "first_out_wins"}},
    }
    variant = variant_from_mapping(made[name]) if name in made else load_variant(name)
    run = run_of(variant if variant.teams != "none" else seat(variant, 3), "lowest")
    texts = [record_text(record) for record in replay(run, range(300)) if record["result"] == result]
    assert texts
    assert any(re.search(f"\n{wording}", text) for text in texts)


def test_seats_that_leave_are_told_by_place_whoever_sits_between_them() -> None:
    hands = [["9C"], ["10C", "AH"], ["10H"]]
    actions = ("0 attack 9C", "1 cover 9C 10C", "2 throw 10H", "1 cover 10H AH")
    lines = told(*actions, variant=load_variant("no-draws"), hands=hands, stock=[])
    at = lines.index("  Seats 0 and 2 are out together and share place 1.")
    assert lines[at + 1] == "  Seat 1 is out: place 3."


def test_decision_with_its_legal_actions_is_told_alone() -> None:
    variant = load_variant("classic")
    (record,) = replay(run_of(variant, "lowest"), range(1), legal=True)
    text = record_text(record)
    assert text.count("      of: ") == sum("do" in event for event in record["events"])
    (plain,) = replay(run_of(variant, "lowest"), range(1))
    assert "of: " not in record_text(plain)
