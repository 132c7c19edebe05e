"""Problems read as one line each and survive the way from a worker process."""

import pickle

from simcli.errors import InputError, Problem, Problems, input_error, problems_of, refusal

LINES = [
    Problem("x.yaml", 12, "attack.limit", "expected 1 to 36, got 60"),
    Problem("y.yaml", None, None, "no"),
]


def test_an_input_error_prints_one_line_a_problem():
    assert str(input_error(LINES)) == "x.yaml:12: attack.limit: expected 1 to 36, got 60\ny.yaml: no"


def test_an_input_error_gives_its_problems_back():
    assert problems_of(input_error(LINES)) == Problems(LINES)
    assert problems_of(refusal("x", "m", line=1, key="k")) == (Problem("x", 1, "k", "m"),)
    assert problems_of(InputError("said elsewhere")) == ()


def test_an_input_error_can_be_pickled():
    copy = pickle.loads(pickle.dumps(input_error(LINES)))
    assert str(copy) == str(input_error(LINES))
    assert problems_of(copy) == Problems(LINES)


def test_a_long_list_is_cut_short_and_says_so():
    lines = str(input_error([Problem("x", number, None, "m") for number in range(25)])).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "… and 5 more problems"
