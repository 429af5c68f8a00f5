"""Step one SymmToM world from Python, on NumPy or JAX.

A call of a compiled function costs time for each array that goes in or out, and XLA hands a program to another thread
if it counts 1000 operations or more in it, or if an array in it exceeds 512 bytes; here that takes longer than the
program itself. So the JAX engine carries the state as one vector, returns observations by themselves, and compiles
without fusion, which would repeat operations beyond that count. In settings too large for that it still works, slower.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.bits import namespace
from otherminds.worlds.symmtom.chance import Deal
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Action, Array, Params, State

ENGINES = ("numpy", "jax")


class EngineStep(NamedTuple):
    """What agents are shown at the start or after a turn, and the results of the turn."""

    observations: Any  # NumPy float32 [agent, entry]
    masks: Any  # NumPy int8 [agent, 5 + c], the moves and pieces that have an effect
    earned: Sequence[list[float]] = ()  # for each agent, its reward and then the env.PARTS of it
    terminated: bool = False
    truncated: bool = False


class Engine:
    """Holds the state of one world between turns, and plays turns by the rules."""

    def __init__(self, name: str, params: Params) -> None:
        if name not in ENGINES:
            raise UserError(f"unknown engine {name!r}{nearest(name, ENGINES)}")
        self._name, self._params = name, params
        self._state: Any = None  # packed, if the engine is JAX
        _programs(name, params)  # they are compiled once for all engines, and looked up so that engines can be pickled

    def deal(self, chance: Deal) -> EngineStep:
        start, _ = _programs(self._name, self._params)
        self._state, masks, observations = start(np.concatenate(chance))
        return EngineStep(np.asarray(observations), self._masks(masks))

    def load(self, state: State) -> EngineStep:
        self._state = _packed(state) if self._name == "jax" else state
        return EngineStep(observe(state, self._params), self._masks(_joined(env.action_mask(state, self._params))))

    def step(self, coins: Array, action: Action) -> EngineStep:
        n, (_, turn) = self._params.num_agents, _programs(self._name, self._params)
        choices = np.concatenate([action.move, action.piece, coins.view(np.int32)])
        self._state, results, observations = turn(self._state, choices)
        values = np.asarray(results)
        size = (1 + len(env.PARTS)) * n
        *numbers, terminated, truncated = values[: size + 2].tolist()
        earned = [numbers[i::n] for i in range(n)]
        return EngineStep(
            np.asarray(observations), self._masks(values[size + 2 :]), earned, terminated > 0, truncated > 0
        )

    def state(self) -> Any:
        """The state, a NumPy ``State`` of one world."""
        if self._name == "numpy":
            return self._state
        return _unpacked(np.asarray(self._state), env.blank(self._params))

    def _masks(self, flags: Any) -> Any:
        return np.asarray(flags).astype(np.int8).reshape(self._params.num_agents, -1)


@lru_cache(maxsize=64)
def _programs(engine: str, params: Params) -> tuple[Any, Any]:
    """The functions that start an episode and play a turn, shared by all engines of the same world."""
    n, c, template = params.num_agents, params.num_pieces, env.blank(params)
    is_packed = engine == "jax"

    def start(draws: Any) -> Any:
        deal = Deal(draws[:n], draws[n : 2 * n], draws[2 * n : 2 * n + c], draws[2 * n + c :])
        state = rules.deal(deal, params)
        return _packed(state) if is_packed else state, _joined(env.action_mask(state, params)), observe(state, params)

    def turn(state: Any, choices: Any) -> Any:
        xp = namespace(choices)
        action, coins = Action(choices[:n], choices[n : 2 * n]), choices[2 * n :].view(xp.uint32)
        state = _unpacked(state, template) if is_packed else state
        observations, state, rewards, terminated, truncated, info = env.step_with(coins, state, action, params)
        results = [rewards, *(info[name] for name in env.PARTS), terminated, truncated, _joined(info["action_mask"])]
        flat = xp.concat([values.astype(xp.float32).reshape(-1) for values in results])
        return _packed(state) if is_packed else state, flat, observations

    if not is_packed:
        return start, turn
    try:
        import jax
    except ModuleNotFoundError as error:
        raise MissingExtra("the JAX engine needs jax; install otherminds[jax], or use engine='numpy'") from error
    options = {"xla_disable_hlo_passes": "fusion,multi-output-fusion"}
    return jax.jit(start, compiler_options=options), jax.jit(turn, compiler_options=options)


def _joined(mask: dict[str, Array]) -> Array:
    return namespace(mask["move"]).concat([mask["move"], mask["piece"]], axis=1)


def _packed(state: State) -> Any:
    """All fields of a state as one vector of words."""
    xp = namespace(state.x)
    words = [a.astype(xp.int32) if a.dtype == bool else a.view(xp.int32) for a in state]
    return xp.concat([word.reshape(-1) for word in words])


def _unpacked(packed: Any, template: State) -> State:
    """The inverse, with shapes and types as in the template."""
    fields, at = [], 0
    for like in template:
        words = packed[at : at + like.size].reshape(like.shape)
        fields.append(words != 0 if like.dtype == bool else words.view(like.dtype))
        at += like.size
    return State(*fields)
