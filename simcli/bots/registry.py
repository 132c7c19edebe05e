"""The shipped bots by name: the one place where a bot gets its number, its parameters and its description."""

from __future__ import annotations

from dataclasses import dataclass

from simcli.bots import counting, endgame, lowest, montecarlo, random, thrifty
from simcli.bots.choose import COUNTING, ENDGAME, FIRST_DEEP, LOWEST, MONTECARLO, RANDOM, THRIFTY
from simcli.bots.parameters import Parameter
from simcli.engine.layout import N_BOT_PARAMS


@dataclass(frozen=True)
class BotEntry:
    """Describe a shipped bot.

    Attributes
    ----------
    name : str
        Its name in a line-up.
    code : int
        Its number in `choose` or, from `FIRST_DEEP` on, in `choose_deep`.
    description : str
        How it plays, in a sentence or two.
    signature_deals : int
        Deals of each of its lines in the behaviour signature; fewer for a bot that takes its time.
    parameters : tuple of Parameter
        What it can be set to, in the order of its slots in the state; the one that may be bare comes first.
    signature_text : str
        How it is written for the behaviour signature; empty: by its name alone.
    """

    name: str
    code: int
    description: str
    signature_deals: int = 1000
    parameters: tuple[Parameter, ...] = ()
    signature_text: str = ""

    def __post_init__(self) -> None:
        assert len(self.parameters) <= N_BOT_PARAMS
        assert not any(each.is_bare for each in self.parameters[1:])

    @property
    def looks_ahead(self) -> bool:
        """Return whether it plays positions on before it decides, which takes a work array."""
        return self.code >= FIRST_DEEP


BOTS: dict[str, BotEntry] = {
    entry.name: entry
    for entry in (
        BotEntry("random", RANDOM, random.DESCRIPTION),
        BotEntry("lowest", LOWEST, lowest.DESCRIPTION),
        BotEntry("thrifty", THRIFTY, thrifty.DESCRIPTION, parameters=thrifty.PARAMETERS),
        BotEntry("counting", COUNTING, counting.DESCRIPTION),
        BotEntry(
            "endgame",
            ENDGAME,
            endgame.DESCRIPTION,
            signature_deals=20,
            parameters=endgame.PARAMETERS,
            signature_text="endgame:1000",
        ),
        BotEntry(
            "montecarlo",
            MONTECARLO,
            montecarlo.DESCRIPTION,
            signature_deals=20,
            parameters=montecarlo.PARAMETERS,
            signature_text="montecarlo:4:depth=1",
        ),
    )
}
