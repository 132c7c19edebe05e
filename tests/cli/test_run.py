import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from simcli.cli.main import app, main

SIMCLI = [sys.executable, "-m", "simcli"]


class Result:
    """Exit code and output of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Simcli = Callable[..., Result]


@pytest.fixture
def simcli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Simcli:
    """Return a function that gives a command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def command(*words: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["simcli", *words])
        with pytest.raises(SystemExit) as caught:
            main()
        out, err = capsys.readouterr()
        return Result(int(caught.value.code or 0), out, err)

    return command


RUN = ("run", "classic", "--bots", "lowest", "-n", "2k")


def test_a_run_ends_with_its_table_and_the_next_command(simcli: Simcli) -> None:
    result = simcli(*RUN)
    assert result.code == 0
    assert all(len(line) <= 88 for line in result.out.splitlines())
    rates = [float(rate) for rate in re.findall(r"(\d+\.\d\d) %", result.out)]
    assert len(rates) == 6
    assert sum(rates) == pytest.approx(100, abs=0.04)
    assert "marginal" in result.out
    assert re.search(r"digest +[0-9a-f]{32}\n", result.out)
    assert "simcli replay results/classic-p4-lowest-s1 --deal 0" in result.out
    assert pl.read_parquet("results/classic-p4-lowest-s1/*.parquet").height == 2000


def test_the_same_command_prints_the_same_table_without_playing(simcli: Simcli) -> None:
    first, second = simcli(*RUN), simcli(*RUN)
    same = [line for line in first.out.splitlines() if not line.startswith("played")]
    assert [line for line in second.out.splitlines() if not line.startswith("played")] == same
    assert "all deals were there" in second.out


def test_under_first_out_wins_the_table_counts_who_was_first_out(simcli: Simcli) -> None:
    out = simcli("run", "regular", "--bots", "lowest", "-n", "1k").out
    assert "first out" in out
    assert "lost" not in out


def test_partners_are_counted_by_team(simcli: Simcli) -> None:
    out = simcli("run", "partners", "--bots", "lowest", "-n", "1k").out
    assert "0  the opener's team" in out
    assert "1  the first defender's team" in out
    assert "\n2" not in out


def test_a_rotated_line_up_is_a_run_each_and_a_sentence_a_bot(simcli: Simcli) -> None:
    words = ("run", "duel", "classic", "--players", "2", "--bots", "lowest,random", "--rotate", "-n", "500")
    result = simcli(*words)
    assert result.code == 0
    for name in ("duel", "classic"):
        for lineup in ("lowest+random", "random+lowest"):
            assert pl.read_parquet(f"results/{name}-p2-{lineup}-s1/*.parquet").height == 500
        assert f"{name}, 2 players, 500 packs, 2 rotations, 95 % intervals:" in result.out
    told = re.findall(r"(lowest|random) loses ([0-9.]+) points (less|more) often", result.out)
    assert [(bot, word) for bot, _, word in told] == [("lowest", "less"), ("random", "more")] * 2
    assert told[0][1] == told[1][1]  # of two bots one loses what the other does not


def test_one_bot_cannot_be_rotated(simcli: Simcli) -> None:
    result = simcli("run", "classic", "duel", "--rotate", "-n", "500")
    assert result.code == 2
    assert (
        result.err == "--rotate: expected --bots with different bots, one a seat, got thrifty at all seats\n"
    )
    assert not Path("results").exists()


def test_several_variants_have_a_table_each_and_one_json_list(simcli: Simcli) -> None:
    words = ("run", "classic", "duel", "--bots", "random", "-n", "500")
    tables = simcli(*words).out
    outcomes = json.loads(simcli(*words, "--json").out)
    assert [outcome["variant"] for outcome in outcomes] == ["classic", "duel"]
    assert [outcome["players"] for outcome in outcomes] == [4, 2]
    for outcome in outcomes:
        assert outcome["digest"] in tables
        assert sum(cell["count"] for cell in outcome["cells"]) == outcome["deals"] == 500
        assert all(cell["low"] <= cell["rate"] <= cell["high"] for cell in outcome["cells"])


