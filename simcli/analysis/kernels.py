"""Count rows of outcomes: compiled, numbers in, numbers out.

Every kernel adds to the arrays it is given, so that a run is counted block by block.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from simcli.engine.jit import kernel

NOBODY = 255
"""Stands for null in a column of seats."""
DECIDED, DRAWN, STALLED = 0, 1, 2
"""How a deal ended, as `code_losses` takes it."""

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]


@kernel
def code_losses(origin: Bytes, loser: Bytes, ending: Bytes, n: int, cells: Bytes, seats: Bytes) -> None:
    """Write the cell of every deal that counts losses, by position and by seat.

    Parameters
    ----------
    origin : ndarray of uint8
        The seat that is position 0 (the opener, the dealer, or 0 for absolute seats).
    loser : ndarray of uint8
        `NOBODY` for null.
    ending : ndarray of uint8
        `DECIDED`, `DRAWN` or `STALLED`.
    n : int
        Number of positions; a team's seats are equal modulo the number of teams.
    cells, seats : ndarray of uint8
        Filled: 0 … n − 1, then n drawn, n + 1 stalled, n + 2 decided without a loser.
    """
    for i in range(loser.size):
        if ending[i] != 0:
            cells[i] = seats[i] = n - 1 + ending[i]
        elif loser[i] == 255:
            cells[i] = seats[i] = n + 2
        else:
            cells[i] = (np.int64(loser[i]) + 6 * n - np.int64(origin[i])) % n
            seats[i] = np.int64(loser[i]) % n


@kernel
def code_first_out(origin: Bytes, places: Bytes, ending: Bytes, n: int, cells: Bytes, seats: Bytes) -> None:
    """Write the cell of every deal that counts who left first.

    Parameters
    ----------
    origin, ending, n, cells, seats
        As for `code_losses`; n + 2 is a shared first place.
    places : ndarray of uint8, shape (players, n_deals)
        0 for null.
    """
    for i in range(origin.size):
        first, n_first = 0, 0
        for seat in range(places.shape[0]):
            if places[seat, i] == 1:
                first = seat
                n_first += 1
        if n_first == 1:
            cells[i] = (first + 6 * n - np.int64(origin[i])) % n
            seats[i] = first % n
        elif n_first > 1:
            cells[i] = seats[i] = n + 2
        else:
            cells[i] = seats[i] = n - 1 + ending[i]


@kernel
def count_pairs(a: Bytes, b: Bytes, table: Counts) -> None:
    """Add to `table[x, y]` the deals in which `a` is x and `b` is y."""
    for i in range(a.size):
        table[a[i], b[i]] += 1


@kernel
def count_sessions(a: Bytes, length: int, counts: Counts, squares: Counts) -> None:
    """Add up, over sessions of `length` deals, the squares of each cell's count.

    `counts` is room to count in, as long as `squares`.
    """
    for first in range(0, a.size, length):
        counts[:] = 0
        for i in range(first, min(first + length, a.size)):
            counts[a[i]] += 1
        for cell in range(counts.size):
            squares[cell] += counts[cell] * counts[cell]


@kernel
def count_session_differences(a: Bytes, b: Bytes, length: int, counts: Counts, squares: Counts) -> None:
    """Add up, over sessions, the squares of each cell's count in `a` less its count in `b`."""
    for first in range(0, a.size, length):
        counts[:] = 0
        for i in range(first, min(first + length, a.size)):
            counts[a[i]] += 1
            counts[b[i]] -= 1
        for cell in range(counts.size):
            squares[cell] += counts[cell] * counts[cell]


@kernel
def count_values(values: Any, ending: Bytes, histogram: Counts) -> np.int64:
    """Add a measure's values to its histogram, stalled deals left out; return the sum of all deals."""
    total = np.int64(0)
    for i in range(values.size):
        total += np.int64(values[i])
        if ending[i] != 2:
            histogram[values[i]] += 1
    return total


