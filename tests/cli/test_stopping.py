import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from simcli.analysis.sequences import KIND, confidence_sequence
from tests.cli.test_compare import data_of
from tests.cli.test_run import SIMCLI, Simcli, simcli

__all__ = ["simcli"]

LOWEST = ("--bots", "lowest")
PAIR = ("compare", "classic", "late-transfer", *LOWEST)
DECIDED = (*PAIR, "--until-decided", "--max-deals", "200k")
JSON = ("--format", "json")


def told(variant: str, results: str = "results") -> dict[str, Any]:
    path = Path(results, f"{variant}-p4-lowest-s1", "run.yaml")
    return dict(yaml.safe_load(path.read_text()))


def test_a_run_stops_when_its_table_is_narrow(simcli: Simcli) -> None:
    result = simcli("run", "classic", *LOWEST, "--until-half-width", "0.25pp", "--json")
    assert result.code == 0
    (table,) = json.loads(result.out)
    widths = [(cell["high"] - cell["low"]) / 2 for cell in table["cells"]]
    assert max(widths) <= 0.0025
    assert table["deals"] % 20_000 == 0
    assert told("classic")["stopping"] == [
        {
            "deals": table["deals"],
            "rule": "half-width",
            "half_width": 0.0025,
            "max_deals": 160_000,
            "stopped": True,
        }
    ]


def test_the_table_of_a_run_says_what_stopped_it(simcli: Simcli) -> None:
    words = ("run", "classic", *LOWEST, "--until-half-width", "0.5pp")
    out = simcli(*words).out
    (deals,) = told("classic")["deals"]
    assert f"stopped    at {deals:,} deals by --until-half-width 0.5pp\n" in out
    capped = simcli(*words, "--max-deals", str(deals - 20_000), "--out", "capped").out
    assert f"stopped    not before {deals - 20_000:,} deals by --until-half-width 0.5pp\n" in capped


def test_a_comparison_stops_when_it_is_decided_and_shows_the_sequence_only(simcli: Simcli) -> None:
    data = data_of(simcli(*DECIDED, *JSON))
    (verdict,) = data["verdicts"]
    assert verdict["verdict"] == "changes"
    deals = data["variants"][0]["deals"]
    assert isinstance(deals, int)
    assert 20_000 < deals < 200_000
    for row in data["differences"]:
        assert row["kind"] == KIND
        assert row["level"] == 0.95
        assert row["family"] == "1 variant × 6 cells"
        assert row["p"] is None
        assert row["p_adjusted"] is None
    others = [data[name] for name in data if name not in ("differences", "ranking")]
    assert '"level": 0' not in json.dumps(others)
    assert data["fairness"] == []


def test_the_interval_shown_is_the_sequence_at_the_stop(simcli: Simcli) -> None:
    data = data_of(simcli(*DECIDED, *JSON))
    row = next(row for row in data["differences"] if row["cell"] == "1")
    n, gained = row["n"], row["count"]
    assert isinstance(n, int)
    assert isinstance(gained, int)
    before, after = (
        pl.read_parquet(f"results/{name}-p4-lowest-s1/*.parquet") for name in ("classic", "late-transfer")
    )
    lost = [(rows["loser"].cast(int) - rows["opener"].cast(int)) % 4 == 1 for rows in (before, after)]
    was, now = (each.fill_null(value=False) for each in lost)
    expected = confidence_sequence(int((now & ~was).sum()), int((was & ~now).sum()), n, 0.05, 6)
    assert row["low"] == pytest.approx(expected.low, abs=1e-12)
    assert row["high"] == pytest.approx(expected.high, abs=1e-12)


