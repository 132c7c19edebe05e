import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from simcli.analysis.compare import compare
from simcli.analysis.comparison import Comparison
from simcli.analysis.finished import load_finished
from simcli.analysis.method import SIMULATION_ONLY, merged_lines
from simcli.analysis.paired import mcnemar_p, newcombe, stuart_maxwell, tango
from simcli.analysis.rates import rate_interval
from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError
from simcli.rules.variant import Variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of, write_run
from tests.runs.conftest import match_of
from tests.runs.test_columns import batch

ALPHA = 0.025  # the first look's part of 5 %


def match(name: str = "classic", players: int = 2, seed: int = 1, session: int = 1, **rules: object) -> Match:
    variant = Variant(name=name, players=players, **rules)  # type: ignore[arg-type]
    return Match(variant, parse_lineup("lowest", players), seed, session)


def other(name: str = "other", **options: int) -> Match:
    return match(name, transfer={"mode": "late"}, **options)  # type: ignore[arg-type]


def losers(*seats: int | str) -> list[Dealt]:
    return [Dealt(seat, trace=seat if isinstance(seat, int) else 9) for seat in seats]


def row(comparison: Comparison, table: str, variant: str, **keys: str) -> dict[str, object]:
    frame: pl.DataFrame = getattr(comparison, table)
    for key, value in {"variant": variant, **keys}.items():
        frame = frame.filter(pl.col(key) == value)
    found: dict[str, object] = frame.row(0, named=True)
    assert frame.height == 1
    return found


def pair(tmp_path: Path, before: Sequence[Dealt], after: Sequence[Dealt], **options: object) -> Comparison:
    paths = [run_of(tmp_path, match(), before), run_of(tmp_path, other(), after)]
    return compare(paths, **options)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------ by hand


def test_rates_are_counts_over_all_deals_with_joint_intervals(tmp_path: Path) -> None:
    comparison = compare([run_of(tmp_path, match(), losers(0, 0, 1, "drawn", "stalled", 0, 1, 1, 0, 0))])
    counts = dict(comparison.positions.select("cell", "count").iter_rows())
    assert counts == {"0": 5, "1": 3, "drawn": 1, "stalled": 1}
    found = row(comparison, "positions", "classic", cell="0")
    expected = rate_interval(5, 10, ALPHA, 4)
    assert (found["rate"], found["low"], found["high"]) == (0.5, expected.low, expected.high)
    assert (found["level"], found["kind"]) == (1 - ALPHA, "Clopper-Pearson")


def test_differences_are_taken_deal_by_deal(tmp_path: Path) -> None:
    before = losers(0, 0, 0, 1, 1, "drawn", 0, 1)
    after = losers(0, 1, 1, 1, 0, 1, 0, "drawn")
    comparison = pair(tmp_path, before, after)
    found = row(comparison, "differences", "other", cell="0")
    expected = tango(1, 2, 8, ALPHA, 4)
    assert found["difference"] == -1 / 8
    assert (found["low"], found["high"]) == (expected.low, expected.high)
    assert found["p"] == mcnemar_p(1, 2)
    assert (found["count"], found["baseline_count"]) == (3, 4)
    assert (found["kind"], found["family"]) == ("Tango", "1 variant × 4 cells")


def test_all_cells_of_a_variant_add_up_to_every_deal_and_changes_to_nothing(tmp_path: Path) -> None:
    comparison = pair(tmp_path, losers(0, 1, "drawn", "stalled"), losers(1, 1, 0, "drawn"))
    rates = comparison.positions.group_by("variant").agg(pl.col("rate").sum())["rate"]
    assert rates.to_list() == [1.0, 1.0]
    assert comparison.differences["difference"].sum() == pytest.approx(0, abs=1e-15)


def test_positions_count_from_the_opener_the_dealer_or_not_at_all(tmp_path: Path) -> None:
    path = run_of(tmp_path, match(players=3), [Dealt(2, opener=1, dealer=0), Dealt(0, opener=2, dealer=1)])

    def counts(frame: str) -> list[int]:
        comparison = compare([path], frame=frame)  # type: ignore[arg-type]
        return comparison.positions.filter(pl.col("cell").is_in(["0", "1", "2"]))["count"].to_list()

    assert counts("opener") == [0, 2, 0]
    assert counts("dealer") == [0, 0, 2]
    assert counts("seat") == [1, 0, 1]


