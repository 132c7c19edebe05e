"""One deal driven from Python, one action at a time: for records, the referee and tests.

`Game` has no rules of its own: what is legal, what follows and who is asked next comes from the engine.
It keeps what the engine has no use for: the order of the cards on the table, the events of the record,
and the states before, to take actions back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from simcli.engine.apply import apply_move
from simcli.engine.deal import start_deal
from simcli.engine.layout import (
    ACTIVE,
    ACTOR,
    ALL_CARDS,
    ATTACKER,
    BOT,
    BOUT_CLOSED,
    BOUTS,
    CLOSED_CARDS,
    CLOSED_DEFENDER,
    COVER,
    DEALER,
    DEFENDER,
    DRAW_ORDER,
    DREW,
    HAND,
    LEFT_NOW,
    LOSER,
    N_DRAWERS,
    NOBODY,
    OPENER,
    PARTNERS,
    PH_EXCHANGE,
    PH_LAST_THROW_MORE,
    PH_LEAD,
    PH_LEAD_MORE,
    PH_OVER,
    PH_THROW_MORE,
    PH_TRANSFER_MORE,
    PHASE,
    PLACE,
    PLAYERS,
    RESULT,
    SHOW,
    STOCK,
    STOCK_NEXT,
    STOCK_SIZE,
    STOP,
    SUIT_CLUBS,
    TRUMP_CARD,
    TRUMPS,
    VERB_SHIFT,
    WHOLE_TURN,
    State,
)
from simcli.engine.notation import (
    BOUT_WORDS,
    CARD_WORDS,
    RESULT_WORDS,
    action_text,
    card_words,
    cards_in,
    played_card,
    target_card,
    verb_number,
)
from simcli.engine.position import ask_seat, begin_position, set_position
from simcli.engine.table import new_table
from simcli.engine.view import MAX_LEGAL, askable_seats, list_legal
from simcli.rules.variant import Variant

Event = dict[str, Any]
"""One event of a record (docs/formats.md): an action, a closed bout, a draw, a seat that leaves."""

Pairs = tuple[tuple[int, int | None], ...]
"""The table in order of play: each attack with the card that covers it, or None."""

_MORE = (PH_LEAD_MORE, PH_TRANSFER_MORE, PH_THROW_MORE, PH_LAST_THROW_MORE)


class IllegalAction(ValueError):
    """An action that the rules do not allow to the asked seat; the message names those they allow."""


class Game:
    """A deal in play.

    Made by `Game.deal` (a shuffled pack), `Game.dealt` (a given one) or `Game.position`.

    Attributes
    ----------
    state : State
        The engine's state; read it, but change it only through the methods.
    table : Pairs
        The cards on the table, in order of play.
    closed_table : Pairs
        The table of the bout that closed last, just before its cards left it.
    events : list of Event
        Everything that has happened since the deal or position began.
    hands_dealt : tuple of int
        The hands at the beginning, sets of cards by seat.
    stock_dealt : tuple of int
        The stock at the beginning, cards in drawing order.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.table: Pairs = ()
        self.closed_table: Pairs = ()
        self.events: list[Event] = []
        self.hands_dealt = self.hands
        self.stock_dealt = self.stock
        self._before: list[tuple[State, Pairs, Pairs, int]] = []
        self._legal: list[int] | None = None

    # ------------------------------------------------------------------------------ beginnings

    @classmethod
    def deal(
        cls,
        variant: Variant,
        players: int,
        seed: int,
        deal: int,
        *,
        previous: Event | None = None,
        bots: Sequence[int] = (),
    ) -> Self:
        """Shuffle and deal.

        Parameters
        ----------
        variant : Variant
            A variant that can seat the players.
        players : int
            Number of seats, 2 to 6.
        seed, deal : int
            Seed of the run and index of the deal: they name the pack.
        previous : dict, optional
            ``dealer``, ``loser``, ``places`` and ``result`` of the deal before; None opens a session.
        bots : sequence of int
            Codes of the bots by seat, and what they are set to if given (all slots from `BOT` on), for
            callers that let bots choose.
        """
        state = new_table(variant, players)
        state[BOT : BOT + len(bots)] = bots
        if previous is not None:
            _remember(state, previous)
        start_deal(state, seed, deal, previous is None)
        return cls(state)

    @classmethod
    def dealt(
        cls,
        variant: Variant,
        hands: Sequence[int],
        stock: Sequence[int],
        trump: int,
        dealer: int,
        opener: int,
    ) -> Self:
        """Begin a deal whose cards are known, as in a record.

        Parameters
        ----------
        variant : Variant
            A variant that can seat as many players as there are hands.
        hands : sequence of int
            Set of cards of each seat.
        stock : sequence of int
            Cards in drawing order; empty when all cards were dealt.
        trump : int
            The exposed card.
        dealer, opener : int
            Seats; who opens is taken as given.
        """
        game = cls._laid_out(variant, hands, stock, trump % 4, 0)
        game.state[DEALER] = dealer
        game.state[TRUMP_CARD] = trump
        begin_position(game.state, opener, True, False)
        return game

    @classmethod
    def position(
        cls,
        variant: Variant,
        hands: Sequence[int],
        stock: Sequence[int],
        trump_suit: int,
        leader: int,
        first_bout: bool = False,
        beaten_before: bool = False,
        seed: int = 0,
    ) -> Self:
        """Begin in the middle of a deal, when a bout is about to be led.

        Parameters
        ----------
        variant : Variant
            A variant that can seat as many players as there are hands.
        hands : sequence of int
            Set of cards of each seat, of any size; with an empty stock an empty hand has already left.
        stock : sequence of int
            Cards in drawing order; the last one has the trump suit.
        trump_suit : int
            0 ♣, 1 ♦, 2 ♥, 3 ♠.
        leader : int
            Seat that leads; it needs a card.
        first_bout, beaten_before : bool
            Whether this is the deal's first bout; whether a defence has succeeded before.
        seed : int
            Seed of the racing order and of bots.
        """
        game = cls._laid_out(variant, hands, stock, trump_suit, seed)
        begin_position(game.state, leader, first_bout, beaten_before)
        return game

    @classmethod
    def _laid_out(
        cls, variant: Variant, hands: Sequence[int], stock: Sequence[int], trump_suit: int, seed: int
    ) -> Self:
        state = new_table(variant, len(hands))
        dealt = np.array(hands, dtype=np.int64)
        set_position(state, dealt, np.array(stock, dtype=np.int64), SUIT_CLUBS << trump_suit, seed)
        return cls(state)

    # ------------------------------------------------------------------------------ what is seen

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.state[PLAYERS])

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return bool(self.state[PHASE] == PH_OVER)

    @property
    def phase(self) -> int:
        """What is asked, one of the codes ``PH_…`` of `layout`."""
        return int(self.state[PHASE])

    @property
    def to_act(self) -> int | None:
        """The seat that is asked; None when the deal is over."""
        return None if self.over else int(self.state[ACTOR])

    @property
    def attacker(self) -> int | None:
        """The attacker; None when the deal is over."""
        return None if self.over else int(self.state[ATTACKER])

    @property
    def defender(self) -> int | None:
        """The defender; None when the deal is over."""
        return None if self.over else int(self.state[DEFENDER])

    @property
    def leader(self) -> int | None:
        """The attacker of the bout now to be led; None during a bout and when the deal is over."""
        return int(self.state[ATTACKER]) if self.phase in (PH_EXCHANGE, PH_LEAD) else None

    @property
    def dealer(self) -> int | None:
        """The dealer; None in a position."""
        return _seat(self.state[DEALER])

    @property
    def opener(self) -> int:
        """The seat that led, or leads, the first bout."""
        return int(self.state[OPENER])

    @property
    def trump_card(self) -> int | None:
        """The card that was exposed when the cards were dealt; None in a position without stock."""
        return _seat(self.state[TRUMP_CARD])

    @property
    def trump_suit(self) -> int:
        """0 ♣, 1 ♦, 2 ♥, 3 ♠."""
        trumps = int(self.state[TRUMPS])
        return (trumps & -trumps).bit_length() - 1

    @property
    def hands(self) -> tuple[int, ...]:
        """The hands: sets of cards by seat."""
        return tuple(self.state[HAND : HAND + self.players].tolist())

    @property
    def stock(self) -> tuple[int, ...]:
        """The cards still to be drawn, in drawing order."""
        prefixes = self.state[STOCK + self.state[STOCK_NEXT] : STOCK + self.state[STOCK_SIZE] + 1]
        return tuple(card.bit_length() - 1 for card in (prefixes[1:] ^ prefixes[:-1]).tolist())

    @property
    def n_stock(self) -> int:
        """Number of cards still to be drawn."""
        return int(self.state[STOCK_SIZE] - self.state[STOCK_NEXT])

    @property
    def active(self) -> tuple[int, ...]:
        """The seats still in the deal."""
        return tuple(seat for seat in range(self.players) if self.state[ACTIVE] >> seat & 1)

    @property
    def left(self) -> tuple[int, ...]:
        """The seats that have left the deal."""
        return tuple(seat for seat in range(self.players) if not self.state[ACTIVE] >> seat & 1)

    def team(self, seat: int) -> tuple[int, ...]:
        """Return the seats of a seat's team, itself included; without teams the seat alone."""
        return tuple(cards_in(int(self.state[PARTNERS + seat])))

    @property
    def last_bout(self) -> str | None:
        """How the last bout closed: ``beaten``, ``taken``, or None before the first has."""
        return BOUT_WORDS[self.state[BOUT_CLOSED]]

    @property
    def result(self) -> str | None:
        """``lost``, ``drawn``, ``won`` or ``stalled``; None while the deal goes on."""
        return RESULT_WORDS[self.state[RESULT]]

    @property
    def loser(self) -> int | None:
        """The seat that has lost."""
        return _seat(self.state[LOSER])

    @property
    def places(self) -> list[int | None]:
        """The place of each seat, None where it is not decided (or not known, in a position)."""
        return [place or None for place in self.state[PLACE : PLACE + self.players].tolist()]

    def summary(self) -> Event:
        """Return what the session's next deal takes as ``previous``."""
        return {"dealer": self.dealer, "loser": self.loser, "places": self.places, "result": self.result}

    # ------------------------------------------------------------------------------ play

    def askable(self) -> int:
        """Return the mask of the seats one of which acts next: several where players race (rules 3.4)."""
        return int(askable_seats(self.state))

    def ask(self, seat: int) -> None:
        """Let another of the racing seats be the one that acts.

        Raises
        ------
        IllegalAction
            The seat cannot be asked now.
        """
        if not self.askable() >> seat & 1:
            raise IllegalAction(f"seat {seat} is not asked now: {self._whose_turn()}")
        if seat != self.state[ACTOR]:
            ask_seat(self.state, seat)
            self._legal = None

    def legal(self) -> list[int]:
        """Return all legal actions of the seat that is asked, cards by rank and suit; empty at the end."""
        if self._legal is None:
            n_legal = list_legal(self.state, _ACTIONS)
            self._legal = _ACTIONS[:n_legal].tolist()
        return self._legal

    def play(self, action: int) -> list[Event]:
        """Play one action of the seat that is asked.

        Parameters
        ----------
        action : int
            A single action, one of `legal`.

        Returns
        -------
        list of Event
            The action, and what follows it until the next seat is asked.

        Raises
        ------
        IllegalAction
            The rules do not allow it; nothing has changed.
        """
        if action not in self.legal():
            raise IllegalAction(f"{action_text(action)} is not legal: {self._whose_turn()}")
        state = self.state
        n_bouts = state[BOUTS]
        before = state.copy()
        self._before.append((before, self.table, self.closed_table, len(self.events)))
        self._legal = None
        events = [{"seat": int(state[ACTOR]), "do": action_text(action)}]
        apply_move(state, action)
        laid = _laid(self.table, action)
        if state[BOUTS] == n_bouts:
            self.table = laid
        else:
            self.table, self.closed_table = (), laid
            events += self._closing_events(before)
        self.events += events
        return events

    def play_move(self, move: int) -> list[Event]:
        """Play a move of a bot, a whole turn as the single actions it stands for, in their order.

        Returns
        -------
        list of Event
            As for `play`.
        """
        events = []
        for action in self.actions_of(move):
            events += self.play(action)
        return events

    def actions_of(self, move: int) -> Iterator[int]:
        """Yield the single actions that a move stands for; each must be played before the next is asked for.

        The cards of a whole turn come in the order of play, then the stop if the seat is still asked.
        """
        if not move & WHOLE_TURN:
            yield int(move)  # without the JIT a bot answers with a number of numpy's
            return
        yield from split_turn(move, int(self.state[TRUMPS]))
        if self.phase in _MORE:
            yield STOP << VERB_SHIFT

    def undo(self) -> None:
        """Take the last action back.

        Raises
        ------
        IllegalAction
            Nothing has been played.
        """
        if not self._before:
            raise IllegalAction("there is nothing to take back")
        self.state, self.table, self.closed_table, n_events = self._before.pop()
        del self.events[n_events:]
        self._legal = None

    def clone(self) -> Self:
        """Return a copy that can be played on by itself."""
        twin = type(self)(self.state.copy())
        twin.table, twin.closed_table = self.table, self.closed_table
        twin.events = list(self.events)
        twin.hands_dealt = self.hands_dealt
        twin.stock_dealt = self.stock_dealt
        twin._before = list(self._before)
        return twin

    def _whose_turn(self) -> str:
        if self.over:
            return "the deal is over"
        actions = ", ".join(action_text(action) for action in self.legal())
        return f"seat {self.to_act} may {actions}"

    def _closing_events(self, before: State) -> list[Event]:
        """Return how the bout closed, who drew what, who left with which place (docs/formats.md)."""
        state = self.state
        events: list[Event] = [
            {
                "bout": BOUT_WORDS[state[BOUT_CLOSED]],
                "defender": int(state[CLOSED_DEFENDER]),
                "cards": card_words(int(state[CLOSED_CARDS])),
            }
        ]
        order = int(state[DRAW_ORDER])
        drawn = int(before[STOCK_NEXT])
        for _ in range(state[N_DRAWERS]):
            seat = order & 15
            order >>= 4
            first = drawn
            drawn += int(state[DREW + seat]).bit_count()
            if drawn > first:
                events.append({"seat": seat, "draw": self._stock_words(first, drawn)})
        left_now = int(state[LEFT_NOW])
        events += [{"seat": seat, "leaves": int(state[PLACE + seat])} for seat in cards_in(left_now)]
        return events

    def _stock_words(self, first: int, end: int) -> list[str]:
        """Return the words of the stock cards from one place in the drawing order up to another."""
        prefixes = self.state[STOCK + first : STOCK + end + 1]
        return [CARD_WORDS[card.bit_length() - 1] for card in (prefixes[1:] ^ prefixes[:-1]).tolist()]


