"""What symmtom_speed.py times: SymmToM played by random actions, many worlds compiled and one world from Python."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import timing
from otherminds.worlds.symmtom.envs import env
from otherminds.worlds.symmtom.minds.scripted import random_action
from otherminds.worlds.symmtom.types import Params


def rollout(params: Params, worlds: int, turns: int, with_observations: bool) -> Callable[[Any], Any]:
    """A function of a key that plays random turns with auto-reset.

    With observations, those of every turn are carried into the next, as a learner's are, so the compiler has to make
    them; without, nothing uses them, and the compiler drops them.
    """
    import jax

    def run(key: Any) -> Any:
        start, play = jax.random.split(key)
        first, state = env.reset(start, params, (worlds,))

        def turn(carry: Any, key: Any) -> Any:
            state, _, total = carry
            actions = random_action(key, params, (worlds,))
            seen, state, rewards, _, _, _ = env.step_auto_reset(key, state, actions, params)
            return (state, seen if with_observations else None, total + rewards.sum()), None

        carry = (state, first if with_observations else None, 0.0)
        (_, last, total), _ = jax.lax.scan(turn, carry, jax.random.split(play, turns))
        return last, total

    return run


def measure(setting: str, worlds: int, with_observations: bool, steps: int, repeats: int) -> dict[str, Any]:
    """The rate of one setting with so many parallel worlds, as a record."""
    turns = timing.turns_for(worlds, steps)
    program = rollout(Params.from_setting(setting), worlds, turns, with_observations)
    rate = timing.time_rollout(program, worlds, turns, repeats)
    return {"setting": setting, "observations": with_observations, **rate._asdict()}


def measure_parallel_env(setting: str, engine: str, steps: int, repeats: int) -> dict[str, Any]:
    """Steps of one world a second through PettingZoo's ``ParallelEnv``, resets included, actions drawn beforehand."""
    from otherminds.worlds.symmtom.envs.pettingzoo import parallel_env

    world = parallel_env(setting, engine=engine)
    rng = np.random.default_rng(0)
    limits = (5, world.params.num_pieces)
    drawn = rng.integers(0, limits, (steps, len(world.possible_agents), 2), dtype=np.int32)
    actions = [dict(zip(world.possible_agents, pairs, strict=True)) for pairs in drawn]
    world.reset(seed=0)
    begin = time.perf_counter()
    world.step(actions[0])
    first_step_seconds = time.perf_counter() - begin
    seconds = []
    for seed in range(repeats):
        begin = time.perf_counter()
        world.reset(seed=seed)
        for action in actions:
            if not world.agents:
                world.reset()
            world.step(action)
        seconds.append(time.perf_counter() - begin)
    return {
        "setting": setting,
        "engine": engine,
        "steps": steps,
        "steps_per_second": steps / min(seconds),
        "first_step_seconds": first_step_seconds,  # it compiles, on the JAX engine
    }
