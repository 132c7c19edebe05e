"""Ratings from made-up duels whose true ratings are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simcli.analysis.ratings import SCALE, Duel, DuelSums, Ratings, fit_ratings, margin_of, rate_of

TRUE = np.array([150.0, 0.0, -250.0, 60.0])
ANCHOR = 1
ALL = [Duel(one, others) for one in range(4) for others in range(4) if one != others]


def sums_of(seats: int, counts: list[tuple[np.ndarray, np.ndarray]]) -> DuelSums:
    """Return the sums of some duels, given by pack the deals of the one bot and those decided."""
    most = max(one.size for one, _ in counts)
    vectors = np.zeros((2 * len(counts), most))
    for row, (one, decided) in enumerate(counts):
        vectors[row, : one.size], vectors[len(counts) + row, : one.size] = one, decided
    packs = np.array([one.size for one, _ in counts])
    return DuelSums(seats, packs, vectors.sum(axis=1), vectors @ vectors.T)


def played(
    rng: np.random.Generator, duels: list[Duel], seats: int, packs: list[int], sign: float = -1.0
) -> DuelSums:
    """Return what duels come to by the model, the luck of a pack being the same in all of its deals."""
    weights = np.exp(sign * TRUE / SCALE)
    luck, aside = rng.random(max(packs)), rng.random(max(packs)) < 0.1
    counts = []
    for duel, n in zip(duels, packs, strict=True):
        whole = weights[duel.one] + (seats - 1) * weights[duel.others]
        one, other = weights[duel.one] / whole, weights[duel.others] / whole
        lost = sum(
            (seat * other <= luck[:n]) & (luck[:n] < seat * other + one) & ~aside[:n]
            for seat in map(float, range(seats))
        )
        counts.append((np.asarray(lost, dtype=float), seats * (~aside[:n]).astype(float)))
    return sums_of(seats, counts)


def fitted(duels: list[Duel], sums: DuelSums, *, wins: bool = False) -> Ratings:
    found = fit_ratings(duels, sums, len(TRUE), ANCHOR, wins=wins)
    assert found is not None
    return found


@pytest.mark.parametrize("wins", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_many_deals_give_the_true_ratings_back(seats: int, wins: bool) -> None:
    duels = [duel for duel in ALL if seats > 2 or duel.one < duel.others]
    sums = played(np.random.default_rng(1), duels, seats, [30_000] * len(duels), 1.0 if wins else -1.0)
    found = fitted(duels, sums, wins=wins)
    errors = np.sqrt(np.diag(found.covariance))
    assert found.values[ANCHOR] == errors[ANCHOR] == 0
    assert np.abs(found.values - TRUE).max() < 15
    assert (np.abs(found.values - TRUE) <= 5 * errors).all()
    assert [found.rank(bot) for bot in range(4)] == [1, 3, 4, 2]


def test_of_two_bots_the_rating_is_the_logarithm_of_their_odds() -> None:
    one, decided = np.array([3.0, 0, 2, 1] * 40), np.array([4.0, 2, 4, 4] * 40)
    found = fit_ratings([Duel(0, 1)], sums_of(2, [(one, decided)]), 2, 1)
    assert found is not None
    odds = one.sum() / (decided.sum() - one.sum())
    assert found.values[0] == pytest.approx(-400 * math.log10(odds))
    assert found.fitted[0] == pytest.approx(one.sum() / decided.sum())


@pytest.mark.slow
def test_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(7)
    # some pairs with fewer packs, as where a bot takes its time
    packs = [400 if duel.one == 2 or duel.others == 2 else 1000 for duel in ALL]
    replicates, covered = 1000, np.zeros(4)
    for _ in range(replicates):
        found = fitted(ALL, played(rng, ALL, 4, packs))
        covered += [not _excludes(found, bot) for bot in range(4)]
    assert covered[ANCHOR] == replicates
    shares = np.delete(covered, ANCHOR) / replicates
    assert (np.abs(shares - 0.95) < 5 * math.sqrt(0.95 * 0.05 / replicates)).all(), shares


def _excludes(found: Ratings, bot: int) -> bool:
    interval = found.estimate(bot).interval
    assert interval is not None
    return interval.excludes(float(TRUE[bot]))


def test_every_duel_weighs_the_same_whatever_its_deals() -> None:
    # a circle: each loses 60 % of what it plays against the next, so that no rating fits
    def pair(n: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array([6.0] * n), np.array([10.0] * n)

    circle = [Duel(0, 1), Duel(1, 2), Duel(2, 0)]
    for sizes in ((200, 200, 200), (200, 5000, 200)):
        found = fit_ratings(circle, sums_of(2, [pair(n) for n in sizes]), 3, 0)
        assert found is not None
        assert found.values == pytest.approx([0, 0, 0], abs=1e-6)
        assert found.fitted == pytest.approx([0.5, 0.5, 0.5])


def test_bots_that_cannot_be_told_apart_share_a_rank() -> None:
    covariance = np.diag([0.0, 100.0, 100.0])
    found = Ratings(np.array([0.0, 50.0, 55.0]), covariance, np.array([]), 1.96, 0.95)
    assert [found.rank(bot) for bot in range(3)] == [3, 1, 1]


def test_what_moves_together_is_told_apart_all_the_same() -> None:
    covariance = np.array([[0.0, 0, 0], [0, 100, 99], [0, 99, 100]])
    found = Ratings(np.array([0.0, 50.0, 55.0]), covariance, np.array([]), 1.96, 0.95)
    assert [found.rank(bot) for bot in range(3)] == [3, 2, 1]


@pytest.mark.parametrize("one, decided", [(0.0, 4.0), (4.0, 4.0), (0.0, 0.0)])
def test_without_a_loss_on_both_sides_there_is_no_scale(one: float, decided: float) -> None:
    sums = sums_of(2, [(np.array([one] * 100), np.array([decided] * 100))])
    assert fit_ratings([Duel(0, 1)], sums, 2, 0) is None
    rate = rate_of(0, sums)
    if decided:
        assert rate.interval is not None
        assert rate.interval.low < rate.interval.high
    else:
        assert rate.value is None


def test_a_chain_of_losses_is_enough_for_a_scale() -> None:
    some, never = (np.array([1.0, 2.0] * 60), np.array([4.0] * 120)), (np.zeros(120), np.full(120, 4.0))
    duels = [Duel(0, 1), Duel(1, 2), Duel(0, 2)]
    found = fit_ratings(duels, sums_of(2, [some, some, never]), 3, 2)
    assert found is not None
    assert list(found.values) == sorted(found.values, reverse=True)


def test_a_margin_is_a_share_of_all_deals() -> None:
    one, decided = np.array([1.0, 0.0] * 50), np.array([3.0, 2.0] * 50)
    lost = margin_of(0, sums_of(3, [(one, decided)]))
    # of 300 deals the one bot lost 50, the two others 100 each in the mean
    assert lost.value == pytest.approx((50 - 200 / 2) / 300)
    won = margin_of(0, sums_of(3, [(one, decided)]), wins=True)
    assert won.value == pytest.approx(-(lost.value or 0))
