"""Check a bot of one's own: whether it plays by the rules, sees no hidden card, and decides in time."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random

import numpy as np

from simcli.bots.batch import N_COLUMNS, O_RESULT, Rows
from simcli.bots.decide import decide
from simcli.bots.lineup import Lineup, parse_lineup, seat_bot
from simcli.bots.own.bot import OwnBot
from simcli.bots.own.decide import Misplay, choose_own
from simcli.bots.own.limits import Clock, decision_limit
from simcli.bots.own.twins import twin_of
from simcli.engine.apply import apply_move
from simcli.engine.game import Game, Pairs, table_after
from simcli.engine.layout import ACTOR, BOT_STREAM, BOUTS, PH_OVER, PHASE, STALLED, WHOLE_TURN, State
from simcli.engine.notation import action_text
from simcli.errors import InputError, RunError, refusal
from simcli.observation import ASKED_WORDS
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, Variant, seat
from simcli.runs.apart import play_apart
from simcli.runs.plan import Match

SEED = 1
WHILE_RANDOM = "random"

CHECKS = {
    "whole deals": "it plays whole deals at all seats, in a process apart",
    "legal": "it answers every kind of question with a legal action",
    "same answer": "asked again, and in another process, it answers the same",
    "hidden cards": "cards that its seat cannot see do not change its answer",
    "view": "it leaves alone what it is shown",
    "time": "no decision takes too long",
}
"""What is checked, in order."""


@dataclass(frozen=True)
class Fault:
    """Say what a bot did wrong first of its kind, and the command that replays the deal."""

    text: str
    replay: str


@dataclass
class Examination:
    """Hold what has come out so far.

    Attributes
    ----------
    bot : str
        The bot's text.
    kind : str
        ``plain`` or ``compiled``.
    tables : int
        Pairs of variant and table size at which it has played.
    deals, stalled : int
        Whole deals that it played at all seats; how many of them never ended.
    decisions : int
        Questions that it was asked one by one.
    asked : set of str
        Kinds of questions among them.
    mean_s, slowest_s : float
        Seconds of a decision.
    faults : dict of Fault
        What is wrong, by check.
    """

    bot: str
    kind: str
    tables: int = 0
    deals: int = 0
    stalled: int = 0
    decisions: int = 0
    asked: set[str] = field(default_factory=set)
    slowest_s: float = 0.0
    faults: dict[str, Fault] = field(default_factory=dict)
    _seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.faults

    @property
    def mean_s(self) -> float:
        """Return the mean seconds of a decision."""
        return self._seconds / max(1, self.decisions)

    def timed(self, seconds: float, asked: str) -> None:
        """Count a decision."""
        self.decisions += 1
        self.asked.add(asked)
        self._seconds += seconds
        self.slowest_s = max(self.slowest_s, seconds)

    def note(self, check: str, text: str, replay: str) -> None:
        """Note what is wrong, if it is the first of its kind."""
        self.faults.setdefault(check, Fault(text, replay))


def tables(names: Sequence[str]) -> Iterator[Variant]:
    """Yield some variants, or all that ship, each at every table size it can seat."""
    for variant in map(load_variant, names or shipped_names()):
        for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
            with suppress(InputError):
                yield seat(variant, players)


def check_bot(text: str, deals: int = 1, variants: Sequence[str] = ()) -> Examination:
    """Check a bot under variants, at every table size.

    Parameters
    ----------
    text : str
        The bot as a line-up has it.
    deals : int
        Deals at each table.
    variants : sequence of str
        Names or paths; all that ship by default.

    Raises
    ------
    InputError
        There is no such bot or variant, or the bot is a shipped one.
    """
    lineup = parse_lineup(text, 1)
    bot = lineup.seats[0]
    if not isinstance(bot, OwnBot):
        raise refusal("simcli bots check", f"expected a bot of your own (FILE.py:FUNCTION), got {bot.text}")
    seated = list(tables(variants))
    found = Examination(bot.text, "compiled" if bot.is_compiled else "plain")
    for variant in seated:
        match = Match(variant, Lineup(lineup.bots * variant.players, lineup.own), SEED, 1)
        if "whole deals" in found.faults:
            break
        _play_whole_deals(match, deals, found)
        found.tables += 1
    if not found.faults.keys() & {
        "whole deals",
        "time",
    }:  # one that never ends, or ends all, is not asked here
        with Clock(decision_limit()) as clock:
            for number, variant in enumerate(seated):
                for deal in range(deals):
                    _Interview(bot, variant, deal, clock, found).hold(Random(number))
    return found


def _replay(variant: Variant, bots: str, deal: int) -> str:
    words = ["simcli", "replay", "--variant", variant.name, "--players", str(variant.players)]
    return shlex.join([*words, "--bots", bots, "--seed", str(SEED), "--deal", str(deal)])


def _play_whole_deals(match: Match, deals: int, found: Examination) -> None:
    """Let the bot play all seats, twice, in processes where Python's sets have other orders."""
    played: list[Rows] = []
    for hash_seed in (0, 1):
        rows: Rows = np.empty((N_COLUMNS, deals), dtype=np.uint16)
        try:
            play_apart(match, 0, rows, hash_seed)
        except Misplay as misplay:
            deal = misplay.deal or 0
            found.note("whole deals", str(misplay), _replay(match.variant, found.bot, deal))
            return
        except RunError as error:
            found.note("whole deals", str(error), _replay(match.variant, found.bot, 0))
            return
        played.append(rows)
    found.deals += deals
    found.stalled += int((played[0][O_RESULT] == STALLED).sum())
    if not np.array_equal(played[0], played[1]):
        deal = int(np.flatnonzero((played[0] != played[1]).any(axis=0))[0])
        found.note(
            "same answer",
            f"deal {deal} went another way in another process – what is kept between decisions, the global "
            "random generator, the clock and the order of a set are not to be relied on; chance is view.rng",
            _replay(match.variant, found.bot, deal),
        )


