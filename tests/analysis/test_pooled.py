"""Rotations of a line-up compared as one run, against the obvious computation on the rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from simcli.analysis.compare import compare
from simcli.analysis.comparison import Comparison
from simcli.analysis.curves import bout_curves
from simcli.analysis.examples import find_examples
from simcli.analysis.factorial import contrasts
from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.means import quantile
from simcli.analysis.pooled import PooledRun, leading_rotation, pool_rotations
from simcli.analysis.rates import rate
from simcli.analysis.rows import View, read_rows
from simcli.analysis.streaks import streaks
from simcli.bots.lineup import Lineup
from simcli.errors import InputError
from simcli.rules.variant import Variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of

BOTS = ("thrifty", "lowest", "lowest")
LABEL = "thrifty,lowest,lowest rotated"
ALPHA = 0.025  # the first look's part of 5 %
OUTCOMES: tuple[int | str, ...] = (0, 1, 2, "drawn", "stalled")


def played(
    folder: Path, name: str, packs: int, *, seed: int = 1, session: int = 1, bots: tuple[str, ...] = BOTS,
    run_seed: int = 1, parts: int | None = None, **rules: object,
) -> list[Path]:  # fmt: skip
    """Write the runs of all rotations of a line-up, their outcomes drawn at random."""
    variant = Variant(name=name, players=len(bots), **rules)  # type: ignore[arg-type]
    rng = np.random.default_rng(seed)
    luck = rng.integers(0, 3, packs)  # so that the rotations of a pack depend on each other
    paths = []
    for lineup in Lineup(bots).rotations():
        own = rng.integers(0, len(OUTCOMES), packs)
        picked = np.where(rng.random(packs) < 0.5, luck, own)
        deals = [
            Dealt(OUTCOMES[i], opener=int(opener), bouts=int(bouts), trace=int(i), trumps=(2, 3, 4))
            for i, opener, bouts in zip(
                picked, rng.integers(0, 3, packs), rng.integers(3, 20, packs), strict=True
            )
        ]
        paths.append(run_of(folder, Match(variant, lineup, run_seed, session), deals, parts))
    return paths


def totals(paths: list[Path], cell: int, session: int) -> np.ndarray:
    """Return, per session of packs, in how many of its deals a position lost, by polars."""
    rows = pl.concat([pl.read_parquet(path / "*.parquet") for path in paths])
    hit = (pl.col("loser").cast(pl.Int64) - pl.col("opener").cast(pl.Int64)) % 3 == cell
    summed = rows.with_columns(hit.fill_null(False).alias("hit")).group_by("session").agg(pl.col("hit").sum())
    return summed.sort("session")["hit"].to_numpy().astype(float)


def expected(values: np.ndarray, deals: int, k: int) -> tuple[float, float, float]:
    """Return a mean per deal with Student's interval over clusters, two of which differ by one deal more."""
    n, mean = values.size, values.mean()
    error = np.sqrt((((values - mean) ** 2).sum() + 2) / (n - 1) / n)
    half = stats.t.ppf(1 - ALPHA / k / 2, n - 1) * error
    return mean * n / deals, (mean - half) * n / deals, (mean + half) * n / deals


def only(comparison: Comparison, table: str, **keys: str) -> dict[str, object]:
    frame: pl.DataFrame = getattr(comparison, table)
    (row,) = frame.filter(*(pl.col(key) == value for key, value in keys.items())).iter_rows(named=True)
    return row


@pytest.mark.parametrize("session", [1, 5])
def test_rates_and_differences_are_those_of_packs(tmp_path: Path, session: int) -> None:
    base = played(tmp_path, "classic", 120, seed=1, session=session, parts=40)
    other = played(tmp_path, "late", 120, seed=2, session=session, transfer={"mode": "late"})
    comparison = compare([*base, *other])
    assert comparison.positions["lineup"].unique().to_list() == [LABEL]
    for cell in range(3):
        before, after = (totals(paths, cell, session) for paths in (base, other))
        rate = only(comparison, "positions", variant="late", cell=str(cell))
        assert (rate["rate"], rate["low"], rate["high"]) == pytest.approx(expected(after, 360, 5))
        assert (rate["n"], rate["kind"]) == (360, "t of packs over rotations")
        change = only(comparison, "differences", variant="late", cell=str(cell))
        found = (change["difference"], change["low"], change["high"])
        assert found == pytest.approx(expected(after - before, 360, 5))
        assert (change["kind"], change["family"]) == ("t of packs over rotations", "1 variant × 5 cells")
    effect = only(comparison, "effects", variant="late")
    assert effect["pairing"] == ("pack by pack" if session == 1 else "session by session")
    assert effect["homogeneity_p"] is None


