"""Line-ups: which bot sits where, as people write it (``montecarlo:64,thrifty,thrifty,thrifty``)."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from simcli.bots.choose import THRIFTY
from simcli.bots.own.bot import OwnBot, own_bot, read_own, split_text
from simcli.bots.own.source import Unusable, entry_point_names, is_file_name
from simcli.bots.parameters import Reader, parameters_text
from simcli.bots.registry import BOTS
from simcli.bots.thrifty import P_WEIGHTS
from simcli.bots.thrifty_sets import set_name
from simcli.engine.layout import BOT, BOT_PARAMS, MAX_PLAYERS, N_BOT_PARAMS, State
from simcli.errors import Problem, input_error
from simcli.rules.variant import Variant
from simcli.rules.wording import did_you_mean, printable

WHERE = "--bots"
LABEL_LENGTH = 40
HASH_LENGTH = 8


@dataclass(frozen=True)
class SeatBot:
    """Hold a bot and what it is set to.

    Attributes
    ----------
    name : str
        Its name.
    parameters : tuple of int
        The code of each of its parameters.
    """

    name: str
    parameters: tuple[int, ...] = ()

    @property
    def code(self) -> int:
        """Return its number."""
        return BOTS[self.name].code

    @property
    def text(self) -> str:
        """Return it as a line-up has it, defaults left out."""
        return self.name + parameters_text(BOTS[self.name].parameters, self.parameters)

    @property
    def slots(self) -> tuple[int, ...]:
        """Return what its seat's slots of the state hold."""
        return self.parameters + (0,) * (N_BOT_PARAMS - len(self.parameters))

    @property
    def looks_ahead(self) -> bool:
        """Return whether it plays positions on before it decides."""
        return BOTS[self.name].looks_ahead


@dataclass(frozen=True)
class Lineup:
    """Name the bot of every seat.

    Attributes
    ----------
    bots : tuple of str
        One canonical bot text a seat.
    own : tuple of (str, str)
        The own bots among them, without parameters, each with the SHA-256 of its file.
    """

    bots: tuple[str, ...]
    own: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """Return the line-up as ``--bots`` takes it, one name if all seats play alike.

        >>> Lineup(("lowest", "lowest")).text, Lineup(("thrifty", "lowest")).text
        ('lowest', 'thrifty,lowest')
        """
        return self.bots[0] if len(set(self.bots)) == 1 else ",".join(self.bots)

    @property
    def label(self) -> str:
        """Return the line-up as part of a folder name, a long one shortened with a hash.

        >>> Lineup(("thrifty", "lowest")).label
        'thrifty+lowest'
        """
        plain = re.sub(r"[:=]", "-", self.text.replace(",", "+"))
        safe = re.sub(r"[^A-Za-z0-9_+.-]", "_", plain)
        if safe == plain and len(safe) <= LABEL_LENGTH:
            return safe
        mark = hashlib.sha256(self.text.encode()).hexdigest()[:HASH_LENGTH]
        return f"{safe[: LABEL_LENGTH - HASH_LENGTH - 1]}-{mark}"

    @property
    def seats(self) -> tuple[SeatBot | OwnBot, ...]:
        """Return each seat's bot with its parameters; own bots are loaded.

        Raises
        ------
        InputError
            An own bot cannot be found or loaded, or its file is not what it was.
        """
        hashes = dict(self.own)
        return tuple(
            own_bot(text, hashes[name]) if (name := split_text(text)[0]) in hashes else read_bot(text)
            for text in self.bots
        )

    @property
    def codes(self) -> tuple[int, ...]:
        """Return the number of each seat's bot."""
        return tuple(bot.code for bot in self.seats)

    @property
    def slots(self) -> tuple[int, ...]:
        """Return what the state holds from slot `BOT` on: the number of each bot, then all parameters."""
        bots = self.seats
        codes = self.codes + (0,) * (MAX_PLAYERS - len(bots))
        return codes + tuple(slot for bot in bots for slot in bot.slots)

    @property
    def looks_ahead(self) -> bool:
        """Return whether a shipped bot of the line-up looks ahead, so that deals take their time."""
        hashes = dict(self.own)
        shipped = [text for text in self.bots if split_text(text)[0] not in hashes]
        return any(read_bot(text).looks_ahead for text in shipped)

    def weights(self, variant: Variant) -> dict[str, str]:
        """Return by what weights each of its bots plays a variant, if it is set to any but the usual ones.

        >>> Lineup(("thrifty:weights=own", "thrifty")).weights(Variant())
        {'thrifty:weights=own': 'classic'}
        """
        hashes = dict(self.own)
        shipped = [text for text in dict.fromkeys(self.bots) if split_text(text)[0] not in hashes]
        bots = {text: read_bot(text) for text in shipped}
        return {
            text: set_name(bot.parameters[P_WEIGHTS], variant)
            for text, bot in bots.items()
            if bot.code == THRIFTY and bot.parameters[P_WEIGHTS]
        }

    def rotated(self, steps: int) -> Lineup:
        """Return the line-up with every bot so many seats further on.

        >>> Lineup(("thrifty", "lowest", "lowest")).rotated(1).text
        'lowest,thrifty,lowest'
        """
        n = len(self.bots)
        return Lineup(tuple(self.bots[(seat - steps) % n] for seat in range(n)), self.own)

    def rotations(self) -> list[Lineup]:
        """Return the line-up in every rotation that differs, as it is first.

        >>> [lineup.text for lineup in Lineup(("lowest", "thrifty", "lowest", "thrifty")).rotations()]
        ['lowest,thrifty,lowest,thrifty', 'thrifty,lowest,thrifty,lowest']
        """
        return list(dict.fromkeys(self.rotated(steps) for steps in range(len(self.bots))))


