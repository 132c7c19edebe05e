"""The documents say what there is: commands, options, columns, files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from pydantic import BaseModel

from simcli.analysis import found
from simcli.analysis.comparison import LISTS, LONG_SCHEMA, Comparison
from simcli.analysis.curves import CurveRow
from simcli.analysis.factorial import ContrastRow
from simcli.analysis.robustness import RobustnessRow
from simcli.analysis.rows import View
from simcli.analysis.streaks import StreakRow
from simcli.bots.registry import BOTS
from simcli.cli.main import app
from simcli.report.model import (
    Cell,
    Chapter,
    Column,
    Fact,
    Note,
    NumberTable,
    Provenance,
    Report,
    RuleSheet,
    TableSection,
    Verdict,
)
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import RULE_OPTIONS, Variant
from simcli.runs.bench.figures import Figures
from simcli.runs.columns import COLUMNS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FORMATS, README, RULES = (
    (ROOT / name).read_text(encoding="utf-8") for name in ("docs/formats.md", "README.md", "docs/rules.md")
)


def commands_of(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all commands by their full name, those of groups included."""
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from commands_of(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


COMMANDS: dict[str, Any] = dict(commands_of(typer.main.get_command(app)))
GROUPS = {name.split(" ")[0] for name in COMMANDS if " " in name}
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
ABSOLUTE = re.compile(r"(?<![\w./~:<>)\]'-])/[A-Za-z]\w+")
UPWARD = re.compile(r"(?:\.\./)+[\w./-]*")
NUMBERED = re.compile(r"\b(?:issue|ticket|pull request)s?\b[ #]*\d|(?<!\w)#\d", re.IGNORECASE)
SHARED = ("## Every command", "### Stopping early")  # they explain options that several commands have


def sections(text: str, heading: str) -> list[str]:
    """Return the parts of a page below each heading that begins so, up to the next of its level or above."""
    level = len(heading.split(" ")[0])
    parts = re.split(rf"^(?=#{{2,{level}}} )", text, flags=re.MULTILINE)
    return [part for part in parts if re.match(rf"{re.escape(heading)}(?!\w)", part)]


def section(text: str, heading: str) -> str:
    """Return the part of a page below the one heading that begins so."""
    (part,) = sections(text, heading)
    return part


def command_section(name: str) -> str:
    """Return what docs/formats.md says of a command."""
    level = "###" if " " in name else "##"
    return section(FORMATS, f"{level} `simcli {name}")


def options_of(command: Any) -> Iterator[str]:
    """Yield the long options of a command, without help."""
    for parameter in command.params:
        if parameter.param_type_name == "option":
            yield from (name for name in parameter.opts if name.startswith("--") and name != "--help")


def first_cells(text: str) -> list[str]:
    """Return the first cell of each row of a table, without the head."""
    rows = [line.split("|")[1].strip(" `") for line in text.splitlines() if line.startswith("|")]
    return rows[2:]


def words_of(text: str) -> set[str]:
    """Return everything that stands in backquotes."""
    return set(re.findall(r"`([^`\n]+)`", text))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_section_and_every_option_of_it_is_documented(name: str) -> None:
    text = "".join([command_section(name), *(section(FORMATS, heading) for heading in SHARED)])
    missing = [option for option in options_of(COMMANDS[name]) if not re.search(rf"{option}(?![\w-])", text)]
    assert not missing


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_shown_in_the_readme(name: str) -> None:
    group = name.split(" ")[0]
    assert f"simcli {group if group in GROUPS else name}" in README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_show_only_options_that_there_are(page: Path) -> None:
    groups = "|".join(sorted(GROUPS))
    for words in re.findall(rf"simcli ((?:(?:{groups}) )?\w+)([^`\n]*)", page.read_text(encoding="utf-8")):
        if words[0] in COMMANDS:
            known = {*options_of(COMMANDS[words[0]]), "--help"}
            assert set(re.findall(r"(?<!\S)--[a-z][\w-]*", words[1].split("#")[0])) <= known


def test_exit_codes_are_documented() -> None:
    used = {0}
    for path in (ROOT / "simcli" / "__main__.py", *(ROOT / "simcli" / "cli").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        used |= {int(code) for code in re.findall(r"^EXIT_\w+ = (\d+)$", text, re.MULTILINE)}
        assert not re.findall(r"\bExit\(\d|\bexit\(\d", text), "an exit code has a name"
    assert [int(code) for code in first_cells(section(FORMATS, "## Exit codes"))] == sorted(used)


def test_columns_are_documented_in_their_order() -> None:
    named = [
        name.strip(" `")
        for cell in first_cells(section(FORMATS, "### Outcome columns").split("A bit of")[0])
        for name in re.split("[,…]", cell)
    ]
    wanted = [column.name for column in COLUMNS if not re.fullmatch(r"(place|trumps)_[1-4]", column.name)]
    assert named == wanted


def test_the_bits_of_triggered_are_the_options_in_order() -> None:
    text = FORMATS[FORMATS.index("<!-- bits: begin -->") : FORMATS.index("<!-- bits: end -->")]
    rows = re.findall(r"^\| (\d+) \| `([^`]+)` \|$", text, re.MULTILINE)
    assert rows == [(str(bit), option.key) for bit, option in enumerate(RULE_OPTIONS)]


def test_section_7_of_the_rules_lists_the_options_with_their_values() -> None:
    rows = [line.split("|")[1:3] for line in section(RULES, "## 7.").splitlines() if line.startswith("| `")]
    listed = {key.strip(" `"): values.replace("`", "").strip() for key, values in rows}
    for key in ("players", "max_players", "deck"):
        del listed[key]
    assert list(listed) == [option.key for option in RULE_OPTIONS]
    for option in RULE_OPTIONS:
        if option.values is None:
            assert listed[option.key].split(",")[0] == f"{option.low} … {option.high}"
        else:
            values = {str(value).lower() for value in option.values}
            assert set(listed[option.key].split(", ")) == values


def test_section_7_of_the_rules_shows_every_key_of_a_variant_file() -> None:
    text = section(RULES, "## 7.")
    (example,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    shown = yaml.safe_load(example)
    keys = {"extends", *Variant.model_fields}
    assert set(shown) == keys
    for key, block in shown.items():
        if isinstance(block, dict):
            model = Variant.model_fields[key].annotation
            assert isinstance(model, type)
            assert issubclass(model, BaseModel)
            assert set(block) == set(model.model_fields)


def test_section_8_of_the_rules_lists_the_variants_that_ship() -> None:
    listed = [name.strip(" `") for cell in first_cells(section(RULES, "## 8.")) for name in cell.split(",")]
    assert sorted(listed) == sorted(shipped_names())


def test_every_bot_is_described() -> None:
    text = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    assert not [bot for bot in BOTS if f"`{bot}`" not in text]


def test_the_keys_of_a_comparison_are_documented() -> None:
    data = Comparison("classic", 0.005, View(), (), (), ()).to_dict()
    text = section(FORMATS, "### A comparison as JSON")
    keys = first_cells(text.split("Rates, shares")[0])
    assert {word for cell in keys for word in re.findall(r"\w+", cell)} == set(data)


ROWS = {
    "variants": found.VariantRow,
    "positions": found.PositionRow,
    "differences": found.DifferenceRow,
    "verdicts": found.VerdictRow,
    "measures": found.MeasureRow,
    "effects": found.EffectRow,
    "lost_shares": found.ShareRow,
    "fairness": found.FairnessRow,
    "asked": found.AskedRow,
    "ranking": found.Rank,
    "stages": found.StageRow,
    "adjusted": found.AdjustedRow,
    "skill": found.SkillRow,
    "examples": found.Example,
    "findings": found.FindingRow,
}


def test_every_list_of_a_comparison_has_its_keys_checked() -> None:
    assert set(ROWS) == {*LISTS, "findings"}


@pytest.mark.parametrize("name", ROWS)
def test_the_keys_of_its_rows_are_documented(name: str) -> None:
    rows = section(FORMATS, "### A comparison as JSON").split("The rows:")[1]
    (row,) = (line for line in rows.splitlines() if line.startswith(f"| `{name}` |"))
    known = {"variant", "players", "lineup", "interval"}
    assert {each.name for each in fields(ROWS[name])} - known <= words_of(row)


FURTHER_ROWS = (
    ("factorial.contrasts", ContrastRow),
    ("curves.bout_curves", CurveRow),
    ("streaks.streaks", StreakRow),
    ("robustness.robustness", RobustnessRow),
)


@pytest.mark.parametrize("maker, row", FURTHER_ROWS)
def test_the_keys_of_further_rows_are_documented(maker: str, row: type[found.AnyRow]) -> None:
    rows = section(FORMATS, "### Further rows about finished runs")
    (line,) = (line for line in rows.splitlines() if line.startswith(f"| `simcli.analysis.{maker}` |"))
    assert {each.name for each in fields(row)} - {"interval"} <= words_of(line)


def test_the_keys_of_a_report_are_documented() -> None:
    listed = first_cells(section(FORMATS, "### A report as JSON"))
    keys = [key for cell in listed for key in re.findall(r"\w+", cell)]
    assert sorted(keys) == sorted(["format", *(each.name for each in fields(Report))])


PARTS = (TableSection, Chapter, RuleSheet, Note, Provenance, Fact, Verdict, NumberTable, Column, Cell)


@pytest.mark.parametrize("part", PARTS)
def test_the_keys_of_its_parts_are_documented(part: Any) -> None:
    known = {"key"}
    assert {each.name for each in fields(part)} - known <= words_of(section(FORMATS, "### A report as JSON"))


def test_the_columns_of_a_comparison_are_documented_in_their_order() -> None:
    rows = [
        line.split("|")[1:3]
        for line in section(FORMATS, "### A comparison as CSV").splitlines()
        if line.startswith("| `")
    ]
    named: dict[str, str] = {}
    for names, types in rows:
        words, kinds = re.findall(r"\w+", names), re.findall(r"\w+", types)
        named.update(zip(words, kinds if len(kinds) > 1 else kinds * len(words), strict=True))
    assert list(named.items()) == list(LONG_SCHEMA.items())


def test_the_keys_of_a_benchmark_are_documented() -> None:
    listed = first_cells(command_section("bench").split("A section that")[1])
    assert listed == ["format", *(each.name for each in fields(Figures))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(CODE.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_exist(page: Path) -> None:
    named = re.findall(
        r"`((?:simcli(?!/_data)|tests|docs|variants|\.ci)/[\w./*-]+)`", page.read_text(encoding="utf-8")
    )
    assert not [path for path in named if not any(ROOT.glob(path.rstrip("/")))]


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings in links."""
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_speak_of_nothing_outside_the_project(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not NUMBERED.findall(text)
    assert not ABSOLUTE.findall(text)
    for path in UPWARD.findall(text):
        assert Path(os.path.normpath(page.parent / path)).is_relative_to(ROOT), path


def pages_linked_from(page: Path) -> set[Path]:
    """Return the files that a page links to."""
    links = [link.partition("#")[0] for link in LINK.findall(page.read_text(encoding="utf-8"))]
    return {(page.parent / link).resolve() for link in links if "://" not in link}


def test_every_page_is_linked_from_the_first_page_of_the_docs_and_that_from_the_readme() -> None:
    index = ROOT / "docs" / "index.md"
    assert index in pages_linked_from(ROOT / "README.md")
    assert {page for page in PAGES if page.name != "README.md"} <= {index, *pages_linked_from(index)}