@kernel
def sum_values(values: Any, ending: Bytes, length: int, sums: Counts) -> None:
    """Add up a measure over sessions, stalled deals left out.

    Parameters
    ----------
    values, ending : ndarray
        The measure and how each deal ended.
    length : int
        Deals in a session.
    sums : ndarray of int64, shape (5,)
        Added to: number of deals m, sum s, and over sessions Σ S², Σ S·M and Σ M².
    """
    for first in range(0, values.size, length):
        total, n = np.int64(0), 0
        for i in range(first, min(first + length, values.size)):
            if ending[i] != 2:
                total += np.int64(values[i])
                n += 1
        sums[0] += n
        sums[1] += total
        sums[2] += total * total
        sums[3] += total * n
        sums[4] += n * n


@kernel
def sum_differences(a: Any, b: Any, ending_a: Bytes, ending_b: Bytes, length: int, sums: Counts) -> None:
    """Add up, as `sum_values`, the measure in `a` less that in `b`; deals stalled in either are left out."""
    for first in range(0, a.size, length):
        total, n = np.int64(0), 0
        for i in range(first, min(first + length, a.size)):
            if ending_a[i] != 2 and ending_b[i] != 2:
                total += np.int64(a[i]) - np.int64(b[i])
                n += 1
        sums[0] += n
        sums[1] += total
        sums[2] += total * total
        sums[3] += total * n
        sums[4] += n * n


@kernel
def sum_single_differences(a: Any, b: Any, ending_a: Bytes, ending_b: Bytes, sums: Counts) -> None:
    """Add up the same as `sum_differences` where every deal is a session."""
    n, total, squares = np.int64(0), np.int64(0), np.int64(0)
    for i in range(a.size):
        counts = np.int64(ending_a[i] != 2 and ending_b[i] != 2)
        d = (np.int64(a[i]) - np.int64(b[i])) * counts
        n += counts
        total += d
        squares += d * d
    sums[0] += n
    sums[1] += total
    sums[2] += squares
    sums[3] += total
    sums[4] += n


@kernel
def count_bits(triggered: Any, counts: Counts) -> None:
    """Add to `counts[k]` the deals in which bit k is set."""
    for i in range(triggered.size):
        bits = np.int64(triggered[i])
        k = 0
        while bits != 0:
            counts[k] += bits & 1
            bits >>= 1
            k += 1


@kernel
def count_effects(
    traces_a: Any, traces_b: Any, seats_a: Bytes, seats_b: Bytes, ending_a: Bytes, ending_b: Bytes,
    triggered_a: Any, triggered_b: Any, mask: int, counts: Counts,
) -> None:  # fmt: skip
    """Count how far two runs of one pack went apart.

    Parameters
    ----------
    traces_a, traces_b, triggered_a, triggered_b : ndarray of uint32
        The columns of both runs.
    seats_a, seats_b : ndarray of uint8
        The outcomes by seat.
    ending_a, ending_b : ndarray of uint8
        How each deal ended; where the first out is counted no outcome tells whether it was drawn.
    mask : int
        Bits of the options on which the variants differ.
    counts : ndarray of int64, shape (2,)
        Added to: deals affected (played or ended otherwise), and deals in which an option that differs came
        into play in either run.
    """
    for i in range(traces_a.size):
        ended_otherwise = seats_a[i] != seats_b[i] or ending_a[i] != ending_b[i]
        affected = ended_otherwise or traces_a[i] != traces_b[i]
        bits = (np.int64(triggered_a[i]) | np.int64(triggered_b[i])) & mask
        if affected:
            counts[0] += 1
        if affected or bits != 0:
            counts[1] += 1


VARIANT, BASELINE, RISES, FALLS, SQUARES, CROSSED = range(6)
"""Rows of what `count_crossings` and `sum_crossings` add to."""


@kernel
def count_crossings(a: Any, b: Any, ending_a: Bytes, ending_b: Bytes, counts: Counts) -> np.int64:
    """Count the deals that a measure of two runs has on either side of a value; return how many deals count.

    Parameters
    ----------
    a, b, ending_a, ending_b : ndarray
        The measure of the same deals and how each ended; deals stalled in either are left out.
    counts : ndarray of int64, shape (6, values + 1)
        Added to: rows `VARIANT` and `BASELINE` are the histograms of `a` and `b`; `RISES` and `FALLS`,
        cumulated, the deals with only `a`, and only `b`, up to a value.
    """
    n = np.int64(0)
    for i in range(a.size):
        if ending_a[i] != 2 and ending_b[i] != 2:
            n += 1
            counts[0, a[i]] += 1
            counts[1, b[i]] += 1
            if a[i] < b[i]:
                counts[2, a[i]] += 1
                counts[2, b[i]] -= 1
            elif b[i] < a[i]:
                counts[3, b[i]] += 1
                counts[3, a[i]] -= 1
    return n


