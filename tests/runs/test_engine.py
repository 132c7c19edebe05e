import os
import subprocess
import sys
from pathlib import Path

import pytest

import simcli
from simcli.engine.jit import JIT_ENABLED
from simcli.runs.engine import is_engine_compiled, load_engine


def test_the_engine_counts_as_compiled_once_it_was_loaded() -> None:
    load_engine()
    assert is_engine_compiled()


def test_what_another_copy_of_simcli_has_compiled_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_engine()
    monkeypatch.setattr(simcli, "__file__", str(tmp_path / "simcli" / "__init__.py"))
    assert is_engine_compiled() is not JIT_ENABLED


def test_on_a_new_machine_the_engine_is_not_compiled(tmp_path: Path) -> None:
    code = "from simcli.runs.engine import is_engine_compiled; print(is_engine_compiled())"
    environment = {**os.environ, "SIMCLI_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
