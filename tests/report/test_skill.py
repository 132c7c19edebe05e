"""What a report says of skill: the answer first, a chart, its numbers, and what made it."""

from __future__ import annotations

import pytest

from simcli.analysis.compare import compare
from simcli.report.build import build_report
from simcli.report.model import Report
from simcli.report.page import page_text
from tests.analysis.test_pooled import played
from tests.analysis.test_skill import by_hand


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("skill")
    base = by_hand(folder, [[0, 1, 2, 1] * 300] * 3)
    more = by_hand(folder, [[1, 1, 2, 2] * 300] * 3, "more", transfer={"mode": "late"})
    same = played(folder, "alike", 1200, seed=2, transfer={"mode": "none"})
    return build_report([compare([*base, *more, *same])])


def test_the_answer_stands_in_front_and_the_chapter_before_all_others(report: Report) -> None:
    (answer,) = report.answers
    assert ": a better player gains more under more (+66.7 points)" in answer
    assert "less under alike (" in answer
    assert [chapter.key for chapter in report.chapters] == ["skill"]
    text = page_text(report)
    assert text.index('<ul class="answers">') < text.index('<section id="skill"')


def test_the_chart_and_its_numbers_are_ranked_by_share(report: Report) -> None:
    (chapter,) = report.chapters
    (chart,), (numbers,) = chapter.charts, chapter.numbers
    assert chart.key == "skill-p3-thrifty-lowest-lowest-rotated-0-skill"
    assert chart.caption == report.answers[0]
    assert [row[0].text for row in numbers.rows] == ["more", "classic", "alike"]
    assert [row[-1].text for row in numbers.rows] == ["changes", "", "changes"]


def test_the_twin_has_every_share(report: Report) -> None:
    (comparison,) = report.as_mapping()["comparisons"]
    shares = {row["variant"]: row["share"] for row in comparison["skill"]}
    assert shares["classic"] == pytest.approx(1 / 3)
    assert shares["more"] == 1.0
    (chapter,) = report.as_mapping()["chapters"]
    shown = {row[0]["text"]: row[4]["value"] for row in chapter["numbers"][0]["rows"]}
    assert shown == shares


def test_it_says_how_it_was_measured_and_whose_skill_it_is(report: Report) -> None:
    assert {"Skill share", "Rotated line-ups"} <= {note.title for note in report.methods}
    assert "Skill share says how far thrifty is ahead of lowest." in " ".join(report.not_shown)


def test_every_rotation_is_a_run_and_one_command_plays_them(report: Report) -> None:
    lineups = ["thrifty,lowest,lowest", "lowest,thrifty,lowest", "lowest,lowest,thrifty"]
    assert [run.lineup for run in report.provenance.runs] == 3 * lineups
    assert {run.deals for run in report.provenance.runs} == {1200}
    play, show = report.provenance.commands
    assert play == (
        "simcli run classic ./more.yaml ./alike.yaml --players 3 --bots thrifty,lowest,lowest --rotate "
        "-n 1200 --seed 1"
    )
    assert show.count("results/") == 9
