"""Read records of whole games, ``durak-record/1``, also those that another program wrote.

Only the form is checked here: what a record says may still be against the rules.
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from simcli.engine.notation import (
    BOUT_WORDS,
    CARD_WORDS,
    RESULT_WORDS,
    NotationError,
    action_text,
    parse_action,
    parse_card,
)
from simcli.errors import InputError, Problem, input_error, problems_of, refusal
from simcli.records.record import FORMAT
from simcli.rules.document import Document
from simcli.rules.load import variant_from_mapping
from simcli.rules.variant import MAX_PLAYERS, MIN_PLAYERS, Variant
from simcli.rules.wording import choice, did_you_mean, shown

MAX_LINE = 1 << 22  # a deal of a thousand bouts with all its legal actions is a quarter of this

REQUIRED = (
    "format",
    "variant",
    "players",
    "dealer",
    "trump",
    "hands",
    "stock",
    "opener",
    "events",
    "result",
    "loser",
    "places",
)
OPTIONAL = ("bots", "seed", "deal", "session", "deal_in_session", "previous")
KEYS = (*REQUIRED, *OPTIONAL)
RESULTS = tuple(word for word in RESULT_WORDS if word is not None)
BOUTS = tuple(word for word in BOUT_WORDS if word is not None)
EVENT_KEYS = {
    "do": ("seat", "do", "legal"),
    "bout": ("bout", "defender", "cards"),
    "draw": ("seat", "draw"),
    "leaves": ("seat", "leaves"),
}


@dataclass(frozen=True)
class GameRecord:
    """A record that is well formed.

    Attributes
    ----------
    document : Document
        The object as it was read, for messages.
    data : dict
        The object itself.
    variant : Variant
        The rules that it names, seated.
    hands : tuple of tuple of int
        Cards by seat.
    stock : tuple of int
        Cards in drawing order.
    trump : int
        The exposed card.
    """

    document: Document
    data: dict[str, Any]
    variant: Variant
    hands: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    trump: int

    @property
    def line(self) -> int | None:
        """Line of the file."""
        return self.document.line


@dataclass(frozen=True)
class RecordFile:
    """The records of a file that are well formed, and what is wrong with the other lines."""

    records: tuple[GameRecord, ...]
    problems: tuple[Problem, ...] = ()


def load_records(path: Path, where: str) -> RecordFile:
    """Load all records of a file, one JSON object a line.

    Raises
    ------
    InputError
        The file cannot be read, or holds no lines at all.
    """
    try:
        if path.is_dir():
            raise refusal(where, "expected a file, got a folder")
        with open(path, "rb") as file:
            return read_records(file, where)
    except FileNotFoundError:
        raise refusal(where, "expected a file, there is none of this name") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(where, f"expected a readable file, got: {reason}") from None


def read_records(file: BinaryIO, where: str) -> RecordFile:
    """Read all records of an open file, one JSON object a line.

    Raises
    ------
    InputError
        There are no lines at all.
    """
    records: list[GameRecord] = []
    problems: list[Problem] = []
    for number, line in _lines(file):
        try:
            records.append(parse_record(_text(line, where, number), where, number))
        except InputError as error:
            problems += problems_of(error)
    if not records and not problems:
        raise refusal(where, "expected records, one JSON object a line, got none")
    return RecordFile(tuple(records), tuple(problems))


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers; of one that is too long the beginning."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        rest = line
        while len(rest) > MAX_LINE and not rest.endswith(b"\n"):
            rest = file.readline(MAX_LINE + 1)
        if len(line) > MAX_LINE or line.strip():
            yield number, line.removeprefix(BOM_UTF8) if number == 1 else line


def _text(line: bytes, where: str, number: int) -> str:
    if len(line) > MAX_LINE:
        raise refusal(where, "expected shorter lines than 4 MiB, got more", line=number)
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        raise refusal(where, "expected UTF-8 text, got other bytes", line=number) from None


class _Twice(ValueError):
    """A key that stands twice in one object."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _Twice(next(key for key in keys if keys.count(key) > 1))
    return found


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number in JSON")


def parse_record(line: str, where: str, number: int | None = None) -> GameRecord:
    """Return the record that a line of JSON holds.

    Raises
    ------
    InputError
        With every problem of the line.
    """
    try:
        data = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number)
    except _Twice as error:
        raise refusal(
            where, "expected each key once, got it twice", line=number, key=shown(str(error))
        ) from None
    except json.JSONDecodeError as error:
        message = f"expected a JSON object, got a fault at character {error.pos + 1}: {error.msg}"
        raise refusal(where, message, line=number) from None
    except (ValueError, RecursionError):
        raise refusal(
            where, "expected a JSON object, got numbers or nesting out of range", line=number
        ) from None
    if not isinstance(data, dict):
        raise refusal(where, f"expected a JSON object, got {shown(data)}", line=number)
    return _Reader(Document(where, data, line=number)).record()


