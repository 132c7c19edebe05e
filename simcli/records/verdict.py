"""What the referee finds: step by step, with the position after each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simcli.engine.game import Event, Game, Pairs
from simcli.engine.notation import CARD_WORDS, card_words, cards_in


@dataclass(frozen=True)
class Position:
    """What lies on the table and who is to act, at one moment of a deal."""

    trump_suit: int
    hands: tuple[int, ...]
    active: tuple[int, ...]
    n_stock: int
    attacker: int | None
    defender: int | None
    table: Pairs
    askable: tuple[int, ...]
    leader: int | None
    result: str | None
    loser: int | None

    @classmethod
    def of(cls, game: Game) -> Position:
        """Return the position that a deal has reached."""
        return cls(
            game.trump_suit,
            game.hands,
            game.active,
            game.n_stock,
            game.attacker,
            game.defender,
            game.table,
            tuple(cards_in(game.askable())),
            game.leader,
            game.result,
            game.loser,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the position in the words of scenarios and records."""
        return {
            "seat": self.askable[0] if len(self.askable) == 1 else None,
            "may_act": list(self.askable),
            "attacker": self.attacker,
            "defender": self.defender,
            "table": [
                CARD_WORDS[attack] + ("" if cover is None else f"/{CARD_WORDS[cover]}")
                for attack, cover in self.table
            ],
            "hands": [card_words(hand) for hand in self.hands],
            "stock": self.n_stock,
            "result": self.result,
            "loser": self.loser,
        }


@dataclass(frozen=True)
class Finding:
    """One step, as the referee found it.

    Attributes
    ----------
    line : int or None
        Line in the file.
    kind : str
        ``play``, ``illegal`` or ``expect``.
    text : str
        The step as it is written; for an expectation the keys that it names.
    ok : bool
        Whether the step is legal, or what it expects is so.
    message, rule : str
        Why an action is illegal or an expectation not met, and by which rule; empty where there is nothing
        to explain.
    events : sequence of Event
        The action and what followed from it.
    closed : Pairs
        The table of the bout that the step closed.
    position : Position
        The position after the step.
    """

    line: int | None
    kind: Literal["play", "illegal", "expect"]
    text: str
    ok: bool
    message: str
    rule: str
    events: Sequence[Event]
    closed: Pairs
    position: Position

    def to_json(self) -> dict[str, Any]:
        """Return the finding as plain data."""
        return {
            "line": self.line,
            "kind": self.kind,
            "step": self.text,
            "ok": self.ok,
            "reason": self.message or None,
            "rule": self.rule or None,
            "events": list(self.events),
            "position": self.position.to_json(),
        }


@dataclass(frozen=True)
class Failure:
    """The first thing in a file that the rules do not bear out.

    Attributes
    ----------
    line : int or None
        Its line.
    key : str
        Its key, e.g. ``"steps[3]"`` or ``"events[12].do"``.
    message : str
        What is wrong.
    rule : str
        The number of the rule that decides it, or nothing.
    """

    line: int | None
    key: str
    message: str
    rule: str = ""

    def __str__(self) -> str:
        """Return key, message and rule."""
        told = f"{self.key}: {self.message}" if self.key else self.message
        return f"{told} – rule {self.rule}" if self.rule else told

    def to_json(self) -> dict[str, Any]:
        """Return the failure as plain data."""
        return {"line": self.line, "key": self.key, "message": self.message, "rule": self.rule or None}


@dataclass(frozen=True)
class Verdict:
    """What the referee says about one scenario or one record.

    Attributes
    ----------
    where : str
        The file.
    line : int or None
        The line of a record.
    kind : str
        ``scenario`` or ``record``.
    name : str
        Name of the scenario, or the title of the record.
    title : str
        Variant and table size in words.
    beginning : Position or None
        The position before the first step; None for a record whose deal cannot be.
    findings : sequence of Finding
        The steps, the failed one last.
    failure : Failure or None
        What is wrong; None if everything is as the rules have it.
    note : str
        What else there is to say, or nothing.
    legal : sequence of (int, sequence of str)
        Of a scenario: who may act in the end, or where it failed, and with what.
    """

    where: str
    line: int | None
    kind: Literal["scenario", "record"]
    name: str
    title: str
    beginning: Position | None
    findings: Sequence[Finding]
    failure: Failure | None
    note: str = ""
    legal: Sequence[tuple[int, Sequence[str]]] = ()

    @property
    def ok(self) -> bool:
        """Whether every step is legal and every expectation met."""
        return self.failure is None

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return {
            "file": self.where,
            "line": self.line,
            "kind": self.kind,
            "name": self.name or None,
            "ok": self.ok,
            "failure": None if self.failure is None else self.failure.to_json(),
            "note": self.note or None,
            "legal": [{"seat": seat, "legal": list(actions)} for seat, actions in self.legal],
            "steps": [finding.to_json() for finding in self.findings],
        }
