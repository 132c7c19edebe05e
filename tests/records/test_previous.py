"""The deal before ended as a deal can end: every end that the rules allow, and no other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import pytest

from simcli.records.previous import impossible_end
from simcli.rules.load import variant_from_mapping
from simcli.rules.variant import Variant

End = tuple[str, int | None, tuple[int | None, ...]]
"""Result, loser and places."""


def table(players: int, objective: str, tie: str, teams: str | int = "none") -> Variant:
    mapping: dict[str, Any] = {"name": "test", "players": players, "teams": teams}
    return variant_from_mapping({**mapping, "end": {"objective": objective, "tie": tie}})


def ends_of(variant: Variant) -> set[End]:
    """Return all ends that come of seats leaving bout by bout, whoever defends."""
    nobody: tuple[int | None, ...] = (None,) * variant.players
    return set(_ends(variant, frozenset(range(variant.players)), nobody))


def _ends(variant: Variant, active: frozenset[int], places: tuple[int | None, ...]) -> Iterator[End]:
    yield "stalled", None, places
    for n_leavers in range(1, len(active) + 1):
        for leavers in combinations(sorted(active), n_leavers):
            for defender in sorted(active):
                yield from _after(variant, active, places, leavers, defender)


def _after(
    variant: Variant,
    active: frozenset[int],
    places: tuple[int | None, ...],
    leavers: tuple[int, ...],
    defender: int,
) -> Iterator[End]:
    late = variant.end.tie == "defender_last" and defender in leavers
    first = 1 + variant.players - len(active)
    got = list(places)
    for seat in leavers:
        got[seat] = first + len(leavers) - 1 if late and seat == defender else first
    left = sorted(active - set(leavers))
    if variant.end.objective == "first_out_wins":
        if got.count(1) > 1:
            yield "drawn", None, tuple(got)
        else:
            yield "won", left[0] if len(left) == 1 else None, tuple(got)
    elif not left:
        shared = variant.end.tie == "shared"
        yield "drawn" if shared else "lost", None if shared else defender, tuple(got)
    elif len({_team(variant, seat) for seat in left}) == 1:
        for seat in left:
            got[seat] = 1 + variant.players - len(left)
        yield "lost", min(left, key=lambda seat: (seat - defender) % variant.players), tuple(got)
    else:
        yield from _ends(variant, frozenset(left), tuple(got))


def _team(variant: Variant, seat: int) -> int:
    return seat if variant.teams == "none" else seat % int(variant.teams)


TIES = ("shared", "defender_last")
GAMES = [
    *product((2, 3, 4), ("last_loses", "first_out_wins"), TIES, ("none",)),
    *product((4,), ("last_loses",), TIES, (2,)),
]


@pytest.mark.parametrize("players, objective, tie, teams", GAMES)
def test_exactly_the_ends_that_seats_leaving_lead_to_are_possible(
    players: int, objective: str, tie: str, teams: str | int
) -> None:
    variant = table(players, objective, tie, teams)
    seats, places = [None, *range(players)], [None, *range(1, players + 1)]
    accepted = {
        (result, loser, found)
        for result in ("lost", "drawn", "won", "stalled")
        for loser in seats
        for found in product(places, repeat=players)
        if impossible_end(variant, _previous((result, loser, found))) is None
    }
    assert accepted == ends_of(variant)


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("teams", [2, 3])
def test_every_end_of_six_partners_is_possible(tie: str, teams: str | int) -> None:
    variant = table(6, "last_loses", tie, teams)
    # The seats are alike but for turning the table: it is enough that seat 0 leaves first.
    ends = set(_after(variant, frozenset(range(6)), (None,) * 6, (0,), 0))
    assert len(ends) > 500
    assert [end for end in ends if impossible_end(variant, _previous(end)) is not None] == []


def _previous(end: End) -> dict[str, Any]:
    result, loser, places = end
    return {"dealer": 0, "loser": loser, "places": list(places), "result": result}


WRONG: dict[str, tuple[Variant, End, str]] = {
    "places reversed": (
        table(3, "last_loses", "shared"),
        ("lost", 0, (1, 3, 2)),
        "loser: expected seat 1, last by the places, got seat 0 (6.3)",
    ),
    "no places beside a loser": (
        table(3, "last_loses", "shared"),
        ("lost", 0, (None, None, None)),
        "places: expected a place for every seat, got [null, null, null] (6.3)",
    ),
    "all first beside a loser": (
        table(3, "last_loses", "shared"),
        ("lost", 0, (1, 1, 1)),
        "places: expected the last place for the loser alone, got [1, 1, 1] (6.3)",
    ),
    "a gap": (
        table(3, "last_loses", "shared"),
        ("lost", 2, (1, 1, 2)),
        "places: expected places counted from 1, equal ones sharing the smaller number, got [1, 1, 2] (6.2)",
    ),
    "drawn with a loser": (
        table(3, "last_loses", "shared"),
        ("drawn", 1, (1, 2, 2)),
        "loser: expected null after a drawn deal, got seat 1 (6.3)",
    ),
    "drawn where there are no draws": (
        table(3, "last_loses", "defender_last"),
        ("drawn", None, (1, 2, 2)),
        "result: under last_loses and defender_last expected lost or stalled, got drawn (6.3)",
    ),
    "won where the last loses": (
        table(3, "last_loses", "shared"),
        ("won", None, (1, None, None)),
        "result: under last_loses and shared expected lost, drawn or stalled, got won (6.3)",
    ),
    "stalled with one seat left": (
        table(3, "last_loses", "shared"),
        ("stalled", None, (1, 2, None)),
        "places: expected at least two seats without place after a stalled deal, got [1, 2, null] (6.5)",
    ),
    "no loser of two": (
        table(2, "first_out_wins", "shared"),
        ("won", None, (1, None)),
        "loser: expected seat 1, left alone with cards, got null (6.4)",
    ),
    "an end that came too late": (
        table(4, "last_loses", "shared", 2),
        ("lost", 3, (1, 3, 2, 4)),
        "places: expected an end as soon as one team is left, got [1, 3, 2, 4] (6.6)",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_impossible_end_is_named_with_its_rule(what: str) -> None:
    variant, end, said = WRONG[what]
    found = impossible_end(variant, _previous(end))
    assert found is not None
    assert f"{found.key}: {found.message} ({found.rule})" == said
