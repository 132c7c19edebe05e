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
    trump=(242, 201, 126, 233, 202, 112, 174, 116, 101),
    trump_slope=(21, 38, 35, 95, 51, 5, 38, 23, 25),
    pair=(-44, -19, -2, -2, 5, 7, 3, 3, 0),
    hold=(55, 72, 154, 77, 99, 92, 23, 23, 83),
    turn=(85, 109, 60, 26, 56, 157, 48, 89, 58),
    out=(92, 129, 209, -20, -215, 387, 158, 0, 300),
    risk=(83, 67, 69, 93, 68, 49, 36, 18, 0),
    pick=(66, 115, 133, 106, 192, 124, 80, 128, 250),
    transfer=(49, 25, 84, 18, 79, 39, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(48, 60, 112, 137, 45, 115, 123, 94, 98),
    lead_mates=(8, 40, 11, 57, 52, 3, 0, 5, 4),
    throw=(120, 148, 180, 130, 125, 90, 90, 130, 250),
    throw_next=(-6, 42, 16, 67, -1, 56, 41, 18, 0),
    give=(52, 131, 104, 41, -19, 178, 39, 39, 250),
)

PODKIDNOY = Weights(
    trump=(282, 211, 142, 223, 140, 101, 174, 116, 101),
    trump_slope=(99, 55, 15, 68, 43, 16, 38, 23, 25),
    pair=(2, 4, 5, 2, 2, 8, 3, 3, 0),
    hold=(68, 56, 126, 47, 58, 93, 23, 23, 83),
    turn=(102, 113, 119, 71, 119, 78, 48, 89, 58),
    out=(2, 105, 250, 152, 181, 392, 158, 0, 300),
    risk=(91, 84, 49, 79, 57, 38, 36, 18, 0),
    pick=(82, 137, 97, 117, 124, 147, 80, 128, 250),
    transfer=(48, 39, 50, 33, 77, 20, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(58, 57, -27, -16, 85, 115, 123, 94, 98),
    lead_mates=(-4, 11, 15, -2, 7, -1, 0, 5, 4),
    throw=(140, 110, 122, 76, 140, 117, 90, 130, 250),
    throw_next=(34, 15, 59, 42, 39, 25, 41, 18, 0),
    give=(68, 109, 112, 64, 13, 50, 39, 39, 250),
)

LATE_TRANSFER = Weights(
    trump=(243, 212, 127, 212, 180, 120, 174, 116, 101),
    trump_slope=(73, 56, 32, 124, 50, 10, 38, 23, 25),
    pair=(-18, -9, -8, -5, 13, 10, 3, 3, 0),
    hold=(66, 42, 133, 67, 153, 149, 23, 23, 83),
    turn=(88, 127, 87, 37, 138, 120, 48, 89, 58),
    out=(71, 121, 335, 136, -3, 470, 158, 0, 300),
    risk=(61, 72, 45, 23, 66, 71, 36, 18, 0),
    pick=(85, 160, 134, 84, 149, 183, 80, 128, 250),
    transfer=(59, 17, 89, 32, 97, 3, 45, 39, 50),
    show=(97, 85, 123, 57, 57, 96, 93, 68, 93),
    lead=(2, 92, 124, 54, 50, 149, 123, 94, 98),
    lead_mates=(14, 36, 13, 1, 66, 47, 0, 5, 4),
    throw=(115, 123, 171, 78, 178, 184, 90, 130, 250),
    throw_next=(13, 44, 47, 46, -23, 69, 41, 18, 0),
    give=(107, 131, 139, 18, -35, 187, 39, 39, 250),
)

PASS_CARD = Weights(
    trump=(244, 285, 144, 264, 120, 118, 174, 116, 101),
    trump_slope=(6, 64, 21, 54, 87, 9, 38, 23, 25),
    pair=(-46, -25, 5, -12, -10, 6, 3, 3, 0),
    hold=(54, 151, 191, 59, 114, 189, 23, 23, 83),
    turn=(45, 70, 55, 12, 59, 82, 48, 89, 58),
    out=(73, 125, 209, -153, 10, 322, 158, 0, 300),
    risk=(60, 119, 62, 44, 53, 57, 36, 18, 0),
    pick=(62, 151, 107, 106, 120, 164, 80, 128, 250),
    transfer=(99, 90, 67, 30, 62, 13, 45, 39, 50),
    show=(25, 23, 119, 30, 80, 12, 93, 68, 93),
    lead=(91, 91, 130, -15, 13, 126, 123, 94, 98),
    lead_mates=(22, 28, 18, 10, 32, 16, 0, 5, 4),
    throw=(126, 121, 181, 86, 165, 92, 90, 130, 250),
    throw_next=(24, -5, 31, 132, -2, 62, 41, 18, 0),
    give=(17, 123, 112, 53, 84, 157, 39, 39, 250),
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
