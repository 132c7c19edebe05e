import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]

LOWEST = ("--bots", "lowest")
PLAN = ("plan", "classic", "late-transfer", *LOWEST)


def planned(simcli: Simcli, *words: str) -> dict[str, Any]:
    result = simcli(*words, "--json")
    assert result.code == 0
    found: dict[str, Any] = json.loads(result.out)
    return found


def parts() -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in Path("results").rglob("*.parquet")}


def test_every_variant_has_its_line_and_the_next_command_comes_last(simcli: Simcli) -> None:
    result = simcli("plan", "classic", "late-transfer", "podkidnoy", *LOWEST)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "Against classic: four lowest players, from a pilot of 20,000 deals"
    named = [line.split()[0] for line in lines[1 : lines.index("")] if not line.startswith(" ")]
    assert named == ["late-transfer", "podkidnoy"]
    assert max(len(line) for line in lines[: lines.index("")]) <= 80
    assert lines[-1].startswith(
        "  simcli compare classic late-transfer podkidnoy --margin 0.5pp --bots lowest -n "
    )


def test_the_planned_run_goes_on_from_the_pilot(simcli: Simcli) -> None:
    found = planned(simcli, *PLAN)
    pilot = parts()
    assert {path.name for path in pilot} == {"part-00000.parquet"}
    assert found["deals"] > found["pilot"] == 20_000
    result = simcli(*found["command"].split()[1:])
    assert result.code == 0
    assert parts().items() > pilot.items()
    assert f"{found['deals']:,} deals each" in result.out


def test_the_planned_run_decides(simcli: Simcli) -> None:
    found = planned(simcli, *PLAN)
    (variant,) = found["variants"]
    assert variant["is_beyond"] is True
    result = simcli(*found["command"].split()[1:], "--format", "json")
    assert [row["verdict"] for row in json.loads(result.out)["verdicts"]] == ["changes"]


def test_the_planned_run_is_as_narrow_as_was_asked_for(simcli: Simcli) -> None:
    found = planned(simcli, *PLAN, "--half-width", "0.3pp")
    assert "--margin" not in found["command"]
    result = simcli(*found["command"].split()[1:], "--format", "json")
    rows = json.loads(result.out)["differences"]
    widest = max((row["high"] - row["low"]) / 2 for row in rows)
    assert 0.0025 < widest <= 0.003


def test_a_plan_made_again_plays_nothing(simcli: Simcli) -> None:
    first = planned(simcli, *PLAN)
    before = parts()
    again = planned(simcli, *PLAN)
    assert parts() == before
    assert again["variants"][0]["deals"] == first["variants"][0]["deals"]


def test_a_longer_run_serves_as_the_pilot(simcli: Simcli) -> None:
    simcli("run", "classic", "late-transfer", *LOWEST, "-n", "30k")
    assert planned(simcli, *PLAN)["pilot"] == 30_000


def test_the_table_of_the_command_is_that_of_the_plan(simcli: Simcli) -> None:
    words = ("--players", "2", "--seed", "7", "--out", "else where", "--baseline", "late-transfer")
    command = planned(simcli, *PLAN, *words)["command"]
    for part in (
        "--players 2",
        "--seed 7",
        "--out 'else where'",
        "--baseline late-transfer",
        "--bots lowest",
    ):
        assert part in command
    assert Path("else where", "classic-p2-lowest-s7", "run.yaml").exists()


def test_the_same_rules_take_nothing(simcli: Simcli) -> None:
    Path("mine.yaml").write_text("name: mine\nextends: classic\n")
    result = simcli("plan", "classic", "mine.yaml", *LOWEST)
    assert "mine  the same rules: nothing to find out" in result.out
    assert "What the pilot shows:" in result.out


def test_a_variant_with_teams_is_named_and_left_out(simcli: Simcli) -> None:
    found = planned(simcli, "plan", "classic", "late-transfer", "partners", *LOWEST)
    assert [variant["variant"] for variant in found["variants"]] == ["late-transfer"]
    assert found["not_compared"] == ["partners"]


def test_a_half_width_beyond_reach_promises_nothing(simcli: Simcli) -> None:
    assert "more than 100,000,000 deals" in simcli(*PLAN, "--half-width", "0.001pp").out


@pytest.mark.parametrize(
    "words, message",
    [
        ((*PLAN, "--margin", "0"), "--margin: expected points above 0 and up to 50"),
        ((*PLAN, "--margin", "50.1pp"), "--margin: expected points above 0 and up to 50"),
        ((*PLAN, "--half-width", "-1"), "--half-width: expected points above 0 and up to 50"),
        (
            (*PLAN, "--half-width", "1", "--margin", "1"),
            "simcli plan: expected --margin or --half-width, got both",
        ),
        ((*PLAN, "--players", "9"), "--players: expected a whole number from 2 to 6, got 9"),
        ((*PLAN, "--baseline", "clasic"), "--baseline: expected"),
        (("plan", "classic", *LOWEST), "simcli plan: expected a variant to judge against"),
        (
            ("plan", "classic", "partners", *LOWEST),
            "simcli plan: expected a variant to judge against",
        ),
        (("plan", "classic", "late-transfr"), "late-transfr: unknown variant"),
    ],
)
def test_what_cannot_be_planned_is_refused_before_anything_is_played(
    simcli: Simcli, words: tuple[str, ...], message: str
) -> None:
    result = simcli(*words)
    assert result.code == 2
    assert message in result.err
    assert not Path("results").exists()


def test_a_run_that_was_waited_for_is_not_planned(simcli: Simcli) -> None:
    simcli("compare", *PLAN[1:], "--until-decided", "--max-deals", "40k")
    result = simcli(*PLAN)
    assert result.code == 2
    assert "expected a run of a declared size, got one played with --until-decided" in result.err