@kernel
def sum_crossings(
    a: Any, b: Any, ending_a: Bytes, ending_b: Bytes, length: int, room: Counts, counts: Counts
) -> np.int64:
    """Add up over sessions how many more deals have `a` up to a value than `b`; return Σ M².

    Parameters
    ----------
    a, b, ending_a, ending_b
        As for `count_crossings`.
    length : int
        Deals in a session.
    room : ndarray of int64, shape (values + 1,)
        Room to count in, all 0.
    counts : ndarray of int64, shape (6, values + 1)
        Added to, in rows `SQUARES` and `CROSSED`: Σ S² and Σ S·M for sessions of M deals with the
        difference S.
    """
    squares = np.int64(0)
    for first in range(0, a.size, length):
        n = np.int64(0)
        for i in range(first, min(first + length, a.size)):
            if ending_a[i] != 2 and ending_b[i] != 2:
                room[a[i]] += 1
                room[b[i]] -= 1
                n += 1
        total = np.int64(0)
        for value in range(room.size):
            total += room[value]
            room[value] = 0
            counts[4, value] += total * total
            counts[5, value] += total * n
        squares += n * n
    return squares


@kernel
def sum_hands(hands: Any, cells: Bytes, widths: Counts, sums: Counts) -> None:
    """Add up products of the trumps dealt and of what deals came to.

    Parameters
    ----------
    hands : ndarray of uint8, shape (p, n_deals)
        Trumps dealt.
    cells : ndarray of uint8, shape (k, n_deals)
        Outcomes, of one run or of several.
    widths : ndarray of int64, shape (k,)
        Cells of each outcome.
    sums : ndarray of int64, shape (1 + p + Σ widths, the same)
        Added to, in its upper triangle: the products of a constant 1, the trumps, and 0 or 1 for each cell.
    """
    p = hands.shape[0]
    for i in range(cells.shape[1]):
        sums[0, 0] += 1
        for a in range(p):
            held = np.int64(hands[a, i])
            sums[0, 1 + a] += held
            for b in range(a, p):
                sums[1 + a, 1 + b] += held * np.int64(hands[b, i])
        start = np.int64(1 + p)
        for j in range(cells.shape[0]):
            column = start + np.int64(cells[j, i])
            sums[0, column] += 1
            for a in range(p):
                sums[1 + a, column] += np.int64(hands[a, i])
            other = start
            for k in range(j, cells.shape[0]):
                sums[column, other + np.int64(cells[k, i])] += 1
                other += widths[k]
            start += widths[j]


@kernel
def count_alike(cells: Bytes, length: int, counts: Counts, products: Any) -> None:
    """Add up, over clusters, products of how often each two of several runs end in a cell.

    Parameters
    ----------
    cells : ndarray of uint8, shape (runs, n_deals)
        The outcomes.
    length : int
        Deals of a cluster.
    counts : ndarray of int64, shape (cells, runs)
        Room to count in.
    products : ndarray, shape (cells, runs, runs)
        Added to, where the second run is not before the first.
    """
    n_runs, n = cells.shape
    if length == 1:
        for i in range(n):
            for a in range(n_runs):
                for b in range(a, n_runs):
                    products[cells[a, i], a, b] += np.int64(cells[b, i] == cells[a, i])
        return
    for first in range(0, n, length):
        counts[:] = 0
        for a in range(n_runs):
            for i in range(first, min(first + length, n)):
                counts[cells[a, i], a] += 1
        for cell in range(counts.shape[0]):
            for a in range(n_runs):
                if counts[cell, a] != 0:
                    for b in range(a, n_runs):
                        products[cell, a, b] += counts[cell, a] * counts[cell, b]
