"""What a scenario expects of a position: read from the file, compared with the deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from simcli.engine.game import Game
from simcli.engine.layout import PH_EXCHANGE, PH_LEAD, PH_LEAD_MORE, PH_RESPOND, PH_TRANSFER_MORE
from simcli.engine.notation import (
    BOUT_WORDS,
    CARD_WORDS,
    RESULT_WORDS,
    NotationError,
    action_text,
    card_words,
    cards_in,
    parse_action,
    parse_card,
    parse_cards,
)
from simcli.errors import Problem
from simcli.records.reasons import reason_for, rule_of_the_end, rule_that_allows
from simcli.rules.document import Document, KeyPath
from simcli.rules.wording import choice, did_you_mean, shown


@dataclass(frozen=True)
class Expectation:
    """What must be so: for each key of `expect` the value, as the deal would give it."""

    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Unmet:
    """An expectation that is not met.

    Attributes
    ----------
    key : str
        Key of `expect`.
    expected, got : str
        Both sides as a scenario would write them.
    rule : str
        The rule that decides it.
    note : str
        What explains the difference, or nothing.
    """

    key: str
    expected: str
    got: str
    rule: str
    note: str = ""

    @property
    def told(self) -> str:
        """The difference in one sentence."""
        note = f" – {self.note}" if self.note else ""
        return f"{self.key}: expected {self.expected}, got {self.got}{note}"


class LegalNeedsSeat(ValueError):
    """Several seats may act, and the expectation of `legal` does not say whose actions it means."""


# ------------------------------------------------------------------------------------ reading


class _Wrong(ValueError):
    """A value that an expectation cannot have; the message says what is expected."""


def read_expectation(document: Document, path: KeyPath, players: int) -> tuple[Expectation, list[Problem]]:
    """Read an `expect` block.

    Parameters
    ----------
    document : Document
        The scenario file.
    path : KeyPath
        Where the block stands in it.
    players : int
        Number of seats, or the largest there can be.

    Returns
    -------
    Expectation
        The values that could be read.
    list of Problem
        What is wrong with the others.
    """
    block: Any = document.data
    for part in path:
        block = block[part]
    if not isinstance(block, dict) or not block:
        got = "none" if block == {} else shown(block)
        message = f"expected a block with at least one of {choice(READERS)}, got {got}"
        return Expectation(), [document.problem(path, message)]
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, value in block.items():
        if key not in READERS:
            message = f"unknown key, expected {choice(READERS)}{did_you_mean(key, list(READERS))}"
            problems.append(document.problem((*path, key), message))
            continue
        try:
            values[key] = READERS[key](value, players)
        except (_Wrong, NotationError) as error:
            problems.append(document.problem((*path, key), str(error)))
    return Expectation(values), problems


def _seat(value: Any, players: int) -> int | None:
    if value is None or (type(value) is int and 0 <= value < players):
        return value
    raise _Wrong(f"expected a seat from 0 to {players - 1}, or null, got {shown(value)}")


def _left(value: Any, players: int) -> frozenset[int]:
    if isinstance(value, list) and all(type(item) is int and 0 <= item < players for item in value):
        return frozenset(value)
    raise _Wrong(f"expected a list of seats from 0 to {players - 1}, got {_list_shown(value)}")


def _list_shown(value: Any) -> str:
    return f"[{', '.join(map(shown, value))}]" if isinstance(value, list) else shown(value)


def _legal(value: Any, players: int) -> frozenset[int]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Wrong(f"expected a list of actions such as [cover 9C QC, pick_up], got {_list_shown(value)}")
    return frozenset(parse_action(item) for item in value)


def _table(value: Any, players: int) -> tuple[tuple[int, int | None], ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Wrong(f"expected a list such as [9C/QC, 9D], got {_list_shown(value)}")
    pairs: list[tuple[int, int | None]] = []
    for item in value:
        attack, slash, cover = item.partition("/")
        pairs.append((parse_card(attack), parse_card(cover) if slash else None))
    return tuple(pairs)


def _hands(value: Any, players: int) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _Wrong(f"expected a list of hands such as [9C 6D, 9D KC], got {_list_shown(value)}")
    if len(value) != players:
        raise _Wrong(f"expected {players} hands, one a seat, got {len(value)}")
    return tuple(parse_cards(item.split()) for item in value)


def _stock(value: Any, players: int) -> int:
    if type(value) is int and value >= 0:
        return value
    raise _Wrong(f"expected the number of cards in the stock, got {_list_shown(value)}")


def _flag(value: Any, players: int) -> bool:
    if isinstance(value, bool):
        return value
    raise _Wrong(f"expected true or false, got {shown(value)}")


def _word_of(words: tuple[str | None, ...]) -> Callable[[Any, int], str | None]:
    allowed = [word for word in words if word is not None]

    def read(value: Any, players: int) -> str | None:
        if value is None or (isinstance(value, str) and value in allowed):
            return value
        expected = f"expected {', '.join(allowed)} or null"
        raise _Wrong(f"{expected}, got {shown(value)}{did_you_mean(value, allowed)}")

    return read


READERS: dict[str, Callable[[Any, int], Any]] = {
    "seat": _seat,
    "legal": _legal,
    "attacker": _seat,
    "defender": _seat,
    "table": _table,
    "hands": _hands,
    "stock": _stock,
    "bout": _word_of(BOUT_WORDS),
    "leader": _seat,
    "loser": _seat,
    "result": _word_of(RESULT_WORDS),
    "over": _flag,
    "left": _left,
}

# ------------------------------------------------------------------------------------ comparing

ANSWERS: dict[str, Callable[[Game], Any]] = {
    "attacker": lambda game: game.attacker,
    "defender": lambda game: game.defender,
    "table": lambda game: game.table,
    "hands": lambda game: game.hands,
    "stock": lambda game: game.n_stock,
    "bout": lambda game: game.last_bout,
    "leader": lambda game: game.leader,
    "loser": lambda game: game.loser,
    "result": lambda game: game.result,
    "over": lambda game: game.over,
    "left": lambda game: frozenset(game.left),
}

RULES = {
    "seat": "3.4",
    "attacker": "3",
    "defender": "3",
    "table": "3",
    "hands": "5",
    "stock": "5",
    "bout": "3.5",
    "leader": "3.5",
    "left": "6.1",
}

ASKING_RULES = {
    PH_EXCHANGE: "5.4",
    PH_LEAD: "3.1",
    PH_LEAD_MORE: "3.1",
    PH_RESPOND: "3.3",
    PH_TRANSFER_MORE: "4.5",
}


def unmet(expected: Expectation, game: Game) -> Unmet | None:
    """Return the first expectation that a position does not meet, None if it meets all.

    Raises
    ------
    LegalNeedsSeat
        `legal` is expected without `seat` where several seats may act.
    """
    for key, value in expected.values.items():
        if key == "seat":
            found = _unmet_seat(value, game)
        elif key == "legal":
            found = _unmet_legal(value, expected.values, game)
        else:
            answer = ANSWERS[key](game)
            found = (
                None
                if answer == value
                else Unmet(key, spelled(key, value), spelled(key, answer), _rule(key, game))
            )
        if found is not None:
            return found
    return None


def _rule(key: str, game: Game) -> str:
    """Return the rule that decides what a key of `expect` asks for."""
    return RULES.get(key) or rule_of_the_end(game)


def askable_seats(game: Game) -> tuple[int, ...]:
    """Return the seats one of which acts next."""
    return tuple(cards_in(game.askable()))


def legal_of(game: Game, seat: int) -> tuple[int, ...]:
    """Return the legal actions of a seat in the engine's order; none if it is not asked."""
    if seat == game.to_act:
        return tuple(game.legal())
    if not game.askable() >> seat & 1:
        return ()
    twin = game.clone()
    twin.ask(seat)
    return tuple(twin.legal())


