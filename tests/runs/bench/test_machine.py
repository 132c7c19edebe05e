import os
import platform
from pathlib import Path

import pytest

from simcli.runs.bench.machine import busy_warning, cpu_name, machine


def test_the_processor_is_named_as_the_system_names_it(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nmodel name\t: Abacus 3000 \nmodel name\t: Abacus 3000\n")
    assert cpu_name(info) == "Abacus 3000"


def test_a_processor_without_a_name_has_a_kind(tmp_path: Path) -> None:
    assert cpu_name(tmp_path / "none") in (platform.processor(), platform.machine())


def test_nothing_names_the_machine_or_its_folders() -> None:
    text = " ".join(machine(2).values())
    assert platform.node() not in text
    assert str(Path.home()) not in text
    assert str(Path.cwd()) not in text


def test_a_busy_machine_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getloadavg", lambda: (1.0, 0.0, 0.0))
    assert busy_warning(8) is None
    assert "load 1.0" in (busy_warning(2) or "")
