"""Skill share: how much less often a bot fails than the others, by hand, by rows and by simulation."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats

from simcli.analysis.compare import compare
from simcli.analysis.finished import load_finished
from simcli.analysis.found import Table
from simcli.analysis.moments import Moments
from simcli.analysis.rotation import strength
from simcli.analysis.rows import View
from simcli.analysis.skill import SKILL_MARGIN, Seats, share_difference, share_interval, share_of
from simcli.analysis.skill_words import of_line_ups, of_skill, ranked_by_skill
from simcli.bots.lineup import Lineup
from simcli.cli.compare_files import comparison_bytes
from simcli.rules.variant import Variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of
from tests.analysis.test_pooled import BOTS, LABEL, played
from tests.report.charts.found import made_up_table, skilled

ALPHA = 0.025  # the first look's part of 5 %
N = 3


def by_hand(
    folder: Path, losers: list[list[int | str]], name: str = "classic", **rules: object
) -> list[Path]:
    """Write the rotations of thrifty between two lowest, the losers given as seats from thrifty's."""
    variant = Variant(name=name, players=N, **rules)  # type: ignore[arg-type]
    paths = []
    for turn, (lineup, row) in enumerate(zip(Lineup(BOTS).rotations(), losers, strict=True)):
        deals = [Dealt((each + turn) % N if isinstance(each, int) else each) for each in row]
        paths.append(run_of(folder, Match(variant, lineup, 1, 1), deals))
    return paths


def test_a_bot_that_loses_half_as_often_has_half_of_what_skill_can_be_worth(tmp_path: Path) -> None:
    # of 12 packs in 3 rotations thrifty, at 0, loses 6 deals, the two others 24, and 6 are drawn:
    # thrifty 6/36, another seat 12/36
    losers: list[list[int | str]] = [
        [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, "drawn", "drawn"],
        [1, 1, 0, 0, 1, 1, 2, 2, 2, 2, "drawn", "drawn"],
        [1, 1, 2, 2, 0, 0, 1, 1, 2, 2, "drawn", "stalled"],
    ]
    (row,) = compare(by_hand(tmp_path, losers)).tables[0].skill
    assert (row.bot, row.others, row.n, row.packs) == ("thrifty", "lowest", 36, 12)
    assert (row.rate.value, row.others_rate.value) == pytest.approx((6 / 36, 12 / 36))
    assert row.advantage.value == pytest.approx(6 / 36)
    assert row.share == pytest.approx(0.5)
    # the first six packs have one loss of thrifty and two of others each, the next four three of others:
    # influence (1 × 24/12 − …)/…: −(s − o/4)·6 per pack, s losses of thrifty, o of others, of 24 in all
    influences = np.array([-(1 - 2 / 4) / 6] * 6 + [3 / 4 / 6] * 4 + [0.0] * 2) * 12 * 0.5
    smallest = max(2 / 24, 0.5 / 24) * 12
    error = np.sqrt(((influences**2).sum() + 2 * smallest**2) / 11 / 12)
    half = stats.t.ppf(1 - ALPHA / 2, 11) * error
    assert row.interval is not None
    assert (row.interval.low, row.interval.high) == pytest.approx((0.5 - half, min(1, 0.5 + half)))
    assert (row.interval.kind, row.interval.family) == ("t of packs over rotations", "1 variant")
    assert (row.difference, row.verdict) == (None, None)


def test_a_bot_that_never_loses_has_all_of_it_and_nobody_none(tmp_path: Path) -> None:
    (never,) = compare(by_hand(tmp_path / "a", [[1, 2] * 20] * 3)).tables[0].skill
    assert never.share == 1.0
    assert never.interval is not None
    assert 0.8 < never.interval.low < never.interval.high == 1.0
    (drawn,) = compare(by_hand(tmp_path / "b", [["drawn"] * 40] * 3)).tables[0].skill
    assert (drawn.share, drawn.interval) == (None, None)
    assert drawn.rate.value == 0.0


def test_luck_of_a_seat_is_nobodys_skill(tmp_path: Path) -> None:
    variant = Variant(name="classic", players=N)
    runs = [
        run_of(tmp_path, Match(variant, each, 1, 1), [Dealt(2)] * 40) for each in Lineup(BOTS).rotations()
    ]
    (row,) = compare(runs).tables[0].skill
    assert row.share == pytest.approx(0.0)
    assert row.interval is not None
    assert not row.interval.excludes(0.0)


def test_players_who_lose_alike_have_no_skill_share(tmp_path: Path) -> None:
    for seed in range(5):
        (row,) = compare(played(tmp_path / str(seed), "classic", 400, seed=seed)).tables[0].skill
        assert row.interval is not None
        assert row.share is not None
        assert abs(row.share) < 0.2
        assert not row.interval.excludes(0.0)


