"""One SymmToM world stepped from Python, on NumPy or on JAX, behind one small interface.

Calling a compiled function costs time for each array that goes in or out, and XLA runs a program on the calling
thread only if no array in it exceeds 512 bytes. So the JAX engine carries the whole state as one vector and returns
each agent's observation by itself.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.worlds.symmtom import chance, env, rules
from otherminds.worlds.symmtom.types import Action, Array, Params, State

ENGINES = ("numpy", "jax")
PARTS = ("listening", "speaking", "base", "movement", "bonus")


class Turn(NamedTuple):
    """What a turn gives to those outside, by agent."""

    observations: Any  # NumPy float32 [entry] each
    rewards: list[float]
    terminated: bool
    truncated: bool
    masks: Any  # NumPy int8 [5 + c] each, the moves and pieces that have an effect
    parts: list[list[float]]  # for each of PARTS, a part of the reward


class Engine(Protocol):
    """Holds the state of one world between turns."""

    def load(self, state: State) -> None:
        """Begin from a NumPy state."""

    def step(self, coins: Array, action: Action) -> Turn:
        """Play a turn."""

    def state(self) -> State:
        """The NumPy state now."""


def make_engine(name: str, params: Params) -> Engine:
    """The engine of that name."""
    if name not in ENGINES:
        raise UserError(f"engine {name!r} is not known{nearest(name, ENGINES)}")
    return JaxEngine(params) if name == "jax" else NumpyEngine(params)


class NumpyEngine:
    """Runs the rules as they are."""

    def __init__(self, params: Params) -> None:
        self._params = params
        self._state: State

    def load(self, state: State) -> None:
        self._state = state

    def step(self, coins: Array, action: Action) -> Turn:
        observations, self._state, rewards, terminated, truncated, info = env.step_with(
            coins, self._state, action, self._params
        )
        mask = info["action_mask"]
        masks = np.concatenate([mask["move"], mask["piece"]], axis=1).view(np.int8)
        parts = [info[name].tolist() for name in PARTS]
        return Turn(observations, rewards.tolist(), bool(terminated), bool(truncated), masks, parts)

    def state(self) -> State:
        return self._state


class JaxEngine:
    """Runs the rules compiled."""

    def __init__(self, params: Params) -> None:
        try:
            import jax
        except ModuleNotFoundError as error:
            raise MissingExtra("the JAX engine needs jax; install otherminds[jax], or use engine='numpy'") from error
        self._params = params
        self._template = rules.deal(chance.draw_deal(np.random.default_rng(0), params), params)
        self._compiled = jax.jit(self._turn)
        self._packed: Any

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_compiled"}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__init__(values["_params"])  # type: ignore[misc]
        vars(self).update({name: np.asarray(value) if name == "_packed" else value for name, value in values.items()})

    def load(self, state: State) -> None:
        words = [np.asarray(a).astype(np.int32) if a.dtype == bool else np.asarray(a).view(np.int32) for a in state]
        self._packed = np.concatenate([word.reshape(-1) for word in words])

    def step(self, coins: Array, action: Action) -> Turn:
        n = self._params.num_agents
        choices = np.concatenate([action.move, action.piece, coins.view(np.int32)])
        self._packed, rest, *observations = self._compiled(self._packed, choices)
        values = np.asarray(rest)
        *numbers, terminated, truncated = values[: (1 + len(PARTS)) * n + 2].tolist()
        rewards, *parts = (numbers[i : i + n] for i in range(0, len(numbers), n))
        masks = values[len(numbers) + 2 :].astype(np.int8).reshape(n, -1)
        return Turn([np.asarray(o) for o in observations], rewards, terminated > 0, truncated > 0, masks, parts)

    def state(self) -> State:
        packed, fields, at = np.asarray(self._packed), [], 0
        for like in self._template:
            words = packed[at : at + like.size].reshape(like.shape)
            fields.append(words != 0 if like.dtype == bool else words.view(like.dtype))
            at += like.size
        return State(*fields)

    def _turn(self, packed: Any, choices: Any) -> Any:
        import jax
        import jax.numpy as jnp

        def retype(words: Any, dtype: Any) -> Any:
            return words != 0 if dtype == np.bool_ else jax.lax.bitcast_convert_type(words, dtype)

        n, fields, at = self._params.num_agents, [], 0
        for like in self._template:
            fields.append(retype(packed[at : at + like.size].reshape(like.shape), like.dtype))
            at += like.size
        coins = retype(choices[2 * n :], jnp.uint32)
        action = Action(choices[:n], choices[n : 2 * n])
        observations, state, rewards, terminated, truncated, info = env.step_with(
            coins, State(*fields), action, self._params
        )
        words = [a.astype(jnp.int32) if a.dtype == bool else jax.lax.bitcast_convert_type(a, jnp.int32) for a in state]
        mask = info["action_mask"]
        masks = jnp.concatenate([mask["move"], mask["piece"]], axis=1)
        rest = [rewards, *(info[name] for name in PARTS), terminated, truncated, masks]
        return (
            jnp.concatenate([word.reshape(-1) for word in words]),
            jnp.concatenate([values.astype(jnp.float32).reshape(-1) for values in rest]),
            *(observations[i] for i in range(n)),
        )
