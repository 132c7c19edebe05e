"""The shipped bots by name: the one place where a bot gets its number and its description."""

from __future__ import annotations

from dataclasses import dataclass

from simcli.bots import lowest, random, thrifty
from simcli.bots.choose import LOWEST, RANDOM, THRIFTY


@dataclass(frozen=True)
class BotEntry:
    """Describe a shipped bot.

    Attributes
    ----------
    name : str
        Its name in a line-up.
    code : int
        Its number in `choose`.
    description : str
        How it plays, in a sentence or two.
    signature_deals : int
        Deals of each of its lines in the behaviour signature; fewer for a bot that takes its time.
    """

    name: str
    code: int
    description: str
    signature_deals: int = 1000


BOTS: dict[str, BotEntry] = {
    entry.name: entry
    for entry in (
        BotEntry("random", RANDOM, random.DESCRIPTION),
        BotEntry("lowest", LOWEST, lowest.DESCRIPTION),
        BotEntry("thrifty", THRIFTY, thrifty.DESCRIPTION),
    )
}
