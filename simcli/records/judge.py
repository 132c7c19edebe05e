"""Judge a file, whatever it is: a scenario or records of whole games."""

from __future__ import annotations

import io
import sys
from codecs import BOM_UTF8
from pathlib import Path
from typing import BinaryIO

from simcli.errors import InputError, refusal
from simcli.records.check_record import check_records
from simcli.records.recordfile import RecordFile, load_records, read_records
from simcli.records.referee import settle
from simcli.records.scenario import Scenario, load_scenario, read_scenario
from simcli.records.verdict import Verdict
from simcli.rules.shipped import SUFFIXES
from simcli.rules.textfile import MAX_BYTES, text_of
from simcli.rules.wording import printable_path
from simcli.rules.yamlfile import parse_yaml

RECORD_SUFFIXES = (".jsonl", ".json")
STDIN_NAME = "<stdin>"

Loaded = Scenario | RecordFile
"""What a file holds."""


def load_file(path: Path) -> Loaded:
    """Load a scenario or all records of a file; nothing is played yet.

    The ending tells one from the other, in a pipe the first character.

    Raises
    ------
    InputError
        The file cannot be read; of a scenario with every problem that was found in it.
    """
    name = printable_path(path)
    if _is_stream(path):
        try:
            with open(path, "rb") as stream:
                return load_stream(stream, name)
        except OSError as error:
            raise _unreadable(error, name) from None
    if path.name.lower().endswith(RECORD_SUFFIXES):
        return load_records(path, name)
    if path.name.lower().endswith(SUFFIXES):
        return load_scenario(path, name)
    raise refusal(name, "expected a scenario (.yaml or .yml) or records (.jsonl), going by the ending")


def _is_stream(path: Path) -> bool:
    """Return whether a path stands for a pipe or for what a device such as /dev/stdin is bound to."""
    try:
        return not path.is_dir() and path.exists() and (not path.is_file() or path.parts[:2] == ("/", "dev"))
    except (OSError, ValueError):
        return False


def load_stdin() -> Loaded:
    """Load a scenario or records from standard input; errors as for `load_stream`."""
    if sys.stdin is None:  # closed by the shell
        raise refusal(STDIN_NAME, "expected a scenario or records, got a closed standard input")
    try:
        return load_stream(sys.stdin.buffer, STDIN_NAME)
    except OSError as error:
        raise _unreadable(error, STDIN_NAME) from None


def _unreadable(error: OSError, where: str) -> InputError:
    return refusal(where, f"expected a readable file, got: {error.strerror or error}")


def load_stream(stream: BinaryIO, where: str) -> Loaded:
    """Load a scenario or records from an input that can be read only once.

    Records begin with ``{``; paths in a scenario start from the current directory.

    Raises
    ------
    InputError
        It cannot be read; of a scenario with every problem that was found in it.
    """
    head = stream.read(MAX_BYTES + 1)
    beginning = head.removeprefix(BOM_UTF8).lstrip()
    if beginning.startswith(b"{"):
        return read_records(io.BytesIO(head + stream.read()), where)
    if not beginning and len(head) <= MAX_BYTES:
        raise refusal(where, "expected a scenario or records, got nothing")
    return read_scenario(parse_yaml(text_of(head, where), where), Path())


def judge(loaded: Loaded) -> list[Verdict]:
    """Return the verdict about a scenario, or the verdicts about the records that can be read.

    Raises
    ------
    InputError
        Only playing a scenario shows that its steps cannot be: they go on after the end.
    """
    return [settle(loaded)] if isinstance(loaded, Scenario) else check_records(loaded.records)
