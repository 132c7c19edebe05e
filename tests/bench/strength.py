"""Measure how much better one bot plays than another, in the same deals (docs/bots.md, "How strong").

python -m tests.bench.strength            prints the tables of docs/bots.md
python -m tests.bench.strength --write    and writes them there
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from simcli.bots.batch import N_COLUMNS, O_LOSER, O_PLACE, O_RESULT, play_batch
from simcli.bots.choose import LOWEST, THRIFTY
from simcli.bots.thrifty_weights import WEIGHTS
from simcli.engine.layout import BOT, LOST, MAX_PLAYERS, STALLED, WON
from simcli.engine.table import new_table
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant, seat

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"
DEALS = 50_000
SEED = 1

Rows = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class Margin:
    """How many points more than the others a bot fails, with the standard error, both in percent."""

    points: float
    error: float

    def __str__(self) -> str:
        """Write the margin with its 95 % interval."""
        return f"{self.points:+.2f} ± {1.96 * self.error:.2f}".replace("-", "−")


def play(variant: Variant, bots: Sequence[int], deals: int, seed: int) -> Rows:
    """Play deals with a bot at each seat; return one outcome column a deal."""
    state = new_table(variant, len(bots))
    state[BOT : BOT + len(bots)] = bots
    rows = np.zeros((N_COLUMNS, deals), dtype=np.uint16)
    play_batch(state, seed, 0, 1, rows)
    return rows


def team_of(variant: Variant, place: int, players: int) -> list[int]:
    """Return the seats that win and lose together with a seat."""
    n_teams = players if variant.teams == "none" else int(variant.teams)
    return [other for other in range(players) if other % n_teams == place % n_teams]


def failures(variant: Variant, rows: Rows, players: int) -> npt.NDArray[np.float64]:
    """Return, by seat and deal, 1 where the seat (or its team) lost or, if that counts, did not win."""
    failed = np.zeros((players, rows.shape[1]))
    for place in range(players):
        if variant.end.objective == "first_out_wins":
            failed[place] = (rows[O_RESULT] != WON) | (rows[O_PLACE + place] != 1)
        else:
            losers = team_of(variant, place, players)
            failed[place] = (rows[O_RESULT] == LOST) & np.isin(rows[O_LOSER], losers)
    return failed


def margin(
    variant: Variant, players: int, one: int, others: int, deals: int = DEALS, seed: int = SEED
) -> Margin:
    """Return how much more often one bot fails than the mean of the others at its table.

    The one bot sits at each seat in turn (with teams: its team does) and the same deals are played each
    time; a deal counts once, with its mean over the seats.
    """
    n_each = deals // players
    total = np.zeros(n_each)
    for place in range(players):
        team = team_of(variant, place, players)
        bots = [one if other in team else others for other in range(players)]
        failed = failures(variant, play(variant, bots, n_each, seed), players)
        rest = [other for other in range(players) if other not in team]
        total += failed[place] - failed[rest].mean(axis=0)
    each = 100 * total / players
    return Margin(float(each.mean()), float(each.std(ddof=1) / np.sqrt(n_each)))


def n_stalled(variant: Variant, players: int, bot: int, deals: int = DEALS, seed: int = SEED) -> int:
    """Return how many deals stall with a bot at every seat."""
    return int((play(variant, [bot] * players, deals, seed)[O_RESULT] == STALLED).sum())


def tables() -> list[tuple[str, Variant]]:
    """Return every shipped variant at every number of players that it seats, with its name."""
    found = []
    for name in shipped_names():
        for players in range(2, MAX_PLAYERS + 1):
            with suppress(InputError):
                found.append((name, seat(load_variant(name), players)))
    return found


def weights_table() -> str:
    """Return the weights of `thrifty` as a table."""
    groups = ("three seats or more", "two seats", "three or more, first out wins")
    head = [f"{stage}, {group}" for group in groups for stage in ("early", "late", "end")]
    lines = ["| weight | " + " | ".join(head) + " |", "|---" * (len(head) + 1) + "|"]
    for name, row in WEIGHTS._asdict().items():
        lines.append(f"| `{name}` | " + " | ".join(str(weight) for weight in row) + " |")
    return "\n".join(lines) + "\n"


def strength_table(deals: int) -> str:
    """Return the margins and stalled deals of every table."""
    lines = [
        f"{deals:,} deals a cell, seed {SEED}.\n",
        "| variant | players | one `thrifty` among `lowest` | one `lowest` among `thrifty` | stalled |",
        "|---|---|---|---|---|",
    ]
    for name, variant in tables():
        players = variant.players
        ours = margin(variant, players, THRIFTY, LOWEST, deals)
        theirs = margin(variant, players, LOWEST, THRIFTY, deals)
        stalled = n_stalled(variant, players, THRIFTY, deals)
        lines.append(f"| `{name}` | {players} | {ours} | {theirs} | {stalled} |")
    return "\n".join(lines) + "\n"


def replaced(page: str, block: str, text: str) -> str:
    """Return a page with the text between the marks of a block replaced."""
    begin, end = f"<!-- {block}: begin -->\n", f"<!-- {block}: end -->\n"
    before, rest = page.split(begin)
    return before + begin + text + end + rest.split(end)[1]


def main() -> None:
    """Print the tables, and write them into docs/bots.md if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, default=DEALS, help="deals a cell")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/bots.md")
    options = parser.parse_args()
    blocks = {"weights": weights_table(), "strength": strength_table(options.deals)}
    print("\n".join(blocks.values()), end="")
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        for block, text in blocks.items():
            page = replaced(page, block, text)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
