"""Play the engine against the oracle: the same deal, action by action, everything compared at every step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simcli.bots.choose import LOWEST, RANDOM, choose_move
from simcli.engine.game import Game, split_turn
from simcli.engine.layout import (
    BOUTS,
    CARDS_PICKED_UP,
    CARDS_PLAYED,
    DECISIONS,
    LARGEST_HAND,
    N_COVERS,
    N_LATE_TRANSFERS,
    N_PICKUPS,
    N_SHOWS,
    N_THROW_INS,
    N_TRANSFERS,
    PACK,
    SHUFFLE,
    STOP,
    TRUMPS,
    VERB_SHIFT,
    WHOLE_TURN,
)
from simcli.engine.notation import CARD_WORDS, action_text, parse_action
from simcli.rules.load import variant_from_mapping
from simcli.rules.variant import Variant
from tests.oracle import Deal, Rules, next_dealer

BIT = {word: 1 << card for card, word in enumerate(CARD_WORDS)}

COUNTERS = {
    "bouts": BOUTS,
    "decisions": DECISIONS,
    "cards_played": CARDS_PLAYED,
    "transfers": N_TRANSFERS,
    "late_transfers": N_LATE_TRANSFERS,
    "shows": N_SHOWS,
    "throw_ins": N_THROW_INS,
    "covers": N_COVERS,
    "pickups": N_PICKUPS,
    "cards_picked_up": CARDS_PICKED_UP,
    "largest_hand": LARGEST_HAND,
}

# who chooses: a bot of the engine's side, or None for any legal action of any seat that may be asked
CHOOSERS: tuple[int | None, ...] = (None, RANDOM, LOWEST)


class Disagreement(AssertionError):
    """Engine and oracle differ; the message says in what, and after which actions."""


@dataclass
class Pair:
    """The same deal in the engine and in the oracle."""

    game: Game
    oracle: Deal
    rules: Rules

    def fail(self, what: str, engine: Any, oracle: Any) -> None:
        """Report a difference with all that is needed to play it again."""
        played = " | ".join(f"{e['seat']} {e['do']}" for e in self.oracle.events if "do" in e)
        raise Disagreement(
            f"{what}: engine {engine}, oracle {oracle}\nafter: {played}\nhands: {self.oracle.dealt}\n"
            f"stock: {self.oracle.dealt_stock}\ntrump: {self.oracle.trump}\nrules: {self.rules}"
        )

    def same(self, what: str, engine: Any, oracle: Any) -> None:
        """Compare one thing."""
        if engine != oracle:
            self.fail(what, engine, oracle)


def variant_of(rules: Rules, players: int) -> Variant:
    """Return the oracle's rules as the product reads them."""
    return variant_from_mapping({**rules, "name": "test", "players": players})


def sum_of(cards: Any) -> int:
    """Return the set of some words of cards as a mask."""
    return sum(BIT[card] for card in cards)


def compare_position(pair: Pair) -> None:
    """Compare everything that both sides know between two actions."""
    game, oracle = pair.game, pair.oracle
    pair.same("over", game.over, oracle.over)
    pair.same("hands", game.hands, tuple(sum_of(hand) for hand in oracle.hands))
    pair.same("stock", game.n_stock, len(oracle.stock))
    if game.over:
        return
    pair.same("attacker", game.attacker, oracle.attacker)
    pair.same("defender", game.defender, oracle.defender)
    pair.same("leader", game.leader, oracle.leader)
    table = [(CARD_WORDS[a], None if c is None else CARD_WORDS[c]) for a, c in game.table]
    pair.same("table", table, oracle.table)
    askable = oracle.askable()
    pair.same("askable", game.askable(), sum(1 << seat for seat in askable))
    if game.to_act not in askable:
        pair.fail("asked seat", game.to_act, askable)


def compare_legal(pair: Pair) -> list[str]:
    """Compare the legal actions of the seat that is asked, and return them."""
    legal = [action_text(action) for action in pair.game.legal()]
    assert pair.game.to_act is not None
    expected = pair.oracle.legal(pair.game.to_act)
    if len(legal) != len(expected) or set(legal) != expected:
        pair.fail(f"legal actions of seat {pair.game.to_act}", legal, sorted(expected))
    return legal


def compare_stock(pair: Pair) -> None:
    """Compare the order of the stock, which is seldom changed and slow to read."""
    pair.same("stock", [CARD_WORDS[card] for card in pair.game.stock], pair.oracle.stock)


def compare_end(pair: Pair) -> None:
    """Compare the outcome of a deal and everything that was counted."""
    game, oracle = pair.game, pair.oracle
    pair.same("result", game.result, oracle.result)
    pair.same("loser", game.loser, oracle.loser)
    pair.same("places", game.places, oracle.places)
    pair.same("left", set(game.left), set(range(game.players)) - oracle.active)
    for name, slot in COUNTERS.items():
        pair.same(name, int(game.state[slot]), getattr(oracle, name))


