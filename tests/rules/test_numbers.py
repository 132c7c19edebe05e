import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcli.errors import InputError
from simcli.rules.numbers import whole_number


@pytest.mark.parametrize(
    "text, number",
    [
        ("200k", 200_000),
        ("200K", 200_000),
        ("5M", 5_000_000),
        ("1.25M", 1_250_000),
        ("2G", 2_000_000_000),
        ("1_000_000", 1_000_000),
        ("7", 7),
        ("2.0", 2),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, number: int) -> None:
    assert whole_number(text, "--deals", 1, 10**11) == number


@pytest.mark.parametrize(
    "text", ["", "k", "1.5", "1.0005k", "1__0", "_1", "1e6", "0x10", "five", "1 000", "½", "٣"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"--deals: expected a whole number from 1 to 1,000,000"):
        whole_number(text, "--deals", 1, 1_000_000)


@given(st.integers(-(10**6), 10**6), st.integers(0, 100), st.integers(100, 1000))
def test_bounds_are_kept(number: int, low: int, high: int) -> None:
    if low <= number <= high:
        assert whole_number(str(number), "--x", low, high) == number
    else:
        with pytest.raises(InputError):
            whole_number(str(number), "--x", low, high)
