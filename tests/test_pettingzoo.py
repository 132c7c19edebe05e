"""The environment is one by PettingZoo's own test, and its rewards are the results of deals."""

from __future__ import annotations

import random
import warnings
from typing import Any

import numpy as np
import pytest

from simcli import Deal, IllegalAction, InputError
from tests.bots.test_hidden_information import table_sizes

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (pip install 'simcli[pettingzoo]')")

from pettingzoo.test import api_test, seed_test

from simcli.pettingzoo import DurakEnv, env

TABLES = [("classic", 4), ("simultaneous", 3), ("regular", 2), ("partners", 4), ("pass-card", 6)]

# what PettingZoo says of every environment whose observations carry a mask
EXPECTED_WARNINGS = (
    "Observation space for each agent probably should be",
    "Observation is not a NumPy array",
)


def played(table: DurakEnv, seed: int) -> dict[str, float]:
    """Let chance play a deal and return the sum of everybody's rewards."""
    rng = random.Random(seed)
    rewards = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        observation, reward, done, _, _ = table.last()
        rewards[agent] += reward
        legal = observation["action_mask"].nonzero()[0].tolist()
        table.step(None if done else rng.choice(legal))
    return rewards


@pytest.mark.parametrize("variant, players", TABLES)
def test_environment_passes_the_test_of_pettingzoo(variant: str, players: int) -> None:
    with warnings.catch_warnings():
        for text in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message=text)
        api_test(env(variant, players), num_cycles=300)


def test_environment_is_decided_by_its_seed() -> None:
    seed_test(lambda: env("classic", 3), num_cycles=30)


def test_deals_are_the_packs_of_runs_one_after_the_other() -> None:
    table = env("classic", 3)
    expected = [(1, 0), (1, 1), (5, 0), (5, 1), (5, 9), (5, 10)]
    resets: list[dict[str, Any]] = [{}, {}, {"seed": 5}, {}, {"options": {"deal": 9}}, {}]
    for (seed, deal), arguments in zip(expected, resets, strict=True):
        table.reset(**arguments)
        assert table.unwrapped.deal.hands == Deal("classic", 3, seed=seed, deal=deal).hands


def test_observation_and_mask_are_those_of_the_seat() -> None:
    table = env("classic", 3)
    table.reset(seed=1)
    deal = table.unwrapped.deal
    for seat, agent in enumerate(table.possible_agents):
        seen = table.observe(agent)
        assert np.array_equal(seen["observation"], deal.observation(seat).to_array())
        assert seen["action_mask"].nonzero()[0].tolist() == (
            sorted(deal.legal_numbers()) if seat == deal.seat else []
        )
        assert table.observation_space(agent).contains(seen)


@pytest.mark.parametrize("variant", ["classic", "duel", "regular", "partners"])
def test_rewards_are_the_result(variant: str) -> None:
    table = env(variant)
    results = set()
    for seed in range(30):
        table.reset(seed=seed)
        rewards = [*played(table, seed).values()]
        deal = table.unwrapped.deal
        results.add(deal.result)
        match deal.result:
            case "won":
                expected = [float(place == 1) for place in deal.places]
            case "lost":
                step = 2 if variant == "partners" else deal.players
                expected = [-float(seat % step == deal.loser % step) for seat in range(deal.players)]
            case _:
                expected = [0.0] * deal.players
        assert rewards == expected
    assert results & {"won", "lost"}


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    table = env("classic", 3)
    table.reset(seed=1)
    with pytest.raises(IllegalAction, match="is not legal: seat"):
        table.step(208)
    assert table.unwrapped.deal.events == ()
    assert played(table, 1).keys() == {"seat_0", "seat_1", "seat_2"}


def test_rendering_shows_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    table = env("classic", 3, render_mode="ansi")
    table.reset(seed=1)
    deal = table.unwrapped.deal
    assert f"next: seat {deal.seat}, the attacker" in table.render()
    table.step(deal.legal_numbers()[0])
    assert "on the table" in table.render()
    assert capsys.readouterr().out == ""
    person = env("classic", 3, render_mode="human")
    person.reset(seed=1)
    person.step(person.unwrapped.deal.legal_numbers()[0])
    assert "on the table" in capsys.readouterr().out


def test_a_table_that_cannot_be_seated_is_refused() -> None:
    assert 5 not in table_sizes(Deal("short-pack").variant)
    with pytest.raises(InputError, match="short-pack: players"):
        env("short-pack", 5)
