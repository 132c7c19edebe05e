"""A single deal for people and programs: play it by hand, by bots, backwards, from any position."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from simcli.action_space import Mask, action_of, mask_of_actions, number_of
from simcli.arguments import loaded, seated, whole_number
from simcli.bots.lineup import SeatBot, parse_lineup, seat_bot
from simcli.bots.own.bot import OwnBot
from simcli.bots.own.play import decide_seen
from simcli.engine.game import Event, Game, IllegalAction
from simcli.engine.layout import BOT_STREAM
from simcli.engine.notation import CARD_WORDS, action_text, card_words, cards_in, parse_action
from simcli.errors import refusal
from simcli.observation import Observation, observe
from simcli.records.check_record import check_record
from simcli.records.record import game_of
from simcli.records.recordfile import parse_record
from simcli.records.scenario import read_scenario
from simcli.rules.canonical import resolved
from simcli.rules.document import Document
from simcli.rules.variant import Variant
from simcli.runs.plan import MAX_DEALS, MAX_SEED

Cards = str | Sequence[str]
"""Cards such as ``"9C QC"`` or ``["9C", "QC"]``."""


class Deal:
    """A deal in play, one action at a time; who is asked and what is legal comes from the engine.

    A shuffled pack is the one that runs play: `Deal("classic", seed=1, deal=7)` is deal 7 of seed 1.
    `Deal.position` and `Deal.from_record` begin elsewhere. Cards are words such as ``"9C"``, actions
    texts such as ``"cover 9C QC"`` (docs/formats.md, "Actions") or numbers of `simcli.action_space`.

    Parameters
    ----------
    variant : str, Path or Variant
        Name of a shipped variant, path of a variant file, or a variant.
    players : int, optional
        Table size; the variant's own by default.
    seed, deal : int
        Seed of the run and index of the deal: they name the pack.

    Raises
    ------
    InputError
        No such variant, or none for so many players; seed or deal out of range.
    """

    variant: Variant
    _game: Game
    _seed: int
    _deal: int
    _beginning: Callable[[], Game]

    def __init__(
        self,
        variant: str | Path | Variant = "classic",
        players: int | None = None,
        seed: int = 1,
        deal: int = 0,
    ) -> None:
        self.variant = seated(variant, players)
        self._seed, self._deal = seed, deal
        self.reset(seed=seed, deal=deal)

    @classmethod
    def position(
        cls,
        variant: str | Path | Variant = "classic",
        *,
        hands: Sequence[Cards],
        trump: str,
        stock: Cards = (),
        leader: int = 0,
        first_bout: bool = False,
        beaten_before: bool = False,
    ) -> Self:
        """Begin in the middle of a deal, when a bout is about to be led, as a scenario of the referee does.

        Parameters
        ----------
        variant : str, Path or Variant
            The rules; there are as many players as hands.
        hands : sequence of cards
            By seat, of any size; with an empty stock an empty hand has already left.
        trump : str
            The trump suit: ``"C"``, ``"D"``, ``"H"`` or ``"S"``.
        stock : cards
            In drawing order; the last one is the exposed trump. All cards not named are discarded.
        leader : int
            Seat that leads.
        first_bout, beaten_before : bool
            Whether this is the deal's first bout; whether a defence has succeeded before.

        Raises
        ------
        InputError
            With everything that is wrong with the position.
        """
        scenario = read_scenario(
            Document(
                "position",
                {
                    "variant": resolved(loaded(variant)) | {"players": len(hands)},
                    "hands": [" ".join(_words(hand)) for hand in hands],
                    "stock": _words(stock),
                    "trump": trump,
                    "leader": leader,
                    "first_bout": first_bout,
                    "beaten_before": beaten_before,
                    "steps": [],
                },
            ),
            Path(),
        )
        return cls._begun(scenario.variant, scenario.game)

    @classmethod
    def from_record(cls, record: Mapping[str, Any] | str, actions: int | None = 0) -> Self:
        """Begin with the deal of a record.

        Parameters
        ----------
        record : mapping or str
            A record (docs/formats.md, "Records") or its line of JSON.
        actions : int or None
            How many of its actions are played, none by default; None plays all. They can be taken back.

        Raises
        ------
        InputError
            The record is not well formed, or goes against the rules.
        """
        text = record if isinstance(record, str) else json.dumps(dict(record))
        checked = parse_record(text, "record")
        failure = check_record(checked).failure
        if failure is not None:
            rule = f" – rule {failure.rule}" if failure.rule else ""
            raise refusal("record", f"{failure.message}{rule}", key=failure.key)
        deal = cls._begun(checked.variant, lambda: game_of(checked.data))
        played = [event for event in checked.data["events"] if "do" in event]
        for event in played[:actions]:
            deal.step(event["do"], event["seat"])
        return deal

    @classmethod
    def _begun(cls, variant: Variant, beginning: Callable[[], Game]) -> Self:
        deal = cls.__new__(cls)
        deal.variant = variant
        deal._seed, deal._deal = 1, 0
        deal._beginning = beginning
        deal._game = beginning()
        return deal

    def reset(self, *, seed: int | None = None, deal: int | None = None) -> None:
        """Go back to the beginning, or deal another pack at the same table.

        Parameters
        ----------
        seed, deal : int, optional
            They name the pack; what is left out stays as it is. With neither, the same deal begins again.
        """
        if seed is not None or deal is not None:
            new_seed = whole_number(self._seed if seed is None else seed, "seed", 0, MAX_SEED)
            new_deal = whole_number(self._deal if deal is None else deal, "deal", 0, MAX_DEALS - 1)
            self._seed, self._deal = new_seed, new_deal
            self._beginning = lambda: Game.deal(self.variant, self.variant.players, new_seed, new_deal)
        self._game = self._beginning()

    # ------------------------------------------------------------------------------ what is seen

    @property
    def game(self) -> Game:
        """The engine's view of the deal, with cards and actions as numbers."""
        return self._game

    @property
    def players(self) -> int:
        """Number of seats."""
        return self._game.players

    @property
    def seat(self) -> int | None:
        """The seat that acts; None when the deal is over."""
        return self._game.to_act

    @property
    def racing(self) -> tuple[int, ...]:
        """The seats one of which acts: several where players race to throw in, and `seat` was drawn."""
        return tuple(cards_in(self._game.askable()))

    @property
    def attacker(self) -> int | None:
        """The attacker; None when the deal is over."""
        return self._game.attacker

    @property
    def defender(self) -> int | None:
        """The defender; None when the deal is over."""
        return self._game.defender

    @property
    def trump(self) -> str | None:
        """The card that was exposed when the cards were dealt; None in a position without stock."""
        card = self._game.trump_card
        return None if card is None else CARD_WORDS[card]

    @property
    def hands(self) -> tuple[tuple[str, ...], ...]:
        """All hands by seat: more than any seat may know (`observation`)."""
        return tuple(tuple(card_words(hand)) for hand in self._game.hands)

    @property
    def stock(self) -> tuple[str, ...]:
        """The stock in drawing order: more than any seat may know (`observation`)."""
        return tuple(CARD_WORDS[card] for card in self._game.stock)

    @property
    def table(self) -> tuple[tuple[str, str | None], ...]:
        """Each attack in order of play, with the card that covers it, or None."""
        pairs = self._game.table
        return tuple((CARD_WORDS[attack], None if c is None else CARD_WORDS[c]) for attack, c in pairs)

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self._game.over

    @property
    def result(self) -> str | None:
        """``lost``, ``drawn``, ``won`` or ``stalled``; None while the deal goes on."""
        return self._game.result

    @property
    def loser(self) -> int | None:
        """The seat that has lost."""
        return self._game.loser

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat, None where it is not decided."""
        return tuple(self._game.places)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened, as in a record: more than any seat may know."""
        return tuple(self._game.events)

    def observation(self, seat: int | None = None) -> Observation:
        """Return what a seat may know, and nothing else; by default the seat that acts.

        Raises
        ------
        ValueError
            There is no such seat, or none acts.
        """
        viewer = self.seat if seat is None else seat
        if viewer is None or not 0 <= viewer < self.players:
            raise ValueError(f"expected a seat from 0 to {self.players - 1}, got {viewer}")
        return observe(self._game, viewer)

    # ------------------------------------------------------------------------------ play

    def legal(self) -> list[str]:
        """Return what the seat that acts may do; empty when the deal is over."""
        return [action_text(action) for action in self._game.legal()]

    def legal_numbers(self) -> list[int]:
        """Return the same as numbers of `simcli.action_space`, in the same order."""
        return [number_of(action) for action in self._game.legal()]

    def legal_mask(self) -> Mask:
        """Return the same as a mask.

        Returns
        -------
        ndarray of int8, shape (simcli.action_space.N_ACTIONS,)
            1 for what is legal, else 0.
        """
        return mask_of_actions(self._game.legal())

    def step(self, action: str | int, seat: int | None = None) -> list[Event]:
        """Play an action of the seat that acts.

        Parameters
        ----------
        action : str or int
            One of `legal` or of `legal_numbers`.
        seat : int, optional
            Who acts, where several race for it; by default the seat that was drawn.

        Returns
        -------
        list of Event
            The action, and what follows it until the next seat is asked, as in a record.

        Raises
        ------
        IllegalAction
            The rules do not allow it; nothing has changed, and the message names what they allow.
        ValueError
            It is no action at all.
        """
        wanted = parse_action(action) if isinstance(action, str) else action_of(int(action))
        asked = self._game.to_act
        if seat is not None:
            self._game.ask(seat)
        try:
            return self._game.play(wanted)
        except IllegalAction:
            if seat is not None and asked is not None:
                self._game.ask(asked)
            raise

    def bot_move(self, bot: str = "thrifty") -> list[Event]:
        """Let a bot play for the seat that acts: one action, or several where it adds cards in a row.

        Parameters
        ----------
        bot : str
            As in a line-up, parameters included.

        Returns
        -------
        list of Event
            What it did, and what followed.

        Raises
        ------
        IllegalAction
            The deal is over.
        InputError
            There is no such bot.
        RunError
            An own bot did what a bot must not do.
        """
        return self._bot_move(_seat_bot(bot))

    def _bot_move(self, bot: SeatBot | OwnBot) -> list[Event]:
        seat = self.seat
        if seat is None:
            raise IllegalAction("the deal is over")
        asked = self._game.state.copy()
        seat_bot(asked, seat, bot)
        events = self._game.play_move(decide_seen(asked, self._game.table))
        # the draws of a bot that decides by chance go on, and are taken back with its move
        self._game.state[BOT_STREAM + seat] = asked[BOT_STREAM + seat]
        return events

    def play_out(self, bots: str | Sequence[str] = "thrifty") -> None:
        """Let bots play the deal to its end.

        Parameters
        ----------
        bots : str or sequence of str
            A line-up: one bot for all seats, or one for each.
        """
        text = bots if isinstance(bots, str) else ",".join(bots)
        lineup = parse_lineup(text, self.players, "bots").seats
        while self.seat is not None:
            self._bot_move(lineup[self.seat])

    def undo(self) -> None:
        """Take the last action back.

        Raises
        ------
        IllegalAction
            Nothing has been played.
        """
        self._game.undo()

    def clone(self) -> Self:
        """Return a copy that can be played on by itself."""
        twin = self.__class__.__new__(self.__class__)
        twin.variant = self.variant
        twin._seed, twin._deal = self._seed, self._deal
        twin._beginning = self._beginning
        twin._game = self._game.clone()
        return twin

    def __repr__(self) -> str:
        """Return the table and what is asked."""
        state = f"over, {self.result}" if self.over else f"seat {self.seat} to act"
        return f"<Deal of {self.variant.name}, {self.players} players, {state}>"


def _words(cards: Cards) -> list[str]:
    return cards.split() if isinstance(cards, str) else list(cards)


def _seat_bot(bot: str) -> SeatBot | OwnBot:
    return parse_lineup(bot, 1, "bot").seats[0]
