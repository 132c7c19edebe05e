import re
import xml.etree.ElementTree as ElementTree

import pytest
from matplotlib.colors import to_rgb

from simcli.report.charts.forest import alt_text, plot_forest
from simcli.report.charts.heat import STRONGEST
from simcli.report.charts.style import INK, LESS, MORE, PAPER, QUIET
from simcli.report.charts.svg import to_svg
from tests.report.charts.charts import NAMES, Chart, chart_of
from tests.report.charts.found import made_up, made_up_table

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "<script>alert(1)</script>",
    "a ]]> b",
    "x & y &amp; z",
    "$x_1$ $\\frac{",
    'id="x" url(#1) #1a1a1a',
    "-->",
)


def forest(*names: str, baseline: str = "classic") -> str:
    table = made_up_table(names, baseline=baseline)
    comparison = made_up(table)
    return to_svg(plot_forest(comparison, table), names[0], alt_text(comparison, table))


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def written(svg: str) -> str:
    """Return all text of a chart as a reader sees it, line breaks left out."""
    return "".join(element.text or "" for element in parsed(svg).iter(f"{SVG}text"))


@pytest.fixture(scope="module")
def charts() -> list[Chart]:
    return [chart_of(name) for name in NAMES]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_appear_as_they_are(name: str) -> None:
    svg = forest(name)
    assert name.replace(" ", "") in written(svg).replace(" ", "")
    assert parsed(svg).findtext(f"{SVG}title") == name
    assert name in str(parsed(svg).findtext(f"{SVG}desc"))
    assert "<script" not in svg
    assert "]]>" not in svg


def test_control_characters_are_spelled_out() -> None:
    svg = forest("a\x00b\u202ec")
    assert "a\\x00b\\u202ec" in written(svg)


def test_scripts_that_the_font_lacks_are_left_to_the_page() -> None:
    assert "傻瓜" in written(forest("傻瓜", "подкидной"))


def test_a_chart_says_what_it_is(charts: list[Chart]) -> None:
    for chart in charts:
        root = parsed(to_svg(chart.figure, "A title", chart.alt_text))
        assert root.get("role") == "img"
        title, description = root[0], root[1]
        assert (title.tag, title.text) == (f"{SVG}title", "A title")
        assert (description.tag, description.text) == (f"{SVG}desc", chart.alt_text)
        assert root.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


def test_ids_of_charts_in_one_page_keep_apart(charts: list[Chart]) -> None:
    ids: list[str] = []
    for chart in charts:
        root = parsed(to_svg(chart.figure, chart.name, ""))
        own = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
        used = re.findall(r"(?:url\(#|href=\"#)([^)\"]+)", to_svg(chart.figure, chart.name, ""))
        assert set(used) <= set(own)
        ids += own
    assert len(ids) == len(set(ids))


def test_colours_are_the_pages(charts: list[Chart]) -> None:
    for chart in charts:
        svg = to_svg(chart.figure, chart.name, "")
        colours = set(re.findall(r"(?:fill|stroke|stop-color): ([^;\"]+)", svg))
        known = {
            "none",
            "currentColor",
            "var(--paper, Canvas)",
            f"var(--more, {MORE})",
            f"var(--less, {LESS})",
        }
        assert colours <= known


def test_nothing_is_fetched_and_nothing_tells_the_day(charts: list[Chart]) -> None:
    for chart in charts:
        svg = to_svg(chart.figure, chart.name, "")
        assert set(re.findall(r"https?://[^\"]*", svg)) == {"http://www.w3.org/2000/svg"}
        for word in ("<style", "<metadata", "<?xml", "<!DOCTYPE", "DejaVu", "Matplotlib"):
            assert word not in svg


def test_a_chart_of_many_variants_is_small(charts: list[Chart]) -> None:
    sizes = {chart.name: len(to_svg(chart.figure, chart.name, "").encode()) for chart in charts}
    assert max(sizes.values()) < 60_000
    assert sum(sizes.values()) < 300_000


# ------------------------------------------------------------------------------------ contrast

DARK, LIGHT_INK = "#14181a", "#ece8de"


def luminance(colour: tuple[float, ...]) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast_of(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(ink: str, paper: str, opacity: float) -> tuple[float, ...]:
    pairs = zip(to_rgb(ink), to_rgb(paper), strict=True)
    return tuple(opacity * a + (1 - opacity) * b for a, b in pairs)


@pytest.mark.parametrize("ink, paper", [(INK, PAPER), (LIGHT_INK, DARK)])
def test_text_and_marks_stand_out_on_light_and_dark_pages(ink: str, paper: str) -> None:
    assert contrast_of(mixed(ink, paper, QUIET), to_rgb(paper)) > 4.5
    for colour in (MORE, LESS):
        assert contrast_of(to_rgb(colour), to_rgb(paper)) > 3
        assert contrast_of(to_rgb(ink), mixed(colour, paper, STRONGEST)) > 4.5
