from dataclasses import replace
from typing import Any

import pytest

from simcli.analysis import phrases
from simcli.analysis.found import DifferenceRow, EffectRow
from simcli.analysis.rates import Estimate, Interval
from simcli.analysis.rows import View
from simcli.analysis.sizes import DealsNeeded
from simcli.analysis.verdict import Verdict

LATE = DifferenceRow(
    "late-transfer", 4, "thrifty", cell="0", n=300_000, count=56_700, baseline_count=58_800, rate=0.189,
    baseline_rate=0.196, difference=-0.007, interval=Interval(-0.0081, -0.0063, 0.95, "Tango", ""), p=0.0,
    p_adjusted=0.0,
)  # fmt: skip
EFFECT = EffectRow(
    "late-transfer", 4, "thrifty", pairing="deal by deal", n=300_000, cell="0", difference=-0.007,
    came_into_play=Estimate(0.31, None), affected=Estimate(0.25, None), churn=Estimate(0.12, None),
    result_changed=None, among_affected=None, variance_ratio=None, homogeneity_p=None,
    games_to_notice=60_123, games_low=None, games_high=None, fairness_before=None, fairness_after=None,
    fairness_change=None,
)  # fmt: skip
CHANGES = Verdict("changes", "0", True, False)
HEAD = "Late transfer, four thrifty players"


def sentence(
    verdict: Verdict = CHANGES, row: DifferenceRow | None = LATE, view: View | None = None, **effect: Any
) -> str:
    return phrases.verdict_sentence(
        HEAD, verdict, row, replace(EFFECT, **effect), view or View(), 0.005, "classic", False
    )


def test_a_verdict_is_one_sentence_that_a_player_understands() -> None:
    assert sentence() == (
        "Late transfer, four thrifty players: the opener loses 18.9 % of deals instead of 19.6 % "
        "(−0.7 points, −0.8 to −0.6): changes more than the margin of 0.5. It came into play in 31 % of "
        "deals; in 12 of 100 somebody else loses. You would need about 60,000 games to notice."
    )


@pytest.mark.parametrize(
    "cell, finding",
    [
        ("1", "the first defender loses 18.9 % of deals"),
        ("3", "the fourth player loses 18.9 % of deals"),
        ("drawn", "18.9 % of deals are drawn instead of 19.6 %"),
        ("stalled", "18.9 % of deals are stalled instead of 19.6 %"),
    ],
)
def test_every_cell_has_its_own_words(cell: str, finding: str) -> None:
    assert f": {finding}" in sentence(row=replace(LATE, cell=cell))


def test_who_is_first_is_told_as_such() -> None:
    told = sentence(view=View(outcome="first_out"))
    assert "the opener is out first in 18.9 % of deals" in told
    assert "somebody else is first" in told


def test_an_open_verdict_says_what_would_decide() -> None:
    told = sentence(Verdict("undecided", "0", True, False, DealsNeeded(1_100_000)))
    assert "undecided – it differs; whether by more than the margin of 0.5 is open." in told
    assert told.endswith("About 1,100,000 deals should decide.")
    wide = replace(LATE, interval=replace(LATE.interval, low=-0.015, high=0.001))
    hardly = sentence(Verdict("undecided", "0", False, False, DealsNeeded(None)), wide)
    assert "undecided – whether it changes more than the margin of 0.5 is open. It came" in hardly
    assert hardly.endswith("more deals will hardly decide.")


def test_an_open_verdict_does_not_give_a_small_change_of_another_position_for_its_own() -> None:
    wide = replace(LATE, interval=replace(LATE.interval, low=-0.015, high=0.001))
    told = sentence(Verdict("undecided", "0", True, False, DealsNeeded(None)), wide)
    assert (
        "undecided – whether it changes more than the margin of 0.5 is open; smaller changes are shown."
        in told
    )


def test_of_few_deals_it_says_that_they_are_too_few_to_say() -> None:
    told = sentence(Verdict("undecided", "0", True, False, DealsNeeded(None, is_too_early=True)))
    assert told.endswith("These are too few deals to say how many would decide.")


def test_bounds_off_zero_are_not_written_as_zero() -> None:
    near = replace(LATE, interval=replace(LATE.interval, low=-0.003, high=-0.0004))
    assert "(−0.70 points, −0.30 to −0.04)" in sentence(row=near)


def test_a_rule_without_effect_says_whether_it_came_into_play() -> None:
    nothing = Verdict("no change beyond the margin", "0", False, True)
    never = sentence(
        nothing, affected=Estimate(0.0, None), came_into_play=Estimate(0.0, None), games_to_notice=None
    )
    assert "every deal goes as under classic" in never
    assert never.endswith("It never came into play.")
    idle = sentence(nothing, affected=Estimate(0.0, None), games_to_notice=None)
    assert idle.endswith("It came into play in 31 % of deals, but no deal went otherwise.")


def test_the_same_rules_need_no_numbers() -> None:
    assert sentence(Verdict("same rules", None, False, True), None) == f"{HEAD}: the same rules as classic."


def test_independent_runs_say_nothing_of_single_deals() -> None:
    told = sentence(affected=None, churn=None)
    assert "It came into play in 31 % of deals. You would need" in told
    told = sentence(came_into_play=None, affected=None, churn=None)
    assert "How often it came into play is told by runs of one seed only. You would need" in told
    assert "somebody else" not in told


def test_a_short_title_stands_before_the_name() -> None:
    assert phrases.display_name("duel", "Perevodnoy for two") == "Perevodnoy for two (duel)"
    assert phrases.display_name("duel", "Duel") == "Duel"
    assert phrases.display_name("late-transfer", "Transfer Durak, the Kyiv agreement") == "Late transfer"


@pytest.mark.parametrize(
    "half, decimals", [(0.01, 1), (0.0006, 1), (0.0004, 2), (0.00006, 2), (0.00004, 3), (0.0, 3)]
)
def test_bounds_get_as_many_decimals_as_tell_them_apart(half: float, decimals: int) -> None:
    assert phrases.decimals_for(Interval(-half, half, 0.95, "", "")) == decimals


@pytest.mark.parametrize(
    "share, text",
    [
        (1.0, "100 %"),
        (0.9995, "99.9 %"),
        (0.994, "99 %"),
        (0.0953, "9.5 %"),
        (0.0004, "0.040 %"),
        (0.99999, "99.9 %"),
    ],
)
def test_shares_are_told_with_the_digits_they_deserve(share: float, text: str) -> None:
    assert phrases.small_percent(share) == text


@pytest.mark.parametrize(
    "view, teams, names",
    [
        (View(), False, ["the opener", "the first defender", "the third player"]),
        (
            View("dealer"),
            False,
            ["the dealer", "the dealer's left neighbour", "the second seat after the dealer"],
        ),
        (View("seat"), False, ["seat 0", "seat 1", "seat 2"]),
        (View(), True, ["the opener's team", "the first defender's team", "the third team"]),
    ],
)
def test_positions_are_called_by_what_they_are(view: View, teams: bool, names: list[str]) -> None:
    assert [phrases.player(str(position), view, teams) for position in range(3)] == names