def comparable(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event with its set of cards as a set."""
    return {**event, "cards": set(event["cards"])} if "bout" in event else event


def play_both(pair: Pair, action: int) -> None:
    """Play an action on both sides and compare what follows from it."""
    seat, n_events = pair.game.to_act, len(pair.oracle.events)
    assert seat is not None
    events = pair.game.play(action)
    pair.oracle.play(seat, events[0]["do"])
    expected = pair.oracle.events[n_events:]
    if events != expected:
        pair.same("events", [comparable(e) for e in events], [comparable(e) for e in expected])
    compare_position(pair)
    if len(events) > 1:
        pair.same("last bout", pair.game.last_bout, pair.oracle.last_bout)
        compare_stock(pair)


def choose_freely(pair: Pair, rng: random.Random) -> None:
    """Play any legal action of any seat that may be asked, a pick-up less often than chance has it."""
    askable = pair.oracle.askable()
    if len(askable) > 1:
        pair.game.ask(rng.choice(sorted(askable)))
    legal = compare_legal(pair)
    if len(legal) > 1 and legal[-1] == "pick_up" and rng.random() < 0.5:
        del legal[-1]
    play_both(pair, parse_action(rng.choice(legal)))


def choose_by_bot(pair: Pair) -> None:
    """Play the move of the bot of the asked seat, a whole turn one action at a time."""
    compare_legal(pair)
    move = int(choose_move(pair.game.state))
    if not move & WHOLE_TURN:
        play_both(pair, move)
        return
    seat = pair.game.to_act
    for action in split_turn(move, int(pair.game.state[TRUMPS])):
        play_both(pair, action)
    stop = STOP << VERB_SHIFT
    if pair.game.to_act == seat and stop in pair.game.legal():
        play_both(pair, stop)


def play_out(pair: Pair, bot: int | None, rng: random.Random) -> None:
    """Play a deal to its end on both sides."""
    compare_position(pair)
    compare_stock(pair)
    while not pair.game.over:
        if bot is None:
            choose_freely(pair, rng)
        else:
            choose_by_bot(pair)
    compare_end(pair)


def shuffled_pack(game: Game) -> list[str]:
    """Return the pack that a game was just dealt from, top card first."""
    n_cards = int(game.state[PACK]).bit_count()
    return [CARD_WORDS[card] for card in game.state[SHUFFLE : SHUFFLE + n_cards]]


def dealt_pair(rules: Rules, players: int, seed: int, deal: int, previous: Any, bot: int | None) -> Pair:
    """Deal the same cards on both sides."""
    variant = variant_of(rules, players)
    bots = (RANDOM if bot is None else bot,) * players
    game = Game.deal(variant, players, seed, deal, previous=previous, bots=bots)
    assert game.dealer is not None
    if previous is not None:
        assert game.dealer == next_dealer(rules, players, previous)
    oracle = Deal(
        rules,
        players,
        shuffled_pack(game),
        game.dealer,
        first_deal=previous is None,
        previous=previous,
        random_opener=game.opener,
    )
    pair = Pair(game, oracle, rules)
    pair.same("opener", game.opener, oracle.opener)
    pair.same("trump", CARD_WORDS[game.trump_card or 0], oracle.trump_card)
    return pair


def play_session(rules: Rules, players: int, seed: int, bots: Sequence[int | None]) -> None:
    """Play a session on both sides, one deal for each of `bots`."""
    previous = None
    rng = random.Random(seed)
    for deal, bot in enumerate(bots):
        pair = dealt_pair(rules, players, seed, deal, previous, bot)
        play_out(pair, bot, rng)
        previous = pair.oracle.summary()
        pair.same("summary", pair.game.summary(), previous)


def random_cards(rules: Rules, players: int, rng: random.Random) -> tuple[list[list[str]], list[str], str]:
    """Draw hands of any size and a stock, as a scenario may have them; return the trump suit too."""
    lowest = 52 - rules["deck"]
    pack = [CARD_WORDS[card] for card in range(lowest, 52)]
    rng.shuffle(pack)
    n_stock = rng.choice((0, 0, 0, 0, 1, 2, 5, 12))
    stock, rest = pack[:n_stock], pack[n_stock:]
    largest = rng.choice((2, 3, 6, 6, 12))
    hands: list[list[str]] = []
    for seat in range(players):
        n_cards = min(len(rest), rng.randint(0 if seat else 1, largest))
        hands.append(rest[:n_cards])
        rest = rest[n_cards:]
    return hands, stock, stock[-1][-1] if stock else rng.choice("CDHS")


def position_pair(rules: Rules, players: int, rng: random.Random) -> Pair | None:
    """Set up the same drawn position on both sides; None where the oracle refuses it."""
    hands, stock, trump = random_cards(rules, players, rng)
    first_bout, beaten_before = rng.random() < 0.3, rng.random() < 0.3
    leader = rng.choice([seat for seat in range(players) if hands[seat]])
    try:
        oracle = Deal.position(rules, hands, stock, trump, leader, first_bout, beaten_before)
    except ValueError:
        return None
    variant = variant_of(rules, players)
    game = Game.position(
        variant,
        [sum_of(hand) for hand in hands],
        [CARD_WORDS.index(card) for card in stock],
        "CDHS".index(trump),
        leader,
        first_bout,
        beaten_before,
        seed=rng.randrange(1 << 30),
    )
    return Pair(game, oracle, rules)
