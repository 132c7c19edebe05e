"""`import simcli` offers what researchers need, and imports nothing heavy for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import simcli

HEAVY = ("numba", "numpy", "polars", "pydantic", "typer", "pettingzoo")


def test_importing_simcli_imports_nothing_heavy() -> None:
    code = f"import sys, simcli; dir(simcli); print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", simcli.__all__)
def test_every_public_name_is_there_and_listed(name: str) -> None:
    assert getattr(simcli, name) is getattr(simcli, name)
    assert name in dir(simcli)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'simcli' has no attribute 'Dael'"):
        simcli.Dael  # type: ignore[attr-defined]  # noqa: B018
