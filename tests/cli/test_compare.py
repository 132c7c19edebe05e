import csv
import io
import json
import re
from pathlib import Path

import polars as pl
import pytest

from simcli.errors import InputError
from simcli.rules.points import share_of_points
from tests.analysis.finished_runs import Dealt, run_of
from tests.analysis.test_compare import first_out, losers, match, other
from tests.cli.test_run import Result, Simcli, simcli

__all__ = ["simcli"]

SMALL = ("--bots", "lowest", "-n", "2k")
COMPARE = ("compare", "classic", "late-transfer", *SMALL)
KEYS = {"variants", "baseline", "positions", "differences", "verdicts", "measures"}


def data_of(result: Result) -> dict[str, list[dict[str, object]]]:
    data: dict[str, list[dict[str, object]]] = json.loads(result.out)
    return data


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    before = [Dealt(i % 2, trace=i % 3) for i in range(600)]
    after = [Dealt(i % 2 if i % 10 else 1, trace=i % 3) for i in range(600)]
    paths = run_of(tmp_path, match(), before), run_of(tmp_path, other(), after)
    return str(paths[0]), str(paths[1])


def test_variants_are_played_and_the_verdict_comes_first(simcli: Simcli) -> None:
    result = simcli(*COMPARE)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == "Against classic: four lowest players, 2,000 deals each"
    assert lines[2].startswith(
        ("◐ Late transfer, four lowest players: ", "● Late transfer, four lowest players: ")
    )
    assert result.out.index("Late transfer") < result.out.index("who loses") < result.out.index("lost by")
    assert "Intervals cover simulation error only" in " ".join(result.out.split())
    assert pl.read_parquet("results/late-transfer-p4-lowest-s1/*.parquet").height == 2000


def test_brief_leaves_out_the_numbers_behind_the_verdicts(simcli: Simcli, folders: tuple[str, str]) -> None:
    full, brief = simcli("compare", *folders), simcli("compare", *folders, "--brief")
    head, tail = full.out.split("classic, the baseline: ")
    assert brief.out == head
    assert "How it was measured" in tail
    simcli("compare", *folders, "--brief", "-o", "brief.txt")
    assert Path("brief.txt").read_text().split() == brief.out.split()
    refused = simcli("compare", *folders, "--brief", "--format", "json")
    assert (refused.code, refused.err) == (
        2, "--brief: expected the table that it shortens, got json – leave out one\n",
    )  # fmt: skip


def test_positions_may_be_named_with_commas_or_one_by_one(simcli: Simcli, folders: tuple[str, str]) -> None:
    together = simcli("compare", *folders, "--position", "opener,drawn")
    assert together.code == 0
    assert together.out == simcli("compare", *folders, "--position", "0", "--position", "drawn").out


