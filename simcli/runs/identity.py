"""What names the engine: simcli's version, how it plays, hashes of its sources and of weights."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from simcli import __version__

SIGNATURE_FILE = Path(__file__).with_name("signature.txt")
SIGNATURE_LENGTH = 8
SOURCES_LENGTH = 16
WEIGHTS_LENGTH = 8
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


def engine_identity(tuned: Iterable[str] = ()) -> dict[str, str]:
    """Return what names the engine of this installation, in the order of `run.yaml`.

    Parameters
    ----------
    tuned : iterable of str
        The sets of weights that bots are set to play by. How they play is not part of the signature, so a
        hash of their numbers is added.
    """
    from simcli.engine.jit import source_hash  # numba is slow to import, and `simcli --version` needs none

    names = sorted(set(tuned))
    return {
        "version": __version__,
        "signature": engine_signature(),
        "sources": source_hash()[:SOURCES_LENGTH],
        **({"weights": _weights_hash(names)} if names else {}),
    }


def _weights_hash(names: Iterable[str]) -> str:
    """Return what stands for the numbers of some sets of weights."""
    from simcli.bots.thrifty_sets import WORDS, weights_of_set

    numbers = [(name, tuple(weights_of_set(WORDS.index(name)))) for name in names]
    return hashlib.sha256(repr(numbers).encode()).hexdigest()[:WEIGHTS_LENGTH]


def is_this_engine(engine: Mapping[str, str], tuned: Iterable[str] = ()) -> bool:
    """Return whether an engine plays as this one does, with the same sets of weights set for bots."""
    return plays_alike(engine, engine_identity(tuned))


def plays_alike(engine: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Return whether two engines play a match alike: version and sources may differ.

    Weights that only one of them names are taken for the same.

    >>> plays_alike({"signature": "0a1b", "version": "1.2"}, {"signature": "0a1b", "version": "1.3"})
    True
    >>> plays_alike({"signature": "0a1b", "weights": "4e5f"}, {"signature": "0a1b", "weights": "5e6f"})
    False
    """
    weights = {named["weights"] for named in (engine, other) if "weights" in named}
    return engine.get("signature") == other.get("signature") and len(weights) < 2


def engine_text(engine: Mapping[str, str]) -> str:
    """Name an engine in a message.

    >>> engine_text({"version": "1.2", "signature": "0a1b2c3d", "sources": "77"})
    '1.2 (signature 0a1b2c3d)'
    >>> engine_text({"version": "1.2", "signature": "0a1b2c3d", "weights": "4e5f"})
    '1.2 (signature 0a1b2c3d, weights 4e5f)'
    """
    weights = f", weights {engine['weights']}" if "weights" in engine else ""
    return f"{engine.get('version', 'unknown')} (signature {engine.get('signature', 'unknown')}{weights})"
