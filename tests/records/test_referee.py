"""The referee settles every scenario as its file expects, and stops at the first thing that is wrong."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.records import expect, reasons
from simcli.records.referee import settle
from simcli.records.scenario import load_scenario
from simcli.records.verdict import Verdict
from simcli.records.verdict_text import course_text, verdict_line

SCENARIOS = Path(__file__).parent.parent / "scenarios"
FILES = sorted(SCENARIOS.glob("*.yaml"))


def settled(tmp_path: Path, text: str) -> Verdict:
    path = tmp_path / "scenario.yaml"
    path.write_text(text)
    return settle(load_scenario(path, "scenario.yaml"))


def told(verdict: Verdict) -> str:
    return "\n".join(course_text(verdict))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_referee_settles_the_scenario(path: Path) -> None:
    verdict = settle(load_scenario(path))
    assert verdict.ok, str(verdict.failure)
    assert len(verdict.findings) == len(load_scenario(path).steps)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_course_fits_eighty_columns(path: Path) -> None:
    verdict = settle(load_scenario(path))
    lines = told(verdict).splitlines()
    assert max(map(len, lines)) <= 80
    assert not any(line != line.rstrip() for line in lines)


def test_scenarios_are_found() -> None:
    assert len(FILES) >= 100


POSITION = 'trump: C\nhands: [9D 7S 8S, 9H 10D KS, ""]\nsteps:\n  - 0 attack 9D\n'

WRONG_STEPS = {
    "1 cover 9D 7S": "1 cover 9D 7S: 7S is not in seat 1's hand – rule 3.3",
    "2 pick_up": "2 pick_up: seat 2 has left the deal – rule 6.1",
    "0 pick_up": "0 pick_up: only the defender, seat 1, picks up – rule 3.3",
    "{illegal: 1 pick_up}": "1 pick_up: expected to be illegal, but the rules allow it – rule 3.3",
    "{expect: {seat: 0}}": "seat: expected 0, got 1 – rule 3.3",
    "{expect: {seat: null}}": "seat: expected null, got 1 – rule 3.3",
    "{expect: {legal: [pick_up]}}": (
        "legal: expected [pick_up], got [transfer 9H, cover 9D 10D, pick_up]"
        " – the rules allow transfer 9H, cover 9D 10D too – rule 4"
    ),
    "{expect: {legal: [cover 9D 10D, transfer 9H, show 9H, pick_up]}}": (
        "legal: expected [transfer 9H, show 9H, cover 9D 10D, pick_up], "
        "got [transfer 9H, cover 9D 10D, pick_up] – show 9H: there is no pass card at this table – rule 4.9"
    ),
    "{expect: {seat: 1, legal: []}}": (
        "legal: expected [], got [transfer 9H, cover 9D 10D, pick_up]"
        " – the rules allow transfer 9H, cover 9D 10D, pick_up too – rule 4"
    ),
    "{expect: {attacker: 1}}": "attacker: expected 1, got 0 – rule 3",
    "{expect: {defender: null}}": "defender: expected null, got 1 – rule 3",
    "{expect: {table: [9D, 9H]}}": "table: expected [9D, 9H], got [9D] – rule 3",
    "{expect: {table: [9D/10D]}}": "table: expected [9D/10D], got [9D] – rule 3",
    "{expect: {hands: [7S 8S, 9H 10D, '']}}": (
        'hands: expected [7S 8S, 9H 10D, ""], got [7S 8S, 9H 10D KS, ""] – rule 5'
    ),
    "{expect: {stock: 1}}": "stock: expected 1, got 0 – rule 5",
    "{expect: {bout: taken}}": "bout: expected taken, got null – rule 3.5",
    "{expect: {leader: 0}}": "leader: expected 0, got null – rule 3.5",
    "{expect: {loser: 1}}": "loser: expected 1, got null – rule 6.3",
    "{expect: {result: drawn}}": "result: expected drawn, got null – rule 6.3",
    "{expect: {over: true}}": "over: expected true, got false – rule 6.3",
    "{expect: {left: [0, 2]}}": "left: expected [0, 2], got [2] – rule 6.1",
}


@pytest.mark.parametrize("step", WRONG_STEPS)
def test_wrong_step_fails_the_scenario_with_its_reason(step: str, tmp_path: Path) -> None:
    verdict = settled(tmp_path, f"{POSITION}  - {step}\n  - 1 pick_up\n")
    assert str(verdict.failure) == f"steps[1]: {WRONG_STEPS[step]}"
    assert verdict.failure is not None
    assert verdict.failure.line == 5
    assert len(verdict.findings) == 2


def test_expectation_is_met_by_any_seat_that_races(tmp_path: Path) -> None:
    position = (
        "variant: simultaneous\ntrump: S\nhands: [6C 6D AD, 7C 10D 10H, 6H QC QD]\nsteps:\n  - 0 attack 6C\n"
    )
    checks = "".join(
        f"  - expect: {{seat: {seat}, legal: [throw {card}, pass]}}\n"
        for seat, card in ((0, "6D"), (2, "6H"))
    )
    assert settled(tmp_path, position + checks).ok
    verdict = settled(tmp_path, f"{position}  - expect: {{seat: 1}}\n")
    assert str(verdict.failure) == "steps[1]: seat: expected 1, got 0 or 2 – rule 3.4"


def test_legal_without_seat_is_refused_while_seats_race(tmp_path: Path) -> None:
    text = (
        "variant: simultaneous\ntrump: S\nhands: [6C 6D AD, 7C 10D 10H, 6H QC QD]\n"
        "steps:\n  - 0 attack 6C\n  - expect: {legal: [throw 6D, pass]}\n"
    )
    with pytest.raises(
        InputError, match=r"scenario.yaml:6: steps.1..expect.legal: expected `seat` beside it"
    ):
        settled(tmp_path, text)


def test_action_after_the_end_is_refused_and_a_check_is_not(tmp_path: Path) -> None:
    text = (
        "trump: D\nhands: [9C, 6C 7H]\nsteps:\n  - 0 attack 9C\n  - 1 pick_up\n"
        "  - illegal: 1 attack 6C\n  - expect: {over: true, seat: null, legal: []}\n"
    )
    verdict = settled(tmp_path, text)
    assert verdict.ok
    assert verdict.findings[2].message == "the deal is over"
    with pytest.raises(InputError, match=r"scenario.yaml:8: steps.4.: expected no action after the end"):
        settled(tmp_path, f"{text}  - 1 attack 6C\n")


def test_path_of_a_variant_starts_from_the_folder_of_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: mine\ntransfer: {mode: none}\n")
    text = f"variant: mine.yaml\n{POSITION}  - illegal: 1 transfer 9H\n"
    assert settled(tmp_path, text).findings[1].message == "nothing is transferred at this table"


def test_name_means_the_shipped_variant_wherever_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "classic.yaml").write_text("name: classic\ntransfer: {mode: none}\n")
    monkeypatch.chdir(tmp_path)
    assert settled(tmp_path, f"variant: classic\n{POSITION}  - 1 transfer 9H\n").ok


def test_course_tells_a_player_what_happened() -> None:
    text = told(settle(load_scenario(SCENARIOS / "worked-example.yaml")))
    assert "    seat 2   Q♣  10♦ | 9♠\n" in text
    assert "  1 transfer 9D     9♣  9♦                            next: seat 2, the defender\n" in text
    assert "  2 transfer 9S is illegal, as expected: three attacks would meet two cards in\n" in text
    assert "      seat 0's hand – rule 4.3\n" in text
    assert "  2 cover 9D 10D    9♣/Q♣  9♦/10♦\n      Beaten: the cards are discarded.\n" in text


def test_course_tells_draws_places_and_the_result() -> None:
    drawn = told(settle(load_scenario(SCENARIOS / "draw-original-attacker-first.yaml")))
    assert " draws " in drawn
    lost = told(settle(load_scenario(SCENARIOS / "last-holder-loses.yaml")))
    assert "Seats 0 and 1 leave: place 1." in lost
    assert "The deal is over: lost, seat " in lost
    shared = told(settle(load_scenario(SCENARIOS / "everybody-empty-is-a-draw.yaml")))
    assert "The deal is over: drawn." in shared


def test_verdict_is_one_line_with_file_line_and_rule(tmp_path: Path) -> None:
    wrong = settled(tmp_path, f"{POSITION}  - 1 transfer KS\n")
    assert verdict_line(wrong) == (
        "wrong: scenario.yaml:5: steps[1]: 1 transfer KS: the attack is of rank 9, and KS is not – rule 4.2"
    )
    right = settled(tmp_path, f"{POSITION}  - illegal: 1 transfer KS\n  - expect: {{seat: 1}}\n")
    assert verdict_line(right) == "ok: scenario.yaml: 1 legal action, 1 refused, 1 expectation"


def test_verdict_as_data_has_every_step_and_position(tmp_path: Path) -> None:
    verdict = settled(tmp_path, f"{POSITION}  - illegal: 1 transfer KS\n  - 0 pass\n")
    data = json.loads(json.dumps(verdict.to_json()))
    assert data["ok"] is False
    assert data["failure"] == {
        "line": 6,
        "key": "steps[2]",
        "message": "0 pass: nothing is thrown in before the first cover of the bout",
        "rule": "3.4",
    }
    attack, refused, _ = data["steps"]
    assert attack["position"]["table"] == ["9D"]
    assert attack["position"]["hands"] == [["7S", "8S"], ["9H", "10D", "KS"], []]
    assert attack["position"]["seat"] == 1
    assert (refused["ok"], refused["rule"]) == (True, "4.2")


@pytest.mark.parametrize("module", [expect, reasons], ids=lambda module: module.__name__)
def test_examples_in_the_source_hold(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
