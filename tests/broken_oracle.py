"""Play scenarios by wrong rules: the oracle with a line changed, to see which scenarios notice it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from tests import oracle, oracle_scenarios
from tests.rule_index import Edits

SOURCE = Path(oracle.__file__)


class OracleReadsOtherwise(Exception):
    """The text that is to be replaced does not stand in tests/oracle.py exactly once."""


@cache
def _source() -> str:
    return SOURCE.read_text(encoding="utf-8")


def broken_oracle(edits: Edits) -> ModuleType:
    """Return the oracle with some of its text replaced.

    Raises
    ------
    OracleReadsOtherwise
        If a text to be replaced does not occur, or occurs twice.
    """
    source = _source()
    for replace, by in edits:
        if source.count(replace) != 1:
            raise OracleReadsOtherwise(f"{SOURCE.name} has {source.count(replace)} times: {replace}")
        source = source.replace(replace, by)
    module = ModuleType("tests.oracle")
    exec(compile(source, f"{SOURCE.name}, broken", "exec"), module.__dict__)
    return module


def fails(path: Path) -> bool:
    """Say whether a scenario fails by the oracle at hand, be it that the rules break down over it."""
    try:
        oracle_scenarios.play_scenario(path)
    except Exception:
        return True
    return False


def noticing(edits: Edits, scenarios: Sequence[Path]) -> set[str]:
    """Name the scenarios, of those given, that fail when the oracle is broken."""
    module = broken_oracle(edits)
    names = ("Deal", "IllegalAction", "pack_of")
    with patch.multiple(oracle_scenarios, **{name: getattr(module, name) for name in names}):
        return {path.stem for path in scenarios if fails(path)}
