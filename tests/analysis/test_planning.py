import pytest

from simcli.analysis.planning import _to_decide
from simcli.analysis.rates import critical_value
from simcli.analysis.setting import Setting
from simcli.analysis.sizes import deals_to_decide
from simcli.analysis.verdict import CellDifference

ALPHA, K, MARGIN, N = 0.025, 6, 0.005, 20_000
CRITICAL = critical_value(ALPHA, K)
VARIANCE = 0.1


class FakeSetting:
    margin, k = MARGIN, K


def cell(name: str, difference: float, half: float = 0.006) -> CellDifference:
    return CellDifference(name, difference, difference - half, difference + half, VARIANCE, CRITICAL)


def waited_for(*cells: CellDifference) -> tuple[str, int | None]:
    setting: Setting = FakeSetting()  # type: ignore[assignment]
    found, deals = _to_decide(cells, [VARIANCE] * len(cells), ALPHA, setting, N, is_decided=False)
    return found.cell, deals


def needed(difference: float) -> int | None:
    return deals_to_decide(difference, VARIANCE, CRITICAL, MARGIN, N).deals


def test_one_cell_beyond_is_enough_and_the_first_to_show_it_counts() -> None:
    assert waited_for(cell("0", 0.009), cell("1", 0.010), cell("2", 0.0)) == ("1", needed(0.010))


def test_all_must_lie_within_and_the_last_counts() -> None:
    assert waited_for(cell("0", 0.001), cell("1", -0.002), cell("2", 0.0)) == ("1", needed(-0.002))


def test_a_cell_as_large_as_the_margin_spoils_only_what_all_must_promise() -> None:
    assert waited_for(cell("0", 0.005), cell("1", 0.001)) == ("0", None)
    assert waited_for(cell("0", 0.005), cell("1", 0.010)) == ("1", needed(0.010))


def test_a_cell_that_lies_within_already_takes_nothing() -> None:
    assert waited_for(cell("0", 0.002, half=0.001), cell("1", 0.0)) == ("1", needed(0.0))


def test_no_plan_is_shorter_than_its_pilot() -> None:
    deals = needed(0.05)
    assert deals is not None
    assert deals < N
    assert waited_for(cell("0", 0.05, half=0.06)) == ("0", N)


@pytest.mark.parametrize("difference", [0.0, 0.01])
def test_the_pilots_own_verdict_needs_no_more(difference: float) -> None:
    setting: Setting = FakeSetting()  # type: ignore[assignment]
    cells = [cell("0", difference, half=0.001)]
    assert _to_decide(cells, [VARIANCE], ALPHA, setting, N, is_decided=True)[1] == N