def test_other_seeds_are_compared_as_independent(tmp_path: Path) -> None:
    base = played(tmp_path, "classic", 60, seed=1)
    other = played(tmp_path, "late", 60, seed=2, run_seed=7, transfer={"mode": "late"})
    comparison = compare([*base, *other])
    assert only(comparison, "effects", variant="late")["pairing"] == "independent runs"
    kinds = comparison.differences["kind"].unique().to_list()
    assert kinds == ["t of packs over rotations, independent"]


def test_a_pooled_run_says_what_it_is_made_of(tmp_path: Path) -> None:
    paths = played(tmp_path, "classic", 60)
    (variant,) = compare(paths).variants.iter_rows(named=True)
    assert (variant["deals"], variant["rotations"], variant["session"]) == (180, 3, 1)
    assert variant["folder"] == ", ".join(map(str, paths))
    digests = [int(load_finished(path).digest, 16) for path in paths]
    assert int(variant["digest"], 16) == sum(digests) % 2**128


def test_its_rows_are_those_of_its_members_session_by_session(tmp_path: Path) -> None:
    members = [load_finished(path) for path in played(tmp_path, "classic", 20, session=5, parts=10)]
    rows = read_rows(PooledRun.of(members), 15, 45, View())
    alone = [read_rows(member, 5, 15, View()) for member in members]
    turns = [each.cells[start : start + 5] for start in (0, 5) for each in alone]
    assert rows.cells.tolist() == np.concatenate(turns).tolist()


def test_the_line_up_that_stands_for_all_begins_with_the_bot_at_the_fewest_seats() -> None:
    texts = {leading_rotation(each).text for each in Lineup(("lowest", "thrifty", "lowest")).rotations()}
    assert texts == {"thrifty,lowest,lowest"}


# ------------------------------------------------------------------------------------ not pooled


def loaded(paths: list[Path]) -> list[FinishedRun]:
    return [load_finished(path) for path in paths]


def test_a_lacking_rotation_is_named_and_nothing_is_pooled(tmp_path: Path) -> None:
    base = played(tmp_path, "classic", 60)
    other = played(tmp_path, "late", 60, transfer={"mode": "late"})
    found = pool_rotations(loaded([*base, *other[:2]]))
    assert [run.lineup for run in found.runs] == [
        run.match.lineup.text for run in loaded([*base, *other[:2]])
    ]
    assert found.notes == (
        "thrifty,lowest,lowest at 3 players is not pooled over its rotations, each is a table of its own: "
        "late (seed 1, 60 deals) lacks lowest,lowest,thrifty",
    )
    notes = compare([*base, *other[:2]]).notes
    assert set(found.notes) <= set(notes)
    assert len(compare([*base, *other[:2]]).tables) == 3


def test_rotations_over_other_deals_are_not_pooled(tmp_path: Path) -> None:
    paths, longer = played(tmp_path, "classic", 60), played(tmp_path / "longer", "classic", 80)
    (note,) = pool_rotations(loaded([*paths[:2], longer[2]])).notes
    assert "classic (seed 1, 60 deals) lacks lowest,lowest,thrifty; classic (seed 1, 80 deals) lacks" in note


def test_one_rotation_alone_is_nothing_to_speak_of(tmp_path: Path) -> None:
    paths = played(tmp_path, "classic", 60)
    found = pool_rotations(loaded(paths[:1]))
    assert (found.runs[0].lineup, found.notes) == ("thrifty,lowest,lowest", ())
    assert compare(paths[:1]).skill.is_empty()


def test_a_rotation_that_is_there_twice_is_not_pooled(tmp_path: Path) -> None:
    paths, again = played(tmp_path, "classic", 60), played(tmp_path / "again", "classic", 60)
    (note,) = pool_rotations(loaded([*paths, again[0]])).notes
    assert note.endswith("classic (seed 1, 60 deals) has a rotation more than once")


def test_too_few_packs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected at least 10 packs in every rotation, got 9"):
        compare(played(tmp_path, "classic", 9))


# ------------------------------------------------------------------------------------ what goes with it


