"""The list of equivalent mutants is up to date: it excuses nothing that is no longer there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.mutation.command import MODULES, chosen
from tests.mutation.equivalent import listed, load_equivalents, unmatched
from tests.mutation.report import RULES, equivalents_text, with_block

DOCS = Path(__file__).parents[2] / "docs" / "mutation.md"
ENTRIES = listed()


def test_every_entry_is_a_mutant_of_the_sources() -> None:
    assert unmatched(ENTRIES, chosen(MODULES, notes=True)) == []


def test_an_entry_of_a_line_that_was_changed_is_named() -> None:
    stale = replace(ENTRIES[0], original="for step in range(n):")
    assert unmatched([*ENTRIES, stale], chosen(MODULES, notes=True)) == [stale]


def test_every_entry_gives_its_reason_once() -> None:
    assert all(len(entry.why.split()) >= 5 for entry in ENTRIES)
    assert len({entry.key for entry in ENTRIES}) == len(ENTRIES)


def test_few_mutants_of_the_rules_are_excused() -> None:
    mutants = chosen(RULES)
    keys = {entry.key for entry in ENTRIES}
    assert sum(mutant.key in keys for mutant in mutants) < len(mutants) / 10


def test_a_list_is_read_with_a_reason_for_each_line() -> None:
    text = "draw: {finish: [{why: it just is, lines: {a = b: [pass, a = c]}}]}"
    assert [(entry.key, entry.why) for entry in load_equivalents(text)] == [
        (("draw", "finish", "a = b", "pass"), "it just is"),
        (("draw", "finish", "a = b", "a = c"), "it just is"),
    ]


def test_docs_list_the_equivalents_with_their_reasons() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert with_block(text, "equivalents", equivalents_text(ENTRIES)) == text, (
        "python -m tests.mutation --report --write docs/mutation.md"
    )