def test_teams_are_counted_from_the_openers(tmp_path: Path) -> None:
    deals = [Dealt(0, opener=3), Dealt(3, opener=1), Dealt(2, opener=0), Dealt("drawn")]
    path = run_of(tmp_path, match("partners", players=4, teams=2), deals)
    comparison = compare([path])
    assert comparison.positions["cell"].to_list() == ["0", "1", "drawn", "stalled"]
    assert comparison.positions["count"].to_list() == [2, 1, 1, 0]


def test_a_deal_is_affected_if_its_trace_or_its_result_differs(tmp_path: Path) -> None:
    before = [Dealt(0, trace=5), Dealt(0, trace=5), Dealt(0, trace=5), Dealt(1, trace=5)]
    after = [Dealt(0, trace=5), Dealt(0, trace=6), Dealt("drawn", trace=5), Dealt(1, trace=5)]
    comparison = pair(tmp_path, before, after)
    assert row(comparison, "effects", "other")["affected"] == 2 / 4


def test_only_options_that_differ_count_as_having_come_into_play(tmp_path: Path) -> None:
    before = [Dealt(0, triggered=["draw.first"]), Dealt(0), Dealt(0), Dealt(0)]
    after = [Dealt(0), Dealt(0, triggered=["transfer.mode"]), Dealt(0, triggered=["draw.first"]), Dealt(0)]
    effect = row(pair(tmp_path, before, after), "effects", "other")
    assert effect["came_into_play"] == 1 / 4
    assert effect["affected"] == 0.0


def test_churn_counts_other_losers_even_where_positions_agree(tmp_path: Path) -> None:
    before = [Dealt(0, opener=0), Dealt(1), Dealt("drawn"), Dealt(0)]
    after = [Dealt(1, opener=1), Dealt(1), Dealt(0), Dealt(0)]
    effect = row(pair(tmp_path, before, after), "effects", "other")
    assert effect["churn"] == 1 / 4
    assert effect["result_changed"] == 2 / 4
    assert effect["difference"] == 1 / 4  # of the opener: only the drawn deal is lost now


def test_the_effect_is_the_share_affected_times_the_effect_among_the_affected(tmp_path: Path) -> None:
    before, after = losers(*[0] * 6, *[1] * 6), losers(*[1] * 4, *[0] * 3, *[1] * 5)
    effect = row(pair(tmp_path, before, after), "effects", "other")
    assert effect["difference"] == pytest.approx(effect["affected"] * effect["among_affected"])  # type: ignore[operator]


def test_measures_leave_out_deals_stalled_in_either_run(tmp_path: Path) -> None:
    before = [Dealt(0, bouts=4), Dealt("stalled", bouts=100), Dealt(0, bouts=6), Dealt(0, bouts=8)]
    after = [Dealt(0, bouts=5), Dealt(0, bouts=7), Dealt("stalled", bouts=100), Dealt(0, bouts=9)]
    comparison = pair(tmp_path, before, after)
    mine = row(comparison, "measures", "other", measure="bouts")
    assert (mine["n"], mine["mean"], mine["median"]) == (3, 7.0, 7.0)
    assert (mine["difference"], mine["median_difference"], mine["p90_difference"]) == (1.0, 1.0, 1.0)
    assert row(comparison, "measures", "classic", measure="bouts")["mean"] == 6.0


def test_a_measure_that_the_baseline_never_has_is_judged_only_if_it_is_shown(tmp_path: Path) -> None:
    comparison = pair(tmp_path, losers(*range(4)) * 100, losers(*range(4)) * 100)
    shows = row(comparison, "measures", "other", measure="shows")
    assert (shows["margin"], shows["difference"], shows["verdict"]) == (0.0, 0.0, None)
    assert row(comparison, "measures", "other", measure="bouts")["verdict"] == "no change beyond the margin"


