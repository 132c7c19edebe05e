"""Set a table for a variant: the state before anything is dealt."""

from __future__ import annotations

import numpy as np

from simcli.engine.jit import kernel
from simcli.engine.layout import (
    ALL_CARDS,
    N_CARDS,
    PACK,
    PLAYERS,
    RULE_KEYS,
    STATE_SIZE,
    State,
    rule_code,
)
from simcli.engine.legal import set_partners
from simcli.engine.triggers import watch_rules
from simcli.rules.variant import Variant, option_value


def pack_of(n_cards: int) -> int:
    """Return the set of all cards of a pack of 24, 36 or 52: the highest ranks up to the ace."""
    return ALL_CARDS ^ ((1 << (N_CARDS - n_cards)) - 1)


@kernel
def prepare_table(S: State) -> None:
    """Seat the teams and watch the options that differ from `classic`."""
    set_partners(S)
    watch_rules(S)


def new_table(variant: Variant, players: int) -> State:
    """Return the state of a table that plays a variant, before the first deal.

    Parameters
    ----------
    variant : Variant
        A variant that can seat the players.
    players : int
        Number of seats, 2 to 6.

    Returns
    -------
    State
        int64 array of shape (STATE_SIZE,), the rules filled in, everything else 0.
    """
    state = np.zeros(STATE_SIZE, dtype=np.int64)
    for slot, key in enumerate(RULE_KEYS):
        state[slot] = rule_code(key, option_value(variant, key))
    state[PLAYERS] = players
    state[PACK] = pack_of(variant.deck)
    prepare_table(state)
    return state
