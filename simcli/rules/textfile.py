"""Read small text files that a person wrote, refusing everything that only looks like one."""

from __future__ import annotations

import codecs
import os
import stat
import unicodedata
from pathlib import Path

from simcli.errors import refusal

MAX_BYTES = 64 * 1024
MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""What other encodings begin with, the longer marks first."""
JOINERS = "\u200c\u200d"  # parts of ordinary spelling in some scripts


def read_text(path: Path, where: str) -> str:
    """Return the text of a file of at most 64 KiB.

    Parameters
    ----------
    path : Path
        The file.
    where : str
        Its name in messages.

    Raises
    ------
    InputError
        The file is missing, unreadable, not a regular file, too large, not UTF-8, or holds
        control characters or marks that change the direction of the text.
    """
    return text_of(_read(path, where), where)


def text_of(content: bytes, where: str) -> str:
    """Return the text that the bytes of a file stand for, at most 64 KiB; errors as for `read_text`."""
    if len(content) > MAX_BYTES:
        raise refusal(where, f"expected at most {MAX_BYTES // 1024} KiB, got more")
    text = _decoded(content, where)
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        bad = forbidden_character(line)
        if bad is not None:
            raise refusal(where, f"expected plain text, got the character {character_name(bad)}", line=number)
    return text


def _read(path: Path, where: str) -> bytes:
    try:
        # A pipe would block for ever, so look before opening.
        if not stat.S_ISREG(os.stat(path).st_mode):
            kind = "a folder" if os.path.isdir(path) else "something else"
            raise refusal(where, f"expected a file, got {kind}")
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise refusal(where, "expected a file, there is none of this name") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(where, f"expected a readable file, got: {reason}") from None


def _decoded(content: bytes, where: str) -> str:
    for mark, encoding in MARKS.items():
        if content.startswith(mark):
            raise refusal(where, f"expected UTF-8 text, got {encoding} – save the file as UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        byte = content[error.start]
        raise refusal(where, f"expected UTF-8 text, got the byte 0x{byte:02x}", line=line) from None


def forbidden_character(text: str) -> str | None:
    """Return the first control character, direction mark or invisible separator of `text`, if any."""
    if text.isascii() and text.isprintable():
        return None
    for char in text:
        if char not in "\t" + JOINERS and unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            return char
    return None


def character_name(char: str) -> str:
    """Return code point and name of a character that cannot be shown."""
    return f"U+{ord(char):04X} ({unicodedata.name(char, 'control character').lower()})"
