"""Measure what habits of `thrifty` are worth (docs/bots.md, "What a habit is worth").

python -m tests.bench.habits            prints the table of docs/bots.md
python -m tests.bench.habits --write    and writes it there
"""

from __future__ import annotations

import argparse

import numpy as np
import numpy.typing as npt

from simcli.bots.batch import N_COLUMNS, play_batch
from simcli.bots.lineup import Lineup
from simcli.engine.layout import BOT, MAX_PLAYERS
from simcli.engine.table import new_table
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.runs.marked import with_block
from simcli.tuning.measure import failures
from tests.bench.strength import PAGE, SEED, Margin

DEALS = 20_000
OTHERS = ("lowest", "thrifty", "counting")
#: each habit and the variant it is measured in
HABITS = {
    "transfer=always": "classic",
    "transfer=never": "classic",
    "show=always": "pass-card",
    "show=never": "pass-card",
    "throw=always": "classic",
    "throw=never": "classic",
}


def failures_of_one(
    variant: Variant, one: str, others: str, deals: int, seed: int = SEED
) -> npt.NDArray[np.float64]:
    """Return how often one bot at each seat in turn among others fails, by deal, from 0 to 1."""
    players = variant.players
    total = np.zeros(deals)
    for place in range(players):
        lineup = Lineup(tuple(one if other == place else others for other in range(players)))
        state = new_table(variant, players)
        state[BOT : BOT + len(lineup.slots)] = lineup.slots
        rows = np.zeros((N_COLUMNS, deals), dtype=np.uint16)
        play_batch(state, seed, 0, 1, rows)
        total += failures(variant, rows)[place]
    return total / players


def worth_of(habit: str, players: int, others: str, deals: int = DEALS) -> Margin:
    """Return how many points less a seat fails by a habit than by its weights, in the same deals.

    A deal counts once, with its mean over the seats that the one bot takes in turn.
    """
    variant = seat(load_variant(HABITS[habit]), players)
    by_weights = failures_of_one(variant, "thrifty", others, deals)
    by_habit = failures_of_one(variant, f"thrifty:{habit}", others, deals)
    gained = 100 * (by_weights - by_habit)
    return Margin(float(gained.mean()), float(gained.std(ddof=1) / np.sqrt(deals)))


def habits_table(deals: int) -> str:
    """Return what every habit is worth by the number of players and the other seats."""
    lines = [
        f"{deals:,} deals a cell and seat, seed {SEED}.\n",
        "| habit | variant | players | among `lowest` | among `thrifty` | among `counting` |",
        "|---|---|---|---|---|---|",
    ]
    for habit, name in HABITS.items():
        for players in range(2, MAX_PLAYERS + 1):
            cells = " | ".join(str(worth_of(habit, players, others, deals)) for others in OTHERS)
            lines.append(f"| `{habit}` | `{name}` | {players} | {cells} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, and write it into docs/bots.md if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=DEALS, help="deals a cell and seat")
    parser.add_argument("--write", action="store_true", help="write the table into docs/bots.md")
    options = parser.parse_args()
    text = habits_table(options.deals)
    print(text, end="")
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_block(page, "habits", text), encoding="utf-8")


if __name__ == "__main__":
    main()
