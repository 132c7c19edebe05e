"""Cards and actions as words: the one grammar of records, scenarios, messages and tests (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from simcli.engine.layout import (
    ALL_CARDS,
    ATTACK,
    COVER,
    EXCHANGE,
    KEEP,
    PASS,
    PICK_UP,
    SHOW,
    STOP,
    TARGET_SHIFT,
    THROW,
    TRANSFER,
    VERB_SHIFT,
)

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("C", "D", "H", "S")

CARD_WORDS: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The words of all cards, by card index."""

_CARDS = {word: card for card, word in enumerate(CARD_WORDS)}

VERB_WORDS = {
    ATTACK: "attack",
    TRANSFER: "transfer",
    SHOW: "show",
    COVER: "cover",
    THROW: "throw",
    PICK_UP: "pick_up",
    PASS: "pass",
    STOP: "stop",
    EXCHANGE: "exchange",
    KEEP: "keep",
}
_VERBS = {word: verb for verb, word in VERB_WORDS.items()}
_N_CARDS = {ATTACK: 1, TRANSFER: 1, SHOW: 1, COVER: 2, THROW: 1}

RESULT_WORDS = ("lost", "drawn", "won", "stalled", None)
"""The words of the results, by code; None while the deal is undecided."""

BOUT_WORDS = (None, "beaten", "taken")
"""How a bout closed, by code; None before the first one has."""

CARD_FORM = "a card such as 9C or 10H (rank 2 … 10, J, Q, K or A, then suit C, D, H or S)"
ACTION_FORM = (
    "attack CARD, transfer CARD, show CARD, cover ATTACK CARD, throw CARD, "
    "pick_up, pass, stop, exchange or keep"
)


class NotationError(ValueError):
    """A word stands for no card or action; the message says which words do."""


def _shown(text: str) -> str:
    return repr(text) if text else "nothing"


def parse_card(word: str) -> int:
    """Return the index of a card.

    >>> parse_card("2C"), parse_card("10H"), parse_card("AS")
    (0, 34, 51)

    Raises
    ------
    NotationError
        The word is no card.
    """
    card = _CARDS.get(word)
    if card is None:
        meant = _CARDS.get(word.strip().upper())
        hint = "" if meant is None else f" – write {CARD_WORDS[meant]}"
        raise NotationError(f"expected {CARD_FORM}, got {_shown(word)}{hint}")
    return card


def card_word(card: int) -> str:
    """Return the word of a card.

    >>> card_word(34)
    '10H'
    """
    return CARD_WORDS[card]


def cards_in(mask: int) -> Iterator[int]:
    """Yield the cards of a set, from the lowest rank up.

    >>> list(cards_in(0b101))
    [0, 2]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of some cards.

    >>> mask_of([0, 2])
    5
    """
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def card_words(mask: int) -> list[str]:
    """Return the words of a set of cards, from the lowest rank up.

    >>> card_words(mask_of([34, 0]))
    ['2C', '10H']
    """
    return [CARD_WORDS[card] for card in cards_in(mask)]


def parse_cards(words: Iterable[str]) -> int:
    """Return the set of some cards named by their words.

    >>> parse_cards(["2C", "4C"]) == mask_of([0, 8])
    True

    Raises
    ------
    NotationError
        A word is no card, or a card is named twice.
    """
    mask = 0
    for word in words:
        bit = 1 << parse_card(word)
        if mask & bit:
            raise NotationError(f"expected each card once, got {word} twice")
        mask |= bit
    return mask


@cache
def action_text(action: int) -> str:
    """Return the words of a single action.

    >>> action_text(parse_action("cover 9C QC")), action_text(parse_action("pick_up"))
    ('cover 9C QC', 'pick_up')
    """
    verb = verb_number(action)
    words = [VERB_WORDS[verb]]
    if verb == COVER:
        words.append(CARD_WORDS[target_card(action)])
    words.extend(card_words(action & ALL_CARDS))
    return " ".join(words)


def verb_number(action: int) -> int:
    """Return the verb of an action, one of the codes in `layout`."""
    return (action >> VERB_SHIFT) & 15


def target_card(action: int) -> int:
    """Return the attack that a cover answers, as a card index."""
    return (action >> TARGET_SHIFT) & 63


def played_card(action: int) -> int | None:
    """Return the card that a single action plays or shows, or None."""
    cards = action & ALL_CARDS
    return cards.bit_length() - 1 if cards else None


def parse_action(text: str) -> int:
    """Return the action that a text such as ``"cover 9C QC"`` stands for.

    Raises
    ------
    NotationError
        The text is no action; the message says what is allowed.
    """
    word, *rest = text.split() or [""]
    verb = _VERBS.get(word)
    if verb is None:
        raise NotationError(f"expected {ACTION_FORM}, got {_shown(text)}")
    n_cards = _N_CARDS.get(verb, 0)
    if len(rest) != n_cards:
        form = {0: word, 1: f"{word} CARD", 2: f"{word} ATTACK CARD"}[n_cards]
        raise NotationError(f"expected {form}, got {_shown(text)}")
    cards = [parse_card(each) for each in rest]
    action = verb << VERB_SHIFT
    if cards:
        action |= 1 << cards[-1]
    if verb == COVER:
        if cards[0] == cards[1]:
            raise NotationError(f"expected two different cards, got {_shown(text)}")
        action |= cards[0] << TARGET_SHIFT
    return action


def split_seat(text: str, players: int) -> tuple[int, str]:
    """Split ``"1 cover 9C QC"`` into the seat and the text of its action.

    >>> split_seat("1 cover 9C QC", 3)
    (1, 'cover 9C QC')

    Raises
    ------
    NotationError
        The text does not begin with a seat of this table.
    """
    word, _, rest = text.strip().partition(" ")
    if not (word.isascii() and word.isdigit() and len(word) == 1 and int(word) < players):
        raise NotationError(f"expected a seat from 0 to {players - 1}, then an action, got {_shown(text)}")
    return int(word), rest.strip()