def test_the_distribution_is_tested_by_stuart_and_maxwell(tmp_path: Path) -> None:
    before, after = losers(0, 0, 0, 1, "drawn", "drawn"), losers(1, 1, 0, 1, 1, "drawn")
    effect = row(pair(tmp_path, before, after), "effects", "other")
    table = [[1, 2, 0], [0, 1, 0], [0, 1, 1]]
    assert effect["homogeneity_p"] == stuart_maxwell(table).p


def test_shares_of_lost_deals_leave_out_the_others(tmp_path: Path) -> None:
    comparison = pair(tmp_path, losers(0, 0, 1, "drawn"), losers(0, 1, 1, 1))
    shares = comparison.lost_shares
    assert shares["share"].to_list() == [2 / 3, 1 / 3, 1 / 4, 3 / 4]
    assert shares["difference"].to_list()[2:] == [pytest.approx(1 / 4 - 2 / 3), pytest.approx(3 / 4 - 1 / 3)]


# ------------------------------------------------------------------------------------ who is first


def first_out() -> Match:
    return match("regular", players=3, end={"objective": "first_out_wins", "tie": "defender_last"})


def test_a_sole_first_place_is_counted_and_a_shared_one_is_a_cell_of_its_own(tmp_path: Path) -> None:
    deals = [
        Dealt("won", opener=1, places=(0, 1, 0)),
        Dealt("won", opener=1, places=(1, 0, 0)),
        Dealt("drawn", places=(1, 1, 0)),
        Dealt("stalled", places=(0, 0, 0)),
    ]
    comparison = compare([run_of(tmp_path, first_out(), deals)])
    counts = dict(comparison.positions.select("cell", "count").iter_rows())
    assert counts == {"0": 1, "1": 0, "2": 1, "drawn": 0, "stalled": 1, "shared": 1}
    assert comparison.view.outcome == "first_out"


def test_first_out_is_counted_for_all_if_any_variant_plays_for_it_and_that_is_said(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(players=3), [Dealt(0, places=(3, 1, 2)), Dealt(0, places=(3, 1, 1))]),
        run_of(tmp_path, first_out(), [Dealt("won", places=(0, 1, 0))] * 2),
    ]
    comparison = compare(paths)
    counts = dict(
        comparison.positions.filter(pl.col("variant") == "classic").select("cell", "count").iter_rows()
    )
    assert (counts["1"], counts["shared"]) == (1, 1)
    assert any("out first" in note and "regular" in note for note in comparison.notes)


@pytest.mark.parametrize("outcome", ["loss", "first_out"])
def test_what_is_counted_makes_no_deal_less_affected(tmp_path: Path, outcome: str) -> None:
    before = [Dealt("drawn", places=(1, 2, 2)), Dealt(2, places=(1, 2, 3))]
    after = [Dealt(2, places=(1, 2, 3)), Dealt(2, places=(1, 2, 3))]
    paths = [
        run_of(tmp_path, match(players=3), before),
        run_of(tmp_path, match("no-draws", players=3, end={"tie": "defender_last"}), after),
    ]
    effect = row(compare(paths, outcome=outcome), "effects", "no-draws")
    assert (effect["affected"], effect["came_into_play"]) == (0.5, 0.5)


def test_losses_can_be_counted_where_the_first_out_wins(tmp_path: Path) -> None:
    deals = [Dealt("won", places=(1, 0, 0)), Dealt("drawn", places=(1, 1, 0))]
    comparison = compare([run_of(tmp_path, first_out(), deals)], outcome="loss")
    counts = dict(comparison.positions.select("cell", "count").iter_rows())
    assert counts == {"0": 0, "1": 0, "2": 0, "drawn": 1, "stalled": 0, "no_loser": 1}


# ------------------------------------------------------------------------------------ verdicts


def test_the_same_rules_under_two_names_differ_in_nothing(
    tmp_path: Path,
) -> None:
    rows = batch(n=300)
    paths = [write_run(tmp_path, match(name, players=4), rows) for name in ("classic", "twin")]
    comparison = compare(paths)
    assert comparison.verdicts["verdict"].to_list() == ["same rules"]
    assert comparison.differences["difference"].to_list() == [0.0] * 6
    assert comparison.differences["p"].to_list() == [1.0] * 6
    assert comparison.measures.filter(pl.col("variant") == "twin")["difference"].to_list() == [0.0] * 11
    effect = row(comparison, "effects", "twin")
    assert (effect["affected"], effect["churn"], effect["variance_ratio"]) == (0.0, 0.0, None)
    assert "same rules as classic" in str(row(comparison, "verdicts", "twin")["sentence"])


