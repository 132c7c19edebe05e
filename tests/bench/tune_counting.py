"""Tune the weights of `counting` by self-play (docs/bots.md, "Weights").

python -m tests.bench.tune_counting --seats 4 --minutes 5          tunes the rows of four seats
python -m tests.bench.tune_counting --seats 2,3,4 --minutes 5 --write

An evolution strategy (CMA-ES, Hansen 2016, arXiv:1604.00772; `pip install cma`) draws weights around the ones
it has. Every generation plays deals of its own, the same for each of its members: one seat plays by the drawn
weights, the others as `thrifty` or by the weights before. The centre is kept if it fails less often in deals
that no generation has seen.
"""

from __future__ import annotations

import argparse
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from simcli.analysis.rotation import team_of
from simcli.bots import counting_weights
from simcli.bots.batch import N_COLUMNS, Rows, write_row
from simcli.bots.choose import COUNTING, THRIFTY, choose
from simcli.bots.counting import choose_weighed
from simcli.bots.counting_weights import (
    AMONG_RACERS,
    N_STAGES,
    W_TRUMP,
    WEIGHTS,
    WITHOUT_TRANSFERS,
    WeightTable,
)
from simcli.engine.actions import Move
from simcli.engine.apply import apply
from simcli.engine.bits import at
from simcli.engine.deal import start_deal
from simcli.engine.jit import kernel
from simcli.engine.layout import ACTOR, BOT, PH_OVER, PHASE, State
from simcli.engine.table import new_table
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant
from simcli.rules.variant import seat as seated
from simcli.tuning.measure import failures

RIVAL = 99  # plays by the other table of weights
STEP = 12.0  # first step of the search, in points; a rank in a pack of 36
MEMBERS = 14
DEALS = 6_000  # of each variant, table and generation
# the marks around the table of weights in the bot's source
BEGIN = "np.array([\n"
END = "], dtype=np.int64)\n"
RACERS = 0  # stands for the tables where the first one out wins

#: what the weights should be good at, with and without transfers: variants, and how much each counts
VARIANTS = {
    True: {"classic": 3, "late-transfer": 1, "pass-card": 1, "advanced-transfer": 1},
    False: {"podkidnoy": 3, "advanced-standard": 1},
}
RACING = {True: {"transferable": 1}, False: {"regular": 1}}

Vector = npt.NDArray[np.float64]


@kernel
def choose_by(S: State, w: WeightTable) -> Move:
    """Return the move of `counting` by a table of weights."""
    return choose_weighed(S, w)


@kernel
def play_by(S: State, seed: int, first_deal: int, ours: WeightTable, theirs: WeightTable, rows: Rows) -> None:
    """Play deals as `play_batch` does, with two tables of weights for two bots."""
    for i in range(rows.shape[1]):
        start_deal(S, seed, first_deal + i, True)
        while S[PHASE] != PH_OVER:
            bot = S[at(BOT, S[ACTOR])]
            if bot == COUNTING:
                apply(S, choose_by(S, ours))
            elif bot == RIVAL:
                apply(S, choose_by(S, theirs))
            else:
                apply(S, choose(S))
        write_row(S, rows, i)


