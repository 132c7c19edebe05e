from dataclasses import replace
from pathlib import Path

import pytest

from simcli.errors import InputError
from simcli.runs.bench.commands import CommandCost
from simcli.runs.bench.figures import Figures
from simcli.runs.bench.page import BEGIN, END, load_page, with_figures, write_page
from simcli.runs.bench.scaling import Scaling
from simcli.runs.bench.sections import sections
from simcli.runs.bench.speed import Speed
from simcli.runs.bench.triggers import TriggerCost
from simcli.runs.bench.yardstick import Ratio

FIGURES = Figures(
    machine={"processor": "Abacus, 2 cores", "python": "Python 3.99"},
    cpu_s=1.0,
    engine=(Speed("classic", 4, "lowest", 500_000.0, 20.0),),
    yardstick=(
        Ratio("when_beaten", 2, "lowest", 500_000.0, 1_000_000.0, 0.5, 0.4, 0.6),
        Ratio("after_cover", 2, "lowest", 250_000.0, 1_000_000.0, 0.25, 0.2, 0.3),
        Ratio("when_beaten", 3, "lowest", 125_000.0, 1_000_000.0, 0.125, 0.1, 0.2),
    ),
    triggers=(TriggerCost("podkidnoy", 4, "lowest", 1, 500_000.0, -0.015),),
    commands=(CommandCost("simcli run classic", "warm", 1.5, 200_000_000, 7.25),),
    workers=(Scaling(1, 1000.0, 1.0), Scaling(2, 1900.0, 1.9)),
)
PAGE = f"# Speed\n\nbefore\n\n{BEGIN}old figures\n{END}\nafter\n"


def test_only_what_stands_between_the_marks_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "speed.md"
    path.write_text(PAGE)
    write_page(path, load_page(path), FIGURES)
    page = path.read_text()
    assert page.startswith(f"# Speed\n\nbefore\n\n{BEGIN}")
    assert page.endswith(f"{END}\nafter\n")
    assert "old figures" not in page
    assert "| classic | lowest | 4 | 500,000 | 20.0 | 100.0 |" in page
    assert "| podkidnoy | lowest | 4 | 1 | 500,000 | −1.5 % |" in page
    assert "| simcli run classic | warm | 1.50 | 200 MB | 7.2 |" in page
    assert "| 2 | 1,900 | 1.90 |" in page
    assert "| processor | Abacus, 2 cores |" in page


def test_writing_the_same_figures_again_changes_nothing() -> None:
    once = with_figures(PAGE, FIGURES)
    assert with_figures(once, FIGURES) == once


def test_a_new_page_holds_the_figures_alone(tmp_path: Path) -> None:
    path = tmp_path / "new.md"
    write_page(path, load_page(path), FIGURES)
    assert path.read_text() == with_figures(BEGIN + END, FIGURES)


@pytest.mark.parametrize("text", ["# Speed\n", END + BEGIN, BEGIN + BEGIN + END])
def test_a_page_without_a_place_for_the_figures_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "speed.md"
    path.write_text(text)
    with pytest.raises(InputError, match="bench: begin"):
        load_page(path)
    assert path.read_text() == text


def test_a_folder_is_no_page(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_page(tmp_path)
    with pytest.raises(InputError, match="can be written"):
        write_page(tmp_path, PAGE, FIGURES)


def test_every_row_fills_its_columns() -> None:
    found = list(sections(FIGURES))
    assert len(found) == 5
    for section in found:
        assert {len(row) for row in section.rows} == {len(section.head)}
        assert section.n_words <= len(section.head)


def test_what_was_not_measured_has_no_section() -> None:
    few = replace(FIGURES, yardstick=(), commands=(), workers=(), triggers=())
    assert [section.title for section in sections(few)] == ["The engine on one core"]


def test_the_yardstick_is_shown_window_by_window() -> None:
    rows = next(section.rows for section in sections(FIGURES) if section.title == "Against the yardstick")
    assert [row[0] for row in rows] == ["when_beaten", "when_beaten", "after_cover"]
