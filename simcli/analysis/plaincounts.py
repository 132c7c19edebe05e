"""Counts as plain numbers, for a file, and back again without loss: every count is a whole number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np


def plain_counts(counts: Any) -> Any:
    """Return counts as JSON has them.

    Parameters
    ----------
    counts
        A number, a text, an array, or a dataclass, mapping, list or tuple of such; None stays None.

    >>> plain_counts({1: np.array([2.0, 3.0])})
    {'1': [2, 3]}
    """
    if is_dataclass(counts):
        return {each.name: plain_counts(getattr(counts, each.name)) for each in fields(counts)}
    if isinstance(counts, Mapping):
        return {str(key): plain_counts(value) for key, value in counts.items()}
    if isinstance(counts, list | tuple):
        return [plain_counts(each) for each in counts]
    if isinstance(counts, np.ndarray):
        return _whole(counts).tolist()
    if isinstance(counts, np.generic):
        return counts.item()
    return counts


def _whole(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return an array of whole numbers as such; beyond 2⁵³ a float would have lost some."""
    if array.dtype.kind == "f" and array.size and np.abs(array).max() >= 2**53:
        raise OverflowError("sums have outgrown what a float holds exactly")
    return array.astype(np.int64)


def restored(told: Any, empty: Any) -> Any:
    """Return the counts that `plain_counts` told.

    Parameters
    ----------
    told
        What it returned.
    empty
        Such counts of nothing: what they are made of is put into them. An array may have grown.

    Raises
    ------
    ValueError, KeyError, TypeError
        They are of another kind.
    """
    if is_dataclass(empty):
        for each in fields(empty):
            setattr(empty, each.name, restored(told[each.name], getattr(empty, each.name)))
        return empty
    if isinstance(empty, Mapping):
        if sorted(told) != sorted(map(str, empty)):
            raise ValueError(f"expected {sorted(map(str, empty))}, got {sorted(told)}")
        return {key: restored(told[str(key)], value) for key, value in empty.items()}
    if isinstance(empty, list | tuple):
        return type(empty)(restored(one, other) for one, other in zip(told, empty, strict=True))
    if isinstance(empty, np.ndarray):
        return _array(told, empty)
    if type(told) is not type(empty):
        raise TypeError(f"expected {type(empty).__name__}, got {type(told).__name__}")
    return told


def _array(told: Any, empty: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array = np.array(told, dtype=np.int64).astype(empty.dtype)
    grown = array.ndim == empty.ndim and array.shape[:-1] == empty.shape[:-1]
    if not grown or array.shape[-1] < empty.shape[-1]:
        raise ValueError(f"expected an array of shape {empty.shape}, got {array.shape}")
    return array
