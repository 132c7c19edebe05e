"""Tell a fair draw from an unfair one, missed less than once in a million where it is fair."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from scipy.stats import chi2

#: how often a fair draw would be called unfair, were the seeds not fixed
MISSED = 1e-6


def is_uniform(drawn: Iterable[Hashable], values: Sequence[Hashable]) -> bool:
    """Say whether draws are spread evenly over all values (Pearson's chi-square test).

    >>> is_uniform("ab" * 500, "ab"), is_uniform("aab" * 400, "ab"), is_uniform("ab" * 500, "abc")
    (True, False, False)
    """
    drawn = list(drawn)
    assert set(drawn) <= set(values), "something else was drawn"
    expected = len(drawn) / len(values)
    assert expected >= 20, "too few draws for the test"
    distance = sum((drawn.count(value) - expected) ** 2 / expected for value in values)
    return bool(distance < chi2.isf(MISSED, len(values) - 1))
