"""`parts.sha256`: the checksums of a run's parts, in a file that `sha256sum --check` reads."""

from __future__ import annotations

import re
from collections.abc import Mapping

from simcli.runs.store.store import Store

SUMS_FILE = "parts.sha256"
LINE = re.compile(r"([0-9a-f]{64}) [ *](part-\d{5,}\.(?:parquet|json\.gz))")


def load_sums(store: Store) -> dict[str, str]:
    """Return the checksum of each file that is named, nothing if there is no list that can be read.

    A line that says nothing counts as missing, for a part without a line is checked by its rows.
    """
    matches = (LINE.fullmatch(line) for line in _lines(store))
    return {match[2]: match[1] for match in matches if match is not None}


def unread_lines(store: Store) -> int:
    """Return how many lines of the list say nothing."""
    return sum(LINE.fullmatch(line) is None for line in _lines(store))


def write_sums(store: Store, sums: Mapping[str, str]) -> None:
    """Write the list, whole or not at all."""
    text = "".join(f"{sums[name]}  {name}\n" for name in sorted(sums, key=_place))
    store.write(SUMS_FILE, text.encode())


def _place(name: str) -> tuple[int, str]:
    return len(name), name


def _lines(store: Store) -> list[str]:
    try:
        return store.read(SUMS_FILE).decode("ascii", errors="replace").splitlines()
    except OSError:
        return []
