"""The record of a deal, ``durak-record/1``: everything needed to follow it card by card (docs/formats.md)."""

from __future__ import annotations

import json
from typing import Any

from simcli.bots.own.decide import Misplay
from simcli.bots.own.play import decide_seen
from simcli.engine.game import Event, Game
from simcli.engine.notation import CARD_WORDS, action_text, card_words, parse_card, parse_cards
from simcli.rules.canonical import resolved
from simcli.rules.load import variant_from_mapping
from simcli.runs import plan as runs

FORMAT = "durak-record/1"

Record = dict[str, Any]
"""One JSON object, keys in the order of docs/formats.md."""


def record_deal(
    game: Game, run: runs.Match, deal: int, previous: Event | None, legal: bool = False
) -> Record:
    """Let the bots play a deal to its end and return its record.

    Parameters
    ----------
    game : Game
        The deal, just dealt, its bots seated.
    run : simcli.runs.plan.Match
        What is played.
    deal : int
        Index of the deal.
    previous : dict or None
        How the session's deal before ended (`Game.summary`); None for its first.
    legal : bool
        Whether each decision lists its legal actions.

    Raises
    ------
    Misplay
        An own bot did what it must not; it carries the record up to there.
    """
    play = _play_with_legal if legal else Game.play_move
    try:
        while not game.over:
            play(game, decide_seen(game.state, game.table))
    except Misplay as misplay:
        broken = misplay.in_deal(deal)
        broken.record = {**_beginning(game, run, deal, previous), "events": game.events, **_end(game)}
        raise broken from None
    return {**_beginning(game, run, deal, previous), "events": game.events, **_end(game)}


def _play_with_legal(game: Game, move: int) -> None:
    for action in game.actions_of(move):
        legal = [action_text(each) for each in game.legal()]
        game.play(action)[0]["legal"] = legal


def _beginning(game: Game, run: runs.Match, deal: int, previous: Event | None) -> Record:
    assert game.trump_card is not None
    return {
        "format": FORMAT,
        "variant": resolved(run.variant),
        "players": game.players,
        "bots": list(run.lineup.bots),
        "seed": run.seed,
        "deal": deal,
        "session": deal // run.session,
        "deal_in_session": deal % run.session,
        "previous": previous,
        "dealer": game.dealer,
        "trump": CARD_WORDS[game.trump_card],
        "hands": [card_words(hand) for hand in game.hands_dealt],
        "stock": [CARD_WORDS[card] for card in game.stock_dealt],
        "opener": game.opener,
    }


def _end(game: Game) -> Record:
    return {"result": game.result, "loser": game.loser, "places": game.places}


def record_line(record: Record) -> str:
    """Return a record as one line of JSON."""
    return json.dumps(record)


def game_of(record: Record) -> Game:
    """Return the deal of a record, dealt and not yet played.

    The record is taken to be well formed.
    """
    return Game.dealt(
        variant_from_mapping(record["variant"]),
        [parse_cards(hand) for hand in record["hands"]],
        [parse_card(card) for card in record["stock"]],
        parse_card(record["trump"]),
        record["dealer"],
        record["opener"],
    )