def test_a_rule_that_never_came_into_play_is_said_to_have_done_so(tmp_path: Path) -> None:
    deals = losers(*[0, 1] * 3000)
    verdict = row(pair(tmp_path, deals, deals), "verdicts", "other")
    assert verdict["verdict"] == "no change beyond the margin"
    assert "never came into play" in str(verdict["sentence"])


def test_a_large_effect_changes_and_names_the_cell_farthest_beyond(tmp_path: Path) -> None:
    before, after = losers(*[0] * 800, *[1] * 200), losers(*[1] * 300, *[0] * 600, *["drawn"] * 100)
    verdict = row(pair(tmp_path, before, after), "verdicts", "other")
    assert (verdict["verdict"], verdict["cell"]) == ("changes", "0")
    assert "the opener loses 60.0 % of deals instead of 80.0 %" in str(verdict["sentence"])


def test_few_deals_leave_it_undecided(tmp_path: Path) -> None:
    assert row(pair(tmp_path, losers(0, 1), losers(0, 0)), "verdicts", "other")["verdict"] == "undecided"


# ------------------------------------------------------------------------------------ robust to anything


@pytest.mark.parametrize(
    "deals",
    [
        losers(0),
        losers("drawn"),
        losers("stalled"),
        losers(*["drawn"] * 40),
        losers(*["stalled"] * 40),
        losers(*[1] * 40),
    ],
    ids=["one", "one drawn", "one stalled", "only draws", "only stalls", "one loses all"],
)
def test_dead_tables_give_numbers_or_null_but_never_nan(tmp_path: Path, deals: list[Dealt]) -> None:
    comparison = pair(tmp_path, deals, deals)
    json.dumps(comparison.to_dict(), allow_nan=False)
    assert _floats_are_finite(comparison.to_dict())
    long = comparison.long()
    assert long.select(pl.col(pl.Float64).is_nan().any()).row(0) == (False,) * 4


def _floats_are_finite(data: object) -> bool:
    if isinstance(data, dict):
        return all(map(_floats_are_finite, data.values()))
    if isinstance(data, list):
        return all(map(_floats_are_finite, data))
    return not isinstance(data, float) or math.isfinite(data)


def test_every_interval_names_level_kind_and_family(tmp_path: Path) -> None:
    comparison = pair(tmp_path, losers(*[0, 1, 1] * 50), losers(*[0, 0, 1] * 50))
    seen = list(_intervals(comparison.to_dict()))
    assert len(seen) > 50
    assert all(each["level"] and each["kind"] and each["family"] for each in seen if each["low"] is not None)


def _intervals(data: object) -> list[dict[str, object]]:
    if isinstance(data, list):
        return [each for item in data for each in _intervals(item)]
    if not isinstance(data, dict):
        return []
    own = [data] if "low" in data else []
    return own + [each for item in data.values() for each in _intervals(item)]


# ------------------------------------------------------------------------------------ parts, lengths, seeds


def test_parts_cut_differently_give_the_same_comparison(tmp_path: Path) -> None:
    deals = [Dealt(i % 3 % 2, trace=i % 5, bouts=i % 7) for i in range(90)]
    changed = [Dealt(i % 2, trace=i % 4, bouts=i % 9) for i in range(90)]
    whole = pair(tmp_path / "whole", deals, changed)
    paths = [
        run_of(tmp_path / "cut", match(), deals, parts=40),
        run_of(tmp_path / "cut", other(), changed, parts=17),
    ]
    cut = compare(paths, workers=2)

    def without_folders(comparison: Comparison) -> dict[str, object]:
        data = comparison.to_dict()
        for variant in data["variants"]:
            del variant["folder"]
        return data

    assert without_folders(cut) == without_folders(whole)


