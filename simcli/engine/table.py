"""Set a table for a variant: the state before anything is dealt."""

from __future__ import annotations

import numpy as np

from simcli.engine.layout import (
    ALL_CARDS,
    MAX_PLAYERS,
    N_CARDS,
    PACK,
    PARTNERS,
    PLAYERS,
    R_TEAMS,
    RULE_KEYS,
    STATE_SIZE,
    TEAMS_NONE,
    State,
    rule_code,
)
from simcli.rules.variant import Variant, option_value


def pack_of(n_cards: int) -> int:
    """Return the set of all cards of a pack of 24, 36 or 52: the highest ranks up to the ace."""
    return ALL_CARDS ^ ((1 << (N_CARDS - n_cards)) - 1)


def team_of(seat: int, n_teams: int) -> int:
    """Return the team of a seat: seats alternate between the teams (docs/rules.md 6)."""
    return seat % n_teams


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
    n_teams = players if state[R_TEAMS] == TEAMS_NONE else int(variant.teams)
    for seat in range(MAX_PLAYERS):
        if seat < players:
            mates = [s for s in range(players) if team_of(s, n_teams) == team_of(seat, n_teams)]
            state[PARTNERS + seat] = sum(1 << s for s in mates)
    return state
