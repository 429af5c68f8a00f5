"""SymmToM as a PettingZoo ``ParallelEnv``, on the NumPy or the JAX engine.

Both engines draw chance from the same NumPy generator, so a seed gives the same episode on both.
"""

from __future__ import annotations

import sys
from operator import index
from typing import Any, ClassVar

import numpy as np

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.worlds.symmtom import chance, record
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.envs.engines import Engine
from otherminds.worlds.symmtom.observe import observation_size
from otherminds.worlds.symmtom.types import Action, Params

try:
    from gymnasium import spaces
    from pettingzoo import ParallelEnv
except ModuleNotFoundError as error:
    raise MissingExtra("the ParallelEnv needs PettingZoo; install otherminds[rl]") from error

RENDER_MODES = ("human", "ansi", "rgb_array")
_INFO = ("action_mask", *env.PARTS)
Mask = tuple[Any, Any]  # int8 [5] for moves, int8 [c] for pieces


class SymmToMParallel(ParallelEnv):
    """One SymmToM world for any multi-agent library that supports PettingZoo.

    Observations are the vectors of ``observe``, or, with ``mask_actions``, dictionaries of ``observation`` and
    ``action_mask``. An action is a pair (move, piece); piece ``-1`` is silence. Infos carry ``action_mask`` and the
    parts of the reward.

    Args:
        setting: numbers of agents, cells along a side and pieces, such as ``"n3_w6_c3"``.
        params: all parameters at once, instead of a setting.
        engine: ``"numpy"``, or ``"jax"``, which is several times faster once compiled.
        render_mode: ``"human"`` prints the board, ``"ansi"`` returns it as text, ``"rgb_array"`` as a picture.
        switches: any parameter by name.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "symmtom_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": True,
        "render_fps": 2,
    }

    def __init__(
        self,
        setting: str | None = None,
        params: Params | None = None,
        engine: str = "numpy",
        render_mode: str | None = None,
        **switches: Any,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UserError(f"unknown render mode {render_mode!r}{nearest(render_mode, RENDER_MODES)}")
        self.params = Params.from_setting(setting, params, **switches)
        self.engine = engine
        self.render_mode = render_mode
        self.possible_agents = [f"agent_{i}" for i in range(self.params.num_agents)]
        self.agents: list[str] = []
        self._rng = np.random.default_rng()
        self._engine = Engine(engine, self.params)
        self._has_begun = False
        self._coins: Any = iter(())
        n, size = self.params.num_agents, observation_size(self.params)
        most = np.inf if self.params.show_last_reward else 1.0
        vector = spaces.Box(-most, most, (size,), np.float32)
        mask = spaces.Tuple((spaces.MultiBinary(5), spaces.MultiBinary(self.params.num_pieces)))
        space = spaces.Dict(observation=vector, action_mask=mask) if self.params.mask_actions else vector
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: spaces.MultiDiscrete([5, self.params.num_pieces]) for agent in self.possible_agents
        }
        self.state_space = spaces.Box(-most, most, (n * size,), np.float32)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start an episode; ``options={"start": {"cells": …, "bases": …, "first_hand": …}}`` sets up the board."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
            for i, agent in enumerate(self.possible_agents):
                self.action_spaces[agent].seed(seed + i)
        if options and "start" in options:
            view = self._engine.load(record.start_state(self.params, options["start"]))
        else:
            view = self._engine.deal(chance.draw_deal(self._rng, self.params))
        self._coins = iter(())
        self._has_begun = True
        self.agents = list(self.possible_agents)
        self._vectors = view.observations
        masks = _pairs(view.masks)
        infos = {agent: {"action_mask": mask} for agent, mask in zip(self.agents, masks, strict=True)}
        return self._observations(masks), infos

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        if not self.agents:
            raise UserError("no episode is running; call reset() before step()")
        turn = self._engine.step(self._next_coins(), self._joint(actions))
        self._vectors = turn.observations
        agents, masks = self.agents, _pairs(turn.masks)
        infos, rewards = {}, {}
        for agent, mask, (reward, *parts) in zip(agents, masks, turn.earned, strict=True):
            rewards[agent] = reward
            infos[agent] = dict(zip(_INFO, (mask, *parts), strict=True))
        observations = self._observations(masks)
        if turn.terminated or turn.truncated:
            self.agents = []
        terminated, truncated = (dict.fromkeys(agents, is_over) for is_over in (turn.terminated, turn.truncated))
        return observations, rewards, terminated, truncated, infos

    def state(self) -> Any:
        """The observations of all agents as one vector."""
        if not self._has_begun:
            raise UserError("no episode has begun; call reset() before state()")
        return np.concatenate(list(self._vectors))

    @property
    def world_state(self) -> Any:
        """The state of the world, a NumPy ``State``, for our own policies, which perceive it through ``observe``."""
        return self._engine.state()

    def render(self) -> Any:
        if self.render_mode is None or not self._has_begun:
            return None
        from otherminds.worlds.symmtom import draw

        world = self._engine.state()
        if self.render_mode != "rgb_array":
            text = draw.terminal(world, self.params)
            if self.render_mode == "ansi":
                return text
            sys.stdout.write(text + "\n")
            return None
        from otherminds.view.pixels import to_image

        return np.asarray(to_image(draw.scene(world, self.params)).convert("RGB"))

    def close(self) -> None:
        self.agents = []

    def _next_coins(self) -> Any:
        """The coins of the next turn, drawn for many turns at once, since one draw costs as much as many."""
        coins = next(self._coins, None)
        if coins is None:
            self._coins = iter(chance.draw_coins(self._rng, self.params, (64,)).T.copy())
            coins = next(self._coins)
        return coins

    def _joint(self, actions: dict[str, Any]) -> Action:
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise UserError(f"no action for {', '.join(missing)}; expected one for every agent")
        c, joint = self.params.num_pieces, []
        for agent in self.agents:
            try:
                move, piece = map(index, actions[agent])
            except (TypeError, ValueError) as error:
                raise UserError(
                    f"the action of {agent} is {actions[agent]!r}; expected a pair (move, piece) of integers"
                ) from error
            if not (0 <= move < 5 and -1 <= piece < c):
                raise UserError(
                    f"the action of {agent} is ({move}, {piece}); "
                    f"expected move 0 to 4 and piece 0 to {c - 1}, or -1 for silence"
                )
            joint.append((move, piece))
        return Action(*np.array(joint, dtype=np.int32).T)

    def _observations(self, masks: list[Mask]) -> dict[str, Any]:
        if not self.params.mask_actions:
            return dict(zip(self.agents, self._vectors, strict=True))
        return {
            agent: {"observation": vector, "action_mask": mask}
            for agent, vector, mask in zip(self.agents, self._vectors, masks, strict=True)
        }


def _pairs(masks: Any) -> list[Mask]:
    """A mask for each agent, as ``action_space.sample(mask)`` takes it."""
    return [(mask[:5], mask[5:]) for mask in masks]


def parallel_env(setting: str | None = None, **options: Any) -> SymmToMParallel:
    """PettingZoo's customary constructor."""
    return SymmToMParallel(setting, **options)
