"""The state keeps what everybody saw of the last bouts, and who drew the exposed trump."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from simcli.engine.game import Game
from simcli.engine.layout import (
    BOUT_LIMIT,
    BOUTS,
    DEFENDER,
    DREW,
    ELIGIBLE,
    EXPOSED_HOLDER,
    HAND,
    LIMIT,
    N_ATTACKS,
    N_CARDS,
    NOBODY,
    PICK_UP,
    R_ON_PICKUP,
    RECALLED_BOUTS,
    SEEN_FACED,
    SEEN_RANKS,
    SEEN_STOCK,
    STOCK_NEXT,
    UNCOVERED,
    State,
)
from simcli.engine.notation import verb_number
from simcli.rules.load import load_variant

TABLES = [("classic", 2), ("classic", 4), ("regular", 3), ("neighbours-only", 5)]


def played(name: str, players: int, deal: int) -> Iterator[tuple[State, int, Game]]:
    """Play a deal at random; yield the state before each action, the action, and the game after it."""
    chance = Random(deal)
    game = Game.deal(load_variant(name), players, 1, deal)
    while not game.over:
        before = game.state.copy()
        action = chance.choice(game.legal())
        game.play(action)
        yield before, action, game


def ranks_of(cards: list[int]) -> int:
    """Return all cards of the ranks of some cards."""
    return sum(15 << 4 * rank for rank in {card // 4 for card in cards})


def limit_of(before: State) -> int:
    """Return the limit of a bout that the next action closes, fixed already or by this action."""
    n_covered = int(before[N_ATTACKS]) - int(before[UNCOVERED]).bit_count()
    hand = int(before[HAND + before[DEFENDER]]).bit_count()
    return int(before[LIMIT]) or min(int(before[BOUT_LIMIT]), n_covered + hand)


@pytest.mark.parametrize("name, players", TABLES)
@pytest.mark.parametrize("deal", range(3))
def test_what_everybody_saw_of_a_closed_bout_is_kept(name: str, players: int, deal: int) -> None:
    faced = 0
    for before, action, game in played(name, players, deal):
        state = game.state
        if verb_number(action) == PICK_UP:
            faced = int(before[UNCOVERED])
        if state[BOUTS] == before[BOUTS]:
            continue
        entry = int(before[BOUTS]) % RECALLED_BOUTS
        attacks = [attack for attack, _ in game.closed_table]
        covers = [cover for _, cover in game.closed_table if cover is not None]
        taken = game.last_bout == "taken"
        might_throw = len(attacks) < limit_of(before) and (not taken or before[R_ON_PICKUP] != 0)
        throwers = int(before[ELIGIBLE]) << N_CARDS if might_throw else 0
        assert state[SEEN_RANKS + entry] == ranks_of(attacks + covers) | throwers
        assert state[SEEN_FACED + entry] == (faced | (int(before[DEFENDER]) << N_CARDS) if taken else 0)
        assert state[SEEN_STOCK + entry] == before[STOCK_NEXT]


@pytest.mark.parametrize("name, players", TABLES)
def test_who_drew_the_exposed_trump_is_kept_from_then_on(name: str, players: int) -> None:
    holder = NOBODY
    for before, _, game in played(name, players, 7):
        exposed = 1 << (game.trump_card or 0)
        if game.state[BOUTS] != before[BOUTS] and game.n_stock == 0 and holder == NOBODY:
            (holder,) = (seat for seat in range(players) if int(game.state[DREW + seat]) & exposed)
        assert game.state[EXPOSED_HOLDER] == holder
    assert holder != NOBODY
