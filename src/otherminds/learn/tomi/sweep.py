"""Sweeps over ToMi's models, data and seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.learn.tomi.recipes import PAPER
from otherminds.learn.tomi.train import place_of, resolve
from otherminds.players.tomi import RESULT
from otherminds.run.sweep import Job, numbers, words


def plan(
    models: str,
    data: str,
    seeds: str,
    out: Path,
    data_seed: int = 0,
    sizes: Mapping[str, int] | None = None,
    options: Mapping[str, Any] | None = None,
    network: Mapping[str, Any] | None = None,
) -> list[Job]:
    """One job for each model, set of data and seed, all models of a seed next to each other.

    Args:
        models: by commas, or ``paper`` for its three.
        data: by commas.
        seeds: by commas or as ranges, such as ``0-2``.
        out: the folder of the run directories.
        data_seed: of the sets.
        sizes: stories of each split.
        options: fields of the recipes.
        network: fields of the networks.

    Raises:
        UserError: if anything is not known; no job is made then.
    """
    names = [name for model in words(models) for name in (PAPER if model == "paper" else [model])]
    flags = [f"--{split}-size={size}" for split, size in (sizes or {}).items()]
    for flag, values in (("--option", options), ("--network", network)):
        flags += [word for name, value in (values or {}).items() for word in (flag, f"{name}={json.dumps(value)}")]
    jobs = []
    for seed in numbers(seeds):
        for source in words(data):
            for model in names:
                config = resolve(model, source, seed, data_seed, sizes, options, network)
                directory = out / place_of(config)
                argv = ["train", "tomi", "--model", model, "--data", source, "--seed", str(seed)]
                argv += ["--data-seed", str(data_seed), *flags, "--out", str(directory)]
                jobs.append(Job(str(place_of(config)), argv, directory, config))
    return jobs


def kept_at(config: Mapping[str, Any], results: Path) -> Path | None:
    """The result of a run of this configuration, if it is kept in a folder of results.

    Raises:
        UserError: if what is kept under its name cannot be read, or is of another configuration.
    """
    path = results / place_of(config) / RESULT
    if not path.exists():
        return None
    try:
        kept = json.loads(path.read_text("utf-8"))["config"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is no result of a run ({error}); move it elsewhere") from error
    if kept != json.loads(json.dumps(config)):
        raise UserError(f"{path} is kept from another run; remove it, or keep these runs elsewhere")
    return path