@dataclass
class _Reader:
    """Read one record, collecting everything that is wrong with its form."""

    document: Document
    problems: list[Problem] = field(default_factory=list)

    def complain(self, message: str, *path: str | int) -> None:
        self.problems.append(self.document.problem(path, message))

    def record(self) -> GameRecord:
        data: dict[str, Any] = self.document.data
        for key in data:
            if key not in KEYS:
                self.complain(f"unknown key, expected {choice(KEYS)}{did_you_mean(key, KEYS)}", key)
        for key in REQUIRED:
            if key not in data:
                self.complain("this key is required, got none", key)
        if data.get("format", FORMAT) != FORMAT:
            self.complain(f"expected {FORMAT}, got {shown(data['format'])}", "format")
        players = self._number("players", MIN_PLAYERS, MAX_PLAYERS)
        variant = self._variant(players)
        hands = self._hands(players)
        stock = self._cards("stock")
        trump = self._card("trump", data.get("trump")) if "trump" in data else None
        seats = MAX_PLAYERS if players is None else players
        for key in ("dealer", "opener"):
            if key in data:
                self._seat(data[key], seats, key)
        if "previous" in data:
            self._previous(data["previous"], seats)
        self._numbers()
        self._bots(players)
        self._events(seats)
        self._end(seats)
        self._each_card_once(hands, stock)
        if self.problems or variant is None or stock is None or trump is None:
            raise input_error(self.problems)
        return GameRecord(self.document, data, variant, tuple(map(tuple, hands)), tuple(stock), trump)

    def _number(self, key: str, low: int, high: int) -> int | None:
        value = self.document.data.get(key)
        if key not in self.document.data:
            return None
        if type(value) is int and low <= value <= high:
            return value
        self.complain(f"expected {low} to {high}, got {shown(value)}", key)
        return None

    def _numbers(self) -> None:
        for key in ("seed", "deal", "session", "deal_in_session"):
            value = self.document.data.get(key, 0)
            if value is not None and (type(value) is not int or value < 0):
                self.complain(f"expected a whole number from 0, got {shown(value)}", key)

    def _bots(self, players: int | None) -> None:
        bots = self.document.data.get("bots", [])
        if "bots" not in self.document.data:
            return
        if not isinstance(bots, list) or not all(isinstance(bot, str) for bot in bots):
            self.complain(f"expected a list of names, got {shown(bots)}", "bots")
        elif players is not None and len(bots) != players:
            self.complain(f"expected {players} names, one a seat, got {len(bots)}", "bots")

    def _variant(self, players: int | None) -> Variant | None:
        mapping = self.document.data.get("variant")
        if not isinstance(mapping, dict):
            if "variant" in self.document.data:
                self.complain(f"expected an object with the options, got {shown(mapping)}", "variant")
            return None
        named = mapping.get("players", players)
        if players is not None and named != players:
            message = f"expected {players}, the number of players of this deal, got {shown(named)}"
            self.complain(message, "variant", "players")
            return None
        try:
            return variant_from_mapping({**mapping, "players": named} if named else mapping)
        except InputError as error:
            for problem in problems_of(error):
                self.complain(problem.message, "variant", *(problem.key or "").split("."))
            return None

    def _seat(self, value: Any, players: int, *path: str | int, null: bool = False) -> None:
        if (null and value is None) or (type(value) is int and 0 <= value < players):
            return
        or_null = " or null" if null else ""
        self.complain(f"expected a seat from 0 to {players - 1}{or_null}, got {shown(value)}", *path)

    def _card(self, key: str | int, value: Any, *before: str | int) -> int | None:
        if not isinstance(value, str):
            self.complain(f"expected a card such as 9C or 10H, got {shown(value)}", *before, key)
            return None
        try:
            return parse_card(value)
        except NotationError as error:
            self.complain(str(error), *before, key)
            return None

    def _card_list(self, value: Any, *path: str | int) -> list[int]:
        if not isinstance(value, list):
            self.complain(f"expected a list of cards, got {shown(value)}", *path)
            return []
        cards = [self._card(number, word, *path) for number, word in enumerate(value)]
        return [card for card in cards if card is not None]

    def _cards(self, key: str) -> list[int] | None:
        return self._card_list(self.document.data[key], key) if key in self.document.data else None

    def _hands(self, players: int | None) -> list[list[int]]:
        hands = self.document.data.get("hands", [])
        if not isinstance(hands, list):
            self.complain(f"expected a list of hands, got {shown(hands)}", "hands")
            return []
        if players is not None and "hands" in self.document.data and len(hands) != players:
            self.complain(f"expected {players} hands, one a seat, got {len(hands)}", "hands")
        return [self._card_list(hand, "hands", number) for number, hand in enumerate(hands)]

    def _each_card_once(self, hands: list[list[int]], stock: list[int] | None) -> None:
        seen: set[int] = set()
        places = [(card, ("hands", number)) for number, hand in enumerate(hands) for card in hand]
        places += [(card, ("stock", number)) for number, card in enumerate(stock or ())]
        for card, path in places:
            if card in seen:
                self.complain(f"expected each card once, got {CARD_WORDS[card]} again", *path)
            seen.add(card)

    def _previous(self, previous: Any, players: int) -> None:
        if previous is None:
            return
        keys = ("dealer", "loser", "places", "result")
        if not isinstance(previous, dict) or set(previous) != set(keys):
            self.complain(
                f"expected null or an object with {choice(keys).replace(' or ', ' and ')}", "previous"
            )
            return
        self._seat(previous["dealer"], players, "previous", "dealer")
        self._seat(previous["loser"], players, "previous", "loser", null=True)
        self._places(previous["places"], players, "previous", "places")
        self._word(previous["result"], RESULTS, "previous", "result")

    def _word(self, value: Any, words: tuple[str, ...], *path: str | int) -> None:
        if not isinstance(value, str) or value not in words:
            self.complain(f"expected {choice(words)}, got {shown(value)}{did_you_mean(value, words)}", *path)

    def _places(self, value: Any, players: int, *path: str | int) -> None:
        if not isinstance(value, list) or len(value) != players:
            self.complain(f"expected a list of {players} places, got {shown(value)}", *path)
            return
        for seat, place in enumerate(value):
            if place is not None and (type(place) is not int or not 1 <= place <= players):
                self.complain(
                    f"expected a place from 1 to {players} or null, got {shown(place)}", *path, seat
                )

    def _end(self, players: int) -> None:
        data = self.document.data
        if data.get("result") is not None:
            self._word(data["result"], RESULTS, "result")
        if "loser" in data:
            self._seat(data["loser"], players, "loser", null=True)
        if "places" in data:
            self._places(data["places"], players, "places")

    # ------------------------------------------------------------------------------ events

    def _events(self, players: int) -> None:
        events = self.document.data.get("events", [])
        if not isinstance(events, list):
            self.complain(f"expected a list of events, got {shown(events)}", "events")
            return
        for number, event in enumerate(events):
            self._event(event, players, "events", number)

    def _event(self, event: Any, players: int, *path: str | int) -> None:
        kind = next((kind for kind in EVENT_KEYS if isinstance(event, dict) and kind in event), None)
        if kind is None:
            self.complain(f"expected an object with {choice(EVENT_KEYS)}, got {shown(event)}", *path)
            return
        keys = EVENT_KEYS[kind]
        for key in event:
            if key not in keys:
                self.complain(f"unknown key, expected {choice(keys)}{did_you_mean(key, keys)}", *path, key)
        for key in keys:
            if key not in event:
                if key != "legal":
                    self.complain("this key is required, got none", *path, key)
                continue
            _PARTS[key](self, event[key], players, *path, key)

    def _event_seat(self, value: Any, players: int, *path: str | int) -> None:
        self._seat(value, players, *path)

    def _event_action(self, value: Any, players: int, *path: str | int) -> None:
        if not isinstance(value, str):
            self.complain(f"expected an action such as attack 9C, got {shown(value)}", *path)
            return
        try:
            words = action_text(parse_action(value))
        except NotationError as error:
            self.complain(str(error), *path)
            return
        if words != value:
            self.complain(f"expected {words}, got {value!r} with other blanks", *path)

    def _event_legal(self, value: Any, players: int, *path: str | int) -> None:
        if not isinstance(value, list):
            self.complain(f"expected a list of actions, got {shown(value)}", *path)
            return
        for number, action in enumerate(value):
            self._event_action(action, players, *path, number)
            if action in value[:number]:
                self.complain(f"expected each action once, got {shown(action)} again", *path, number)

    def _event_bout(self, value: Any, players: int, *path: str | int) -> None:
        self._word(value, BOUTS, *path)

    def _event_cards(self, value: Any, players: int, *path: str | int) -> None:
        self._card_list(value, *path)

    def _event_place(self, value: Any, players: int, *path: str | int) -> None:
        if type(value) is not int or not 1 <= value <= players:
            self.complain(f"expected a place from 1 to {players}, got {shown(value)}", *path)


_PARTS: dict[str, Callable[..., None]] = {
    "seat": _Reader._event_seat,
    "defender": _Reader._event_seat,
    "do": _Reader._event_action,
    "legal": _Reader._event_legal,
    "bout": _Reader._event_bout,
    "cards": _Reader._event_cards,
    "draw": _Reader._event_cards,
    "leaves": _Reader._event_place,
}
