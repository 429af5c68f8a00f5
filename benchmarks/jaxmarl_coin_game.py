"""How fast is JaxMARL's ``coin_game``? Prints one line of JSON; runs in an environment that has JaxMARL, as a module.

The protocol is that of symmtom_speed.py: random actions, random numbers and the environment's own auto-reset in one
compiled scan.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable
from typing import Any

from benchmarks import timing


def rollout(worlds: int, turns: int, with_observations: bool) -> Callable[[Any], Any]:
    """A function of a key that plays random turns; observations, if wanted, are carried from each turn to the next."""
    import jax

    env = importlib.import_module("jaxmarl").make("coin_game")

    def run(key: Any) -> Any:
        start, play = jax.random.split(key)
        first, state = jax.vmap(env.reset)(jax.random.split(start, worlds))

        def turn(carry: Any, key: Any) -> Any:
            state, _, total = carry
            act, step = jax.random.split(key)
            chosen = jax.random.randint(act, (len(env.agents), worlds), 0, 5)
            actions = dict(zip(env.agents, chosen, strict=True))
            seen, state, rewards, _, _ = jax.vmap(env.step)(jax.random.split(step, worlds), state, actions)
            return (state, seen if with_observations else None, total + sum(r.sum() for r in rewards.values())), None

        carry = (state, first if with_observations else None, 0.0)
        (_, last, total), _ = jax.lax.scan(turn, carry, jax.random.split(play, turns))
        return last, total

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, nargs="+", default=[1024, 4096, 16384])
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    runs = []
    for worlds in options.worlds:
        for with_observations in (False, True):
            rate = timing.time_rollout(
                rollout(worlds, timing.TURNS, with_observations), worlds, timing.TURNS, options.repeats
            )
            runs.append({"observations": with_observations, **rate._asdict()})
            kind = "with" if with_observations else "without"
            print(
                f"  coin_game {kind} observations, {worlds} worlds: {rate.steps_per_second / 1e6:.2f} M steps/s",
                file=sys.stderr,
                flush=True,
            )
    print(json.dumps({"versions": timing.versions(["jax", "jaxlib", "jaxmarl"]), "runs": runs}))


if __name__ == "__main__":
    main()
