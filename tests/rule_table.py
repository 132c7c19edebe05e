"""Write docs/rule-coverage.md, the table of what tests each rule: ``python -m tests.rule_table --write``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tests.rule_index import INDEX, Entry, load_index

TABLE = Path(__file__).parent.parent / "docs" / "rule-coverage.md"
OPENING = 60

HEAD = """\
# What tests each rule

Written by `python -m tests.rule_table --write` from `tests/rule_index.yaml`; a test fails while it is out of
date.

Each sentence of [the rules](rules.md) is named by its paragraph and its first words. Each scenario, a file of
`tests/scenarios`, and each test fails when the rule is broken.
"""


def opening(says: str) -> str:
    """Return the first words of a sentence, fit for the cell of a table."""
    text = says.replace("|", "").replace("yaml: ", "").strip()
    if len(text) > OPENING:
        text = text[:OPENING].rsplit(" ", 1)[0] + " …"
    return text + "`" * (text.count("`") % 2)


def scenario_link(name: str) -> str:
    """Return a link to the file of a scenario."""
    return f"[{name}](../tests/scenarios/{name}.yaml)"


def test_link(node: str) -> str:
    """Return a link to the file of a test, under the words of its claim."""
    path, name = node.split("::")
    return f"[{name.removeprefix('test_').replace('_', ' ')}](../{path})"


def evidence(entry: Entry) -> str:
    """Return what tests a sentence, or why nothing does."""
    if entry.states_no_rule is not None:
        return f"– ({entry.states_no_rule})"
    return ", ".join([*map(scenario_link, entry.scenarios), *map(test_link, entry.tests)])


def rule_rows(entries: list[Entry]) -> Iterator[str]:
    """Yield a row for each sentence, in the order of the rules."""
    for entry in entries:
        paragraph = "–" if entry.paragraph == "0" else entry.paragraph
        yield f"| {paragraph} | {opening(entry.says)} | {evidence(entry)} |"


def scenario_rows(entries: list[Entry]) -> Iterator[str]:
    """Yield a row for each scenario with the paragraphs that it tests."""
    for name in sorted({name for entry in entries for name in entry.scenarios}):
        paragraphs = dict.fromkeys(entry.paragraph for entry in entries if name in entry.scenarios)
        yield f"| {scenario_link(name)} | {', '.join(paragraphs)} |"


def table_text(entries: list[Entry]) -> str:
    """Return the whole document."""
    parts = [
        HEAD,
        "## By rule\n",
        "| rule | sentence | tested by |\n|---|---|---|",
        *rule_rows(entries),
        "\n## By scenario\n",
        "| scenario | rules |\n|---|---|",
        *scenario_rows(entries),
    ]
    return "\n".join(parts) + "\n"


def main() -> None:
    """Print the table, or write it with ``--write``."""
    parser = argparse.ArgumentParser(description="The table of what tests each rule.")
    parser.add_argument("--write", action="store_true", help=f"write {TABLE.name} instead of printing it")
    text = table_text(load_index(INDEX.read_text(encoding="utf-8")))
    if parser.parse_args().write:
        TABLE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
