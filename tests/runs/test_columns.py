import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simcli.bots.batch import N_COLUMNS, Rows
from simcli.runs.columns import COLUMNS, frame_of_rows, rows_of_frame
from simcli.runs.play import play_rows
from tests.runs.conftest import match_of

FORMATS = Path(__file__).parents[2] / "docs" / "formats.md"


def batch(variant: str = "classic", players: int | None = None, n: int = 300, session: int = 1) -> Rows:
    rows: Rows = np.zeros((N_COLUMNS, n), dtype=np.uint16)
    assert play_rows(match_of(variant, players=players, session=session), 0, rows, lambda played: True)
    return rows


def documented_types() -> dict[str, str]:
    """Read the table of outcome columns in docs/formats.md."""
    text = FORMATS.read_text().split("### Outcome columns")[1].split("### The digest")[0]
    types: dict[str, str] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) < 3 or "`" not in cells[0]:
            continue
        dtypes = [
            word.strip() for word in cells[1].replace(", null", "").replace(" (dictionary)", "").split(",")
        ]
        names = [name.strip(" `") for name in cells[0].split(",")]
        if "…" in cells[0]:
            stem = cells[0].strip("`").split("_")[0]
            names = [f"{stem}_{seat}" for seat in range(6)]
        for place, name in enumerate(names):
            types[name] = dtypes[min(place, len(dtypes) - 1)]
    return types


def test_columns_have_the_documented_names_and_types_in_order() -> None:
    frame = frame_of_rows(batch(), 0, 1, 4)
    found = {name: str(dtype) for name, dtype in frame.schema.items()}
    documented = documented_types()
    assert list(found) == [name for name in documented if name in found]
    assert found == {name: dtype for name, dtype in documented.items() if name in found}
    assert set(documented) - set(found) <= {"triggered"}


@pytest.mark.parametrize("variant, players", [("classic", 3), ("regular", 4), ("partners", 4), ("duel", 2)])
def test_a_frame_turns_back_into_its_batch(variant: str, players: int) -> None:
    rows = batch(variant, players)
    again = rows_of_frame(frame_of_rows(rows, 0, 1, players))
    used = [row for column in COLUMNS for row in (column.source, column.high) if row >= 0]
    assert np.array_equal(again[used], rows[used])


def test_seats_that_do_not_exist_are_null_and_the_others_have_trumps() -> None:
    frame = frame_of_rows(batch(players=3), 0, 1, 3)
    for seat in (3, 4, 5):
        assert frame[f"place_{seat}"].null_count() == frame.height
        assert frame[f"trumps_{seat}"].null_count() == frame.height
    for seat in (0, 1, 2):
        assert frame[f"trumps_{seat}"].null_count() == 0


def test_the_loser_has_the_last_place_and_nobody_else() -> None:
    lost = frame_of_rows(batch(players=3), 0, 1, 3).filter(pl.col("result") == "lost")
    assert lost.height > 0
    for row in lost.iter_rows(named=True):
        last = [seat for seat in range(3) if row[f"place_{seat}"] == 3]
        assert last == [row["loser"]]


def test_nobody_has_lost_a_drawn_deal() -> None:
    drawn = frame_of_rows(batch(n=2000), 0, 1, 4).filter(pl.col("result") == "drawn")
    assert drawn.height > 0
    assert drawn["loser"].null_count() == drawn.height


def test_sessions_count_from_the_first_deal_of_the_run() -> None:
    frame = frame_of_rows(batch(n=20, session=5), 15, 5, 4)
    assert frame["deal"].to_list() == list(range(15, 35))
    assert frame["session"].to_list() == [deal // 5 for deal in range(15, 35)]
    assert frame["deal_in_session"].to_list() == [deal % 5 for deal in range(15, 35)]


def test_text_is_a_dictionary_of_plain_strings_in_the_file() -> None:
    frame = frame_of_rows(batch(n=2000), 0, 1, 4)
    buffer = io.BytesIO()
    frame.select("trump").write_parquet(buffer, compression="uncompressed")
    # plain strings would take four bytes of length and two or three of text each
    assert len(buffer.getvalue()) < 2 * frame.height
    buffer.seek(0)
    assert pl.read_parquet_schema(buffer)["trump"] == pl.String
