"""Judge a file, whatever it is: a scenario or records of whole games."""

from __future__ import annotations

from pathlib import Path

from simcli.errors import refusal
from simcli.records.check_record import check_records
from simcli.records.referee import settle
from simcli.records.scenario import load_scenario
from simcli.records.verdict import Verdict
from simcli.rules.shipped import SUFFIXES
from simcli.rules.wording import printable_path

RECORD_SUFFIXES = (".jsonl", ".json")


def judge_file(path: Path) -> list[Verdict]:
    """Return the verdict about a scenario, or the verdicts about all records of a file.

    Raises
    ------
    InputError
        The file cannot be read, with every problem that was found in it.
    """
    name = printable_path(path)
    if path.name.lower().endswith(RECORD_SUFFIXES):
        return check_records(path, name)
    if path.name.lower().endswith(SUFFIXES):
        return [settle(load_scenario(path, name))]
    raise refusal(name, "expected a scenario (.yaml or .yml) or records (.jsonl), going by the ending")
