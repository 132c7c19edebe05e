import re
from pathlib import Path

from simcli.analysis.sizes import deals_for_half_width, games_to_notice

PAGE = Path(__file__).parents[2] / "docs" / "methods.md"


def table(name: str) -> list[tuple[float, int]]:
    """Return the rows of a table of the page: a number of points, a number of deals."""
    text = PAGE.read_text(encoding="utf-8")
    block = text[text.index(f"<!-- {name}: begin -->") : text.index(f"<!-- {name}: end -->")]
    rows = re.findall(r"^\| ([\d.]+) \| ([\d,]+) \|$", block, re.MULTILINE)
    assert len(rows) >= 4
    return [(float(points), int(deals.replace(",", ""))) for points, deals in rows]


def test_the_page_names_the_deals_that_half_widths_take() -> None:
    for points, deals in table("sizes"):
        assert deals == deals_for_half_width(points / 100, 0.25)


def test_the_page_names_the_games_that_it_takes_to_notice() -> None:
    for points, games in table("notice"):
        assert games == games_to_notice(points / 100, 0.25)