def _unmet_seat(value: int | None, game: Game) -> Unmet | None:
    seats = askable_seats(game)
    if value in seats or (value is None and not seats):
        return None
    got = " or ".join(map(str, seats)) or "null"
    return Unmet(
        "seat", spelled("seat", value), got, rule_of_the_end(game) if game.over else _asking_rule(game)
    )


def _asking_rule(game: Game) -> str:
    """Return the rule by which the asked seat is asked."""
    return ASKING_RULES.get(game.phase, "3.4")


def _unmet_legal(value: frozenset[int], values: dict[str, Any], game: Game) -> Unmet | None:
    seat = values.get("seat")
    if seat is None:
        seats = askable_seats(game)
        if len(seats) > 1:
            raise LegalNeedsSeat(
                f"expected `seat` beside it, because {len(seats)} seats race: {', '.join(map(str, seats))}"
            )
        seat = seats[0] if seats else None
    legal = frozenset(() if seat is None else legal_of(game, seat))
    if value == legal:
        return None
    note, rule = _difference(game, seat, value, legal)
    return Unmet("legal", spelled("legal", value), spelled("legal", legal), rule, note)


def _difference(
    game: Game, seat: int | None, expected: frozenset[int], legal: frozenset[int]
) -> tuple[str, str]:
    """Explain the first expected action that is illegal, else name those that are missing; with the rule."""
    for action in sorted(expected - legal):
        reason = None if seat is None else reason_for(game, seat, action)
        if reason is None:
            return "the deal is over", rule_of_the_end(game)
        return f"{action_text(action)}: {reason.text}", reason.rule
    missing = sorted(legal - expected)
    return f"the rules allow {actions_text(missing)} too", rule_that_allows(missing[0])


def actions_text(actions: Iterable[int]) -> str:
    """Return some actions in a row."""
    return ", ".join(action_text(action) for action in actions)


def spelled(key: str, value: Any) -> str:
    """Return a value as a scenario would write it.

    >>> spelled("table", ((28, 40), (29, None))), spelled("left", frozenset({1, 0})), spelled("loser", None)
    ('[9C/QC, 9D]', '[0, 1]', 'null')
    """
    match key:
        case "legal":
            return f"[{', '.join(action_text(action) for action in sorted(value))}]"
        case "table":
            pairs = (
                CARD_WORDS[attack] + ("" if cover is None else f"/{CARD_WORDS[cover]}")
                for attack, cover in value
            )
            return f"[{', '.join(pairs)}]"
        case "hands":
            return f"[{', '.join(' '.join(card_words(hand)) or chr(34) * 2 for hand in value)}]"
        case "left":
            return str(sorted(value))
    return "null" if value is None else str(value).lower()
