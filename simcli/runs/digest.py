"""The digest of a run: the sum modulo 2**128 of one hash a row (docs/formats.md, "The digest")."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from simcli.bots.batch import Rows
from simcli.engine.bits import high_half, mix, mul_add, step_stream
from simcli.engine.jit import inlined, kernel
from simcli.runs.columns import COLUMNS, FROM_DEAL, FROM_DEAL_IN_SESSION, FROM_SESSION, source_table

Words: TypeAlias = npt.NDArray[np.int64]
Lanes: TypeAlias = npt.NDArray[np.int64]  # shape (2, rows of a block)

NULL = -1  # as an unsigned word: all bits set
BLOCK = 2048  # rows hashed together, so that both lanes stay in the processor's cache
DIGEST_MODULUS = 1 << 128
LANE_STARTS = (0, 1 << 32)


@cache
def _keys() -> npt.NDArray[np.int64]:
    """Return the odd multipliers, shape (2, n_columns): word after word of splitmix64, one stream a lane.

    The first call loads compiled code, which importing this module does not.
    """
    keys = np.zeros((len(LANE_STARTS), len(COLUMNS)), dtype=np.int64)
    for lane, counter in enumerate(LANE_STARTS):
        for column in range(len(COLUMNS)):
            counter = step_stream(counter)
            keys[lane, column] = mix(counter) | 1
    return keys


@inlined
def fold_number(lanes: Lanes, i: int, number: int, key_0: int, key_1: int) -> None:
    """Add a value times the column's multiplier to both lanes of a row."""
    lanes[0, i] = mul_add(number, key_0, lanes[0, i])
    lanes[1, i] = mul_add(number, key_1, lanes[1, i])


@inlined
def fold_chain(
    lanes: Lanes, n: int, source: int, first_deal: int, session: int, key_0: int, key_1: int
) -> None:
    """Fold a column that follows from the deal's index, or one that is null throughout."""
    for i in range(n):
        number = NULL
        deal = first_deal + i
        if source == FROM_DEAL:
            number = deal
        elif source == FROM_SESSION:
            number = deal // session
        elif source == FROM_DEAL_IN_SESSION:
            number = deal % session
        fold_number(lanes, i, number, key_0, key_1)


@inlined
def number_at(rows: Rows, row: int, i: int) -> int:
    """Return one number of a batch as an int64."""
    return np.int64(rows[row, i])  # type: ignore[return-value]


@inlined
def fold_rows(
    lanes: Lanes,
    n: int,
    rows: Rows,
    start: int,
    source: int,
    high: int,
    missing: int,
    key_0: int,
    key_1: int,
) -> None:
    """Fold a column of the batch, from the row `start` on."""
    for i in range(n):
        number = number_at(rows, source, start + i)
        if high >= 0:
            number |= number_at(rows, high, start + i) << 16
        if number == missing:
            number = NULL
        fold_number(lanes, i, number, key_0, key_1)


@inlined
def add_hashes(lanes: Lanes, n: int, quarters: Words) -> None:
    """Finish each row's two lanes and add them to the sums of their 32-bit quarters, highest first."""
    for i in range(n):
        for lane in range(2):
            word = mix(lanes[lane, i])
            quarters[2 * lane] += high_half(word)
            quarters[2 * lane + 1] += word & 0xFFFFFFFF


@kernel
def hash_rows(
    rows: Rows, first_deal: int, session: int, table: Words, keys: Words, lanes: Lanes, quarters: Words
) -> None:
    """Add the hashes of all rows of a batch to `quarters`, block by block of the size of `lanes`."""
    size = lanes.shape[1]
    empty = step_stream(0)
    for start in range(0, rows.shape[1], size):
        n = min(size, rows.shape[1] - start)
        for i in range(n):
            lanes[0, i] = empty
            lanes[1, i] = empty
        for column in range(table.shape[0]):
            source, high, missing = table[column, 0], table[column, 1], table[column, 2]
            key_0, key_1 = keys[0, column], keys[1, column]
            if source < 0:
                fold_chain(lanes, n, source, first_deal + start, session, key_0, key_1)
            else:
                fold_rows(lanes, n, rows, start, source, high, missing, key_0, key_1)
        add_hashes(lanes, n, quarters)


def digest_of_rows(rows: Rows, first_deal: int, session: int, players: int) -> int:
    """Return the digest of a batch: the sum modulo 2**128 of its rows' hashes.

    Parameters
    ----------
    rows : ndarray of uint16, shape (N_COLUMNS, n)
        As `play_batch` fills them.
    first_deal : int
        Index of the first deal.
    session : int
        Deals in a session.
    players : int
        Seats at the table.
    """
    quarters = np.zeros(4, dtype=np.int64)
    lanes = np.empty((2, BLOCK), dtype=np.int64)
    hash_rows(rows, first_deal, session, source_table(players), _keys(), lanes, quarters)
    total = 0
    for quarter in quarters:
        total = (total << 32) + int(quarter)
    return total % DIGEST_MODULUS


def add_digests(*digests: int) -> int:
    """Return the digest of all rows from the digests of their parts."""
    return sum(digests) % DIGEST_MODULUS


def digest_text(digest: int) -> str:
    """Return a digest as 32 hexadecimal digits.

    >>> digest_text(255)
    '000000000000000000000000000000ff'
    """
    return f"{digest:032x}"