def test_one_look_before_the_stop_the_verdict_was_open(simcli: Simcli) -> None:
    stopped = data_of(simcli(*DECIDED, *JSON))["variants"][0]["deals"]
    assert isinstance(stopped, int)
    words = (*PAIR, "--until-decided", "--max-deals", str(stopped - 20_000), "--out", "shorter", *JSON)
    data = data_of(simcli(*words))
    assert data["variants"][0]["deals"] == stopped - 20_000
    assert [row["verdict"] for row in data["verdicts"]] == ["undecided"]
    assert told("classic", "shorter")["stopping"][0]["stopped"] is False


def test_the_table_says_where_and_why_it_stopped(simcli: Simcli) -> None:
    out = " ".join(simcli(*DECIDED).out.split())
    assert "late-transfer was played --until-decided at a margin of 0.5 points: stopped at" in out
    assert "asymptotic confidence sequence" in out
    assert "The ordinary intervals" not in out
    assert "the ordinary intervals and tests do not, and are left out" in out
    for form in ("markdown", "csv"):
        assert simcli(*DECIDED, "--format", form).code == 0


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_stop_is_the_same_for_any_number_of_workers(simcli: Simcli, workers: str) -> None:
    simcli(*DECIDED, "--workers", workers, "--out", workers)
    simcli(*DECIDED, "--out", "any")
    assert told("classic", workers)["digest"] == told("classic", "any")["digest"]
    assert told("classic", workers)["deals"] == told("classic", "any")["deals"]


def test_a_stopped_run_made_longer_keeps_the_sequence(simcli: Simcli) -> None:
    simcli(*DECIDED)
    data = data_of(simcli(*PAIR, "-n", "250k", *JSON))
    assert {row["kind"] for row in data["differences"]} == {KIND}
    assert {row["n"] for row in data["differences"]} == {250_000}
    folders = [f"results/{name}-p4-lowest-s1" for name in ("classic", "late-transfer")]
    assert data_of(simcli("compare", *folders, *JSON))["differences"] == data["differences"]


def test_a_sequence_after_an_ordinary_look_has_what_is_left_of_alpha(simcli: Simcli) -> None:
    simcli(*PAIR, "-n", "20k")
    data = data_of(simcli(*DECIDED, *JSON))
    assert {row["level"] for row in data["differences"]} == {0.975}


def test_a_half_width_leaves_the_ordinary_intervals(simcli: Simcli) -> None:
    data = data_of(simcli(*PAIR, "--until-half-width", "0.3pp", *JSON))
    assert {row["kind"] for row in data["differences"]} == {"Tango"}
    deals = {row["deals"] for row in data["variants"]}
    assert len(deals) == 1
    assert deals < {20_000 * look for look in range(2, 8)}


def test_same_rules_are_decided_at_the_first_look(simcli: Simcli) -> None:
    Path("mine.yaml").write_text("name: mine\nextends: classic\n")
    data = data_of(simcli("compare", "classic", "mine.yaml", *LOWEST, *DECIDED[-3:], *JSON))
    assert [row["verdict"] for row in data["verdicts"]] == ["same rules"]
    assert {row["deals"] for row in data["variants"]} == {20_000}