def seat_bot(state: State, seat: int, bot: SeatBot | OwnBot) -> None:
    """Let a bot decide for a seat."""
    state[BOT + seat] = bot.code
    first = BOT_PARAMS + N_BOT_PARAMS * seat
    state[first : first + N_BOT_PARAMS] = bot.slots


def parse_lineup(
    text: str, players: int, where: str = WHERE, hashes: Mapping[str, str] | None = None
) -> Lineup:
    """Return the line-up a text stands for: one bot for all seats, or one for each.

    Commas separate seats, colons parameters. Own bots are loaded, so that what is wrong with them is known
    before anything is played, but for those whose hashes are known.

    Parameters
    ----------
    text : str
        For example ``"lowest"``, ``"montecarlo:64"``, ``"thrifty,lowest,lowest"`` or ``"my_bot.py:choose"``.
    players : int
        Seats to fill.
    where : str
        Name of the text's origin in messages.
    hashes : mapping of str to str, optional
        Of a run that there is: the own bots with the SHA-256 of their files.

    Raises
    ------
    InputError
        With every problem of the text.
    """
    texts = tuple(part.strip() for part in text.split(","))
    problems = []
    if len(texts) not in (1, players):
        message = f"expected one bot, or {players} for {players} players, got {len(texts)}"
        problems.append(Problem(where, None, None, message))
    bots = []
    own: dict[str, str] = {}
    for seat, each in enumerate(texts):
        found, faults = _read_seat(each, own, hashes or {})
        bots.append(found)
        key = f"seat {seat}" if len(texts) > 1 else None
        problems.extend(Problem(where, None, key, fault) for fault in faults)
    if problems:
        raise input_error(problems)
    seats = tuple(bots) if len(bots) == players else tuple(bots * players)
    return Lineup(seats, tuple(sorted(own.items())))


def _read_seat(text: str, own: dict[str, str], hashes: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return one seat's bot as text, and what is wrong with it; an own one is noted with its hash."""
    name, _ = split_text(text)
    if name in hashes:
        own[name] = hashes[name]
        return text, []
    if is_file_name(name) or (name not in BOTS and name in entry_point_names()):
        try:
            bot = read_own(text)
        except Unusable as error:
            return text, [str(error)]
        own[bot.source.name] = bot.source.sha256
        return bot.text, []
    shipped, faults = _read(text)
    return shipped.text, faults


@cache
def read_bot(text: str, where: str = "bot") -> SeatBot:
    """Return the bot that one seat's text stands for.

    Raises
    ------
    InputError
        There is no such bot, or it cannot be set so.
    """
    bot, faults = _read(text)
    if faults:
        raise input_error(Problem(where, None, None, fault) for fault in faults)
    return bot


def _read(text: str) -> tuple[SeatBot, list[str]]:
    """Return one seat's bot, and what is wrong with it."""
    name, *parts = text.split(":")
    fault = _fault_of_name(name)
    if fault:
        return SeatBot("lowest"), [fault]
    reader = Reader(name, BOTS[name].parameters, [])
    return SeatBot(name, reader.codes(parts)), reader.faults


def _fault_of_name(name: str) -> str | None:
    """Return what is wrong with the name of a bot, None if nothing is."""
    if name in BOTS:
        return None
    hint = did_you_mean(name, [*BOTS, *entry_point_names()])
    return f"expected a bot ({_names()}), got {printable(name) or 'nothing'}{hint}"


def _names() -> str:
    return ", ".join([*BOTS, *entry_point_names(), "or FILE.py:FUNCTION"])
