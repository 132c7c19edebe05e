"""`parts.sha256`: the checksums of a run's parts, in a file that `sha256sum --check` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from simcli.runs.partfile import write_whole

SUMS_FILE = "parts.sha256"
LINE = re.compile(r"([0-9a-f]{64}) [ *](part-\d{5,}\.(?:parquet|json\.gz))")


def load_sums(path: Path) -> dict[str, str]:
    """Return the checksum of each file that is named, nothing if there is no list that can be read.

    A line that says nothing counts as missing, for a part without a line is checked by its rows.
    """
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return {}
    matches = (LINE.fullmatch(line) for line in text.splitlines())
    return {match[2]: match[1] for match in matches if match is not None}


def unread_lines(path: Path) -> int:
    """Return how many lines of the list say nothing."""
    try:
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    return sum(LINE.fullmatch(line) is None for line in text.splitlines())


def write_sums(path: Path, sums: Mapping[str, str]) -> None:
    """Write the list, beside its place and then renamed."""
    write_whole(path, "".join(f"{sums[name]}  {name}\n" for name in sorted(sums, key=_place)).encode())


def _place(name: str) -> tuple[int, str]:
    return len(name), name