@pytest.mark.parametrize(
    "words, message",
    [
        (("run", "klassic"), "klassic: unknown variant – did you mean classic?"),
        (("run", "no/such.yaml"), "no/such.yaml: expected a variant file, there is none"),
        (("run", "classic", "--bots", "lowset"), "did you mean lowest?"),
        (
            ("run", "classic", "--bots", "lowest,random"),
            "--bots: expected one bot, or 4 for 4 players, got 2",
        ),
        (("run", "advanced-standard", "--players", "5"), "advanced-standard: players: "),
        (("run", "classic", "-n", "0"), "--deals: expected a whole number from 1 to"),
        (("run", "classic", "-n", "-3"), "--deals: expected a whole number from 1 to"),
        (("run", "classic", "-n", "many"), "--deals: expected a whole number from 1 to"),
        (("run", "classic", "-n", "1.5"), "--deals: expected a whole number from 1 to"),
        (("run", "classic", "-n", "15", "--session", "10"), "--deals: expected whole sessions of 10 deals"),
        (("run", "classic", "--session", "1001"), "--session: expected a whole number from 1 to 1,000"),
        (("run", "classic", "--seed", "9223372036854775808"), "--seed: expected a whole number from 0 to"),
        (("run", "classic", "--workers", "0"), "--workers: expected a whole number from 1 to"),
        (("run", "classic", "--out", "a-file"), "a-file: expected a folder, got a file"),
        (
            ("run", "classic", "--out", "a-link"),
            "a-link: expected a folder, got a link to nowhere, which is not",
        ),
        (("run", "classic", "--out", ""), "--out: expected a folder, got nothing"),
        (("compare", "classic", "--out", ""), "--out: expected a folder, got nothing"),
        (("run", "bad.yaml"), "bad.yaml:2: attack.limit: expected"),
        (("runs", "nowhere"), "nowhere: expected a results folder"),
    ],
)
def test_wrong_input_is_one_message_and_exit_2(
    words: tuple[str, ...], message: str, simcli: Simcli, tmp_path: Path
) -> None:
    (tmp_path / "a-file").write_text("")
    (tmp_path / "a-link").symlink_to("nowhere")
    (tmp_path / "bad.yaml").write_text("name: bad\nattack: {limit: 60}\n")
    result = simcli(*words)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err
    assert result.out == ""
    assert not Path("results").exists()


def test_every_flag_is_checked_before_any_folder_is(simcli: Simcli) -> None:
    simcli(*RUN)
    result = simcli("run", "classic", "--bots", "lowest", "-n", "100", "--workers", "none")
    assert result.code == 2
    assert result.err.startswith("--workers: ")


def test_every_command_reads_a_folder_whose_name_is_no_text(simcli: Simcli) -> None:
    folder = "odd\udcff/classic-p4-lowest-s1"
    assert simcli(*RUN, "--out", "odd\udcff").code == 0
    for words in (
        ("runs", "odd\udcff"),
        ("replay", folder, "--deal", "0"),
        *(("compare", folder, "--format", form) for form in ("table", "json", "csv", "markdown")),
    ):
        result = simcli(*words, "--quiet")
        assert (result.code, result.err) == (0, "")
    assert json.loads(simcli("runs", "odd\udcff", "--json").out)[0]["folder"] == folder
    assert json.loads(simcli("compare", folder, "--format", "json").out)["variants"][0]["folder"] == folder


def test_runs_lists_what_a_results_folder_holds(simcli: Simcli) -> None:
    simcli(*RUN)
    simcli("run", "duel", "--bots", "random,lowest", "-n", "500", "--session", "5", "--seed", "3")
    unfinished = Path("results/duel-p2-random+lowest-k5-s3/run.yaml")
    unfinished.unlink()
    simcli("run", "regular", "--bots", "lowest", "-n", "300")
    damaged = Path("results/regular-p4-lowest-s1/part-00000.parquet")
    damaged.write_bytes(damaged.read_bytes()[:500])
    Path("results/notes").mkdir()

    listed = json.loads(simcli("runs", "--json").out)
    assert [(run["variant"], run["state"]) for run in listed] == [
        ("classic", "finished"),
        ("duel", "unfinished"),
        ("regular", "damaged"),
    ]
    assert [(run["done"], run["deals"]) for run in listed] == [(2000, 2000), (500, 500), (0, 300)]
    out = simcli("runs").out
    assert listed[0]["digest"][:8] in out
    assert f"{damaged}: it is cut short or damaged" in out
    assert all(len(line) <= 80 for line in out.splitlines()[:4])


