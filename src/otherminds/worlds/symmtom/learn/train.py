"""Training runs of SymmToM, from configuration to score: the work of ``otherminds train`` and ``sweep``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from otherminds.core.episodes import EpisodeWriter
from otherminds.core.errors import UserError, check_like, either, nearest
from otherminds.core.files import write_whole
from otherminds.core.json_lines import to_json
from otherminds.core.match import Lineup, play
from otherminds.learn.loop import Chunk, Trained, train
from otherminds.minds.policy import PolicyMind
from otherminds.run import checkpoint
from otherminds.run.directory import RunDirectory
from otherminds.run.sweep import Job, numbers, words
from otherminds.worlds.symmtom.evals.runs import place_of
from otherminds.worlds.symmtom.learn.configs import MaddpgConfig
from otherminds.worlds.symmtom.learn.imitation import Imitation, ImitationConfig
from otherminds.worlds.symmtom.learn.maddpg import Maddpg
from otherminds.worlds.symmtom.learn.ppo import Ppo, PpoConfig
from otherminds.worlds.symmtom.minds import ACTOR, EVALUATION_SEED, PAPER_MODELS, RESULT
from otherminds.worlds.symmtom.minds.belief_parts import find_belief
from otherminds.worlds.symmtom.minds.learned import Learned, load_agent, mind_of, save_agent
from otherminds.worlds.symmtom.minds.network_policy import FIELDS, SITUATED
from otherminds.worlds.symmtom.minds.rollout import rollout, summed_up
from otherminds.worlds.symmtom.record import WORLD
from otherminds.worlds.symmtom.types import PAPER_SETTINGS, Params
from otherminds.worlds.symmtom.world import SymmToM

ALGORITHMS: dict[str, tuple[type, type]] = {
    "maddpg": (MaddpgConfig, Maddpg),
    "ppo": (PpoConfig, Ppo),
    "imitation": (ImitationConfig, Imitation),
}
EPISODES = "episodes/evaluation.jsonl"
_SHARES = ("discount", "trace", "target_rate", "team_share", "led", "wary", "memory", "rehearsals")
_POSITIVE = ("learning_rate", "clip", "max_norm", "temperature")
_BLOCKS = (  # parts of the observation that situations do not read
    "positions", "other_bases", "show_own_knowledge", "show_speakable", "show_own_utterance", "show_last_reward",
    "show_turn",
)  # fmt: skip


def resolve(
    setting: str,
    algorithm: str = "maddpg",
    belief: str = "none",
    seed: int = 0,
    switches: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    network: Mapping[str, Any] | None = None,
    check: bool = True,
) -> dict[str, Any]:
    """Return the configuration of a run with every default written out.

    ``switches`` are parameters of the world, ``options`` fields of the algorithm's configuration. ``check`` also makes
    the learner, which refuses options that contradict each other.
    """
    if type(seed) is not int or seed < 0:
        raise UserError(f"seed is {seed!r}; expected a whole number of at least 0")
    if algorithm not in ALGORITHMS:
        raise UserError(f"there is no algorithm {algorithm!r}{nearest(algorithm, ALGORITHMS)}")
    kind = ALGORITHMS[algorithm][0]
    known, kinds = {field.name: field.default for field in fields(kind)}, get_type_hints(kind)
    for name, value in (options or {}).items():
        if name not in known:
            raise UserError(f"{algorithm} has no option {name!r}{nearest(name, known)}")
        if get_origin(kinds[name]) is Literal:
            if value not in get_args(kinds[name]):
                raise UserError(f"{algorithm}: {name} is {value!r}{nearest(str(value), get_args(kinds[name]))}")
        elif value is not None or known[name] is not None:
            check_like(f"{algorithm}: {name}", value, True if known[name] is None else known[name])
        if name in _SHARES and not 0 <= value <= 1:
            raise UserError(f"{algorithm}: {name} is {value}; expected a number from 0 to 1")
        if name in _POSITIVE and value <= 0:
            raise UserError(f"{algorithm}: {name} is {value}; expected a positive number")
    if (options or {}).get("episodes") == 0:
        raise UserError(f"{algorithm}: episodes is 0; expected a positive number")
    part = find_belief(belief)
    width = kind(**(options or {})).width
    # Our recipes rule out what has no effect; MADDPG's is the paper's, which does not (spec 13, row 16).
    recipe: dict[str, Any] = {"mask_actions": True} if algorithm != "maddpg" else {}
    params = Params.from_setting(setting, **(recipe | dict(switches or {})))
    network, usual_network = dict(network or {}), dict[str, Any]()
    kind_of_network = network.get("kind", {"ppo": "symmetric", "imitation": "touring"}.get(algorithm))
    if algorithm != "maddpg" and part.network != "estimating" and kind_of_network in SITUATED:
        if algorithm == "imitation":
            # The teacher does not depend on the place.
            usual_network = {"kind": "touring", "knows_place": False, "is_wary": part.counts_recharges}
        else:
            usual_network = {"kind": "symmetric", "is_recurrent": part.network == "recurrent"}
        fitting = {name: value for name, value in usual_network.items() if name in FIELDS[kind_of_network]}
        network = fitting | network
        for block in _BLOCKS:
            if getattr(params, block) != getattr(Params(), block):
                raise UserError(
                    f"{block}={getattr(params, block)} changes the observation, which the {kind_of_network} network "
                    f"does not read; use --network kind=feedforward with it"
                )
    config: dict[str, Any] = {
        "world": WORLD,
        "name": f"{algorithm}-{part.name}",
        "setting": params.setting,
        "algorithm": algorithm,
        "belief": part.name,
        "seed": seed,
        "params": asdict(params),
        "network": network,
        "width": width,
        "evaluation_episodes": 1000,
    }
    mind = mind_of(config)
    config["options"] = asdict(kind(**(options or {})).filled(mind))
    pairs = (
        (config["options"], asdict(kind().filled(mind))),
        (config["params"], asdict(Params.from_setting(setting, **recipe))),
        (network, usual_network),
    )
    changes = {name: mine[name] for mine, usual in pairs for name in mine if mine[name] != usual.get(name)}
    variant = [f"{name}={json.dumps(changes[name])}" for name in sorted(changes)]
    config["variant"] = ",".join(variant).replace('"', "")
    if check:
        make_learner(config)  # refuses contradictory options before a folder is made
    return config


def make_learner(config: Mapping[str, Any]) -> Any:
    """Return the learner of a configuration."""
    options, learner = ALGORITHMS[config["algorithm"]]
    return learner(mind_of(config), options(**config["options"]), config["seed"])


def run_training(
    config: Mapping[str, Any],
    out: str | Path,
    command: Sequence[str] = (),
    on_chunk: Callable[[Chunk], None] | None = None,
    warn: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Train, keep the best actor, and score it on fresh episodes. A killed run resumes: see ``RunDirectory``.

    Returns:
        The result: configuration, training curve, and the evaluation of the best actor.
    """
    with RunDirectory.open(out, config, command) as run:
        if not run.is_finished:
            learner = make_learner(config)
            trained = train(learner, run, on_chunk, warn)
            _finish(run, learner, trained)
        result = run.result(RESULT)  # before the checkpoints go
        checkpoint.tidy(run.checkpoints)
        return result