@dataclass(frozen=True)
class Match:
    """One table to be good at: a variant with its players, who the others are, and how much it counts."""

    variant: Variant
    others: int
    weight: float

    def rate(self, ours: WeightTable, theirs: WeightTable, seed: int, deals: int) -> float:
        """Return how much more often than the others one seat fails, in percent."""
        players = self.variant.players
        total = 0.0
        for place in range(players):
            team = team_of(self.variant, place)
            state = new_table(self.variant, players)
            state[BOT : BOT + players] = [COUNTING if s in team else self.others for s in range(players)]
            rows = np.zeros((N_COLUMNS, deals // players), dtype=np.uint16)
            play_by(state, seed, 0, ours, theirs, rows)
            failed = failures(self.variant, rows).mean(axis=1)
            rest = [s for s in range(players) if s not in team]
            total += failed[place] - failed[rest].mean()
        return 100 * total / players


def matches_of(seats: int, transfers: bool) -> list[Match]:
    """Return what the rows of so many seats are tuned for."""
    variants = (VARIANTS if seats else RACING)[transfers]
    tables = [(load_variant(name), weight) for name, weight in variants.items()]
    found = []
    for variant, weight in tables:
        for players in [seats] if seats else [3, 4, 5]:
            if players <= variant.max_players:
                table = seated(variant, players)
                found += [Match(table, THRIFTY, 2.0 * weight), Match(table, RIVAL, float(weight))]
    return found


def rating(matches: list[Match], ours: WeightTable, theirs: WeightTable, seed: int, deals: int) -> float:
    """Return the weighted mean of the rates of all matches."""
    rates = [m.weight * m.rate(ours, theirs, seed, deals) for m in matches]
    return sum(rates) / sum(m.weight for m in matches)


def tunable(seats: int, transfers: bool) -> list[tuple[int, int]]:
    """Return row and column of the weights that have a say at a table of so many seats."""
    first = AMONG_RACERS if seats == RACERS else N_STAGES * (seats - 2)
    if not transfers:
        first += WITHOUT_TRANSFERS
    # with five seats and 36 cards the stock is never long, with six there is none
    left_out = {5: 1, 6: 2}.get(seats, 0)
    rows = range(first + left_out, first + N_STAGES)
    return [(row, column) for row in rows for column in range(WEIGHTS.shape[1])]


def scale_of(column: int) -> float:
    """Return how far a weight is moved in comparison with the others."""
    if column == W_TRUMP:
        return 1.0
    name = counting_weights.NAMES[column]
    return {"useful": 0.15, "pair": 0.3, "lead_mates": 0.5, "out": 2.0}.get(name, 1.0)


def tune(seats: int, transfers: bool, weights: WeightTable, minutes: float, seed: int) -> WeightTable:
    """Return weights that are better at tables of so many seats, or the same ones."""
    import cma

    matches = matches_of(seats, transfers)
    places = tunable(seats, transfers)
    scales = np.array([scale_of(column) for _, column in places])
    start = np.array([weights[place] for place in places], dtype=float)

    def table_of(vector: Vector) -> WeightTable:
        table = weights.copy()
        for place, value in zip(places, np.rint(start + vector * scales), strict=True):
            table[place] = int(value)
        return table

    search = cma.CMAEvolutionStrategy(
        np.zeros(len(places)),
        STEP,
        {"popsize": MEMBERS, "seed": seed, "verbose": -9, "CMA_diagonal": True},
    )
    end = time.monotonic() + 60 * minutes
    generation = 0
    while time.monotonic() < end:
        generation += 1
        vectors = search.ask()
        deals_of = 1_000_000 + 1_000 * seed + generation
        search.tell(vectors, [rating(matches, table_of(v), weights, deals_of, DEALS) for v in vectors])
        if generation % 20 == 0:
            centre = rating(matches, table_of(search.mean), weights, 7, 10 * DEALS)
            print(
                f"  {seats} seats, generation {generation}: {centre:+.2f}, step {search.sigma:.1f}",
                flush=True,
            )
    found = table_of(search.mean)
    before, after = (rating(matches, table, weights, 8, 40 * DEALS) for table in (weights, found))
    print(f"{seats} seats: {before:+.2f} before, {after:+.2f} after {generation} generations", flush=True)
    return found if after < before else weights


def rows_text(weights: WeightTable, source: str) -> str:
    """Return the source of the weights with new numbers."""
    before, rest = source.split(BEGIN)
    text = ""
    for name, row in zip(counting_weights.ROW_NAMES, weights.tolist(), strict=True):
        lines = textwrap.wrap(", ".join(map(str, row)) + "],", 90)
        text += f"    # {name}\n    [" + "\n     ".join(lines) + "\n"
    return before + BEGIN + text + END + rest.split(END)[1]


def main() -> None:
    """Tune the rows of some tables one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seats", default="2,3,4,5,6,0", help="tables in order; 0: first out wins")
    parser.add_argument("--kinds", default="transfers,none", help="with transfers, without")
    parser.add_argument("--minutes", type=float, default=5, help="for each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path, help="weights to go on from and to write, as .npy")
    parser.add_argument("--write", action="store_true", help="write the weights into the bot's source")
    options = parser.parse_args()
    weights = np.load(options.file) if options.file and options.file.exists() else WEIGHTS.copy()
    for seats in filter(None, options.seats.split(",")):
        for kind in options.kinds.split(","):
            weights = tune(int(seats), kind == "transfers", weights, options.minutes, options.seed)
            if options.file:
                np.save(options.file, weights)
    if options.write:
        page = Path(counting_weights.__file__)
        page.write_text(rows_text(weights, page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
