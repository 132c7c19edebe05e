"""Read ranges of a run's rows as arrays: only the columns that are needed, whatever the parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from simcli.analysis.finished import AGAIN, FinishedRun
from simcli.analysis.kernels import DRAWN, NOBODY, STALLED, code_first_out, code_losses
from simcli.errors import refusal
from simcli.rules.wording import printable_path

if TYPE_CHECKING:
    import polars as pl

Frame = Literal["opener", "dealer", "seat"]
Outcome = Literal["loss", "first_out"]

MEASURES = (
    "bouts",
    "decisions",
    "cards_played",
    "transfers",
    "late_transfers",
    "shows",
    "throw_ins",
    "covers",
    "pickups",
    "cards_picked_up",
    "largest_hand",
)
"""The columns whose means and quantiles are compared."""

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class View:
    """Say what is counted, and from where positions count.

    Attributes
    ----------
    frame : {"opener", "dealer", "seat"}
        The seat that is position 0; absolute seats with ``seat``.
    outcome : {"loss", "first_out"}
        Whether the loser or the first to leave is counted.
    """

    frame: Frame = "opener"
    outcome: Outcome = "loss"

    @classmethod
    def of(cls, frame: str, outcome: str) -> View:
        """Return the view that two words of a checked file stand for."""
        frames, outcomes = get_args(Frame), get_args(Outcome)
        return cls(frames[frames.index(frame)], outcomes[outcomes.index(outcome)])


@dataclass(frozen=True)
class Rows:
    """Hold the rows of a range of deals, as the kernels take them.

    Attributes
    ----------
    cells, seats : ndarray of uint8
        The outcome by position and by seat.
    ending : ndarray of uint8
        Decided, drawn or stalled.
    traces, triggered : ndarray of uint32
        The columns of these names.
    measures : dict of str to ndarray
        The columns of `MEASURES`.
    openers : ndarray of uint8
        The seat that opened.
    """

    cells: Bytes
    seats: Bytes
    ending: Bytes
    traces: npt.NDArray[np.uint32]
    triggered: npt.NDArray[np.uint32]
    measures: dict[str, npt.NDArray[Any]]

    @property
    def n_deals(self) -> int:
        """Return the number of deals."""
        return self.cells.size


def read_rows(run: FinishedRun, first: int, end: int, view: View) -> Rows:
    """Return the rows of the deals from `first` to `end`, the latter excluded.

    Raises
    ------
    InputError
        A part cannot be read or lacks a column.
    """
    table = read_outcomes(run, first, end, view, ("trace", "triggered", *MEASURES))
    cells, seats = code_outcomes(run, table, view)
    return Rows(
        cells,
        seats,
        table["ending"].to_numpy(),
        table["trace"].to_numpy(),
        table["triggered"].to_numpy(),
        {measure: table[measure].to_numpy() for measure in MEASURES},
    )


def read_outcomes(
    run: FinishedRun, first: int, end: int, view: View, names: Sequence[str] = ()
) -> pl.DataFrame:
    """Return what `code_outcomes` takes, and further columns; errors as for `read_rows`.

    Column ``ending`` is `DRAWN`, `STALLED` or 0; nulls are gone.
    """
    return _frame_of(run, first, end, [*_columns(run, view), *_plain(names)])


def code_outcomes(run: FinishedRun, table: pl.DataFrame, view: View) -> tuple[Bytes, Bytes]:
    """Return the outcomes of `read_outcomes` by position and by seat."""
    ending = table["ending"].to_numpy()
    origin = np.zeros_like(ending) if view.frame == "seat" else table[view.frame].to_numpy()
    if view.outcome == "loss":
        return coded_losses(origin, table["loser"].to_numpy(), ending, run.positions)
    places = np.stack([table[f"place_{seat}"].to_numpy() for seat in range(run.match.players)])
    return coded_first_out(origin, places, ending, run.positions)


def coded_losses(origin: Bytes, loser: Bytes, ending: Bytes, positions: int) -> tuple[Bytes, Bytes]:
    """Return who lost, by position and by seat; arguments as for `kernels.code_losses`."""
    cells, seats = np.empty_like(ending), np.empty_like(ending)
    code_losses(origin, loser, ending, positions, cells, seats)
    return cells, seats


def coded_first_out(origin: Bytes, places: Bytes, ending: Bytes, positions: int) -> tuple[Bytes, Bytes]:
    """Return who was out first, by position and by seat; arguments as for `kernels.code_first_out`."""
    cells, seats = np.empty_like(ending), np.empty_like(ending)
    code_first_out(origin, places, ending, positions, cells, seats)
    return cells, seats


def read_columns(run: FinishedRun, first: int, end: int, names: Sequence[str]) -> pl.DataFrame:
    """Return some columns of the deals from `first` to `end` as they are; errors as for `read_rows`."""
    return _frame_of(run, first, end, _plain(names))


def _plain(names: Sequence[str]) -> list[pl.Expr]:
    import polars as pl

    return [pl.col(name) for name in names]


def _ending() -> pl.Expr:
    """Return how a deal ended, as the kernels take it."""
    import polars as pl

    result = pl.col("result")
    ending = pl.when(result == "stalled").then(STALLED).when(result == "drawn").then(DRAWN).otherwise(0)
    return ending.cast(pl.UInt8).alias("ending")


def read_measure(run: FinishedRun, first: int, end: int, measure: str) -> pl.DataFrame:
    """Return a measure and column ``ending`` of some deals; errors as for `read_rows`."""
    return _frame_of(run, first, end, [_ending(), *_plain((measure,))])


def _columns(run: FinishedRun, view: View) -> list[pl.Expr]:
    """Return what an outcome is told by: plain columns without null or text."""
    import polars as pl

    columns = [_ending()]
    if view.frame != "seat":
        columns.append(pl.col(view.frame))
    if view.outcome == "loss":
        columns.append(pl.col("loser").fill_null(NOBODY))
    else:
        columns += [pl.col(f"place_{seat}").fill_null(0) for seat in range(run.match.players)]
    return columns


def _frame_of(run: FinishedRun, first: int, end: int, columns: Sequence[pl.Expr]) -> pl.DataFrame:
    """Return columns of some deals; the rows of several members stand session by session, in their order."""
    import polars as pl

    n = len(run.members)
    if n == 1:
        return _frame_of_one(run, first, end, columns)
    frames = [_frame_of_one(member, first // n, end // n, columns) for member in run.members]
    return pl.concat(frames)[in_turn(n, end // n - first // n, run.match.session)]


def in_turn(n: int, deals: int, session: int) -> npt.NDArray[np.int64]:
    """Return where the rows of n runs stand, one run after another, in the order of sessions.

    >>> in_turn(2, 3, 1).tolist(), in_turn(2, 3, 2).tolist()
    ([0, 3, 1, 4, 2, 5], [0, 1, 3, 4, 2, 5])
    """
    places = np.arange(n * deals).reshape(n, deals)
    whole = deals // session * session
    sessions = places[:, :whole].reshape(n, -1, session).transpose(1, 0, 2)
    return np.concatenate([sessions.ravel(), places[:, whole:].ravel()])


def _frame_of_one(run: FinishedRun, first: int, end: int, columns: Sequence[pl.Expr]) -> pl.DataFrame:
    import polars as pl

    pieces = []
    for part in run.parts_in(first, end):
        start, stop = max(first, part.first) - part.first, min(end, part.end) - part.first
        try:
            rows = run.scan(part).slice(start, stop - start)
            pieces.append(rows.select(columns).collect())
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
            reason = str(error).splitlines()[0]
            message = f"expected the outcome columns of a run, got: {reason} – {AGAIN}"
            raise refusal(printable_path(run.path_of(part)), message) from None
    return pl.concat(pieces, rechunk=True)
