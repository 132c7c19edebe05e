"""Rotations of a line-up, pooled by pack, against the obvious computation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from simcli.analysis.finished import FinishedRun, load_finished
from simcli.analysis.rotation import margins, strength, team_of
from simcli.bots.lineup import Lineup
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of


def rotations(
    folder: Path, bots: tuple[str, ...], losers: list[list[int | str]], session: int = 1, **rules: object
) -> list[FinishedRun]:
    """Return the runs of all rotations of a line-up, with these losers."""
    variant = Variant(name="hand", players=len(bots), **rules)  # type: ignore[arg-type]
    return [
        load_finished(run_of(folder, Match(variant, lineup, 1, session), [Dealt(loser) for loser in each]))
        for lineup, each in zip(Lineup(bots).rotations(), losers, strict=True)
    ]


def random_losers(seed: int, players: int, runs: int, deals: int) -> list[list[int | str]]:
    """Return losers at random, with some draws and stalls."""
    outcomes: list[int | str] = [*range(players), "drawn", "stalled"]
    rng = np.random.default_rng(seed)
    return [[outcomes[i] for i in rng.integers(0, len(outcomes), deals)] for _ in range(runs)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("session", [1, 4])
def test_the_pooled_difference_is_the_mean_over_packs(tmp_path: Path, seed: int, session: int) -> None:
    losers = random_losers(seed, 3, 3, 80)
    found = strength(rotations(tmp_path, ("thrifty", "lowest", "random"), losers, session), "lowest")
    # the seat of lowest moves on with each rotation
    points = {0: 1.0, 1: -0.5, 2: -0.5}
    each = np.array(
        [
            [points[(loser - 1 - turn) % 3] if isinstance(loser, int) else 0.0 for loser in row]
            for turn, row in enumerate(losers)
        ]
    )
    by_session = each.sum(axis=0).reshape(-1, session).sum(axis=1)
    n = by_session.size
    mean = by_session.mean()
    # as everywhere: two more units that differ by the smallest step, so that no interval has no width
    error = np.sqrt((((by_session - mean) ** 2).sum() + 2) / (n - 1) / n)
    half = stats.t.ppf(0.975, n - 1) * error
    assert found.difference.value == pytest.approx(each.mean())
    assert found.difference.interval is not None
    assert found.difference.interval.low == pytest.approx((mean - half) / 3 / session)
    assert found.difference.interval.high == pytest.approx((mean + half) / 3 / session)
    assert (found.bot, found.others) == ("lowest", ("thrifty", "random"))
    assert (found.packs, found.rotations) == (80, 3)


def test_a_bot_that_loses_nothing_beats_the_others(tmp_path: Path) -> None:
    losers: list[list[int | str]] = [[1, 2] * 50, [0, 2] * 50, [0, 1] * 50]
    found = strength(rotations(tmp_path, ("thrifty", "lowest", "lowest"), losers))
    assert found.bot == "thrifty"
    assert found.difference.value == pytest.approx(-0.5)
    assert found.beats(0.01)
    assert not found.beats(0.6)


def test_luck_of_a_seat_is_nobodys_strength(tmp_path: Path) -> None:
    losers: list[list[int | str]] = [[2] * 60] * 3
    found = strength(rotations(tmp_path, ("thrifty", "lowest", "lowest"), losers))
    assert found.difference.value == pytest.approx(0)
    assert not found.beats(0)


def test_partners_lose_together(tmp_path: Path) -> None:
    variant = seat(load_variant("partners"), 4)
    assert [team_of(variant, place) for place in range(4)] == [[0, 2], [1, 3], [0, 2], [1, 3]]
    losers: list[list[int | str]] = [[1, 3] * 20, [0, 2] * 20]
    found = strength(rotations(tmp_path, ("thrifty", "lowest") * 2, losers, teams=2))
    assert found.difference.value == pytest.approx(-1)


def test_where_the_first_out_wins_a_bot_fails_that_does_not_win_alone(tmp_path: Path) -> None:
    variant = Variant(name="race", players=2, end={"objective": "first_out_wins"})  # type: ignore[arg-type]
    won = [Dealt("won", places=(1, 0)), Dealt("won", places=(0, 1)), Dealt("drawn", places=(1, 1))] * 10
    runs = [
        load_finished(run_of(tmp_path, Match(variant, lineup, 1, 1), deals))
        for lineup, deals in zip(
            Lineup(("thrifty", "lowest")).rotations(), (won, [*won[1:], won[1]]), strict=True
        )
    ]
    # thrifty, at seats 0 and 1: wins 10 and loses 10 of 30; wins 11 and loses 9
    found = strength(runs, "thrifty")
    assert found.difference.value == pytest.approx((0 - 2 / 30) / 2)


def test_margins_compare_the_means_of_seats() -> None:
    failed = np.array([[True, False], [False, False], [False, True], [False, True]])
    assert margins(failed, [0, 2]).tolist() == [0.5, 0.0]


def test_runs_that_do_not_belong_together_are_refused_with_all_reasons(tmp_path: Path) -> None:
    bots = ("thrifty", "lowest", "random")
    runs = rotations(tmp_path, bots, random_losers(1, 3, 3, 30))
    longer = rotations(tmp_path / "longer", bots, random_losers(1, 3, 3, 60))
    with pytest.raises(InputError) as caught:
        strength([runs[0], longer[1], runs[0]])
    text = str(caught.value)
    assert "expected the same deals in every rotation, got another seed, session or number of deals" in text
    assert "strength: expected every rotation, lowest,random,thrifty is missing" in text
    assert "strength: expected every rotation once, got one several times" in text
    with pytest.raises(InputError, match="expected a bot of the line-up"):
        strength(runs, "counting")
    with pytest.raises(InputError, match="got none"):
        strength([])


def test_one_bot_at_all_seats_has_no_rotations(tmp_path: Path) -> None:
    runs = rotations(tmp_path, ("lowest", "lowest"), random_losers(1, 2, 1, 30))
    with pytest.raises(InputError, match="expected different bots at a table, got one at all seats"):
        strength(runs)
