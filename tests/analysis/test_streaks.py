from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from simcli.analysis.compare import compare
from simcli.analysis.streaks import (
    Moments,
    StreakRow,
    excess_interval,
    session_counts,
    streak_difference,
    streak_of,
    streaks,
)
from simcli.bots.lineup import parse_lineup
from simcli.errors import InputError
from simcli.rules.variant import Variant
from simcli.runs.plan import Match
from tests.analysis.finished_runs import Dealt, run_of

ALPHA = 0.025  # the first look's part of 5 %
SEATS = 3
NOBODY = SEATS


def match(name: str, seed: int = 1, session: int = 6, players: int = SEATS) -> Match:
    return Match(Variant(name=name, players=players), parse_lineup("lowest", players), seed, session)


def sticky(rng: np.random.Generator, sessions: int, length: int, again: float) -> np.ndarray:
    """Return who loses: with a chance `again` who lost the deal before, else anybody or nobody."""
    losers = rng.choice(SEATS + 1, (sessions, length), p=[0.45, 0.3, 0.15, 0.1])
    for deal in range(1, length):
        same = (rng.random(sessions) < again) & (losers[:, deal - 1] != NOBODY)
        losers[same, deal] = losers[same, deal - 1]
    return losers


def rows_of(tmp_path: Path, *runs: np.ndarray, session: int = 6, seed: int = 1) -> tuple[StreakRow, ...]:
    paths = [
        run_of(
            tmp_path,
            match(name, seed if name == "classic" else 1, session),
            [
                Dealt("drawn" if loser == NOBODY else int(loser), opener=i % 2)
                for i, loser in enumerate(deals)
            ],
            parts=session * 11,
        )
        for name, deals in zip(("classic", "other"), runs, strict=False)
    ]
    return streaks(compare(paths).tables[0], workers=2)


def excess_of(losers: np.ndarray) -> tuple[float, float]:
    """Return how often losers lose again, and how often they lose, the mean over seats: deal by deal."""
    again, rate = [], []
    for seat in range(SEATS):
        lost = followed = after = deals = 0
        for session in losers:
            for this, following in pairwise(session):
                deals += 1
                after += following == seat
                followed += this == seat
                lost += this == seat and following == seat
        again.append(lost / followed)
        rate.append(after / deals)
    return float(np.mean(again)), float(np.mean(rate))


def test_the_excess_is_that_of_every_pair_of_deals(tmp_path: Path) -> None:
    losers = sticky(np.random.default_rng(1), 80, 6, 0.3)
    (row,) = rows_of(tmp_path, losers.ravel())
    again, rate = excess_of(losers)
    assert row.again == pytest.approx(again, abs=1e-12)
    assert row.rate == pytest.approx(rate, abs=1e-12)
    assert row.excess == pytest.approx(again - rate, abs=1e-12)
    assert (row.session, row.sessions, row.difference) == (6, 80, None)
    assert row.n == (losers[:, :-1] != NOBODY).sum()
    assert row.interval is not None
    assert (row.interval.kind, row.interval.level, row.interval.family) == (
        "t of session totals", 1 - ALPHA, "alone")  # fmt: skip


def test_the_error_of_an_excess_is_that_of_leaving_out_one_session_at_a_time(tmp_path: Path) -> None:
    losers = sticky(np.random.default_rng(1), 400, 6, 0.3)
    (row,) = rows_of(tmp_path, losers.ravel())
    counts = session_counts(losers.ravel().astype(np.uint8), 6, SEATS)
    left = [streak_of(counts.sum(axis=0) - each) for each in counts]
    values = np.array([each.excess for each in left if each is not None])
    error = np.sqrt(399 / 400 * ((values - values.mean()) ** 2).sum())
    assert row.interval is not None
    assert (row.interval.high - row.interval.low) / 2 == pytest.approx(2.249 * error, rel=0.02)


def test_a_weak_seat_alone_is_no_streak(tmp_path: Path) -> None:
    losers = sticky(np.random.default_rng(2), 2000, 6, 0.0)
    (row,) = rows_of(tmp_path, losers.ravel())
    pooled = (losers[:, 1:] == losers[:, :-1])[losers[:, :-1] != NOBODY].mean()
    assert pooled > 0.33  # 1/3 of the lost deals would be less than 0.3
    assert row.interval is not None
    assert not row.interval.excludes(0.0)