def test_first_deals_of_sessions_are_those_of_every_rotation(tmp_path: Path) -> None:
    variant = Variant(name="classic", players=3)
    deals = [Dealt(0 if i % 4 == 0 else 1) for i in range(60)]
    paths = [run_of(tmp_path, Match(variant, each, 1, 4), deals) for each in Lineup(BOTS).rotations()]
    stages = compare(paths).stages
    counts = {(row["deals"], row["cell"]): row["count"] for row in stages.iter_rows(named=True)}
    assert (counts["first", "0"], counts["first", "1"]) == (45, 0)
    assert (counts["later", "0"], counts["later", "1"]) == (0, 135)


def test_streaks_are_not_told_for_seats_change_players(tmp_path: Path) -> None:
    comparison = compare(played(tmp_path, "classic", 60, session=5))
    assert streaks(comparison.tables[0]) == ()
    assert any(note.startswith("whether losing breeds losing is not told") for note in comparison.notes)


def test_a_median_has_the_bounds_of_as_many_deals_as_packs(tmp_path: Path) -> None:
    paths = played(tmp_path, "classic", 400)
    rows = pl.concat([pl.read_parquet(path / "*.parquet") for path in paths])
    bouts = rows.filter(pl.col("result") != "stalled")["bouts"].to_numpy()
    row = only(compare(paths), "measures", measure="bouts")
    wider = quantile(np.bincount(bouts), 0.5, ALPHA, repeats=3).interval
    usual = quantile(np.bincount(bouts), 0.5, ALPHA).interval
    assert wider is not None
    assert usual is not None
    assert (row["median_low"], row["median_high"]) == (wider.low, wider.high)
    assert wider.high - wider.low >= usual.high - usual.low


def test_shares_of_affected_deals_have_the_design_effect_of_packs(tmp_path: Path) -> None:
    # every pack is affected in all rotations or in none: three deals say no more than one
    late = Variant(name="late", players=3, transfer={"mode": "late"})  # type: ignore[arg-type]
    paths = []
    for turn, variant in enumerate((Variant(name="classic", players=3), late)):
        deals = [Dealt(0, trace=turn if i % 4 == 0 else 9) for i in range(200)]
        paths += [run_of(tmp_path, Match(variant, each, 1, 1), deals) for each in Lineup(BOTS).rotations()]
    row = only(compare(paths), "effects", variant="late")
    alone = rate(50, 200, ALPHA).interval
    assert alone is not None
    assert row["affected"] == 0.25
    assert row["affected_low"] == pytest.approx(alone.low, abs=2e-3)
    assert row["affected_high"] == pytest.approx(alone.high, abs=2e-3)
    assert (row["churn"], row["result_changed"]) == (0.0, 0.0)


def test_examples_come_from_the_first_rotation(tmp_path: Path) -> None:
    base = played(tmp_path, "classic", 60, seed=1)
    other = played(tmp_path, "late", 60, seed=2, transfer={"mode": "late"})
    table = compare([*base, *other]).tables[0]
    examples = list(find_examples(table.runs, View(), 3))
    assert len(examples) == 3
    for each in examples:
        before, after = (
            pl.read_parquet(path / "*.parquet")["loser"][each.deal] for path in (base[0], other[0])
        )
        assert (before, after) == (each.baseline_seat, each.seat)
        assert each.replay == f"simcli replay {other[0]} --deal {each.deal}"


def test_curves_and_contrasts_take_packs_as_well(tmp_path: Path) -> None:
    base = played(tmp_path, "classic", 60, seed=1)
    other = played(tmp_path, "late", 60, seed=2, transfer={"mode": "late"})
    table = compare([*base, *other]).tables[0]
    (curve,) = bout_curves(table)
    assert curve.kind == "t of packs over rotations"
    levels = {"classic": {"transfer.mode": "early"}, "late": {"transfer.mode": "late"}}
    rows = contrasts(table, levels, {"transfer.mode": "early"})
    assert {row.interval.kind for row in rows} == {"t of packs over rotations"}
    change = {row.cell: row.difference for row in table.differences}
    assert {row.cell: row.effect for row in rows} == pytest.approx(change)


def test_adjusted_rates_are_those_of_all_rotations_together(tmp_path: Path) -> None:
    paths = played(tmp_path, "classic", 60)
    comparison = compare(paths, adjust="trumps")
    rates = {row["cell"]: row["rate"] for row in comparison.positions.iter_rows(named=True)}
    adjusted = {row["cell"]: row["rate"] for row in comparison.adjusted.iter_rows(named=True)}
    assert adjusted.keys() == rates.keys()
    assert sum(adjusted.values()) == pytest.approx(1)
