"""What names the engine: simcli's version, the signature of how it plays, a hash of its sources."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from simcli import __version__

SIGNATURE_FILE = Path(__file__).with_name("signature.txt")
SIGNATURE_LENGTH = 8
SOURCES_LENGTH = 16
COMMENT = "#"


def engine_signature() -> str:
    """Return the signature of this engine; another engine with the same one plays the same."""
    return signature_of(SIGNATURE_FILE.read_text(encoding="utf-8"))


def signature_of(text: str) -> str:
    """Return the signature that the text of a table stands for: a hash, whatever its comments and spaces."""
    lines = "".join(f"{' '.join(line.split())}\n" for line in table_lines(text))
    return hashlib.sha256(lines.encode()).hexdigest()[:SIGNATURE_LENGTH]


def table_lines(text: str) -> list[str]:
    r"""Return the lines of a table without comments and empty lines.

    >>> table_lines("# digests\n\nclassic 1\nduel 2\n")
    ['classic 1', 'duel 2']
    """
    return [line for line in text.splitlines() if line.strip() and not line.startswith(COMMENT)]


def engine_identity() -> dict[str, str]:
    """Return what names the engine of this installation, in the order of `run.yaml`."""
    from simcli.engine.jit import source_hash  # numba is slow to import, and `simcli --version` needs none

    return {
        "version": __version__,
        "signature": engine_signature(),
        "sources": source_hash()[:SOURCES_LENGTH],
    }


def is_this_engine(engine: Mapping[str, str]) -> bool:
    """Return whether an engine plays as this one does: the version and the sources may have changed."""
    return engine.get("signature") == engine_signature()


def engine_text(engine: Mapping[str, str]) -> str:
    """Name an engine in a message.

    >>> engine_text({"version": "1.2", "signature": "0a1b2c3d", "sources": "77"})
    '1.2 (signature 0a1b2c3d)'
    """
    return f"{engine.get('version', 'unknown')} (signature {engine.get('signature', 'unknown')})"