def test_runs_of_different_length_are_compared_over_the_deals_both_have(tmp_path: Path) -> None:
    paths = [run_of(tmp_path, match(), losers(0, 0, 1)), run_of(tmp_path, other(), losers(0, 1, 1, 1, 1))]
    comparison = compare(paths)
    found = row(comparison, "differences", "other", cell="0")
    assert (found["n"], found["difference"]) == (3, pytest.approx(-1 / 3))
    assert row(comparison, "positions", "other", cell="1")["n"] == 5
    assert any("over the 3 that both have" in note for note in comparison.notes)


def test_shorter_runs_are_named_in_one_note_for_all_tables(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(name, players, transfer=rules), losers(*[0] * n))
        for players in (2, 3)
        for name, rules, n in (
            ("classic", {}, 5),
            ("podkidnoy", {"mode": "none"}, 3),
            ("late", {"mode": "late"}, 3),
            ("one", {"cards": "one"}, 5),
        )
    ]
    notes = [note for note in compare(paths, by="players").notes if "both have" in note]
    assert notes == ["podkidnoy and late have 3 deals, classic 5: differences are over the 3 that both have"]


def test_runs_of_different_seeds_are_compared_as_independent(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(), losers(*[0, 1] * 30)),
        run_of(tmp_path, other(seed=2), losers(*[1] * 40)),
    ]
    comparison = compare(paths)
    found = row(comparison, "differences", "other", cell="0")
    expected = newcombe(0, 40, 30, 60, ALPHA, 4)
    assert (found["difference"], found["kind"]) == (-0.5, "Newcombe")
    assert (found["low"], found["high"]) == (expected.low, expected.high)
    from statsmodels.stats.proportion import proportions_ztest

    assert found["p"] == pytest.approx(proportions_ztest([0, 30], [40, 60])[1], rel=1e-9)
    effect = row(comparison, "effects", "other")
    assert (effect["pairing"], effect["affected"]) == ("independent runs", None)
    assert any("independent" in note for note in comparison.notes)


def test_independent_runs_tell_how_often_one_option_came_into_play(tmp_path: Path) -> None:
    late = [Dealt(0, triggered=["transfer.mode"]) if i < 9 else Dealt(1) for i in range(30)]
    paths = [run_of(tmp_path, match(), losers(*[0, 1] * 30)), run_of(tmp_path, other(seed=2), late)]
    there = row(compare(paths), "effects", "other")["came_into_play"]
    back = row(compare(paths, "other"), "effects", "classic")["came_into_play"]
    assert (there, back) == (9 / 30, 9 / 30)
    several = match("several", seed=3, transfer={"mode": "late"}, draw={"first": "final_attacker"})
    paths.append(run_of(tmp_path, several, late))
    assert row(compare(paths), "effects", "several")["came_into_play"] is None


def test_what_is_no_list_of_runs_is_refused(tmp_path: Path) -> None:
    path = run_of(tmp_path, match(), losers(0, 1))
    for runs in (str(path), path, load_finished(path)):
        with pytest.raises(InputError, match=r"runs: expected a list of runs, got one by itself"):
            compare(runs, "classic")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="baseline: expected the name of a variant, got a "):
        compare([path], path)  # type: ignore[arg-type]
    for runs, message in (
        (None, "expected a list of runs, got nothing"),
        ([5], "expected the folder of a run, got 5"),
    ):
        with pytest.raises(InputError, match=f"runs: {message}"):
            compare(runs)  # type: ignore[arg-type]
    for margin in ("0.5pp", None, math.nan, 0, 1):
        with pytest.raises(InputError, match="margin: expected a share between 0 and 1"):
            compare([path], margin=margin)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="examples: expected a whole number from 0, got -1"):
        compare([path], examples=-1)


def test_other_decks_of_one_seed_are_still_differenced_deal_by_deal(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(), losers(*[0, 1] * 30)),
        run_of(tmp_path, match("full", deck=52), losers(*[0, 1] * 30)),
    ]
    comparison = compare(paths)
    assert row(comparison, "effects", "full")["pairing"] == "deal by deal"
    assert any("52 cards" in note for note in comparison.notes)


def test_an_extended_run_is_a_further_look_with_a_smaller_alpha(tmp_path: Path) -> None:
    deals = losers(*[0, 1] * 20)
    paths = [run_of(tmp_path, match(), deals), run_of(tmp_path, other(), deals, parts=10, declared=(20, 40))]
    comparison = compare(paths)
    assert comparison.differences["level"].unique().to_list() == [1 - 0.05 / 6]
    assert any(note.startswith("other was played on after a smaller number") for note in comparison.notes)


