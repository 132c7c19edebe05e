"""What a run's table needs, as plain counts that can be added up part by part."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcli.bots.batch import (
    O_LOSER,
    O_OPENER,
    O_PLACE,
    O_RESULT,
    O_TRIGGERED_HIGH,
    O_TRIGGERED_LOW,
    Rows,
)
from simcli.engine.layout import DRAWN, LOST, RULE_KEYS, STALLED, WON
from simcli.rules.variant import Variant
from simcli.runs.columns import COLUMNS, MEASURES

Z_95 = 1.959963984540054


@dataclass(frozen=True)
class Summary:
    """Count how deals ended, by position from the opener (with teams: by team from the opener's).

    Attributes
    ----------
    deals : int
        All deals.
    decided : tuple of int
        Per position: deals that it lost, under ``first_out_wins`` deals that it won.
    drawn, stalled : int
        Deals without loser or winner.
    sums : Mapping[str, int]
        Sum of each counting column.
    triggered : Mapping[str, int]
        Per option of the rules: deals in which it decided anything; options that never did are left out.
    """

    deals: int
    decided: tuple[int, ...]
    drawn: int
    stalled: int
    sums: Mapping[str, int]
    triggered: Mapping[str, int]

    def mean(self, measure: str) -> float:
        """Return the mean of a counting column over all deals."""
        return self.sums[measure] / self.deals

    def as_mapping(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return {
            "deals": self.deals,
            "decided": list(self.decided),
            "drawn": self.drawn,
            "stalled": self.stalled,
            "sums": dict(self.sums),
            "triggered": dict(self.triggered),
        }

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Summary:
        """Return the counts that `as_mapping` wrote."""
        return cls(
            data["deals"],
            tuple(data["decided"]),
            data["drawn"],
            data["stalled"],
            data["sums"],
            data["triggered"],
        )


def n_positions(variant: Variant) -> int:
    """Return the number of positions: seats, or teams."""
    return variant.players if variant.teams == "none" else variant.teams


def summary_of_rows(rows: Rows, positions: int) -> Summary:
    """Return the counts of a batch.

    Parameters
    ----------
    rows : ndarray of uint16, shape (N_COLUMNS, n)
        As `play_batch` fills them.
    positions : int
        Seats, or teams: seat s belongs to team s modulo their number.
    """
    results = rows[O_RESULT]
    counts = np.bincount(results, minlength=STALLED + 1)
    decided = np.zeros(positions, dtype=np.int64)
    if counts[LOST]:
        lost = results == LOST
        decided += _positions(rows[O_LOSER][lost], rows[O_OPENER][lost], positions)
    if counts[WON]:
        won = results == WON
        winners = np.argmax(rows[O_PLACE : O_PLACE + 6, won] == 1, axis=0)
        decided += _positions(winners, rows[O_OPENER][won], positions)
    sums = {
        column.name: int(rows[column.source].sum(dtype=np.int64))
        for column in COLUMNS
        if column.name in MEASURES
    }
    return Summary(
        rows.shape[1],
        tuple(int(n) for n in decided),
        int(counts[DRAWN]),
        int(counts[STALLED]),
        sums,
        _triggered(rows),
    )


def _triggered(rows: Rows) -> dict[str, int]:
    """Return in how many deals each option decided anything."""
    counts = {}
    for first_bit, row in ((0, rows[O_TRIGGERED_LOW]), (16, rows[O_TRIGGERED_HIGH])):
        seen = int(np.bitwise_or.reduce(row))
        for bit in range(seen.bit_length()):
            if seen >> bit & 1:
                counts[RULE_KEYS[first_bit + bit]] = int(np.count_nonzero(row & np.uint16(1 << bit)))
    return counts


def _positions(seats: Any, openers: Any, positions: int) -> Any:
    return np.bincount((seats.astype(np.int64) - openers) % positions, minlength=positions)


def add_summaries(summaries: Iterable[Summary], positions: int) -> Summary:
    """Return the counts of all parts together."""
    deals = drawn = stalled = 0
    decided = [0] * positions
    sums = dict.fromkeys(MEASURES, 0)
    triggered: Counter[str] = Counter()
    for summary in summaries:
        deals += summary.deals
        drawn += summary.drawn
        stalled += summary.stalled
        decided = [a + b for a, b in zip(decided, summary.decided, strict=True)]
        sums = {measure: total + summary.sums[measure] for measure, total in sums.items()}
        triggered.update(summary.triggered)
    return Summary(deals, tuple(decided), drawn, stalled, sums, triggered)


def wilson(count: int, n: int, z: float = Z_95) -> tuple[float, float]:
    """Return the score interval of a share (Wilson 1927, "Probable inference", JASA 22, 209–212).

    >>> [round(bound, 4) for bound in wilson(10, 100)]
    [0.0552, 0.1744]
    >>> wilson(0, 0)
    (0.0, 1.0)
    """
    if n == 0:
        return 0.0, 1.0
    share, square = count / n, z * z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == n else min(1.0, centre + half)
    return low, high
