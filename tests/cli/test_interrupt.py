"""Ctrl-C while the command line is still being loaded."""

import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupting())
sys.argv = ["simcli", "run", "classic", "-n", "1k", "--out", {out!r}]
from simcli.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["typer", "simcli.cli.main", "numba", "simcli.runs.conduct"])
def test_ctrl_c_while_modules_are_loaded_ends_without_a_traceback(module: str, tmp_path: Path) -> None:
    code = CODE.format(module=module, out=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stdout == done.stderr == ""
