"""Every sentence of docs/rules.md that states a rule is tested, and what tests it fails when it is broken."""

from __future__ import annotations

import ast
import doctest
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import rule_text
from tests.broken_oracle import OracleReadsOtherwise, broken_oracle, noticing
from tests.oracle_variants import resolve
from tests.rule_index import INDEX, Entry, load_index, mismatches
from tests.rule_table import TABLE, table_text
from tests.rule_text import RULES, sentences

ROOT = Path(__file__).parent.parent
SCENARIOS = ROOT / "tests" / "scenarios"
FILES = sorted(SCENARIOS.glob("*.yaml"))
ENTRIES = load_index(INDEX.read_text(encoding="utf-8"))
RULES_TEXT = RULES.read_text(encoding="utf-8")
TESTED = [entry for entry in ENTRIES if entry.states_no_rule is None]


def entry_id(entry: Entry) -> str:
    """Return a name for the parameter of a test: paragraph and first words."""
    words = "".join(c if c.isalnum() else " " for c in entry.says).split()
    return "-".join([entry.paragraph, *words[:6]])


def test_every_sentence_of_the_rules_is_in_the_index_and_no_other() -> None:
    problems = mismatches(sentences(RULES_TEXT), ENTRIES)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    "old, new, paragraph, named",
    [
        ("A full hand is six cards.", "A full hand is seven cards.", "1.2", "A full hand is seven cards."),
        ("`none` – nobody.", "`none` – nobody at all.", "3.4", "`none` – nobody at all."),
        (
            "Nothing\n   else beats",
            "Nothing\n   else, ever, beats",
            "1.5",
            "Nothing else, ever, beats anything.",
        ),
        ("never dropped.", "never dropped. Nobody cheats.", "6.5", "Nobody cheats."),
        ("| `deck` | `24`,", "| `deck` | `20`, `24`,", "7", "| `deck` | `20`, `24`, `36`, `52` |"),
        ("teams: none\n```", "teams: 2\n```", "7", "yaml: teams: 2"),
    ],
)
def test_a_changed_or_added_sentence_is_named(old: str, new: str, paragraph: str, named: str) -> None:
    assert RULES_TEXT.count(old) == 1
    problems = mismatches(sentences(RULES_TEXT.replace(old, new)), ENTRIES)
    assert f"docs/rules.md {paragraph}: " in problems[0]
    assert named in problems[0]


def test_a_sentence_taken_out_of_the_rules_is_named() -> None:
    problems = mismatches(sentences(RULES_TEXT.replace("A full hand is six cards.", "")), ENTRIES)
    assert len(problems) == 1
    assert "rule_index.yaml: 1.2: docs/rules.md does not say “A full hand is six cards.”" in problems[0]


def test_an_entry_out_of_order_is_named() -> None:
    swapped = [ENTRIES[1], ENTRIES[0], *ENTRIES[2:]]
    assert "not in the order of docs/rules.md" in mismatches(sentences(RULES_TEXT), swapped)[0]


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(rule_text) == (0, 1)


def test_the_rules_are_read_paragraph_by_paragraph() -> None:
    found = dict.fromkeys(paragraph for paragraph, _ in sentences(RULES_TEXT))
    points = {"1": 5, "2": 4, "3": 5, "4": 9, "5": 4, "6": 6}
    cited = [f"{section}.{point}" for section, n in points.items() for point in range(1, n + 1)]
    assert set(found) == {"0", "3", "4", *cited, "7", "8", "9"}


@pytest.mark.parametrize("entry", ENTRIES, ids=entry_id)
def test_a_sentence_has_something_that_tests_it_or_states_no_rule(entry: Entry) -> None:
    is_tested = bool(entry.scenarios or entry.tests)
    assert is_tested != bool(entry.states_no_rule)
    assert len(set(entry.scenarios)) == len(entry.scenarios)
    if entry.scenarios:
        assert entry.broken, "name at least one way to break this rule"


def test_named_scenarios_are_files_and_every_file_is_named() -> None:
    named = {name for entry in ENTRIES for name in entry.scenarios}
    assert named == {path.stem for path in FILES}


@cache
def functions_of(path: str) -> set[str]:
    """Return the names of the test functions of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("node", sorted({node for entry in ENTRIES for node in entry.tests}))
def test_named_tests_exist(node: str) -> None:
    path, name = node.split("::")
    assert name.startswith("test_")
    assert name in functions_of(path)


@pytest.mark.parametrize("entry", [entry for entry in TESTED if entry.broken], ids=entry_id)
def test_scenarios_fail_when_the_rule_is_broken(entry: Entry) -> None:
    silent = set(entry.scenarios)
    for edits in entry.broken:
        noticed = noticing(edits, [SCENARIOS / f"{name}.yaml" for name in entry.scenarios])
        assert noticed, f"no scenario named here notices {edits}"
        silent -= noticed
    assert not silent, "these scenarios pass however the rule is broken"


def test_the_oracle_is_broken_only_where_its_text_is_known() -> None:
    with pytest.raises(OracleReadsOtherwise, match="0 times"):
        broken_oracle([("no such line", "")])
    with pytest.raises(OracleReadsOtherwise, match=r"oracle\.py has [0-9]+ times"):
        broken_oracle([("return", "")])


def test_an_oracle_that_is_not_broken_passes_every_scenario() -> None:
    assert noticing([], FILES) == set()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_scenario_says_which_rule_it_tests_and_when_it_is_wrong(path: Path) -> None:
    header = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        header += line
    assert "docs/" in header
    assert "Wrong if" in header


def options_of(rules: dict[str, Any]) -> set[tuple[str, Any]]:
    """Return the options of a resolved variant under dotted keys, with their values."""
    flat = set()
    for key, value in rules.items():
        group = value if isinstance(value, dict) else {"": value}
        flat |= {(f"{key}.{name}".rstrip("."), choice) for name, choice in group.items()}
    return flat


def values_of_the_rules() -> set[tuple[str, Any]]:
    """Return every value that section 7 lists for an option, as far as the table lists them."""
    rows = [
        says.split("|") for paragraph, says in sentences(RULES_TEXT) if paragraph == "7" and says[0] == "|"
    ]
    return {
        (row[1].strip(" `"), yaml.safe_load(value.strip(" `")))
        for row in rows
        if "…" not in row[2]
        for value in row[2].split(",")
    }


def test_every_value_of_every_option_is_played_in_a_scenario() -> None:
    played: set[tuple[str, Any]] = set()
    for path in FILES:
        file = yaml.safe_load(path.read_text(encoding="utf-8"))
        played |= options_of(resolve(file.get("variant", "classic"), path.parent))
    wanted = {(key, value) for key, value in values_of_the_rules() if not key.startswith("opening.")}
    assert len(wanted) > 40
    assert wanted <= played


def test_the_table_of_what_tests_each_rule_is_up_to_date() -> None:
    assert TABLE.read_text(encoding="utf-8") == table_text(ENTRIES), "python -m tests.rule_table --write"
