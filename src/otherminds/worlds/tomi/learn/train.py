"""Training runs of ToMi from their configuration to their scores: ``otherminds train tomi`` and ``sweep tomi``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError, check_like, nearest
from otherminds.core.files import sha256, write_whole
from otherminds.core.json_lines import to_json
from otherminds.learn.loop import Chunk, Trained, train
from otherminds.run import checkpoint
from otherminds.run.directory import RunDirectory
from otherminds.run.sweep import Job, numbers, words
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.files.sources import is_of_papers, load_items, usual_sizes
from otherminds.worlds.tomi.learn.learner import RECIPES, Questioner, Recipe
from otherminds.worlds.tomi.minds import READER, RESULT
from otherminds.worlds.tomi.minds.encode import Vocabulary
from otherminds.worlds.tomi.minds.learned import load_reader, save_reader
from otherminds.worlds.tomi.minds.networks import find_network, make_network, network_fields
from otherminds.worlds.tomi.observe import answers_of
from otherminds.worlds.tomi.scores import score_answers
from otherminds.worlds.tomi.stories.presets import SPLITS, check_split

PREDICTIONS = "predictions.jsonl"
Splits = Mapping[str, Sequence[LabelledQuestion]]


def resolve(
    model: str,
    data: str = "original/released",
    seed: int = 0,
    data_seed: int = 0,
    sizes: Mapping[str, int] | None = None,
    options: Mapping[str, Any] | None = None,
    network: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The whole configuration of a run, every default written out.

    ``seed`` is that of training, ``data_seed`` that of the questions: the same for runs that are compared. ``options``
    are fields of the model's recipe, ``network`` fields of its network; ``sizes`` count as in ``load_items``.
    """
    find_network(model)
    usual = asdict(RECIPES[model])
    for name, value in (options or {}).items():
        if name not in usual:
            raise UserError(f"{model} has no option {name!r}{nearest(name, usual)}")
        check_like(f"{model}: {name}", value, 0 if name == "halve_every" else usual[name])
    recipe = asdict(Recipe(**(usual | dict(options or {}))))
    counts = usual_sizes(data)
    for split, size in (sizes or {}).items():
        check_split(split)
        if not counts:
            raise UserError(f"{data} is a folder, of which all questions are read; leave out the size of {split}")
        check_like(f"the size of {split}", size, 1)
    config: dict[str, Any] = {
        "world": "tomi",
        "name": model,
        "data": data,
        "data_seed": data_seed,
        "sizes": counts | dict(sizes or {}),
        "files": {} if counts else _hashes(Path(data)),
        "seed": seed,
        "options": recipe,
        "network": network_fields(model, network),
    }
    pairs = ((recipe, usual), (config["network"], network_fields(model)))
    changes = {name: mine[name] for mine, default in pairs for name in mine if mine[name] != default[name]}
    changes |= {split: config["sizes"][split] for split in counts if config["sizes"][split] != counts[split]}
    changes |= {"data_seed": data_seed} if data_seed else {}
    differs = [f"{name}={json.dumps(changes[name], separators=('+', ':'))}" for name in sorted(changes)]
    config["variant"] = ",".join(differs).replace('"', "")
    return config


def place_of(config: Mapping[str, Any]) -> Path:
    """Path of a run within a folder of runs or results: model, data with changed settings, seed."""
    data = Path(config["data"]).name if config["files"] else config["data"].replace("/", "-")
    return Path(config["name"], ",".join(filter(None, (data, config["variant"]))), f"seed{config['seed']}")


def train_tomi(
    config: Mapping[str, Any],
    out: str | Path,
    command: Sequence[str] = (),
    on_chunk: Callable[[Chunk], None] | None = None,
    warn: Callable[[str], None] | None = None,
    splits: Splits | None = None,
) -> dict[str, Any]:
    """Train, keep the reader that was best on validation, score it on the test questions, which it never saw before.

    Resumes a run that was stopped: see ``RunDirectory``. ``splits`` replaces the questions of the configuration.

    Returns:
        The result: configuration, validation accuracy chunk by chunk, and the test scores of the best reader.
    """
    with RunDirectory.open(out, config, command) as run:
        if not run.is_finished:
            loaded = splits or {
                split: load_items(config["data"], split, config["sizes"].get(split, 0), config["data_seed"])
                for split in SPLITS
            }
            kept = {split: scored(loaded[split], config["data"]) for split in SPLITS}
            vocabulary = Vocabulary.of(kept["train"], config["options"]["last"])
            learner = make_learner(config, vocabulary, kept)
            trained = train(learner, run, on_chunk, warn)
            _finish(run, learner, trained, vocabulary, kept["test"])
        result = run.result(RESULT)  # before the checkpoints go
        checkpoint.tidy(run.checkpoints)
        return result


def scored(items: Sequence[LabelledQuestion], data: str) -> list[LabelledQuestion]:
    """The questions that are scored: all of the papers' sets, and unambiguous ones of corrected sets."""
    return [item for item in items if is_of_papers(data) or not item.ambiguous]


def make_learner(config: Mapping[str, Any], vocabulary: Vocabulary, splits: Splits) -> Questioner:
    """The learner of a configuration."""
    network = make_network(config["name"], len(vocabulary), config["network"])
    train, val = (vocabulary.encode(splits[split]) for split in ("train", "val"))
    return Questioner(network, Recipe(**config["options"]), train, val, config["seed"])


def _finish(
    run: RunDirectory, learner: Questioner, trained: Trained, vocabulary: Vocabulary, test: Sequence[LabelledQuestion]
) -> None:
    about = {**run.config, "best_step": trained.best_step, "vocabulary": asdict(vocabulary)}
    save_reader(run.path / READER, trained.best, about)
    answers = answers_of(load_reader(run.path), test)
    lines = (json.dumps({"id": name, "answer": answer}) for name, answer in answers.items())
    write_whole(run.path / PREDICTIONS, "".join(f"{line}\n" for line in lines))
    curve = [row["reward"] for row in run.metrics()]
    result = {
        "config": run.config,
        "best_step": trained.best_step,
        "validation": max(curve),
        "curve": [round(value, 4) for value in curve],
        "chunk_questions": learner.chunk_episodes,
        "evaluation": score_answers(test, answers, ambiguous=True).to_json(),
    }
    write_whole(run.path / RESULT, to_json(result, indent=1) + "\n")
    run.finish([READER, RESULT, PREDICTIONS])


def _hashes(folder: Path) -> dict[str, str]:
    """Hashes of a folder of exported questions, so that a run is not resumed with other questions."""
    hashes = {}
    for split in SPLITS:
        path = folder / f"{split}.jsonl"
        if not path.is_file():
            raise UserError(
                f"{folder} has no {path.name}; expected a folder with train.jsonl, val.jsonl and test.jsonl"
            )
        hashes[split] = sha256(path)
    return hashes


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
    """One job for each model, set of data and seed, all models of a seed next to each other."""
    names = [name for model in words(models) for name in (RECIPES if model == "paper" else [model])]
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
    """The result of a run of this configuration, if it is kept in a folder of results."""
    path = results / place_of(config) / RESULT
    if not path.exists():
        return None
    try:
        kept = json.loads(path.read_text("utf-8"))["config"]
        # Older results name options that no longer exist.
        kept["options"] = {name: value for name, value in kept["options"].items() if name in config["options"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(f"{path} is not the result of a run ({error}); move it elsewhere") from error
    if kept != json.loads(json.dumps(config)):
        raise UserError(f"{path} holds the results of another run; remove it, or keep these runs in another folder")
    return path
