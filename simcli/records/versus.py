"""One deal under two variants: played under both, compared action by action, the first difference explained.

What decided at that moment is asked of the engine, which notes the options whose value in `classic` would
have made a difference (docs/formats.md, ``triggered``). Its notes are wiped before every action, so that
they tell of that action alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from simcli.engine.game import Event, Game
from simcli.engine.layout import LIMIT_EDGE, OPEN, RULE_KEYS, TRIGGERED, WATCHED
from simcli.engine.notation import action_text, parse_action
from simcli.errors import refusal
from simcli.records.record import Record
from simcli.records.replay import replay
from simcli.rules.canonical import differences
from simcli.rules.options import Value
from simcli.rules.variant import Variant
from simcli.runs import plan as runs

Pair = tuple[Record, Record]


class Kind(StrEnum):
    """How two courses of a deal differ where they part."""

    OPENING = "opening"  # another dealer or opener
    OUTCOME = "outcome"  # an action had other consequences
    ROLES = "roles"  # another seat attacks or defends
    ASKED = "asked"  # another seat is asked
    LEGAL = "legal"  # the same seat may do something else
    CHOICE = "choice"  # the same seat may do the same, and does something else


class Ground(StrEnum):
    """Why the options of a parting are named."""

    NOW = "now"  # they decided at this moment
    EARLIER = "earlier"  # they decided something before, which has its effect now
    KNOWN = "known"  # they decided nothing, but the players know them


@dataclass(frozen=True)
class Difference:
    """Name an option and its value under either variant."""

    key: str
    values: tuple[Value, Value]


@dataclass(frozen=True)
class Moment:
    """Hold what one variant makes of the last action that both share.

    Attributes
    ----------
    events : tuple of Event
        What followed the action.
    attacker, defender : int or None
        Their seats now; None when the deal is over.
    asked : int or None
        The seat that is asked next; None when the deal is over.
    legal : tuple of str
        What it may do.
    """

    events: tuple[Event, ...]
    attacker: int | None
    defender: int | None
    asked: int | None
    legal: tuple[str, ...]


@dataclass(frozen=True)
class Parting:
    """Say where two courses of one deal part, and why.

    Attributes
    ----------
    n_common : int
        Number of events they share; the consequences of an action are shared as a whole or not at all.
    kind : Kind
        How they differ.
    moments : tuple of Moment
        What either variant makes of the last common action.
    differences : tuple of Difference
        The options that explain it, of those in which the variants differ.
    ground : Ground
        How they explain it.
    """

    n_common: int
    kind: Kind
    moments: tuple[Moment, Moment]
    differences: tuple[Difference, ...]
    ground: Ground


@dataclass(frozen=True)
class Versus:
    """Hold a deal under two variants.

    Attributes
    ----------
    records : tuple of Record
        Its record under either.
    parting : Parting or None
        Where they part; None if the deal went the same way.
    """

    records: Pair
    parting: Parting | None


def rival_of(run: runs.Match, variant: Variant, where: str = "--vs") -> runs.Match:
    """Return a run under another variant: the same packs, bots and seed.

    Parameters
    ----------
    run : simcli.runs.plan.Match
        What is played.
    variant : Variant
        The other rules, seated at as many players.
    where : str
        Name of the variant's origin in messages.

    Raises
    ------
    InputError
        The other variant is played with another pack, so that its deals have nothing in common.
    """
    if variant.deck != run.variant.deck:
        raise refusal(
            where,
            f"expected a variant with the {run.variant.deck} cards of {run.variant.name}, "
            f"got {variant.name} with {variant.deck} – deals of different packs cannot be compared",
        )
    return replace(run, variant=variant)


def versus(run: runs.Match, rival: runs.Match, deals: range, legal: bool = False) -> Iterator[Versus]:
    """Yield some deals under two variants.

    Parameters
    ----------
    run, rival : simcli.runs.plan.Match
        The same but for the variant (`rival_of`).
    deals : range
        Indices of the deals, one after another.
    legal : bool
        Whether each decision lists its legal actions.
    """
    pairs = zip(replay(run, deals, legal), replay(rival, deals, legal), strict=True)
    for records in pairs:
        yield Versus(records, parting_of((run, rival), records))


def parting_of(played: tuple[runs.Match, runs.Match], records: Pair) -> Parting | None:
    """Return where the records of a deal under two variants part, None if they do not."""
    return _Walk(played, records).parting()


class _Walk:
    """Follow both courses of a deal as long as they are the same."""

    def __init__(self, played: tuple[runs.Match, runs.Match], records: Pair) -> None:
        first, second = played
        self.records = records
        self.games = (_dealt(first, records[0]), _dealt(second, records[1]))
        self.after: tuple[tuple[Event, ...], tuple[Event, ...]] = ((), ())
        self.decided = self._noted()  # by the last common action, or by the deal itself
        self.decided_before = 0
        changed = differences(first.variant, second.variant)
        self.options = [Difference(key, (value, other)) for key, value, other in changed]

    def parting(self) -> Parting | None:
        """Return where they part, and why."""
        if any(self._differ(key) for key in ("dealer", "opener")):
            return self._parted(0, Kind.OPENING)
        streams = [[_bare(event) for event in record["events"]] for record in self.records]
        n_common = 0  # events up to and with the consequences of the last common action
        while True:
            if self.after[0] != self.after[1]:
                return self._parted(n_common, Kind.OUTCOME)
            n_common += len(self.after[0])
            if self._roles_differ():
                return self._parted(n_common, Kind.ROLES)
            n_shared = [len(stream) - n_common for stream in streams]
            if not all(n_shared) or streams[0][n_common] != streams[1][n_common]:
                break
            self._play(streams[0][n_common])
            n_common += 1
        if not any(n_shared) and not any(self._differ(key) for key in ("result", "loser", "places")):
            return None
        return self._parted(n_common, self._kind())

    def _differ(self, key: str) -> bool:
        return bool(self.records[0][key] != self.records[1][key])

    def _roles_differ(self) -> bool:
        first, second = self.games
        if first.over or second.over:
            return False
        return (first.attacker, first.defender) != (second.attacker, second.defender)

    def _play(self, event: Event) -> None:
        """Play a common action under both variants."""
        self.decided_before |= self.decided
        after = []
        for game in self.games:
            _wipe_notes(game)
            game.ask(event["seat"])
            after.append(tuple(game.play(parse_action(event["do"]))[1:]))
        self.after = (after[0], after[1])
        self.decided = self._noted()

    def _noted(self) -> int:
        first, second = self.games
        return int(first.state[TRIGGERED] | second.state[TRIGGERED])

    def _kind(self) -> Kind:
        first, second = self.games
        if first.over or second.over:
            return Kind.OUTCOME
        if first.askable() != second.askable() or first.to_act != second.to_act:
            return Kind.ASKED
        return Kind.CHOICE if first.legal() == second.legal() else Kind.LEGAL

    def _parted(self, n_common: int, kind: Kind) -> Parting:
        named, ground = self._explanation(kind)
        first, second = (
            Moment(
                after,
                game.attacker,
                game.defender,
                game.to_act,
                tuple(action_text(action) for action in game.legal()),
            )
            for game, after in zip(self.games, self.after, strict=True)
        )
        return Parting(n_common, kind, (first, second), tuple(named), ground)

    def _explanation(self, kind: Kind) -> tuple[list[Difference], Ground]:
        """Return the options that explain the parting, and how."""
        if kind is not Kind.CHOICE:
            for decided, ground in ((self.decided, Ground.NOW), (self.decided_before, Ground.EARLIER)):
                named = [each for each in self.options if decided >> RULE_KEYS.index(each.key) & 1]
                if named:
                    return named, ground
        earlier_deal = kind is Kind.OPENING and self._differ("previous")
        return self.options, Ground.EARLIER if earlier_deal else Ground.KNOWN


def _dealt(run: runs.Match, record: Record) -> Game:
    """Return the deal of a record with the engine's notes of its opening."""
    return Game.deal(run.variant, run.players, run.seed, record["deal"], previous=record["previous"])


def _wipe_notes(game: Game) -> None:
    """Forget which options have decided; all that are watched are put in question again."""
    game.state[TRIGGERED] = 0
    game.state[OPEN] = game.state[WATCHED]
    game.state[LIMIT_EDGE] = 0


def _bare(event: Event) -> Event:
    """Return an event without its legal actions."""
    return {key: value for key, value in event.items() if key != "legal"}
