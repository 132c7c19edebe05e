"""No reason if and only if the engine's list of legal actions has the action."""

from __future__ import annotations

import random

import pytest

from simcli.engine.game import Game
from simcli.engine.layout import (
    ATTACK,
    COVER,
    EXCHANGE,
    KEEP,
    N_CARDS,
    PASS,
    PICK_UP,
    SHOW,
    STOP,
    TARGET_SHIFT,
    THROW,
    TRANSFER,
    VERB_SHIFT,
)
from simcli.engine.notation import action_text
from simcli.engine.reasons import LEGAL, N_REASONS, may_open, why_illegal
from simcli.records.expect import legal_of
from simcli.rules.load import variant_from_mapping
from simcli.rules.variant import Variant
from tests.agreement import position_pair
from tests.oracle_variants import random_rules

PLAIN = [verb << VERB_SHIFT for verb in (PICK_UP, PASS, STOP, EXCHANGE, KEEP)]
WITH_A_CARD = [
    verb << VERB_SHIFT | 1 << card for verb in (ATTACK, TRANSFER, SHOW, THROW) for card in range(N_CARDS)
]


def covers(game: Game, rng: random.Random) -> list[int]:
    """Return covers of every card on the table, and of one anywhere, with every card."""
    targets = {card for pair in game.table for card in pair if card is not None} | {rng.randrange(N_CARDS)}
    return [
        COVER << VERB_SHIFT | target << TARGET_SHIFT | 1 << card
        for target in targets
        for card in range(N_CARDS)
        if card != target
    ]


def check_all_seats(game: Game, rng: random.Random) -> set[int]:
    """Compare reasons and legal actions of every seat; return the reasons that were given."""
    actions = PLAIN + WITH_A_CARD + covers(game, rng)
    given = set()
    for seat in range(game.players):
        legal = set(legal_of(game, seat))
        for action in actions:
            reason = int(why_illegal(game.state, seat, action))
            assert 0 <= reason < N_REASONS
            assert (reason == LEGAL) == (action in legal), f"{seat} {action_text(action)}: {reason}"
            given.add(reason)
        assert legal <= set(actions)
    return given


def play_at_random(game: Game, rng: random.Random) -> None:
    """Play any legal action of any seat that may act, a pick-up less often than chance has it."""
    game.ask(rng.choice([seat for seat in range(game.players) if game.askable() >> seat & 1]))
    legal = game.legal()
    if len(legal) > 1 and legal[-1] >> VERB_SHIFT == PICK_UP and rng.random() < 0.6:
        legal = legal[:-1]
    game.play(rng.choice(legal))


@pytest.mark.parametrize("seed", range(8))
def test_no_reason_if_and_only_if_the_action_is_legal(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        rules = random_rules(rng)
        pair = position_pair(rules, rules["players"], rng)
        if pair is None:
            continue
        game = pair.game
        for _ in range(40):
            check_all_seats(game, rng)
            if game.over:
                break
            play_at_random(game, rng)


@pytest.mark.parametrize("seed", range(4))
def test_no_reason_if_and_only_if_the_action_is_legal_in_whole_deals(seed: int) -> None:
    rng = random.Random(1000 + seed)
    rules = random_rules(rng)
    game = Game.deal(variant_from_mapping({**rules, "name": "test"}), rules["players"], seed, 0)
    for _ in range(80):
        check_all_seats(game, rng)
        if game.over:
            break
        play_at_random(game, rng)


def test_asking_for_a_reason_changes_nothing() -> None:
    game = Game.deal(Variant(), 4, 1, 0)
    before = game.state.copy()
    check_all_seats(game, random.Random(1))
    assert (game.state == before).all()


def test_holder_of_the_lowest_trump_alone_may_open() -> None:
    game = Game.deal(Variant(), 4, 1, 0)
    assert [seat for seat in range(4) if may_open(game.state, seat, True, -1)] == [game.opener]


def test_any_seat_may_open_where_it_is_drawn() -> None:
    variant = variant_from_mapping({"name": "test", "opening": {"first": "random"}})
    game = Game.deal(variant, 4, 1, 0)
    assert all(may_open(game.state, seat, True, -1) for seat in range(4))


def test_seat_before_the_loser_may_open_under_attack_loser() -> None:
    variant = variant_from_mapping({"name": "test", "opening": {"later": "attack_loser"}})
    game = Game.deal(variant, 4, 1, 0)
    assert [seat for seat in range(4) if may_open(game.state, seat, False, 0)] == [3]
