"""Answers in plain sentences, where a question asks for more than verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Row, ShareRow, Table
from simcli.analysis.further import Further
from simcli.analysis.lineup_words import lineup_words
from simcli.analysis.phrases import (
    NUMBERS,
    bounds_words,
    change_decimals,
    display_name,
    percent,
    player,
    points,
    table_words,
)
from simcli.analysis.rates import Estimate, Interval
from simcli.analysis.robustness import Agreement, robustness
from simcli.analysis.shifts import shifts
from simcli.analysis.skill_words import of_line_ups, of_skill
from simcli.analysis.streaks import StreakRow

BY_LOT = "random"
BY_HAND = "lowest_trump"
ADAPTED = "weights=own"
"""What a line-up of players has who are adapted to the rule."""
FAR_MORE = 3.0
"""How many times as large as another an effect is called far more."""


def answers(comparisons: Sequence[Comparison], further: Sequence[Further]) -> Iterator[str]:
    """Yield, a sentence for each table, what was found beyond the verdicts.

    Parameters
    ----------
    comparisons : sequence of Comparison
        What was compared.
    further : sequence of Further
        What was found beyond.
    """
    for comparison in comparisons:
        yield from of_line_ups(comparison.tables, comparison.view)
    for comparison in comparisons:
        for table in comparison.tables:
            yield from of_skill(table, comparison.view)
    for comparison in comparisons:
        if (comparison.view.outcome, comparison.view.frame) == ("loss", "opener"):
            for table in comparison.tables:
                yield from _of_seat_or_hand(table)
        yield from _of_adaptation(comparison)
    for each in further:
        for row in each.streaks:
            yield from _of_streaks(each.comparison, row)


# ------------------------------------------------------------------------------------ the opener's luck


def _of_seat_or_hand(table: Table) -> Iterator[str]:
    """Yield whether the opener has luck of the seat or of the hand; only lots choose a seat and no hand."""
    if table.runs.baseline.run.variant.opening.first != BY_LOT or table.is_sequential:
        return
    shares = {row.variant: row for row in table.lost_shares if row.cell == "0"}
    by_lot = shares.get(table.runs.baseline.label)
    for entry in table.runs.entries[1:]:
        by_hand = shares.get(entry.label)
        is_net = all(key == "opening.first" for key, _, _ in _differs(table, entry.label))
        if entry.run.variant.opening.first == BY_HAND and is_net and by_lot and by_hand:
            yield from _seat_or_hand(table, by_lot, by_hand)


def _differs(table: Table, variant: str) -> tuple[tuple[str, object, object], ...]:
    return next(row.differs for row in table.variants if row.variant == variant)


def _seat_or_hand(table: Table, by_lot: ShareRow, by_hand: ShareRow) -> Iterator[str]:
    change = by_hand.difference
    if by_lot.share is None or by_lot.interval is None or by_hand.share is None or change is None:
        return
    if change.value is None or change.interval is None:
        return
    seat, bounds = by_lot.share - by_lot.fair, by_lot.interval
    of_seat = Interval(bounds.low - by_lot.fair, bounds.high - by_lot.fair, bounds.level, bounds.kind, "")
    digits = max(change_decimals(of_seat), change_decimals(change.interval))
    yield (
        f"{_who(by_lot)}: of the deals that somebody loses, an opener drawn by lot loses "
        f"{percent(by_lot.share, digits)} where {percent(by_lot.fair, digits)} is fair "
        f"(the seat: {_points(seat, of_seat, digits)}), and who opens by the lowest trump "
        f"{percent(by_hand.share, digits)} (the hand: {_points(change.value, change.interval, digits)}). "
        f"{_balance(seat, of_seat, change.value, change.interval)}"
    )


def _who(row: Row) -> str:
    words = table_words(row.players, row.lineup)
    return f"{words[:1].upper()}{words[1:]}"


def _points(value: float, interval: Interval, digits: int) -> str:
    return f"{points(value, digits)} points, {bounds_words(interval, digits)}"


def _balance(seat: float, of_seat: Interval, hand: float, of_hand: Interval) -> str:
    """Return whether it is the seat or the hand, as far as either is shown."""
    if not of_seat.excludes(0.0) and not of_hand.excludes(0.0):
        return "Neither is shown to matter."
    if not of_seat.excludes(0.0):
        return "It is the hand; the seat is not shown to matter."
    if not of_hand.excludes(0.0):
        return "It is the seat; the hand is not shown to matter."
    larger, less = ("the hand", "the seat") if abs(hand) > abs(seat) else ("the seat", "the hand")
    ratio = max(abs(hand), abs(seat)) / min(abs(hand), abs(seat))
    more = f"far more {larger} than {less}" if ratio >= FAR_MORE else f"more {larger} than {less}"
    if (seat > 0) == (hand > 0):
        return f"It is {more}."
    return f"It is {more}, and they pull in opposite directions."


# ------------------------------------------------------------------------------------ adapted players


def _of_adaptation(comparison: Comparison) -> Iterator[str]:
    """Yield what becomes of each finding between players whose weights were tuned to the rule.

    No weights were tuned to rules with teams.
    """
    if not any(ADAPTED in table.runs.lineup for table in comparison.tables):
        return
    agreements = {(row.variant, row.players, row.lineup): row.agreement for row in robustness(comparison)}
    for row in shifts(comparison):
        is_adapted = ADAPTED in row.lineup and ADAPTED not in row.first
        if not is_adapted or row.shift.interval is None:
            continue
        before, after = (agreements[row.variant, row.players, bots] for bots in (row.first, row.lineup))
        digits = change_decimals(row.shift.interval)
        who = player(row.cell, comparison.view, False) if row.cell.isdigit() else f"{row.cell} deals"
        yield (
            f"{display_name(row.variant)}, {NUMBERS[row.players]} players, {who}: "
            f"{points(row.before, digits)} points with {lineup_words(row.first)}, "
            f"{points(row.after, digits)} with players adapted to the rule. "
            f"{_moved(row.shift, before, after)}."
        )


def _moved(shift: Estimate, before: Agreement, after: Agreement) -> str:
    """Return in words how far players who adapt move a finding, and what becomes of it."""
    assert shift.interval is not None
    by = _points(shift.value or 0.0, shift.interval, change_decimals(shift.interval))
    if shift.interval.excludes(0.0):
        return f"Adaptation moves it by {by}: {_survival(before, after)}"
    survives = "; it survives" if before == after == "shown" else ""
    return f"Adaptation is not shown to move it ({by}){survives}"


def _survival(before: Agreement, after: Agreement) -> str:
    """Return in words what becomes of a finding.

    >>> _survival("shown", "opposite"), _survival("not shown", "shown")
    ('it turns round', 'only adapted players show it')
    """
    if "not shown" in (before, after):
        if before == after:
            return "it is shown with neither"
        return "only adapted players show it" if before == "not shown" else "adapted players do not show it"
    return "it survives" if before == after else "it turns round"


# ------------------------------------------------------------------------------------ sessions


def _of_streaks(comparison: Comparison, row: StreakRow) -> Iterator[str]:
    """Yield whether the loser of a deal is likelier to lose the next one."""
    if row.excess is None or row.again is None or row.rate is None or row.interval is None:
        return
    is_loss = comparison.view.outcome == "loss"
    digits = change_decimals(row.interval)
    lost, loses = ("lost", "loses") if is_loss else ("won", "wins")
    again, rate = percent(row.again, digits), percent(row.rate, digits)
    excess = _points(row.excess, row.interval, digits)
    breeding = _breeding(row.interval, comparison.margin, "losing" if is_loss else "winning")
    yield (
        f"{_who(row)}, {display_name(row.variant)}: who {lost} a deal {loses} the next one in {again} of "
        f"cases, and {rate} is usual ({excess}): {breeding}."
    )


def _breeding(interval: Interval, margin: float, losing: str) -> str:
    """Return whether losing breeds losing.

    >>> _breeding(Interval(0.002, 0.004, 0.95, "", ""), 0.005, "losing")
    'losing breeds losing, but by less than anybody would notice'
    >>> _breeding(Interval(-0.02, -0.01, 0.95, "", ""), 0.005, "losing")
    'losing keeps from losing again'
    """
    is_small = -margin < interval.low and interval.high < margin
    faint = ", but by less than anybody would notice" if is_small else ""
    if interval.low > 0:
        return f"{losing} breeds {losing}{faint}"
    if interval.high < 0:
        return f"{losing} keeps from {losing} again{faint}"
    if is_small:
        return f"{losing} does not breed {losing}, or hardly"
    return f"whether {losing} breeds {losing} is open"
