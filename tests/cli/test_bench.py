import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from simcli.cli import bench as command
from simcli.cli.main import main
from simcli.runs.bench import commands, scaling
from simcli.runs.bench.commands import Errand
from simcli.runs.bench.page import BEGIN, END

Bench = Callable[..., tuple[int, str, str]]
TINY = ("--seconds", "0.01")


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Bench:
    """Return a function that gives `simcli bench` in a folder of its own: exit code, output, notices."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def given(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["simcli", "bench", *words])
        with pytest.raises(SystemExit) as caught:
            main()
        return int(caught.value.code or 0), *capsys.readouterr()

    return given


def test_every_bot_that_does_not_look_ahead_is_measured_at_every_usual_table(bench: Bench) -> None:
    code, out, _ = bench(*TINY)
    assert code == 0
    rows = [line.split()[:3] for line in out.splitlines() if line.startswith("classic")]
    assert rows == [
        ["classic", bot, players]
        for bot in ("random", "lowest", "thrifty", "counting")
        for players in ("2", "3", "4", "6")
    ]
    assert all(len(line) <= 80 for line in out.splitlines())


def test_json_has_every_section_and_only_what_was_asked_for_is_filled(bench: Bench) -> None:
    code, out, _ = bench("podkidnoy", "--bots", "lowest", "--players", "3", *TINY, "--triggers", "--json")
    assert code == 0
    figures = json.loads(out)
    assert list(figures) == [
        "format", "machine", "cpu_s", "engine", "yardstick", "triggers", "commands", "workers"
    ]  # fmt: skip
    assert figures["format"] == "simcli-bench/1"
    assert figures["cpu_s"] == 0.01
    (speed,) = figures["engine"]
    assert list(speed) == ["variant", "players", "bots", "deals_per_s", "decisions"]
    assert (speed["variant"], speed["players"], speed["bots"]) == ("podkidnoy", 3, "lowest")
    (cost,) = figures["triggers"]
    assert (cost["variant"], cost["players"], cost["watched"]) == ("podkidnoy", 4, 1)
    assert figures["yardstick"] == figures["commands"] == figures["workers"] == []


def test_all_of_it_outside_a_checkout_leaves_the_yardstick_out(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "errands", lambda: [Errand(("--version",), "")])
    monkeypatch.setattr(scaling, "_speed", float)
    code, out, err = bench("podkidnoy", "--players", "2", "--bots", "lowest", *TINY, "--all")
    assert code == 0
    assert "without the yardstick" in err
    assert "The cost of noting what decided" in out
    assert "simcli --version" in out
    assert "times one" in out


def test_the_figures_go_into_a_page(bench: Bench) -> None:
    Path("page.md").write_text(f"# Speed\n{BEGIN}{END}")
    code, out, _ = bench("--players", "2", "--bots", "lowest", *TINY, "--markdown", "page.md")
    assert code == 0
    assert "| classic | lowest | 2 |" in Path("page.md").read_text()
    assert "The engine on one core" in out


@pytest.mark.parametrize(
    "words, message",
    [
        (("clasic",), "did you mean classic?"),
        (("--bots", "lowset"), "did you mean lowest?"),
        (("--players", "7"), "--players: expected a whole number from 2 to 6, got 7"),
        (("--seconds", "0"), "--seconds: expected seconds from 0.001 to 60, got 0"),
        (("--seconds", "long"), "got long"),
        (("--seconds", ""), "got nothing"),
        (("--yardstick", "none.c"), "none.c: expected the yardstick's C source"),
        (("--markdown", "."), "cannot be read"),
        (("partners", "--players", "3"), "partners: players"),
    ],
)
def test_wrong_input_ends_with_one_message_before_anything_is_measured(
    bench: Bench, words: tuple[str, ...], message: str
) -> None:
    code, out, err = bench(*words)
    assert code == 2
    assert message in err
    assert out == ""
    assert "measuring" not in err


def test_the_yardstick_of_a_checkout_is_found(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    from simcli.runs.bench import yardstick

    monkeypatch.setattr(yardstick, "COMPILER", sys.executable)
    assert command._found_yardstick() is None
    command.YARDSTICK.parent.mkdir(parents=True)
    command.YARDSTICK.write_text("")
    assert command._found_yardstick() == command.YARDSTICK
