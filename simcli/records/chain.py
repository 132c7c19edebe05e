"""How the records of a file belong together: sessions, and the numbers of their deals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from simcli.records.recordfile import GameRecord
from simcli.rules.canonical import rules_hash

Fault = tuple[str, str]
"""Key and message."""


class Chain:
    """The records of a file, each findable from the deal that follows it."""

    def __init__(self, records: Iterable[GameRecord]) -> None:
        self.records = list(records)
        self._place = {id(record): place for place, record in enumerate(self.records)}
        self._by_number: dict[Any, list[GameRecord]] = {}
        for record in self.records:
            key = (_run_of(record), record.data.get("session"), record.data.get("deal_in_session"))
            self._by_number.setdefault(key, []).append(record)

    def neighbour(self, record: GameRecord) -> GameRecord | None:
        """Return the record that stands before this one, if it is of the same run."""
        place = self._place[id(record)]
        if place == 0 or _run_of(self.records[place - 1]) != _run_of(record):
            return None
        return self.records[place - 1]

    def before(self, record: GameRecord) -> GameRecord | None:
        """Return the record of the session's deal before, wherever it stands; of several the nearest."""
        session, number, deal = (record.data.get(key) for key in ("session", "deal_in_session", "deal"))
        if session is None or not number:
            return None
        found = [
            each
            for each in self._by_number.get((_run_of(record), session, number - 1), ())
            if deal is None or each.data.get("deal") in (deal - 1, None)
        ]
        here = self._place[id(record)]
        return min(found, key=lambda each: abs(self._place[id(each)] - here), default=None)


def _run_of(record: GameRecord) -> tuple[Any, ...]:
    """Return what the records of one run have in common."""
    data = record.data
    bots = data.get("bots")
    seats = None if bots is None else tuple(bots)
    return rules_hash(record.variant), record.variant.players, data.get("seed"), seats


def fault_of_numbers(record: GameRecord, neighbour: GameRecord | None) -> Fault | None:
    """Return what is wrong with ``deal``, ``session`` and ``deal_in_session``, or None.

    Parameters
    ----------
    record : GameRecord
        The record.
    neighbour : GameRecord or None
        The record before it in the file, if it is of the same run.
    """
    numbers = _numbers_of(record)
    if numbers is None:
        return None
    if not numbers.fit():
        return "deal", (
            f"expected session × K + deal_in_session with sessions of K deals, got {numbers.deal} "
            f"with session {numbers.session} and deal_in_session {numbers.in_session}"
        )
    before = None if neighbour is None else _numbers_of(neighbour)
    return None if before is None else _fault_of_step(numbers, before)


class _Numbers(NamedTuple):
    """Where a deal stands in its run."""

    deal: int
    session: int
    in_session: int

    def fit(self) -> bool:
        """Return whether there is a length of sessions that gives these numbers."""
        first = self.deal - self.in_session
        if self.session == 0:
            return first == 0
        return first % self.session == 0 and first // self.session > self.in_session

    def next_ones(self) -> list[tuple[int, int]]:
        """Return what session and deal_in_session of the next deal can be."""
        if self.session == 0:  # the first session does not show how long it is
            return [(0, self.deal + 1), (1, 0)]
        return [divmod(self.deal + 1, (self.deal - self.in_session) // self.session)]


def _numbers_of(record: GameRecord) -> _Numbers | None:
    data = record.data
    deal, session, in_session = (data.get(key) for key in ("deal", "session", "deal_in_session"))
    if deal is None or session is None or in_session is None:
        return None
    return _Numbers(deal, session, in_session)


def _fault_of_step(numbers: _Numbers, before: _Numbers) -> Fault | None:
    """Compare a deal with the one before it in the file, if they come one after the other."""
    deal, session, in_session = numbers
    follows = session == before.session and in_session == before.in_session + 1
    if follows and deal != before.deal + 1:
        return "deal", f"expected {before.deal + 1}, the next of session {session}, got {deal}"
    if not before.fit() or deal != before.deal + 1 or (session, in_session) in before.next_ones():
        return None
    expected = " or ".join(f"{number} and {place}" for number, place in before.next_ones())
    return "session", (
        f"expected session and deal_in_session {expected} after deal {before.deal}, "
        f"got {session} and {in_session}"
    )
