"""What a seat may know of a deal, as a value of its own: nothing leads from it to a hidden card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from simcli.engine.game import Game, Pairs
from simcli.engine.layout import (
    ACTIVE,
    ATTACKER,
    BEATEN_BEFORE,
    BOUT_LIMIT,
    DEALER,
    DEFENDER,
    DISCARD,
    FIRST_BOUT,
    HAND,
    JOINED,
    KNOWN,
    LEADER,
    LIMIT,
    MAX_PLAYERS,
    N_CARDS,
    N_JOINED,
    NOBODY,
    PH_LAST_THROW,
    PH_LAST_THROW_MORE,
    PH_OVER,
    PHASE,
    PLACE,
    PLAYERS,
    SHOWN,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    TAKEN_RUN,
    TRUMP_CARD,
    TRUMPS,
    State,
)
from simcli.engine.notation import CARD_WORDS, SUITS, action_text, card_words, parse_card

ASKED_WORDS = (
    "exchange",
    "lead",
    "lead_more",
    "respond",
    "transfer_more",
    "throw",
    "throw_more",
    "last_throw",
    "last_throw_more",
)
"""What a seat can be asked for, by phase."""

MOST_TAKEN = 127

Slots = npt.NDArray[np.int8]

BLOCKS: dict[str, tuple[int, str]] = {
    "hand": (N_CARDS, "own cards"),
    "discard": (N_CARDS, "cards out of play"),
    "uncovered": (N_CARDS, "attacks to be beaten"),
    "covered": (N_CARDS, "attacks that are beaten"),
    "covers": (N_CARDS, "cards that beat them"),
    "exposed": (N_CARDS, "card at the bottom of the stock; empty without stock"),
    **{
        f"known_{k}": (N_CARDS, f"cards that seat {k} has picked up, shown or swapped in and still holds")
        for k in range(MAX_PLAYERS)
    },
    "hand_sizes": (MAX_PLAYERS, "by seat: number of cards"),
    "active": (MAX_PLAYERS, "1 at the seats still in the deal"),
    "attacker": (MAX_PLAYERS, "1 at the attacker; all 0 when the deal is over"),
    "defender": (MAX_PLAYERS, "1 at the defender; all 0 when the deal is over"),
    "leader": (MAX_PLAYERS, "1 at the seat that leads or led this bout; all 0 when the deal is over"),
    "joined": (MAX_PLAYERS, "by seat: 1 for the first that attacked in this bout, 2 for the next; 0 not yet"),
    "shows": (MAX_PLAYERS, "by seat: shows in this bout"),
    "places": (MAX_PLAYERS, "by seat: place, 0 where it is not decided"),
    "trump_suit": (len(SUITS), "1 at the trump suit: C, D, H, S"),
    "asked": (len(ASKED_WORDS), f"1 at what the observer is asked for, if it is: {', '.join(ASKED_WORDS)}"),
    "players": (1, "number of seats"),
    "n_stock": (1, "cards in the stock"),
    "bout_limit": (1, "the most attacks in this bout"),
    "defence_limit": (1, "the limit fixed when the defence began; 0 before"),
    "n_attacks": (1, "attacks on the table"),
    "picking_up": (1, "1 if the defender has declared that it picks up"),
    "first_bout": (1, "1 in the deal's first bout"),
    "beaten_before": (1, "1 if a defence has succeeded before"),
    "taken_in_a_row": (1, f"bouts taken in a row, at most {MOST_TAKEN}"),
    "over": (1, "1 if the deal is over"),
}
"""The blocks of slots of `Observation.to_array` in their order: how many slots, and what they hold.

