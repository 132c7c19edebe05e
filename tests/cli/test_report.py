import json
import re
from pathlib import Path

import pytest

from simcli.bots.lineup import parse_lineup
from simcli.rules.load import load_variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import run_of
from tests.cli.test_run import Simcli, simcli
from tests.report.pages import dealt, played, shipped

__all__ = ["simcli"]

EXPERIMENT = """\
name: how-to-transfer
title: "How <to> transfer"
question: Does it matter when?
base: classic
vary:
  transfer.mode: [early, late]
  transfer.cards: [several, one]
players: [2]
bots: [lowest]
deals: 2k
"""


@pytest.fixture
def runs(tmp_path: Path) -> list[str]:
    folders = played(tmp_path / "results", shipped("classic", "podkidnoy", "no-draws"), (2, 3))
    return [str(folder.relative_to(tmp_path)) for folder in folders]


def test_runs_become_a_page_with_its_numbers_and_charts(simcli: Simcli, runs: list[str]) -> None:
    result = simcli(
        "report",
        *runs,
        "-o",
        "deep/down/page.html",
        "--json",
        "page.json",
        "--png",
        "charts",
        "--title",
        "Why?",
    )
    assert (result.code, result.out) == (0, "")
    text = Path("deep/down/page.html").read_text(encoding="utf-8")
    assert '<h1 dir="auto">Why?</h1>' in text
    data = json.loads(Path("page.json").read_bytes())
    assert [table["key"] for table in data["tables"]] == ["p2-lowest", "p3-lowest"]
    names = {chart["key"] for part in (*data["tables"], *data["chapters"]) for chart in part["charts"]}
    assert {path.stem for path in Path("charts").glob("*.png")} == names
    assert {path.name for path in Path("deep/down").iterdir()} == {"page.html"}


def test_it_says_what_was_written_how_large_it_is_and_what_comes_next(
    simcli: Simcli, runs: list[str]
) -> None:
    err = simcli("report", *runs, "-o", "page.html").err
    size = Path("page.html").stat().st_size
    assert re.search(rf"written: page\.html \({size / 1000:.0f} kB\)", err)
    command = re.search(r"next: simcli (compare \S+ \S+ --examples 3)", " ".join(err.split()))
    assert command is not None
    assert simcli(*command[1].split()).code == 0


def test_the_footer_of_the_page_repeats_it(simcli: Simcli, runs: list[str]) -> None:
    simcli("report", *runs, "-o", "page.html", "--margin", "1pp", "--json", "page.json")
    before = Path("page.html").read_bytes()
    command = json.loads(Path("page.json").read_bytes())["provenance"]["commands"][-1].split()
    assert command[:2] == ["simcli", "report"]
    assert simcli(*command[1:]).code == 0
    assert Path("report.html").read_bytes() == before


@pytest.mark.parametrize(
    "words, message",
    [
        (("results/none", "-o", "x.html"), "results/none: expected the folder of a run, there is none"),
        (("clasic", "-o", "x.html"), "unknown experiment"),
        (("RUN",), "simcli report: expected --output FILE.html, got none"),
        (("RUN", "-o", "x", "--json", "x"), "expected different places for --output, --png and --json"),
        (("RUN", "-o", "x", "--title", ""), "--title: expected 1 to 200 characters, got nothing"),
        (("RUN", "-o", "x", "--margin", "lots"), "--margin: expected points"),
        (("RUN", "-o", "x", "--deals", "5"), "--deals belongs to experiments, these are runs – leave it out"),
        (("house-rules", "-o", "x", "--baseline", "duel"), "--baseline belongs to runs"),
        (("house-rules", "podkidnoy", "-o", "x"), "expected folders of finished runs, got house-rules"),
        (("RUN", "-o", "RUN"), "expected a file that can be written, got a folder"),
        (("RUN", "-o", "x.pdf"), "--output: expected a name that ends in .html, got x.pdf"),
        (("RUN", "-o", "x", "--json", "RUN"), "expected a file that can be written, got a folder"),
        (
            ("RUN", "-o", "x", "--png", "RUN/run.yaml"),
            "run.yaml: expected a folder to write into, got a file",
        ),
        (("house-rules", "RUN", "-o", "x"), "expected folders of runs, or an experiment alone, got both"),
    ],
)
def test_what_cannot_be_reported_is_refused(
    simcli: Simcli, runs: list[str], words: tuple[str, ...], message: str
) -> None:
    result = simcli("report", *(word.replace("RUN", runs[0]) for word in words))
    assert (result.code, result.out) == (2, "")
    assert message in " ".join(result.err.split())
    assert "drawing" not in result.err
    assert not list(Path().glob("x*"))