# ------------------------------------------------------------------------------------ sessions


def test_sessions_are_the_unit_where_deals_come_in_sessions(tmp_path: Path) -> None:
    before, after = losers(*[0, 1] * 30), losers(*[0, 0, 1, 1] * 15)
    paths = [run_of(tmp_path, match(session=2), before), run_of(tmp_path, other(session=2), after)]
    comparison = compare(paths)
    found = row(comparison, "differences", "other", cell="0")
    assert (found["kind"], found["difference"]) == ("t of session totals", 0.0)
    totals = np.array([1, -1] * 15)  # losses of the opener, variant less baseline, per session
    from scipy import stats

    error = math.sqrt((totals @ totals + 2) / 29 / 30)
    assert found["high"] == pytest.approx(stats.t.ppf(1 - ALPHA / 8, 29) * error / 2)
    assert found["p"] == 1.0
    effect = row(comparison, "effects", "other")
    assert (effect["homogeneity_p"], effect["pairing"]) == (None, "session by session")


def test_in_sessions_p_is_that_of_students_test_of_their_totals(tmp_path: Path) -> None:
    before, after = losers(*[0, 1] * 30), losers(*[0, 0, 0, 1, 1, 0] * 10)
    paths = [run_of(tmp_path, match(session=2), before), run_of(tmp_path, other(session=2), after)]
    from scipy import stats

    totals = np.array([1, 0, 0] * 10)
    # two sessions more are counted that differ by one loss
    error = math.sqrt((((totals - 1 / 3) ** 2).sum() + 2) / 29 / 30)
    expected = 2 * stats.t.sf(1 / 3 / error, 29)
    found = row(compare(paths), "differences", "other", cell="0")
    assert (found["difference"], found["p"]) == pytest.approx((1 / 6, expected), rel=1e-9)


def test_first_and_later_deals_of_sessions_are_shown_apart(tmp_path: Path) -> None:
    comparison = compare([run_of(tmp_path, match(session=2), losers(*[0, 1] * 30))])
    stages = {(row["deals"], row["cell"]): row["count"] for row in comparison.stages.iter_rows(named=True)}
    assert (stages["first", "0"], stages["first", "1"]) == (30, 0)
    assert (stages["later", "0"], stages["later", "1"]) == (0, 30)


def test_fewer_than_ten_sessions_are_refused(tmp_path: Path) -> None:
    path = run_of(tmp_path, match(session=4), losers(*[0, 1] * 18))
    with pytest.raises(InputError, match="expected at least 10 sessions of 4 deals, got 9"):
        compare([path])


def test_sessions_against_single_deals_are_clustered_by_session(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(), losers(*[0, 1] * 30)),
        run_of(tmp_path, other(session=3), losers(*[0, 1, 1] * 20)),
    ]
    found = row(compare(paths), "differences", "other", cell="0")
    assert (found["kind"], found["n"]) == ("t of session totals", 60)
    assert found["difference"] == pytest.approx(-1 / 6)


# ------------------------------------------------------------------------------------ belonging


def test_the_baseline_is_classic_else_the_first_unless_one_is_named(tmp_path: Path) -> None:
    paths = [run_of(tmp_path, other(), losers(0, 1)), run_of(tmp_path, match(), losers(0, 1))]
    assert compare(paths).baseline == "classic"
    assert compare(paths, baseline="other").verdicts["variant"].to_list() == ["classic"]
    assert compare(paths[:1]).baseline == "other"
    with pytest.raises(InputError, match=r"--baseline: expected other or classic, got clasic – did you mean"):
        compare(paths, baseline="clasic")


def test_runs_at_another_table_size_are_left_out_and_named(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(), losers(0, 1)),
        run_of(tmp_path, match("wide", players=4), losers(0, 1)),
    ]
    comparison = compare(paths)
    assert comparison.variants["variant"].to_list() == ["classic"]
    (note,) = comparison.notes
    assert note == (
        "left out: a run with another number of players (wide with 4): tables of 2 are compared – "
        "--by players compares every size of table"
    )


