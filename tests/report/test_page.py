"""The page as a file: one that needs nothing else, is the same every time, and escapes what others wrote."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from matplotlib.text import Text

from simcli.analysis.compare import compare
from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError
from simcli.report import page as page_module
from simcli.report.model import Report
from simcli.report.page import LEFT_OUT, page_of, page_text
from simcli.report.write import write_html, write_pngs, write_report
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of
from tests.report.pages import Page, compared, played, shipped

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style></script><svg onload=alert(1)>",
    "]]><!--",
    "{{ 7 * 7 }}{% raw %}",
    "$x^2$ & <b>",
    "javascript:alert(1)",
)
NAMES = ("classic", "podkidnoy", "no-draws", "full-pack", "partners")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    comparison = compared(folder, shipped(*NAMES), (2, 4))
    return write_report(comparison, folder / "report.html", folder / "png", folder / "report.json")


@pytest.fixture(scope="module")
def text(folder: Path, report: Report) -> str:
    return (folder / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


@pytest.fixture(scope="module")
def twin(folder: Path, report: Report) -> Any:
    return json.loads((folder / "report.json").read_bytes())


# ------------------------------------------------------------------------------------ one file


def test_nothing_outside_the_page_is_referred_to(page: Page, text: str) -> None:
    for _, attrs in page.tags:
        for name in ("href", "src", "xlink:href", "action", "data", "poster", "srcset"):
            assert (attrs.get(name) or "#").startswith(("#", "data:,")), attrs
    assert "url(" not in re.sub(r"url\(#[\w-]+\)", "", text)
    assert "@import" not in text


def test_links_lead_to_places_of_the_page_and_no_name_is_given_twice(page: Page) -> None:
    names = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(names) == len(set(names))
    wanted = {attrs["href"] for _, attrs in page.tags if (attrs.get("href") or "").startswith("#")}
    assert wanted <= {f"#{name}" for name in names}


def test_the_policy_allows_the_own_style_and_script_and_nothing_else(page: Page, text: str) -> None:
    (policy,) = (str(attrs["content"]) for attrs in page.named("meta") if "http-equiv" in attrs)
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    names = {name for _, attrs in page.tags for name in attrs}
    assert not [name for name in names if name == "style" or name.startswith("on")]


def test_the_same_runs_give_the_same_bytes(folder: Path, report: Report) -> None:
    comparison = compared(folder / "again", shipped(*NAMES), (2, 4))
    again = folder / "again"
    write_report(comparison, again / "report.html", again / "png", again / "report.json")
    mine = {path.relative_to(folder): path.read_bytes() for path in folder.glob("png/*")}
    theirs = {path.relative_to(again): path.read_bytes() for path in again.glob("png/*")}
    assert mine == theirs
    assert len(mine) == len(report.charts)
    assert (again / "report.html").read_bytes() == (folder / "report.html").read_bytes()
    elsewhere = (again / "report.json").read_text(encoding="utf-8").replace(str(again), str(folder))
    assert elsewhere == (folder / "report.json").read_text(encoding="utf-8")


def test_the_page_does_not_say_where_the_runs_lie(folder: Path, text: str) -> None:
    assert str(folder) not in text


def test_a_page_that_would_be_too_long_leaves_out_numbers_and_says_so(
    report: Report, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "MOST_BYTES", len(text.encode()) - 1)
    short = page_text(report)
    assert len(short) < len(text) * 0.97
    assert "-outcomes" in text
    assert "-outcomes" not in short
    assert "<code>--json</code>" in short
    assert short.count("<svg") == text.count("<svg")


def test_a_page_leaves_out_one_thing_after_the_other_until_it_is_short_enough(
    report: Report, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {len(text.encode())}
    while True:
        monkeypatch.setattr(page_module, "MOST_BYTES", min(sizes) - 1)
        shorter = page_of(report)
        assert list(shorter.left_out) == [what for what in LEFT_OUT if what in shorter.left_out]
        assert all(LEFT_OUT[what] in shorter.text for what in shorter.left_out)
        assert Page(shorter.text).named("h1")
        if shorter.is_too_long:
            break
        sizes.add(len(shorter.text.encode()))
    assert len(sizes) > 4
    assert shorter.text.count("<svg") < text.count("<svg")
    assert {"numbers", "sheets", "moves", "length", "runs", "gains"} <= set(shorter.left_out)


def test_charts_that_had_no_room_are_named_where_they_would_stand(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "MOST_BYTES", 1)
    monkeypatch.setattr(page_module, "LEFT_OUT", {"length": LEFT_OUT["length"]})
    shorter = page_of(report).text
    lengths = [chart.key for chart in report.charts if chart.key.endswith("-length")]
    assert lengths
    assert not any(f'id="{key}"' in shorter for key in lengths)
    assert shorter.count("Left out here: How long deals last.") == len(lengths)


def test_what_had_no_room_is_remarked_and_a_page_too_long_warned_of(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(page_module, "MOST_BYTES", 1000)
    with caplog.at_level("INFO", "simcli"):
        write_html(report, tmp_path / "long.html")
    said = [record.getMessage() for record in caplog.records]
    assert said[0].startswith("left out, for a page below")
    assert "report fewer variants" in said[1]


def test_charts_written_as_png_leave_no_pictures_in_memory(report: Report, tmp_path: Path) -> None:
    write_pngs(report, tmp_path)
    kept = {each._renderer for chart in report.charts for each in chart.figure.findobj(Text)}  # type: ignore[attr-defined]
    widths = {each.width for each in kept if each is not None}
    assert widths
    assert max(widths) < 1000


# ------------------------------------------------------------------------------------ for everybody


def test_headings_go_down_one_level_at_a_time_from_one_title(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_page_has_a_language_landmarks_and_a_way_to_skip(page: Page) -> None:
    assert page.named("html")[0]["lang"] == "en"
    assert [len(page.named(tag)) for tag in ("header", "nav", "main", "footer")] == [1, 1, 1, 1]
    assert page.named("a")[0]["class"] == "skip"


def test_charts_have_a_title_and_say_what_there_is_to_be_seen(page: Page, report: Report) -> None:
    drawings = page.named("svg")
    assert len(drawings) == len(report.charts) > 8
    assert all(attrs["role"] == "img" and attrs["aria-labelledby"] for attrs in drawings)
    assert all(len(chart.alt) > 40 and len(chart.caption) > 20 for chart in report.charts)


def test_tables_have_captions_and_their_heads_say_what_they_head(page: Page) -> None:
    assert len(page.named("caption")) == len(page.named("table")) > 10
    assert {attrs.get("scope") for attrs in page.named("th")} == {"row", "col"}


def test_verdicts_come_before_charts_and_charts_before_numbers(text: str) -> None:
    order = ['id="verdicts"', "<figure", 'id="moves"', 'id="rules"', 'id="not-shown"', 'id="numbers"',
             'id="methods"', 'id="provenance"']  # fmt: skip
    places = [text.index(part) for part in order]
    assert places == sorted(places)


# ------------------------------------------------------------------------------------ what it says


def strings(data: Any) -> str:
    """Return every string of plain data."""
    if isinstance(data, dict):
        return "\n".join(strings(each) for each in data.values())
    if isinstance(data, list):
        return "\n".join(map(strings, data))
    return data if isinstance(data, str) else ""


def test_every_number_on_the_page_stands_in_the_twin(page: Page, twin: Any) -> None:
    told = " ".join(strings(twin).split())
    numbers = [str(row[key]) for row in twin["provenance"]["runs"] for key in ("players", "seed", "session")]
    known = {*numbers, *(f"{row['deals']:,}" for row in twin["provenance"]["runs"])}
    for text in (text.replace("\N{NO-BREAK SPACE}", " ") for text in page.prose):
        if re.search(r"\d", text) and text not in told and text not in known:
            assert re.fullmatch(r"\d+|\d+ notes on .*|The \d+ runs: .*|These commands .*", text), text


def test_cells_of_the_twin_hold_the_numbers_that_are_shown(twin: Any) -> None:
    table = twin["tables"][0]
    (numbers,) = (each for each in table["numbers"] if each["key"].endswith("-outcomes"))
    heads = [column["head"] for column in numbers["columns"]]
    for row in numbers["rows"]:
        rate = row[heads.index("% of deals")]
        assert float(rate["text"]) == pytest.approx(rate["value"] * 100, abs=0.006)


def test_every_variant_has_a_verdict_and_its_rules_in_words(report: Report) -> None:
    groups = [group for table in report.tables for group in table.groups]
    named = {verdict.variant for group in groups for verdict in group.verdicts}
    assert named == {"podkidnoy", "no-draws", "full-pack"}
    sheets = {sheet.variant: sheet for sheet in report.rules}
    assert set(sheets) == set(NAMES)
    assert sheets["classic"].other == ""
    assert any("ransfers are not allowed" in sentence for sentence in sheets["podkidnoy"].differences)


def test_decided_verdicts_stand_in_front(report: Report) -> None:
    for table in report.tables:
        ranks = [group.heading for group in table.groups]
        known = ["Changes more than the margin", "No change beyond the margin", "Undecided", "The same rules"]
        assert ranks == [heading for heading in known if heading in ranks]


def test_what_was_left_out_is_said(report: Report) -> None:
    said = " ".join(report.not_shown)
    assert "simulation error only" in said
    assert "three, five or six" in said
    assert "One line-up played (lowest)" in said
    assert any("partners is not compared" in note for note in report.notes)


def test_methods_name_their_sources_and_only_what_occurs_is_explained(report: Report) -> None:
    titles = [note.title for note in report.methods]
    assert "The verdict" in titles
    assert "Sessions" not in titles
    sources = " ".join(note.source for note in report.methods)
    assert all(name in sources for name in ("Tango", "Wilson", "Holm"))
    assert "Newcombe" not in sources


def test_the_footer_has_what_makes_it_again(report: Report, twin: Any) -> None:
    play, tell = report.provenance.commands[0], report.provenance.commands[-1]
    assert play.startswith("simcli run classic podkidnoy no-draws full-pack --players 2 --bots lowest -n 800")
    assert tell.startswith("simcli report ")
    assert tell.endswith("-o report.html")
    assert {run["digest"] for run in twin["provenance"]["runs"]} == {
        row["digest"] for each in twin["comparisons"] for row in each["variants"]
    }


# ------------------------------------------------------------------------------------ what others wrote


def told(folder: Path, words: Sequence[str]) -> str:
    """Return a page whose title, variants and run say these words wherever words of others may stand."""
    odd = [
        Variant(name=f"odd-{number}", title=text, summary=text, deck=52) for number, text in enumerate(words)
    ]
    runs = played(folder, [*shipped("classic"), *odd], (2,), n=200)
    report = runs[1] / "run.yaml"
    edited = report.read_text(encoding="utf-8").replace("by hand", json.dumps(" ".join(words)))
    report.write_text(edited, encoding="utf-8")
    write_report(compare(runs), folder / "x.html", title=" ".join(words))
    return (folder / "x.html").read_text(encoding="utf-8")


def test_what_others_wrote_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    plain, hostile = told(tmp_path / "plain", ["plain"] * len(HOSTILE)), told(tmp_path / "hostile", HOSTILE)
    assert tags_of(hostile) == tags_of(plain)
    assert plain.count("plain") > 4 * len(HOSTILE)
    shown = Page(hostile).prose
    assert all(any(words in text for text in shown) for words in HOSTILE)


def tags_of(text: str) -> list[str]:
    return [tag for tag, _ in Page(text).tags]


def test_direction_marks_and_control_characters_are_spelled_out(tmp_path: Path) -> None:
    title = "\N{RIGHT-TO-LEFT OVERRIDE}drowssap\x00"
    write_report(compare(played(tmp_path, shipped("classic"), (2,))), tmp_path / "x.html", title=title)
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert not set(title) - set("drowssap") & set(text)
    assert r"<title>\u202edrowssap\x00</title>" in text


def test_a_folder_that_is_no_text_is_spelled_out(tmp_path: Path) -> None:
    odd = tmp_path / "odd\udcff<b>"
    folders = played(odd, shipped("classic", "podkidnoy"), (2,))
    write_report(compare(folders), tmp_path / "x.html", json=tmp_path / "x.json")
    assert json.loads((tmp_path / "x.json").read_bytes())["format"] == "simcli-report/1"


def test_a_page_that_cannot_be_written_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    comparison = compared(tmp_path, shipped("classic"), (2,))
    with pytest.raises(InputError, match=r"/file: expected a folder to write into, got a file"):
        write_report(comparison, tmp_path / "file" / "x.html")
    with pytest.raises(InputError, match="expected a file that can be written"):
        write_report(comparison, tmp_path)


@pytest.mark.parametrize("found", [(), None, "classic", ["classic"], 5])
def test_what_is_no_comparison_is_one_clear_message(tmp_path: Path, found: Any) -> None:
    with pytest.raises(InputError, match=r"found: expected comparisons, .* got .* – write write_report"):
        write_report(found, tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


def test_a_change_without_an_interval_is_not_shown_to_differ(tmp_path: Path) -> None:
    folders = [
        run_of(
            tmp_path,
            Match(seat(load_variant(name), 2), parse_lineup("lowest", 2), 1, 1),
            [Dealt(0, bouts=bouts)],
        )
        for name, bouts in (("classic", 9), ("podkidnoy", 12))
    ]
    report = write_report(compare(folders), tmp_path / "x.html")
    texts = [cell.text for table in report.tables[0].moves for row in table.rows for cell in row]
    assert "12.00 (+3.00 ·)" in texts


def test_rules_in_words_do_not_take_the_number_of_players_for_the_usual_one(tmp_path: Path) -> None:
    report = write_report(compared(tmp_path, shipped("classic", "podkidnoy"), (2,)), tmp_path / "x.html")
    for sheet in report.rules:
        assert sheet.blocks[0].sentences[0] == "The game is for two to six players."
