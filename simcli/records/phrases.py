"""Actions in words: what one seat did in a row is one phrase."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from simcli.engine.game import Event
from simcli.records.words import NO_BREAK, seats_text, sentence, sign, signs, wrapped

_PLURAL = {"passes": "pass"}
_WITHOUT_CARDS = {
    "pick_up": "picks up",
    "pass": "passes",
    "stop": "stops",
    "keep": "keeps the lowest trump",
}


@dataclass
class Phrase:
    """What one seat, or several passing seats, did in a row.

    Attributes
    ----------
    seats : list of int
        Who did it.
    verb : str
        What they did, for a single seat.
    parts : list of str
        Which cards.
    ending : str
        What follows the cards.
    legal : list of str or None
        All actions that were legal, if they are to be told.
    """

    seats: list[int]
    verb: str
    parts: list[str] = field(default_factory=list)
    ending: str = ""
    legal: list[str] | None = None

    def goes_on_with(self, other: Phrase) -> bool:
        """Return whether another phrase can be told in the same breath."""
        if self.verb != other.verb or self.ending != other.ending or other.legal is not None:
            return False
        return self.verb == "passes" or (self.seats == other.seats and bool(other.parts))

    def add(self, other: Phrase) -> None:
        """Take another phrase in."""
        self.parts += other.parts
        if self.verb == "passes":
            self.seats += other.seats

    def is_silent(self) -> bool:
        """Return whether the phrase says nothing: that a seat has stopped is seen from who is next."""
        return self.verb == "stops" and self.legal is None

    def lines(self) -> Iterator[str]:
        """Yield the phrase as lines of text, the legal actions below it."""
        verb = self.verb if len(self.seats) == 1 else _PLURAL[self.verb]
        parts = (", " if self.verb == "covers" else " ").join(self.parts)
        told = " ".join(filter(None, (seats_text(self.seats), verb, parts)))
        yield from wrapped(sentence(f"{told}{self.ending}."), indent=2, hanging=2)
        if self.legal is not None:
            choices = ", ".join(action_words(action).replace(" ", NO_BREAK) for action in self.legal)
            yield from wrapped(f"of: {choices}", indent=6, hanging=4)


def action_words(action: str) -> str:
    """Return an action with its cards as players read them.

    >>> action_words("cover 9C 10C"), action_words("pick_up")
    ('cover 9♣ 10♣', 'pick up')
    """
    verb, *cards = action.split()
    return " ".join([verb.replace("_", " "), *map(sign, cards)])


def phrase_of(event: Event, defender: int | None, exposed: Sequence[str] = ()) -> Phrase:
    """Return an action of a record in words.

    Parameters
    ----------
    event : dict
        The action.
    defender : int or None
        The defender after it.
    exposed : sequence of str
        Of a trump exchange: the exposed card before it and after it.
    """
    verb, *cards = event["do"].split()
    seats, legal = [event["seat"]], event.get("legal")
    match verb:
        case "attack":
            return Phrase(seats, "leads", [signs(cards)], legal=legal)
        case "throw":
            return Phrase(seats, "throws in", [signs(cards)], legal=legal)
        case "cover":
            return Phrase(seats, "covers", [f"{sign(cards[0])} with {sign(cards[1])}"], legal=legal)
        case "transfer":
            return Phrase(seats, "transfers with", [signs(cards)], f" to seat {defender}", legal)
        case "show":
            return Phrase(seats, "shows", [signs(cards)], f" and keeps it: seat {defender} defends", legal)
        case "exchange":
            taken, given = map(sign, exposed)
            return Phrase(seats, "swaps", [f"{given} for {taken}"], legal=legal)
    return Phrase(seats, _WITHOUT_CARDS[verb], legal=legal)
