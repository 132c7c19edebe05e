"""The outcome columns: one table that says where each comes from and how it is typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from simcli.bots.batch import (
    MISSING,
    N_COLUMNS,
    O_BOUTS,
    O_CARDS_PICKED_UP,
    O_CARDS_PLAYED,
    O_COVERS,
    O_DEALER,
    O_DECISIONS,
    O_LARGEST_HAND,
    O_LATE_TRANSFERS,
    O_LOSER,
    O_OPENER,
    O_PICKUPS,
    O_PLACE,
    O_RESULT,
    O_SHOWS,
    O_THROW_INS,
    O_TRACE_HIGH,
    O_TRACE_LOW,
    O_TRANSFERS,
    O_TRIGGERED_HIGH,
    O_TRIGGERED_LOW,
    O_TRUMP,
    O_TRUMPS,
    Rows,
)
from simcli.engine.layout import MAX_PLAYERS
from simcli.engine.notation import CARD_WORDS

if TYPE_CHECKING:
    import polars as pl

#: sources that are no row of the batch
FROM_DEAL = -1
FROM_SESSION = -2
FROM_DEAL_IN_SESSION = -3
NOWHERE = -4

RESULTS = ("lost", "drawn", "won", "stalled")
NO_PLACE = 0
NEVER = -1


@dataclass(frozen=True)
class Column:
    """Say how one outcome column is made.

    Attributes
    ----------
    name, dtype : str
        Its name and polars type.
    source : int
        Row of the batch that holds it, or one of the ``FROM_`` codes.
    high : int
        Row with the upper 16 bits, `NEVER` if there is none.
    missing : int
        The number that stands for null, `NEVER` if none does.
    seat : int
        The seat it speaks of, `NEVER` if it is the whole table; null where there is no such seat.
    words : tuple of str
        The texts its numbers stand for.
    """

    name: str
    dtype: str
    source: int
    high: int = NEVER
    missing: int = NEVER
    seat: int = NEVER
    words: tuple[str, ...] = ()


def _counter(name: str, source: int) -> Column:
    return Column(name, "UInt16", source)


COLUMNS: tuple[Column, ...] = (
    Column("deal", "Int64", FROM_DEAL),
    Column("session", "Int64", FROM_SESSION),
    Column("deal_in_session", "Int32", FROM_DEAL_IN_SESSION),
    Column("dealer", "UInt8", O_DEALER),
    Column("opener", "UInt8", O_OPENER),
    Column("loser", "UInt8", O_LOSER, missing=MISSING),
    Column("result", "String", O_RESULT, words=RESULTS),
    *(Column(f"place_{s}", "UInt8", O_PLACE + s, missing=NO_PLACE, seat=s) for s in range(MAX_PLAYERS)),
    Column("trump", "String", O_TRUMP, words=CARD_WORDS),
    _counter("bouts", O_BOUTS),
    _counter("decisions", O_DECISIONS),
    _counter("cards_played", O_CARDS_PLAYED),
    _counter("transfers", O_TRANSFERS),
    _counter("late_transfers", O_LATE_TRANSFERS),
    _counter("shows", O_SHOWS),
    _counter("throw_ins", O_THROW_INS),
    _counter("covers", O_COVERS),
    _counter("pickups", O_PICKUPS),
    _counter("cards_picked_up", O_CARDS_PICKED_UP),
    Column("largest_hand", "UInt8", O_LARGEST_HAND),
    *(Column(f"trumps_{s}", "UInt8", O_TRUMPS + s, seat=s) for s in range(MAX_PLAYERS)),
    Column("trace", "UInt32", O_TRACE_LOW, high=O_TRACE_HIGH),
    Column("triggered", "UInt32", O_TRIGGERED_LOW, high=O_TRIGGERED_HIGH),
)

MEASURES: tuple[str, ...] = tuple(column.name for column in COLUMNS if column.dtype == "UInt16")
"""Columns whose means a summary keeps."""


def source_table(players: int) -> npt.NDArray[np.int64]:
    """Return (source, high, missing) of each column at a table of `players`; shape (n_columns, 3)."""
    return np.array(
        [
            (NOWHERE if column.seat >= players else column.source, column.high, column.missing)
            for column in COLUMNS
        ],
        dtype=np.int64,
    )


def frame_of_rows(rows: Rows, first_deal: int, session: int, players: int) -> pl.DataFrame:
    """Return the outcome columns of a batch as a frame.

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
    import polars as pl

    deals = np.arange(first_deal, first_deal + rows.shape[1], dtype=np.int64)
    chain = {FROM_DEAL: deals, FROM_SESSION: deals // session, FROM_DEAL_IN_SESSION: deals % session}
    series = []
    for column in COLUMNS:
        if column.seat >= players:
            series.append(_empty(column, len(deals)))
        elif column.source in chain:
            series.append(pl.Series(column.name, chain[column.source], dtype=_dtype(column)))
        else:
            series.append(_series(column, rows))
    return pl.DataFrame(series)


def _dtype(column: Column) -> pl.DataType:
    import polars as pl

    dtype: pl.DataType = getattr(pl, column.dtype)()
    return dtype


def _empty(column: Column, n: int) -> pl.Series:
    import polars as pl

    return pl.Series(column.name, [None], dtype=_dtype(column)).new_from_index(0, n)


def _series(column: Column, rows: Rows) -> pl.Series:
    import polars as pl

    numbers = pl.Series(column.name, rows[column.source])
    if column.words:
        return pl.Series(column.name, column.words).gather(numbers)
    if column.high != NEVER:
        low, high = (rows[row].astype(np.uint32) for row in (column.source, column.high))
        return pl.Series(column.name, low | high << np.uint32(16))
    if column.missing != NEVER:
        numbers = pl.select(pl.when(numbers != column.missing).then(numbers)).to_series()
    return numbers.cast(_dtype(column)).alias(column.name)


def rows_of_frame(frame: pl.DataFrame) -> Rows:
    """Return the batch that a frame of outcome columns was made of: the inverse of `frame_of_rows`."""
    import polars as pl

    rows: Rows = np.zeros((N_COLUMNS, frame.height), dtype=np.uint16)
    for column in COLUMNS:
        if column.source < 0:
            continue
        series = frame[column.name]
        if column.words:
            places = {word: number for number, word in enumerate(column.words)}
            series = series.replace_strict(places, return_dtype=pl.UInt32)
        numbers = series.cast(pl.UInt32).fill_null(max(column.missing, 0)).to_numpy()
        rows[column.source] = numbers & 0xFFFF
        if column.high != NEVER:
            rows[column.high] = numbers >> 16
    return rows