def test_equal_sessions_differ_by_nothing(tmp_path: Path) -> None:
    losers = sticky(np.random.default_rng(1), 50, 6, 0.3).ravel()
    base, other = rows_of(tmp_path, losers, losers)
    assert base.difference is None
    assert other.difference is not None
    assert other.difference.value == 0
    assert other.difference.interval is not None
    assert other.difference.interval.low < 0 < other.difference.interval.high
    assert other.excess == base.excess
    assert base.interval is not None
    assert base.interval.family == "2 jointly"


def test_a_difference_is_taken_session_by_session(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    before = sticky(rng, 300, 6, 0.1)
    after = before.copy()
    changed = rng.random(before.shape) < 0.05
    after[changed] = 0
    base, other = rows_of(tmp_path, before.ravel(), after.ravel())
    assert other.difference is not None
    assert other.difference.interval is not None
    assert base.interval is not None
    assert base.excess is not None
    assert other.excess is not None
    assert other.difference.value == pytest.approx(other.excess - base.excess, abs=1e-12)
    width = other.difference.interval.high - other.difference.interval.low
    assert width < 0.7 * (base.interval.high - base.interval.low)


def test_sessions_of_another_seed_or_length_are_not_compared(tmp_path: Path) -> None:
    losers = sticky(np.random.default_rng(1), 40, 6, 0.3).ravel()
    rows = rows_of(tmp_path, losers, losers, seed=2)
    assert [row.difference for row in rows] == [None, None]


def test_single_deals_have_no_streaks(tmp_path: Path) -> None:
    assert rows_of(tmp_path, np.zeros(30, int), session=1) == ()


def test_too_few_sessions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected at least 10 sessions of 6 deals, got 9"):
        rows_of(tmp_path, np.zeros(54, int))


def test_deals_that_nobody_lost_leave_nothing_to_say(tmp_path: Path) -> None:
    drawn = np.full(60, NOBODY)
    base, other = rows_of(tmp_path, drawn, drawn)
    assert (base.again, base.rate, base.excess, base.interval, base.n) == (None, None, None, None, 0)
    assert other.difference is not None
    assert other.difference.value is None
    assert other.as_mapping()["difference"]["value"] is None


def test_one_seat_that_always_loses_has_no_excess(tmp_path: Path) -> None:
    (row,) = rows_of(tmp_path, np.zeros(60, int))
    assert (row.again, row.rate, row.excess) == (1.0, 1.0, 0.0)
    assert row.interval is not None
    assert -1 <= row.interval.low < 0 < row.interval.high <= 1


def test_a_session_cut_short_counts_what_it_has() -> None:
    counts = session_counts(np.array([0, 0, 1, 1, 1], np.uint8), 3, 2)
    assert counts.tolist() == [[1, 0, 2, 0, 1, 1, 2], [0, 1, 0, 1, 0, 1, 1]]
    assert session_counts(np.array([], np.uint8), 3, 2).shape == (0, 7)
    assert streak_of(np.zeros(7)) is None


@pytest.mark.slow
def test_simulated_excesses_and_their_differences_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(20_264)
    sessions, length, replicates = 200, 6, 10_000
    covered = np.zeros(2)
    truths = [_moments(sticky(rng, 400_000, length, again), length) for again in (0.1, 0.2)]
    one, two = (_excess(each) for each in truths)
    for _ in range(replicates):
        before, after = sticky(rng, sessions, length, 0.1), sticky(rng, sessions, length, 0.2)
        counts = [session_counts(each.ravel().astype(np.uint8), length, SEATS) for each in (after, before)]
        both, own = Moments(6 * SEATS + 2), Moments(3 * SEATS + 1)
        both.add_counts(np.hstack(counts))
        own.add_counts(counts[0])
        difference, excess = streak_difference(both, 0.05, 1).interval, excess_interval(own, 0.05, 1)
        assert difference is not None
        assert excess is not None
        covered += not difference.excludes(two - one), not excess.excludes(two)
    coverage = covered / replicates
    assert coverage.min() > 0.93, coverage
    assert coverage.max() < 0.97, coverage


def _moments(losers: np.ndarray, length: int) -> np.ndarray:
    return session_counts(losers.ravel().astype(np.uint8), length, SEATS).sum(axis=0)


def _excess(totals: np.ndarray) -> float:
    found = streak_of(totals)
    assert found is not None
    return found.excess
