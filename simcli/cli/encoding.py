"""Terminals that do not know every character: suits become letters instead of a traceback."""

from __future__ import annotations

import codecs
from io import TextIOWrapper
from typing import TextIO

_PLAIN = {
    "♣": "C", "♦": "D", "♥": "H", "♠": "S", "–": "-", "−": "-", "…": "...", "×": "x", "’": "'", "Δ": "D",
    "─": "-", "═": "=",
}  # fmt: skip


def plain(text: str) -> str:
    """Return a text in characters that every terminal has.

    >>> plain("10♥ – 6♠")
    '10H - 6S'
    """
    return "".join(_PLAIN.get(char, char if char.isascii() else "?") for char in text)


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


def never_fail(*streams: TextIO) -> None:
    """Let streams write plain characters for those that their encoding lacks."""
    codecs.register_error("simcli-plain", _replace)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="simcli-plain")
