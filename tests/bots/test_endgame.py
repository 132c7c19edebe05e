"""`endgame` plays as `counting` until two are left without stock, and then what wins."""

from __future__ import annotations

import pytest

from simcli.bots.decide import decide
from simcli.bots.lineup import read_bot, seat_bot
from simcli.bots.search import is_open_ending
from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.layout import ACTOR, PH_OVER, PHASE, State
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from tests.bots.positions import after, position, turn_of


def choice(state: State, bot: str) -> int:
    """Return what a bot would do for the asked seat; the state is not changed."""
    asked = state.copy()
    seat_bot(asked, int(asked[ACTOR]), read_bot(bot))
    return decide(asked)


@pytest.mark.parametrize("players", [2, 4])
def test_endgame_plays_as_counting_until_nothing_is_hidden(players: int) -> None:
    variant = seat(load_variant("classic"), players)
    n_open = 0
    for deal in range(5):
        state = Game.deal(variant, players, seed=2, deal=deal).state
        while state[PHASE] != PH_OVER:
            move = choice(state, "counting")
            if is_open_ending(state):
                n_open += 1
                choice(state, "endgame:100")
            else:
                assert choice(state, "endgame:100") == move
            apply_move(state, move)
    assert n_open > 0


def test_endgame_keeps_the_pair_for_the_lead_that_ends_it() -> None:
    # the ace cannot be beaten and the pair of sixes goes out together
    game = position("6C 6D AH", "7C 8D KH")
    assert turn_of("endgame", game) == ["attack AH"]
    game = after(game, "attack AH", "pick_up")
    assert turn_of("endgame", game)[0] in ("attack 6C", "attack 6D")


def test_endgame_takes_a_draw_rather_than_lose() -> None:
    # 7C covers the last card of the other: both are out; a pick-up would lose
    game = after(position("6C", "7C"), "attack 6C")
    assert turn_of("endgame", game) == ["cover 6C 7C"]


def test_endgame_does_the_same_on_every_call() -> None:
    game = position("6C 7D 9S KS 6H", "7C 8D 10S AS JD")
    assert len({choice(game.state, "endgame:5000") for _ in range(3)}) == 1
