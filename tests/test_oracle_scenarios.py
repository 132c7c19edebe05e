"""The oracle settles every scenario file as the file expects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle_scenarios import ScenarioFailed, play_scenario

SCENARIOS = Path(__file__).parent / "scenarios"
FILES = sorted(SCENARIOS.glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_oracle_settles_the_scenario(path: Path) -> None:
    play_scenario(path)


def test_scenarios_are_found() -> None:
    assert len(FILES) >= 100


WRONG_STEPS = {
    "an illegal action": "1 cover 9D 7S",
    "a seat that is not asked": "2 pick_up",
    "a legal action called illegal": "{illegal: 1 pick_up}",
    "a wrong seat": "{expect: {seat: 0}}",
    "a missing legal action": "{expect: {legal: [pick_up]}}",
    "a legal action too many": "{expect: {legal: [cover 9D 10D, transfer 9H, show 9H, pick_up]}}",
    "a wrong attacker": "{expect: {attacker: 1}}",
    "a wrong defender": "{expect: {defender: null}}",
    "a wrong table": "{expect: {table: [9D, 9H]}}",
    "a wrong hand": "{expect: {hands: [7S 8S, 9H 10D, '']}}",
    "a wrong stock": "{expect: {stock: 1}}",
    "a bout that has not closed": "{expect: {bout: taken}}",
    "a leader during a bout": "{expect: {leader: 0}}",
    "a wrong loser": "{expect: {loser: 1}}",
    "a wrong result": "{expect: {result: drawn}}",
    "a deal that is not over": "{expect: {over: true}}",
    "a seat that has not left": "{expect: {left: [0, 2]}}",
}


@pytest.mark.parametrize("step", WRONG_STEPS.values(), ids=WRONG_STEPS)
def test_a_wrong_step_fails_the_scenario(step: str, tmp_path: Path) -> None:
    position = "trump: C\nhands: [9D 7S 8S, 9H 10D KS, '']\nsteps:\n  - 0 attack 9D\n"
    right = tmp_path / "right.yaml"
    right.write_text(position + "  - {expect: {seat: 1}}\n")
    play_scenario(right)
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(position + f"  - {step}\n")
    with pytest.raises(ScenarioFailed, match="step 2"):
        play_scenario(wrong)
