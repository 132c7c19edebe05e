"""What the value of an option means, in words that players use."""

from __future__ import annotations

from dataclasses import dataclass, replace

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
TIMES = {1: "once", 2: "twice"}


class Count(int):
    """A number that a text counts with.

    >>> f"{Count(1):card}", f"{Count(6):attack card}", f"{Count(40):card}"
    ('one card', 'six attack cards', '40 cards')
    >>> f"{Count(6)}", f"{Count(2):times}"
    ('six', 'twice')
    """

    def __format__(self, noun: str) -> str:
        """Return the number as a word, with the noun that is counted."""
        word = NUMBERS[self] if 0 <= self < len(NUMBERS) else str(int(self))
        if noun == "times":
            return TIMES.get(self, f"{word} times")
        return word if not noun else f"{word} {noun}{'' if self == 1 else 's'}"


@dataclass(frozen=True)
class Text:
    """Say what one value of an option means.

    Attributes
    ----------
    value : str, int, bool or None
        The value; None for every value of an option that is a number.
    rule : str
        The rule as a sentence, without its full stop. ``{n}`` is the number, ``{n:card}`` so many cards.
    beside : str
        The same in few words: the other half of a sentence that has begun with the rule of another value.
    """

    value: str | int | None
    rule: str
    beside: str

    def counted(self, number: int) -> Text:
        """Return the text with a number put in."""
        count = Count(number)
        return replace(self, rule=self.rule.format(n=count), beside=self.beside.format(n=count))
