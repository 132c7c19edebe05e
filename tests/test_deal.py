"""A deal in Python is the engine's deal: the packs of runs, their records, any position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simcli
from simcli import Deal, IllegalAction, InputError
from simcli.engine.notation import NotationError
from simcli.records.record import Record
from simcli.records.replay import replay
from simcli.rules.load import load_variant
from tests.records.test_record import run_of
from tests.runs.conftest import match_of

WORKED_EXAMPLE = {"hands": ["9C 6D 7H", "9D KC", "9S QC AH"], "trump": "D"}


def record_of(variant: str, bots: str, deal: int) -> Record:
    return next(replay(run_of(load_variant(variant), bots, 1), range(deal, deal + 1)))


# ------------------------------------------------------------------------------------ beginnings


@pytest.mark.parametrize("bots", ["lowest", "random", "thrifty"])
@pytest.mark.parametrize("variant", ["classic", "simultaneous", "partners"])
def test_bots_play_a_deal_as_they_do_in_a_run(variant: str, bots: str) -> None:
    match = match_of(variant, bots)
    for index, record in enumerate(replay(match, range(5))):
        deal = Deal(variant, seed=1, deal=index)
        deal.play_out(bots)
        assert list(deal.events) == record["events"]
        assert (deal.result, deal.loser, list(deal.places)) == (
            record["result"],
            record["loser"],
            record["places"],
        )


def test_every_seat_may_have_a_bot_of_its_own() -> None:
    deal = Deal("classic", 3, deal=4)
    deal.play_out(["random", "lowest", "thrifty"])
    record = next(replay(match_of("classic", "random,lowest,thrifty", players=3), range(4, 5)))
    assert list(deal.events) == record["events"]


def test_reset_begins_the_deal_again_or_deals_another() -> None:
    deal = Deal("classic", seed=1, deal=7)
    hands = deal.hands
    deal.play_out("lowest")
    deal.reset()
    assert (deal.hands, deal.events) == (hands, ())
    deal.reset(deal=8)
    assert deal.hands == Deal("classic", seed=1, deal=8).hands != hands
    deal.reset(seed=2)
    assert deal.hands == Deal("classic", seed=2, deal=8).hands
    deal.reset(seed=1, deal=7)
    assert deal.hands == hands


def test_a_variant_may_be_a_name_a_path_or_a_value(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\nextends: late-transfer\n")
    late = load_variant("late-transfer")
    for variant in ("late-transfer", late, path, str(path)):
        assert Deal(variant, 3).variant.transfer.mode == "late"
        assert Deal(variant, 3).players == 3


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"variant": "clasic"}, "did you mean classic"),
        ({"players": 7}, "players: expected a whole number from 2 to 6, got 7"),
        ({"variant": "short-pack", "players": 5}, "short-pack: players"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"deal": 1.5}, "deal: expected a whole number from 0"),
        ({"seed": True}, "seed: expected a whole number from 0"),
    ],
)
def test_a_wrong_argument_is_one_clear_message(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Deal(**arguments)


def test_seed_and_deal_may_be_numbers_of_numpy() -> None:
    assert Deal(seed=np.int64(3), deal=np.uint8(2)).hands == Deal(seed=3, deal=2).hands


def test_a_position_is_the_one_of_the_worked_example() -> None:
    deal = Deal.position("classic", **WORKED_EXAMPLE)
    deal.step("attack 9C")
    deal.step("transfer 9D")
    assert (deal.seat, deal.attacker, deal.defender) == (2, 1, 2)
    assert deal.legal() == ["cover 9C QC", "pick_up"]
    assert deal.table == (("9C", None), ("9D", None))
    deal.reset()
    assert deal.hands == (("6D", "7H", "9C"), ("9D", "KC"), ("9S", "QC", "AH"))


@pytest.mark.parametrize("first_bout, beaten_before, limit", [(True, False, 5), (False, True, 6)])
def test_a_position_has_stock_leader_and_past(first_bout: bool, beaten_before: bool, limit: int) -> None:
    deal = Deal.position(
        load_variant("five-until-discard"),
        hands=[["9C", "6D"], ["9D"]],
        trump="H",
        stock="KS 8H",
        leader=1,
        first_bout=first_bout,
        beaten_before=beaten_before,
    )
    assert (deal.stock, deal.trump, deal.seat, deal.players) == (("KS", "8H"), "8H", 1, 2)
    seen = deal.observation()
    assert (seen.first_bout, seen.beaten_before, seen.bout_limit) == (first_bout, beaten_before, limit)


def test_everything_wrong_with_a_position_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        Deal.position(hands=["9C 9C", "1D"], trump="X", leader=2)
    text = str(caught.value)
    for part in ("hands[0]: expected each card once", "hands[1]: expected a card", "trump:", "leader:"):
        assert f"position: {part}" in text


def test_a_position_dealt_anew_is_a_pack_of_its_variant() -> None:
    deal = Deal.position("classic", **WORKED_EXAMPLE)
    deal.reset(seed=1, deal=7)
    assert deal.hands == Deal("classic", 3, seed=1, deal=7).hands


# ------------------------------------------------------------------------------------ records


@pytest.mark.parametrize("variant", ["classic", "simultaneous", "pass-card", "trump-six-exchange"])
def test_a_record_is_played_as_far_as_asked(variant: str) -> None:
    record = record_of(variant, "random", 3)
    whole = Deal.from_record(record, actions=None)
    assert list(whole.events) == record["events"]
    assert whole.result == record["result"]
    assert Deal.from_record(json.dumps(record)).events == ()
    ten = Deal.from_record(record, actions=10)
    assert sum("do" in event for event in ten.events) == 10
    assert list(ten.events) == record["events"][: len(ten.events)]
    for _ in range(10):
        ten.undo()
    assert ten.hands == Deal.from_record(record).hands


def test_a_record_against_the_rules_is_refused_with_the_rule() -> None:
    record = record_of("classic", "lowest", 3)
    record["events"][0]["do"] = "attack 2C"
    with pytest.raises(InputError, match=r"record: events\[0\]\.do: .*2C.* – rule 1\.1"):
        Deal.from_record(record)


def test_a_malformed_record_is_refused() -> None:
    with pytest.raises(InputError, match=r"record:.*expected a JSON object"):
        Deal.from_record("[")
    with pytest.raises(InputError, match="hands: this key is required"):
        Deal.from_record(
            {key: value for key, value in record_of("duel", "lowest", 1).items() if key != "hands"}
        )


# ------------------------------------------------------------------------------------ play


def test_an_action_may_be_a_text_or_a_number() -> None:
    by_text, by_number = Deal(deal=3), Deal(deal=3)
    while not by_text.over:
        texts, numbers = by_text.legal(), by_number.legal_numbers()
        assert by_number.legal_mask().nonzero()[0].tolist() == sorted(numbers)
        assert by_text.step(texts[0]) == by_number.step(np.int64(numbers[0]))
        if len(by_text.events) > 200:
            break
    assert by_text.hands == by_number.hands
    assert len(by_text.events) > 20


@pytest.mark.parametrize(
    "action, error", [("attack 2C", IllegalAction), ("atack 9C", NotationError), (-1, ValueError)]
)
def test_an_illegal_action_is_refused_and_changes_nothing(action: str | int, error: type[Exception]) -> None:
    deal = Deal.position("classic", **WORKED_EXAMPLE)
    before = deal.game.state.copy()
    with pytest.raises(error):
        deal.step(action)
    assert (deal.game.state == before).all()
    assert deal.events == ()


def test_a_finished_deal_asks_nobody() -> None:
    deal = Deal()
    deal.play_out("lowest")
    assert deal.over
    assert deal.seat is None
    assert deal.racing == ()
    assert deal.legal() == deal.legal_numbers() == []
    assert not deal.legal_mask().any()
    for play in (lambda: deal.step("pass"), deal.bot_move):
        with pytest.raises(IllegalAction, match="the deal is over"):
            play()


def racing_deal() -> Deal:
    deal = Deal("simultaneous", 4, seed=1, deal=0)
    while len(deal.racing) < 2:
        deal.bot_move("random")
    return deal


def test_another_racing_seat_may_act_first() -> None:
    deal = racing_deal()
    other = next(seat for seat in deal.racing if seat != deal.seat)
    assert deal.step("pass", other)[0] == {"seat": other, "do": "pass"}


def test_a_racing_seat_that_may_not_do_it_leaves_the_race_as_it_was() -> None:
    deal = racing_deal()
    before = deal.game.state.copy()
    other = next(seat for seat in deal.racing if seat != deal.seat)
    with pytest.raises(IllegalAction, match=f"seat {other} may"):
        deal.step("pick_up", other)
    assert (deal.game.state == before).all()


def test_undo_takes_a_bots_move_back_with_its_chance() -> None:
    deal = Deal("classic", deal=2)
    moves = [deal.bot_move("random") for _ in range(12)]
    for move in reversed(moves):
        for _ in range(sum("do" in event for event in move)):
            deal.undo()
    assert deal.events == ()
    assert [deal.bot_move("random") for _ in range(12)] == moves


def test_undo_at_the_beginning_is_refused() -> None:
    with pytest.raises(IllegalAction, match="nothing to take back"):
        Deal().undo()


def test_a_clone_goes_its_own_way() -> None:
    deal = Deal("classic", 3, deal=5)
    deal.bot_move("lowest")
    twin = deal.clone()
    assert (twin.hands, twin.events, twin.variant) == (deal.hands, deal.events, deal.variant)
    twin.play_out("random")
    assert len(deal.events) < 10
    deal.reset(deal=6)
    twin.reset()
    assert twin.hands == Deal("classic", 3, deal=5).hands


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean lowest"):
        Deal().bot_move("lowst")
    with pytest.raises(InputError, match="expected one bot, or 4"):
        Deal().play_out("lowest,lowest")


def test_a_deal_tells_what_it_is() -> None:
    deal = simcli.Deal("duel")
    assert repr(deal) == f"<Deal of duel, 2 players, seat {deal.seat} to act>"
    deal.play_out("lowest")
    assert repr(deal) == f"<Deal of duel, 2 players, over, {deal.result}>"
