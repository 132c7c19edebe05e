import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import simcli
from simcli.engine.jit import JIT_ENABLED
from simcli.runs import engine
from simcli.runs.engine import is_engine_compiled, load_engine
from simcli.runs.report import PlainReport


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


@pytest.mark.parametrize("looks_ahead, what", [(False, "the engine:"), (True, "the engine for bots that")])
def test_compiling_is_told_in_one_line_where_there_is_no_terminal(
    looks_ahead: bool, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "is_engine_compiled", lambda looks_ahead: False)
    for name in ("_compile_apart", "load_engine"):
        monkeypatch.setattr(engine, name, lambda looks_ahead: None)
    log = io.StringIO()
    engine.ready_engine(PlainReport(log), looks_ahead)
    assert log.getvalue().startswith(f"compiling {what}")
    assert log.getvalue().count("\n") == 1


def test_ctrl_c_while_the_engine_is_loaded_takes_effect_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []

    def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)
        steps.append("played")

    monkeypatch.setattr(engine, "play_batch", interrupted)
    monkeypatch.setattr(engine, "digest_of_rows", lambda *_: steps.append("summed"))
    with pytest.raises(KeyboardInterrupt):
        load_engine()
    assert steps == ["played", "summed"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