def test_many_runs_at_other_table_sizes_are_one_note(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(name, players=players), losers(0, 1))
        for players in (2, 3, 4)
        for name in ("classic", "twin", "third")
    ]
    (note,) = compare(paths, players=2).notes
    assert note.startswith("left out: 6 runs with other numbers of players (classic with 3, twin with 3, ")
    assert note.count(" with ") == 5
    assert "and 2 more" in note


def test_by_players_a_size_without_the_baseline_is_left_out_and_named(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(name, players=players), losers(0, 1))
        for name, players in (("classic", 2), ("twin", 2), ("twin", 3))
    ]
    (note,) = compare(paths, by="players").notes
    assert note == (
        "left out: a run with another number of players (twin with 3): classic was not played there"
    )


def test_how_several_tables_were_measured_is_told_once_and_in_order(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(name, players, transfer={"mode": mode}), losers(0, 1))
        for players in (2, 3)
        for name, mode in (("classic", "early"), ("late", "late"))
    ]
    comparison = compare(paths, by="players")
    told = merged_lines((comparison, table) for table in comparison.tables)
    families = [i for i, line in enumerate(told) if line.startswith("Their intervals")]
    assert ["4 cells" in told[families[0]], "5 cells" in told[families[1]]] == [True, True]
    assert families == [2, 3]
    assert told[-1] == SIMULATION_ONLY
    assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    "asked", [{"adjust": "x"}, {"by": "foo"}, {"workers": 0}, {"positions": "opener"}], ids=str
)
def test_what_python_may_not_ask_is_refused_by_name(asked: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"^{next(iter(asked))}: expected "):
        pair(tmp_path, losers(0, 1), losers(1, 0), **asked)


def test_with_by_players_every_table_size_has_its_own_table(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(name, players=players), losers(0, 1))
        for players in (2, 3)
        for name in ("classic", "twin")
    ]
    comparison = compare(paths, by="players")
    assert [table.runs.players for table in comparison.tables] == [2, 3]
    assert comparison.verdicts["players"].to_list() == [2, 3]


def test_teams_are_not_differenced_against_single_players(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(players=4), losers(0, 1)),
        run_of(tmp_path, match("partners", players=4, teams=2), losers(0, 1)),
    ]
    comparison = compare(paths)
    assert comparison.differences.height == 0
    assert comparison.positions["variant"].unique(maintain_order=True).to_list() == ["classic", "partners"]
    assert any("partners is not compared" in note for note in comparison.notes)


def test_a_lineup_without_the_baseline_is_refused_by_name(tmp_path: Path) -> None:
    thrifty = Match(Variant(name="other", players=2), parse_lineup("thrifty", 2), 1, 1)
    paths = [run_of(tmp_path, match(), losers(0, 1)), run_of(tmp_path, thrifty, losers(0, 1))]
    with pytest.raises(InputError, match="expected a run of the baseline classic with 2 players and thrifty"):
        compare(paths)


def test_lineups_are_compared_apart_and_findings_counted(tmp_path: Path) -> None:
    def lineup(bots: str, name: str, transfer: str) -> Match:
        variant = Variant(name=name, players=2, transfer={"mode": transfer})  # type: ignore[arg-type]
        return Match(variant, parse_lineup(bots, 2), 1, 1)

    results = {"lowest": [1] * 300, "thrifty": [1, 0] * 150, "random": [0] * 300}
    paths = []
    for bots, after in results.items():
        paths.append(run_of(tmp_path, lineup(bots, "classic", "early"), losers(*[0, 1] * 150)))
        paths.append(run_of(tmp_path, lineup(bots, "other", "late"), losers(*after)))
    comparison = compare(paths)
    assert [table.runs.lineup for table in comparison.tables] == list(results)
    finding = next(each for each in comparison.findings if each.cell == "0")
    assert (finding.direction, finding.shown, finding.not_shown, finding.opposite) == ("less", 1, 1, 1)


def test_two_runs_of_one_variant_are_told_apart_by_their_seeds(tmp_path: Path) -> None:
    paths = [run_of(tmp_path, match(seed=seed), losers(*[0, 1] * 20)) for seed in (1, 2)]
    comparison = compare(paths)
    assert comparison.variants["variant"].to_list() == ["classic (seed 1)", "classic (seed 2)"]
    assert comparison.verdicts["verdict"].to_list() == ["same rules"]