@dataclass
class _Interview:
    """Ask a bot at every decision of a deal that `random` plays, so that it is asked everything."""

    bot: OwnBot
    variant: Variant
    deal: int
    clock: Clock
    found: Examination

    def hold(self, rng: Random) -> None:
        """Play the deal."""
        lineup = parse_lineup(WHILE_RANDOM, self.variant.players)
        state = Game.deal(self.variant, self.variant.players, SEED, self.deal, bots=lineup.slots).state
        table: Pairs = ()
        number = 0
        while state[PHASE] != PH_OVER:
            self._ask(state, table, number, rng)
            move = decide(state)
            table = table_after(table, state, move)
            n_bouts, number = state[BOUTS], number + 1
            apply_move(state, move)
            table = table if state[BOUTS] == n_bouts else ()

    def _ask(self, state: State, table: Pairs, number: int, rng: Random) -> None:
        seat = int(state[ACTOR])
        note = partial(self._note, number, seat)
        asked = state.copy()
        seat_bot(asked, seat, self.bot)
        start = time.perf_counter()
        try:
            first = self._choice(asked.copy(), table)
            self.found.timed(time.perf_counter() - start, ASKED_WORDS[asked[PHASE]])
            again = self._choice(asked.copy(), table)
            twin = twin_of(asked, seat, rng)
            twin[BOT_STREAM + seat] = asked[BOT_STREAM + seat]
            other = self._choice(twin, table)
        except Misplay as misplay:
            self._note_misplay(misplay, number, seat)
            return
        if again != first:
            note(
                "same answer",
                f"{_text(first)} at first, {_text(again)} when asked again – chance is view.rng",
            )
        elif other != first and "same answer" not in self.found.faults:
            note("hidden cards", f"{_text(first)}, but {_text(other)} with the unseen cards shuffled")

    def _choice(self, asked: State, table: Pairs) -> int:
        return choose_own(self.bot, asked, table, self.clock)

    def _note_misplay(self, misplay: Misplay, number: int, seat: int) -> None:
        reason = misplay.reason
        if reason.startswith("took longer"):
            self._note(number, seat, "time", reason)
        elif "its view" in reason or "the state it was shown" in reason:
            self._note(number, seat, "view", reason)
        else:
            self._note(number, seat, "legal", reason)

    def _note(self, number: int, seat: int, check: str, text: str) -> None:
        where = f"asked in place of {WHILE_RANDOM} for seat {seat} at decision {number + 1} of the deal"
        self.found.note(check, f"{where}: {text}", _replay(self.variant, WHILE_RANDOM, self.deal))


def _text(move: int) -> str:
    return action_text(move & ~WHOLE_TURN) + (" as a whole turn" if move & WHOLE_TURN else "")
