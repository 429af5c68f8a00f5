"""Sweeps over SymmToM models, settings and seeds, as jobs that any launcher runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, nearest
from otherminds.learn.symmtom.train import ALGORITHMS, place_of, resolve
from otherminds.players.symmtom import PAPER_MODELS
from otherminds.run.sweep import Job, numbers, words
from otherminds.worlds.symmtom.types import PAPER_SETTINGS


def plan(
    models: str,
    settings: str,
    seeds: str,
    out: Path,
    switches: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    network: Mapping[str, Any] | None = None,
) -> list[Job]:
    """One job for each model, setting and seed, all models of a seed and setting next to each other.

    Args:
        models: algorithm and belief, such as ``ppo-attentive``, by commas, or ``paper``.
        settings: by commas, or ``all``.
        seeds: by commas or as ranges, such as ``0-2``.
        out: the folder of the run directories.
        switches: parameters of the world.
        options: fields of the algorithm's configuration.
        network: further fields of the network.

    Raises:
        UserError: if anything is not known; no job is made then.
    """
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
                    raise UserError(f"model {model!r} is not of the form algorithm-belief{nearest(model, known)}")
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
