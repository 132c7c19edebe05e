"""`simcli init`: what it writes works as it says, and nothing is overwritten."""

import re
import shlex
from pathlib import Path

import pytest

from simcli.experiments import schema
from simcli.rules.load import load_variant
from simcli.rules.newfile import SCHEMA_FILE, schema_text
from simcli.rules.sheet import differences_in_words
from tests.cli.test_run import Simcli, simcli

__all__ = ["simcli"]


def test_the_project_loads_and_differs_from_classic(simcli: Simcli) -> None:
    result = simcli("init", "here")
    assert result.code == 0
    files = sorted(str(path) for path in Path("here").rglob("*") if path.is_file())
    expected = [
        "README.md",
        f"experiments/{schema.SCHEMA_FILE}",
        "experiments/my-question.yaml",
        "variants/my-table.yaml",
        f"variants/{SCHEMA_FILE}",
    ]
    assert files == [f"here/{name}" for name in expected]
    *written, after = result.err.splitlines()
    assert sorted(line.removeprefix("written: ") for line in written) == files
    assert after.startswith("next: cd here && simcli compare classic my-table")
    own = load_variant(Path("here/variants/my-table.yaml"))
    assert len(differences_in_words(own, load_variant("classic"))) == 2
    assert Path("here", "variants", SCHEMA_FILE).read_text() == schema_text()
    assert Path("here", "experiments", schema.SCHEMA_FILE).read_text() == schema.schema_text()
    question = Path("here", "experiments", "my-question.yaml").read_text()
    assert question.startswith(f"{schema.SCHEMA_LINE}\n")


def test_the_first_three_commands_work(simcli: Simcli) -> None:
    simcli("init")
    (block,) = re.findall(r"```sh\n(.*?)```", Path("README.md").read_text(), re.DOTALL)
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    assert len(commands) == 3
    for command in commands:
        few = {"compare": ["-n", "1k", "--bots", "lowest"], "experiment": ["-n", "500"]}.get(command[1], [])
        result = simcli(*command[1:], *few)
        assert result.code == 0
        assert "my-table" in result.out or "How we play" in result.out


@pytest.mark.parametrize("there", ["README.md", "variants/my-table.yaml"])
def test_a_file_that_is_there_stops_everything(there: str, simcli: Simcli) -> None:
    Path(there).parent.mkdir(exist_ok=True)
    Path(there).write_text("mine")
    result = simcli("init")
    assert result.code == 2
    assert result.err.startswith(f"{there}: expected no such file yet")
    assert [path for path in Path().rglob("*") if path.is_file()] == [Path(there)]
    assert Path(there).read_text() == "mine"
