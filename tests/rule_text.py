"""Read docs/rules.md as a list of sentences, each with the paragraph that it is cited by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

RULES = Path(__file__).parent.parent / "docs" / "rules.md"

_SECTION = re.compile(r"## (\d+)\. ")
_POINT = re.compile(r"(\d+)\. ")
_BULLET = re.compile(r"\s+- ")
_TITLE = re.compile(r"\*\*[^*]+\.\*\* ")  # "**Room.**" before a point
# A clause that ends with a semicolon is a sentence of its own: the values of an option are set apart so.
_END = re.compile(r"(?<=[.;:]) +(?=`[a-z_]+` – )|(?<=[.;]) +")

CODE = "yaml: "  # before a line of the example file

Sentence = tuple[str, str]
"""The paragraph, such as ``"3.4"`` or ``"3"`` (before the first point), and the words."""


def blocks(text: str) -> Iterator[Sentence]:
    """Yield each paragraph, list item, table row and line of code, on one line, with its number."""
    section, point = "0", ""
    lines: list[str] = []  # of the block that is being read
    in_code = False

    def finished() -> Iterator[Sentence]:
        if lines:
            yield f"{section}.{point}" if point else section, " ".join(lines)
            lines.clear()

    for line in text.splitlines():
        heading, item, bullet = _SECTION.match(line), _POINT.match(line), _BULLET.match(line)
        if line.startswith("```"):
            in_code = not in_code
        elif in_code:
            lines.append(CODE + " ".join(line.split()))
            yield from finished()
        elif heading:
            yield from finished()
            section, point = heading[1], ""
        elif item or bullet or line.startswith("|"):
            yield from finished()
            point = item[1] if item else point
            lines.append(re.sub(r"^(\d+\.|\s+-) ", "", line))
        elif not line.strip() or line.startswith("#"):
            yield from finished()
        else:
            if not lines and not line.startswith(" "):
                point = ""  # a paragraph at the margin does not belong to the point before it
            lines.append(line.strip())
    yield from finished()


def split_sentences(block: str) -> list[str]:
    """Split a block at full stops, semicolons and before each value of an option; rows and code stay whole.

    >>> split_sentences("*Who* may is `who`: `all` – each seat; `none` – nobody. L is 4.3 at most.")
    ['*Who* may is `who`:', '`all` – each seat;', '`none` – nobody.', 'L is 4.3 at most.']
    """
    if block.startswith(("|", CODE)):
        return [block]
    return _END.split(_TITLE.sub("", block))


def sentences(text: str) -> list[Sentence]:
    """List the sentences of the rules in their order; what a table's head says is none."""
    return [
        (number, sentence)
        for number, block in blocks(text)
        for sentence in split_sentences(block)
        if not re.fullmatch(r"\|[-|]+\|", sentence) and not sentence.startswith(("| option |", "| file |"))
    ]