def test_unequal_seats_of_equal_bots_raise_an_alarm(tmp_path: Path) -> None:
    path = run_of(tmp_path, match(), losers(*[0] * 150, *[1] * 50))
    assert any("alarm" in note for note in compare([path], frame="seat").notes)
    assert not any("alarm" in note for note in compare([path]).notes)


# ------------------------------------------------------------------------------------ real play


def test_played_runs_agree_with_a_join_of_their_rows(tmp_path: Path) -> None:
    paths = []
    for name in ("classic", "podkidnoy"):
        played = match_of(name, players=3)
        paths.append(write_run(tmp_path, played, batch(name, n=2000, players=3), parts=700))
    before, after = (pl.read_parquet(path / "*.parquet") for path in paths)
    joined = before.join(after, on="deal", suffix="_after")
    comparison = compare(paths, workers=2)
    position = (pl.col("loser_after").cast(pl.Int32) + 3 - pl.col("opener_after").cast(pl.Int32)) % 3
    count = joined.filter((pl.col("result_after") == "lost") & (position == 1)).height
    assert row(comparison, "positions", "podkidnoy", cell="1")["count"] == count
    moved = joined.filter(pl.col("loser") != pl.col("loser_after")).height
    assert row(comparison, "effects", "podkidnoy")["churn"] == moved / 2000
    fine = joined.filter((pl.col("result") != "stalled") & (pl.col("result_after") != "stalled"))
    mean = (fine["bouts_after"].cast(pl.Int32) - fine["bouts"].cast(pl.Int32)).mean()
    assert row(comparison, "measures", "podkidnoy", measure="bouts")["difference"] == pytest.approx(mean)


def test_examples_name_deals_that_another_player_loses(tmp_path: Path) -> None:
    comparison = pair(tmp_path, losers(0, 0, "drawn", 1, 0), losers(0, 1, 1, 0, 1), examples=2)
    assert comparison.examples["deal"].to_list() == [1, 3]
    first = comparison.examples.row(0, named=True)
    assert (first["baseline_seat"], first["seat"]) == (0, 1)
    assert first["replay"].startswith("simcli replay ")
    assert first["replay"].endswith("other-p2-lowest-s1 --deal 1")


def test_it_is_said_why_no_deal_is_named_as_an_example(tmp_path: Path) -> None:
    paths = [
        run_of(tmp_path, match(), losers(0, 1)),
        run_of(tmp_path, other(), losers(0, "drawn")),
        run_of(tmp_path, other("third", seed=2), losers(1, 0)),
    ]
    assert not [note for note in compare(paths).notes if "examples" in note]
    assert {note for note in compare(paths, examples=1).notes if "examples" in note} == {
        "no deals of other are named as examples: in none of them does somebody else lose",
        "no deals of third are named as examples: it was played with seed 2, classic with 1",
    }


def test_adjusting_for_trumps_leaves_rates_alone_where_hands_are_equal(tmp_path: Path) -> None:
    deals = [Dealt(i % 2, trumps=(2, 2)) for i in range(40)]
    comparison = compare([run_of(tmp_path, match(), deals)], adjust="trumps")
    assert row(comparison, "adjusted", "classic", cell="0")["rate"] == pytest.approx(0.5)


def test_adjusting_for_trumps_takes_out_what_the_hand_explains(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    trumps = rng.integers(0, 6, size=(4000, 2))
    trumps[:, 0] += 1  # the opener holds one more
    chance = 0.5 + 0.05 * (trumps[:, 1] - trumps[:, 0])
    lost = np.where(rng.random(4000) < chance, 0, 1)
    deals = [Dealt(int(s), trumps=hands.tolist()) for s, hands in zip(lost, trumps, strict=True)]
    comparison = compare([run_of(tmp_path, match(), deals)], adjust="trumps")
    found = row(comparison, "adjusted", "classic", cell="0")
    assert found["low"] < 0.5 < found["high"]  # type: ignore[operator]
    assert row(comparison, "positions", "classic", cell="0")["high"] < 0.5  # type: ignore[operator]
