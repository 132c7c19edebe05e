"""The parts of a report: what is compared with what, and what is counted, said in front and never twice."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from simcli.analysis.comparison import Comparison
from simcli.report.build import build_report
from simcli.report.model import Report
from simcli.report.page import page_text
from simcli.report.parts import part_titles
from tests.report.pages import compared, shipped


def two_counts(results: Path) -> list[Comparison]:
    groups = (("classic", "podkidnoy"), ("classic", "transferable"))
    return [compared(results / f"{number}", shipped(*names), (2, 3)) for number, names in enumerate(groups)]


def heads(report: Report) -> list[str]:
    return [table.caption for table in report.glance]


def test_two_ways_of_counting_have_a_table_and_headings_each(tmp_path: Path) -> None:
    report = build_report(two_counts(tmp_path))
    assert [part.title for part in report.parts] == ["Who loses", "Who is out first"]
    assert [table.title for table in report.tables] == [
        "Two lowest players: who loses",
        "Three lowest players: who loses",
        "Two lowest players: who is out first",
        "Three lowest players: who is out first",
    ]
    assert [caption.partition(":")[0] for caption in heads(report)] == ["Who loses", "Who is out first"]
    for table in report.glance:
        assert max(Counter(column.head for column in table.columns).values()) == 1
    contents = page_text(report).partition("</nav>")[0]
    assert contents.index("<li>Who loses") < contents.index("<li>Who is out first")


def test_pairs_share_a_table_that_names_each_baseline(tmp_path: Path) -> None:
    pairs: Sequence[Sequence[str]] = (("podkidnoy", "classic"), ("advanced-standard", "advanced-transfer"))
    comparisons = [
        compared(tmp_path / str(number), shipped(*names), (2, 3)) for number, names in enumerate(pairs)
    ]
    baselines = [each.baseline for each in comparisons]
    (table,) = build_report(comparisons).glance
    assert [column.head for column in table.columns] == ["variant", "against", "2 players", "3 players"]
    assert [row[1].text for row in table.rows] == baselines


def test_a_bridge_goes_there_and_back(tmp_path: Path) -> None:
    groups = (("classic", "podkidnoy"), ("no-draws", "duel"))
    comparisons = [
        compared(tmp_path / str(number), shipped(*names), (2,)) for number, names in enumerate(groups)
    ]
    there, back = part_titles(comparisons, "classic")
    assert there == "from classic, one option at a time"
    assert back == f"back from {comparisons[1].baseline}, one option at a time"


def test_one_part_has_no_title(tmp_path: Path) -> None:
    report = build_report([compared(tmp_path, shipped("classic", "podkidnoy"), (2, 3))])
    assert [part.title for part in report.parts] == [""]
    assert [table.title for table in report.tables] == ["Two lowest players", "Three lowest players"]


def test_rates_that_stand_alone_stand_side_by_side(tmp_path: Path) -> None:
    report = build_report([compared(tmp_path, shipped("classic"), (2, 3))])
    (table,) = report.glance
    assert [row[0].text for row in table.rows] == ["Two lowest players", "Three lowest players"]
    shares = [cell.value or 0.0 for cell in table.rows[1][1:4]]
    assert abs(sum(shares) - 1) < 1e-9
    text = page_text(report)
    assert "Nothing is compared here" not in text
    assert '<h2 id="verdicts-head">Who loses</h2>' in text
