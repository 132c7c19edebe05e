"""An observation holds what its seat may know, all of it, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import compress

import numpy as np
import pytest

from simcli import Deal
from simcli.engine.notation import CARD_WORDS
from simcli.observation import ASKED_WORDS, BLOCKS, N_SLOTS, OBSERVATION_SLOTS, Observation, Slots, observe
from simcli.rules.load import load_variant
from simcli.rules.shipped import shipped_names
from tests.bots.test_hidden_information import table_sizes, twin_of

DEALS = 3


def moments(name: str, bot: str, deals: int = DEALS) -> Iterator[Deal]:
    """Yield every moment of some deals, at every size of table."""
    for players in table_sizes(load_variant(name)):
        for index in range(deals):
            deal = Deal(name, players, seed=30, deal=index)
            while not deal.over:
                yield deal
                deal.bot_move(bot)
            yield deal


@pytest.mark.parametrize("name", shipped_names())
def test_an_observation_does_not_depend_on_unseen_cards(name: str) -> None:
    rng = random.Random(name)
    n_changed = 0
    for deal in moments(name, "random", deals=1):
        for viewer in range(deal.players):
            twin = deal.game.clone()
            twin.state = twin_of(deal.game.state, viewer, rng)
            n_changed += twin.hands != deal.game.hands
            assert observe(twin, viewer) == deal.observation(viewer)
    assert n_changed > 100


def test_an_observation_depends_on_the_seats_own_cards() -> None:
    deal = Deal()
    twin = deal.game.clone()
    twin.state = twin_of(deal.game.state, 0, random.Random(1))
    assert observe(twin, 1) != deal.observation(1)


class Onlooker:
    """Work out from what everybody sees which cards are known, and where."""

    def __init__(self, deal: Deal) -> None:
        self.known: list[set[str]] = [set() for _ in range(deal.players)]
        self.discard: set[str] = set()
        self.exposed = deal.trump
        self.lowest = next(
            card for card in CARD_WORDS[52 - deal.variant.deck :] if card[-1] == deal.trump[-1]
        )

    def watch(self, events: list[dict]) -> None:
        for event in events:
            if "do" in event:
                self.act(event["seat"], *event["do"].split())
            elif event.get("bout") == "taken":
                self.known[event["defender"]] |= set(event["cards"])
            elif "bout" in event:
                self.discard |= set(event["cards"])

    def act(self, seat: int, verb: str, *cards: str) -> None:
        if verb == "show":
            self.known[seat].add(cards[0])
        elif verb == "exchange":
            self.known[seat].add(self.exposed)
            self.known[seat].discard(self.lowest)
            self.exposed = self.lowest
        elif cards:
            self.known[seat].discard(cards[-1])


@pytest.mark.parametrize("name", ["classic", "pass-card", "trump-six-exchange", "full-pack", "regular"])
def test_what_is_known_is_what_an_onlooker_can_work_out(name: str) -> None:
    n_known = 0
    for players in table_sizes(load_variant(name)):
        for index in range(DEALS):
            deal = Deal(name, players, seed=31, deal=index)
            onlooker = Onlooker(deal)
            while not deal.over:
                onlooker.watch(deal.bot_move("random"))
                for viewer in range(players):
                    seen = deal.observation(viewer)
                    assert [set(cards) for cards in seen.known] == onlooker.known
                    assert set(seen.discard) == onlooker.discard
                    assert seen.exposed == (onlooker.exposed if deal.stock else None)
                    n_known += sum(map(len, seen.known))
    assert n_known > 1000


@pytest.mark.parametrize("name", ["classic", "simultaneous", "partners", "first-bout-no-transfer"])
def test_an_observation_tells_the_table_as_it_is(name: str) -> None:
    for deal in moments(name, "random"):
        for viewer in range(deal.players):
            seen = deal.observation(viewer)
            assert seen.hand == deal.hands[viewer]
            assert seen.hand_sizes == tuple(map(len, deal.hands))
            assert (seen.table, seen.n_stock, seen.places) == (deal.table, len(deal.stock), deal.places)
            assert (seen.attacker, seen.defender, seen.over) == (deal.attacker, deal.defender, deal.over)
            is_asked = viewer == deal.seat
            assert seen.legal == (tuple(deal.legal()) if is_asked else ())
            assert (seen.asked is not None) == is_asked
            assert seen.asked is None or seen.asked in ASKED_WORDS


def test_limits_and_declaration_follow_the_bout() -> None:
    deal = Deal.position(
        "five-card-opening", hands=["6C 6D 7H 8H", "8C KC 9H", "7C QS"], trump="S", first_bout=True
    )
    assert (deal.observation(1).bout_limit, deal.observation(1).defence_limit) == (5, None)
    deal.step("attack 6C")
    deal.step("stop")
    deal.step("cover 6C 8C")
    seen = deal.observation(1)
    assert (seen.defence_limit, seen.picking_up, seen.joined, seen.leader) == (3, False, (0,), 0)
    deal.step("throw 6D")
    deal.step("stop")
    deal.step("pick_up")
    assert deal.observation(1).picking_up


def test_a_seat_that_is_none_is_refused() -> None:
    deal = Deal("duel")
    for seat in (-1, 2):
        with pytest.raises(ValueError, match=f"expected a seat from 0 to 1, got {seat}"):
            deal.observation(seat)
    deal.play_out("lowest")
    with pytest.raises(ValueError, match="got None"):
        deal.observation()


# ------------------------------------------------------------------------------------ as numbers


def block(array: Slots, name: str) -> list[int]:
    return array[OBSERVATION_SLOTS[name]].tolist()


def cards(array: Slots, name: str) -> list[str]:
    return [CARD_WORDS[card] for card in np.flatnonzero(array[OBSERVATION_SLOTS[name]])]


def test_blocks_fill_the_array_without_gap() -> None:
    ends = [0, *(where.stop for where in OBSERVATION_SLOTS.values())]
    assert [where.start for where in OBSERVATION_SLOTS.values()] == ends[:-1]
    assert ends[-1] == N_SLOTS
    assert list(OBSERVATION_SLOTS) == list(BLOCKS)


def seen_in(array: Slots) -> dict[str, object]:
    """Return what an array says, by the names of an observation; seats from the observer on."""
    n = block(array, "players")[0]

    def numbers(name: str) -> list[int]:
        values = block(array, name)
        assert not any(values[n:])
        return values[:n]

    def where(name: str) -> list[int]:
        return [seat for seat, value in enumerate(numbers(name)) if value]

    order = numbers("joined")
    return {
        **{
            name: cards(array, name)
            for name in ("hand", "discard", "uncovered", "covered", "covers", "exposed")
        },
        **{name: where(name) for name in ("active", "attacker", "defender", "leader")},
        **{name: numbers(name) for name in ("hand_sizes", "shows", "places")},
        **{name: block(array, name)[0] for name in BLOCKS if BLOCKS[name][0] == 1},
        "known": [cards(array, f"known_{k}") for k in range(n)],
        "joined": sorted(where("joined"), key=lambda seat: order[seat]),
        "trump_suit": "".join(compress("CDHS", block(array, "trump_suit"))),
        "asked": [*compress(ASKED_WORDS, block(array, "asked"))],
    }


def told_by(seen: Observation) -> dict[str, object]:
    """Return the same from the observation itself."""
    n = seen.players
    turned = [(seen.seat + k) % n for k in range(n)]

    def seats(*numbers: int | None) -> list[int]:
        return [turned.index(seat) for seat in numbers if seat is not None]

    return {
        "hand": list(seen.hand),
        "discard": list(seen.discard),
        "uncovered": in_order(attack for attack, cover in seen.table if cover is None),
        "covered": in_order(attack for attack, cover in seen.table if cover),
        "covers": in_order(cover for _, cover in seen.table if cover),
        "exposed": [seen.exposed] if seen.exposed else [],
        "active": sorted(seats(*seen.active)),
        "attacker": seats(seen.attacker),
        "defender": seats(seen.defender),
        "leader": seats(seen.leader),
        "hand_sizes": [seen.hand_sizes[seat] for seat in turned],
        "shows": [seen.shows[seat] for seat in turned],
        "places": [seen.places[seat] or 0 for seat in turned],
        "players": n,
        "n_stock": seen.n_stock,
        "bout_limit": seen.bout_limit,
        "defence_limit": seen.defence_limit or 0,
        "n_attacks": len(seen.table),
        "picking_up": seen.picking_up,
        "first_bout": seen.first_bout,
        "beaten_before": seen.beaten_before,
        "taken_in_a_row": seen.taken_in_a_row,
        "over": seen.over,
        "known": [list(seen.known[seat]) for seat in turned],
        "joined": seats(*seen.joined),
        "trump_suit": seen.trump_suit,
        "asked": [seen.asked] if seen.asked else [],
    }


def in_order(words: Iterable[str]) -> list[str]:
    return sorted(words, key=CARD_WORDS.index)


@pytest.mark.parametrize("name", ["pass-card", "partners"])
def test_array_says_what_the_observation_says(name: str) -> None:
    for deal in moments(name, "random", deals=2):
        for viewer in range(deal.players):
            seen = deal.observation(viewer)
            array = seen.to_array()
            assert (array.shape, array.dtype) == ((N_SLOTS,), np.int8)
            assert array.min() >= 0
            assert seen_in(array) == told_by(seen)


def test_more_bouts_taken_than_a_slot_holds_are_the_most_it_holds() -> None:
    seen = Deal().observation(0)
    assert block(replace(seen, taken_in_a_row=1000).to_array(), "taken_in_a_row") == [127]


def test_array_is_the_same_wherever_the_observer_sits() -> None:
    hands = ["9C 6D 7H", "9D KC 8S", "9S QC AH"]
    arrays = []
    for turn in range(3):
        seated = [hands[(seat - turn) % 3] for seat in range(3)]
        deal = Deal.position("classic", hands=seated, trump="D", leader=turn)
        deal.step("attack 9C")
        deal.step("transfer 9D")
        deal.step("cover 9C QC")
        arrays.append([deal.observation((seat + turn) % 3).to_array() for seat in range(3)])
    assert np.array_equal(arrays[0], arrays[1])
    assert np.array_equal(arrays[0], arrays[2])
    assert not np.array_equal(arrays[0][0], arrays[0][1])
