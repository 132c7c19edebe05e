import json
from pathlib import Path

import pytest

from simcli.analysis.compare import compare
from simcli.analysis.found import BOUNDS
from simcli.cli.compare_files import comparison_bytes
from simcli.errors import InputError
from tests.analysis.finished_runs import run_of
from tests.analysis.test_compare import losers, match, other, pair, row

BEFORE = losers(*([0] * 300 + [1] * 300))
AFTER = losers(*([0] * 300 + [1] * 150 + ["drawn"] * 150))


def test_a_position_asked_about_gets_its_difference_and_a_word_on_that_alone(tmp_path: Path) -> None:
    comparison = pair(tmp_path, BEFORE, AFTER, positions=["opener", "drawn"])
    assert comparison.verdicts["cell"].to_list() != ["0"]
    assert comparison.asked["cell"].to_list() == ["0", "drawn"]
    for cell in ("0", "drawn"):
        asked, difference = (row(comparison, name, "other", cell=cell) for name in ("asked", "differences"))
        assert {key: asked[key] for key in ("difference", *BOUNDS)} == {
            key: difference[key] for key in ("difference", *BOUNDS)
        }
    opener, drawn = comparison.asked.iter_rows(named=True)
    assert (opener["verdict"], drawn["verdict"]) == ("undecided", "changes")
    assert opener["sentence"].startswith("The opener loses 50.0 % of deals instead of 50.0 % (0.0 points, ")
    assert drawn["sentence"].startswith("25.0 % of deals are drawn instead of 0.0 % (+25.0 points, ")
    assert drawn["sentence"].endswith(": changes more than the margin of 0.5.")


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_every_form_tells_what_was_asked(form: str, tmp_path: Path) -> None:
    comparison = pair(tmp_path, BEFORE, AFTER, positions=["1"])
    sentence = comparison.asked["sentence"].item()
    told = " ".join(comparison_bytes(comparison, form).decode().split())
    assert sentence in (json.loads(told)["asked"][0]["sentence"] if form == "json" else told)


def test_a_position_has_its_number_and_its_heading_in_the_frame(tmp_path: Path) -> None:
    paths = [run_of(tmp_path, match(), BEFORE), run_of(tmp_path, other(), AFTER)]
    by_seat = compare(paths, frame="seat", positions=["Seat 1", "1"])
    assert by_seat.asked["cell"].to_list() == ["1"]
    with pytest.raises(InputError, match=r"--position: expected seat 0, .*, drawn, .*, got opener"):
        compare(paths, frame="seat", positions=["opener"])


def test_a_position_that_no_table_has_is_named(tmp_path: Path) -> None:
    comparison = pair(tmp_path, BEFORE, AFTER, positions=["5th", "defender"])
    assert comparison.asked["cell"].to_list() == ["1"]
    assert "nothing can be said about 5th, which no variant compared has" in comparison.notes


def test_nothing_is_asked_by_default(tmp_path: Path) -> None:
    assert pair(tmp_path, BEFORE, AFTER).to_dict()["asked"] == []
