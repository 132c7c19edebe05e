"""The README shows what its commands do, and its piece of Python runs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from simcli.engine.jit import JIT_ENABLED
from tests import readme_result
from tests.readme_result import README, RESULTS, Result, block, lasting, printed, shown

TEXT = README.read_text(encoding="utf-8")


@pytest.mark.skipif(not JIT_ENABLED, reason="so many deals need the compiled engine")
@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.mark)
def test_the_readme_shows_what_its_command_prints(result: Result) -> None:
    assert lasting(shown(result)) == lasting(block(printed(result))), "python -m tests.readme_result --write"


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: result.mark)
def test_the_command_stands_above_its_result(result: Result) -> None:
    assert f"simcli {' '.join(result.command)}\n```\n\n{result.begin}" in TEXT


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(readme_result) == (0, 1)


@pytest.mark.skipif(not JIT_ENABLED, reason="so many deals need the compiled engine")
def test_the_python_of_the_readme_prints_a_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"^```python\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    exec(code, {"__name__": "readme"})
    assert capsys.readouterr().out.startswith("Late transfer, four lowest players: ")
