"""--verbose, --quiet, and what the error stream says."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from simcli.cli.main import app
from simcli.rules.shipped import shipped_folder
from tests.cli.test_run import SIMCLI, Simcli, simcli
from tests.test_docs import COMMANDS

__all__ = ["simcli"]


@pytest.fixture
def own_classic(simcli: Simcli) -> Simcli:
    """Return the commands in a folder with a classic of its own."""
    Path("variants").mkdir()
    Path("variants/classic.yaml").write_text("name: classic\ntransfer: {mode: late}\n")
    Path("variants/ours.yaml").write_text("name: ours\nextends: classic\n")
    return simcli


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_knows_verbose_and_quiet(name: str) -> None:
    options = {option for parameter in COMMANDS[name].params for option in parameter.opts}
    assert {"--verbose", "-v", "--quiet", "-q"} <= options


def test_a_local_file_that_stands_for_a_shipped_name_is_named_once(own_classic: Simcli) -> None:
    result = own_classic("variants", "hash", "classic", "classic")
    assert result.err == "variants/classic.yaml is used in place of the shipped variant classic\n"
    assert result.out.count("classic") == 2


def test_a_copy_of_a_shipped_file_goes_without_saying(simcli: Simcli) -> None:
    Path("variants").mkdir()
    text = (shipped_folder() / "podkidnoy.yaml").read_text(encoding="utf-8")
    Path("variants", "podkidnoy.yaml").write_text(text, encoding="utf-8")
    assert simcli("variants", "hash", "podkidnoy").err == ""
    assert "variants/podkidnoy.yaml" not in simcli("variants", "list").out
    Path("variants", "podkidnoy.yaml").write_text(f"{text}# ours\n", encoding="utf-8")
    assert "in place of the shipped variant podkidnoy" in simcli("variants", "hash", "podkidnoy").err


def test_a_local_file_that_is_used_by_its_name_is_named(own_classic: Simcli) -> None:
    assert own_classic("variants", "hash", "ours").err == "variants/ours.yaml is used for ours\n"


def test_a_path_and_a_shipped_name_go_without_saying(own_classic: Simcli) -> None:
    assert own_classic("variants", "hash", "variants/ours.yaml", "podkidnoy").err == ""


def test_extends_means_the_shipped_variant(own_classic: Simcli) -> None:
    out = own_classic("variants", "diff", "ours", "podkidnoy").out
    assert "Transfers are allowed as long as no attack card is covered" in out


def test_quiet_leaves_the_answer_and_no_remarks(own_classic: Simcli) -> None:
    loud = own_classic("variants", "hash", "classic")
    quiet = own_classic("variants", "hash", "classic", "-q")
    assert (quiet.out, quiet.err) == (loud.out, "")


def test_quiet_runs_show_no_progress_and_errors_are_still_told(simcli: Simcli) -> None:
    assert simcli("run", "podkidnoy", "--bots", "lowest", "-n", "1k", "--quiet").err == ""
    assert "unknown variant" in simcli("run", "nothing", "--quiet").err


def test_verbose_says_which_file_a_shipped_name_is(simcli: Simcli) -> None:
    version, file = simcli("variants", "hash", "podkidnoy", "--verbose").err.splitlines()
    assert version == simcli("--version").out.rstrip()
    assert file.startswith("podkidnoy: ")
    assert file.endswith("podkidnoy.yaml")


def test_verbose_and_quiet_together_are_refused(simcli: Simcli) -> None:
    result = simcli("variants", "hash", "classic", "-v", "-q")
    assert (result.code, result.out) == (2, "")
    assert "either --verbose or --quiet" in result.err


def at_terminal(*words: str, width: int = 40, **environment: str) -> str:
    """Return what a command shows at a terminal."""
    leader, follower = pty.openpty()
    variables = {**os.environ, "COLUMNS": str(width), "TERM": "xterm-256color", **environment}
    command = subprocess.Popen(
        [*SIMCLI, *words], stdout=follower, stderr=follower, stdin=follower, env=variables
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # the other side has been closed
            break
        if not part:
            break
        shown += part
    command.wait()
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


def test_errors_fit_a_narrow_terminal() -> None:
    shown = at_terminal("variants", "check", "clasic")
    assert "did you mean classic?" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 40


def test_a_rule_sheet_fits_a_narrow_terminal_and_has_no_colours_without_colour() -> None:
    shown = at_terminal("variants", "show", "classic", NO_COLOR="1")
    assert "Transferring" in shown
    assert "\x1b[3" not in shown
    plain = shown.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert max(map(len, plain.splitlines())) <= 40


def test_the_shell_completes_names_and_files_of_variants(
    simcli: Simcli, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simcli.cli.completion import variant_names

    Path("variants").mkdir()
    Path("variants/late-evening.yaml").write_text("name: late-evening\n")
    assert variant_names("late") == ["late-evening", "late-transfer"]
    assert variant_names("var") == ["variants/"]
    assert variant_names("variants/") == ["variants/late-evening.yaml"]


def test_completion_is_there() -> None:
    script = {
        **os.environ,
        "_SIMCLI_COMPLETE": "complete_bash",
        "COMP_WORDS": "simcli run late-",
        "COMP_CWORD": "2",
    }
    program = "from simcli.cli.main import app; app(prog_name='simcli')"
    done = subprocess.run(
        [sys.executable, "-c", program], env=script, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["late-transfer"]
    assert {"--install-completion", "--show-completion"} <= {
        option for parameter in typer.main.get_command(app).params for option in parameter.opts
    }
