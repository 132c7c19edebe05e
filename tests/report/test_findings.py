"""The study: findings and pages say what their twins say, and this engine played it."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from reports.study.findings import FINDINGS, PROJECT, SHORT_TEMPLATE, TEMPLATE, project_page, rendered
from simcli.experiments.load import load_experiment
from simcli.rules.shelf import EXPERIMENTS
from simcli.runs.identity import engine_signature
from tests.report.pages import Page

REPORTS = Path(__file__).parents[2] / "reports" / "study"
STUDY = (
    "house-rules",
    "standard-or-transfer",
    "transfer-rules",
    "opening-advantage",
    "one-at-a-time",
    "table-size",
)
PANEL = "bot-panel"
OTHERS = ("adapted", "skill")
QUICK = ("lowest", "thrifty", "counting")
LEAST_DEALS = 1_000_000
EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
WITHOUT_FINDINGS = re.compile(r"\]\([^)]*\)|width=\"\d+\"|`[^`]*`|^```.*?^```$", re.DOTALL | re.MULTILINE)
"""Addresses of links, widths of charts, and what stands as code."""


def twin_of(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(gzip.decompress((REPORTS / f"{name}.json.gz").read_bytes()))
    return data


@pytest.fixture(params=[*STUDY, PANEL, *OTHERS])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_findings_say_what_the_twins_say() -> None:
    assert FINDINGS.read_text(encoding="utf-8") == rendered(TEMPLATE.read_text(encoding="utf-8"))
    assert PROJECT.read_text(encoding="utf-8") == project_page()


@pytest.mark.parametrize("template", [TEMPLATE, SHORT_TEMPLATE], ids=lambda path: path.name)
def test_no_number_of_the_findings_is_typed_in(template: Path) -> None:
    typed = WITHOUT_FINDINGS.sub("", EXPRESSION.sub("", template.read_text(encoding="utf-8")))
    assert not re.findall(r".*\d.*", typed)


def test_every_sentence_of_a_finding_rests_on_a_twin() -> None:
    text = re.sub(r"\s+(?=\{[{%]-)", "", TEMPLATE.read_text(encoding="utf-8"))
    findings = text.partition("<!-- findings: begin -->")[2].partition("<!-- findings: end -->")[0]
    paragraphs = [part.strip() for part in findings.split("\n\n")]
    paragraphs = [part for part in paragraphs if part and not part.startswith(("#", "<img", "|"))]
    assert len(paragraphs) > 5
    for paragraph in paragraphs:
        for sentence in re.split(r"(?<=[.@])\s+(?=[A-Z*])", EXPRESSION.sub("@", paragraph)):
            assert "@" in sentence, sentence


def test_a_claim_that_does_not_hold_is_noticed() -> None:
    with pytest.raises(ValueError, match="does not hold"):
        rendered("{{ sure(1 > 2) }}")
    with pytest.raises(LookupError, match="expected one row, got 0"):
        rendered('{{ share("table-size", "classic", 7, "0") }}')


def test_a_change_that_is_not_shown_cannot_be_told() -> None:
    with pytest.raises(ValueError, match="no change is shown"):
        rendered('{{ change("house-rules", "draw-in-turn", 2, "0") }}')


def test_a_page_and_its_twin_agree(name: str) -> None:
    twin, page = twin_of(name), Page((REPORTS / f"{name}.html").read_text(encoding="utf-8"))
    said = " ".join(page.prose).replace("\N{NO-BREAK SPACE}", " ")
    facts = [fact["text"] for fact in twin["facts"]]
    told = [
        twin["title"],
        twin["question"],
        *facts,
        *(table["headline"] for table in twin["tables"] if table["groups"]),
    ]
    verdicts = [each for table in twin["tables"] for group in table["groups"] for each in group["verdicts"]]
    told += [verdict["name"] for verdict in verdicts] + [verdict["more"] for verdict in verdicts]
    told += [cell["text"] for table in twin["glance"] for row in table["rows"] for cell in row]
    told += twin["answers"]
    told += [run["digest"] for run in twin["provenance"]["runs"]]
    for text in told:
        assert " ".join(text.split()) in said, text


def test_every_cell_has_its_deals_and_was_played_by_this_engine(name: str) -> None:
    twin = twin_of(name)
    runs = twin["provenance"]["runs"]
    assert {run["signature"] for run in runs} == {engine_signature()}
    assert all(run["deals"] >= LEAST_DEALS for run in runs if run["lineup"] in QUICK)
    assert {run["seed"] for run in runs} == {load_experiment(EXPERIMENTS.locate_shipped(name)).seed}


def test_the_study_says_nothing_of_where_it_was_made(name: str) -> None:
    folders = {row["folder"] for each in twin_of(name)["comparisons"] for row in each["variants"]}
    assert all(folder.startswith("results/") for folder in folders)


def test_the_study_stays_small() -> None:
    files = [path for path in REPORTS.iterdir() if path.suffix in {".html", ".gz", ".png", ".md"}]
    assert sum(path.stat().st_size for path in files) < 15_000_000
    assert all(path.stat().st_size < 1_000_000 for path in files if path.suffix == ".html")
    assert all(path.stat().st_size <= 300_000 for path in files if path.suffix == ".png")
