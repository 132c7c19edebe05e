"""What the charts say in words: tables, changes and intervals."""

from __future__ import annotations

from simcli.analysis.found import Table
from simcli.analysis.phrases import change_decimals, margin_words, played_words, points, table_words
from simcli.analysis.rates import Interval

MOST_DECIMALS = 2


def short_verdict(verdict: str) -> str:
    """Return a verdict in as few words as a column has room for.

    >>> short_verdict("no change beyond the margin")
    'no change'
    """
    return verdict.removesuffix(" beyond the margin")


def change_words(difference: float, interval: Interval) -> str:
    """Return a difference in points with its interval.

    >>> change_words(-0.0071, Interval(-0.009, -0.0052, 0.95, "Tango", "alone"))
    '−0.7 (−0.9 to −0.5)'
    """
    digits = min(MOST_DECIMALS, change_decimals(interval))
    low, high = points(interval.low, digits), points(interval.high, digits)
    return f"{points(difference, digits)} ({low} to {high})"


def change_sentence(difference: float, interval: Interval | None) -> str:
    """Return a difference as it stands in a sentence.

    >>> change_sentence(-0.0071, Interval(-0.009, -0.0052, 0.95, "Tango", "alone"))
    '−0.7 points (−0.9 to −0.5)'
    """
    if interval is None:
        return f"{points(difference)} points"
    number, _, bounds = change_words(difference, interval).partition(" ")
    return f"{number} points {bounds}"


def in_points(interval: Interval) -> tuple[float, float]:
    """Return an interval's bounds in points."""
    return 100 * interval.low, 100 * interval.high


def level_percent(interval: Interval) -> str:
    """Return an interval's level.

    >>> level_percent(Interval(-0.009, -0.0052, 0.975, "Tango", "alone"))
    '97.5 %'
    """
    return f"{100 * interval.level:.4g} %"


def level_words(interval: Interval | None) -> str:
    """Return what an interval promises.

    >>> level_words(Interval(-0.009, -0.0052, 0.975, "Tango", "3 variants × 6 cells"))
    '97.5 % at once for 3 variants × 6 cells'
    """
    if interval is None:
        return "unknown"
    level = level_percent(interval)
    return f"{level} each" if interval.family == "alone" else f"{level} at once for {interval.family}"


def margin_note(margin: float, interval: Interval | None) -> str:
    """Return the words below a chart: what is shaded, and what the bars are."""
    shaded = f"Shaded: less than the margin of {margin_words(margin)} points."
    return f"{shaded} Bars: intervals, {level_words(interval)}." if interval is not None else shaded


def against(table: Table) -> str:
    """Return the table and its baseline as a chart's second line."""
    base = table.variants[0]
    deals = sorted({row.n for row in table.differences}) or [base.deals]
    most = played_words(deals[-1], table.rotations)
    many = most if len(deals) == 1 else f"{deals[0] // table.rotations:,} to {most}"
    return f"against {base.variant}, {table_words(table.runs.players, table.runs.lineup)}, {many}"


def not_compared(table: Table) -> tuple[str, ...]:
    """Return the variants that have no differences to the baseline."""
    compared = {verdict.variant for verdict in table.verdicts}
    return tuple(row.variant for row in table.variants[1:] if row.variant not in compared)
