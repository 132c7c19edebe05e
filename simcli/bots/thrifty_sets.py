"""The sets of weights that `thrifty` can play by: the usual one, and those tuned for single variants."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcli.bots.thrifty_weights import N_STAGES, WEIGHTS, Weights, table_of, weights_of
from simcli.engine.jit import kernel
from simcli.engine.layout import CLASSIC_RULES, N_RULES, PACK, State, rule_code, rule_slot
from simcli.engine.table import new_table, pack_of
from simcli.rules.variant import Variant


class TunedSet(NamedTuple):
    """Hold weights and the rules that they were tuned for.

    Attributes
    ----------
    name : str
        The shipped variant that has these rules.
    rules : dict of str to value
        The options that differ from `classic`.
    weights : Weights
        The weights.
    """

    name: str
    rules: dict[str, str | int | bool]
    weights: Weights


# sets: begin
TUNED = (
    TunedSet("classic", {}, WEIGHTS),
    TunedSet("podkidnoy", {"transfer.mode": "none"}, WEIGHTS),
    TunedSet("late-transfer", {"transfer.mode": "late"}, WEIGHTS),
    TunedSet("pass-card", {"pass_card.enabled": True}, WEIGHTS),
)
# sets: end

DEFAULT = "default"
#: how a line-up names the sets, in order, and `OWN`
WORDS = (DEFAULT, *(tuned.name for tuned in TUNED), "own")
#: stands for the set that was tuned for the rules being played, the usual one if none was
OWN = WORDS.index("own")

SETS = table_of(WEIGHTS, *(tuned.weights for tuned in TUNED))


def _coded(rules: dict[str, str | int | bool]) -> list[int]:
    """Return all rules as the state holds them, given those that differ from `classic`."""
    codes = list(CLASSIC_RULES)
    for key, value in rules.items():
        codes[rule_slot(key)] = rule_code(key, value)
    return codes


_RULES = np.array([_coded(tuned.rules) for tuned in TUNED], dtype=np.int64)
_PACK = pack_of(36)
_N_TUNED = len(TUNED)


@kernel
def set_of_rules(S: State) -> int:
    """Return the number of the set that was tuned for the rules of a table, 0 if none was."""
    if S[PACK] != _PACK:
        return 0
    for tuned in range(_N_TUNED):
        slot = 0
        while slot < N_RULES and S[slot] == _RULES[tuned, slot]:
            slot += 1
        if slot == N_RULES:
            return 1 + tuned
    return 0


def set_number(chosen: int, variant: Variant) -> int:
    """Return the number of the set that a value of the parameter stands for under a variant."""
    return int(set_of_rules(new_table(variant, variant.players))) if chosen == OWN else chosen


def set_name(chosen: int, variant: Variant) -> str:
    """Return the name of the set that a value of the parameter stands for under a variant."""
    return WORDS[set_number(chosen, variant)]


def weights_of_set(number: int) -> Weights:
    """Return the weights of the set of a number."""
    return weights_of(SETS[N_STAGES * number : N_STAGES * (number + 1)])
