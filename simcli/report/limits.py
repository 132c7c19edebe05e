"""What a report does not show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcli.analysis.comparison import Comparison
from simcli.analysis.found import Table
from simcli.analysis.lineup_words import bots_of, lineup_words
from simcli.analysis.method import SIMULATION_ONLY
from simcli.analysis.phrases import NUMBERS
from simcli.bots.registry import BOTS
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS
from simcli.rules.wording import choice

LEFT_OUT = "left out: "
COUNTED = "counted is"


def not_shown(comparisons: Sequence[Comparison], left_out: Sequence[str]) -> Iterator[str]:
    """Yield, a sentence each, what nobody should read into a report.

    Parameters
    ----------
    comparisons : sequence of Comparison
        What was found.
    left_out : sequence of str
        What an experiment could not play, and why.
    """
    tables = [table for each in comparisons for table in each.tables]
    yield SIMULATION_ONLY
    yield from _players(dict.fromkeys(table.runs.lineup for table in tables))
    yield from _skill(tables)
    sizes = {table.runs.players for table in tables}
    others = [NUMBERS[size] for size in range(MIN_PLAYERS, MAX_PLAYERS + 1) if size not in sizes]
    if others:
        yield f"Not played: tables of {choice(others)}. What holds at one size need not hold at another."
    for note in dict.fromkeys((*_notes(comparisons), *left_out)):
        yield f"Left out: {note}."


def _skill(tables: Sequence[Table]) -> Iterator[str]:
    """Say whose skill is measured."""
    pairs = dict.fromkeys(
        f"{row.bot} is ahead of {row.others.replace(',', ', ')}"
        for table in tables
        for row in table.skill[:1]
    )
    if pairs:
        yield (
            f"Skill share says how far {' and how far '.join(pairs)}. People may be better at other things, "
            "and gain by other rules."
        )


def _players(lineups: dict[str, None]) -> Iterator[str]:
    """Say who played, and who did not."""
    bots = {bot.partition(":")[0] for lineup in lineups for bot in bots_of(lineup)}
    others = [name for name in BOTS if name not in bots]
    if len(lineups) == 1:
        yield (
            f"One line-up played ({lineup_words(next(iter(lineups)))}). Whether a finding survives stronger "
            "or weaker players is not shown."
        )
    if others:
        yield (
            f"Not played: the bots {choice(others)}, and no human player."
            if len(others) > 1
            else (f"Not played: the bot {others[0]}, and no human player.")
        )
    else:
        yield "No human player was observed."


def _notes(comparisons: Sequence[Comparison]) -> Iterator[str]:
    for comparison in comparisons:
        for note in comparison.notes:
            if note.startswith(LEFT_OUT):
                yield note.removeprefix(LEFT_OUT)


def other_notes(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Yield the notes of comparisons that speak of something else, as sentences."""
    for note in dict.fromkeys(note for each in comparisons for note in each.notes):
        if not note.startswith(LEFT_OUT):
            yield f"{note.replace(COUNTED, COUNTED.capitalize(), 1) if note.startswith(COUNTED) else note}."