def test_no_deals_are_offered_where_somebody_else_never_loses(simcli: Simcli, tmp_path: Path) -> None:
    folders = played(tmp_path / "results", shipped("classic"), (2,))
    match = Match(load_variant("classic").model_copy(update={"players": 2}), parse_lineup("lowest", 2), 2, 1)
    folders.append(run_of(tmp_path / "results", match, dealt(2, 800, 0.1, 5)))
    result = simcli("report", *map(str, folders), "-o", "page.html")
    assert result.code == 0
    assert "next:" not in result.err


def test_names_that_are_no_identifiers_are_refused(simcli: Simcli, runs: list[str]) -> None:
    for name in ("plan.yaml", "run.yaml"):
        file = Path(runs[1], name)
        edited = file.read_text(encoding="utf-8").replace("name: podkidnoy", "name: '<b>podkidnoy</b>'")
        file.write_text(edited, encoding="utf-8")
    result = simcli("report", *runs, "-o", "x.html")
    assert (result.code, result.out) == (2, "")
    assert re.search(r"plan\.yaml.*name: expected .*got <b>podkidnoy</b>", " ".join(result.err.split()))
    assert not Path("x.html").exists()


def test_an_experiment_is_reported_once_all_of_it_is_played(simcli: Simcli) -> None:
    Path("how.yaml").write_text(EXPERIMENT, encoding="utf-8")
    words = ("report", "./how.yaml", "-o", "page.html", "--json", "page.json")
    refused = simcli(*words)
    assert refused.code == 2
    assert "expected 4 finished runs, got 0 – play the rest: simcli experiment ./how.yaml" in " ".join(
        refused.err.split()
    )
    assert simcli("experiment", "./how.yaml").code == 0
    assert simcli(*words).code == 0
    data = json.loads(Path("page.json").read_bytes())
    assert (data["title"], data["question"]) == ("How <to> transfer", "Does it matter when?")
    assert data["experiment"]["name"] == "how-to-transfer"
    assert {row["factor"] for row in data["found"]["contrasts"]} == {
        "transfer.mode", "transfer.cards", "transfer.mode × transfer.cards"
    }  # fmt: skip
    assert "contrasts" in {chapter["key"] for chapter in data["chapters"]}
    assert data["provenance"]["commands"][0] == "simcli experiment ./how-to-transfer.yaml -n 2000"
    assert "How &lt;to&gt; transfer" in Path("page.html").read_text(encoding="utf-8")


def test_sessions_and_line_ups_have_chapters_of_their_own(simcli: Simcli) -> None:
    for bots in ("lowest", "random"):
        words = ("--players", "2", "--bots", bots, "-n", "1k", "--session", "20")
        assert simcli("run", "classic", "late-transfer", *words).code == 0
    folders = sorted(map(str, Path("results").iterdir()))
    assert simcli("report", *folders, "-o", "page.html", "--json", "page.json").code == 0
    data = json.loads(Path("page.json").read_bytes())
    assert [chapter["key"] for chapter in data["chapters"]] == ["streaks", "line-ups"]
    assert {row["lineup"] for row in data["found"]["streaks"]} == {"lowest", "random"}
    assert "Sessions" in [note["title"] for note in data["methods"]]


def test_runs_that_are_longer_than_asked_for_are_played_by_commands_of_their_own(simcli: Simcli) -> None:
    Path("how.yaml").write_text(EXPERIMENT.replace("deals: 2k", "deals: 200"))
    assert simcli("run", "classic", "--players", "2", "--bots", "lowest", "-n", "600").code == 0
    assert simcli("experiment", "how.yaml").code == 0
    assert simcli("report", "how.yaml", "-o", "page.html", "--json", "page.json").code == 0
    commands = json.loads(Path("page.json").read_bytes())["provenance"]["commands"]
    assert commands[0] == "simcli run classic --players 2 --bots lowest -n 600 --seed 1"
    assert commands[1].startswith("simcli experiment ./how-to-transfer.yaml -n 200")
