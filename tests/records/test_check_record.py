"""The referee finds the first thing in a record that the rules do not bear out, whoever wrote it."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simcli.errors import InputError, input_error, problems_of
from simcli.records.check_record import check_records
from simcli.records.record import record_line
from simcli.records.recordfile import load_records
from simcli.records.replay import replay
from simcli.records.verdict import Verdict
from simcli.records.verdict_text import course_text, verdict_line
from simcli.rules.load import load_variant, variant_from_mapping
from simcli.rules.variant import Variant, seat
from tests.engine.tables import TABLES, table_id
from tests.records.test_record import run_of

Record = dict[str, Any]
Change = Callable[[Record], object]


def recorded(variant: Variant, n_deals: int = 1, session: int = 1, legal: bool = False) -> list[Record]:
    """Return the records of some deals as another program would read them."""
    run = run_of(variant, "random", session)
    return [json.loads(record_line(record)) for record in replay(run, range(n_deals), legal)]


def checked(tmp_path: Path, *records: Record) -> list[Verdict]:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    loaded = load_records(path, "game.jsonl")
    if loaded.problems:
        raise input_error(loaded.problems)
    return check_records(loaded.records)


def failure_of(tmp_path: Path, *records: Record) -> str:
    """Return what is wrong with the last of some records, the others being right."""
    verdicts = checked(tmp_path, *records)
    assert all(verdict.ok for verdict in verdicts[:-1])
    return str(verdicts[-1].failure)


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_record_of_every_table_is_borne_out(table: Variant, tmp_path: Path) -> None:
    for verdict in checked(tmp_path, *recorded(table, 2, legal=True)):
        assert verdict.ok, str(verdict.failure)
        assert verdict.note == ""


@pytest.mark.parametrize("later", ["dealer_left", "attack_loser", "lowest_trump"])
@pytest.mark.parametrize("objective", ["last_loses", "first_out_wins"])
def test_sessions_are_borne_out(later: str, objective: str, tmp_path: Path) -> None:
    mapping = {"name": "test", "players": 3, "opening": {"later": later}, "end": {"objective": objective}}
    verdicts = checked(tmp_path, *recorded(variant_from_mapping(mapping), 8, session=4))
    assert [str(verdict.failure) for verdict in verdicts] == ["None"] * 8


def test_record_needs_neither_seed_nor_bots(tmp_path: Path) -> None:
    (record,) = recorded(load_variant("duel"))
    for key in ("bots", "seed", "deal", "session", "deal_in_session", "previous"):
        del record[key]
    (verdict,) = checked(tmp_path, record)
    assert verdict.ok


def test_sets_may_come_in_any_order(tmp_path: Path) -> None:
    (record,) = recorded(load_variant("classic"), legal=True)
    for hand in record["hands"]:
        hand.reverse()
    for event in record["events"]:
        for key in ("cards", "legal"):
            event.get(key, []).reverse()
    (verdict,) = checked(tmp_path, record)
    assert verdict.ok


def test_deal_still_in_play_is_borne_out_with_a_note(tmp_path: Path) -> None:
    (record,) = recorded(load_variant("classic"))
    record["events"] = record["events"][:1]
    record.update(result=None, loser=None, places=[None] * 4)
    (verdict,) = checked(tmp_path, record)
    assert verdict.ok
    assert "the deal is not over, seat " in verdict.note
    assert verdict_line(verdict).startswith("ok: game.jsonl:1: 1 legal action; the deal is not over")


def test_course_of_a_record_fits_eighty_columns(tmp_path: Path) -> None:
    for verdict in checked(tmp_path, *recorded(seat(load_variant("classic"), 6), 3)):
        assert max(map(len, course_text(verdict))) <= 80


# ------------------------------------------------------------------------------------ wrong deals


def swap_first_cards(record: Record) -> None:
    hands = record["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]


def set_key(key: str, value: Any) -> Change:
    def change(record: Record) -> None:
        record[key] = value

    return change


WRONG_DEALS: dict[str, tuple[Change, str]] = {
    "a short hand": (
        lambda record: record["stock"].insert(0, record["hands"][0].pop()),
        "hands[0]: expected 6 cards, got 5 – rule 1.2",
    ),
    "a card that is missing": (
        lambda record: record["stock"].pop(0),
        "stock: expected the whole pack, ",
    ),
    "a card of another pack": (
        lambda record: record["stock"].__setitem__(0, "2C"),
        "stock: expected cards of the pack of 36 (6 to A), got 2C – rule 1.1",
    ),
    "a stock in another order": (
        lambda record: record["stock"].reverse(),
        "stock: expected the exposed trump",
    ),
    "an opener without the lowest trump": (
        lambda record: record.update(opener=(record["opener"] + 1) % 3),
        "opener: by opening.first lowest_trump expected seat ",
    ),
    "the first deal of a session that has one before": (
        lambda record: record.update(
            previous={"dealer": 0, "loser": 1, "places": [1, 3, 2], "result": "lost"}
        ),
        "previous: expected null in the first deal of a session – rule 2.1",
    ),
    "a later deal without the one before": (
        set_key("deal_in_session", 1),
        "previous: expected the deal before, since this is deal 1 of a session – rule 2.3",
    ),
}


@pytest.mark.parametrize("what", WRONG_DEALS)
def test_wrong_deal_is_found_with_its_rule(what: str, tmp_path: Path) -> None:
    change, said = WRONG_DEALS[what]
    (record,) = recorded(seat(load_variant("classic"), 3))
    change(record)
    failure = failure_of(tmp_path, record)
    assert failure.startswith(said), failure


def test_trump_of_a_whole_pack_dealt_must_be_in_the_hand_of_the_dealer(tmp_path: Path) -> None:
    (record,) = recorded(seat(load_variant("classic"), 6))
    suit = record["trump"][-1]
    other = next(
        card
        for number, hand in enumerate(record["hands"])
        for card in hand
        if number != record["dealer"] and card.endswith(suit)
    )
    record["trump"] = other
    assert failure_of(tmp_path, record) == (
        f"trump: expected the last card dealt, in the hand of the dealer, got {other} – rule 1.4"
    )


def test_any_opener_is_right_where_the_seat_is_drawn(tmp_path: Path) -> None:
    variant = variant_from_mapping({"name": "test", "players": 3, "opening": {"first": "random"}})
    (record,) = recorded(variant)
    record["events"], record["opener"] = [], (record["opener"] + 1) % 3
    record.update(result=None, loser=None, places=[None] * 3)
    (verdict,) = checked(tmp_path, record)
    assert verdict.ok


def test_dealer_of_a_later_deal_is_the_loser(tmp_path: Path) -> None:
    first, second = recorded(seat(load_variant("classic"), 3), 2, session=2)
    assert first["result"] == "lost"
    second["dealer"] = (second["dealer"] + 1) % 3
    assert failure_of(tmp_path, first, second) == (
        f"dealer: expected {first['loser']}, got {second['dealer']} – rule 2.3"
    )


def test_opener_of_a_later_deal_is_found_by_its_own_option(tmp_path: Path) -> None:
    first, second = recorded(seat(load_variant("classic"), 3), 2, session=2)
    second["opener"] = second["dealer"]
    left = (second["dealer"] + 1) % 3
    assert failure_of(tmp_path, first, second) == (
        f"opener: by opening.later dealer_left expected seat {left}, got seat {second['dealer']} – rule 2.4"
    )


def test_deal_before_must_be_the_one_on_the_line_before(tmp_path: Path) -> None:
    first, second = recorded(seat(load_variant("classic"), 3), 2, session=2)
    loser = second["previous"]["loser"]
    second["previous"]["loser"] = (loser + 1) % 3
    assert failure_of(tmp_path, first, second) == (
        f"previous.loser: expected {loser}, got {(loser + 1) % 3} – rule 2.3"
    )


def test_deal_before_may_stand_anywhere_in_the_file(tmp_path: Path) -> None:
    first, second = recorded(seat(load_variant("classic"), 3), 2, session=2)
    other = recorded(load_variant("duel"))[0]
    dealer = second["previous"]["dealer"]
    second["previous"]["dealer"] = (dealer + 1) % 3
    said = f"previous.dealer: expected {dealer}, got {(dealer + 1) % 3} – rule 2.3"
    assert failure_of(tmp_path, first, other, second) == said
    verdicts = checked(tmp_path, second, first)
    assert [str(verdict.failure) for verdict in verdicts] == [said, "None"]


def test_deal_of_other_bots_is_not_the_deal_before(tmp_path: Path) -> None:
    first, second = recorded(seat(load_variant("classic"), 3), 2, session=2)
    first["bots"] = ["lowest"] * 3
    first["dealer"], second["previous"]["dealer"] = 0, 1
    assert checked(tmp_path, first, second)[1].ok


def test_deal_before_must_have_ended_as_a_deal_can(tmp_path: Path) -> None:
    _, second = recorded(seat(load_variant("classic"), 3), 2, session=2)
    second["previous"]["places"] = [1, 1, 1]
    assert failure_of(tmp_path, second) == (
        "previous.places: expected the last place for the loser alone, got [1, 1, 1] – rule 6.3"
    )


@pytest.mark.parametrize("table", TABLES, ids=table_id)
def test_deals_before_of_every_table_are_possible_ends(table: Variant, tmp_path: Path) -> None:
    for record in recorded(table, 6, session=6)[1:]:
        (verdict,) = checked(tmp_path, record)
        assert verdict.ok, str(verdict.failure)


OUT_OF_STEP: dict[str, tuple[tuple[int, ...], dict[str, int], str]] = {
    "a deal too far within the first session": (
        (1,),
        {"deal": 2},
        "deal: expected session × K + deal_in_session with sessions of K deals, got 2 "
        "with session 0 and deal_in_session 1",
    ),
    "a deal before its session": (
        (5,),
        {"deal": 1},
        "deal: expected session × K + deal_in_session with sessions of K deals, got 1 "
        "with session 1 and deal_in_session 2",
    ),
    "more deals than a session has": (
        (4,),
        {"session": 3, "deal": 4},
        "deal: expected session × K + deal_in_session with sessions of K deals, got 4 "
        "with session 3 and deal_in_session 1",
    ),
    "a length of its own": (
        (4, 5),
        {"deal": 12},
        "deal: expected 5, the next of session 1, got 12",
    ),
    "another session": (
        (6, 7),
        {"session": 3},
        "session: expected session and deal_in_session 2 and 1 after deal 6, got 3 and 1",
    ),
    "a session skipped": (
        (2, 3),
        {"session": 3},
        "session: expected session and deal_in_session 0 and 3 or 1 and 0 after deal 2, got 3 and 0",
    ),
}


@pytest.mark.parametrize("what", OUT_OF_STEP)
def test_numbers_out_of_step_are_found(what: str, tmp_path: Path) -> None:
    deals, changed, said = OUT_OF_STEP[what]
    records = recorded(seat(load_variant("classic"), 3), 9, session=3)
    assert all(verdict.ok for verdict in checked(tmp_path, *records))
    records[deals[-1]].update(changed)
    assert failure_of(tmp_path, *(records[deal] for deal in deals)) == said


def test_runs_of_other_sessions_may_share_a_file(tmp_path: Path) -> None:
    variant = seat(load_variant("classic"), 3)
    by_two, by_three = recorded(variant, 8, session=2), recorded(variant, 9, session=3)
    openings = [record for record in by_three if record["deal_in_session"] == 0]
    for records in ([*by_two, *by_three], openings, [*by_three[5:], *by_two[3:]]):
        assert [str(verdict.failure) for verdict in checked(tmp_path, *records)] == ["None"] * len(records)


# ------------------------------------------------------------------------------------ wrong events


def number_of(record: Record, key: str) -> int:
    """Return the number of the first event of a kind."""
    return next(number for number, event in enumerate(record["events"]) if key in event)


def change_event(key: str, **values: Any) -> Change:
    def change(record: Record) -> None:
        record["events"][number_of(record, key)].update(values)

    return change


def another_seat(record: Record) -> None:
    event = record["events"][0]
    event["seat"] = (event["seat"] + 1) % 3


def other_place(record: Record) -> None:
    event = record["events"][number_of(record, "leaves")]
    event["leaves"] = 3


WRONG_EVENTS: dict[str, tuple[Change, str]] = {
    "another seat": (another_seat, r"events\[0\]\.do: \d attack \w+: seat \d leads this bout – rule 3\.1"),
    "an illegal action": (
        change_event("do", do="pass"),
        r"events\[0\]\.do: \d pass: seat \d is to lead, and plays a card – rule 3\.1",
    ),
    "a missing action": (lambda record: record["events"].pop(0), r"events\[0\]\.do: .* – rule [\d.]+"),
    "another end of the bout": (
        lambda record: record["events"][number_of(record, "bout")].update(
            bout={"beaten": "taken", "taken": "beaten"}[record["events"][number_of(record, "bout")]["bout"]]
        ),
        r"events\[\d+\]: expected the bout (beaten|taken) against seat \d .*, got the bout .* – rule 3\.5",
    ),
    "other cards of the bout": (
        lambda record: record["events"][number_of(record, "bout")]["cards"].pop(),
        r"events\[\d+\]: expected the bout .*, got the bout .* – rule 3\.5",
    ),
    "a bout that does not close": (
        lambda record: record["events"].pop(number_of(record, "bout")),
        r"events\[\d+\]: expected the bout .* – rule 3\.5",
    ),
    "other cards drawn": (
        change_event("draw", draw=["6C"]),
        r"events\[\d+\]: expected seat \d drawing .*, got seat \d drawing 6C – rule 5\.2",
    ),
    "another seat that draws": (
        change_event("draw", seat=2, draw=["7S"]),
        r"events\[\d+\]: expected seat \d drawing .* – rule 5\.2",
    ),
    "a draw that is missing": (
        lambda record: record["events"].pop(number_of(record, "draw")),
        r"events\[\d+\]: expected seat \d drawing .* – rule 5\.2",
    ),
    "another place": (
        other_place,
        r"events\[\d+\]: expected seat \d leaving with place \d, got seat .* place 3 – rule 6\.2",
    ),
    "a draw out of place": (
        lambda record: record["events"].insert(0, {"seat": 0, "draw": ["6C"]}),
        r"events\[0\]: expected an action, got seat 0 drawing 6C: seat \d is to act – rule 3\.5",
    ),
    "events after the end": (
        lambda record: record["events"].append({"seat": 0, "do": "pass"}),
        r"events\[\d+\]\.do: 0 pass: the deal is over – rule 6.3",
    ),
    "a draw after the end": (
        lambda record: record["events"].append({"seat": 0, "draw": ["6C"]}),
        r"events\[\d+\]: expected nothing more, got seat 0 drawing 6C: the deal is over – rule 6.3",
    ),
    "an end too early": (
        lambda record: record["events"].__delitem__(slice(2, None)),
        r"events: expected more, for seat \d is to act – rule 6\.3",
    ),
    "an end within the closing of a bout": (
        lambda record: record["events"].__delitem__(slice(number_of(record, "bout"), None)),
        r"events: expected the bout .* after the last event, got the end – rule 3\.5",
    ),
    "another result": (set_key("result", "stalled"), r"result: expected lost, got stalled – rule 6.3"),
    "no result": (set_key("result", None), r"result: expected lost, got null – rule 6.3"),
    "no loser": (set_key("loser", None), r"loser: expected \d, got null – rule 6.3"),
    "other places": (set_key("places", [1, 1, 1]), r"places: expected \[.*\], got \[1, 1, 1\] – rule 6\.2"),
}


@pytest.mark.parametrize("what", WRONG_EVENTS)
def test_wrong_event_is_found_with_its_rule(what: str, tmp_path: Path) -> None:
    change, said = WRONG_EVENTS[what]
    (record,) = recorded(seat(load_variant("classic"), 3))
    assert record["result"] == "lost"
    change(record)
    (verdict,) = checked(tmp_path, record)
    assert verdict.failure is not None
    assert verdict.failure.line == 1
    assert re.fullmatch(said, str(verdict.failure)), str(verdict.failure)


def test_legal_actions_are_compared_as_a_set(tmp_path: Path) -> None:
    (record,) = recorded(seat(load_variant("classic"), 3), legal=True)
    fewer, more = copy.deepcopy(record), copy.deepcopy(record)
    left_out = fewer["events"][0]["legal"].pop()
    assert failure_of(tmp_path, fewer) == f"events[0].legal: the rules allow {left_out} too – rule 3.1"
    more["events"][0]["legal"].append("pass")
    said = failure_of(tmp_path, more)
    assert said.startswith("events[0].legal: pass is not legal: seat ")
    assert said.endswith("is to lead, and plays a card – rule 3.1")


def test_steps_up_to_the_fault_are_kept(tmp_path: Path) -> None:
    (record,) = recorded(seat(load_variant("classic"), 3))
    record["result"] = "drawn"
    (verdict,) = checked(tmp_path, record)
    assert len(verdict.findings) == sum("do" in event for event in record["events"])


# ------------------------------------------------------------------------------------ malformed


def drop(key: str) -> Change:
    return lambda record: record.pop(key)


MALFORMED: dict[str, tuple[Change, str]] = {
    "another format": (set_key("format", "pgn"), "format: expected durak-record/1, got pgn"),
    "a missing key": (drop("opener"), "opener: this key is required, got none"),
    "an unknown key": (set_key("loosr", 1), "loosr: unknown key, expected format, "),
    "a variant by name": (
        set_key("variant", "classic"),
        "variant: expected an object with the options, got classic",
    ),
    "a wrong option": (
        lambda record: record["variant"]["attack"].update(limit=60),
        "variant.attack.limit: expected 1 to 36, got 60",
    ),
    "an unknown option": (
        lambda record: record["variant"].update(colour="red"),
        "variant.colour: unknown key, expected ",
    ),
    "two numbers of players": (
        set_key("players", 4),
        "variant.players: expected 4, the number of players of this deal, got 3",
    ),
    "too many players": (set_key("players", 7), "players: expected 2 to 6, got 7"),
    "players true": (set_key("players", True), "players: expected 2 to 6, got true"),
    "a hand too many": (
        lambda record: record["hands"].append([]),
        "hands: expected 3 hands, one a seat, got 4",
    ),
    "hands no list": (set_key("hands", "9C"), "hands: expected a list of hands, got 9C"),
    "a hand no list": (
        lambda record: record["hands"].__setitem__(0, "9C 6D"),
        "hands[0]: expected a list of cards, got 9C 6D",
    ),
    "an unknown card": (
        lambda record: record["hands"][1].__setitem__(2, "11C"),
        "hands[1][2]: expected a card such as 9C or 10H",
    ),
    "a card that is a number": (
        lambda record: record["stock"].__setitem__(0, 9),
        "stock[0]: expected a card such as 9C or 10H, got 9",
    ),
    "a card twice": (
        lambda record: record["stock"].__setitem__(0, record["hands"][0][0]),
        "stock[0]: expected each card once, got ",
    ),
    "a dealer out of range": (set_key("dealer", 3), "dealer: expected a seat from 0 to 2, got 3"),
    "a trump that is none": (set_key("trump", None), "trump: expected a card such as 9C or 10H, got nothing"),
    "events no list": (set_key("events", {}), "events: expected a list of events, got a block of keys"),
    "an event of no kind": (
        lambda record: record["events"].insert(0, {"seat": 1}),
        "events[0]: expected an object with do, bout, draw or leaves, got a block of keys",
    ),
    "an event with an unknown key": (
        lambda record: record["events"][0].update(time=5),
        "events[0].time: unknown key, expected seat, do or legal",
    ),
    "an event without seat": (
        lambda record: record["events"][0].pop("seat"),
        "events[0].seat: this key is required, got none",
    ),
    "an unknown verb": (
        lambda record: record["events"][0].update(do="play 9C"),
        "events[0].do: expected attack CARD, transfer CARD",
    ),
    "an action that is a number": (
        lambda record: record["events"][0].update(do=5),
        "events[0].do: expected an action such as attack 9C, got 5",
    ),
    "an unknown legal action": (
        lambda record: record["events"][0].update(legal=["fly"]),
        "events[0].legal[0]: expected attack CARD",
    ),
    "a bout of no kind": (
        change_event("bout", bout="beatn"),
        "bout: expected beaten or taken, got beatn – did you mean beaten?",
    ),
    "a place out of range": (change_event("leaves", leaves=0), "leaves: expected a place from 1 to 3, got 0"),
    "a result of no kind": (
        set_key("result", "loss"),
        "result: expected lost, drawn, won or stalled, got loss – did you mean lost?",
    ),
    "a loser out of range": (set_key("loser", 5), "loser: expected a seat from 0 to 2 or null, got 5"),
    "places too few": (set_key("places", [1, 2]), "places: expected a list of 3 places, got a list"),
    "a place that is a text": (
        set_key("places", [1, "2", 3]),
        'places[1]: expected a place from 1 to 3 or null, got "2"',
    ),
    "a previous deal without result": (
        set_key("previous", {"dealer": 0}),
        "previous: expected null or an object with dealer, loser, places and result",
    ),
    "a seed that is a text": (set_key("seed", "1"), 'seed: expected a whole number from 0, got "1"'),
    "bots that are no list": (set_key("bots", "lowest"), "bots: expected a list of names, got lowest"),
    "a bot too few": (set_key("bots", ["lowest"] * 2), "bots: expected 3 names, one a seat, got 2"),
    "an action with a blank before it": (
        lambda record: record["events"][0].update(do=" " + record["events"][0]["do"]),
        "events[0].do: expected attack ",
    ),
    "an action with two blanks": (
        lambda record: record["events"][0].update(do="attack  9C"),
        "events[0].do: expected attack 9C, got 'attack  9C' with other blanks",
    ),
    "a legal action twice": (
        lambda record: record["events"][0].update(legal=["attack 9C", "attack 6D", "attack 9C"]),
        "events[0].legal[2]: expected each action once, got attack 9C again",
    ),
    "a legal action with a blank behind it": (
        lambda record: record["events"][0].update(legal=["attack 9C "]),
        "events[0].legal[0]: expected attack 9C, got 'attack 9C ' with other blanks",
    ),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_malformed_record_is_refused_with_file_line_and_key(what: str, tmp_path: Path) -> None:
    change, said = MALFORMED[what]
    right, wrong = recorded(seat(load_variant("classic"), 3), 2)
    change(wrong)
    with pytest.raises(InputError) as caught:
        checked(tmp_path, right, wrong)
    message = str(caught.value).splitlines()[0]
    assert message.startswith("game.jsonl:2: ")
    assert said in message, message


def test_all_problems_of_all_records_are_told_at_once(tmp_path: Path) -> None:
    first, second = recorded(seat(load_variant("classic"), 3), 2)
    first.update(dealer=9, opener=9)
    del second["stock"]
    with pytest.raises(InputError) as caught:
        checked(tmp_path, first, second)
    assert str(caught.value).splitlines() == [
        "game.jsonl:1: dealer: expected a seat from 0 to 2, got 9",
        "game.jsonl:1: opener: expected a seat from 0 to 2, got 9",
        "game.jsonl:2: stock: this key is required, got none",
    ]


def test_good_records_are_kept_beside_bad_lines(tmp_path: Path) -> None:
    first, second = (json.dumps(record).encode() for record in recorded(load_variant("duel"), 2))
    path = tmp_path / "game.jsonl"
    bad = [b"hello", b'{"name": "\xe9"}', b" " * 10_000_000]
    path.write_bytes(b"\n".join([first, *bad, b"", second]))
    loaded = load_records(path, "game.jsonl")
    assert [record.line for record in loaded.records] == [1, 6]
    assert [problem.line for problem in loaded.problems] == [2, 3, 4]
    assert all(verdict.ok for verdict in check_records(loaded.records))


BROKEN_LINES = {
    "no JSON": (b"hello\n", "game.jsonl:1: expected a JSON object, got a fault at character 1"),
    "half a line": (b'{"format": \n', "game.jsonl:1: expected a JSON object, got a fault at character"),
    "a list": (b"[]\n", "game.jsonl:1: expected a JSON object, got a list"),
    "a number out of range": (
        b'{"seed": ' + b"9" * 5000 + b"}\n",
        "game.jsonl:1: expected a JSON object, got numbers",
    ),
    "not a number": (b'{"seed": NaN}\n', "game.jsonl:1: expected a JSON object"),
    "deep nesting": (b'{"a": ' * 100_000, "game.jsonl:1: expected a JSON object, got numbers or nesting"),
    "a key twice": (b'{"deal": 1, "deal": 2}\n', "game.jsonl:1: deal: expected each key once, got it twice"),
    "nothing": (b"", "game.jsonl: expected records, one JSON object a line, got none"),
    "blank lines": (b"\n\n", "game.jsonl: expected records, one JSON object a line, got none"),
    "other bytes": (b'{"name": "\xe9"}\n', "game.jsonl:1: expected UTF-8 text, got other bytes"),
    "a line without end": (b" " * 5_000_000, "game.jsonl:1: expected shorter lines than 4 MiB"),
}


@pytest.mark.parametrize("what", BROKEN_LINES)
def test_file_that_is_no_record_is_refused(what: str, tmp_path: Path) -> None:
    content, said = BROKEN_LINES[what]
    path = tmp_path / "game.jsonl"
    path.write_bytes(content)
    try:
        told = str(load_records(path, "game.jsonl").problems[0])
    except InputError as error:
        told = str(error)
    assert told.startswith(said)


def test_folder_and_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a file, got a folder"):
        load_records(tmp_path, "game.jsonl")
    with pytest.raises(InputError, match="expected a file, there is none of this name"):
        load_records(tmp_path / "game.jsonl", "game.jsonl")


# ------------------------------------------------------------------------------------ anything else

ODD_VALUES: list[Any] = [
    None,
    True,
    False,
    -1,
    0,
    1,
    7,
    10**12,
    0.5,
    "",
    "9C",
    "1C",
    "pass",
    "stop",
    [],
    [0],
    {},
    {"a": 1},
]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths to everything within a record."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in items for place in places_in(part, (*path, key)))]


def spoil(record: Record, rng: random.Random) -> None:
    """Put an odd value, a neighbour's value or nothing in some place of a record."""
    *path, key = rng.choice(places_in(record)[1:])
    holder: Any = record
    for part in path:
        holder = holder[part]
    kind = rng.randrange(3)
    if kind == 0:
        del holder[key]
    elif kind == 1:
        holder[key] = rng.choice(ODD_VALUES)
    else:
        holder[key] = copy.deepcopy(rng.choice(list(holder.values() if isinstance(holder, dict) else holder)))


@pytest.mark.parametrize("seed", range(20))
def test_spoilt_record_gets_a_verdict_or_is_refused(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    table = rng.choice(TABLES)
    right = recorded(table, 2, session=2, legal=rng.random() < 0.3)
    for _ in range(15):
        spoilt = copy.deepcopy(right)
        for _ in range(rng.randint(1, 3)):
            spoil(rng.choice(spoilt), rng)
        try:
            verdicts = checked(tmp_path, *spoilt)
        except InputError as error:
            assert problems_of(error)  # noqa: PT017 – either outcome is right
        else:
            assert len(verdicts) == 2


@pytest.mark.parametrize("seed", range(10))
def test_one_action_changed_never_passes_unnoticed(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    (record,) = recorded(rng.choice(TABLES))
    actions = [event for event in record["events"] if "do" in event]
    for _ in range(10):
        spoilt = copy.deepcopy(record)
        number = rng.choice([number for number, event in enumerate(record["events"]) if "do" in event])
        other = rng.choice(actions)["do"]
        if other == record["events"][number]["do"]:
            continue
        spoilt["events"][number]["do"] = other
        (verdict,) = checked(tmp_path, spoilt)
        assert not verdict.ok
