"""Whole episodes of SymmToM for many worlds at once: the fast way from a policy to its scores."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.core.mind import Policy
from otherminds.core.seeds import generator, jax_key
from otherminds.worlds.symmtom import metrics, rules
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.engines import ENGINES
from otherminds.worlds.symmtom.metrics import Tally
from otherminds.worlds.symmtom.types import Array, Params, State


def rollout(
    params: Params, policy: Policy, seed: int, num_episodes: int, engine: str | None = None, batch: int = 1024
) -> Tally:
    """Play episodes with one policy in all seats.

    Args:
        params: the world.
        policy: who plays.
        seed: the same seed gives the same episodes on the same engine.
        num_episodes: how many.
        engine: ``"jax"``, ``"numpy"``, or ``None`` for JAX where it is installed.
        batch: worlds played side by side.

    Returns:
        The counts of every agent in every episode, NumPy ``[agent, episode]`` each.
    """
    engine = pick_engine(engine)
    if num_episodes < 1:
        raise UserError(f"{num_episodes} episodes were asked for; expected at least 1")
    batch = min(batch, num_episodes)
    parts = []
    for index in range(-(-num_episodes // batch)):
        name = f"rollout/{index}"
        if engine == "jax":
            tally = _compiled(params, policy, batch)(jax_key(seed, name))
        else:
            tally = _play(params, policy, generator(seed, name), batch)
        parts.append([np.asarray(values) for values in tally])
    return Tally(*(np.concatenate(values, axis=1)[:, :num_episodes] for values in zip(*parts, strict=True)))


def summed_up(tally: Tally) -> tuple[dict[str, float], float]:
    """The mean of every count per agent and episode, and the spread over episodes of the reward per agent."""
    means = {name: float(np.asarray(values, np.float64).mean()) for name, values in tally._asdict().items()}
    rewards = np.asarray(tally.reward, np.float64).mean(axis=0)
    return means, float(rewards.std(ddof=1)) if len(rewards) > 1 else 0.0


def pick_engine(engine: str | None) -> str:
    """JAX where it is installed, unless told otherwise."""
    if engine not in (None, *ENGINES):
        raise UserError(f"engine {engine!r} is not known{nearest(engine, ENGINES)}")
    if engine == "numpy":
        return engine
    try:
        import jax  # noqa: F401
    except ModuleNotFoundError as error:
        if engine == "jax":
            raise MissingExtra("the JAX engine needs jax; install otherminds[jax], or use the NumPy engine") from error
        return "numpy"
    return "jax"


def _turn(
    key: Any, state: State, memory: Any, is_over: Array, tally: Tally, params: Params, policy: Policy
) -> tuple[State, Any, Array, Tally]:
    action, memory = policy.act(memory, policy.look(state, params), params, key)
    after, outcome = rules.step(state, action, draw_coins(key, params, state.turn.shape), params)
    tally = metrics.keep_where(~is_over, tally, metrics.measure(state, action, after, outcome, params))
    return after, memory, is_over | outcome.terminated | outcome.truncated, tally


def _play(params: Params, policy: Policy, rng: np.random.Generator, worlds: int) -> Tally:
    state = rules.deal(draw_deal(rng, params, (worlds,)), params)
    memory, tally = policy.begin(policy.look(state, params), params), metrics.nothing(state)
    is_over = np.zeros(worlds, dtype=bool)
    for _ in range(params.num_turns):
        state, memory, is_over, tally = _turn(rng, state, memory, is_over, tally, params, policy)
    return tally


@lru_cache(maxsize=128)
def _compiled(params: Params, policy: Policy, worlds: int) -> Any:
    import jax
    import jax.numpy as jnp

    def play(key: Any) -> Tally:
        start_key, turns_key = jax.random.split(key)
        state = rules.deal(draw_deal(start_key, params, (worlds,)), params)
        memory = policy.begin(policy.look(state, params), params)

        def one(carry: Any, key: Any) -> Any:
            state, memory, is_over, tally = carry
            return _turn(key, state, memory, is_over, tally, params, policy), None

        start = (state, memory, jnp.zeros(worlds, dtype=bool), metrics.nothing(state))
        (_, _, _, tally), _ = jax.lax.scan(one, start, jax.random.split(turns_key, params.num_turns))
        return tally

    return jax.jit(play)
