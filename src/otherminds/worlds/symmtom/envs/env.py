"""SymmToM as pure functions: ``reset`` and ``step`` over rules and observations, on NumPy or JAX.

    key = jax.random.key(0)                       # or numpy.random.default_rng(0), for the NumPy engine
    observations, state = reset(key, params, worlds=(4096,))
    observations, state, rewards, terminated, truncated, info = step(key, state, actions, params)

Under ``jax.jit``, mark ``params`` (and ``worlds``) as static. Unused results cost nothing in a compiled step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from otherminds.worlds.symmtom import chance, rules
from otherminds.worlds.symmtom.bits import namespace
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Action, Array, Params, State

PARTS = ("listening", "speaking", "base", "movement", "bonus")  # of the reward
Step = tuple[Array, State, Array, Array, Array, dict[str, Any]]


def reset(key: Any, params: Params, worlds: int | tuple[int, ...] = ()) -> tuple[Array, State]:
    """Start new episodes: observations ``float32 [agent, entry, *worlds]`` and state.

    Args:
        key: a ``jax.random`` key or a ``numpy.random.Generator``; its type selects the engine.
        params: parameters of the world.
        worlds: number of parallel worlds, or the shape of their axes. [default: one world without such an axis]
    """
    worlds = (worlds,) if isinstance(worlds, int) else worlds
    state = rules.deal(chance.draw_deal(key, params, worlds), params)
    return observe(state, params), state


def blank(params: Params, worlds: tuple[int, ...] = ()) -> State:
    """A NumPy state with the right shapes and types, to be filled in."""
    return rules.deal(chance.draw_deal(np.random.default_rng(0), params, worlds), params)


def step(key: Any, state: State, actions: Action, params: Params) -> Step:
    """Play one turn.

    Returns:
        observations: ``float32 [agent, entry, *worlds]``.
        state: the state after the turn.
        rewards: ``float32 [agent, *worlds]``.
        terminated: ``bool [*worlds]``, true only in competitive worlds.
        truncated: ``bool [*worlds]``, true after the last turn.
        info: ``final_observation`` (of this turn, also where an auto-reset follows), ``action_mask`` (see
            :func:`action_mask`) and the parts of the reward by name.
    """
    return step_with(chance.draw_coins(key, params, state.turn.shape), state, actions, params)


def step_with(coins: Array, state: State, actions: Action, params: Params) -> Step:
    """:func:`step` with given random draws."""
    state, outcome = rules.step(state, Action(*actions), coins, params)
    observations = observe(state, params)
    parts = {name: getattr(outcome, name) for name in PARTS}
    info = {"final_observation": observations, "action_mask": action_mask(state, params), **parts}
    return observations, state, outcome.rewards, outcome.terminated, outcome.truncated, info


def step_auto_reset(key: Any, state: State, actions: Action, params: Params) -> Step:
    """:func:`step`, with finished worlds replaced by new ones.

    Where an episode has ended, observations, state and ``info["action_mask"]`` belong to the new episode and
    ``info["final_observation"]`` to the old one.
    """
    final, state, rewards, terminated, truncated, info = step(key, state, actions, params)
    is_over = terminated | truncated

    def renewed() -> State:
        _, new = reset(key, params, state.turn.shape)
        xp = namespace(state.x)
        return State(*(xp.where(is_over, a, b) for a, b in zip(new, state, strict=True)))

    # Episodes of equal length end together, so most turns skip the deal.
    if isinstance(is_over, np.ndarray | np.generic):
        state = renewed() if is_over.any() else state
    else:
        import jax

        state = jax.lax.cond(is_over.any(), renewed, lambda: state)
    observations = observe(state, params)
    info = {**info, "final_observation": final, "action_mask": action_mask(state, params)}
    return observations, state, rewards, terminated, truncated, info


def action_mask(state: State, params: Params) -> dict[str, Array]:
    """Choices with an effect: ``move``, ``bool [agent, 5, *worlds]``, and ``piece``, ``bool [agent, c, *worlds]``."""
    return {"move": rules.legal_moves(state, params), "piece": rules.legal_pieces(state, params)}
