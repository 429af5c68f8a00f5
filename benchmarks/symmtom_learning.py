"""How fast does MADDPG learn, against plain matrix products of the same shapes in the same run?

One update of all agents (batch 1024), by the count of operations of the training protocol: for each agent
2 · batch · ((n + 3) P_a + 6 P_c), with P_a and P_c the weights of an actor and a critic. Also: what does it cost that
minds remember, how long is a whole training with PPO, and is it faster to train several seeds at once?
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

if hasattr(os, "sched_setaffinity"):  # one core: networks this small do not gain from two
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp

from otherminds.core.files import write_whole
from otherminds.worlds.symmtom.learn import train
from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.maddpg import Maddpg
from otherminds.worlds.symmtom.learn.replay import flat, joined
from otherminds.worlds.symmtom.minds.belief_parts import find_belief
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params

RECORD = Path(__file__).resolve().parent.parent / "results" / "symmtom_learning.json"
SETTINGS = ("n3_w6_c3", "n4_w12_c12")
BAR = 0.6
WIDTH = 64


def seconds(call: Callable[[], Any], repeats: int, rounds: int) -> float:
    """The best CPU time of a call, over rounds."""
    finish: Any = jax.block_until_ready  # it has no types
    finish(call())
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeats):
            done = call()
        finish(done)
        best = min(best, (time.process_time() - start) / repeats)
    return best


def update_seconds(learner: Maddpg, rounds: int) -> float:
    """The time of one update of all agents, on a memory of twenty thousand turns."""
    training = learner.begin()
    keys = jax.random.split(jax.random.key(1), 1000)
    _, (rows, _, _) = jax.jit(lambda t: jax.lax.scan(partial(learner._turn, t.parts), t.play, keys))(training)
    replay = training.replay._replace(rows=joined(rows), count=jnp.int32(20_000))
    update = jax.jit(learner._update)
    return seconds(lambda: update(training.parts, replay, jax.random.key(2)), 10, rounds)


def make_learner(setting: str, belief: str, batch: int, **options: Any) -> Maddpg:
    mind = BeliefPolicy(Params.from_setting(setting), find_belief(belief))
    return Maddpg(mind, MaddpgConfig(batch=batch, capacity=20_000, chunk_episodes=1000, **options), seed=0)


def measure(setting: str, belief: str, batch: int, rounds: int) -> dict[str, Any]:
    learner = make_learner(setting, belief, batch)
    mind, taken = learner.mind, update_seconds(learner, rounds)
    n, a = mind.params.num_agents, mind.num_outputs
    _, _, inputs = mind.example(1)
    own = inputs.vector.shape[1] + inputs.belief.shape[1]
    seen = jax.eval_shape(lambda: flat(observe(learner._fresh_play(jax.random.key(0)).state, learner._critic_view)))
    joint = seen.shape[0] + n * a
    actor, critic = WIDTH * (own + WIDTH + a), WIDTH * (joint + WIDTH + 1)
    operations = n * 2 * batch * ((n + 3) * actor + 6 * critic)
    return {
        "setting": setting,
        "belief": belief,
        "batch": batch,
        "milliseconds": 1000 * taken,
        "gflops": operations / taken / 1e9,
        "matrix_gflops": matrix_products(
            [(own, WIDTH), (WIDTH, WIDTH), (WIDTH, a)], (n + 3) * n, batch, rounds
        ).combine([(joint, WIDTH), (WIDTH, WIDTH), (WIDTH, 1)], 6 * n),
    }


def remembering(batch: int, rounds: int) -> list[dict[str, Any]]:
    """An update of minds that remember, in times of one that does not, and what a million of their turns take."""
    plain, rows = update_seconds(make_learner("n3_w6_c3", "none", batch), rounds), []
    for belief in ("estimated", "recurrent", "bayesian"):
        learner = make_learner("n3_w6_c3", belief, batch)
        times = update_seconds(learner, rounds) / plain
        rows.append({"belief": belief, "times": times, "megabytes": learner._codec.num_bytes})
    return rows


def training_minutes(settings: Sequence[str]) -> dict[str, float]:
    """How long one core takes to train with PPO, from the time of one chunk."""
    minutes = {}
    for setting in settings:
        learner = train.make_learner(train.resolve(setting, "ppo", "attentive"))
        state = learner.begin()
        minutes[setting] = seconds(partial(learner.chunk, state), 1, 1) * learner.num_chunks / 60
    return minutes


class Products:
    """Plain matrix products and the time they take."""

    def __init__(self, batch: int, rounds: int) -> None:
        self._batch, self._rounds, self._time, self._operations = batch, rounds, 0.0, 0.0

    def add(self, shapes: list[tuple[int, int]], times: int) -> None:
        for rows, columns in shapes:
            x, w = jnp.ones((self._batch, rows)), jnp.ones((rows, columns))
            self._time += times * seconds(partial(jax.jit(jnp.matmul), x, w), 200, self._rounds)
            self._operations += times * 2 * self._batch * rows * columns

    def combine(self, shapes: list[tuple[int, int]], times: int) -> float:
        self.add(shapes, times)
        return self._operations / self._time / 1e9


def matrix_products(shapes: list[tuple[int, int]], times: int, batch: int, rounds: int) -> Products:
    products = Products(batch, rounds)
    products.add(shapes, times)
    return products


def several_seeds(seeds: int, rounds: int) -> dict[str, Any]:
    """The time of a chunk of turns and updates for several seeds, one after the other and side by side."""
    mind = BeliefPolicy(Params.from_setting("n3_w6_c3"), find_belief("none"))
    options = MaddpgConfig(capacity=20_000, chunk_episodes=20, episodes=20, batch=256, warm_up=100)
    learners = [Maddpg(mind, options, seed) for seed in range(seeds)]
    states = [learner.begin() for learner in learners]
    one = jax.jit(learners[0]._run_chunk)
    together = jax.jit(jax.vmap(learners[0]._run_chunk))
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *states)
    apart = seconds(lambda: [one(state) for state in states], 1, rounds)
    at_once = seconds(lambda: together(stacked), 1, rounds)
    return {"seeds": seeds, "one_after_the_other": apart, "at_once": at_once, "speedup": apart / at_once}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help=f"keep the figures in {RECORD.name}")
    parser.add_argument("--quick", action="store_true", help="small and fast, to see that it runs")
    options = parser.parse_args()
    batch, rounds = (32, 1) if options.quick else (1024, 5)
    rows = []
    for setting in SETTINGS[:1] if options.quick else SETTINGS:
        for belief in ("none",) if options.quick else ("none", "conservative"):
            row = measure(setting, belief, batch, rounds)
            rows.append(row)
            share = row["gflops"] / row["matrix_gflops"]
            verdict = "" if options.quick else f", {'meets' if share >= BAR else 'misses'} {BAR:.0%}"
            print(
                f"MADDPG update {setting} {belief}: {row['milliseconds']:.1f} ms, {row['gflops']:.0f} GFLOP/s, plain "
                f"products {row['matrix_gflops']:.0f} GFLOP/s: {share:.0%}{verdict}",
                flush=True,
            )
    memories = [] if options.quick else remembering(batch, rounds)
    for row in memories:
        print(f"update with {row['belief']} minds: {row['times']:.1f} times, {row['megabytes']} MB a million")
    minutes = training_minutes(() if options.quick else PAPER_SETTINGS)
    for setting, each in minutes.items():
        print(f"PPO, a whole training in {setting}: {each:.1f} minutes of one core", flush=True)
    seeds = several_seeds(2 if options.quick else 4, rounds)
    print(f"{seeds['seeds']} seeds at once by vmap: {seeds['speedup']:.2f} times as fast as one after the other")
    if options.record:
        command = "python benchmarks/symmtom_learning.py --record"
        kept = {"command": command, "updates": rows, "memories": memories, "ppo_minutes": minutes, "seeds": seeds}
        write_whole(RECORD, json.dumps(kept, indent=1) + "\n")
        print(f"recorded in {RECORD.name}", file=sys.stderr)


if __name__ == "__main__":
    main()
