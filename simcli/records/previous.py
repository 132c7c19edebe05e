"""Whether the deal before can have ended as a record says (docs/rules.md 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from simcli.engine.layout import PARTNERS
from simcli.engine.notation import cards_in
from simcli.engine.table import new_table
from simcli.records.words import seats_text
from simcli.rules.variant import Variant
from simcli.rules.wording import choice

Places = Sequence[int | None]


class Impossible(NamedTuple):
    """What cannot be: the key within `previous`, what is wrong with it, the rule."""

    key: str
    message: str
    rule: str


def impossible_end(variant: Variant, previous: dict[str, Any]) -> Impossible | None:
    """Return the first thing about the end of a deal that the rules rule out, or None.

    Parameters
    ----------
    variant : Variant
        The rules, seated.
    previous : dict
        ``dealer``, ``loser``, ``places`` and ``result``, well formed.
    """
    return next(_End(variant, previous).faults(), None)


class _End:
    """The end of a deal, looked at from all sides."""

    def __init__(self, variant: Variant, previous: dict[str, Any]) -> None:
        self.result: str = previous["result"]
        self.loser: int | None = previous["loser"]
        self.places: Places = previous["places"]
        self.last_loses = variant.end.objective == "last_loses"
        self.shared = variant.end.tie == "shared"
        self.tie = variant.end.tie
        table = new_table(variant, variant.players)
        self.teams = [frozenset(cards_in(int(table[PARTNERS + seat]))) for seat in range(variant.players)]
        self.has_teams = variant.teams != "none"
        self.unplaced = self._seats_at(None)
        decided = sorted({place for place in self.places if place is not None})
        self.groups = [self._seats_at(place) for place in decided]

    def _seats_at(self, place: int | None) -> list[int]:
        return [seat for seat, got in enumerate(self.places) if got == place]

    def faults(self) -> Iterator[Impossible]:
        """Yield what is wrong, the result before the places and these before the loser."""
        yield from self._result()
        yield from self._counted()
        if self.result == "stalled":
            yield from self._stalled()
        elif not self.last_loses:
            yield from self._first_out()
        elif self.unplaced:
            yield self._wrong_places("a place for every seat", "6.3")
        elif self.result == "drawn":
            yield from self._drawn()
        else:
            yield from self._lost()

    def _wrong_places(self, expected: str, rule: str) -> Impossible:
        told = ", ".join("null" if place is None else str(place) for place in self.places)
        return Impossible("places", f"expected {expected}, got [{told}]", rule)

    def _wrong_loser(self, expected: str, rule: str) -> Impossible:
        got = "null" if self.loser is None else f"seat {self.loser}"
        return Impossible("loser", f"expected {expected}, got {got}", rule)

    def _result(self) -> Iterator[Impossible]:
        if not self.last_loses:
            words, rule = ["won", "drawn", "stalled"], "6.4"
        elif self.shared:
            words, rule = ["lost", "drawn", "stalled"], "6.3"
        else:
            words, rule = ["lost", "stalled"], "6.3"
        if self.result not in words:
            rules = f"{'last_loses' if self.last_loses else 'first_out_wins'} and {self.tie}"
            yield Impossible("result", f"under {rules} expected {choice(words)}, got {self.result}", rule)

    def _counted(self) -> Iterator[Impossible]:
        """Check that each place is one more than the number of seats that left before."""
        n_before = 0
        for group in self.groups:
            if self.places[group[0]] != n_before + 1:
                yield self._wrong_places(
                    "places counted from 1, equal ones sharing the smaller number", "6.2"
                )
                return
            n_before += len(group)

    def _is_one_team(self, seats: Sequence[int]) -> bool:
        return not seats or self.teams[seats[0]].issuperset(seats)

    def _stalled(self) -> Iterator[Impossible]:
        if not self.last_loses and self.groups:
            yield self._wrong_places("no places, since the first one ends a deal", "6.4")
        if self._is_one_team(self.unplaced):
            what = "teams" if self.has_teams else "seats"
            yield self._wrong_places(f"at least two {what} without place after a stalled deal", "6.5")
        if self.loser is not None:
            yield self._wrong_loser("null after a stalled deal", "6.5")

    def _first_out(self) -> Iterator[Impossible]:
        """Check a deal that ended with the first bout in which anybody left."""
        first = self.groups[0] if self.groups else []
        after = [seat for group in self.groups[1:] for seat in group]
        if self.result == "won" and len(first) != 1:
            yield self._wrong_places("one seat with place 1 after a deal that was won", "6.4")
        if self.result == "drawn" and len(first) < 2:
            yield self._wrong_places("several seats with place 1 after a drawn deal", "6.4")
        if not self.shared and len(first) == len(self.places):
            yield self._wrong_places("a place of its own for the final defender", "6.2")
        if len(after) > (0 if self.shared else 1):
            who = "" if self.shared else ", and one after it for the final defender"
            yield self._wrong_places(f"no place but 1{who}", "6.4")
        alone = self.unplaced[0] if self.result == "won" and len(self.unplaced) == 1 else None
        if self.loser != alone:
            yield self._wrong_loser(
                "null" if alone is None else f"seat {alone}, left alone with cards", "6.4"
            )

    def _drawn(self) -> Iterator[Impossible]:
        if self._is_one_team(self.groups[-1]):
            yield self._wrong_places("a shared last place after a drawn deal", "6.3")
        if self.loser is not None:
            yield self._wrong_loser("null after a drawn deal", "6.3")

    def _lost(self) -> Iterator[Impossible]:
        last = self.groups[-1]
        rule = "6.6" if self.has_teams else "6.3"
        if not self._is_one_team(last):
            owner = "one team" if self.has_teams else "the loser alone"
            yield self._wrong_places(f"the last place for {owner}", rule)
        if self.loser not in last:
            yield self._wrong_loser(f"{seats_text(last)}, last by the places", rule)
        # The last to leave were opponents, or the deal would have been over before.
        leavers = self.groups[-2]
        if not self.shared and len(leavers) == 1 and len(self.groups) > 2:
            leavers = leavers + self.groups[-3]  # the final defender and those who left with it
        if self.teams[last[0]].issuperset(leavers):
            yield self._wrong_places("an end as soon as one team is left", rule)
