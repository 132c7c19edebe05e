"""What a plain own bot is handed: what its seat knows, the rules, and chance of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from random import Random
from types import MappingProxyType

import numpy as np

from simcli.engine.bits import mix, step_stream
from simcli.engine.game import Pairs
from simcli.engine.layout import ACTOR, BOT_STREAM, N_RULES, PACK, PARTNERS, RULE_KEYS, State
from simcli.engine.notation import cards_in
from simcli.observation import Observation, seen_of
from simcli.rules.variant import RULE_OPTIONS

Rules = Mapping[str, str | int | bool]


@dataclass(frozen=True)
class View(Observation):
    """Hold what the seat that is asked knows (`simcli.observation.Observation`), and a little more.

    Attributes
    ----------
    rules : mapping
        The value of every option of the variant by its dotted key, such as ``"transfer.mode"``.
    deck : int
        Cards in the pack.
    partners : tuple of int
        The seats of its team, its own included; without teams its own alone.
    """

    rules: Rules
    deck: int
    partners: tuple[int, ...]
    _word: int = field(repr=False)

    @cached_property
    def rng(self) -> Random:
        """Chance: the same numbers for the same seed, deal, seat and decision, whoever plays it where."""
        return Random(self._word)


def view_of(state: State, table: Pairs, legal: tuple[str, ...]) -> View:
    """Return the view of the seat that is asked.

    Its random stream moves on by one word, whether the bot uses chance or not.
    """
    seat = int(state[ACTOR])
    stream = step_stream(int(state[BOT_STREAM + seat]))
    state[BOT_STREAM + seat] = stream
    return View(
        **seen_of(state, table, seat, legal),
        rules=_rules_of(state[:N_RULES].tobytes()),
        deck=int(state[PACK]).bit_count(),
        partners=_seats_of(int(state[PARTNERS + seat])),
        _word=int(mix(stream)),
    )


@cache
def _seats_of(mask: int) -> tuple[int, ...]:
    return tuple(cards_in(mask))


@lru_cache(64)
def _rules_of(slots: bytes) -> Rules:
    codes = np.frombuffer(slots, dtype=np.int64).tolist()
    values: dict[str, str | int | bool] = {}
    for key, option, code in zip(RULE_KEYS, RULE_OPTIONS, codes, strict=True):
        values[key] = code if option.values is None else option.values[code]
    return MappingProxyType(values)
