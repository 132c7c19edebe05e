"""Wording of error messages: values as they were written, choices, near misses."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any

from simcli.rules.scalars import scalar_value

SHOWN_LENGTH = 40
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
SIMILAR = 0.75  # as alike as a word must be to be meant: a letter or two of a short one


def shown(value: Any) -> str:
    """Return a value as a file would spell it, shortened, without control characters.

    >>> shown("4"), shown(True), shown("all"), shown(None)
    ('"4"', 'true', 'all', 'nothing')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a block of keys"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, str):
        text = printable(value)
        return text if isinstance(scalar_value(value), str) else f'"{text}"'
    return printable(str(value))


def printable(text: str) -> str:
    """Return `text` shortened and with control characters and direction marks spelled out."""
    return printable_path(text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…")


def printable_path(path: object) -> str:
    """Return a path in full with control characters and direction marks spelled out."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in str(path))


def without_bytes(text: str) -> str:
    r"""Return a text with what stands in a path for a byte that is no text spelled out, as JSON would.

    >>> print(without_bytes("odd\udcff"))
    odd\udcff
    """
    return LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def choice(values: Iterable[Any]) -> str:
    """Return the allowed values as an enumeration.

    >>> choice(("none", 2, 3))
    'none, 2 or 3'
    """
    words = [shown(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def listing(names: Sequence[str], most: int = 4) -> str:
    """Return names as an enumeration, a long one cut short.

    >>> listing(["a"]), listing(["a", "b", "c"]), listing(list("abcdef"))
    ('a', 'a, b and c', 'a, b, c, d and 2 more')
    """
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part) if names else "none"


def near_miss(word: Any, words: Sequence[str]) -> str | None:
    """Return the one of `words` that `word` most likely meant, None if nothing is near."""
    if not isinstance(word, str) or len(word) > SHOWN_LENGTH:
        return None
    bare = _bare(word)
    known = {_bare(candidate): candidate for candidate in words}
    found = difflib.get_close_matches(bare, list(known), n=1, cutoff=SIMILAR)
    if not found and len(bare) > 1:
        begun = [candidate for candidate in known if candidate.startswith(bare)]
        found = begun if len(begun) == 1 else []
    return known[found[0]] if found else None


def _bare(word: str) -> str:
    return re.sub(r"[-_ ]", "", word).lower()


def did_you_mean(word: Any, words: Sequence[str]) -> str:
    """Return `` – did you mean …?`` or nothing."""
    meant = near_miss(word, words)
    return f" – did you mean {meant}?" if meant else ""
