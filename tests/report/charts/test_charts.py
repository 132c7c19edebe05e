"""What holds of every chart: the same bytes, room for every label, nothing but the rows' own numbers."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from simcli.report.charts.style import WIDTH, chart_style, height_of, to_png
from simcli.report.charts.svg import to_svg
from tests.report.charts.charts import NAMES, Chart, all_charts, chart_of

FEW = ("late-transfer", "pass-card", "podkidnoy")
SMALLEST = 9.0
TOUCH = 1.0  # square points that two boxes may share: rounding

ELSEWHERE = """
import sys
from tests.report.charts.test_charts import digests
print(digests())
assert "matplotlib.pyplot" not in sys.modules
"""


def digests() -> str:
    """Return a digest of each chart, and what is said of it."""
    found = [
        (
            chart.name,
            sha256(to_svg(chart.figure, chart.name, chart.alt_text).encode()).hexdigest(),
            chart.caption,
        )
        for chart in all_charts(FEW)
    ]
    return str(found)


@pytest.fixture(params=NAMES)
def chart(request: pytest.FixtureRequest) -> Chart:
    return chart_of(request.param)


def texts(figure: Figure) -> list[tuple[str, Bbox]]:
    """Return all text that is seen, with the room it takes in points."""
    with chart_style():
        figure.canvas.draw()
        renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
        found = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
        return [(text.get_text(), text.get_window_extent(renderer)) for text in found]


def shared(one: Bbox, other: Bbox) -> float:
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return max(0.0, width) * max(0.0, height)


def test_labels_stay_inside_the_figure(chart: Chart) -> None:
    whole = height_of(chart.figure)
    outside = [
        text
        for text, box in texts(chart.figure)
        if box.x0 < -0.5 or box.x1 > WIDTH + 0.5 or box.y0 < -0.5 or box.y1 > whole + 0.5
    ]
    assert outside == []


def test_labels_do_not_overlap(chart: Chart) -> None:
    found = texts(chart.figure)
    clashes = [
        (text, other)
        for index, (text, box) in enumerate(found)
        for other, other_box in found[:index]
        if shared(box, other_box) > TOUCH
    ]
    assert clashes == []


def test_type_is_large_enough_for_a_telephone(chart: Chart) -> None:
    assert min(text.get_fontsize() for text in chart.figure.findobj(Text)) >= SMALLEST


def test_the_same_data_give_the_same_png(tmp_path: Path) -> None:
    written = []
    for number in ("1", "2"):
        chart = next(all_charts(FEW))
        to_png(chart.figure, tmp_path / number)
        written.append((tmp_path / number).read_bytes())
    assert written[0] == written[1]
    assert b"Software" not in written[0]
    assert b"tIME" not in written[0]


def test_a_png_is_made_for_print(tmp_path: Path) -> None:
    chart = next(all_charts(FEW))
    to_png(chart.figure, tmp_path / "forest.png")
    header = (tmp_path / "forest.png").read_bytes()[16:24]
    width, height = int.from_bytes(header[:4], "big"), int.from_bytes(header[4:], "big")
    assert width == WIDTH / 72 * 300
    assert height == pytest.approx(height_of(chart.figure) / 72 * 300, abs=1)


def test_the_same_data_give_the_same_svg_and_words_in_every_process_without_pyplot() -> None:
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    elsewhere = subprocess.run(
        [sys.executable, "-W", "error", "-c", ELSEWHERE],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert elsewhere.stdout.strip() == digests()


def test_what_a_reader_has_set_changes_nothing() -> None:
    import matplotlib

    before = to_svg(next(all_charts(FEW)).figure, "forest", "")
    with matplotlib.rc_context({"font.size": 20, "svg.fonttype": "path", "axes.grid": True}):
        again = next(all_charts(FEW))
        assert to_svg(again.figure, "forest", "") == before
        assert matplotlib.rcParams["svg.fonttype"] == "path"


def test_captions_and_alt_texts_are_sentences_with_numbers(chart: Chart) -> None:
    for text in (chart.caption, chart.alt_text):
        assert any(letter.isdigit() for letter in text)
        assert text.endswith(".")
        assert text[0].isupper() or text[0].isdigit()
        assert not {"nan", "inf", "None"} & set(text.replace("(", " ").replace(",", " ").split())
