"""Stepping through a deal by hand: every answer says what happened and what may be done next."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.records.check_record import check_records
from simcli.records.recordfile import load_records
from simcli.records.referee import settle
from simcli.records.scenario import load_scenario
from simcli.records.sitting import HELP, Sitting, sitting_at_deal, sitting_at_scenario

EXAMPLE = Path(__file__).parent.parent / "scenarios" / "worked-example.yaml"


@pytest.fixture
def sitting() -> Sitting:
    return sitting_at_scenario(EXAMPLE)


def said(sitting: Sitting, *entries: str) -> str:
    """Enter some lines; return the answer to the last one."""
    answers = [sitting.answer(entry) for entry in entries]
    return "\n".join(answers[-1])


def test_greeting_shows_the_position_and_what_may_be_done(sitting: Sitting) -> None:
    greeting = "\n".join(sitting.greeting())
    assert "    seat 2   Q♣  10♦ | 9♠\n" in greeting
    assert "seat 0 may: [1] attack 6D  [2] attack 7H  [3] attack 9C\n" in greeting


@pytest.mark.parametrize("entry", ["attack 9C", "0 attack 9C", "3", "  attack   9C "])
def test_action_is_taken_by_its_words_or_its_number(entry: str, sitting: Sitting) -> None:
    answer = said(sitting, entry)
    assert answer.startswith("  0 attack 9C       9♣ ")
    assert answer.endswith("seat 1 may: [1] cover 9C KC  [2] transfer 9D  [3] pick_up")


def test_illegal_action_is_refused_with_its_reason_and_changes_nothing(sitting: Sitting) -> None:
    before = sitting.game.state.copy()
    assert said(sitting, "attack 9D") == "0 attack 9D: 9D is not in seat 0's hand – rule 3.1"
    assert said(sitting, "1 attack 9D") == "1 attack 9D: seat 0 leads this bout – rule 3.1"
    assert (sitting.game.state == before).all()


def test_why_gives_the_reason_without_playing(sitting: Sitting) -> None:
    assert said(sitting, "why attack 9C") == "0 attack 9C is legal"
    assert said(sitting, "why 2 pick_up") == "2 pick_up: only the defender, seat 1, picks up – rule 3.3"
    assert said(sitting, "why pass") == "0 pass: seat 0 is to lead, and plays a card – rule 3.1"
    assert sitting.game.table == ()


def test_undo_takes_one_action_back(sitting: Sitting) -> None:
    before = sitting.game.state.copy()
    answer = said(sitting, "attack 9C", "undo")
    assert (sitting.game.state == before).all()
    assert "seat 0 may: [1] attack 6D" in answer
    assert said(sitting, "undo") == "there is nothing to take back"


def test_next_plays_the_steps_of_the_file_and_tells_its_checks(sitting: Sitting) -> None:
    assert said(sitting, "next").startswith("  0 attack 9C ")
    answer = said(sitting, "next")
    assert "as expected: seat, attacker, defender, legal\n  1 transfer 9D " in answer


def test_rest_plays_all_steps_that_are_left(sitting: Sitting) -> None:
    answer = said(sitting, "next", "rest")
    assert "2 transfer 9S is illegal, as expected" in answer
    assert answer.endswith("as expected: bout, leader, hands, over")
    assert said(sitting, "rest") == "the file has no more steps"


def test_same_action_by_hand_stays_on_the_course_of_the_file(sitting: Sitting) -> None:
    assert "1 transfer 9D" in said(sitting, "attack 9C", "next")


def test_undo_brings_play_back_to_the_course_of_the_file(sitting: Sitting) -> None:
    assert said(sitting, "attack 6D", "next") == "play has left the file's course – undo brings it back"
    assert said(sitting, "undo", "next").startswith("  0 attack 9C ")


def test_table_shows_the_position_again(sitting: Sitting) -> None:
    answer = said(sitting, "attack 9C", "transfer 9D", "table")
    assert "  on the table   9♣  9♦\n  next: seat 2, the defender\nseat 2 may: " in answer


UNKNOWN = {
    "": "",
    "99": "expected a number from 1 to 3, got 99",
    "0": "expected a number from 1 to 3, got 0",
    "7 pass": "expected a seat from 0 to 2, got 7",
    "nxt": "did you mean next?",
    "attack": "expected attack CARD, got 'attack'",
    "attack 9X": "expected a card such as 9C or 10H",
    "why": "got nothing",
    "why 5 pass": "expected a seat from 0 to 2, got 5",
    "save": "expected a file name that ends in .yaml (scenario) or .jsonl (record)",
    "\x1b[31m": "expected attack CARD",
}


@pytest.mark.parametrize("entry", UNKNOWN)
def test_entry_that_means_nothing_is_told_what_is_expected(entry: str, sitting: Sitting) -> None:
    answer = " ".join(said(sitting, entry).split())
    assert UNKNOWN[entry] in answer
    assert "\x1b" not in answer
    assert not sitting.done


def test_help_lists_every_command(sitting: Sitting) -> None:
    assert said(sitting, "help") == HELP
    for command in sitting._commands:
        assert command in HELP


def test_quit_ends_the_sitting(sitting: Sitting) -> None:
    sitting.answer("quit")
    assert sitting.done


def test_racing_seats_are_told_apart() -> None:
    sitting = sitting_at_deal("simultaneous", 4, 5, 0)
    answer = said(sitting, "attack 8C")
    assert "next: seat 1 or 2" in answer
    assert "seat 1 may: [1] throw 8D  [2] pass\nseat 2 may: [3] throw 8H" in answer
    assert said(sitting, "pass") == "expected the seat before it, since several may act: 1 pass"
    assert said(sitting, "throw 8S").startswith("  2 throw 8S ")


def test_saved_position_is_a_scenario_that_leads_to_the_same_position(
    sitting: Sitting, tmp_path: Path
) -> None:
    path = tmp_path / "saved.yaml"
    assert said(sitting, "next", "next", f"save {path}") == f"saved as {path}"
    assert settle(load_scenario(path)).ok
    again = sitting_at_scenario(path)
    again.answer("rest")
    assert again.game.hands == sitting.game.hands
    assert again.game.table == sitting.game.table
    assert again.game.legal() == sitting.game.legal()


@pytest.mark.parametrize(
    "variant", ["classic", "simultaneous", "pass-card", "trump-six-exchange", "partners"]
)
def test_deal_played_by_hand_is_saved_as_record_and_as_scenario(variant: str, tmp_path: Path) -> None:
    sitting = sitting_at_deal(variant, None, 7, 3)
    for _ in range(400):
        if sitting.game.over:
            break
        sitting.answer("1")
    assert sitting.game.over
    record, scenario = tmp_path / "deal.jsonl", tmp_path / "deal.yaml"
    sitting.answer(f"save {record}")
    sitting.answer(f"save {scenario}")
    (verdict,) = check_records(load_records(record, "deal.jsonl").records)
    assert verdict.ok, str(verdict.failure)
    assert json.loads(record.read_text())["deal"] == 3
    assert settle(load_scenario(scenario)).ok
    assert said(sitting, "1") == "the deal is over"


def test_changed_variant_is_saved_with_its_options(tmp_path: Path) -> None:
    scenario = tmp_path / "inline.yaml"
    scenario.write_text("variant: {transfer: {mode: late}}\ntrump: D\nhands: [9C 6D, 9D KC]\nsteps: []\n")
    saved = tmp_path / "saved.yaml"
    sitting_at_scenario(scenario).answer(f"save {saved}")
    assert load_scenario(saved).variant == load_scenario(scenario).variant


@pytest.mark.parametrize("name", ["1e5", "12345e67", "true", "no", "010", "7"])
def test_variant_whose_name_looks_like_a_number_keeps_its_name(name: str, tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(f'name: "{name}"\ntitle: "Late, by 9: [ours] #2 {"very " * 20}long ♠"\ndeck: 24\n')
    scenario, saved = tmp_path / "scenario.yaml", tmp_path / "saved.yaml"
    scenario.write_text("variant: rules.yaml\ntrump: D\nhands: [9C 10D, 9D KC]\nsteps: []\n")
    sitting_at_scenario(scenario).answer(f"save {saved}")
    assert load_scenario(saved).variant == load_scenario(scenario).variant
    assert load_scenario(saved).variant.name == name


def test_nothing_is_overwritten_and_no_wrong_file_is_written(sitting: Sitting, tmp_path: Path) -> None:
    path = tmp_path / "there.yaml"
    path.write_text("mine")
    assert "there is a file of this name – choose another name" in said(sitting, f"save {path}")
    assert path.read_text() == "mine"
    assert "expected a name that ends in .yaml or .jsonl" in said(sitting, f"save {tmp_path / 'x.txt'}")
    assert "expected a file that can be written" in said(sitting, f"save {tmp_path / 'no' / 'x.yaml'}")
    assert "only a whole deal has a record" in said(sitting, f"save {tmp_path / 'x.jsonl'}")


def test_deal_is_the_one_that_is_named() -> None:
    sitting = sitting_at_deal("classic", 3, 5, 2)
    assert sitting.greeting()[0] == "deal 2 of seed 5 (classic, 3 players)"
    assert sitting.game.hands == sitting_at_deal("classic", 3, 5, 2).game.hands
    assert sitting.game.hands != sitting_at_deal("classic", 3, 5, 3).game.hands


def test_seed_is_drawn_and_told_if_none_is_named() -> None:
    assert sitting_at_deal("classic", None, None, None).greeting()[0].startswith("deal 0 of seed ")


def test_wrong_deal_is_refused() -> None:
    with pytest.raises(InputError, match="--seed: expected 0 to"):
        sitting_at_deal("classic", None, -1, None)
    with pytest.raises(InputError, match="players: expected 2 to 6, got 9"):
        sitting_at_deal("classic", 9, None, None)


def test_answers_fit_eighty_columns() -> None:
    sitting = sitting_at_deal("full-pack", 6, 1, 0)
    lines = sitting.greeting()
    for _ in range(300):
        lines += sitting.answer(str(1 + len(sitting.game.events) % max(1, len(sitting.game.legal()))))
    assert max(map(len, lines)) <= 80


def test_rest_stops_at_a_step_that_is_illegal(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text("trump: D\nhands: [9C 6D, 9D KC]\nsteps: [0 attack 9C, 1 transfer KC, 1 pick_up]\n")
    answer = said(sitting_at_scenario(path), "rest")
    assert answer.count("the file's next step, 1 transfer KC: the attack is of rank 9") == 1
    assert "1 pick_up" not in answer


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_entered_is_answered(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    sitting = sitting_at_deal(
        rng.choice(["classic", "simultaneous", "pass-card", "late-transfer"]), 3, seed, 0
    )
    words = [
        *sitting._commands,
        "attack",
        "cover",
        "throw",
        "pass",
        "9C",
        "QS",
        "1",
        "2",
        "0",
        "99999999999",
        "é",
        "²",
    ]
    words = [word for word in words if word not in ("quit", "save")]
    for _ in range(200):
        entry = " ".join(rng.choices(words, k=rng.randint(1, 4))) if rng.random() < 0.5 else rng.choice("123")
        lines = sitting.answer(entry)
        assert lines
        assert all(len(line) <= 80 for line in lines)
