import pytest

from simcli.analysis.rates import Estimate, Interval
from simcli.analysis.sizes import DealsNeeded
from simcli.analysis.verdict import MARGIN, CellDifference, difference_word, judge

N = 300_000


def cell(low: float, high: float, name: str = "0", variance: float = 0.1) -> CellDifference:
    return CellDifference(name, (low + high) / 2, low, high, variance, 2.64)


QUIET = cell(-0.001, 0.001, "1")


def test_an_undecided_verdict_names_a_cell_that_is_open() -> None:
    small = CellDifference("drawn", 0.003, 0.002, 0.004, 0.1, 3.0)
    wide = CellDifference("0", 0.002, -0.002, 0.006, 0.1, 3.0)
    verdict = judge([small, wide], 10_000)
    assert (verdict.verdict, verdict.cell, verdict.differs) == ("undecided", "0", True)


def test_the_same_rules_need_no_numbers() -> None:
    verdict = judge([cell(0.2, 0.3)], N, same_rules=True, affected=0)
    assert (verdict.verdict, verdict.cell, verdict.differs) == ("same rules", None, False)


@pytest.mark.parametrize("low, high", [(0.0051, 0.02), (-0.02, -0.0051)])
def test_an_interval_beyond_the_margin_changes(low: float, high: float) -> None:
    verdict = judge([QUIET, cell(low, high)], N)
    assert (verdict.verdict, verdict.cell, verdict.differs) == ("changes", "0", True)


def test_the_cell_farthest_beyond_is_named_and_not_the_largest_difference() -> None:
    wide, narrow = cell(0.006, 0.1, "wide"), cell(-0.012, -0.010, "narrow")
    assert judge([wide, narrow], N).cell == "narrow"


def test_one_cell_beyond_is_enough_whatever_the_others() -> None:
    assert judge([cell(-0.3, 0.3, "open"), cell(0.01, 0.02)], N).verdict == "changes"


def test_all_inside_and_one_off_zero_is_too_small_to_matter() -> None:
    verdict = judge([QUIET, cell(0.001, 0.003)], N)
    assert (verdict.verdict, verdict.cell, verdict.differs) == ("too small to matter", "0", True)


def test_all_inside_and_none_off_zero_is_no_change() -> None:
    verdict = judge([QUIET, cell(-0.002, 0.003)], N, affected=12)
    assert (verdict.verdict, verdict.differs) == ("no change beyond the margin", False)
    assert verdict.text == "no change beyond the margin"


def test_a_rule_that_touched_no_deal_never_came_into_play() -> None:
    verdict = judge([QUIET], N, affected=0)
    assert verdict.text == "no change beyond the margin: never came into play"


@pytest.mark.parametrize("low, high", [(-0.004, MARGIN), (-MARGIN, 0.004), (MARGIN, 0.02), (-0.02, -MARGIN)])
def test_an_interval_that_touches_the_margin_is_open(low: float, high: float) -> None:
    assert judge([QUIET, cell(low, high)], N).verdict == "undecided"


def test_open_but_off_zero_says_that_it_differs() -> None:
    verdict = judge([QUIET, cell(0.002, 0.009)], N)
    assert verdict.differs
    assert verdict.text == "undecided: differs; whether by more than the margin is open"
    assert not judge([QUIET, cell(-0.002, 0.009)], N).differs


def test_the_most_demanding_open_cell_says_how_many_deals() -> None:
    easy, hard = cell(-0.0055, 0.0015, "easy", 0.01), cell(-0.004, 0.006, "hard", 0.1)
    gap = (MARGIN - 0.001) ** 2
    expected = DealsNeeded(round(0.1 * (2.64 + 1.28) ** 2 / gap, -3))
    assert judge([easy, hard, QUIET], N).needed == expected


def test_one_cell_at_the_margin_leaves_little_hope() -> None:
    assert judge([cell(0.004, 0.006), cell(-0.004, 0.006)], N).needed == DealsNeeded(None)


def test_a_decision_names_no_further_deals() -> None:
    assert judge([QUIET], N).needed is None


def test_no_deals_are_undecided() -> None:
    verdict = judge([CellDifference("0", 0.0, -1.0, 1.0, 1.0, 2.64)], 0, affected=0)
    assert (verdict.verdict, verdict.needed) == ("undecided", DealsNeeded(None, is_too_early=True))


def test_numbers_are_judged_as_they_are_and_not_as_they_are_printed() -> None:
    assert judge([cell(0.00500001, 0.006)], N).verdict == "changes"
    assert judge([cell(0.001, 0.00499999)], N).verdict == "too small to matter"


@pytest.mark.parametrize(
    "low, high, word", [(0.1, 0.3, "changes"), (-0.3, -0.1, "changes"), (-0.1, 0.1, None)]
)
def test_nothing_lies_within_a_margin_of_nothing(low: float, high: float, word: str | None) -> None:
    change = Estimate((low + high) / 2, Interval(low, high, 0.95, "t", "alone"))
    assert difference_word(change, 0.0) == word
