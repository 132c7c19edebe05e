"""Cards, hands and seats as a player reads them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from simcli.engine.game import Pairs
from simcli.engine.notation import CARD_WORDS, RANKS, cards_in

WIDTH = 80
NO_BREAK = "\N{NO-BREAK SPACE}"
SUIT_SIGNS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
CARD_SIGNS: tuple[str, ...] = tuple(rank + sign for rank in RANKS for sign in SUIT_SIGNS)
_SIGN_OF = dict(zip(CARD_WORDS, CARD_SIGNS, strict=True))


def sign(word: str) -> str:
    """Return a card as players read it.

    >>> sign("10H")
    '10♥'
    """
    return _SIGN_OF[word]


def signs(words: Iterable[str]) -> str:
    """Return some cards as players read them.

    >>> signs(["9C", "10H"])
    '9♣ 10♥'
    """
    return " ".join(map(sign, words))


def hand_text(hand: int, trump_suit: int) -> str:
    """Return a hand by suit and rank, the trumps last behind a bar.

    >>> hand_text(0b1000_0000_1001_0001, trump_suit=3)
    '2♣ 3♣ | 3♠ 5♠'
    """
    suits = [suit for suit in range(4) if suit != trump_suit]
    plain = "  ".join(filter(None, (_suit_text(hand, suit) for suit in suits)))
    trumps = _suit_text(hand, trump_suit)
    if not trumps:
        return plain or "no cards"
    return f"{plain} | {trumps}" if plain else f"| {trumps}"


def _suit_text(hand: int, suit: int) -> str:
    return " ".join(CARD_SIGNS[card] for card in cards_in(hand) if card % 4 == suit)


def table_text(table: Pairs) -> str:
    """Return the cards on the table, each attack with its cover.

    >>> table_text(((28, 40), (29, None)))
    '9♣/Q♣  9♦'
    """
    pairs = (
        CARD_SIGNS[attack] + ("" if cover is None else f"/{CARD_SIGNS[cover]}") for attack, cover in table
    )
    return "  ".join(pairs)


def listed(items: Sequence[str]) -> str:
    """Return items joined as in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def seats_text(seats: Sequence[int]) -> str:
    """Name some seats.

    >>> seats_text([2]), seats_text([0, 2])
    ('seat 2', 'seats 0 and 2')
    """
    return f"seat{'s' if len(seats) > 1 else ''} {listed([str(seat) for seat in seats])}"


def count_text(number: int, thing: str) -> str:
    """Count things.

    >>> count_text(1, "card"), count_text(2, "card")
    ('1 card', '2 cards')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"


def sentence(text: str) -> str:
    """Begin a sentence with a capital."""
    return text[:1].upper() + text[1:]


def wrapped(text: str, indent: int = 0, hanging: int = 0) -> list[str]:
    """Break a text into lines of at most `WIDTH` columns, never at a `NO_BREAK`.

    Parameters
    ----------
    text : str
        One paragraph.
    indent : int
        Spaces before the first line.
    hanging : int
        Further spaces before the others.
    """
    lines = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hanging),
        break_on_hyphens=False,
    )
    return [line.replace(NO_BREAK, " ") for line in lines]
