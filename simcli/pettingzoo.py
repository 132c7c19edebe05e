"""Durak as a PettingZoo environment (AEC): one agent a seat, what it may know, and a mask of legal actions.

Needs the extra: ``pip install 'simcli[pettingzoo]'``.

Agents are ``seat_0`` … ; the one that is selected is the seat that is asked. An observation is a dictionary:
``observation`` is `simcli.observation.Observation.to_array`, ``action_mask`` has a 1 for each legal action,
all 0 for a seat that is not asked. Actions are the numbers of `simcli.action_space`.

Rewards come at the end of the deal, all at once: −1 for the loser and, with teams, its partners; under
``first_out_wins`` +1 for the winner instead; 0 for everybody else, and for all in a drawn or stalled deal.
Seats that have left the deal stay agents until it ends.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from simcli.action_space import N_ACTIONS
from simcli.arguments import whole_number
from simcli.deal import Deal
from simcli.observation import N_SLOTS
from simcli.records.verdict import Position
from simcli.records.verdict_text import next_text, position_text
from simcli.records.words import table_text
from simcli.rules.variant import Variant
from simcli.runs.plan import MAX_SEED

Arrays = dict[str, npt.NDArray[np.int8]]


def env(
    variant: str | Path | Variant = "classic",
    players: int | None = None,
    seed: int = 1,
    render_mode: str | None = None,
) -> AECEnv:
    """Return the environment, in the wrappers that check how it is used.

    Parameters
    ----------
    variant : str, Path or Variant
        Name of a shipped variant, path of a variant file, or a variant.
    players : int, optional
        Table size; the variant's own by default.
    seed : int
        Seed of the packs, until `reset` gives another.
    render_mode : str, optional
        ``"ansi"``: `render` returns the table as text; ``"human"``: it prints it, after every action too.

    Raises
    ------
    InputError
        No such variant, or none for so many players.
    """
    unwrapped = DurakEnv(variant, players, seed, render_mode)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(unwrapped))


class DurakEnv(AECEnv):  # type: ignore[misc]  # pettingzoo has no types
    """One table, one deal an episode; parameters as for `env`.

    ``reset(seed=s)`` deals the first pack of a seed, ``reset()`` the next one, and
    ``reset(options={"deal": i})`` deal i: the packs that `simcli run` plays.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "human"],
        "name": "durak_v0",
        "is_parallelizable": False,
    }

    def __init__(
        self,
        variant: str | Path | Variant = "classic",
        players: int | None = None,
        seed: int = 1,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.deal = Deal(variant, players, seed)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self.deal.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._next_deal = 0
        self.action_spaces = {agent: Discrete(N_ACTIONS) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, 127, (N_SLOTS,), np.int8),
                    "action_mask": Box(0, 1, (N_ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal.

        Parameters
        ----------
        seed : int, optional
            Seed of the packs from now on, beginning with its first.
        options : dict, optional
            ``deal``: index of the deal; anything else is ignored.
        """
        new_seed = None if seed is None else whole_number(seed, "seed", 0, MAX_SEED)
        index = (options or {}).get("deal", 0 if seed is not None else self._next_deal)
        self.deal.reset(seed=new_seed, deal=index)
        self._next_deal = index + 1
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._asked()

    def observe(self, agent: str) -> Arrays:
        """Return what an agent may know, and what it may do."""
        seat = self._seats[agent]
        mask = self.deal.legal_mask() if seat == self.deal.seat else np.zeros(N_ACTIONS, dtype=np.int8)
        return {"observation": self.deal.observation(seat).to_array(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None for one that is done.

        Raises
        ------
        IllegalAction
            The rules do not allow it; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "expected an action, got None"
        self.deal.step(action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self.deal.over:
            self.rewards = {agent: self._reward(seat) for agent, seat in self._seats.items()}
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self._asked()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return or print the whole table, all hands open."""
        position = Position.of(self.deal.game)
        lines = [*position_text(position)]
        if position.table:
            lines.append(f"  on the table   {table_text(position.table)}")
        text = "\n".join([*lines, f"  {next_text(position)}"])
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Have nothing to put away."""

    def _asked(self) -> str:
        assert self.deal.seat is not None
        return self.possible_agents[self.deal.seat]

    def _reward(self, seat: int) -> int:
        """Return the reward of a seat at the end of the deal."""
        if self.deal.result == "won":
            return int(self.deal.places[seat] == 1)
        loser = self.deal.loser
        return 0 if loser is None else -int(seat in self.deal.game.team(loser))
