"""The yardstick: one variant's deals in hand-written C, against which the engine is measured."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from simcli.bots.lineup import parse_lineup
from simcli.errors import RunError, refusal
from simcli.rules.load import load_variant
from simcli.rules.variant import Variant, seat
from simcli.rules.wording import printable_path
from simcli.runs.bench.player import Player
from simcli.runs.bench.steps import Steps
from simcli.runs.plan import Match

COMPILER = "gcc"
FLAGS = ("-O3", "-march=native")
BOTS = ("lowest", "random")
TABLES = (2, 3, 4, 6)
ROUNDS = 7
PILOT_DEALS = 5_000
SEED = 1
OTHER_SEED = 2  # the yardstick's own, so that the two samples of packs are independent


@dataclass(frozen=True)
class Profile:
    """Hold how the yardstick's deals ended, and how fast it played.

    Attributes
    ----------
    lost : tuple of int
        Deals lost by position from the opener.
    drawn, stalled : int
        Deals that nobody lost.
    means : Mapping[str, float]
        Bouts, decisions and transfers a deal, stalled deals left out.
    deals_per_s : float
        Deals a CPU second.
    """

    lost: tuple[int, ...]
    drawn: int
    stalled: int
    means: Mapping[str, float]
    deals_per_s: float


@dataclass(frozen=True)
class Yardstick:
    """Run the built program."""

    program: Path

    def play(self, players: int, bot: str, deals: int, seed: int = OTHER_SEED) -> Profile:
        """Play deals with one bot at all seats.

        Raises
        ------
        RunError
            The program failed.
        """
        words = [str(self.program), str(players), bot, str(deals), str(seed)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise RunError(f"the yardstick failed with exit code {done.returncode}")
        said = json.loads(done.stdout)
        lost = tuple(round(rate * deals) for rate in said["loss"])
        means = {"bouts": said["bouts"], "decisions": said["plies"], "transfers": said["transfers"]}
        return Profile(lost, round(said["draw"] * deals), said["stalled"], means, said["deals_per_s"])


def can_compile() -> bool:
    """Return whether there is a C compiler to build the yardstick with."""
    return shutil.which(COMPILER) is not None


@contextmanager
def built_yardstick(source: Path) -> Iterator[Yardstick]:
    """Build the yardstick in a temporary folder that goes afterwards.

    Raises
    ------
    InputError
        There is no source, or no compiler.
    RunError
        The compiler refused the source.
    """
    where = printable_path(source)
    if not source.is_file():
        raise refusal(
            where, "expected the yardstick's C source (tests/bench/durak.c in a checkout), got no file"
        )
    if not can_compile():
        raise refusal(where, f"expected {COMPILER} to build it with, there is none – install it")
    with tempfile.TemporaryDirectory(prefix="simcli-bench-") as folder:
        program = Path(folder) / "durak"
        words = [COMPILER, *FLAGS, "-o", str(program), str(source)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            first = next((line for line in done.stderr.splitlines() if "error" in line), "no reason given")
            raise RunError(f"{where}: {COMPILER} cannot build it: {first}")
        yield Yardstick(program)


def yardstick_variants() -> tuple[Variant, Variant]:
    """Return `classic` with the window that the yardstick plays, and `classic` as shipped."""
    shipped = load_variant("classic")
    beaten = shipped.throw_in.model_copy(update={"window": "when_beaten"})
    return shipped.model_copy(update={"throw_in": beaten}), shipped


@dataclass(frozen=True)
class Ratio:
    """Compare the engine with the yardstick at one table.

    Attributes
    ----------
    window : str
        The engine's `throw_in.window`; the yardstick always plays `when_beaten`.
    players : int
        Seats.
    bots : str
        The bot at all seats.
    deals_per_s, yardstick_deals_per_s : float
        Deals a CPU second, medians.
    ratio, low, high : float
        Engine to yardstick, both measured in turn: median, smallest and largest of `ROUNDS` rounds.
    """

    window: str
    players: int
    bots: str
    deals_per_s: float
    yardstick_deals_per_s: float
    ratio: float
    low: float
    high: float


def measure_ratios(
    yardstick: Yardstick, cpu_s: float, steps: Steps, tables: Sequence[int] = TABLES
) -> list[Ratio]:
    """Return the engine's speed in terms of the yardstick's, for each table and bot."""
    cells = [(players, bot) for bot in BOTS for players in tables]
    ratios: list[Ratio] = []
    for players, bot in steps.walk("the yardstick", cells, lambda cell: f"{cell[0]} players, {cell[1]}"):
        ratios.extend(_ratios(yardstick, players, bot, cpu_s))
    return ratios


def _ratios(yardstick: Yardstick, players: int, bot: str, cpu_s: float) -> list[Ratio]:
    variants = [seat(variant, players) for variant in yardstick_variants()]
    engines = [Player(Match(variant, parse_lineup(bot, players), SEED, 1)) for variant in variants]
    each = cpu_s / ROUNDS
    pilot = yardstick.play(players, bot, PILOT_DEALS)
    deals = max(1, int(pilot.deals_per_s * each))
    for engine in engines:
        engine.sample(each / 2)
    rounds = [
        (yardstick.play(players, bot, deals).deals_per_s, *(e.sample(each).deals_per_s for e in engines))
        for _ in range(ROUNDS)
    ]
    found = []
    for place, variant in enumerate(variants, start=1):
        shares = sorted(one[place] / one[0] for one in rounds)
        found.append(
            Ratio(
                variant.throw_in.window,
                players,
                bot,
                median(one[place] for one in rounds),
                median(one[0] for one in rounds),
                median(shares),
                shares[0],
                shares[-1],
            )
        )
    return found
