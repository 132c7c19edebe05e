import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.runs.columns import MEASURES, frame_of_rows
from simcli.runs.summary import Z_95, Summary, add_summaries, n_positions, summary_of_rows, wilson
from tests.runs.conftest import match_of
from tests.runs.test_columns import batch


@pytest.mark.parametrize("variant, players", [("classic", 4), ("regular", 5), ("partners", 6), ("duel", 2)])
def test_a_summary_counts_what_the_rows_say(variant: str, players: int) -> None:
    match = match_of(variant, players=players)
    positions = n_positions(match.variant)
    rows = batch(variant, players, n=3000)
    summary = summary_of_rows(rows, positions)
    frame = frame_of_rows(rows, 0, 1, players)

    decided = [0] * positions
    for row in frame.iter_rows(named=True):
        seat = row["loser"]
        if row["result"] == "won":
            seat = next(s for s in range(players) if row[f"place_{s}"] == 1)
        if row["result"] in ("lost", "won"):
            decided[(seat - row["opener"]) % positions] += 1
    assert list(summary.decided) == decided
    assert summary.deals == sum(decided) + summary.drawn + summary.stalled
    assert summary.drawn == frame.filter(pl.col("result") == "drawn").height
    for measure in MEASURES:
        assert summary.mean(measure) == pytest.approx(frame[measure].mean())


def test_partners_are_counted_as_two_teams() -> None:
    assert n_positions(match_of("partners").variant) == 2


def test_summaries_of_parts_add_up_to_that_of_the_whole() -> None:
    rows = batch(n=1000)
    parts = [summary_of_rows(rows[:, :300], 4), summary_of_rows(rows[:, 300:], 4)]
    assert add_summaries(parts, 4) == summary_of_rows(rows, 4)


def test_a_summary_survives_its_plain_form() -> None:
    summary = summary_of_rows(batch(), 4)
    assert Summary.from_mapping(summary.as_mapping()) == summary


@given(st.integers(1, 10**6), st.floats(0, 1))
def test_wilson_bounds_are_where_the_score_test_just_rejects(n: int, share: float) -> None:
    count = round(share * n)
    low, high = wilson(count, n)
    assert 0 <= low <= count / n <= high <= 1
    for bound in (low, high):
        if 0 < bound < 1:
            z = (count / n - bound) / math.sqrt(bound * (1 - bound) / n)
            assert abs(z) == pytest.approx(Z_95, rel=1e-4)


def test_wilson_says_nothing_about_no_deals() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
