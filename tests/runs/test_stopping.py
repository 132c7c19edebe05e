import math

import pytest

from simcli.runs.stopping import LOOK, StoppingRule, deals_for_any_half_width, next_look, widest_half_width
from simcli.runs.summary import Summary, wilson


def summary(*decided: int, drawn: int = 0) -> Summary:
    return Summary(sum(decided) + drawn, decided, drawn, 0, {}, {})


def test_the_widest_interval_counts_whichever_row_it_is_in() -> None:
    low, high = wilson(50, 100)
    assert widest_half_width(summary(20, 30, drawn=50)) == pytest.approx((high - low) / 2)
    assert widest_half_width(summary(50, 30, drawn=20)) == pytest.approx((high - low) / 2)


@pytest.mark.parametrize("half_width", [0.4, 0.005, 0.001, 0.0003])
def test_no_rate_is_wider_at_the_look_by_which_any_is_narrow(half_width: float) -> None:
    deals = deals_for_any_half_width(half_width)
    assert deals % LOOK == 0
    assert widest_half_width(summary(deals // 2, deals // 2)) <= half_width
    if deals > LOOK:
        earlier = deals - LOOK
        assert widest_half_width(summary(earlier // 2, earlier // 2)) > half_width


def test_looks_are_multiples_and_there_is_none_at_zero() -> None:
    assert [next_look(deals) for deals in (0, 1, LOOK, LOOK + 1)] == [LOOK, LOOK, LOOK, 2 * LOOK]


def test_only_a_half_width_can_be_sure_to_come() -> None:
    most = deals_for_any_half_width(0.01)
    assert StoppingRule("half-width", 0.01, most).always_holds_in_time
    assert not StoppingRule("half-width", 0.001, most).always_holds_in_time
    assert not StoppingRule("decided", 0.01, most).always_holds_in_time
    assert math.isclose(StoppingRule("decided", 0.01, most).as_mapping()["margin"], 0.01)
