"""Racing seats are asked in a random order, drawn afresh for each window (docs/rules.md 3.4)."""

from __future__ import annotations

from itertools import permutations, product

from simcli.engine.game import Game
from simcli.engine.notation import parse_action
from tests.engine.chance import is_uniform
from tests.engine.positions import play, position

RACING = {"window": "after_cover", "order": "simultaneous"}
N_SEEDS = 3000
Order = tuple[int | None, ...]


def racing_table(seed: int, order: str = "simultaneous") -> Game:
    """Begin at a table of four where seats 0, 2 and 3 may throw in after each cover by seat 1."""
    return position(
        "6C 7D 8D KD",
        "7C 8C 9C AC QC QH",
        "6D 7H 8H KH",
        "6H 7S 8S KS",
        trump="C",
        seed=seed,
        throw_in={**RACING, "order": order},
        transfer={"mode": "none"},
    )


def passes(game: Game, n_seats: int) -> Order:
    """Let everybody who is asked pass; return the seats in the order they were asked."""
    asked = []
    for _ in range(n_seats):
        asked.append(game.to_act)
        play(game, "pass")
    return tuple(asked)


ORDERS = list(permutations((0, 2, 3)))


def test_every_order_of_a_window_is_equally_likely() -> None:
    orders = [passes(play(racing_table(seed), "attack 6C", "cover 6C 7C"), 3) for seed in range(N_SEEDS)]
    assert is_uniform(orders, ORDERS)


def two_windows(seed: int) -> tuple[Order, Order]:
    """Return the orders of two windows of one bout: the second card that covers brings a new rank."""
    game = play(racing_table(seed), "attack 6C", "cover 6C 7C")
    first: Order = ()
    while game.to_act != 2:  # seat 2 throws in when its turn comes; who passes before it is the order so far
        first += (game.to_act,)
        play(game, "pass")
    first += (game.to_act,)
    play(game, "throw 7H", "stop", "cover 7H 8C")
    return first, passes(game, 3)


def test_the_order_is_drawn_afresh_for_each_window() -> None:
    pairs = [two_windows(seed) for seed in range(N_SEEDS)]
    # whoever was first, or the only one, before seat 2 in the first window: the second knows nothing of it
    for before in ((2,), (0, 2), (3, 2), (0, 3, 2), (3, 0, 2)):
        assert is_uniform([second for first, second in pairs if first == before], ORDERS)
    assert is_uniform([first.index(2) for first, _ in pairs], range(3))


def test_the_last_round_is_in_one_random_order_too() -> None:
    orders = [passes(play(racing_table(seed), "attack 6C", "pick_up"), 2) for seed in range(N_SEEDS)]
    assert is_uniform(orders, list(permutations((2, 3))))


def test_the_last_round_asks_every_racing_seat_once() -> None:
    for seed in range(100):
        game = play(racing_table(seed), "attack 6C", "pick_up")
        first = game.to_act
        play(game, {2: "throw 6D", 3: "throw 6H"}[first or 0])
        assert game.to_act == {2: 3, 3: 2}[first or 0]
        play(game, "pass")
        assert game.last_bout == "taken"


def test_the_same_seed_gives_the_same_order() -> None:
    assert [two_windows(seed) for seed in range(50)] == [two_windows(seed) for seed in range(50)]


def test_clockwise_is_not_left_to_chance() -> None:
    for seed in range(100):
        game = play(racing_table(seed, "clockwise"), "attack 6C", "cover 6C 7C")
        assert passes(game, 3) == (0, 2, 3)


def test_any_racing_seat_may_be_the_fastest_whoever_was_drawn() -> None:
    for seed, seat in product(range(10), (0, 2, 3)):
        game = play(racing_table(seed), "attack 6C", "cover 6C 7C")
        assert game.askable() == 0b1101
        game.ask(seat)
        game.play(parse_action("pass"))
        assert game.askable() == 0b1101 & ~(1 << seat)