@pytest.mark.parametrize(
    "words, message",
    [
        ((*PAIR, "--until-decided"), "--until-decided: expected --max-deals with it"),
        ((*DECIDED, "-n", "1M"), "--deals: expected none with --until-decided"),
        ((*DECIDED, "--until-half-width", "1pp"), "--until-decided: expected one rule for stopping"),
        ((*PAIR, "--max-deals", "1M"), "--max-deals: expected --until-half-width or --until-decided with it"),
        ((*PAIR, "--until-decided", "--max-deals", "50k"), "expected a multiple of 20,000"),
        (
            (*PAIR, "--until-decided", "--max-deals", "19k"),
            "--max-deals: expected a whole number from 20,000",
        ),
        ((*DECIDED, "--margin", "0"), "--margin: expected points above 0"),
        ((*DECIDED, "--margin", "51pp"), "--margin: expected up to 50 points with --until-decided"),
        ((*PAIR, "--until-half-width", "0pp"), "--until-half-width: expected points above 0 and up to 50"),
        ((*PAIR, "--until-half-width", "51pp"), "--until-half-width: expected points above 0 and up to 50"),
        ((*PAIR, "--until-half-width", "-1pp"), "--until-half-width: expected points above 0 and up to 50"),
        ((*DECIDED, "--session", "20"), "--session: expected single deals with --until-decided"),
        (("compare", "classic", *LOWEST, *DECIDED[-3:]), "--until-decided: expected a variant to judge"),
        (
            ("compare", "classic", "partners", *LOWEST, *DECIDED[-3:]),
            "--until-decided: expected a variant to judge against classic with 4 players, got none",
        ),
        (("run", "classic", "--until-half-width", "60pp"), "--until-half-width: expected points above 0"),
        (("run", "classic", "--max-deals", "60k"), "--max-deals: expected --until-half-width"),
        (("run", "classic", "--until-half-width", "1pp", "-n", "5"), "--deals: expected none with"),
    ],
)
def test_rules_that_make_no_sense_are_refused_before_anything_is_played(
    simcli: Simcli, words: tuple[str, ...], message: str
) -> None:
    result = simcli(*words)
    assert result.code == 2
    assert message in result.err
    assert not Path("results").exists()


def test_runs_that_are_played_are_not_stopped(simcli: Simcli) -> None:
    simcli(*PAIR, "-n", "2k")
    folders = [f"results/{name}-p4-lowest-s1" for name in ("classic", "late-transfer")]
    result = simcli("compare", *folders, "--until-decided", "--max-deals", "1M")
    assert result.code == 2
    assert "--until-decided belongs to variants" in result.err


def test_a_killed_comparison_goes_on_to_the_same_stop(simcli: Simcli) -> None:
    words = (*PAIR, "--until-half-width", "0.12pp", "--workers", "2")
    with subprocess.Popen([*SIMCLI, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as killed:
        deadline = time.monotonic() + 60
        while not list(Path("results").rglob("part-00006.parquet")) and time.monotonic() < deadline:
            time.sleep(0.02)
        killed.send_signal(signal.SIGKILL)
    assert list(Path("results").rglob("*.parquet"))
    assert not list(Path("results").rglob("run.yaml"))
    assert simcli(*words).code == 0
    simcli(*words, "--out", "whole")
    for variant in ("classic", "late-transfer"):
        resumed, whole = told(variant), told(variant, "whole")
        assert resumed["deals"] == whole["deals"]
        assert resumed["digest"] == whole["digest"]
        assert resumed["stopping"] == whole["stopping"]


def test_a_killed_run_says_what_stops_it(simcli: Simcli) -> None:
    words = ("run", "classic", *LOWEST, "--until-half-width", "0.5pp")
    simcli(*words)
    folder = Path("results/classic-p4-lowest-s1")
    text = (folder / "plan.yaml").read_text()
    (deals,) = told("classic")["deals"]
    (folder / "run.yaml").unlink()
    begun = text.replace(f"- {deals}\n", "- 80000\n").replace(f"- deals: {deals}\n", "- deals: 80000\n")
    (folder / "plan.yaml").write_text(begun.replace("stopped: true", "stopped: null"))
    result = simcli("run", "classic", *LOWEST)
    assert result.code == 2
    assert "expected --until-half-width as this run was begun with" in result.err
    assert simcli("compare", str(folder)).code == 2
    assert simcli(*words).code == 0
    assert told("classic")["deals"] == [deals]


def test_a_run_that_is_narrow_already_is_left_as_it_is(simcli: Simcli) -> None:
    simcli("run", "classic", *LOWEST, "-n", "200k")
    before = told("classic")
    result = simcli("run", "classic", *LOWEST, "--until-half-width", "0.5pp")
    assert result.code == 0
    assert "played     nothing" in result.out
    assert told("classic") == before
