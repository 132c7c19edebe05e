"""One part of a run as a Parquet file: complete or absent, and carrying its plan."""

from __future__ import annotations

import hashlib
import io
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcli.bots.batch import Rows
from simcli.runs.columns import frame_of_rows, rows_of_frame
from simcli.runs.digest import digest_of_rows, digest_text
from simcli.runs.plan import Game, Part, Plan
from simcli.runs.summary import Summary, n_positions, summary_of_rows

METADATA_KEY = "simcli"
CHECKSUM_KEY = "simcli-sha256"
FORMAT = "simcli-part/1"
COMPRESSION_LEVEL = 1
TEMPORARY_END = ".tmp"


@dataclass(frozen=True)
class PartRecord:
    """Hold what a finished part says of itself.

    Attributes
    ----------
    part : Part
        Its range.
    digest : int
        Digest of its rows.
    summary : Summary
        Counts of its rows.
    """

    part: Part
    digest: int
    summary: Summary


class DamagedPart(Exception):
    """A file is not the part it should be; its argument says why."""


def plan_metadata(game: Game, engine: dict[str, str]) -> dict[str, Any]:
    """Return what every part of a run carries besides its own range."""
    return {"format": FORMAT, **game.identity(), "engine": dict(engine)}


def part_bytes(rows: Rows, game: Game, engine: dict[str, str], record: PartRecord) -> bytes:
    """Return a part as the content of a Parquet file."""
    from simcli.rules.canonical import resolved

    part = record.part
    about = {
        **plan_metadata(game, engine),
        "variant": resolved(game.variant),
        "part": part.index,
        "first": part.first,
        "end": part.end,
        "digest": digest_text(record.digest),
        "summary": record.summary.as_mapping(),
    }
    text = json.dumps(about)
    frame = frame_of_rows(rows, part.first, game.session, game.players)
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression_level=COMPRESSION_LEVEL,
        metadata={METADATA_KEY: text, CHECKSUM_KEY: _checksum(text)},
    )
    return buffer.getvalue()


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that appears complete or not at all, beside its place and then renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY_END}")
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def read_record(path: Path, plan: Plan, part: Part) -> PartRecord | None:
    """Return what a part's file says, None if there is no file.

    Raises
    ------
    DamagedPart
        The file is cut short, unreadable, or belongs to another run, range or engine.
    """
    import polars as pl

    if not path.is_file():
        return None
    try:
        metadata = pl.read_parquet_metadata(path)
        text, checksum = metadata[METADATA_KEY], metadata[CHECKSUM_KEY]
        height = pl.scan_parquet(path).select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, KeyError, ValueError):
        raise DamagedPart("it is cut short or damaged, or was not written by simcli") from None
    if _checksum(text) != checksum:
        raise DamagedPart("its description of itself is damaged")
    about = json.loads(text)
    expected = {**plan_metadata(plan.game, plan.engine), "first": part.first, "end": part.end}
    for key, value in expected.items():
        if about.get(key) != value:
            raise DamagedPart(f"it belongs to another run ({key} {about.get(key)}, expected {value})")
    if height != part.n_deals:
        raise DamagedPart(f"it holds {height:,} deals instead of {part.n_deals:,}")
    return PartRecord(part, int(about["digest"], 16), Summary.from_mapping(about["summary"]))


def scan_part(path: Path, game: Game, part: Part) -> PartRecord:
    """Return the digest and the counts of a part from its rows, whatever its metadata say."""
    import polars as pl

    rows = rows_of_frame(pl.read_parquet(path))
    return record_of_rows(rows, game, part)


def record_of_rows(rows: Rows, game: Game, part: Part) -> PartRecord:
    """Return the digest and the counts of a part's rows."""
    digest = digest_of_rows(rows, part.first, game.session, game.players)
    return PartRecord(part, digest, summary_of_rows(rows, n_positions(game.variant)))
