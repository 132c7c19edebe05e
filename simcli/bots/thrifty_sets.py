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


# what `simcli bots tune` found for each of them (docs/bots.md)
CLASSIC = Weights(
    trump=(200, 193, 101, 193, 109, 97, 174, 116, 101),
    trump_slope=(8, 36, 25, 64, 23, 22, 38, 23, 25),
    pair=(2, 4, 5, 2, 2, 8, 3, 3, 0),
    hold=(23, 18, 83, 17, 47, 85, 23, 23, 83),
    turn=(60, 65, 58, 32, 83, 68, 48, 89, 58),
    out=(169, 119, 300, 100, 0, 408, 158, 0, 300),
    risk=(36, 24, 26, 25, 18, 37, 36, 18, 0),
    pick=(80, 166, 99, 105, 115, 126, 80, 128, 250),
    transfer=(48, 39, 50, 33, 77, 20, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(126, 104, 98, 174, 75, 61, 123, 94, 98),
    lead_mates=(12, 18, 1, 8, 18, 0, 0, 5, 4),
    throw=(90, 113, 110, 72, 126, 110, 90, 130, 250),
    throw_next=(51, 18, 32, 47, 13, 29, 41, 18, 0),
    give=(39, 41, 107, 39, 39, 143, 39, 39, 250),
)

PODKIDNOY = Weights(
    trump=(200, 193, 101, 193, 109, 97, 174, 116, 101),
    trump_slope=(8, 36, 25, 64, 23, 22, 38, 23, 25),
    pair=(2, 4, 5, 2, 2, 8, 3, 3, 0),
    hold=(23, 18, 83, 17, 47, 85, 23, 23, 83),
    turn=(60, 65, 58, 32, 83, 68, 48, 89, 58),
    out=(169, 119, 300, 100, 0, 408, 158, 0, 300),
    risk=(36, 24, 26, 25, 18, 37, 36, 18, 0),
    pick=(80, 166, 99, 105, 115, 126, 80, 128, 250),
    transfer=(48, 39, 50, 33, 77, 20, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(126, 104, 98, 174, 75, 61, 123, 94, 98),
    lead_mates=(12, 18, 1, 8, 18, 0, 0, 5, 4),
    throw=(90, 113, 110, 72, 126, 110, 90, 130, 250),
    throw_next=(51, 18, 32, 47, 13, 29, 41, 18, 0),
    give=(39, 41, 107, 39, 39, 143, 39, 39, 250),
)

LATE_TRANSFER = Weights(
    trump=(200, 193, 101, 193, 109, 97, 174, 116, 101),
    trump_slope=(8, 36, 25, 64, 23, 22, 38, 23, 25),
    pair=(2, 4, 5, 2, 2, 8, 3, 3, 0),
    hold=(23, 18, 83, 17, 47, 85, 23, 23, 83),
    turn=(60, 65, 58, 32, 83, 68, 48, 89, 58),
    out=(169, 119, 300, 100, 0, 408, 158, 0, 300),
    risk=(36, 24, 26, 25, 18, 37, 36, 18, 0),
    pick=(80, 166, 99, 105, 115, 126, 80, 128, 250),
    transfer=(48, 39, 50, 33, 77, 20, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(126, 104, 98, 174, 75, 61, 123, 94, 98),
    lead_mates=(12, 18, 1, 8, 18, 0, 0, 5, 4),
    throw=(90, 113, 110, 72, 126, 110, 90, 130, 250),
    throw_next=(51, 18, 32, 47, 13, 29, 41, 18, 0),
    give=(39, 41, 107, 39, 39, 143, 39, 39, 250),
)

PASS_CARD = Weights(
    trump=(200, 193, 101, 193, 109, 97, 174, 116, 101),
    trump_slope=(8, 36, 25, 64, 23, 22, 38, 23, 25),
    pair=(2, 4, 5, 2, 2, 8, 3, 3, 0),
    hold=(23, 18, 83, 17, 47, 85, 23, 23, 83),
    turn=(60, 65, 58, 32, 83, 68, 48, 89, 58),
    out=(169, 119, 300, 100, 0, 408, 158, 0, 300),
    risk=(36, 24, 26, 25, 18, 37, 36, 18, 0),
    pick=(80, 166, 99, 105, 115, 126, 80, 128, 250),
    transfer=(48, 39, 50, 33, 77, 20, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(126, 104, 98, 174, 75, 61, 123, 94, 98),
    lead_mates=(12, 18, 1, 8, 18, 0, 0, 5, 4),
    throw=(90, 113, 110, 72, 126, 110, 90, 130, 250),
    throw_next=(51, 18, 32, 47, 13, 29, 41, 18, 0),
    give=(39, 41, 107, 39, 39, 143, 39, 39, 250),
)

TUNED = (
    TunedSet("classic", {}, CLASSIC),
    TunedSet("podkidnoy", {"transfer.mode": "none"}, PODKIDNOY),
    TunedSet("late-transfer", {"transfer.mode": "late"}, LATE_TRANSFER),
    TunedSet("pass-card", {"pass_card.enabled": True}, PASS_CARD),
)

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
