import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from simcli.bots.batch import Rows
from simcli.runs.columns import COLUMNS, frame_of_rows, rows_of_frame
from simcli.runs.digest import add_digests, digest_of_rows, digest_text
from tests.runs.conftest import match_of
from tests.runs.test_columns import batch

DOCS = Path(__file__).parents[2] / "docs"


def documented() -> dict[str, Any]:
    """Run the program of the documentation that computes a digest."""
    for name in ("formats.md", "digest-section.md"):
        text = (DOCS / name).read_text() if (DOCS / name).exists() else ""
        code = re.search(r"```python\n(import sys\n.*?def digest\(.*?)```", text, re.DOTALL)
        if code:
            names: dict[str, Any] = {"__name__": "documented"}
            exec(code.group(1), names)
            return names
    raise AssertionError("the documentation has no program for the digest")


@pytest.mark.parametrize("variant, players", [("classic", 4), ("regular", 3), ("duel", 2), ("full-pack", 6)])
def test_the_documented_program_computes_the_digest(variant: str, players: int) -> None:
    rows = batch(variant, players, n=5000)
    frame = frame_of_rows(rows, 10_000_000_000, 1, players)
    assert documented()["digest"](frame) == digest_of_rows(rows, 10_000_000_000, 1, players)


def test_the_digest_depends_on_neither_parts_nor_order() -> None:
    rows = batch(n=5000, session=5)
    whole = digest_of_rows(rows, 0, 5, 4)
    parts = [
        digest_of_rows(np.ascontiguousarray(rows[:, at : at + 500]), at, 5, 4) for at in range(0, 5000, 500)
    ]
    assert add_digests(*reversed(parts)) == whole
    shuffled = frame_of_rows(rows, 0, 5, 4).sample(fraction=1.0, shuffle=True, seed=1)
    assert documented()["digest"](shuffled) == whole


@pytest.mark.parametrize(
    "column", [column.name for column in COLUMNS if column.source >= 0 and column.seat < 4]
)
def test_every_column_counts(column: str) -> None:
    rows = batch(n=10)
    changed: Rows = rows.copy()
    source = next(entry.source for entry in COLUMNS if entry.name == column)
    changed[source, 7] ^= 1
    assert digest_of_rows(changed, 0, 1, 4) != digest_of_rows(rows, 0, 1, 4)


def test_the_index_of_a_deal_counts() -> None:
    rows = batch(n=10)
    assert digest_of_rows(rows, 1, 1, 4) != digest_of_rows(rows, 0, 1, 4)
    assert digest_of_rows(rows, 0, 2, 4) != digest_of_rows(rows, 0, 1, 4)


def test_null_and_zero_differ() -> None:
    frame = frame_of_rows(batch(n=10), 0, 1, 4)
    filled = frame.with_columns(pl.col("place_5").fill_null(0))
    digest = documented()["digest"]
    assert digest(filled) != digest(frame)


def test_a_digest_is_written_as_32_digits() -> None:
    rows = batch(n=10)
    assert re.fullmatch("[0-9a-f]{32}", digest_text(digest_of_rows(rows, 0, 1, 4)))


def test_the_digest_of_a_file_is_that_of_its_batch() -> None:
    rows = batch("regular", n=500)
    match = match_of("regular")
    again = rows_of_frame(frame_of_rows(rows, 0, 1, match.players))
    assert digest_of_rows(again, 0, 1, match.players) == digest_of_rows(rows, 0, 1, match.players)
