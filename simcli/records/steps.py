"""The steps of a scenario: actions, actions that must be refused, expectations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from simcli.engine.layout import COVER, N_CARDS
from simcli.engine.notation import (
    CARD_WORDS,
    RANKS,
    VERB_WORDS,
    NotationError,
    parse_action,
    played_card,
    split_seat,
    target_card,
    verb_number,
)
from simcli.engine.table import pack_of
from simcli.errors import Problem
from simcli.records.expect import Expectation, read_expectation
from simcli.rules.document import Document, KeyPath
from simcli.rules.variant import MAX_PLAYERS
from simcli.rules.wording import did_you_mean, shown

STEP_FORM = 'an action such as "0 attack 9C", expect: {…} or illegal: "0 attack 9C"'
CHECKS = ("expect", "illegal")
ONE_BY_ONE = ("attack", "transfer", "show", "throw")
"""Actions with a single card, even where several of a rank may be played."""


@dataclass(frozen=True)
class Step:
    """One entry of `steps`.

    Attributes
    ----------
    number : int
        Its place in the list, from 0.
    line : int or None
        Its line in the file.
    kind : str
        ``play`` (an action), ``illegal`` (an action that must be refused) or ``expect``.
    seat, action : int
        Who does what; -1 and 0 for an expectation.
    text : str
        Seat and action as they are written, e.g. ``"1 cover 9C QC"``.
    expected : Expectation
        What must be so.
    """

    number: int
    line: int | None
    kind: Literal["play", "illegal", "expect"]
    seat: int = -1
    action: int = 0
    text: str = ""
    expected: Expectation = field(default_factory=Expectation)


def read_steps(
    document: Document, players: int | None, deck: int | None
) -> tuple[tuple[Step, ...], list[Problem]]:
    """Read the steps of a scenario file.

    Parameters
    ----------
    document : Document
        The whole file.
    players, deck : int or None
        Number of seats and of cards; None if the file does not say.

    Returns
    -------
    tuple of Step
        The steps that could be read.
    list of Problem
        What is wrong with the others.
    """
    if "steps" not in document.data:
        return (), []
    return _Reader(document, players, deck).steps()


def not_in_pack(deck: int, card: int) -> str:
    """Return the message about a card that the pack does not have."""
    lowest = RANKS[(N_CARDS - deck) // 4]
    return f"expected cards of the pack of {deck} ({lowest} to A), got {CARD_WORDS[card]}"


class _Reader:
    """Read steps, collecting everything that is wrong with them."""

    def __init__(self, document: Document, players: int | None, deck: int | None) -> None:
        self.document = document
        self.players = MAX_PLAYERS if players is None else players
        self.deck = deck
        self.problems: list[Problem] = []

    def complain(self, message: str, *path: str | int) -> None:
        """Note a problem at a key."""
        self.problems.append(self.document.problem(path, message))

    def steps(self) -> tuple[tuple[Step, ...], list[Problem]]:
        """Return the steps and the problems."""
        entries = self.document.data["steps"]
        if not isinstance(entries, list):
            self.complain(f"expected a list, each entry {STEP_FORM}; got {shown(entries)}", "steps")
            return (), self.problems
        read = [self._step(number, entry) for number, entry in enumerate(entries)]
        return tuple(step for step in read if step is not None), self.problems

    def _step(self, number: int, entry: Any) -> Step | None:
        here: KeyPath = ("steps", number)
        if isinstance(entry, str):
            return self._action(number, "play", entry, here)
        if not isinstance(entry, dict):
            self.complain(f"expected {STEP_FORM}, got {shown(entry)}", *here)
            return None
        unknown = [key for key in entry if key not in CHECKS]
        for key in unknown:
            message = f"unknown key, expected expect or illegal{did_you_mean(key, CHECKS)}"
            self.complain(message, *here, key)
        if not unknown and len(entry) != 1:
            self.complain("expected either expect or illegal, one a step", *here)
        if unknown or len(entry) != 1:
            return None
        if "expect" in entry:
            return self._expectation(number, (*here, "expect"))
        text = entry["illegal"]
        if isinstance(text, str):
            return self._action(number, "illegal", text, (*here, "illegal"))
        self.complain(f"expected an action such as 0 attack 9C, got {shown(text)}", *here, "illegal")
        return None

    def _expectation(self, number: int, path: KeyPath) -> Step:
        expected, problems = read_expectation(self.document, path, self.players)
        self.problems += problems
        return Step(number, self._line(number), "expect", expected=expected)

    def _line(self, number: int) -> int | None:
        return self.document.mark(("steps", number)).line

    def _action(self, number: int, kind: Literal["play", "illegal"], text: str, path: KeyPath) -> Step | None:
        try:
            seat, words = split_seat(text, self.players)
            action = parse_action(words)
        except NotationError as error:
            self.complain(f"{error}{_way_out(text)}", *path)
            return None
        for card in _cards_of(action):
            if self.deck is not None and not pack_of(self.deck) >> card & 1:
                self.complain(not_in_pack(self.deck, card), *path)
                return None
        return Step(number, self._line(number), kind, seat, action, " ".join(text.split()))


def _way_out(text: str) -> str:
    """Return a hint where the word after the seat is nearly a verb, or several cards stand after one."""
    verb, *cards = text.split()[1:] or [""]
    verbs = list(VERB_WORDS.values())
    if verb not in verbs:
        return did_you_mean(verb, verbs)
    return " – a step for each card" if verb in ONE_BY_ONE and len(cards) > 1 else ""


def _cards_of(action: int) -> Iterator[int]:
    card = played_card(action)
    if card is not None:
        yield card
    if verb_number(action) == COVER:
        yield target_card(action)