@pytest.mark.parametrize("session", [1, 4])
def test_shares_and_their_difference_are_those_of_the_rows(tmp_path: Path, session: int) -> None:
    base = played(tmp_path, "classic", 200, seed=1, session=session)
    other = played(tmp_path, "late", 200, seed=2, session=session, transfer={"mode": "late"})
    comparison = compare([*base, *other])
    first, second = comparison.tables[0].skill
    sums = []
    for paths, row in ((base, first), (other, second)):
        by_turn = [
            pl.read_parquet(path / "*.parquet").select(
                "session", bot=(pl.col("loser") == turn).fill_null(False), lost=pl.col("loser").is_not_null()
            )
            for turn, path in enumerate(paths)
        ]
        found = (
            pl.concat(by_turn)
            .group_by("session")
            .agg(pl.col("bot").sum(), pl.col("lost").sum())
            .sort("session")
        )
        bot = found["bot"].to_numpy().astype(float)
        others = found["lost"].to_numpy() - bot
        sums.append((bot, others))
        assert row.share == pytest.approx(1 - bot.sum() / (others.sum() / 2))
    assert second.difference is not None
    assert second.difference.value == pytest.approx((second.share or 0) - (first.share or 0))
    # influence of a session on 1 − 2S/O
    one, two = ((-2 * s / o.sum() + 2 * s.sum() / o.sum() ** 2 * o) for s, o in sums)
    smallest = max(max(2 / o.sum(), 2 * s.sum() / o.sum() ** 2) for s, o in sums)
    n = one.size
    error = np.sqrt((((two - one) ** 2).sum() + 2 * smallest**2) * n / (n - 1))
    half = stats.t.ppf(1 - ALPHA / 2, n - 1) * error
    interval = second.difference.interval
    assert interval is not None
    assert interval.high - interval.low == pytest.approx(2 * half)
    assert interval.family == "1 variant"


def test_the_advantage_is_what_a_rotated_run_prints(tmp_path: Path) -> None:
    paths = played(tmp_path, "classic", 200)
    (row,) = compare(paths).tables[0].skill
    printed = strength([load_finished(path) for path in paths], "thrifty", ALPHA).difference
    assert row.advantage.value == pytest.approx(-(printed.value or 0))
    assert row.advantage.interval is not None
    assert printed.interval is not None
    assert row.advantage.interval.low == pytest.approx(-printed.interval.high)
    assert row.advantage.interval.kind == printed.interval.kind


def test_the_verdict_on_skill_goes_by_its_own_margin(tmp_path: Path) -> None:
    base = by_hand(tmp_path, [[0, 1, 2] * 400] * 3)
    better = by_hand(tmp_path, [[1, 1, 2] * 400] * 3, "better", transfer={"mode": "late"})
    same = by_hand(tmp_path, [[0, 1, 2] * 400] * 3, "same")
    rows = {row.variant: row for row in compare([*base, *better, *same]).tables[0].skill}
    assert rows["better"].verdict == "changes"
    assert rows["better"].margin == SKILL_MARGIN
    change = rows["same"].difference
    assert rows["same"].verdict == "same rules"
    assert change is not None
    assert change.value == 0.0


def test_where_the_first_out_is_counted_to_fail_is_not_to_be_first_alone(tmp_path: Path) -> None:
    variant = Variant(name="race", players=2, end={"objective": "first_out_wins"})  # type: ignore[arg-type]
    won = [Dealt("won", places=(1, 0)), Dealt("won", places=(0, 1)), Dealt("drawn", places=(1, 1))] * 10
    lineups = Lineup(("lowest", "thrifty")).rotations()
    runs = [
        run_of(tmp_path, Match(variant, lineup, 1, 1), deals)
        for lineup, deals in zip(lineups, (won, [won[1]] * 30), strict=True)
    ]
    (row,) = compare(runs).tables[0].skill
    # lowest at seat 0 fails 20 of 30, then at seat 1 none of 30; thrifty 20 of 30, then all
    assert (row.bot, row.rate.value, row.others_rate.value) == ("lowest", 20 / 60, 50 / 60)
    assert row.share == pytest.approx(0.6)


def test_partners_fail_together(tmp_path: Path) -> None:
    variant = Variant(name="pairs", players=4, teams=2)
    lineup = Lineup(("thrifty", "lowest", "lowest", "lowest"))
    runs = [
        run_of(tmp_path, Match(variant, each, 1, 1), [Dealt((turn + 1) % 4)] * 20)
        for turn, each in enumerate(lineup.rotations())
    ]
    (row,) = compare(runs).tables[0].skill
    # the team of thrifty's left neighbour loses each deal: two of the three others
    assert (row.rate.value, row.others_rate.value) == pytest.approx((0, 2 / 3))


# ------------------------------------------------------------------------------------ in words and files


def test_the_answer_names_who_gains_more_and_who_less(tmp_path: Path) -> None:
    base = by_hand(tmp_path, [[0, 1, 2, 1] * 600] * 3)
    more = by_hand(tmp_path, [[1, 1, 2, 2] * 600] * 3, "more", transfer={"mode": "late"})
    less = by_hand(tmp_path, [[0, 1, 2] * 800] * 3, "less", transfer={"mode": "none"})
    comparison = compare([*base, *more, *less])
    (text,) = of_skill(comparison.tables[0], comparison.view)
    assert text.startswith(
        "Three players (thrifty, lowest, lowest; rotated): a better player gains more under more "
        "(+66.7 points) than under classic, and less under less (−33.3 points). Under classic thrifty loses "
        "33.3 % less often than the others (lowest, "
    )
    assert [row.variant for row in ranked_by_skill(comparison.tables[0].skill)] == ["more", "classic", "less"]