# filled and copied within `legal`, so that one array serves all games
_ACTIONS = np.zeros(MAX_LEGAL, dtype=np.int64)


def _seat(number: int) -> int | None:
    return None if number == NOBODY else int(number)


def _remember(state: State, previous: Event) -> None:
    """Put the result of the deal before where the engine looks for it."""
    state[DEALER] = previous["dealer"]
    state[LOSER] = NOBODY if previous["loser"] is None else previous["loser"]
    state[RESULT] = RESULT_WORDS.index(previous["result"])
    for seat, place in enumerate(previous["places"]):
        state[PLACE + seat] = place or 0


def table_after(table: Pairs, state: State, move: int) -> Pairs:
    """Return the table after a move that does not close the bout, `state` being that before it."""
    if not move & WHOLE_TURN:
        return _laid(table, int(move))
    for action in split_turn(move, int(state[TRUMPS])):
        table = _laid(table, action)
    return table


def _laid(table: Pairs, action: int) -> Pairs:
    """Return the table after an action that does not close the bout."""
    verb = verb_number(action)
    card = played_card(action)
    if card is None or verb == SHOW:
        return table
    if verb == COVER:
        target = target_card(action)
        return tuple((attack, card if attack == target else cover) for attack, cover in table)
    return (*table, (card, None))


def split_turn(move: int, trumps: int) -> list[int]:
    """Return the single actions of a whole turn, in the order of play (`layout`, "An action is one int64").

    The stop at the end, if the seat is still asked, is not among them.
    """
    move = int(move)
    cards = move & ALL_CARDS
    verb = move & ~WHOLE_TURN & ~ALL_CARDS
    plain, last = cards_in(cards & ~trumps), cards_in(cards & trumps)
    return [verb | 1 << card for card in (*plain, *last)]
