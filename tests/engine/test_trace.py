"""The trace tells apart whatever was played otherwise (docs/formats.md, `trace`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from simcli.engine.game import Game
from simcli.engine.layout import TRACE
from simcli.engine.notation import action_text
from tests.engine.positions import position


def lines(game: Game, depth: int, played: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield every sequence of up to `depth` recorded actions with its trace."""
    yield played, int(game.state[TRACE])
    if depth == 0 or game.over:
        return
    for action in list(game.legal()):
        seat = game.to_act
        game.play(action)
        yield from lines(game, depth - 1, (*played, f"{seat} {action_text(action)}"))
        game.undo()


TABLES = {
    "transfers, shows and last rounds": position(
        "9C 9D 6C", "9S KC QD", "KD 6D 7C", pass_card={"enabled": True}, throw_in={"window": "from_lead"}
    ),
    "exchanges": position("6S 7C 7D", "8C 8D 6C", stock="AC KC 9S", trump_exchange="lowest"),
}


@pytest.mark.parametrize("game", TABLES.values(), ids=TABLES)
def test_no_two_sequences_of_actions_have_one_trace(game: Game) -> None:
    by_trace: dict[int, tuple[str, ...]] = {}
    for played, trace in lines(game, 6):
        assert by_trace.setdefault(trace, played) == played


def test_every_kind_of_action_is_traced() -> None:
    verbs = {
        action.split()[1] for game in TABLES.values() for played, _ in lines(game, 5) for action in played
    }
    assert verbs == {
        "attack",
        "transfer",
        "show",
        "cover",
        "throw",
        "pick_up",
        "pass",
        "stop",
        "exchange",
        "keep",
    }
