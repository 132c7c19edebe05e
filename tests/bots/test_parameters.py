"""What a bot is set to, as people write it, and every fault of it at once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.bots.lineup import LABEL_LENGTH, Lineup, parse_lineup, read_bot, seat_bot
from simcli.bots.parameters import Parameter, Reader, parameters_text
from simcli.bots.registry import BOTS
from simcli.engine.layout import BOT, MAX_PLAYERS, N_BOT_PARAMS
from simcli.engine.seats import bot_param
from simcli.engine.table import new_table
from simcli.errors import InputError
from simcli.rules.variant import Variant

PARAMETERS = (
    Parameter("playouts", "How many.", 64, low=1, high=4096, is_bare=True),
    Parameter("depth", "How far.", 2, low=0, high=100),
    Parameter("transfer", "Whether.", "default", words=("default", "always", "never")),
)


def read(text: str) -> tuple[tuple[int, ...], list[str]]:
    """Return the codes and the faults of some parameters."""
    reader = Reader("bot", PARAMETERS, [])
    return reader.codes(text.split(":") if text else []), reader.faults


@pytest.mark.parametrize(
    "text, codes",
    [
        ("", (64, 2, 0)),
        ("64", (64, 2, 0)),
        ("playouts=64", (64, 2, 0)),
        ("1_000:depth=0", (1000, 0, 0)),
        ("transfer=never:depth=3:playouts=8", (8, 3, 2)),
        ("007", (7, 2, 0)),
    ],
)
def test_values_stand_by_name_or_bare_in_the_first_place(text: str, codes: tuple[int, ...]) -> None:
    assert read(text) == (codes, [])


@pytest.mark.parametrize(
    "text, faults",
    [
        ("0", ["bot: playouts: expected a whole number from 1 to 4,096, got 0"]),
        ("9" * 400, [f"bot: playouts: expected a whole number from 1 to 4,096, got {'9' * 40}…"]),
        ("playouts=", ["bot: playouts: expected a whole number from 1 to 4,096, got nothing"]),
        ("depth=-1", ["bot: depth: expected a whole number from 0 to 100, got -1"]),
        ("depth=1.5", ["bot: depth: expected a whole number from 0 to 100, got 1.5"]),
        ("depth=٣", ["bot: depth: expected a whole number from 0 to 100, got ٣"]),
        (
            "transfer=nevr",
            ["bot: transfer: expected default, always or never, got nevr – did you mean never?"],
        ),
        ("depth=1:5", ["bot: expected playouts=…, depth=… or transfer=…, got 5"]),
        ("8:playouts=9", ["bot: playouts: expected one value, got a second one (playouts=9)"]),
        ("dept=1", ["bot: expected playouts=…, depth=… or transfer=…, got dept=1 – did you mean depth=…?"]),
        ("8:", ["bot: expected playouts=…, depth=… or transfer=…, got nothing"]),
        (
            "0:depth=x:never",
            [
                "bot: playouts: expected a whole number from 1 to 4,096, got 0",
                "bot: depth: expected a whole number from 0 to 100, got x",
                "bot: expected playouts=…, depth=… or transfer=…, got never",
            ],
        ),
    ],
)
def test_every_fault_is_told(text: str, faults: list[str]) -> None:
    assert read(text)[1] == faults


def test_all_faults_of_all_seats_and_their_number_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_lineup("montecarlo:0:depth=x,thrifty:transfer=no,lowset", 4)
    assert str(caught.value).splitlines() == [
        "--bots: expected one bot, or 4 for 4 players, got 3",
        "--bots: seat 0: montecarlo: playouts: expected a whole number from 1 to 4,096, got 0",
        "--bots: seat 0: montecarlo: depth: expected a whole number from 0 to 100, got x",
        "--bots: seat 1: thrifty: transfer: expected default, always or never, got no",
        f"--bots: seat 2: expected a bot ({', '.join(BOTS)}, or FILE.py:FUNCTION), got lowset "
        "– did you mean lowest?",
    ]


@pytest.mark.parametrize(
    "text, canonical",
    [
        ("montecarlo:64", "montecarlo"),
        ("montecarlo:playouts=32", "montecarlo:32"),
        ("montecarlo:depth=3:playouts=64", "montecarlo:depth=3"),
        ("montecarlo:depth=2:playouts=0_032", "montecarlo:32"),
        ("thrifty:transfer=default", "thrifty"),
        ("thrifty:transfer=never", "thrifty:transfer=never"),
    ],
)
def test_a_bot_has_one_canonical_text_with_the_defaults_left_out(text: str, canonical: str) -> None:
    assert read_bot(text).text == canonical
    assert parse_lineup(text, 3).text == canonical


codes = st.tuples(st.integers(1, 4096), st.integers(0, 100), st.integers(0, 2))


@given(codes)
def test_what_is_written_is_read_back(values: tuple[int, int, int]) -> None:
    assert read(parameters_text(PARAMETERS, values).removeprefix(":")) == (values, [])


@given(st.integers(1, 4096), st.integers(0, 100), st.integers(1, 4096), st.integers(0, 100))
def test_folders_of_different_settings_have_different_names(a: int, b: int, c: int, d: int) -> None:
    one, other = (parse_lineup(f"montecarlo:{n}:depth={depth},lowest", 2) for n, depth in ((a, b), (c, d)))
    assert len(one.label) <= LABEL_LENGTH
    assert set(one.label) <= set("abcdefghijklmnopqrstuvwxyz0123456789+-")
    assert (one.label == other.label) == (one == other)


def test_the_state_holds_what_each_seat_is_set_to() -> None:
    lineup = parse_lineup("thrifty:transfer=never,montecarlo:32:depth=5,lowest", 3)
    state = new_table(Variant(), 3)
    state[BOT : BOT + len(lineup.slots)] = lineup.slots
    assert len(lineup.slots) == MAX_PLAYERS + 3 * N_BOT_PARAMS
    assert [[bot_param(state, seat, i) for i in range(2)] for seat in range(3)] == [[2, 0], [32, 5], [0, 0]]
    other = new_table(Variant(), 3)
    for seat, bot in enumerate(lineup.seats):
        seat_bot(other, seat, bot)
    assert (state == other).all()


def test_a_shipped_bot_has_a_sentence_for_every_parameter() -> None:
    for entry in BOTS.values():
        for parameter in entry.parameters:
            assert parameter.description.endswith(".")
            assert parameter.code_of(str(parameter.default)) == parameter.default_code
            assert parameter.text_of(parameter.default_code) == str(parameter.default)


def test_rotations_seat_each_bot_everywhere_once() -> None:
    lineup = parse_lineup("montecarlo:32,thrifty,lowest", 3)
    assert [each.text for each in lineup.rotations()] == [
        "montecarlo:32,thrifty,lowest",
        "lowest,montecarlo:32,thrifty",
        "thrifty,lowest,montecarlo:32",
    ]
    assert len(Lineup(("lowest", "thrifty") * 3).rotations()) == 2
    assert Lineup(("lowest",) * 4).rotations() == [Lineup(("lowest",) * 4)]
