"""Counts in place of rows: the same numbers, and nothing else."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcli.analysis.adjust import cross_products
from simcli.analysis.compare import compare
from simcli.analysis.comparison import Comparison
from simcli.analysis.counted import load_counted
from simcli.analysis.counting import dealt_of
from simcli.analysis.curves import bout_curves
from simcli.analysis.factorial import contrasts
from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.kernels import count_alike, sum_hands
from simcli.analysis.plaincounts import plain_counts, restored
from simcli.analysis.rows import View
from simcli.analysis.streaks import streaks
from simcli.analysis.tablecounts import TableCounts
from simcli.bots.batch import Rows
from simcli.errors import InputError
from simcli.report.provenance import provenance
from simcli.rules.load import load_variant
from simcli.runs.jointmatch import MOST_PARTS, JointMatch
from simcli.runs.plan import Match
from tests.analysis.joint_runs import Asked, Counts, counts
from tests.runs.conftest import Notes, match_of, notes, small_parts
from tests.runs.test_columns import batch

__all__ = ["counts", "notes", "small_parts"]

pytestmark = pytest.mark.usefixtures("small_parts")

LATE_PARTNERS = load_variant("partners").model_copy(
    update={"name": "late-partners", "transfer": load_variant("late-transfer").transfer}
)
TABLES = {
    "three variants": Asked(("classic", "late-transfer", "podkidnoy")),
    "two players": Asked(("classic", "random-opening"), players=2),
    "from the dealer": Asked(players=4, frame="dealer"),
    "by seat, the first out": Asked(("classic", "pass-card"), players=2, frame="seat", outcome="first_out"),
    "a race": Asked(("classic", "advanced-standard"), players=4),
    "another deck": Asked(("classic", "full-pack"), players=2),
    "teams": Asked(("partners", LATE_PARTNERS), players=4),
    "teams beside players": Asked(("classic", "partners", "late-transfer"), players=4),
    "sessions": Asked(("classic", "late-transfer"), session=9),
    "sessions of teams": Asked((LATE_PARTNERS, "partners"), players=4, session=30, baseline="partners"),
    "one variant": Asked(("classic",)),
    "the others in another order": Asked(("podkidnoy", "late-transfer"), baseline="late-transfer"),
}


def told(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison without the folders, which differ."""
    found = comparison.to_dict()
    return {**found, "variants": [{**each, "folder": ""} for each in found["variants"]]}


@pytest.mark.parametrize("name", TABLES)
def test_counts_say_what_rows_say_to_the_last_digit(
    name: str, tmp_path: Path, notes: Notes, counts: Counts
) -> None:
    asked = TABLES[name]
    rows = asked.rows(tmp_path, notes)
    found = compare([counts(asked)[0].path], adjust="trumps")
    expected = compare(rows, asked.baseline, frame=asked.frame, outcome=asked.outcome, adjust="trumps")  # type: ignore[arg-type]
    assert expected.differences.height or name == "one variant"
    assert told(found) == told(expected)
    for mine, theirs in zip(found.tables, expected.tables, strict=True):
        assert bout_curves(mine) == bout_curves(theirs)
        assert streaks(mine, view=found.view) == streaks(theirs, view=expected.view)


def test_effects_of_options_are_the_same(tmp_path: Path, notes: Notes, counts: Counts) -> None:
    asked = Asked(("classic", "late-transfer", "podkidnoy", "no-draws"))
    factors: dict[str, dict[str, object]] = {"podkidnoy": {"x": 1}, "classic": {}, "no-draws": {"y": 1}}
    reference: dict[str, object] = {"x": 0, "y": 0}
    found, expected = (
        contrasts(compare(runs).tables[0], factors, reference)  # type: ignore[arg-type]
        for runs in (counts(asked), asked.rows(tmp_path, notes))
    )
    assert found == expected
    assert len(found) == 2 * 5


def test_counts_have_the_digest_of_the_rows(tmp_path: Path, notes: Notes, counts: Counts) -> None:
    asked = Asked(session=9)
    rows = asked.rows(tmp_path, notes)
    assert [run.digest for run in counts(asked)] == [run.digest for run in rows]
    assert [run.summary for run in counts(asked)] == [run.summary for run in rows]