def _finish(run: RunDirectory, learner: Any, trained: Trained) -> None:
    config = run.config
    save_agent(run.path / ACTOR, trained.best, {**config, "best_step": trained.best_step})
    agent = replace(load_agent(run.path), samples=True)
    result = {
        "config": config,
        "best_step": trained.best_step,
        "curve": [round(row["reward"], 4) for row in run.metrics()],
        "chunk_episodes": learner.chunk_episodes,
        "evaluation": evaluation(agent, config["evaluation_episodes"]),
        "evaluation_greedy": evaluation(agent.taking(greedy=True), config["evaluation_episodes"]),
    }
    write_whole(run.path / RESULT, to_json(result, indent=1) + "\n")
    (run.path / EPISODES).unlink(missing_ok=True)
    world = SymmToM(params=agent.mind.params)
    minds = dict.fromkeys(world.seats, PolicyMind(agent))
    with EpisodeWriter(run.path / EPISODES) as writer:
        for episode in play(Lineup(world.open(seed), minds) for seed in range(3)):
            writer.whole(episode)
    run.finish([ACTOR, RESULT, EPISODES])


def evaluation(agent: Learned, episodes: int = 1000) -> dict[str, Any]:
    """Return the scores of an agent in all seats over fresh episodes: means per agent, and the spread of the reward."""
    tally = rollout(agent.mind.params, agent, EVALUATION_SEED, episodes, "jax")
    means, sd = summed_up(tally)
    return {"episodes": episodes, "seed": EVALUATION_SEED, "samples": agent.samples, "reward_sd": sd, **means}


def plan(
    models: str,
    settings: str,
    seeds: str,
    out: Path,
    switches: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    network: Mapping[str, Any] | None = None,
) -> list[Job]:
    """Return a job for each model, setting and seed, all models of a seed and setting next to each other."""
    names = [name for model in words(models) for name in (PAPER_MODELS if model == "paper" else [model])]
    chosen = [name for setting in words(settings) for name in (PAPER_SETTINGS if setting == "all" else [setting])]
    names, chosen = list(dict.fromkeys(names)), list(dict.fromkeys(chosen))  # 'paper' may hold one that is named too
    jobs = []
    for seed in numbers(seeds):
        for setting in chosen:
            for model in names:
                algorithm, dash, belief = model.partition("-")
                if not dash or algorithm not in ALGORITHMS:
                    known = [f"{a}-conservative" for a in ALGORITHMS]
                    raise UserError(f"model {model!r} is not of the form algorithm-belief, such as {either(known)}")
                config = resolve(setting, algorithm, belief, seed, switches, options, network)
                directory = out / place_of(config)
                argv = [
                    "train", "symmtom", "--algorithm", algorithm, "--belief", belief, "--setting", setting,
                    "--seed", str(seed), "--out", str(directory),
                    *_pairs("--set", switches), *_pairs("--option", options), *_pairs("--network", network),
                ]  # fmt: skip
                jobs.append(Job(str(place_of(config)), argv, directory, config))
    return jobs


def _pairs(flag: str, values: Mapping[str, Any] | None) -> list[str]:
    return [word for name, value in (values or {}).items() for word in (flag, f"{name}={json.dumps(value)}")]
