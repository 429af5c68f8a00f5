"""Records and untrained actors, made by hand for the tests of results."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds.worlds.symmtom.metrics import Tally
from otherminds.worlds.symmtom.minds import ACTOR, RESULT
from otherminds.worlds.symmtom.types import Params

if TYPE_CHECKING:
    from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy


def config_of(
    model: str, setting: str, seed: int = 0, *, options: Any = None, network: Any = None, **switches: Any
) -> dict[str, Any]:
    """The default configuration of a model as far as it says anything, with some options and switches."""
    from otherminds.worlds.symmtom.learn.train import ALGORITHMS

    algorithm, belief = model.split("-", 1)
    usual = {**asdict(ALGORITHMS[algorithm][0]()), "mask_actions": algorithm == "ppo"}
    given = {**switches, **(options or {}), **(network or {})}
    changes = {name: value for name, value in given.items() if usual.get(name) != value}
    switches = {"mask_actions": algorithm == "ppo", **switches}
    return {
        "world": "symmtom-v0",
        "name": model,
        "setting": setting,
        "algorithm": algorithm,
        "belief": belief,
        "seed": seed,
        "params": Params.from_setting(setting, **switches).to_dict(),
        "options": {"episodes": {"maddpg": 60_000, "ppo": 0}[algorithm], **(options or {})},
        "network": network or {},
        "width": 8,
        "variant": ",".join(f"{name}={json.dumps(changes[name])}" for name in sorted(changes)).replace('"', ""),
    }


def result_of(config: dict[str, Any], reward: float = 10.0, curve: Any = (1.0, 2.0, 3.0), **metrics: float) -> Any:
    scores = {**dict.fromkeys(Tally._fields, 1.0), "reward": reward, **metrics}
    evaluation = {"episodes": 1000, "seed": 1, "samples": True, "reward_sd": 2.0, **scores}
    return {
        "config": config,
        "best_step": 2,
        "curve": list(curve),
        "chunk_episodes": 1000,
        "evaluation": evaluation,
        "evaluation_greedy": {**evaluation, "reward": reward + 1.0},
    }


def write_kept(
    folder: Path,
    model: str,
    setting: str,
    seed: int = 0,
    reward: float = 10.0,
    curve: Any = (1.0, 2.0, 3.0),
    options: Any = None,
    **more: Any,
) -> Path:
    """A record in the layout of results, without an actor; what is no metric is a switch of its world."""
    path = folder / model / setting / f"seed{seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    metrics = {name: more.pop(name) for name in Tally._fields if name in more}
    config = config_of(model, setting, seed, options=options, **more)
    path.write_text(json.dumps(result_of(config, reward, curve, **metrics)), "utf-8")
    return path


def write_actor(path: Path, config: dict[str, Any]) -> None:
    """An actor whose networks are as they begin."""
    from otherminds.worlds.symmtom.minds.learned import mind_of, save_agent

    save_agent(path, fresh_variables(mind_of(config), config["seed"]), {**config, "best_step": 1})


def fresh_variables(mind: BeliefPolicy, seed: int = 0) -> Any:
    """The variables of all agents before training."""
    import jax

    return _init(mind)(jax.random.split(jax.random.key(seed), mind.params.num_agents))


@cache
def _init(mind: BeliefPolicy) -> Any:
    """One program: run one by one, the operations of an initialisation are compiled one by one too."""
    import jax

    return jax.jit(jax.vmap(mind.init))


def write_run(
    folder: Path, model: str, setting: str = "n3_w4_c3", seed: int = 0, reward: float = 10.0, **more: Any
) -> Path:
    """A finished run directory with an untrained actor."""
    from otherminds.run.directory import RunDirectory

    config = config_of(model, setting, seed, **more)
    path = folder / model / setting / f"seed{seed}"
    with RunDirectory.open(path, config) as run:
        run.append({"step": 1, "reward": 1.0})
        write_actor(path / ACTOR, config)
        (path / RESULT).write_text(json.dumps(result_of(config, reward)), "utf-8")
        run.finish([ACTOR, RESULT])
    return path
