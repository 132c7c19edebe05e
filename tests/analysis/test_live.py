"""The largest difference is told while runs are played, and changes nothing."""

import re
from pathlib import Path

import polars as pl
import pytest

from simcli.analysis import live
from simcli.analysis.live import Looking
from simcli.analysis.missing import play_missing
from simcli.analysis.phrases import points
from simcli.analysis.rows import View
from simcli.analysis.sequences import confidence_sequence
from simcli.runs.orders import Order
from simcli.runs.plan import Match
from simcli.runs.pool import Pool
from simcli.runs.stopping import LOOK
from tests.analysis.test_deciding import Noted
from tests.runs.conftest import match_of, rows_in

PAIR = match_of("classic"), match_of("late-transfer")
NOTE = re.compile(r"late-transfer, (\w+) ([+−][\d.]+) ± ([\d.]+) at ([\d,]+) deals")


@pytest.fixture(autouse=True)
def _time_for_every_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "MOST_SHARE", 1000.0)


def looked_on(results: Path, *matches: Match, deals: int, onlooker: bool = True) -> list[str]:
    report = Noted()
    with Pool(1) as pool:
        looking = Looking(None, View(), report) if onlooker else None
        orders = [Order(match, deals, results) for match in matches]
        assert all(run.deals == deals for run in play_missing(orders, pool, report, looking))
    return report.noted


def losses(results: Path, match: Match, n: int) -> pl.DataFrame:
    rows = rows_in(results / match.folder_name).sort("deal").head(n)
    return rows.select(position=(pl.col("loser").cast(pl.Int16) - pl.col("opener") + 4) % 4)


def test_it_tells_the_confidence_sequence_at_looks_in_the_order_of_deals(tmp_path: Path) -> None:
    notes = looked_on(tmp_path, *PAIR, deals=5 * LOOK)
    found = [match for note in notes if (match := NOTE.fullmatch(note))]
    assert len(found) == len(notes) > 1
    looks = [int(match[4].replace(",", "")) for match in found]
    assert looks == sorted(set(looks))
    assert all(look % LOOK == 0 for look in looks)
    for match, look in zip(found, looks, strict=True):
        cell = ("opener", "defender", "3rd", "4th").index(match[1])
        before, after = ((losses(tmp_path, each, look)["position"] == cell).fill_null(False) for each in PAIR)
        gained, lost = int((after & ~before).sum()), int((before & ~after).sum())
        interval = confidence_sequence(gained, lost, look, k=6)
        assert match[2] == points((gained - lost) / look, 2)
        assert match[3] == points((interval.high - interval.low) / 2, 2, sign=False)


def test_it_stops_nothing_and_leaves_the_rows_alone(tmp_path: Path) -> None:
    looked_on(tmp_path / "looked", *PAIR, deals=3 * LOOK)
    looked_on(tmp_path / "quiet", *PAIR, deals=3 * LOOK, onlooker=False)
    for match in PAIR:
        assert rows_in(tmp_path / "looked" / match.folder_name).equals(
            rows_in(tmp_path / "quiet" / match.folder_name)
        )


def test_it_takes_no_second_look_without_time_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MOST_SHARE", 0.0)
    assert len(looked_on(tmp_path, *PAIR, deals=5 * LOOK)) == 1


def test_a_longer_run_is_looked_at_beyond_what_was_there(tmp_path: Path) -> None:
    looked_on(tmp_path, *PAIR, deals=2 * LOOK)
    notes = looked_on(tmp_path, *PAIR, deals=5 * LOOK)
    looks = [int(note.split(" at ")[1].split()[0].replace(",", "")) for note in notes]
    assert looks
    assert min(looks) > 2 * LOOK


def test_of_several_tables_the_largest_difference_is_told_with_its_table(tmp_path: Path) -> None:
    wide = match_of("classic", "random"), match_of("late-transfer", "random")
    notes = looked_on(tmp_path, *PAIR, *wide, deals=2 * LOOK)
    assert notes
    assert all(re.match(r"late-transfer-p4-(lowest|random), ", note) for note in notes)


def test_sessions_and_lonely_runs_have_nothing_to_tell(tmp_path: Path) -> None:
    assert looked_on(tmp_path, PAIR[0], match_of("duel"), deals=LOOK) == []
    chained = match_of("classic", session=10), match_of("late-transfer", session=10)
    assert looked_on(tmp_path, *chained, deals=2 * LOOK) == []
