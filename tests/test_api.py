"""Runs from Python are the runs of the command, and an argument that cannot be used is one clear message."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import simcli
from simcli import InputError, Run, Runs
from simcli.cli.main import app
from simcli.records.replay import replay
from simcli.rules.load import load_variant
from simcli.runs.columns import MEASURES
from simcli.runs.stopping import LOOK, widest_half_width

DEALS = 300


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "results"


def run(results: Path, variant: Any = "classic", **arguments: Any) -> Run:
    return simcli.run(
        variant, **{"deals": DEALS, "bots": "lowest", "workers": 1, "out": results, **arguments}
    )


def test_a_run_is_the_run_of_the_command(results: Path, tmp_path: Path) -> None:
    mine = run(results, players=3, seed=4, session=2)
    command = ["run", "classic", "-n", str(DEALS), "--players", "3", "--seed", "4", "--session", "2"]
    command += ["--bots", "lowest", "--out", str(tmp_path / "other"), "--json"]
    told = json.loads(CliRunner().invoke(app, command).stdout)[0]
    assert mine.digest == told["digest"]
    assert mine.folder == results / "classic-p3-lowest-k2-s4"
    assert (mine.players, mine.seed, mine.session, mine.deals) == (3, 4, 2, DEALS)
    assert mine.lineup.bots == ("lowest", "lowest", "lowest")
    assert mine.variant == load_variant("classic").model_copy(update={"players": 3})


def test_rows_are_those_of_the_summary(results: Path) -> None:
    mine = run(results)
    rows = mine.scan()
    assert isinstance(rows, pl.LazyFrame)
    frame = rows.collect()
    assert frame["deal"].to_list() == list(range(DEALS))
    lost = frame.filter(pl.col("loser") == pl.col("opener")).height
    assert lost == mine.summary.decided[0]
    assert {name: frame[name].sum() for name in MEASURES} == dict(mine.summary.sums)


def test_a_shorter_number_asked_for_before_has_its_own_rows(results: Path) -> None:
    short = run(results)
    longer = run(results, deals=2 * DEALS)
    assert longer.scan().collect().height == 2 * DEALS
    again = run(results)
    assert (again.digest, again.scan().collect().height) == (short.digest, DEALS)


def test_a_finished_run_is_not_played_again_but_for_fresh(results: Path) -> None:
    def written() -> list[int]:
        return [path.stat().st_mtime_ns for path in sorted(results.rglob("*.parquet"))]

    first = run(results)
    before = written()
    assert run(results) == first
    assert written() == before
    assert run(results, fresh=True) == first
    assert written() != before


def test_variant_and_line_up_may_be_values(results: Path) -> None:
    by_name = run(results, "duel", bots="lowest,random")
    by_value = run(results.with_name("other"), load_variant("duel"), bots=["lowest", "random"])
    assert by_value.digest == by_name.digest


def test_a_run_is_opened_by_its_folder(results: Path) -> None:
    mine = run(results)
    assert Run.open(mine.folder) == mine
    assert Run.open(str(mine.folder)) == mine


def test_a_run_stands_for_its_folder(results: Path) -> None:
    mine = run(results)
    assert os.fspath(mine) == str(mine.folder)
    other = run(results, "late-transfer")
    assert simcli.compare([mine, other]).baseline == "classic"


def test_a_deal_of_a_run_is_played_again(results: Path) -> None:
    mine = run(results, session=10)
    assert mine.record(57) == next(replay(mine.plan.match, range(57, 58)))
    row = mine.scan().filter(pl.col("deal") == 57).collect().row(0, named=True)
    assert (row["loser"], row["result"]) == (mine.record(57)["loser"], mine.record(57)["result"])
    with pytest.raises(InputError, match="deal: expected a whole number from 0 to 299, got 300"):
        mine.record(DEALS)


def test_an_unfinished_run_is_not_opened(results: Path) -> None:
    mine = run(results)
    mine.parts[0].unlink()
    with pytest.raises(InputError, match=r"expected a finished run, got 0 of 300 deals"):
        Run.open(mine.folder)
    with pytest.raises(InputError, match="nowhere"):
        Run.open(results / "nowhere")


def test_a_run_is_silent_unless_progress_is_wanted(results: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(results)
    assert capfd.readouterr() == ("", "")
    mine = run(results)
    mine.parts[0].write_bytes(b"no part")
    run(results, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "it is played again" in err


def test_a_run_stops_as_soon_as_its_table_is_narrow(results: Path) -> None:
    mine = run(results, deals=None, until_half_width=0.005)
    assert mine.plan.stretches[-1].stopped
    assert mine.deals % LOOK == 0
    assert widest_half_width(mine.summary) <= 0.005
    capped = run(results.with_name("capped"), deals=None, until_half_width=0.001, max_deals=LOOK)
    assert (capped.deals, capped.plan.stretches[-1].stopped) == (LOOK, False)


def play(results: Path, *variants: Any, **arguments: Any) -> Runs:
    return simcli.play(variants, **{"lineups": "lowest", "workers": 1, "out": results, **arguments})


def test_runs_of_a_comparison_are_played_together(results: Path) -> None:
    runs = play(results, "classic", load_variant("late-transfer"), deals=DEALS)
    assert [mine.variant.name for mine in runs] == ["classic", "late-transfer"]
    assert [mine.deals for mine in runs] == [DEALS, DEALS]
    assert runs[1] == run(results, "late-transfer")
    assert simcli.compare(runs).baseline == "classic"


def test_rotations_are_runs_each_that_compare_takes_as_one(results: Path) -> None:
    runs = simcli.play(
        ["classic", "podkidnoy"],
        DEALS,
        players=2,
        lineups="counting,lowest",
        rotate=True,
        out=results,
        workers=1,
    )
    assert [(mine.variant.name, mine.lineup.text) for mine in runs] == [
        (name, lineup)
        for name in ("classic", "podkidnoy")
        for lineup in ("counting,lowest", "lowest,counting")
    ]
    comparison = simcli.compare(runs)
    assert comparison.variants["rotations"].to_list() == [2, 2]
    assert comparison.skill["bot"].to_list() == ["counting", "counting"]
    assert comparison.skill["share"].min() > 0


def test_playing_until_it_is_decided_is_what_the_command_does(results: Path, tmp_path: Path) -> None:
    mine = play(results, "classic", "late-transfer", until_decided=True, margin=0.02, max_deals=10 * LOOK)
    words = "compare classic late-transfer --bots lowest --until-decided --margin 2pp --max-deals 200k"
    answer = CliRunner().invoke(app, [*words.split(), "--out", str(tmp_path / "other"), "--format", "json"])
    told = json.loads(answer.stdout)
    assert [entry["deals"] for entry in told["variants"]] == [each.deals for each in mine]
    assert all(each.plan.stretches[-1].stopped for each in mine)
    assert simcli.compare(mine, margin=0.02).verdicts["verdict"].to_list() != ["undecided"]
    again = [simcli.Run.open(tmp_path / "other" / each.folder.name) for each in mine]
    assert [each.digest for each in again] == [each.digest for each in mine]


def test_counts_in_place_of_rows_compare_as_rows_do(results: Path) -> None:
    names = ("classic", "late-transfer")
    rows, counts = (play(results, *names, deals=DEALS, summary=summary) for summary in (False, True))
    assert [run.digest for run in counts] == [run.digest for run in rows]
    assert [run.summary for run in counts] == [run.summary for run in rows]
    found, expected = simcli.compare(counts), simcli.compare(rows)
    assert found.differences.equals(expected.differences)
    assert found.notes == expected.notes
    assert counts[1].record(57) == rows[1].record(57)
    with pytest.raises(InputError, match="expected a run with rows, got counts"):
        counts[0].scan()
    with pytest.raises(InputError, match="expected a number of deals with --summary"):
        play(results, *names, summary=True, until_half_width=0.1)


def test_tables_of_several_sizes_and_line_ups_are_played(results: Path) -> None:
    runs = play(results, "classic", "partners", deals=DEALS, players=[3, 4], lineups=["lowest", "random"])
    assert {(mine.variant.name, mine.players, mine.lineup.bots[0]) for mine in runs} == {
        *(("classic", players, bot) for players in (3, 4) for bot in ("lowest", "random")),
        *(("partners", 4, bot) for bot in ("lowest", "random")),
    }
    (left_out,) = runs.left_out
    assert left_out.startswith("partners, 3 players: ")


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"until_decided": True}, "expected --max-deals with it"),
        ({"until_decided": True, "max_deals": 30_000}, "expected a multiple of 20,000"),
        (
            {"until_decided": True, "max_deals": LOOK, "margin": 0.7},
            "margin: expected a share above 0 and up",
        ),
        ({"until_half_width": "0.1pp"}, "until_half_width: expected a share above 0 and up to 0.5"),
        ({"until_half_width": 0.01, "deals": 100}, "expected none with --until-half-width"),
        ({"max_deals": LOOK}, "expected --until-half-width or --until-decided with it"),
        ({"players": [4, 9]}, "players: expected a whole number from 2 to 6, got 9"),
        ({"baseline": "clasic"}, "did you mean classic"),
        ({"deals": 0}, "deals: expected a whole number from 1"),
    ],
)
def test_a_wrong_argument_of_play_is_one_clear_message(
    results: Path, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        play(results, "classic", "late-transfer", **arguments)
    assert not results.exists()


@pytest.mark.parametrize(
    "variants, message",
    [
        ("classic", r"variants: expected a list, got a str by itself – write play\(\[first, second\]\)"),
        (load_variant("classic"), "variants: expected a list, got a Variant by itself"),
        (None, "variants: expected a list, got a NoneType by itself"),
        ([], "variants: expected a list of at least one, got an empty one"),
        ([5], "variant: expected a name or a path, got 5"),
    ],
)
def test_what_is_no_list_of_variants_is_refused(results: Path, variants: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        simcli.play(variants, DEALS, out=results)
    with pytest.raises(InputError, match="lineups: expected a list of at least one"):
        simcli.play(["classic"], DEALS, lineups=[], out=results)
    assert not results.exists()


def test_a_verdict_needs_a_variant_to_judge(results: Path) -> None:
    with pytest.raises(InputError, match="expected a variant to judge against classic"):
        play(results, "classic", until_decided=True, max_deals=LOOK)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"until_half_width": 0.0, "deals": None}, "until_half_width: expected a share above 0"),
        ({"variant": "clasic"}, "did you mean classic"),
        ({"variant": None}, "variant: expected a name or a path, got nothing"),
        ({"variant": ["classic"]}, "variant: expected a name or a path, got "),
        ({"bots": 5}, "bots: expected one bot, or a list with one for each seat, got 5"),
        ({"bots": ["lowest", None]}, "bots: expected one bot, or a list with one for each seat, got nothing"),
        ({"players": 7}, "players: expected a whole number from 2 to 6, got 7"),
        ({"bots": "lowst"}, "bots: expected a bot"),
        ({"bots": ["lowest"] * 3}, "bots: expected one bot, or 4 for 4 players, got 3"),
        ({"seed": -1}, "seed: expected a whole number from 0"),
        ({"session": 0}, "session: expected a whole number from 1 to 1,000, got 0"),
        ({"session": 7}, "expected whole sessions of 7 deals"),
        ({"deals": 0}, "deals: expected a whole number from 1"),
        ({"deals": 1e6}, "deals: expected a whole number from 1"),
        ({"workers": 0}, "workers: expected a whole number from 1 to 1,024, got 0"),
    ],
)
def test_a_wrong_argument_is_one_clear_message(
    results: Path, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        run(results, **arguments)
    assert not results.exists()