def test_across_line_ups_it_is_said_what_holds_whoever_the_others_are() -> None:
    def table(lineup: str, *changes: tuple[str, float]) -> Table:
        rows = (skilled("classic", 0.4, None), *(skilled(name, 0.4 + each, each) for name, each in changes))
        return replace(made_up_table(("a",), lineup=lineup), skill=rows)

    one = table("x rotated", ("up", 0.1), ("down", -0.1), ("torn", 0.1), ("open", 0.1), ("alone", 0.2))
    two = table("y rotated", ("up", 0.2), ("down", -0.2), ("torn", -0.1), ("open", 0.0))
    assert list(of_line_ups([one], View())) == []
    assert list(of_line_ups([one, two], View())) == [
        "Four players, whoever the others are (2 line-ups): a better player gains more under up and less "
        "under down than under classic; under torn it is more with some and less with others; of the rest "
        "neither is shown."
    ]
    assert list(of_line_ups([table("x rotated", ("a", 0.0)), table("y rotated", ("a", 0.1))], View())) == [
        "Four players, whoever the others are (2 line-ups): no variant is shown to do the same."
    ]


def test_every_form_has_the_shares(tmp_path: Path) -> None:
    base = played(tmp_path, "classic", 100, seed=1)
    other = played(tmp_path, "late", 100, seed=2, transfer={"mode": "late"})
    comparison = compare([*base, *other])
    rows = comparison.to_dict()["skill"]
    told = json.loads(comparison_bytes(comparison, "json"))["skill"]
    assert told == rows
    assert [row["lineup"] for row in rows] == [LABEL, LABEL]
    for form, read in (("csv", pl.read_csv), ("parquet", pl.read_parquet)):
        frame = read(io.BytesIO(comparison_bytes(comparison, form))).filter(
            table="skill", variant="late", quantity="share"
        )
        assert frame["value"].item() == pytest.approx(rows[1]["share"])
        assert frame["low"].item() == pytest.approx(rows[1]["low"])
    assert comparison.skill["difference"][1] == pytest.approx(rows[1]["difference"]["value"])
    assert (
        "| bot fails, % | others fail, % | less often, % |"
        in comparison_bytes(comparison, "markdown").decode()
    )
    table = comparison_bytes(comparison, "table").decode()
    assert "Skill share: how often a seat of thrifty, and one of the others, fails;" in table
    assert all(len(line) <= 80 for line in table.splitlines())


# ------------------------------------------------------------------------------------ by simulation


def packs(rng: np.random.Generator, n: int, strength: np.ndarray) -> np.ndarray:
    """Return per pack the failures of a bot and of three others in four rotations.

    A pack has a seat that loses most often, so that its rotations depend on each other; the bot escapes
    some of the losses, which then fall on others.
    """
    bad = rng.integers(0, 4, n)
    counts = np.zeros((n, 2))
    for turn in range(4):
        seat = np.where(rng.random(n) < 0.4, bad, rng.integers(0, 4, n))
        escapes = (seat == turn) & (rng.random(n) < strength)
        seat = np.where(escapes, (seat + rng.integers(1, 4, n)) % 4, seat)
        lost = rng.random(n) < 0.95
        counts[:, 0] += lost & (seat == turn)
        counts[:, 1] += lost & (seat != turn)
    return counts


@pytest.mark.slow
def test_simulated_shares_and_their_differences_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(20_266)
    seats, n, replicates = Seats(1, 3), 300, 10_000
    escape = (np.full(1_000_000, 0.3), np.full(1_000_000, 0.5))
    truths = []
    for each in escape:
        share = share_of(packs(rng, 1_000_000, each).sum(axis=0), seats)
        assert share is not None
        truths.append(share.value)
    covered = np.zeros(2)
    for _ in range(replicates):
        state = rng.bit_generator.state
        before = packs(rng, n, np.full(n, 0.3))
        rng.bit_generator.state = state  # the same packs and almost the same play
        after = packs(rng, n, np.full(n, 0.5))
        own, both = Moments(2), Moments(4)
        own.add_counts(after)
        both.add_counts(np.hstack([after, before]))
        share, difference = (
            share_interval(own, seats, 0.05, 1),
            share_difference(both, seats, 0.05, 1).interval,
        )
        assert share is not None
        assert difference is not None
        covered += not share.excludes(truths[1]), not difference.excludes(truths[1] - truths[0])
    coverage = covered / replicates
    # the truths are themselves found by simulation, within 0.3 of a standard error of 300 packs at most
    assert coverage.min() > 0.93, coverage
    assert coverage.max() < 0.97, coverage
