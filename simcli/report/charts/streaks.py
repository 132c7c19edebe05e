"""Does losing breed losing: how much more often the loser of a deal loses the next one of the session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Table
from simcli.analysis.phrases import decimals_for, percent, points, table_words
from simcli.analysis.streaks import StreakRow
from simcli.report.charts.bars import Bar, plot_bars
from simcli.report.charts.style import styled
from simcli.report.charts.words import MOST_DECIMALS, change_sentence, change_words, in_points, level_words
from simcli.rules.wording import listing

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled
def plot_streaks(comparison: Comparison, table: Table, rows: Sequence[StreakRow]) -> Figure:
    """Return the chart of how much more often a loser loses again, the largest excess on top.

    Parameters
    ----------
    comparison : Comparison
        For what was counted.
    table : Table
        The table that the rows belong to.
    rows : sequence of StreakRow
        One a variant; those without any deal to judge by are left out and named.
    """
    known = sorted_rows(rows)
    unknown = [row.variant for row in rows if row.excess is None]
    interval = next((row.interval for row in known if row.interval is not None), None)
    notes = [f"Bars: intervals from session totals, {level_words(interval)}."] if interval is not None else []
    lost = _verb(comparison, "lost", "won")
    if not known:
        notes.append(f"No deal followed one that somebody {lost}: there is nothing to compare.")
    elif unknown:
        notes.append(f"No deal to judge by: {', '.join(unknown)}.")
    return plot_bars(
        title_of(comparison),
        _subtitle(comparison, table, rows),
        [_bar(row, of_several=len({each.session for each in rows}) > 1) for row in known],
        0.0,
        f"points more often after a deal {lost} than else",
        notes,
    )


def title_of(comparison: Comparison) -> str:
    """Return the chart's question."""
    return f"Does {_verb(comparison, 'losing', 'winning')} breed {_verb(comparison, 'losing', 'winning')}?"


def _verb(comparison: Comparison, loss: str, first_out: str) -> str:
    return first_out if comparison.view.outcome == "first_out" else loss


def sorted_rows(rows: Sequence[StreakRow]) -> list[StreakRow]:
    """Return the rows with an excess, the largest first."""
    known = [row for row in rows if row.excess is not None]
    return sorted(known, key=lambda row: (-(row.excess or 0.0), row.variant))


def _subtitle(comparison: Comparison, table: Table, rows: Sequence[StreakRow]) -> str:
    text = table_words(table.runs.players, table.runs.lineup)
    if not rows:
        return f"{text}, no sessions"
    lengths = listing([str(length) for length in sorted({row.session for row in rows})])
    counts = sorted({row.n for row in rows})
    n = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    return f"{text}, sessions of {lengths} deals, {n} deals that follow a {_verb(comparison, 'loss', 'win')}"


def _bar(row: StreakRow, *, of_several: bool) -> Bar:
    excess = row.excess or 0.0
    again = f"{_share(row.again, row)}, else {_share(row.rate, row)}"
    chain = f" (sessions of {row.session})"
    return Bar(
        name=row.variant + chain if of_several and not row.variant.endswith(chain) else row.variant,
        detail=again,
        value=100 * excess,
        interval=None if row.interval is None else in_points(row.interval),
        verdict=None,
        word=_word(row),
        number=_number(row),
    )


def _share(share: float | None, row: StreakRow) -> str:
    return "–" if share is None else percent(share, min(MOST_DECIMALS, decimals_for(row.interval)))


def _number(row: StreakRow) -> str:
    if row.excess is None:
        return "–"
    return points(row.excess) if row.interval is None else change_words(row.excess, row.interval)


def _word(row: StreakRow) -> str:
    """Return whether it is shown that losing breeds losing."""
    if row.interval is None or not row.interval.excludes(0.0):
        return "not shown"
    return "more often" if row.interval.low > 0 else "less often"


# ------------------------------------------------------------------------------------ in words


def caption(comparison: Comparison, table: Table, rows: Sequence[StreakRow]) -> str:
    """Return what the chart shows in a sentence."""
    known = sorted_rows(rows)
    if not known:
        return "No sessions tell whether losing breeds losing."
    first = max(known, key=lambda row: abs(row.excess or 0.0))
    shown = sum(row.interval is not None and row.interval.excludes(0.0) for row in known)
    loser, loses = _verb(comparison, "loser", "winner"), _verb(comparison, "loses", "wins")
    n = len(known)
    return (
        f"Under {first.variant} the {loser} of a deal {loses} the next one in {_share(first.again, first)} "
        f"of cases, against {_share(first.rate, first)} of all that follow another, "
        f"{change_sentence(first.excess or 0.0, first.interval)}; a difference is shown under {shown} of {n} "
        f"{'variant' if n == 1 else 'variants'}."
    )


def alt_text(comparison: Comparison, table: Table, rows: Sequence[StreakRow]) -> str:
    """Return the chart in words, row by row."""
    texts = "; ".join(
        f"{row.variant} {_share(row.again, row)} after one, else {_share(row.rate, row)}: "
        f"{_number(row)}, {_word(row)}"
        for row in sorted_rows(rows)
    )
    return f"{title_of(comparison)} {_subtitle(comparison, table, rows)}. {texts or 'Nothing'}."
