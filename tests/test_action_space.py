"""Every action has a number of its own, and every number an action."""

from __future__ import annotations

import doctest

import numpy as np
import pytest

from simcli import action_space
from simcli.action_space import N_ACTIONS, action_of, mask_of_actions, number_of
from simcli.engine.notation import action_text, parse_action


def test_doctests_hold() -> None:
    assert doctest.testmod(action_space) == (0, 4)


def test_every_number_stands_for_one_action_and_back() -> None:
    actions = [action_of(number) for number in range(N_ACTIONS)]
    assert len(set(actions)) == N_ACTIONS
    assert [number_of(action) for action in actions] == list(range(N_ACTIONS))


@pytest.mark.parametrize(
    "number, text",
    [
        (0, "attack 2C"),
        (103, "transfer AS"),
        (104, "show 2C"),
        (207, "throw AS"),
        (208, "pick_up"),
        (209, "pass"),
        (210, "stop"),
        (211, "exchange"),
        (212, "keep"),
        (213 + 52 * 28 + 40, "cover 9C QC"),
    ],
)
def test_numbers_are_as_documented(number: int, text: str) -> None:
    assert action_text(action_of(number)) == text
    assert number_of(parse_action(text)) == number


@pytest.mark.parametrize("number", [-1, N_ACTIONS])
def test_a_number_out_of_range_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=f"0 to 2916, got {number}"):
        action_of(number)


def test_mask_has_a_one_for_each_action() -> None:
    mask = mask_of_actions(map(parse_action, ("pick_up", "attack 2D")))
    assert mask.dtype == np.int8
    assert mask.nonzero()[0].tolist() == [1, 208]
    assert not mask_of_actions([]).any()
