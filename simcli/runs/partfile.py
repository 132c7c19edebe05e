"""One part of a run as a Parquet file: complete or absent, and carrying its plan."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from simcli.bots.batch import Rows
from simcli.runs.columns import frame_of_rows, rows_of_frame
from simcli.runs.digest import digest_of_rows, digest_text
from simcli.runs.identity import engine_text, plays_alike
from simcli.runs.plan import Match, Part, Plan
from simcli.runs.summary import Summary, n_positions, summary_of_rows

if TYPE_CHECKING:
    import polars as pl

    from simcli.runs.store.store import Store

METADATA_KEY = "simcli"
CHECKSUM_KEY = "simcli-sha256"
FORMAT = "simcli-part/1"
COMPRESSION_LEVEL = 1
TEMPORARY_END = ".tmp"
CUT_SHORT = "it is cut short or damaged, or was not written by simcli"


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
    checksum : str
        SHA-256 of its file; empty as long as there is none.
    engine : Mapping of str
        What names the engine that played it.
    seconds : float
        Time a worker took to play and write it; 0 where it was there already.
    """

    part: Part
    digest: int
    summary: Summary
    checksum: str = field(default="", compare=False)
    engine: Mapping[str, str] = field(default_factory=dict, compare=False)
    seconds: float = field(default=0.0, compare=False)


class DamagedPart(Exception):
    """A file is not the part it should be; its argument says why."""


def match_metadata(match: Match) -> dict[str, Any]:
    """Return what every part of a run carries besides its own range and the engine that played it."""
    return {"format": FORMAT, **match.identity()}


def part_bytes(rows: Rows, match: Match, engine: dict[str, str], record: PartRecord) -> bytes:
    """Return a part as the content of a Parquet file."""
    from simcli.rules.canonical import resolved

    part = record.part
    about = {
        **match_metadata(match),
        "engine": dict(engine),
        "variant": resolved(match.variant),
        "part": part.index,
        "first": part.first,
        "end": part.end,
        "digest": digest_text(record.digest),
        "summary": record.summary.as_mapping(),
    }
    text = json.dumps(about)
    frame = frame_of_rows(rows, part.first, match.session, match.players)
    buffer = io.BytesIO()
    frame.write_parquet(
        buffer,
        compression_level=COMPRESSION_LEVEL,
        metadata={METADATA_KEY: text, CHECKSUM_KEY: checksum_of(text.encode())},
    )
    return buffer.getvalue()


def checksum_of(content: bytes) -> str:
    """Return the SHA-256 of some bytes as hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that appears complete or not at all, beside its place and then renamed.

    A link stays one: the file that it points to is written.
    """
    path = Path(os.path.realpath(path))
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


def read_record(store: Store, plan: Plan, part: Part, known: str | None = None) -> PartRecord | None:
    """Return what a part's file says once every byte of it is vouched for, None if there is no file.

    Parameters
    ----------
    store : Store
        The folder that it lies in.
    plan : Plan
        The run it belongs to.
    part : Part
        The deals it holds.
    known : str, optional
        The checksum that the file had when it was written. Without one the rows themselves are read again.

    Raises
    ------
    DamagedPart
        The file is cut short, unreadable, altered, or belongs to another run, range or engine.
    """
    try:
        content = store.read(part.file_name)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DamagedPart(f"it cannot be read ({error.strerror})") from None
    record = _described(content, plan, part)
    checksum = checksum_of(content)
    if known is None:
        _refuse_other_rows(content, plan.match, record)
    elif checksum != known:
        raise DamagedPart("its bytes are not those that were written")
    return replace(record, checksum=checksum)


def refuse_stranger(about: Mapping[str, Any], match: Mapping[str, Any], plan: Plan, part: Part) -> None:
    """Raise a `DamagedPart` if what a part says of itself is of another run, range or engine.

    `match` is what it should say of what is played.
    """
    for key, value in {**match, "first": part.first, "end": part.end}.items():
        if about.get(key) != value:
            raise DamagedPart(f"it belongs to another run ({key} {about.get(key)}, expected {value})")
    engine = about.get("engine", {})
    if not plays_alike(engine, plan.engine):
        theirs, planned = engine_text(engine), engine_text(plan.engine)
        raise DamagedPart(f"it was played by another engine, {theirs}, expected {planned}")


def _described(content: bytes, plan: Plan, part: Part) -> PartRecord:
    """Return what the content of a part's file says of itself, if that is the part of the plan."""
    import polars as pl

    about = told_about(io.BytesIO(content))
    try:
        height = pl.scan_parquet(io.BytesIO(content)).select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        raise DamagedPart(CUT_SHORT) from None
    refuse_stranger(about, match_metadata(plan.match), plan, part)
    if height != part.n_deals:
        raise DamagedPart(f"it holds {height:,} deals instead of {part.n_deals:,}")
    summary = Summary.from_mapping(about["summary"])
    return PartRecord(part, int(about["digest"], 16), summary, engine=about.get("engine", {}))


def told_about(file: BinaryIO) -> dict[str, Any]:
    """Return what a part's file says of itself; its rows are left unread.

    Raises
    ------
    DamagedPart
        It cannot be read, or is no part.
    """
    import polars as pl

    try:
        metadata = pl.read_parquet_metadata(file)
        text, checksum = metadata[METADATA_KEY], metadata[CHECKSUM_KEY]
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, KeyError, ValueError):
        raise DamagedPart(CUT_SHORT) from None
    if checksum_of(text.encode()) != checksum:
        raise DamagedPart("its description of itself is damaged")
    about: dict[str, Any] = json.loads(text)
    return about


def _refuse_other_rows(content: bytes, match: Match, record: PartRecord) -> None:
    """Raise a `DamagedPart` if the rows are not those that the part says it holds."""
    import polars as pl

    part = record.part
    try:
        frame = pl.read_parquet(io.BytesIO(content))
        rows = rows_of_frame(frame)
        is_same = record_of_rows(rows, match, part) == record
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        raise DamagedPart("its rows are damaged") from None
    written = frame_of_rows(rows, part.first, match.session, match.players)
    if frame.schema != written.schema:
        raise DamagedPart("its columns are not those of a part, or not of their types")
    if not is_same or not frame.equals(written):
        raise DamagedPart("its rows are not those that it was written with")


def scan_file(path: Path) -> pl.LazyFrame:
    """Return the rows of a part as a lazy frame, also where its path is no text that polars can take."""
    import polars as pl

    try:
        str(path).encode()
    except UnicodeEncodeError:
        return pl.scan_parquet(io.BytesIO(path.read_bytes()))
    return pl.scan_parquet(path, glob=False)


def rows_of_content(content: bytes) -> Rows:
    """Return the batch that a part was made of, whatever its metadata say."""
    import polars as pl

    return rows_of_frame(pl.read_parquet(io.BytesIO(content)))


def scan_part(path: Path, match: Match, part: Part) -> PartRecord:
    """Return the digest and the counts of a part from its rows, whatever its metadata say."""
    return record_of_rows(rows_of_content(path.read_bytes()), match, part)


def record_of_rows(rows: Rows, match: Match, part: Part) -> PartRecord:
    """Return the digest and the counts of a part's rows."""
    digest = digest_of_rows(rows, part.first, match.session, match.players)
    return PartRecord(part, digest, summary_of_rows(rows, n_positions(match.variant)))
