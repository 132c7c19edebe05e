import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.bots.choose import LOWEST, RANDOM
from simcli.bots.lineup import LABEL_LENGTH, Lineup, parse_lineup
from simcli.bots.registry import BOTS
from simcli.errors import InputError

bots = st.sampled_from(sorted(BOTS))
NAMES = ", ".join(BOTS)


def test_one_bot_sits_everywhere() -> None:
    assert parse_lineup("lowest", 3).bots == ("lowest", "lowest", "lowest")


def test_seats_are_filled_in_order() -> None:
    lineup = parse_lineup("random, lowest", 2)
    assert lineup.bots == ("random", "lowest")
    assert lineup.codes == (RANDOM, LOWEST)


def test_equal_seats_are_written_as_one() -> None:
    assert parse_lineup("lowest,lowest", 2).text == "lowest"


@given(st.lists(bots, min_size=2, max_size=6))
def test_the_text_of_a_lineup_is_read_back(seats: list[str]) -> None:
    lineup = Lineup(tuple(seats))
    assert parse_lineup(lineup.text, len(seats)) == lineup


@given(st.lists(bots, min_size=2, max_size=6), st.lists(bots, min_size=2, max_size=6))
def test_labels_are_short_file_names_and_differ_as_lineups_do(first: list[str], second: list[str]) -> None:
    one, other = Lineup(tuple(first)), Lineup(tuple(second))
    assert len(one.label) <= LABEL_LENGTH
    assert set(one.label) <= set("abcdefghijklmnopqrstuvwxyz0123456789+-")
    assert (one.label == other.label) == (one.text == other.text)


def test_a_long_label_keeps_its_beginning_and_a_hash() -> None:
    label = Lineup(("random", "lowest") * 3).label
    assert label.startswith("random+lowest+random")
    assert len(label) == LABEL_LENGTH


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "lowset",
            f"--bots: expected a bot ({NAMES}, or FILE.py:FUNCTION), got lowset – did you mean lowest?",
        ),
        ("", f"--bots: expected a bot ({NAMES}, or FILE.py:FUNCTION), got nothing"),
        ("lowest,random,lowest", "--bots: expected one bot, or 2 for 2 players, got 3"),
        ("lowest,", f"--bots: seat 1: expected a bot ({NAMES}, or FILE.py:FUNCTION), got nothing"),
        ("lowest:64", "--bots: expected lowest alone, it takes no parameters, got 64"),
        ("lowest:", "--bots: expected lowest alone, it takes no parameters, got a colon"),
    ],
)
def test_what_is_no_lineup_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_lineup(text, 2)
    assert str(caught.value) == message


def test_all_problems_of_a_lineup_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_lineup("lowest:1,monte,my_bot.py:choose:k=2", 3)
    lines = str(caught.value).splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["seat 0", "seat 1", "seat 2"]
    assert "there is no my_bot.py" in lines[2]


def test_bots_have_numbers_of_their_own_and_a_description() -> None:
    assert len({entry.code for entry in BOTS.values()}) == len(BOTS)
    assert all(entry.description.endswith(".") for entry in BOTS.values())
