"""The page in a browser: nothing is asked for, nothing complains, nothing is wider than the window."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from simcli.report.write import write_report
from simcli.rules.variant import Variant
from tests.report.browser import Tab, browsing, chromium
from tests.report.pages import compared, shipped

pytestmark = pytest.mark.skipif(
    chromium() is None, reason="no Chromium here: install it with apt-get install chromium"
)
LONG = "Incomprehensibilities" * 9

OVERFLOWING = """
[...document.querySelectorAll("body *")].filter(each => {
  const box = each.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !each.closest(".scroll, .drawing, pre, .unseen, .skip");
}).map(each => each.tagName + "." + each.className)
"""
FAINT_TEXTS = r"""
(() => {
  const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (colour) => parts(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = (each) => {
    for (let at = each; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = new Set();
  for (const each of document.querySelectorAll("body *:not(svg *)")) {
    if (![...each.childNodes].some(node => node.nodeType === 3 && node.textContent.trim())) continue;
    const [a, b] = [light(getComputedStyle(each).color), light(ground(each))];
    const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (contrast < 4.5) faint.add(each.tagName + "." + each.className + " " + contrast.toFixed(2));
  }
  return [...faint];
})()
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a report on two table sizes, with a name and a title that are hard to fit."""
    folder = tmp_path_factory.mktemp("page")
    odd = Variant(name="a" * 60, title=LONG, summary=f"<b>{LONG}</b>", transfer={"mode": "late"})  # type: ignore[arg-type]
    variants = [*shipped("classic", "podkidnoy", "no-draws", "neighbours-only"), odd]
    write_report(compared(folder, variants, (3, 4)), folder / "report.html", title=LONG)
    return folder / "report.html"


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with browsing() as tab:
        yield tab


@pytest.fixture(params=["light", "dark"])
def shown(request: pytest.FixtureRequest, tab: Tab, page: Path) -> Tab:
    tab.resize(1200)
    tab.prefer(request.param)
    tab.open(page)
    return tab


def test_nothing_is_asked_for_but_the_page_and_nothing_complains(shown: Tab, page: Path) -> None:
    shown.value("document.fonts.ready.then(() => 0)")
    asked = [url for url in shown.requests() if not url.startswith("data:")]
    assert asked == [page.resolve().as_uri()]
    assert shown.complaints() == []


def test_text_stands_out_from_its_ground(shown: Tab) -> None:
    shown.value("for (const each of document.querySelectorAll('details')) each.open = true")
    assert shown.value(FAINT_TEXTS) == []


def test_the_ground_is_as_readers_prefer_it(tab: Tab, page: Path) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        tab.prefer(scheme)
        tab.open(page)
        colour = tab.value("getComputedStyle(document.body).backgroundColor")
        grounds.append(sum(map(int, re.findall(r"\d+", colour)[:3])))
    assert grounds[0] > 700
    assert grounds[1] < 120


@pytest.mark.parametrize("width", [320, 400, 800, 1200, 1900])
@pytest.mark.parametrize("opened", [False, True], ids=["folded", "unfolded"])
def test_nothing_is_wider_than_the_window(tab: Tab, page: Path, width: int, opened: bool) -> None:
    tab.prefer("light")
    tab.resize(width)
    tab.open(page)
    if opened:
        tab.value("for (const each of document.querySelectorAll('details')) each.open = true")
    assert tab.value("document.scrollingElement.scrollWidth") <= width
    assert tab.value(OVERFLOWING) == []


def test_charts_are_drawn_across_the_column(tab: Tab, page: Path) -> None:
    tab.resize(400)
    tab.open(page)
    boxes = "[...document.querySelectorAll('svg')].map(each => each.getBoundingClientRect())"
    widths = tab.value(f"{boxes}.map(box => box.width)")
    assert len(widths) > 5
    assert all(350 < width <= 400 for width in widths)


def test_text_of_charts_can_be_read_at_phone_width(tab: Tab, page: Path) -> None:
    tab.resize(400)
    tab.open(page)
    heights = tab.value(
        "[...document.querySelectorAll('svg text')].map(each => each.getBoundingClientRect().height)"
    )
    assert min(height for height in heights if height) > 8


def test_a_head_sorts_its_table_up_and_down(tab: Tab, page: Path) -> None:
    tab.resize(1200)
    tab.open(page)
    tab.value("for (const each of document.querySelectorAll('details')) each.open = true")
    table = "document.getElementById('p3-lowest-outcomes')"
    column = f"[...{table}.tBodies[0].rows].map(row => row.cells[3].textContent)"
    head = f"{table}.tHead.rows[0].cells[3]"
    before = tab.value(column)
    tab.value(f"{head}.querySelector('button').click()")
    falling = [float(text) for text in tab.value(column)]
    assert falling == sorted(falling, reverse=True)
    assert tab.value(f"{head}.getAttribute('aria-sort')") == "descending"
    tab.value(f"{head}.querySelector('button').click()")
    rising = [float(text) for text in tab.value(column)]
    assert rising == sorted(falling)
    assert [float(text) for text in before] not in (rising, falling)


def test_without_scripts_everything_is_there(tab: Tab, page: Path) -> None:
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(page)
    text = tab.value("document.body.textContent")
    buttons = tab.value("document.querySelectorAll('button').length")
    tab.call("Emulation.setScriptExecutionDisabled", value=False)
    assert buttons == 0
    assert "Where it comes from" in text


def test_print_unfolds_everything_on_light_paper_and_folds_it_again(tab: Tab, page: Path) -> None:
    tab.prefer("dark")
    tab.open(page)
    closed = tab.value("document.querySelectorAll('details:not([open])').length")
    printed = tab.call("Page.printToPDF", transferMode="ReturnAsStream", preferCSSPageSize=True)
    assert printed["stream"]
    assert tab.value("document.querySelectorAll('details:not([open])').length") == closed > 3
    tab.prefer("dark", media="print")
    assert tab.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.value("getComputedStyle(document.querySelector('nav')).display") == "none"


def test_the_page_can_be_walked_through_by_keyboard(tab: Tab, page: Path) -> None:
    tab.prefer("light")
    tab.open(page)
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
    tab.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
    assert tab.value("document.activeElement.className") == "skip"
    assert tab.value("document.activeElement.getBoundingClientRect().left >= 0")
    assert tab.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
