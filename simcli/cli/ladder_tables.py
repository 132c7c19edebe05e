"""A ladder of bots on the terminal and as Markdown: the scale, then each pair, then how it was measured."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from simcli.analysis.phrases import MINUS, NUMBERS, percent, small_percent
from simcli.runs.bench.page import table_lines
from simcli.runs.bench.sections import Section

if TYPE_CHECKING:
    from simcli.analysis.ladder import DuelRow, Ladder
    from simcli.analysis.rates import Estimate

UNKNOWN = "–"
CLOSER = 4
"""Times as many packs as were played: half the interval."""


def block_of(variant: str, players: int) -> str:
    """Return the name of the marks between which a ladder stands in a page.

    >>> block_of("classic", 4)
    'ladder classic p4'
    """
    return f"ladder {variant} p{players}"


def print_ladder(ladder: Ladder, options: Sequence[str]) -> None:
    """Print a ladder, and in the end a command with the options by which it was measured."""
    from rich.text import Text

    from simcli.cli.tables import console, print_section

    out = console()
    for section in _sections(ladder):
        print_section(section, out)
        out.print()
    out.print(Text("How it was measured", style="bold"))
    for note in _notes(ladder):
        out.print(Text(note))
    what = f"{ladder.played:,} deals" if ladder.played else "nothing: all deals were there"
    out.print(Text(f"Played now: {what}."))
    out.print()
    out.print(Text(_next_command(ladder, options)), soft_wrap=True)


def markdown_text(ladder: Ladder) -> str:
    """Return a ladder as Markdown."""
    scale, pairs = _sections(ladder)
    lines = [*table_lines(scale), "", *table_lines(pairs), "", *(f"- {note}" for note in _notes(ladder))]
    return "\n".join(lines) + "\n"


def cost_text(cost: float | None) -> str:
    """Return a cost with two figures.

    >>> cost_text(1.0), cost_text(3.138), cost_text(2314.2), cost_text(None)
    ('1.0', '3.1', '2,300', '–')
    """
    if cost is None:
        return UNKNOWN
    rounded = float(f"{cost:.2g}")
    return f"{rounded:,.1f}" if rounded < 10 else f"{rounded:,.0f}"


def _sections(ladder: Ladder) -> tuple[Section, Section]:
    return _scale(ladder), _pairs(ladder)


def _scale(ladder: Ladder) -> Section:
    return Section(
        f"{ladder.variant}, {ladder.players} players: {len(ladder.bots)} bots, the strongest first",
        "",
        ("bot", "rating", "rank", "cost"),
        1,
        tuple(
            (
                rung.bot,
                "0" if rung.bot == ladder.anchor else _plus_minus(rung.rating, 1, 0),
                UNKNOWN if rung.rank is None else str(rung.rank),
                cost_text(rung.cost),
            )
            for rung in ladder.bots
        ),
    )


def _pairs(ladder: Ladder) -> Section:
    is_race = ladder.outcome == "first_out"
    title = "Head to head" if ladder.seats == 2 else "One bot among others of another kind"
    verb = "fails to win" if is_race else "loses"
    return Section(
        f"{title}: how many points more it {verb} than they do",
        "",
        ("one", "against" if ladder.seats == 2 else "among", "points", "deals",
         "of those won" if is_race else "of those lost", "fitted"),
        2,
        tuple(
            (
                row.one,
                row.others,
                _plus_minus(row.difference, 100, 2),
                f"{row.deals:,}",
                _share(row.rate.value),
                _share(row.fitted),
            )
            for row in ladder.duels
        ),
    )  # fmt: skip


def _notes(ladder: Ladder) -> Iterator[str]:
    """Yield how a ladder was measured, a sentence or two at a time."""
    is_race = ladder.outcome == "first_out"
    lost, lose = ("won", "win") if is_race else ("lost", "lose")
    unit = "team" if ladder.seats < ladder.players else "seat"
    rotations = "both" if ladder.seats == 2 else f"all {NUMBERS[ladder.seats]}"
    yield (
        f"Each pair in {rotations} rotations of its line-up, with the same packs of seed {ladder.seed}: "
        f"{_packs(ladder.duels)}."
    )
    yield (
        f"Rating: by the model a {unit} has the chance w/Σw to {lose} a deal that anybody does, with w = "
        f"10^({'' if is_race else MINUS}rating/400); {ladder.anchor} has 0. The most likely ratings, each "
        "pair weighing the same."
    )
    yield (
        "± is the 95 % interval of each number alone, with the pack as the unit. Rank: one more than the "
        "number of bots that are surely stronger. Cost: CPU time of a deal with the bot at every seat, "
        "lowest 1."
    )
    aside = 1 - sum(row.decided for row in ladder.duels) / sum(row.deals for row in ladder.duels)
    yield (
        f"{small_percent(aside)} of the deals were drawn or stalled: nobody {lost} them, ratings leave them "
        "aside."
    )
    yield _fit_text(ladder, lost)
    yield f"Engine {ladder.engine['version']}, signature {ladder.engine['signature']}."


def _packs(rows: Sequence[DuelRow]) -> str:
    """Return how many packs were played.

    Pairs of which one bot takes its time have fewer.
    """
    sizes = sorted({row.packs for row in rows}, reverse=True)
    if len(sizes) == 1:
        return f"{sizes[0]:,} packs each"
    few = [row for row in rows if row.packs < sizes[0]]
    bots = dict.fromkeys(bot for row in few for bot in (row.one, row.others))
    slow = [bot for bot in bots if _always(bot, rows, few)]
    return f"{sizes[0]:,} packs each, {sizes[-1]:,} with {' or '.join(slow)}"


def _always(bot: str, rows: Sequence[DuelRow], few: Sequence[DuelRow]) -> bool:
    """Return whether all pairs of a bot are among the few."""
    return all(row in few for row in rows if bot in (row.one, row.others))


def _fit_text(ladder: Ladder, lost: str) -> str:
    row = ladder.worst_fitted
    if row.fitted is None or row.rate.value is None or row.rate.interval is None:
        return (
            f"No scale: between some bots all deals were {lost} by the same side, so that no rating is high "
            "enough – play more deals, or name a bot between them."
        )
    if len(ladder.duels) == 1:
        return "Fit: of a single pair the ratings say the same as its rate."
    half = (row.rate.interval.high - row.rate.interval.low) / 2
    return (
        f"Fit: the model is wrong by {abs(100 * row.misfit):.2f} points at most: {row.one} "
        f"{'against' if ladder.seats == 2 else 'among'} {row.others} {lost} {_share(row.rate.value)} "
        f"of those deals, to ±{100 * half:.2f} points, fitted are {_share(row.fitted)}."
    )


def _next_command(ladder: Ladder, options: Sequence[str]) -> str:
    """Return a command that may be wanted next: two neighbours closer, or a deal."""
    for _, tied in groupby(ladder.bots, key=lambda rung: rung.rank):
        for above, below in pairwise(tied):
            packs = min(row.packs for row in ladder.duels if {row.one, row.others} == {above.bot, below.bot})
            words = shlex.join([above.bot, below.bot, *options, "-n", str(CLOSER * packs)])
            return f"Tell them apart: simcli bots ladder {words}"
    return f"Look at a deal: simcli replay {shlex.quote(str(ladder.folders[0]))} --deal 0"


def _plus_minus(estimate: Estimate, factor: float, digits: int) -> str:
    """Return an estimate with half its interval, with a sign.

    >>> from simcli.analysis.rates import Estimate, Interval
    >>> _plus_minus(Estimate(-0.2, Interval(-0.25, -0.15, 0.95, "t", "alone")), 100, 1)
    '−20.0 ± 5.0'
    """
    if estimate.value is None or estimate.interval is None:
        return UNKNOWN
    half = factor * (estimate.interval.high - estimate.interval.low) / 2
    return f"{factor * estimate.value:+,.{digits}f} ± {half:,.{digits}f}".replace("-", MINUS)


def _share(share: float | None) -> str:
    return UNKNOWN if share is None else percent(share, 2)
