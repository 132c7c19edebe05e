"""`montecarlo`: legal everywhere, the same one decision at a time, and in samples that fit what is known."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from simcli.bots.batch import N_COLUMNS, Rows, play_batch, write_row
from simcli.bots.candidates import list_candidates
from simcli.bots.decide import decide
from simcli.bots.lineup import Lineup, parse_lineup, read_bot, seat_bot
from simcli.bots.montecarlo import DROP, PREFER, is_behind, word_of, words_of
from simcli.bots.own.twins import drawing_order, exposed_trump
from simcli.bots.sampling import begin_position, lay_out, list_unseen, stream_of_decision, weigh_evidence
from simcli.bots.work import (
    MAX_CANDIDATES,
    PLAYOUTS_PER_WORD,
    W_DOUBTED,
    W_MOVES,
    W_OWN,
    WORK_SIZE,
    work_array,
)
from simcli.engine.apply import apply_move
from simcli.engine.game import Game
from simcli.engine.jit import JIT_ENABLED
from simcli.engine.layout import (
    ACTOR,
    DECISIONS,
    DISCARD,
    HAND,
    KNOWN,
    MAX_PLAYERS,
    N_CARDS,
    PACK,
    PH_EXCHANGE,
    PH_LEAD,
    PH_OVER,
    PH_RESPOND,
    PHASE,
    PICK_UP,
    SEEN_RANKS,
    STATE_SIZE,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TABLE,
    VERB_SHIFT,
    State,
)
from simcli.engine.notation import mask_of, parse_card, parse_cards
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from simcli.rules.variant import seat
from simcli.runs.plan import Match
from simcli.runs.play import table_of
from tests.bots.test_hidden_information import table_sizes

FEW = "montecarlo:4"
DEALS = 2 if JIT_ENABLED else 1


def position(*hands: str, stock: str = "", trump: str = "D", variant: str = "classic") -> Game:
    """Return a position that seat 0 is about to lead, `montecarlo` at its default at every seat."""
    cards = [parse_cards(hand.split()) for hand in hands]
    game = Game.position(
        seat(load_variant(variant), len(hands)),
        cards,
        [parse_card(word) for word in stock.split()],
        "CDHS".index(trump),
        0,
        seed=1,
    )
    for place in range(len(hands)):
        seat_bot(game.state, place, read_bot("montecarlo"))
    return game


def turn(game: Game) -> list[str]:
    """Let the bot of the asked seat move; return its actions."""
    return [event["do"] for event in game.play_move(decide(game.state)) if "do" in event]


# ---------------------------------------------------------------------------------- play


@pytest.mark.parametrize("name", shipped_names())
def test_every_move_is_legal_action_by_action(name: str) -> None:
    for players in table_sizes(load_variant(name)):
        variant = seat(load_variant(name), players)
        lineup = Lineup((FEW,) * players)
        for deal in range(DEALS):
            game = Game.deal(variant, players, 3, deal, bots=lineup.slots)
            while not game.over:
                game.play_move(decide(game.state))  # refuses an illegal action


@pytest.mark.parametrize("text", ["montecarlo:8", "montecarlo:8,thrifty,random"])
def test_a_batch_plays_what_single_decisions_play(text: str) -> None:
    variant = seat(load_variant("simultaneous"), 3)
    game = Match(variant, parse_lineup(text, 3), seed=7, session=2)
    batch: Rows = np.zeros((N_COLUMNS, 4), dtype=np.uint16)
    play_batch(table_of(game), game.seed, 0, game.session, batch)
    rows = np.zeros_like(batch)
    previous = None
    for deal in range(batch.shape[1]):
        single = Game.deal(
            variant, 3, 7, deal, previous=previous if deal % 2 else None, bots=game.lineup.slots
        )
        # whatever was left there, but for the stamp of the search behind it, which only grows
        work_array()[:W_OWN] = random.Random(deal).getrandbits(62)
        while not single.over:
            single.play_move(decide(single.state))
        write_row(single.state, rows, deal)
        previous = single.summary()
    assert (batch == rows).all()


def test_a_decision_changes_nothing_in_the_state() -> None:
    state = Game.deal(load_variant("classic"), 4, 1, 5, bots=Lineup((FEW,) * 4).slots).state
    before = state.copy()
    first = decide(state)
    assert (state == before).all()
    assert decide(state) == first


def test_the_deals_are_those_of_every_other_line_up() -> None:
    packs = []
    for text in (FEW, "lowest"):
        game = Match(seat(load_variant("classic"), 3), parse_lineup(text, 3), seed=3, session=1)
        rows: Rows = np.zeros((N_COLUMNS, 5), dtype=np.uint16)
        play_batch(table_of(game), game.seed, 0, 1, rows)
        packs.append([Game.deal(game.variant, 3, 3, deal, bots=game.lineup.slots).hands for deal in range(5)])
    assert packs[0] == packs[1]


# ---------------------------------------------------------------------------------- judgement


def test_it_covers_with_its_last_card_and_is_out() -> None:
    game = position("6C 7H", "8C", "9S KS")
    game.play(next(action for action in game.legal()))
    assert game.to_act == 1
    assert turn(game) == ["cover 6C 8C"]


def test_it_does_not_lose_what_it_can_win_for_sure() -> None:
    """Seat 0 holds two aces that cannot be beaten and a low card, and leads again after a pick-up."""
    game = position("AH AS 6C", "7C 8C 9C KC")
    while not game.over:
        turn(game)
    assert game.loser == 1


# ---------------------------------------------------------------------------------- candidates


@pytest.mark.parametrize("name", shipped_names())
def test_candidates_are_legal_differ_and_begin_with_the_usual_move(name: str) -> None:
    work = work_array()
    rng = random.Random(name)
    for players in table_sizes(load_variant(name))[:: 1 if JIT_ENABLED else 3]:
        game = Game.deal(load_variant(name), players, 5, 1, bots=Lineup(("thrifty",) * players).slots)
        while not game.over:
            usual = decide(game.state)
            n = int(list_candidates(game.state, work, usual))
            moves = [int(move) for move in work[W_MOVES : W_MOVES + n]]
            assert moves[0] == usual
            assert len(set(moves)) == n <= MAX_CANDIDATES
            assert n > 1 or game.phase in (PH_EXCHANGE, PH_RESPOND, PH_LEAD)
            for move in moves:
                game.clone().play_move(move)  # refuses an illegal action
            game.play_move(rng.choice(moves))


# ---------------------------------------------------------------------------------- samples


def samples(state: State, n: int) -> list[State]:
    """Return some positions that the asked seat may be in."""
    viewer = int(state[ACTOR])
    laid_out = np.zeros(STATE_SIZE, dtype=np.int64)
    work = np.zeros(WORK_SIZE, dtype=np.int64)
    begin_position(state, laid_out)
    n_unseen = list_unseen(state, work, viewer)
    weigh_evidence(state, work)
    stream = stream_of_decision(state, viewer)
    found = []
    for _ in range(n):
        stream = lay_out(state, laid_out, work, viewer, n_unseen, stream)
        found.append(laid_out.copy())
    return found


@pytest.mark.parametrize("name", ["classic", "trump-six-exchange", "pass-card", "full-pack", "partners"])
def test_samples_fit_all_that_the_seat_knows(name: str) -> None:
    rng = random.Random(name)
    for players in table_sizes(load_variant(name)):
        lineup = Lineup(tuple(rng.choices(["random", "lowest", "thrifty"], k=players)))
        state = Game.deal(load_variant(name), players, 9, 3, bots=lineup.slots).state
        while state[PHASE] != PH_OVER:
            for sample in samples(state, 2):
                check_sample(state, sample, players)
            apply_move(state, decide(state))


def check_sample(state: State, sample: State, players: int) -> None:
    """Compare a sample with what the asked seat knows of the position."""
    viewer = int(state[ACTOR])
    exposed = exposed_trump(state)
    hands = [int(hand) for hand in sample[HAND : HAND + players]]
    assert hands[viewer] == state[HAND + viewer]
    for other in range(players):
        held = int(state[HAND + other])
        assert hands[other].bit_count() == held.bit_count()
        known = int(state[KNOWN + other]) | exposed.get(other, 0)
        assert hands[other] & known & held == known & held
    first, size = int(state[STOCK_NEXT]), int(state[STOCK_SIZE])
    stock = drawing_order(sample)
    if first < size:
        last = int(state[STOCK + size] ^ state[STOCK + size - 1])
        assert int(sample[STOCK + size] ^ sample[STOCK + size - 1]) == last
        stock.append(last.bit_length() - 1)
    assert len(stock) == size - first
    everywhere = [*hands, mask_of(stock), int(state[TABLE]), int(state[DISCARD])]
    assert sum(everywhere) == np.bitwise_or.reduce(everywhere) == state[PACK]


def test_each_unseen_card_lies_everywhere_about_equally_often() -> None:
    """In 400 samples of a first decision a card lies in a given hand in 6 of 29, within six errors."""
    state = Game.deal(load_variant("classic"), 4, 1, 0).state
    viewer = int(state[ACTOR])
    counts = Counter[tuple[int, int]]()
    for sample in samples(state, 400):
        for other in range(4):
            for card in range(N_CARDS):
                counts[other, card] += int(sample[HAND + other]) >> card & 1
    unseen = [card for card in range(16, N_CARDS) if not counts[viewer, card] and counts.total()]
    held = [counts[other, card] for other in range(4) if other != viewer for card in unseen]
    share = 6 / 29
    error = (400 * share * (1 - share)) ** 0.5
    assert all(abs(count - 400 * share) < 6 * error for count in held if count)


def test_samples_of_other_decisions_and_seeds_differ() -> None:
    state = Game.deal(load_variant("classic"), 4, 1, 0).state
    other = state.copy()
    other[DECISIONS] += 1
    first, second = samples(state, 1)[0], samples(other, 1)[0]
    assert (first[HAND : HAND + MAX_PLAYERS] != second[HAND : HAND + MAX_PLAYERS]).any()


def test_a_seat_that_picked_up_a_single_attack_hardly_holds_what_beats_it() -> None:
    game = position("9C 6H KH", "10H JH QS", "7S 8S 9S", stock="")
    game.play_move(decide_as("lowest", game))
    if game.to_act == 1:
        game.play(PICK_UP << VERB_SHIFT)
    while game.to_act is not None and game.leader is None:
        game.play_move(decide_as("lowest", game))
    work = np.zeros(WORK_SIZE, dtype=np.int64)
    weigh_evidence(game.state, work)
    faced = game.closed_table[0][0]
    higher = sum(1 << card for card in range(faced + 4, N_CARDS, 4))
    assert int(work[W_DOUBTED + 1]) & higher == higher
    assert int(work[W_DOUBTED + 1]) & ~(game.state[SEEN_RANKS] | higher) == 0


def decide_as(bot: str, game: Game) -> int:
    """Return what a bot would do for the asked seat."""
    asked = game.state.copy()
    seat_bot(asked, int(asked[ACTOR]), read_bot(bot))
    return decide(asked)


# ---------------------------------------------------------------------------------- statistics


@pytest.mark.parametrize("seed", range(20))
def test_being_behind_is_mcnemars_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    first, second = rng.random((2, 192)) < [[0.35], [0.2]]
    work = np.zeros(WORK_SIZE, dtype=np.int64)
    for candidate, failed in enumerate((first, second)):
        for i, bit in enumerate(failed):
            work[word_of(candidate, i // PLAYOUTS_PER_WORD)] |= int(bit) << i % PLAYOUTS_PER_WORD
    more, fewer = int((first & ~second).sum()), int((second & ~first).sum())
    for least in (PREFER, DROP):
        errors = (more - fewer) / max(1, more + fewer) ** 0.5
        assert is_behind(work, 0, 1, words_of(192), least) == (errors > 0 and errors**2 >= least / 16)
