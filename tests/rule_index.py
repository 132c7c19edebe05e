"""Read tests/rule_index.yaml: which scenarios and tests fail when a sentence of docs/rules.md is broken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.rule_text import Sentence

INDEX = Path(__file__).parent / "rule_index.yaml"

Edits = list[tuple[str, str]]
"""What to replace in tests/oracle.py, and by what."""


@dataclass(frozen=True)
class Entry:
    """A sentence and what tests it."""

    paragraph: str
    says: str
    scenarios: tuple[str, ...]
    tests: tuple[str, ...]
    broken: tuple[Edits, ...]
    states_no_rule: str | None


def _entry(paragraph: str, sentence: dict[str, Any]) -> Entry:
    unknown = set(sentence) - {"says", "scenarios", "tests", "broken", "states_no_rule"}
    if unknown:
        raise ValueError(f"{INDEX.name}: {paragraph}: unknown keys {sorted(unknown)}")
    return Entry(
        paragraph,
        sentence["says"],
        tuple(sentence.get("scenarios", ())),
        tuple(sentence.get("tests", ())),
        tuple([(edit["replace"], edit["by"]) for edit in edits] for edits in sentence.get("broken", ())),
        sentence.get("states_no_rule"),
    )


def load_index(text: str) -> list[Entry]:
    """List the entries in the order of the rules."""
    return [
        _entry(paragraph["paragraph"], sentence)
        for paragraph in yaml.safe_load(text)
        for sentence in paragraph["sentences"]
    ]


def mismatches(sentences: list[Sentence], entries: list[Entry]) -> list[str]:
    """Name each sentence without an entry, each entry without a sentence, and the first out of order."""
    stated = [(entry.paragraph, entry.says) for entry in entries]
    problems = [
        f"docs/rules.md {paragraph}: nothing is named that tests “{says}” – add it to {INDEX.name}"
        for paragraph, says in sentences
        if (paragraph, says) not in stated
    ]
    problems += [
        f"{INDEX.name}: {paragraph}: docs/rules.md does not say “{says}” – is its rule still tested?"
        for paragraph, says in stated
        if (paragraph, says) not in sentences
    ]
    if not problems and stated != sentences:
        paragraph, says = next(there for here, there in zip(sentences, stated, strict=False) if here != there)
        problems.append(f"{INDEX.name}: {paragraph}: not in the order of docs/rules.md, or twice: “{says}”")
    return problems
