"""Measure how much better one bot plays than another, in the same deals (docs/bots.md, "How strong").

python -m tests.bench.strength               prints the tables of docs/bots.md
python -m tests.bench.strength --look-ahead  prints the table of bots that look ahead, which takes longer
python -m tests.bench.strength --playouts    prints the playouts with which `montecarlo` beats `counting`
python -m tests.bench.strength … --write     and writes them there
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from simcli.analysis.rotation import margins, team_of
from simcli.bots.batch import N_COLUMNS, O_RESULT, play_batch
from simcli.bots.counting_weights import NAMES, ROW_NAMES
from simcli.bots.counting_weights import WEIGHTS as COUNTING_WEIGHTS
from simcli.bots.lineup import Lineup
from simcli.bots.thrifty_weights import STAGE_NAMES, WEIGHTS, Weights
from simcli.engine.layout import MAX_PLAYERS, STALLED
from simcli.errors import InputError
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import Variant, seat
from simcli.runs.marked import with_block
from simcli.runs.plan import Match
from simcli.runs.play import table_of
from simcli.tuning.measure import failures

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"
DEALS = 50_000
LOOK_AHEAD_DEALS = 3_000
PLAYOUTS_DEALS = 12_000
PLAYOUTS_PLAYERS = (2, 3, 4)
MOST_PLAYOUTS = 1_024
ENDGAME_SHARE = 5  # plays a fifth of the deals, and with a small budget, as it takes its time
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

    def beats(self) -> bool:
        """Return whether it is a point or more below zero, and surely below (docs/methods.md)."""
        return self.points <= -1 and self.points + 1.96 * self.error < 0


def play(variant: Variant, bots: Sequence[str], deals: int, seed: int) -> Rows:
    """Play deals with a bot at each seat; return one outcome column a deal."""
    rows = np.zeros((N_COLUMNS, deals), dtype=np.uint16)
    play_batch(table_of(Match(variant, Lineup(tuple(bots)), seed, session=1)), seed, 0, 1, rows)
    return rows


def margin(
    table: Variant, players: int, one: str, others: str, deals: int = DEALS, seed: int = SEED
) -> Margin:
    """Return how much more often one bot fails than the mean of the others at its table.

    The one bot sits at each seat in turn (with teams: its team does) and the same deals are played each
    time; a deal counts once, with its mean over the seats.
    """
    variant = seat(table, players)
    n_each = deals // players
    total = np.zeros(n_each)
    for place in range(players):
        team = team_of(variant, place)
        bots = [one if other in team else others for other in range(players)]
        total += margins(failures(variant, play(variant, bots, n_each, seed)), team)
    each = 100 * total / players
    return Margin(float(each.mean()), float(each.std(ddof=1) / np.sqrt(n_each)))


def n_stalled(variant: Variant, players: int, bot: str, deals: int = DEALS, seed: int = SEED) -> int:
    """Return how many deals stall with a bot at every seat."""
    return int((play(seat(variant, players), [bot] * players, deals, seed)[O_RESULT] == STALLED).sum())


def tables() -> list[tuple[str, Variant]]:
    """Return every shipped variant at every number of players that it seats, with its name."""
    found = []
    for name in shipped_names():
        for players in range(2, MAX_PLAYERS + 1):
            with suppress(InputError):
                found.append((name, seat(load_variant(name), players)))
    return found


def weights_table(weights: Weights = WEIGHTS) -> str:
    """Return weights of `thrifty` as a table."""
    lines = ["| weight | " + " | ".join(STAGE_NAMES) + " |", "|---" * (len(STAGE_NAMES) + 1) + "|"]
    for name, row in weights._asdict().items():
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
        ours = margin(variant, players, "thrifty", "lowest", deals)
        theirs = margin(variant, players, "lowest", "thrifty", deals)
        stalled = n_stalled(variant, players, "thrifty", deals)
        lines.append(f"| `{name}` | {players} | {ours} | {theirs} | {stalled} |")
    return "\n".join(lines) + "\n"


def counting_weights_table() -> str:
    """Return the weights of `counting` as a table."""
    lines = ["| weight | " + " | ".join(ROW_NAMES) + " |", "|---" * (len(ROW_NAMES) + 1) + "|"]
    for name, column in zip(NAMES, COUNTING_WEIGHTS.T.tolist(), strict=True):
        lines.append(f"| `{name}` | " + " | ".join(map(str, column)) + " |")
    return "\n".join(lines) + "\n"


def rivals_table(bot: str, rival: str, deals: int) -> str:
    """Return the margins of a bot and its rival in two variants."""
    lines = [
        f"{deals:,} deals a cell, seed {SEED}.\n",
        f"| variant | players | one `{bot}` among `{rival}` | one `{rival}` among `{bot}` |",
        "|---|---|---|---|",
    ]
    for name in ("classic", "podkidnoy"):
        for players in range(2, MAX_PLAYERS + 1):
            variant = seat(load_variant(name), players)
            ours = margin(variant, players, bot, rival, deals)
            theirs = margin(variant, players, rival, bot, deals)
            lines.append(f"| `{name}` | {players} | {ours} | {theirs} |")
    return "\n".join(lines) + "\n"


def look_ahead_table(deals: int) -> str:
    """Return the margins of `montecarlo` among `thrifty`, and of more playouts among fewer."""
    duels = [
        (name, players, "montecarlo", "thrifty")
        for name in ("classic", "podkidnoy")
        for players in (2, 3, 4, 6)
    ]
    duels += [("classic", 3, f"montecarlo:{4 * n}", f"montecarlo:{n}") for n in (4, 16, 64)]
    lines = [
        f"{deals:,} deals a row, seed {SEED}.\n",
        "| variant | players | one | among | margin |",
        "|---|---|---|---|---|",
    ]
    for name, players, one, others in duels:
        found = margin(load_variant(name), players, one, others, deals)
        lines.append(f"| `{name}` | {players} | `{one}` | `{others}` | {found} |")
    return "\n".join(lines) + "\n"


def playouts_table(deals: int) -> str:
    """Return the margins of `montecarlo` among `counting`, with more and more playouts until it beats it."""
    variant = load_variant("classic")
    lines = [
        f"{deals:,} deals a cell, seed {SEED}.\n",
        "| one | "
        + " | ".join(f"{players} players" for players in PLAYOUTS_PLAYERS)
        + " | beats `counting` |",
        "|---" * (len(PLAYOUTS_PLAYERS) + 2) + "|",
    ]
    playouts, beats = 1, False
    while not beats and playouts <= MOST_PLAYOUTS:
        bot = f"montecarlo:{playouts}"
        found = [margin(variant, players, bot, "counting", deals) for players in PLAYOUTS_PLAYERS]
        beats = all(each.beats() for each in found)
        lines.append(f"| `{bot}` | {' | '.join(map(str, found))} | {'yes' if beats else 'no'} |")
        playouts *= 2
    return "\n".join(lines) + "\n"


BLOCKS: dict[str, Callable[[int], str]] = {
    "weights": lambda deals: weights_table(),
    "strength": strength_table,
    "counting-weights": lambda deals: counting_weights_table(),
    "counting": lambda deals: rivals_table("counting", "thrifty", deals),
    "endgame": lambda deals: rivals_table("endgame:1000", "counting", deals // ENDGAME_SHARE),
}


def main() -> None:
    """Print the tables, and write them into docs/bots.md if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deals", type=int, help="deals a cell")
    parser.add_argument("--blocks", default="weights,strength,counting-weights,counting,endgame")
    parser.add_argument("--look-ahead", action="store_true", help="measure the bots that look ahead")
    parser.add_argument("--playouts", action="store_true", help="find the playouts that beat `counting`")
    parser.add_argument("--write", action="store_true", help="write the tables into docs/bots.md")
    options = parser.parse_args()
    if options.look_ahead:
        blocks = {"look-ahead": look_ahead_table(options.deals or LOOK_AHEAD_DEALS)}
    elif options.playouts:
        blocks = {"playouts": playouts_table(options.deals or PLAYOUTS_DEALS)}
    else:
        blocks = {name: BLOCKS[name](options.deals or DEALS) for name in options.blocks.split(",")}
    print("\n".join(blocks.values()), end="")
    if options.write:
        page = PAGE.read_text(encoding="utf-8")
        for block, text in blocks.items():
            page = with_block(page, block, text)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
