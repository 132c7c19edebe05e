"""The pages of docs/how-to: the files they show, the commands, and what those print."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "how-to"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(page: str, kind: str) -> list[str]:
    """Return the blocks of a kind on a page: ``python``, ``console`` or ``text``."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    return [content for found, content in BLOCK.findall(text) if found == kind]


def commands(page: str) -> list[list[str]]:
    """Return the words of each command on a page, without ``simcli``."""
    return [line.split()[1:] for block in blocks(page, "console") for line in block.splitlines()]
