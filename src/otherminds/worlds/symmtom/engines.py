"""One SymmToM world stepped from Python, on NumPy or on JAX, behind one small interface.

A call of a compiled function costs time for each array that goes in or out, and XLA hands a program to another thread
if it counts 1000 operations or more in it, or if an array in it exceeds 512 bytes; here that takes longer than the
program itself. So the JAX engine carries the state as one vector, returns observations by themselves, and compiles
without fusion, which would repeat operations beyond that count. In settings too large for that it still works, slower.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.worlds.symmtom import env, rules
from otherminds.worlds.symmtom.chance import Deal
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Action, Array, Params, State

ENGINES = ("numpy", "jax")


class View(NamedTuple):
    """What agents are shown."""

    observations: Any  # NumPy float32 [agent, entry]
    masks: Any  # NumPy int8 [agent, 5 + c], the moves and pieces that have an effect


class Turn(NamedTuple):
    """What a turn gives to those outside."""

    view: View
    earned: list[list[float]]  # for each agent, its reward and then the env.PARTS of it
    terminated: bool
    truncated: bool


def make_engine(name: str, params: Params) -> NumpyEngine | JaxEngine:
    """The engine of that name, which holds the state of one world between turns."""
    if name not in ENGINES:
        raise UserError(f"engine {name!r} is not known{nearest(name, ENGINES)}")
    return JaxEngine(params) if name == "jax" else NumpyEngine(params)


class NumpyEngine:
    """Runs the rules as they are."""

    def __init__(self, params: Params) -> None:
        self._params = params
        self._state: State

    def deal(self, chance: Deal) -> View:
        return self.load(rules.deal(chance, self._params))

    def load(self, state: State) -> View:
        self._state = state
        mask = env.action_mask(state, self._params)
        return View(observe(state, self._params), _joined(np, mask).view(np.int8))

    def step(self, coins: Array, action: Action) -> Turn:
        observations, self._state, rewards, terminated, truncated, info = env.step_with(
            coins, self._state, action, self._params
        )
        view = View(observations, _joined(np, info["action_mask"]).view(np.int8))
        earned = np.stack([rewards, *(info[name] for name in env.PARTS)], axis=1, dtype=np.float32).tolist()
        return Turn(view, earned, bool(terminated), bool(truncated))

    def state(self) -> State:
        return self._state


class JaxEngine:
    """Runs the rules compiled."""

    def __init__(self, params: Params) -> None:
        self._params = params
        self._template = env.blank(params)
        self._turn, self._start = _programs(params)
        self._packed: Any

    def __getstate__(self) -> dict[str, Any]:
        # Compiled functions cannot be pickled, and are quick to make again.
        return {"_params": self._params, "_packed": np.asarray(self._packed) if hasattr(self, "_packed") else None}

    def __setstate__(self, values: dict[str, Any]) -> None:
        type(self).__init__(self, values["_params"])
        self._packed = values["_packed"]

    def deal(self, chance: Deal) -> View:
        self._packed, masks, observations = self._start(np.concatenate(chance))
        return self._view(np.asarray(masks), observations)

    def load(self, state: State) -> View:
        words = [np.asarray(a).astype(np.int32) if a.dtype == bool else np.asarray(a).view(np.int32) for a in state]
        self._packed = np.concatenate([word.reshape(-1) for word in words])
        return NumpyEngine(self._params).load(state)

    def step(self, coins: Array, action: Action) -> Turn:
        n = self._params.num_agents
        choices = np.concatenate([action.move, action.piece, coins.view(np.int32)])
        self._packed, rest, observations = self._turn(self._packed, choices)
        values = np.asarray(rest)
        size = (1 + len(env.PARTS)) * n
        *numbers, terminated, truncated = values[: size + 2].tolist()
        view = self._view(values[size + 2 :], observations)
        return Turn(view, [numbers[i::n] for i in range(n)], terminated > 0, truncated > 0)

    def state(self) -> State:
        return _unpacked(np.asarray(self._packed), self._template, lambda words, dtype: words.view(dtype))

    def _view(self, masks: Any, observations: Any) -> View:
        return View(np.asarray(observations), masks.astype(np.int8).reshape(self._params.num_agents, -1))


@lru_cache(maxsize=64)
def _programs(params: Params) -> tuple[Any, Any]:
    """The compiled turn and start, shared by all engines of the same world."""
    try:
        import jax
        import jax.numpy as jnp
    except ModuleNotFoundError as error:
        raise MissingExtra("the JAX engine needs jax; install otherminds[jax], or use engine='numpy'") from error
    n, c, retype, template = params.num_agents, params.num_pieces, jax.lax.bitcast_convert_type, env.blank(params)

    def turn(packed: Any, choices: Any) -> Any:
        state = _unpacked(packed, template, retype)
        coins = retype(choices[2 * n :], jnp.uint32)
        action = Action(choices[:n], choices[n : 2 * n])
        observations, state, rewards, terminated, truncated, info = env.step_with(coins, state, action, params)
        masks = _joined(jnp, info["action_mask"])
        rest = [rewards, *(info[name] for name in env.PARTS), terminated, truncated, masks]
        flat = jnp.concatenate([values.astype(jnp.float32).reshape(-1) for values in rest])
        return _packed(state), flat, observations

    def start(draws: Any) -> Any:
        deal = Deal(draws[:n], draws[n : 2 * n], draws[2 * n : 2 * n + c], draws[2 * n + c :])
        state = rules.deal(deal, params)
        masks = _joined(jnp, env.action_mask(state, params))
        return _packed(state), masks.reshape(-1), observe(state, params)

    options = {"xla_disable_hlo_passes": "fusion,multi-output-fusion"}
    return jax.jit(turn, compiler_options=options), jax.jit(start, compiler_options=options)


def _joined(xp: Any, mask: dict[str, Array]) -> Array:
    return xp.concat([mask["move"], mask["piece"]], axis=1)


def _packed(state: State) -> Any:
    """All fields of a state as one vector of words."""
    import jax
    import jax.numpy as jnp

    words = [a.astype(jnp.int32) if a.dtype == bool else jax.lax.bitcast_convert_type(a, jnp.int32) for a in state]
    return jnp.concatenate([word.reshape(-1) for word in words])


def _unpacked(packed: Any, template: State, retype: Any) -> State:
    """The inverse, with shapes and types as in the template."""
    fields, at = [], 0
    for like in template:
        words = packed[at : at + like.size].reshape(like.shape)
        fields.append(words != 0 if like.dtype == bool else retype(words, like.dtype))
        at += like.size
    return State(*fields)