Cards are 52 slots in the order 2C 2D 2H 2S 3C … AS, with a 1 where the card is there. Seats are six slots,
counted from the observer: 0 is the observer, 1 its left neighbour, and so on.
"""

_WIDTHS = [width for width, _ in BLOCKS.values()]

OBSERVATION_SLOTS: dict[str, slice] = {
    name: slice(end - width, end)
    for name, width, end in zip(BLOCKS, _WIDTHS, accumulate(_WIDTHS), strict=True)
}
"""The slots of each block, by its name in `BLOCKS`."""

N_SLOTS = sum(_WIDTHS)


@dataclass(frozen=True)
class Observation:
    """Hold what one seat knows, and nothing else. Cards are words such as ``"9C"``.

    What others did is seen in its effects: cards on the table, discarded, picked up or shown. Who is asked
    for a throw-in and who has passed is left out, since it tells who holds a card that fits.

    Attributes
    ----------
    seat : int
        Whose view this is.
    players : int
        Number of seats.
    hand : tuple of str
        The seat's own cards.
    table : tuple of (str, str or None)
        Each attack in order of play, with the card that covers it.
    discard : tuple of str
        Cards out of play.
    known : tuple of tuple of str
        By seat: cards that it has picked up, shown or swapped in and still holds.
    hand_sizes : tuple of int
        By seat: number of cards.
    n_stock : int
        Cards still to be drawn, the exposed one included.
    trump : str or None
        The card that was exposed when the cards were dealt; None in a position without stock.
    trump_suit : str
        ``C``, ``D``, ``H`` or ``S``.
    exposed : str or None
        The card at the bottom of the stock, while there is stock.
    dealer : int or None
        The dealer; None in a position.
    attacker, defender : int or None
        Their seats; None when the deal is over.
    leader : int or None
        The seat that leads, or has led, this bout; None when the deal is over.
    active : tuple of int
        Seats still in the deal.
    places : tuple of (int or None)
        By seat: its place, None where it is not decided.
    joined : tuple of int
        Seats in the order of their first attack card in this bout.
    shows : tuple of int
        By seat: shows in this bout.
    bout_limit : int
        The most attacks in this bout (docs/rules.md 3, "bout limit").
    defence_limit : int or None
        The limit fixed when the defence began (docs/rules.md 3.2); None before.
    picking_up : bool
        Whether the defender has declared that it picks up.
    first_bout, beaten_before : bool
        Whether this is the deal's first bout; whether a defence has succeeded before.
    taken_in_a_row : int
        Bouts taken in a row up to now.
    over : bool
        Whether the deal is over.
    asked : str or None
        What the seat is asked for, one of `ASKED_WORDS`; None if it is not asked.
    legal : tuple of str
        What it may do; empty if it is not asked.
    """

    seat: int
    players: int
    hand: tuple[str, ...]
    table: tuple[tuple[str, str | None], ...]
    discard: tuple[str, ...]
    known: tuple[tuple[str, ...], ...]
    hand_sizes: tuple[int, ...]
    n_stock: int
    trump: str | None
    trump_suit: str
    exposed: str | None
    dealer: int | None
    attacker: int | None
    defender: int | None
    leader: int | None
    active: tuple[int, ...]
    places: tuple[int | None, ...]
    joined: tuple[int, ...]
    shows: tuple[int, ...]
    bout_limit: int
    defence_limit: int | None
    picking_up: bool
    first_bout: bool
    beaten_before: bool
    taken_in_a_row: int
    over: bool
    asked: str | None
    legal: tuple[str, ...]

    def to_array(self) -> Slots:
        """Return the observation as numbers, the same slots at every table: `BLOCKS` says what they hold.

        Returns
        -------
        ndarray of int8, shape (N_SLOTS,)
            Nothing is below 0.
        """
        array = np.zeros(N_SLOTS, dtype=np.int8)
        for name, value in self._blocks():
            array[OBSERVATION_SLOTS[name]] = value
        return array

    def _blocks(self) -> Iterator[tuple[str, Slots | list[int] | int | bool]]:
        uncovered = [attack for attack, cover in self.table if cover is None]
        covered = [attack for attack, cover in self.table if cover is not None]
        yield "hand", _cards(self.hand)
        yield "discard", _cards(self.discard)
        yield "uncovered", _cards(uncovered)
        yield "covered", _cards(covered)
        yield "covers", _cards(cover for _, cover in self.table if cover is not None)
        yield "exposed", _cards([self.exposed] if self.exposed else [])
        for k in range(self.players):
            yield f"known_{k}", _cards(self.known[(self.seat + k) % self.players])
        yield "hand_sizes", self._by_seat(self.hand_sizes)
        yield "active", self._at(*self.active)
        for name, seat in (("attacker", self.attacker), ("defender", self.defender), ("leader", self.leader)):
            yield name, self._at(*([] if seat is None else [seat]))
        order = {seat: number for number, seat in enumerate(self.joined, start=1)}
        yield "joined", self._by_seat([order.get(seat, 0) for seat in range(self.players)])
        yield "shows", self._by_seat(self.shows)
        yield "places", self._by_seat([place or 0 for place in self.places])
        yield "trump_suit", [int(suit == self.trump_suit) for suit in SUITS]
        yield "asked", [int(word == self.asked) for word in ASKED_WORDS]
        yield "players", self.players
        yield "n_stock", self.n_stock
        yield "bout_limit", self.bout_limit
        yield "defence_limit", self.defence_limit or 0
        yield "n_attacks", len(self.table)
        yield "picking_up", self.picking_up
        yield "first_bout", self.first_bout
        yield "beaten_before", self.beaten_before
        yield "taken_in_a_row", min(self.taken_in_a_row, MOST_TAKEN)
        yield "over", self.over

    def _by_seat(self, values: tuple[int, ...] | list[int]) -> list[int]:
        """Return a value by seat as six slots, from the observer on."""
        turned = [*values[self.seat :], *values[: self.seat]]
        return turned + [0] * (MAX_PLAYERS - self.players)

    def _at(self, *seats: int) -> list[int]:
        """Return six slots with a 1 at some seats."""
        return self._by_seat([int(seat in seats) for seat in range(self.players)])


def _cards(words: Iterable[str]) -> Slots:
    slots = np.zeros(N_CARDS, dtype=np.int8)
    slots[[parse_card(word) for word in words]] = 1
    return slots


def observe(game: Game, seat: int) -> Observation:
    """Return what a seat may know of a deal."""
    legal = tuple(map(action_text, game.legal())) if game.to_act == seat else ()
    return Observation(**seen_of(game.state, game.table, seat, legal))


def seen_of(state: State, table: Pairs, seat: int, legal: tuple[str, ...]) -> dict[str, Any]:
    """Return the values of a seat's `Observation` by name.

    Parameters
    ----------
    state : State
        A deal in play.
    table : Pairs
        The cards on the table in order of play, which the state does not hold.
    seat : int
        Whose view it is.
    legal : tuple of str
        What it may do; empty if it is not asked.
    """
    slots: list[int] = state.tolist()
    players, phase = slots[PLAYERS], slots[PHASE]
    over = phase == PH_OVER
    hands = slots[HAND : HAND + players]
    joined, shown, trump = slots[JOINED], slots[SHOWN], slots[TRUMP_CARD]
    size = slots[STOCK_SIZE]
    n_stock = size - slots[STOCK_NEXT]
    return {
        "seat": seat,
        "players": players,
        "hand": _words(hands[seat]),
        "table": tuple((CARD_WORDS[a], None if c is None else CARD_WORDS[c]) for a, c in table),
        "discard": _words(slots[DISCARD]),
        "known": tuple(_words(slots[KNOWN + other] & hand) for other, hand in enumerate(hands)),
        "hand_sizes": tuple(hand.bit_count() for hand in hands),
        "n_stock": n_stock,
        "trump": None if trump == NOBODY else CARD_WORDS[trump],
        "trump_suit": SUITS[(slots[TRUMPS] & -slots[TRUMPS]).bit_length() - 1],
        "exposed": _words(slots[STOCK + size] ^ slots[STOCK + size - 1])[0] if n_stock else None,
        "dealer": None if slots[DEALER] == NOBODY else slots[DEALER],
        "attacker": None if over else slots[ATTACKER],
        "defender": None if over else slots[DEFENDER],
        "leader": None if over else slots[LEADER],
        "active": tuple(other for other in range(players) if slots[ACTIVE] >> other & 1),
        "places": tuple(place or None for place in slots[PLACE : PLACE + players]),
        "joined": tuple(joined >> 4 * i & 15 for i in range(slots[N_JOINED])),
        "shows": tuple(shown >> 6 * other & 63 for other in range(players)),
        "bout_limit": slots[BOUT_LIMIT],
        "defence_limit": slots[LIMIT] or None,
        "picking_up": phase in (PH_LAST_THROW, PH_LAST_THROW_MORE),
        "first_bout": bool(slots[FIRST_BOUT]),
        "beaten_before": bool(slots[BEATEN_BEFORE]),
        "taken_in_a_row": slots[TAKEN_RUN],
        "over": over,
        "asked": ASKED_WORDS[phase] if legal else None,
        "legal": legal,
    }


@lru_cache(1 << 14)
def _words(mask: int) -> tuple[str, ...]:
    return tuple(card_words(mask))
