"""The compiled counting against the same counts by plain numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcli.analysis import kernels

LENGTHS = st.integers(1, 7)
SEEDS = st.integers(0, 2**32 - 1)


def drawn(seed: int, n: int, top: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, top, n).astype(np.uint8)


def sessions(values: np.ndarray, length: int) -> list[np.ndarray]:
    return [values[first : first + length] for first in range(0, len(values), length)]


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(0, 60))
def test_losses_are_coded_by_position_and_by_seat(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    players = int(rng.integers(2, 7))
    positions = players if seed % 2 or players % 2 else 2
    origin, ending = drawn(seed, n, players), drawn(seed + 1, n, 3)
    loser = np.where(rng.random(n) < 0.1, kernels.NOBODY, drawn(seed + 2, n, players)).astype(np.uint8)
    cells, seats = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    kernels.code_losses(origin, loser, ending, positions, cells, seats)
    for i in range(n):
        if ending[i] == kernels.DECIDED and loser[i] != kernels.NOBODY:
            assert cells[i] == (int(loser[i]) - int(origin[i])) % positions
            assert seats[i] == loser[i] % positions
        else:
            other = {kernels.DECIDED: 2, kernels.DRAWN: 0, kernels.STALLED: 1}[int(ending[i])]
            assert cells[i] == seats[i] == positions + other


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(0, 60))
def test_first_places_are_coded_if_they_are_not_shared(seed: int, n: int) -> None:
    players = 2 + seed % 5
    places = np.random.default_rng(seed).integers(0, 3, (players, n)).astype(np.uint8)
    origin, ending = drawn(seed, n, players), np.full(n, kernels.STALLED, np.uint8)
    cells, seats = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    kernels.code_first_out(origin, places, ending, players, cells, seats)
    for i in range(n):
        first = np.flatnonzero(places[:, i] == 1)
        if len(first) == 1:
            assert (cells[i], seats[i]) == ((first[0] - int(origin[i])) % players, first[0])
        else:
            assert cells[i] == (players + 2 if len(first) else players + 1)


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(0, 60), length=LENGTHS)
def test_sessions_are_counted_to_the_last_even_if_it_is_cut_short(seed: int, n: int, length: int) -> None:
    a, b = drawn(seed, n, 5), drawn(seed + 1, n, 5)
    single, both = np.zeros(5, np.int64), np.zeros(5, np.int64)
    kernels.count_sessions(a, length, np.zeros(5, np.int64), single)
    kernels.count_session_differences(a, b, length, np.zeros(5, np.int64), both)
    counts = [np.bincount(part, minlength=5) for part in sessions(a, length)]
    others = [np.bincount(part, minlength=5) for part in sessions(b, length)]
    assert single.tolist() == sum((each**2 for each in counts), np.zeros(5, int)).tolist()
    changes = ((one - two) ** 2 for one, two in zip(counts, others, strict=True))
    assert both.tolist() == sum(changes, np.zeros(5, int)).tolist()


@settings(deadline=None, max_examples=40)
@given(seed=SEEDS, n=st.integers(0, 60), length=LENGTHS)
def test_measures_are_summed_over_sessions_without_stalled_deals(seed: int, n: int, length: int) -> None:
    rng = np.random.default_rng(seed)
    values, others = (rng.integers(0, 1000, n).astype(np.uint16) for _ in range(2))
    ending, other_ending = drawn(seed, n, 3), drawn(seed + 1, n, 3)
    there = ending != kernels.STALLED
    sums = np.zeros(5, np.int64)
    kernels.sum_values(values, ending, length, sums)
    assert sums.tolist() == naive_sums(values.astype(int), there, length)
    there &= other_ending != kernels.STALLED
    changes = values.astype(int) - others.astype(int)
    sums = np.zeros(5, np.int64)
    kernels.sum_differences(values, others, ending, other_ending, length, sums)
    assert sums.tolist() == naive_sums(changes, there, length)
    sums = np.zeros(5, np.int64)
    kernels.sum_single_differences(values, others, ending, other_ending, sums)
    assert sums.tolist() == naive_sums(changes, there, 1)


def naive_sums(values: np.ndarray, there: np.ndarray, length: int) -> list[int]:
    totals = [int(part.sum()) for part in sessions(np.where(there, values, 0), length)]
    counts = [int(part.sum()) for part in sessions(there, length)]
    pairs = list(zip(totals, counts, strict=True))
    return [
        sum(counts), sum(totals), sum(s * s for s in totals), sum(s * m for s, m in pairs),
        sum(m * m for m in counts),
    ]  # fmt: skip


def test_the_histogram_leaves_stalled_deals_out_and_the_total_does_not() -> None:
    histogram = np.zeros(8, np.int64)
    ending = np.array([0, 2, 1, 0], np.uint8)
    assert kernels.count_values(np.array([3, 7, 3, 0], np.uint16), ending, histogram) == 13
    assert histogram.tolist() == [1, 0, 0, 2, 0, 0, 0, 0]


@pytest.mark.parametrize("bit", [1, 15, 31])
def test_every_bit_is_counted(bit: int) -> None:
    counts = np.zeros(32, np.int64)
    kernels.count_bits(np.array([1 << bit, 1 << bit | 1, 0], np.uint32), counts)
    assert (counts[bit], counts[0], counts.sum()) == (2, 1, 3)


ENDED_ALIKE = (np.zeros(4, np.uint8),) * 2


def test_a_deal_that_went_otherwise_has_come_into_play_whatever_its_bits() -> None:
    counts = np.zeros(2, np.int64)
    traces = np.array([1, 1, 2, 1], np.uint32), np.array([1, 1, 1, 1], np.uint32)
    seats = np.array([0, 0, 0, 1], np.uint8), np.zeros(4, np.uint8)
    bits = np.array([2, 1, 0, 0], np.uint32), np.zeros(4, np.uint32)
    kernels.count_effects(*traces, *seats, *ENDED_ALIKE, *bits, 2, counts)
    assert counts.tolist() == [2, 3]


def test_a_deal_that_is_drawn_instead_went_otherwise_whoever_was_first() -> None:
    counts = np.zeros(2, np.int64)
    alike = (np.ones(4, np.uint32),) * 2, (np.zeros(4, np.uint8),) * 2
    endings = np.array([0, 1, 0, 2], np.uint8), np.array([0, 0, 1, 2], np.uint8)
    bits = (np.zeros(4, np.uint32),) * 2
    kernels.count_effects(*alike[0], *alike[1], *endings, *bits, 2, counts)
    assert counts.tolist() == [2, 2]
