"""The variant model: frozen, strict, and free of contradictions."""

import pytest
from pydantic import ValidationError

from simcli.errors import InputError
from simcli.rules.variant import (
    Attack,
    Draw,
    End,
    PassCard,
    ThrowIn,
    Transfer,
    Variant,
    option_value,
    seat,
)


def test_first_limit_left_out_equals_limit():
    assert Attack(limit=4).first_limit == 4
    assert Attack().first_limit == 6
    assert Attack(limit=4, first_limit=2).first_limit == 2


def test_variants_with_equal_rules_are_equal_and_hash_alike():
    one, other = Variant(attack=Attack(limit=6, first_limit=6)), Variant()
    assert one == other
    assert hash(one) == hash(other)


def test_a_variant_cannot_be_changed():
    variant = Variant()
    with pytest.raises(ValidationError):
        variant.players = 3
    with pytest.raises(ValidationError):
        variant.attack.limit = 3


@pytest.mark.parametrize(
    "arguments",
    [
        {"players": "4"},
        {"players": 4.0},
        {"players": True},
        {"players": 7},
        {"deck": 32},
        {"teams": "2"},
        {"unknown": 1},
        {"name": "two words"},
        {"name": ""},
        {"throw_in": {"on_pickup": 1}},
        {"attack": {"limit": 37}},
        {"end": {"stall_bouts": 0}},
        {"transfer": None},
    ],
    ids=str,
)
def test_the_model_converts_nothing_and_knows_its_bounds(arguments):
    with pytest.raises(ValidationError):
        Variant(**arguments)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"attack": Attack(limit=3, first_limit=4)}, "first_limit 4 and limit 3"),
        ({"players": 5, "max_players": 4}, "players 5 and max_players 4"),
        ({"players": 5, "deck": 24}, "at most 4 players with 24 cards"),
        (
            {"transfer": Transfer(mode="none"), "pass_card": PassCard(enabled=True)},
            "transfer.mode early or late",
        ),
        ({"teams": 2, "players": 5}, "4 or 6 players with 2 teams"),
        ({"teams": 2, "players": 2}, "4 or 6 players with 2 teams"),
        ({"teams": 3, "players": 4}, "6 players with 3 teams"),
        ({"teams": 2, "end": End(objective="first_out_wins")}, "last_loses with 2 teams"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_contradicting_agreements_are_refused(arguments, message):
    with pytest.raises(ValidationError, match=message):
        Variant(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"teams": 2, "players": 4},
        {"teams": 2, "players": 6},
        {"teams": 3, "players": 6},
        {"deck": 24, "players": 4},
        {"players": 6},
        {"transfer": Transfer(mode="late"), "pass_card": PassCard(enabled=True)},
        {"attack": Attack(limit=36, first_limit=1)},
        {"throw_in": ThrowIn(who="none"), "draw": Draw(first="join_order")},
    ],
    ids=str,
)
def test_fitting_agreements_are_accepted(arguments):
    variant = Variant(**arguments)
    assert all(option_value(variant, key) == value for key, value in arguments.items())


def test_seat_keeps_the_default_size_and_everything_else():
    variant = Variant(teams=2)
    assert seat(variant) is variant
    assert seat(variant, 4) == variant
    assert seat(variant, 6) == Variant(teams=2, players=6)


@pytest.mark.parametrize(
    "variant, players, message",
    [
        (Variant(), 1, "unnamed: players: expected 2 to 6, got 1"),
        (Variant(), 7, "unnamed: players: expected 2 to 6, got 7"),
        (Variant(name="x", max_players=4), 5, "x: players: expected players at most max_players"),
        (Variant(name="x", deck=24), 5, "x: players: expected at most 4 players with 24 cards"),
        (Variant(name="x", teams=2), 3, "x: players: expected 4 or 6 players with 2 teams, got 3"),
        (Variant(name="x", teams=2), 5, "x: players: expected 4 or 6 players with 2 teams, got 5"),
    ],
)
def test_seat_refuses_a_table_that_does_not_fit(variant, players, message):
    with pytest.raises(InputError, match=message):
        seat(variant, players)


def test_seat_names_every_reason_at_once():
    with pytest.raises(InputError) as caught:
        seat(Variant(name="x", teams=2, deck=24, max_players=4), 5)
    assert str(caught.value).count("x: players: ") == 3
