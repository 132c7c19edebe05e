import json
import subprocess
import sys
from pathlib import Path

import pytest

from simcli.errors import RunError
from simcli.runs.bench import commands, watch
from simcli.runs.bench.commands import Errand, measure_commands
from simcli.runs.bench.steps import Quiet


def watched(code: str) -> dict[str, float]:
    words = [sys.executable, "-S", watch.__file__, sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_memory_of_a_command_is_its_own() -> None:
    small, large = watched(""), watched("x = b'x' * 50_000_000")
    assert 45e6 < large["peak_bytes"] - small["peak_bytes"] < 60e6


def test_the_memory_of_what_a_command_starts_counts() -> None:
    inner = "import subprocess, sys; subprocess.run([sys.executable, '-c', \"x = b'x' * 50_000_000\"])"
    assert watched(inner)["peak_bytes"] > 50e6


def test_a_run_is_measured_with_its_files(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("run", "classic", "-n", "500", "--bots", "lowest")
    monkeypatch.setattr(commands, "errands", lambda: [Errand(words, commands.WARM)])
    (cost,) = measure_commands(Quiet())
    assert (cost.command, cost.cache) == ("simcli run classic -n 500 --bots lowest", commands.WARM)
    assert cost.bytes_per_deal is not None
    assert cost.bytes_per_deal > 1
    assert cost.seconds > 0


def test_an_empty_cache_is_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    caches = []

    def watched(words: list[str], folder: Path, environment: dict[str, str]) -> dict[str, float]:
        caches.append(environment.get("SIMCLI_CACHE_DIR"))
        return {"seconds": 1.0, "peak_bytes": 1}

    few = ("run", "classic")
    monkeypatch.setattr(commands, "_watched", watched)
    monkeypatch.setattr(
        commands, "errands", lambda: [Errand(few, commands.WARM), Errand(few, commands.EMPTY, 2)]
    )
    measure_commands(Quiet())
    assert caches[0] is None
    assert None not in caches[1:]
    assert len(set(caches)) == 3


def test_a_command_that_writes_nothing_has_no_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "errands", lambda: [Errand(("--help",), commands.WARM)])
    (cost,) = measure_commands(Quiet())
    assert cost.bytes_per_deal is None


def test_a_command_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "errands", lambda: [Errand(("run", "clasic"), commands.WARM)])
    with pytest.raises(RunError, match=r"(?s)simcli run clasic failed:.*did you mean classic"):
        measure_commands(Quiet())
