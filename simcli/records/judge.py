"""Judge a file, whatever it is: a scenario or records of whole games."""

from __future__ import annotations

from pathlib import Path

from simcli.errors import refusal
from simcli.records.check_record import check_records
from simcli.records.recordfile import GameRecord, load_records
from simcli.records.referee import settle
from simcli.records.scenario import Scenario, load_scenario
from simcli.records.verdict import Verdict
from simcli.rules.shipped import SUFFIXES
from simcli.rules.wording import printable_path

RECORD_SUFFIXES = (".jsonl", ".json")

Loaded = Scenario | list[GameRecord]
"""What a file holds."""


def load_file(path: Path) -> Loaded:
    """Load a scenario or all records of a file; nothing is played yet.

    Raises
    ------
    InputError
        The file cannot be read, with every problem that was found in it.
    """
    name = printable_path(path)
    if path.name.lower().endswith(RECORD_SUFFIXES):
        return load_records(path, name)
    if path.name.lower().endswith(SUFFIXES):
        return load_scenario(path, name)
    raise refusal(name, "expected a scenario (.yaml or .yml) or records (.jsonl), going by the ending")


def judge(loaded: Loaded) -> list[Verdict]:
    """Return the verdict about a scenario, or the verdicts about some records.

    Raises
    ------
    InputError
        Only playing a scenario shows that its steps cannot be: they go on after the end.
    """
    return [settle(loaded)] if isinstance(loaded, Scenario) else check_records(loaded)
