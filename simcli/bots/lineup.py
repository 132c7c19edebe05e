"""Line-ups: which bot sits where, as people write it (``thrifty,lowest,lowest,lowest``)."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from simcli.bots.registry import BOTS
from simcli.errors import Problem, input_error, refusal
from simcli.rules.wording import did_you_mean, printable

WHERE = "--bots"
LABEL_LENGTH = 40
HASH_LENGTH = 8


@dataclass(frozen=True)
class Lineup:
    """Name the bot of every seat.

    Attributes
    ----------
    bots : tuple of str
        One canonical bot text a seat.
    """

    bots: tuple[str, ...]

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
    def codes(self) -> tuple[int, ...]:
        """Return the number of each seat's bot."""
        return tuple(BOTS[bot].code for bot in self.bots)


def parse_lineup(text: str, players: int, where: str = WHERE) -> Lineup:
    """Return the line-up a text stands for: one bot for all seats, or one for each.

    Commas separate seats, colons parameters.

    Parameters
    ----------
    text : str
        For example ``"lowest"`` or ``"thrifty,lowest,lowest"``.
    players : int
        Seats to fill.
    where : str
        Name of the text's origin in messages.

    Raises
    ------
    InputError
        With every problem of the text.
    """
    bots = tuple(part.strip() for part in text.split(","))
    if len(bots) not in (1, players):
        message = f"expected one bot, or {players} for {players} players, got {len(bots)}"
        raise refusal(where, message)
    problems = []
    for seat, bot in enumerate(bots):
        fault = _fault(bot)
        if fault:
            problems.append(Problem(where, None, f"seat {seat}" if len(bots) > 1 else None, fault))
    if problems:
        raise input_error(problems)
    return Lineup(bots if len(bots) == players else bots * players)


def _fault(bot: str) -> str | None:
    """Return what is wrong with one seat's bot, None if nothing is."""
    name, colon, parameters = bot.partition(":")
    if "/" in name or name.endswith(".py"):
        message = f"expected a shipped bot ({_names()}), got {printable(name)}"
        return f"{message} – bots of your own cannot be used yet"
    if name not in BOTS:
        return (
            f"expected a bot ({_names()}), got {printable(name) or 'nothing'}{did_you_mean(name, list(BOTS))}"
        )
    if colon:
        return f"expected {name} alone, it takes no parameters, got {printable(parameters) or 'a colon'}"
    return None


def _names() -> str:
    return ", ".join(BOTS)
