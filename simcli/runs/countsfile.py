"""One part of several variants that are counted together: counts in place of rows, complete or absent.

A file is two lines of JSON, compressed: what the part says of itself, and its counts. What the counts mean is
the business of who counts; here they are numbers under names.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from simcli.runs.digest import add_digests, digest_text
from simcli.runs.jointmatch import JointMatch
from simcli.runs.partfile import DamagedPart, PartRecord, checksum_of, refuse_stranger
from simcli.runs.plan import Match, Part, Plan
from simcli.runs.store.store import Store
from simcli.runs.summary import Summary

FORMAT = "simcli-counts/1"
COMPRESSION_LEVEL = 6
CUT_SHORT = "it is cut short or damaged, or was not written by simcli"


@dataclass(frozen=True)
class CountsRecord(PartRecord):
    """Hold what a finished part says of itself, in all and variant by variant.

    Attributes
    ----------
    digest : int
        Digest of the rows of all variants.
    summary : Summary
        Counts of the baseline's rows.
    digests, summaries : tuple
        Of each variant, the baseline first.
    """

    digests: tuple[int, ...] = ()
    summaries: tuple[Summary, ...] = ()


def counts_record(part: Part, digests: Sequence[int], summaries: Sequence[Summary]) -> CountsRecord:
    """Return what a part says of itself, whose variants have these digests and counts."""
    return CountsRecord(
        part, add_digests(*digests), summaries[0], digests=tuple(digests), summaries=tuple(summaries)
    )


def counts_metadata(match: Match) -> dict[str, Any]:
    """Return what every part says of what is played and counted."""
    return {"format": FORMAT, **match.identity()}


def counts_bytes(
    record: CountsRecord, match: JointMatch, engine: Mapping[str, str], counts: Mapping[str, Any]
) -> bytes:
    """Return a part as the content of its file; equal parts have equal contents."""
    told = json.dumps(counts, separators=(",", ":"))
    part = record.part
    about = {
        **counts_metadata(match),
        "engine": dict(engine),
        "part": part.index,
        "first": part.first,
        "end": part.end,
        "variants": [variant.name for variant in match.variants],
        "digests": [digest_text(digest) for digest in record.digests],
        "summaries": [summary.as_mapping() for summary in record.summaries],
        "sha256": checksum_of(told.encode()),
    }
    return gzip.compress(f"{json.dumps(about)}\n{told}\n".encode(), COMPRESSION_LEVEL, mtime=0)


def read_counts_record(store: Store, plan: Plan, part: Part, known: str | None = None) -> CountsRecord | None:
    """Return what a part's file says of itself, None if there is no file.

    Parameters
    ----------
    store, plan, part
        The folder that it lies in, and what it belongs to.
    known : str, optional
        The checksum that the file had when it was written.

    Raises
    ------
    DamagedPart
        The file is cut short, unreadable, altered, or belongs to others, to another range or engine.
    """
    try:
        content = _content(store, part)
    except FileNotFoundError:
        return None
    checksum = checksum_of(content)
    record, _ = _told(content, plan, part)
    if known not in (None, checksum):
        raise DamagedPart("its bytes are not those that were written")
    return replace(record, checksum=checksum)


def read_counts(store: Store, plan: Plan, part: Part) -> tuple[CountsRecord, Mapping[str, Any]]:
    """Return what a part's file says of itself, and its counts; errors as for `read_counts_record`."""
    try:
        record, told = _told(_content(store, part), plan, part)
    except FileNotFoundError as error:
        raise DamagedPart(f"it cannot be read ({error.strerror})") from None
    counts: Mapping[str, Any] = json.loads(told)
    return record, counts


def _content(store: Store, part: Part) -> bytes:
    try:
        return store.read(part.file_name)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise DamagedPart(f"it cannot be read ({error.strerror})") from None


def _told(content: bytes, plan: Plan, part: Part) -> tuple[CountsRecord, bytes]:
    """Return what the content of a part's file says of itself, and its counts as they lie there."""
    about, told = _opened(content)
    match = plan.match
    refuse_stranger(about, counts_metadata(match), plan, part)
    names = [variant.name for variant in match.variants] if isinstance(match, JointMatch) else []
    if about["variants"] != names:
        raise DamagedPart("its variants stand in another order than the plan's")
    digests = [int(digest, 16) for digest in about["digests"]]
    summaries = [Summary.from_mapping(summary) for summary in about["summaries"]]
    return counts_record(part, digests, summaries), told


def told_about_counts(file: BinaryIO) -> dict[str, Any]:
    """Return what a part's file says of itself; a `DamagedPart` if it cannot be read or is none."""
    about, _ = _opened(file.read())
    return about


def _opened(content: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the two lines of a file, the first one read."""
    try:
        first, told, _ = gzip.decompress(content).split(b"\n")
        about: dict[str, Any] = json.loads(first)
        is_whole = about["sha256"] == checksum_of(told)
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError):
        raise DamagedPart(CUT_SHORT) from None
    if not is_whole:
        raise DamagedPart("its counts are not those that it was written with")
    return about, told
