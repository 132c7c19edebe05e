"""Which weights are tuned at which tables."""

import numpy as np
import pytest

from simcli.bots.thrifty_weights import STAGE_NAMES, WEIGHTS, table_of
from simcli.rules.load import load_variant
from simcli.rules.variant import seat
from simcli.tuning.vector import chapters, stages_of, weights_with_a_say


@pytest.mark.parametrize(
    "name, players, stages",
    [
        ("classic", 2, ["early, two seats", "late, two seats", "end, two seats"]),
        ("classic", 5, ["late, three seats or more", "end, three seats or more", "end, two seats"]),
        ("classic", 6, ["end, three seats or more", "end, two seats"]),
        ("regular", 3, [f"{stock}, three or more, first out wins" for stock in ("early", "late", "end")]),
        ("regular", 2, ["early, two seats", "late, two seats", "end, two seats"]),
    ],
)
def test_the_stages_of_a_table(name: str, players: int, stages: list[str]) -> None:
    assert [STAGE_NAMES[stage] for stage in stages_of(seat(load_variant(name), players))] == stages


@pytest.mark.parametrize(
    "name, idle",
    [
        ("classic", {"show"}),
        ("podkidnoy", {"pair", "transfer", "show"}),
        ("pass-card", set()),
    ],
)
def test_weights_without_a_say_are_left_alone(name: str, idle: set[str]) -> None:
    assert set(WEIGHTS._fields) - set(weights_with_a_say(load_variant(name))) == idle


def test_two_seats_are_tuned_first_and_their_last_stage_is_kept() -> None:
    two, more = chapters([seat(load_variant("classic"), n) for n in (2, 3, 4)])
    assert [table.players for table in two.tables] == [2]
    assert [table.players for table in more.tables] == [3, 4]
    assert {stage for stage, _ in two.places} == {3, 4, 5}
    assert {stage for stage, _ in more.places} == {0, 1, 2}


def test_without_a_table_for_two_the_last_two_seats_are_tuned_with_the_rest() -> None:
    (more,) = chapters([seat(load_variant("classic"), 4)])
    assert {stage for stage, _ in more.places} == {0, 1, 2, 5}


def test_a_vector_moves_what_it_is_for_and_nothing_else() -> None:
    two, _ = chapters([seat(load_variant("classic"), n) for n in (2, 3)])
    before = table_of(WEIGHTS)
    after = two.moved(before, np.full(len(two.places), 10.0))
    assert (after[:3] == before[:3]).all()
    assert (after[6:] == before[6:]).all()
    moved = dict(zip(WEIGHTS._fields, (after - before)[3], strict=True))
    assert (moved["trump"], moved["out"], moved["pair"], moved["show"]) == (10, 20, 3, 0)
