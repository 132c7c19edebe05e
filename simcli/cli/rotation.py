"""What a line-up played in all its rotations says of its bots."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcli.analysis.rotation import Strength
    from simcli.runs.outcome import Outcome


def print_strengths(outcomes: Sequence[Outcome]) -> None:
    """Print for each variant how the bots fared, pooled over the rotations of the line-up.

    Nothing where a rule stopped the rotations after different numbers of deals: then the packs differ.
    """
    from rich.text import Text

    from simcli.analysis.finished import load_finished
    from simcli.analysis.rotation import strength
    from simcli.cli.tables import console

    for _, group in groupby(outcomes, key=lambda outcome: outcome.plan.match.variant):
        rotations = list(group)
        if len({outcome.deals for outcome in rotations}) > 1:
            continue
        runs = [load_finished(outcome.folder, outcome.deals) for outcome in rotations]
        first = runs[0].match
        packs = f"{runs[0].deals:,} packs, {len(runs)} rotations"
        console().print(Text(f"{first.variant.name}, {first.players} players, {packs}, 95 % intervals:"))
        race = first.variant.end.objective == "first_out_wins"
        for bot in dict.fromkeys(first.lineup.bots):
            console().print(Text(f"  {strength_text(strength(runs, bot), race)}"))


def strength_text(found: Strength, race: bool = False) -> str:
    """Return in words how a bot fared among the others.

    >>> from simcli.analysis.rates import Estimate, Interval
    >>> from simcli.analysis.rotation import Strength
    >>> estimate = Estimate(-0.2157, Interval(-0.227, -0.2044, 0.95, "t", "alone"))
    >>> strength_text(Strength("montecarlo", ("thrifty",), estimate, 1000, 4))
    'montecarlo loses 21.57 points less often than the mean of the others (22.70 to 20.44 less)'
    >>> estimate = Estimate(0.0157, Interval(-0.01, 0.0414, 0.95, "t", "alone"))
    >>> strength_text(Strength("thrifty", ("lowest",), estimate, 100, 4))
    'thrifty loses 1.57 points more often than the mean of the others (1.00 less to 4.14 more)'
    """
    value, interval = found.difference.value, found.difference.interval
    if value is None or interval is None:
        return f"{found.bot}: too few deals"
    verb = "fails to win" if race else "loses"
    word = "less" if value < 0 else "more"
    low, high = f"{abs(100 * interval.low):.2f}", f"{abs(100 * interval.high):.2f}"
    if interval.low < 0 < interval.high:
        bounds = f"{low} less to {high} more"
    else:
        bounds = f"{low} to {high} {word}"
    points = f"{abs(100 * value):.2f} points {word} often"
    return f"{found.bot} {verb} {points} than the mean of the others ({bounds})"
