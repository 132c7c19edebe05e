"""`simcli referee`: exit codes, what one file and several print, stepping through from a pipe."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from simcli.cli.main import app
from simcli.errors import InputError

SCENARIOS = Path(__file__).parent.parent / "scenarios"
EXAMPLE = str(SCENARIOS / "worked-example.yaml")
POSITION = "trump: C\nhands: [9D 7S 8S, 9H 10D KS]\nsteps:\n  - 0 attack 9D\n"


def referee(*arguments: str, entered: str = "") -> Result:
    return CliRunner().invoke(app, ["referee", *arguments], input=entered)


@pytest.fixture
def wrong(tmp_path: Path) -> str:
    path = tmp_path / "wrong.yaml"
    path.write_text(f"{POSITION}  - 1 transfer KS\n")
    return str(path)


@pytest.fixture
def malformed(tmp_path: Path) -> str:
    path = tmp_path / "malformed.yaml"
    path.write_text("trump: X\nhands: [9D, 9D]\nsteps: []\n")
    return str(path)


@pytest.fixture
def record(tmp_path: Path) -> str:
    arguments = ["replay", "--variant", "duel", "--bots", "lowest", "--deals", "0:2", "--format", "jsonl"]
    result = CliRunner().invoke(app, arguments)
    path = tmp_path / "game.jsonl"
    path.write_text(result.stdout)
    return str(path)


def test_scenario_that_holds_exits_0_and_shows_its_course() -> None:
    result = referee(EXAMPLE)
    assert result.exit_code == 0
    assert "  1 transfer 9D     9♣  9♦ " in result.stdout
    assert result.stdout.splitlines()[-1].startswith("ok: ")


def test_the_template_is_a_scenario_that_can_be_settled(tmp_path: Path) -> None:
    printed = referee("--template")
    assert printed.exit_code == 0
    path = tmp_path / "position.yaml"
    path.write_text(printed.stdout)
    result = referee(str(path))
    assert result.exit_code == 1
    course = " ".join(result.stdout.split())
    assert "2 transfer 9S: three attacks would meet two cards in seat 0's hand – rule 4.3" in course
    assert "seat 2 may: cover 9C QC, pick_up" in course.replace("\u00a0", " ")


@pytest.mark.parametrize(
    "more",
    [
        (EXAMPLE,),
        ("-i",),
        ("--format", "json"),
        ("--variant", "nope"),
        ("--players", "0"),
        ("--seed", "0"),
        ("-q",),
    ],
)
def test_the_template_stands_alone(more: tuple[str, ...]) -> None:
    refused = referee("--template", *more)
    assert isinstance(refused.exception, InputError)
    assert str(refused.exception) == "simcli referee: expected --template alone, got more"


def test_without_a_file_the_template_is_the_way_out() -> None:
    assert "--template prints one to fill in" in str(referee().exception)


def test_what_is_allowed_in_the_end_is_told_in_json_too(wrong: str) -> None:
    (verdict,) = json.loads(referee(wrong, "--format", "json").stdout)["verdicts"]
    assert verdict["legal"] == [{"seat": 1, "legal": ["cover 9D 10D", "transfer 9H", "pick_up"]}]


def test_illegal_step_exits_1_with_file_line_and_rule(wrong: str) -> None:
    result = referee(wrong, "-q")
    assert result.exit_code == 1
    assert result.stdout == (
        f"wrong: {wrong}:5: steps[1]: 1 transfer KS: the attack is of rank 9, and KS is not – rule 4.2\n"
    )


def test_file_that_cannot_be_read_exits_2_with_all_its_problems(malformed: str) -> None:
    result = referee(malformed)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"{malformed}:1: trump: expected the trump suit, C, D, H or S, got X",
        f"{malformed}:2: hands[1]: expected each card once, got 9D again",
    ]


def test_several_files_get_a_line_each_and_the_worst_exit_code(
    wrong: str, malformed: str, record: str
) -> None:
    assert referee(EXAMPLE, record).exit_code == 0
    assert referee(EXAMPLE, wrong, record).exit_code == 1
    result = referee(malformed, EXAMPLE, wrong)
    assert result.exit_code == 2
    assert "ok: " in result.stdout
    assert "wrong: " in result.stdout
    assert "malformed.yaml:1: trump: " in result.stderr
    assert result.stdout.splitlines()[-1] == "2 checked, 1 wrong"
    assert "trumps are" not in result.stdout


def test_records_are_checked_deal_by_deal(record: str) -> None:
    result = referee(record)
    assert result.exit_code == 0
    assert [line.split(": ")[0] for line in result.stdout.splitlines()] == ["ok", "ok"]


def test_wrong_record_exits_1(record: str) -> None:
    lines = Path(record).read_text().splitlines()
    game = json.loads(lines[1])
    game["events"][0]["do"] = "pass"
    Path(record).write_text(f"{lines[0]}\n{json.dumps(game)}\n")
    result = referee(record)
    assert result.exit_code == 1
    assert f"wrong: {record}:2: events[0].do: " in result.stdout


def test_good_records_are_judged_beside_bad_lines(record: str) -> None:
    first, second = Path(record).read_text().splitlines()
    Path(record).write_text(f"{first}\nhello\n{second}\n")
    result = referee(record)
    assert result.exit_code == 2
    assert [line.split(": ")[:2] for line in result.stdout.splitlines()] == [
        ["ok", f"{record}:1"],
        ["ok", f"{record}:3"],
    ]
    assert result.stderr.startswith(f"{record}:2: expected a JSON object, ")
    answer = json.loads(referee("--format", "json", record).stdout)
    assert (len(answer["verdicts"]), len(answer["problems"]), answer["ok"]) == (2, 1, False)


def test_standard_input_is_a_scenario_or_records(record: str) -> None:
    result = referee("-", entered=POSITION)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "ok: <stdin>: 1 legal action")
    result = referee("-", entered=f"{POSITION}  - 1 transfer KS\n")
    assert result.exit_code == 1
    assert "wrong: <stdin>:5: steps[1]: " in result.stdout
    result = referee("-q", "-", entered=Path(record).read_text() + "{}\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("<stdin>:3: format: this key is required")


@pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="the system has no /dev/stdin")
@pytest.mark.parametrize("through", ["a pipe", "a file"])
def test_device_of_standard_input_is_read(through: str, record: str) -> None:
    command = [sys.executable, "-m", "simcli", "referee", "/dev/stdin"]
    if through == "a pipe":
        done = subprocess.run(command, check=False, capture_output=True, input=Path(record).read_bytes())
    else:
        with open(record, "rb") as file:
            done = subprocess.run(command, check=False, capture_output=True, stdin=file)
    assert done.returncode == 0, done.stderr
    assert [line.split(": ")[1] for line in done.stdout.decode().splitlines()] == [
        "/dev/stdin:1",
        "/dev/stdin:2",
    ]


def test_quiet_says_nothing_about_what_holds() -> None:
    result = referee("-q", EXAMPLE)
    assert (result.exit_code, result.stdout) == (0, "")


def test_verbose_shows_the_course_of_every_file(record: str) -> None:
    result = referee("-v", EXAMPLE, record)
    assert result.stdout.count("trumps are ") > 3
    assert max(len(line) for line in result.stdout.splitlines() if ": " not in line) <= 80


def test_json_is_one_object_with_all_verdicts(wrong: str, malformed: str) -> None:
    result = referee("--format", "json", EXAMPLE, wrong, malformed)
    assert result.exit_code == 2
    answer = json.loads(result.stdout)
    assert answer["ok"] is False
    assert [verdict["ok"] for verdict in answer["verdicts"]] == [True, False]
    assert answer["verdicts"][1]["failure"]["rule"] == "4.2"
    assert [problem["key"] for problem in answer["problems"]] == ["trump", "hands[1]"]
    assert json.loads(referee("--format", "json", EXAMPLE).stdout)["ok"] is True


WRONG_COMMANDS = {
    (): "expected scenarios or records, got none",
    ("--seed", "1"): "--seed belongs to --interactive",
    (EXAMPLE, "--players", "2", "--deal", "1"): "--players and --deal belong to --interactive",
    ("-i", EXAMPLE, "--seed", "1"): "a scenario has its own deal – leave --seed out",
    ("-i", EXAMPLE, EXAMPLE): "expected one scenario to step through, got 2",
    ("-v", "-q", EXAMPLE): "expected either --verbose or --quiet, got both",
    ("-i", "nowhere.yaml"): "nowhere.yaml: expected a file, there is none of this name",
    ("-i", "-"): "expected a file, since standard input is where the actions come from",
    ("-i", "game.jsonl"): "expected a scenario to step through",
}


@pytest.mark.parametrize("arguments", WRONG_COMMANDS)
def test_wrong_command_says_what_is_wrong(arguments: tuple[str, ...]) -> None:
    result = referee(*arguments)
    assert isinstance(result.exception, InputError)
    assert WRONG_COMMANDS[arguments] in str(result.exception)


def test_stepping_through_works_from_a_pipe() -> None:
    result = referee("-i", EXAMPLE, entered="attack 9C\nwhy 1 transfer KC\nundo\nquit\nattack 9C\n")
    assert result.exit_code == 0
    assert "> attack 9C\n  0 attack 9C       9♣ " in result.stdout
    assert "1 transfer KC: the attack is of rank 9, and KC is not – rule 4.2\n" in result.stdout
    assert result.stdout.endswith("> quit\n")


def test_stepping_through_ends_cleanly_at_the_end_of_input() -> None:
    result = referee("-i", "--variant", "duel", "--seed", "3", "--deal", "1", entered="1\n")
    assert result.exit_code == 0
    assert result.stdout.startswith("deal 1 of seed 3 (duel, 2 players)\n")
    assert result.stdout.endswith("> \n")


def test_process_exits_with_the_code_of_the_worst_file(wrong: str, malformed: str) -> None:
    command = [sys.executable, "-m", "simcli", "referee", "-q"]
    assert subprocess.run([*command, EXAMPLE], check=False, capture_output=True).returncode == 0
    assert subprocess.run([*command, wrong], check=False, capture_output=True).returncode == 1
    broken = subprocess.run([*command, malformed], check=False, capture_output=True, text=True)
    assert broken.returncode == 2
    assert "Traceback" not in broken.stderr