def test_parts_leave_the_numbers_alone(
    counts: Counts, tmp_path: Path, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = told(compare(counts(Asked())))
    monkeypatch.setattr("simcli.runs.plan.MIN_PART", 900)
    monkeypatch.setattr("simcli.analysis.counting.BLOCK", 70)
    whole = Asked().counts(tmp_path / "whole", notes)
    assert len(whole[0].parts) == 1
    assert told(compare(whole)) == found


def test_a_run_with_other_variants_around_it_counts_the_same(counts: Counts) -> None:
    few, many = counts(Asked()), counts(Asked(("podkidnoy", "late-transfer", "classic")))
    assert few[0].path != many[0].path
    assert few[1].variant == many[2].variant
    assert few[1].digest == many[2].digest


def test_the_order_of_the_others_makes_no_other_folder(counts: Counts) -> None:
    first = counts(Asked(("classic", "late-transfer", "podkidnoy")))
    again = counts(Asked(("podkidnoy", "classic", "late-transfer")))
    assert [run.place for run in first] == [run.place for run in again]


# ------------------------------------------------------------------------------------ what is fixed


@pytest.mark.parametrize(
    "option, asked",
    [
        ("--baseline", {"baseline": "late-transfer"}),
        ("--frame", {"frame": "dealer"}),
        ("--outcome", {"outcome": "first_out"}),
        ("--examples", {"examples": 1}),
    ],
)
def test_what_was_not_counted_is_refused(option: str, asked: dict[str, Any], counts: Counts) -> None:
    path = counts(Asked())[0].path
    with pytest.raises(InputError, match=f"^{option}: expected"):
        compare([path], **asked)


def test_what_was_counted_may_be_named(counts: Counts) -> None:
    path = counts(Asked(frame="seat", outcome="first_out"))[0].path
    named = compare([path], "classic", frame="seat", outcome="first_out")
    assert named.to_dict() == compare([path]).to_dict()


def test_counts_and_rows_are_not_mixed(tmp_path: Path, notes: Notes, counts: Counts) -> None:
    rows = Asked().rows(tmp_path, notes)
    with pytest.raises(InputError, match="got both"):
        compare([counts(Asked())[0].path, rows[0].path])


def test_two_folders_of_one_table_are_refused(counts: Counts) -> None:
    paths = [counts(Asked(seed=seed))[0].path for seed in (1, 2)]
    with pytest.raises(InputError, match="one folder of counts for each table size"):
        compare(paths)


def test_folders_of_two_tables_are_compared_each_by_itself(counts: Counts) -> None:
    paths = [counts(Asked(players=players))[0].path for players in (2, 3)]
    comparison = compare(paths, by="players")
    assert [table.runs.players for table in comparison.tables] == [2, 3]


def test_folders_counted_for_other_things_are_not_compared(counts: Counts) -> None:
    paths = [counts(Asked(players=2))[0].path, counts(Asked(players=3, frame="seat"))[0].path]
    with pytest.raises(InputError, match=r"expected counts of one kind, got .*frame opener.*frame seat"):
        compare(paths)


def test_what_needs_rows_says_so(counts: Counts) -> None:
    run = counts(Asked())[0]
    with pytest.raises(InputError, match="expected a run with rows, got counts – play it without --summary"):
        run.path_of(run.parts[0])
    with pytest.raises(InputError, match="expected a run with rows, got counts"):
        load_finished(run.path)


def test_two_rules_of_one_name_are_refused(tmp_path: Path, counts: Counts) -> None:
    path = tmp_path / "classic.yaml"
    path.write_text("name: classic\nextends: classic\ntransfer: {mode: late}\n")
    with pytest.raises(InputError, match="classic: expected one variant of this name, got two"):
        counts(Asked(("classic", str(path))))


# ------------------------------------------------------------------------------------ adding up

VARIANTS = ("classic", "late-transfer")
N = 240


def matches_of(session: int) -> list[Match]:
    return [match_of(variant, players=3, session=session) for variant in VARIANTS]


@cache
def played(variant: str, session: int) -> Rows:
    return batch(variant, 3, N, session)


def counted(session: int, first: int, end: int) -> TableCounts:
    """Return the counts of a range of deals."""
    matches = matches_of(session)
    view = View("dealer", "loss")
    found = TableCounts.of(matches, view)
    if first < end:
        batches = [played(match.variant.name, session)[:, first:end].copy() for match in matches]
        found.add_deals([dealt_of(*each, view) for each in zip(batches, matches, strict=True)])
    return found


def trimmed(told: Any) -> Any:
    """Return plain counts without what an array has grown beyond the largest value seen."""
    if isinstance(told, dict):
        return {key: trimmed(value) for key, value in told.items()}
    if not isinstance(told, list) or not told:
        return told
    if isinstance(told[0], list | dict):
        return [trimmed(each) for each in told]
    return told[: max((place + 1 for place, value in enumerate(told) if value), default=0)]


@settings(max_examples=15, deadline=None)
@given(data=st.data(), session=st.sampled_from([1, 8]))
def test_counts_add_up_however_deals_are_cut_and_in_any_order(data: st.DataObject, session: int) -> None:
    cuts = data.draw(st.lists(st.integers(0, N // session), max_size=4))
    ends = [0, *sorted(cut * session for cut in cuts), N]
    pieces = [counted(session, *bounds) for bounds in pairwise(ends)]
    order = data.draw(st.permutations(pieces))
    at = data.draw(st.integers(0, len(order) - 1))
    left, right = TableCounts.of(matches_of(session), View("dealer", "loss")), order[at]
    for piece in order[:at]:
        left.add(piece)
    for piece in order[at + 1 :]:
        right.add(piece)
    left.add(right)
    assert trimmed(plain_counts(left)) == trimmed(plain_counts(counted(session, 0, N)))


@pytest.mark.parametrize("session", [1, 8])
def test_counts_come_back_from_plain_numbers_as_they_were(session: int) -> None:
    whole = counted(session, 0, N)
    again = restored(plain_counts(whole), TableCounts.of(matches_of(session), View()))
    assert plain_counts(again) == plain_counts(whole)
    again.add(counted(session, 0, N))
    assert again.tallies.runs[0].n_deals == 2 * N


def test_counts_of_another_shape_are_not_restored() -> None:
    told = plain_counts(counted(1, 0, N))
    other = [match_of(variant, players=4) for variant in VARIANTS]
    with pytest.raises(ValueError, match="expected an array of shape"):
        restored(told, TableCounts.of(other, View()))


def test_sums_too_large_for_a_float_are_not_written() -> None:
    with pytest.raises(OverflowError):
        plain_counts(np.array([2.0**53]))


def test_hands_are_summed_as_products_of_columns() -> None:
    rng = np.random.default_rng(1)
    hands = rng.integers(0, 7, (4, 300), dtype=np.uint8)
    cells = np.stack([rng.integers(0, 5, 300, dtype=np.uint8), rng.integers(0, 4, 300, dtype=np.uint8)])
    sums = np.zeros((1 + 4 + 5 + 4,) * 2, np.int64)
    sum_hands(hands, cells, np.array([5, 4]), sums)
    one_hot = [cells[0] == np.arange(5)[:, None], cells[1] == np.arange(4)[:, None]]
    expected = cross_products(np.concatenate([hands, *one_hot]))
    assert np.array_equal(sums, np.triu(expected))


@pytest.mark.parametrize("length", [1, 7])
def test_runs_that_end_alike_are_counted_cluster_by_cluster(length: int) -> None:
    cells = np.random.default_rng(2).integers(0, 4, (3, 70), dtype=np.uint8)
    found = np.zeros((4, 3, 3), np.int64)
    count_alike(cells, length, np.zeros((4, 3), np.int64), found)
    for cell in range(4):
        numbers = (cells == cell).reshape(3, -1, length).sum(axis=2)
        assert np.array_equal(found[cell], np.triu(numbers @ numbers.T))


# ------------------------------------------------------------------------------------ sizes


@pytest.mark.parametrize("session", [1, 7])
def test_ten_billion_deals_are_at_most_a_thousand_parts_of_whole_sessions(session: int) -> None:
    base = match_of(session=session)
    match = JointMatch(
        base.variant, base.lineup, base.seed, session, (match_of("podkidnoy").variant,), "opener", "loss"
    )
    size = match.part_deals(10_000_000_000, 200_000.0, 2)
    assert size % session == 0
    assert 10_000_000_000 / size <= MOST_PARTS
    assert match.part_deals(1_000_000, 50_000.0, 2) == base.part_deals(1_000_000, 25_000.0, 2)


def test_a_longer_run_is_a_further_look_as_with_rows(tmp_path: Path, notes: Notes, counts: Counts) -> None:
    both: list[list[FinishedRun]] = []
    for deals in (900, 1800):
        asked = replace(Asked(), deals=deals)
        both.append([*asked.rows(tmp_path, notes), *counts(asked)])
    for runs, look in zip(both, (1, 2), strict=True):
        rows, joint = compare(runs[:2]), compare(runs[2:])
        assert joint.tables[0].look == look
        assert told(rows) == told(joint)
    again, first = compare(load_counted(both[-1][-1].path, 900)), compare(both[0][:2])
    assert again.tables[0].look == 1
    assert told(again)["differences"] == told(first)["differences"]
    assert [run.deals for run in load_counted(both[-1][-1].path)] == [1800, 1800]


def test_a_report_names_the_command_that_counts(counts: Counts) -> None:
    comparison = compare([counts(Asked(frame="dealer"))[0].path])
    made = provenance([comparison], ())
    assert made.commands[0] == (
        "simcli run classic late-transfer --players 3 --bots lowest -n 900 --seed 1 "
        "--summary --baseline classic --frame dealer --outcome loss"
    )
    assert made.commands[1].startswith(
        "simcli report results/SUMMARY-classic+late-transfer-p3-lowest-s1-dealer --baseline classic "
    )
    assert len(made.runs) == 2
