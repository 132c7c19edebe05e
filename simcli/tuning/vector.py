"""Which weights have a say at a table, and how they are moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from simcli.bots.thrifty_weights import (
    AMONG_MORE,
    AMONG_RACERS,
    AMONG_TWO,
    EARLY,
    END,
    LATE,
    LATE_STOCK,
    Weights,
    WeightTable,
)
from simcli.engine.layout import HAND_SIZE
from simcli.rules.variant import Variant

Vector = npt.NDArray[np.float64]

#: how far a weight is moved in comparison with the others
SCALES = {"pair": 0.3, "lead_mates": 0.5, "out": 2.0}


def stages_of(variant: Variant) -> list[int]:
    """Return the stages that deals at a seated variant's table go through.

    >>> from simcli.rules.variant import seat
    >>> stages_of(seat(Variant(), 2)), stages_of(seat(Variant(), 4)), stages_of(seat(Variant(), 6))
    ([3, 4, 5], [0, 1, 2, 5], [2, 5])
    """
    stock = variant.deck - HAND_SIZE * variant.players
    stages = [EARLY] * (stock > LATE_STOCK) + [LATE] * (stock > 0) + [END]
    if variant.players == 2:
        return [AMONG_TWO + stage for stage in stages]
    if variant.end.objective == "first_out_wins":
        return [AMONG_RACERS + stage for stage in stages]
    return [AMONG_MORE + stage for stage in stages] + [AMONG_TWO + END]


def weights_with_a_say(variant: Variant) -> list[str]:
    """Return the names of the weights that decide anything under some rules."""
    idle = set()
    if variant.transfer.mode == "none":
        idle |= {"pair", "transfer"}
    if not variant.pass_card.enabled:
        idle |= {"show"}
    if variant.throw_in.who == "none":
        idle |= {"risk", "throw", "throw_next", "give"}
    if not variant.throw_in.on_pickup:
        idle |= {"give"}
    return [name for name in Weights._fields if name not in idle]


@dataclass(frozen=True)
class Chapter:
    """Hold weights that are tuned together, and the tables at which.

    Attributes
    ----------
    tables : tuple of Variant
        Seated.
    places : tuple of (int, int)
        Stage and column of each weight.
    """

    tables: tuple[Variant, ...]
    places: tuple[tuple[int, int], ...]

    @property
    def scales(self) -> Vector:
        """Return how far each weight is moved in comparison with the others."""
        return np.array([SCALES.get(Weights._fields[column], 1.0) for _, column in self.places])

    def moved(self, table: WeightTable, vector: Vector) -> WeightTable:
        """Return a table of weights, moved by a vector in steps of the scales."""
        result = table.copy()
        for place, step in zip(self.places, np.rint(vector * self.scales).astype(np.int64), strict=True):
            result[place] += step
        return result


def chapters(tables: Sequence[Variant]) -> Iterator[Chapter]:
    """Yield the weights to tune in order, given a variant at several tables: first those of two seats.

    What a table for two has taught of the last two seats' play without stock is kept at larger tables.
    """
    columns = [Weights._fields.index(name) for name in weights_with_a_say(tables[0])]
    known: set[int] = set()
    for is_large in (False, True):
        group = tuple(table for table in tables if (table.players > 2) is is_large)
        stages = sorted({stage for table in group for stage in stages_of(table)} - known)
        known |= set(stages)
        if stages:
            yield Chapter(group, tuple((stage, column) for stage in stages for column in columns))