def test_brief_does_not_swallow_what_adjust_adds(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", *folders, "--brief", "--adjust", "trumps")
    assert (result.code, result.err.splitlines()[0][:40]) == (2, "--brief: expected none with --adjust, wh")


def test_an_unknown_position_is_refused_before_anything_is_played(simcli: Simcli) -> None:
    result = simcli(*COMPARE, "--position", "dealer")
    assert result.code == 2
    assert result.err.startswith("--position: expected opener, defender, 3rd, 4th, 5th, 6th, drawn, ")
    assert not Path("results").exists()


def test_what_is_there_is_not_played_again(simcli: Simcli) -> None:
    simcli(*COMPARE)
    before = {path: path.stat().st_mtime_ns for path in Path("results").rglob("*.parquet")}
    assert simcli(*COMPARE).code == 0
    assert {path: path.stat().st_mtime_ns for path in Path("results").rglob("*.parquet")} == before


@pytest.mark.parametrize(
    "more",
    [
        ("podkidnoy", "pass-card", "five-until-discard", "--players", "6"),
        ("random-opening", "--players", "2", "--bots", "lowest,random"),
        ("regular", "--players", "3", "--frame", "dealer"),
        ("neighbours-only", "--session", "20", "--adjust", "trumps", "--examples", "2"),
    ],
    ids=["six", "line-ups", "first out", "sessions"],
)
def test_no_line_is_wider_than_the_terminal(simcli: Simcli, more: tuple[str, ...]) -> None:
    result = simcli(*COMPARE, *more)
    assert result.code == 0
    wide = [line for line in result.out.splitlines() if len(line) > 80]
    assert [line for line in wide if "simcli replay" not in line] == []
    assert "…" not in result.out


ROTATED = ("--players", "2", "--bots", "counting,lowest", "--rotate", "-n", "600")


def test_rotations_are_played_and_compared_as_one(simcli: Simcli) -> None:
    result = simcli("compare", "classic", "podkidnoy", *ROTATED)
    assert result.code == 0
    assert result.out.splitlines()[:2] == [
        "Against classic: two players (counting, lowest; rotated), 600 packs in 2 ",
        "rotations each",
    ]
    assert "\nskill share % of deals less, %" in result.out
    assert all(len(line) <= 80 for line in result.out.splitlines())
    assert result.out.count("Of a rotated line-up every rotation played the same packs") == 1
    folders = sorted(map(str, Path("results").iterdir()))
    assert len(folders) == 4
    assert simcli("compare", *folders).out == result.out


def test_what_does_not_go_with_rotations_is_refused(simcli: Simcli) -> None:
    words = ("compare", "classic", "podkidnoy", "--players", "2")
    assert simcli(*words, "--bots", "lowest", "--rotate").err.startswith("--rotate: expected --bots with")
    summary = simcli(*words, *ROTATED[2:], "--summary")
    assert (summary.code, summary.err) == (
        2, "--rotate: expected none with --summary, for rotations are compared by rows\n"
    )  # fmt: skip
    rule = simcli(*words, *ROTATED[2:5], "--until-decided", "--max-deals", "40k")
    assert (rule.code, rule.err) == (
        2, "--until-decided: expected a number of deals with --rotate, for all rotations – give --deals\n"
    )  # fmt: skip
    assert not Path("results").exists()


def test_the_json_has_the_documented_lists(simcli: Simcli, folders: tuple[str, str]) -> None:
    data = data_of(simcli("compare", *folders, "--format", "json"))
    assert data.keys() >= KEYS
    assert data["baseline"] == "classic"
    position = data["positions"][0]
    assert position.keys() >= {
        "variant",
        "cell",
        "n",
        "count",
        "rate",
        "low",
        "high",
        "level",
        "kind",
        "family",
    }
    difference = data["differences"][0]
    assert difference.keys() >= {"variant", "cell", "difference", "low", "high", "p", "p_adjusted", "level"}
    assert data["verdicts"][0].keys() >= {"variant", "verdict", "cell", "sentence"}
    assert data["measures"][0].keys() >= {
        "variant",
        "measure",
        "mean",
        "low",
        "high",
        "level",
        "kind",
        "family",
    }
    assert {row["cell"] for row in data["positions"]} == {"0", "1", "drawn", "stalled"}


def test_csv_and_parquet_hold_the_same_numbers_one_a_row(
    simcli: Simcli, folders: tuple[str, str], tmp_path: Path
) -> None:
    rows = list(csv.DictReader(io.StringIO(simcli("compare", *folders, "--format", "csv").out)))
    file = tmp_path / "found.parquet"
    assert simcli("compare", *folders, "--format", "parquet", "-o", str(file)).code == 0
    frame = pl.read_parquet(file)
    assert [row["quantity"] for row in rows] == frame["quantity"].to_list()
    found = [row for row in rows if (row["table"], row["quantity"]) == ("differences", "difference")]
    assert len(found) == 4
    assert all(row["low"] and row["kind"] == "Tango" for row in found)


def test_markdown_begins_with_the_verdicts(simcli: Simcli, folders: tuple[str, str]) -> None:
    lines = simcli("compare", *folders, "--format", "markdown").out.splitlines()
    assert lines[0] == "# Compared with classic"
    assert lines[4].startswith("- Other, two lowest players: ")
    table = [line for line in lines if line.startswith("| ")]
    assert len({line.count("|") for line in table}) == 1


def test_a_table_written_to_a_file_is_the_one_of_the_terminal(
    simcli: Simcli, folders: tuple[str, str], tmp_path: Path
) -> None:
    simcli("compare", *folders, "-o", str(tmp_path / "found.txt"))
    assert (tmp_path / "found.txt").read_text() == simcli("compare", *folders).out


def test_parquet_needs_a_file(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", *folders, "--format", "parquet")
    assert (result.code, result.err) == (
        2, "simcli compare: expected --output FILE with --format parquet, got none\n",
    )  # fmt: skip


def test_a_baseline_and_a_margin_can_be_chosen(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", *folders, "--baseline", "other", "--margin", "40pp", "--format", "json")
    verdict = data_of(result)["verdicts"][0]
    assert (verdict["variant"], verdict["verdict"]) == ("classic", "too small to matter")


def test_variants_that_cannot_sit_at_the_table_are_left_out_and_named(simcli: Simcli) -> None:
    result = simcli(
        "compare", "classic", "podkidnoy", "advanced-standard", "partners", "--players", "5", *SMALL
    )
    assert result.code == 0
    said = " ".join(result.out.split())
    assert "Note: left out: advanced-standard, 5 players: needs at most 4 players" in said
    assert "Note: left out: partners, 5 players:" in said


def test_where_nothing_is_left_to_compare_nothing_is_played(simcli: Simcli) -> None:
    result = simcli("compare", "classic", "partners", "--players", "3", *SMALL)
    assert result.code == 2
    assert result.err.startswith(
        "compare: expected a variant to compare with classic, got none – partners, 3 players:"
    )
    assert not Path("results").exists()


def test_brief_still_lists_the_examples_that_were_asked_for(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", *folders, "--brief", "--examples", "2")
    assert "deals in which somebody else loses under other, by seat" in result.out
    assert len(re.findall(r"^deal \d+: seat \d instead of seat \d$", result.out, re.M)) == 2


def test_the_next_command_keeps_a_baseline_that_was_chosen(simcli: Simcli, folders: tuple[str, str]) -> None:
    assert "--baseline" not in simcli("compare", *folders).err
    assert "--baseline other -o report.html" in simcli("compare", *folders, "--baseline", "other").err


def test_findings_of_several_table_sizes_name_them(simcli: Simcli) -> None:
    bots = ("--bots", "lowest", "--bots", "random")
    result = simcli(
        "compare", "classic", "no-draws", "--by", "players", "--players", "2,4", *bots, "-n", "10k"
    )
    head = next(line for line in result.out.splitlines() if line.startswith("in how many line-ups"))
    assert head.split()[-5:] == ["players", "shown", "not", "shown", "opposite"]


def test_what_a_comparison_reads_is_never_written_over(simcli: Simcli, folders: tuple[str, str]) -> None:
    for target in (f"{folders[1]}/run.yaml", f"{folders[1]}/part-00000.parquet", "my-table.yaml"):
        before = Path(target).read_bytes() if Path(target).exists() else None
        result = simcli("compare", *folders, "-o", target)
        assert result.code == 2
        assert "expected a file " in result.err
        assert (Path(target).read_bytes() if Path(target).exists() else None) == before


def test_a_margin_of_half_of_everything_is_named(simcli: Simcli, folders: tuple[str, str]) -> None:
    assert "the margin is 50 points of all deals" in " ".join(
        simcli("compare", *folders, "--margin", "50").out.split()
    )


def test_a_baseline_that_cannot_sit_at_the_table_is_refused(simcli: Simcli) -> None:
    result = simcli(
        "compare", "advanced-standard", "classic", "--baseline", "advanced-standard", "--players", "6"
    )
    assert result.code == 2
    assert "advanced-standard: players: expected players at most max_players" in result.err


def test_first_out_is_counted_for_all_and_said(simcli: Simcli) -> None:
    result = simcli("compare", "classic", "regular", "--players", "3", *SMALL)
    assert "shared" in result.out
    assert "counted is who is out first, for all variants" in " ".join(result.out.split())


def test_run_options_belong_to_variants(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", *folders, "-n", "100", "--seed", "3")
    assert result.code == 2
    assert "--deals and --seed belong to variants, these runs are played – leave them out" in result.err
    result = simcli("compare", *folders, "--seed", "3")
    assert "--seed belongs to variants, these runs are played – leave it out" in result.err


def test_a_run_or_a_variant_named_twice_counts_once_and_is_noted(
    simcli: Simcli, folders: tuple[str, str]
) -> None:
    result = simcli("compare", *folders, folders[1], "--format", "json")
    assert f"left out: {folders[1]} is named twice, and counts once" in json.loads(result.out)["notes"]
    result = simcli("compare", "classic", "late-transfer", "classic", *SMALL, "--format", "json")
    assert json.loads(result.out)["notes"] == ["left out: classic is named twice, and counts once"]


def test_a_folder_of_something_else_is_named(simcli: Simcli, folders: tuple[str, str]) -> None:
    Path("photos").mkdir()
    Path("photos", "cat.jpg").touch()
    result = simcli("compare", folders[0], "photos")
    assert result.code == 2
    expected = "photos: expected the folder of a run, got one without plan.yaml – `simcli runs` lists runs\n"
    assert result.err == expected


def test_a_comparison_of_few_runs_names_the_page_as_what_is_next(
    simcli: Simcli, folders: tuple[str, str]
) -> None:
    first, second = folders
    told = f"next: simcli report {first} {second} -o report.html  makes a page of it, to be shared\n"
    assert simcli("compare", *folders).err == told
    assert simcli("compare", *folders, "--quiet").err == ""
    assert simcli("compare", *folders, "--format", "json").err == ""


def test_a_folder_of_runs_is_answered_with_how_to_name_them(simcli: Simcli, folders: tuple[str, str]) -> None:
    parent = str(Path(folders[0]).parent)
    expected = f"{parent}: expected the folder of a run, got one of runs – "
    for words in (("compare", parent), ("report", parent, "-o", "page.html"), ("verify", parent)):
        result = simcli(*words, "--quiet")
        assert (result.code, result.err) == (2, f"{expected}those in it are {parent}/*\n")
    result = simcli("replay", parent, "--deal", "0")
    assert (result.code, result.err) == (2, f"{expected}`simcli runs {parent}` lists those in it\n")


def test_folders_and_variants_do_not_mix(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", folders[0], "late-transfer")
    assert result.code == 2
    assert result.err.startswith("late-transfer: expected folders of runs, or variants, got both")


@pytest.mark.parametrize(
    "words, message",
    [
        (("results/nothing",), "results/nothing: expected the folder of a run, there is none"),
        (("clasic",), "clasic: unknown variant – did you mean classic?"),
        (
            ("classic", "--margin", "much"),
            "--margin: expected points above 0 and below 100 in plain digits, such as 0.5pp, got much",
        ),
        (
            ("classic", "--players", "2,3"),
            "--players: expected one table size, got 2,3 – or add --by players",
        ),
        (("classic", "--baseline", "late"), "--baseline: expected classic, got late"),
        (("classic", "--bots", "nobody"), "--bots: expected a bot"),
        (
            ("classic", "-n", "400", "--session", "50"),
            "--deals: expected at least 10 sessions of 50 deals, got 400 deals",
        ),
    ],
)
def test_wrong_input_is_refused_before_anything_is_played(
    simcli: Simcli, words: tuple[str, ...], message: str
) -> None:
    result = simcli("compare", *words)
    assert result.code == 2
    assert result.err.startswith(message)
    assert not Path("results").exists()


def test_an_unfinished_run_is_named(simcli: Simcli, folders: tuple[str, str]) -> None:
    (Path(folders[1]) / "run.yaml").unlink()
    result = simcli("compare", *folders)
    assert result.code == 2
    assert result.err.startswith(f"{folders[1]}: expected a finished run")
    assert result.out == ""


def test_examples_come_with_commands_that_replay_them(simcli: Simcli) -> None:
    result = simcli(*COMPARE, "--examples", "1", "--format", "json")
    example = data_of(result)["examples"][0]
    words = str(example["replay"]).split()
    assert words[0] == "simcli"
    told = simcli(*words[1:], "--format", "jsonl")
    assert json.loads(told.out)["loser"] == example["seat"]


def test_examples_of_shipped_variants_show_both_rules_side_by_side(simcli: Simcli) -> None:
    result = simcli(*COMPARE, "--examples", "1")
    command = next(line for line in result.out.splitlines() if "simcli replay" in line)
    assert command.endswith("--vs late-transfer")
    assert simcli(*command.split()[1:]).code == 0


def test_the_ending_of_a_file_says_how_it_is_written(
    simcli: Simcli, folders: tuple[str, str], tmp_path: Path
) -> None:
    simcli("compare", *folders, "-o", str(tmp_path / "found.json"))
    assert json.loads((tmp_path / "found.json").read_text()).keys() >= KEYS
    simcli("compare", *folders, "-o", str(tmp_path / "found.parquet"))
    assert pl.read_parquet(tmp_path / "found.parquet").height


def test_an_option_that_differs_says_how_often_it_was_in_play(simcli: Simcli) -> None:
    assert re.search(r"transfer\.mode late instead of early \(in play in 7\d %\)", simcli(*COMPARE).out)


def test_several_lineups_are_compared_apart_and_counted(simcli: Simcli) -> None:
    result = simcli("compare", "classic", "random-opening", *SMALL, "--bots", "random", "--format", "json")
    data = data_of(result)
    assert [row["lineup"] for row in data["verdicts"]] == ["lowest", "random"]
    assert all(
        int(str(each["shown"])) + int(str(each["not_shown"])) + int(str(each["opposite"])) == 2
        for each in data["findings"]
    )


def test_by_players_compares_each_table_size(simcli: Simcli) -> None:
    words = ("compare", "classic", "duel", "--by", "players", "--players", "2,3", *SMALL, "--format", "json")
    assert [row["players"] for row in data_of(simcli(*words))["verdicts"]] == [2, 3]


def test_a_single_run_is_described_without_a_verdict(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", folders[0])
    assert result.code == 0
    assert result.out.startswith("classic: two lowest players, 600 deals\n")
    assert "margin" not in result.out


def test_only_draws_are_shown_without_a_share_of_lost_deals(simcli: Simcli, tmp_path: Path) -> None:
    paths = [str(run_of(tmp_path, each, losers(*["drawn"] * 5))) for each in (match(), other())]
    result = simcli("compare", *paths)
    assert result.code == 0
    assert "nan" not in result.out


def test_runs_that_name_no_loser_are_shown(simcli: Simcli, tmp_path: Path) -> None:
    path = run_of(tmp_path, first_out(), [Dealt("won", places=(1, 0, 0))] * 5)
    assert "no loser" in simcli("compare", str(path), "--outcome", "loss").out


@pytest.mark.parametrize("text, share", [("0.5pp", 0.005), ("1", 0.01), ("2 points", 0.02), (".1%", 0.001)])
def test_margins_are_points(text: str, share: float) -> None:
    assert share_of_points(text, "--margin") == pytest.approx(share)


@pytest.mark.parametrize("text", ["", "0", "100", "-1", "1e-3", "nan", "0.5 p"])
def test_anything_else_is_no_margin(text: str) -> None:
    with pytest.raises(InputError):
        share_of_points(text, "--margin")


# ------------------------------------------------------------------------------------ without rows


def test_counts_in_place_of_rows_give_the_same_comparison(simcli: Simcli) -> None:
    rows = simcli(*COMPARE, "--format", "json")
    counts = simcli(*COMPARE, "--summary", "--format", "json")
    assert counts.code == 0
    folder = "results/SUMMARY-classic+late-transfer-p4-lowest-s1"
    assert len(list(Path(folder).glob("part-*.json.gz"))) == 1
    assert not list(Path(folder).glob("*.parquet"))
    told = re.sub(r'"folder": "[^"]*"', '"folder": ""', rows.out)
    assert re.sub(r'"folder": "[^"]*"', '"folder": ""', counts.out) == told
    assert simcli("compare", folder, "--format", "json").out == counts.out


@pytest.mark.parametrize(
    "more, message",
    [
        (("--summary", "--examples", "2"), "--examples: expected none with --summary"),
        (
            ("--summary", "--until-decided", "--max-deals", "40k"),
            "--until-decided: expected a number of deals",
        ),
    ],
)
def test_what_needs_rows_is_refused_without_them(more: tuple[str, ...], message: str, simcli: Simcli) -> None:
    result = simcli("compare", "classic", "late-transfer", "--bots", "lowest", *more)
    assert result.code == 2
    assert message in result.err
    assert not Path("results").exists()


def test_summary_belongs_to_variants(simcli: Simcli, folders: tuple[str, str]) -> None:
    result = simcli("compare", *folders, "--summary")
    assert result.code == 2
    assert "--summary belongs to variants, these runs are played" in result.err