def test_the_version_names_package_and_engine(simcli: Simcli) -> None:
    from simcli import __version__
    from simcli.runs.identity import engine_signature

    assert simcli("--version").out == f"simcli {__version__}, engine signature {engine_signature()}\n"


def test_help_and_version_need_nothing_heavy() -> None:
    heavy = "{'numba', 'numpy', 'polars', 'pydantic', 'rich', 'tqdm', 'yaml'}"
    code = f"""if True:
        import sys
        from simcli.cli.main import engine_signature
        engine_signature()
        print(*{heavy} & set(sys.modules))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_every_command_has_a_help_text() -> None:
    assert app.registered_commands
    for command in app.registered_commands:
        assert command.callback is not None
        assert command.callback.__doc__


def test_ctrl_c_keeps_complete_parts_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = ["run", "classic", "--bots", "random", "-n", "20M", "--workers", "2", "--out", str(tmp_path)]
    with subprocess.Popen(
        [*SIMCLI, *words, "--fresh"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        folder = tmp_path / "classic-p4-random-s1"
        deadline = time.monotonic() + 30
        while not (folder / "plan.yaml").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(1.5)
        os.killpg(run.pid, signal.SIGINT)
        start = time.monotonic()
        out, err = run.communicate(timeout=20)
    assert time.monotonic() - start < 5
    assert run.returncode == 130
    assert out == ""
    assert f"simcli {' '.join(words)}\n" in err
    assert "Traceback" not in err
    assert not (folder / "run.yaml").exists()
    assert not list(folder.glob(".*"))


# ------------------------------------------------------------------------------------ without rows

SUMMARY = ("run", "classic", "podkidnoy", "--players", "3", "--bots", "lowest", "-n", "2k", "--summary")


def test_counts_end_with_the_tables_of_the_rows_and_the_comparison_as_next_command(simcli: Simcli) -> None:
    result = simcli(*SUMMARY)
    assert result.code == 0
    folder = "results/SUMMARY-classic+podkidnoy-p3-lowest-s1"
    assert result.out.splitlines()[-1] == f"Compare them: simcli compare {folder}"
    assert result.out.count(f"counts     {folder}") == 2
    rows = simcli(*SUMMARY[:-1]).out
    digests = re.findall(r"^digest +(\w{32})$", rows, re.MULTILINE)
    assert re.findall(r"^digest +(\w{32})$", result.out, re.MULTILINE) == digests
    assert len(digests) == 2


def test_counts_are_of_the_baseline_and_frame_that_are_named(simcli: Simcli) -> None:
    simcli(*SUMMARY, "--baseline", "podkidnoy", "--frame", "dealer", "--outcome", "first_out")
    folder = "results/SUMMARY-podkidnoy+classic-p3-lowest-s1-dealer-first_out"
    found = json.loads(simcli("compare", folder, "--format", "json").out)
    assert (found["baseline"], found["frame"], found["outcome"]) == ("podkidnoy", "dealer", "first_out")


def test_variants_that_cannot_sit_at_the_table_are_left_out_and_named(simcli: Simcli) -> None:
    result = simcli(
        "run", "classic", "partners", "--players", "3", "--bots", "lowest", "-n", "2k", "--summary"
    )
    assert result.code == 0
    assert "left out: partners, 3 players" in result.err
    assert Path("results/SUMMARY-classic-p3-lowest-s1").is_dir()


@pytest.mark.parametrize(
    "more, message",
    [
        (("--frame", "dealer"), "--frame: expected --summary with it"),
        (("--baseline", "classic"), "--baseline: expected --summary with it"),
        (("--summary", "--baseline", "duel"), "--baseline: expected classic, got duel"),
        (("--summary", "--until-half-width", "1"), "--until-half-width: expected a number of deals"),
        (("--summary", "--rotate", "--bots", "lowest,random,random,random"), "--rotate: expected none with"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    more: tuple[str, ...], message: str, simcli: Simcli
) -> None:
    words = more if "-n" in more or "--until-half-width" in more else ("-n", "2k", *more)
    result = simcli("run", "classic", *words)
    assert result.code == 2
    assert message in result.err


def test_a_deal_of_counts_is_not_replayed(simcli: Simcli) -> None:
    simcli(*SUMMARY)
    result = simcli("replay", "results/SUMMARY-classic+podkidnoy-p3-lowest-s1", "--deal", "0")
    assert result.code == 2
    assert "this folder holds counts without rows" in result.err
