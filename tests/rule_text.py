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

Sentence = tuple[str, str]
"""The paragraph, such as ``"3.4"`` or ``"3"`` (before the first point), and the words."""


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield each paragraph, list item, table row and code block, on one line, with its number."""
    section, point = "0", ""
    block: list[str] = []

    def number() -> str:
        return f"{section}.{point}" if point else section

    def whole() -> Iterator[tuple[str, str]]:
        if block:
            yield number(), " ".join(block)
            block.clear()

    in_code = False
    for line in text.splitlines():
        heading = _SECTION.match(line)
        if line.startswith("```"):
            if in_code:
                block.append("```")
            in_code = not in_code
        begins = not line.strip() or line[0] in "#|" or _POINT.match(line) or _BULLET.match(line)
        if begins and not in_code:
            yield from whole()
        if heading:
            section, point = heading[1], ""
        elif line.startswith("#") and not in_code:
            continue
        elif begins and not in_code:
            item = _POINT.match(line)
            point = item[1] if item else point
            block += [re.sub(r"^(\d+\. |\s+- )", "", line)] if line.strip() else []
        elif block or line.strip():
            # a paragraph at the margin does not belong to the point before it
            if not block and line[0] != " " and not in_code:
                point = ""
            block.append(line.strip())
    yield from whole()


def split_sentences(block: str) -> list[str]:
    """Split a block at full stops, semicolons and before each value of an option; rows and code stay whole.

    >>> split_sentences("*Who* may is `who`: `all` – each seat; `none` – nobody. L is 4.3 at most.")
    ['*Who* may is `who`:', '`all` – each seat;', '`none` – nobody.', 'L is 4.3 at most.']
    """
    if block.startswith(("|", "```")):
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
