"""Commands of ToMi: train and sweep."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli import training
from otherminds.cli.options import Json, Seed
from otherminds.cli.output import print_result
from otherminds.core.files import write_whole
from otherminds.run.sweep import Job

DataSeed = Annotated[int, typer.Option(help="Seed of the questions. Use the same one for runs that are compared.")]
TrainSize = Annotated[
    int | None, typer.Option(help="Size of the training split: stories, or families where stories have twins.")
]
ValSize = Annotated[int | None, typer.Option(help="Size of the validation split, used to choose the best checkpoint.")]
TestSize = Annotated[int | None, typer.Option(help="Size of the test split.")]


def train(
    model: Annotated[str, typer.Option(help="Network: memnn, entnet or relnet.")] = "entnet",
    data: Annotated[
        str,
        typer.Option(
            help="Set: original/released, original/code, tom-easy, tom, a preset, or a folder of exported files."
        ),
    ] = "original/released",
    seed: Seed = 0,
    data_seed: DataSeed = 0,
    train_size: TrainSize = None,
    val_size: ValSize = None,
    test_size: TestSize = None,
    option: training.Options = None,
    network: training.Network = None,
    out: training.RunFolder = None,
    json: Json = False,
) -> None:
    """Train a model to answer ToMi's questions. Run the same command again to resume."""
    from otherminds.worlds.tomi.learn.train import place_of, resolve, train_tomi

    sizes = _sizes(train_size, val_size, test_size)
    config = resolve(model, data, seed, data_seed, sizes, *training.recipe(option, network))
    out = out or Path("runs", "tomi") / place_of(config)

    def note(chunk: Any) -> str:
        right, loss = 100 * chunk.row["reward"], chunk.row["loss"]
        return f"{right:.1f} % of validation questions right, loss {loss:.3f}, chunk {chunk.row['step']}"

    with training.training_bar(f"{model} on {data}", note) as (show, warn):
        result = train_tomi(config, out, sys.argv, show, warn)
    scores = result["evaluation"]
    joint = {"stories": scores["story_joint"], "families": scores["family_joint"]}
    if joint["stories"]["count"] == joint["families"]["count"]:
        del joint["families"]
    parts = [f"{100 * scores['accuracy']['value']:.1f} % of {scores['accuracy']['count']:,} test questions right"]
    parts += [f"{100 * rate['value']:.1f} % of {rate['count']:,} {name}" for name, rate in joint.items()]
    line = f"{', '.join(parts)}; best after chunk {result['best_step']} of {len(result['curve'])}; in {out}"
    print_result(json, result, line)


@training.sweeping
def sweep(
    models: Annotated[
        str, typer.Option(help="Models, separated by commas; 'paper' for the paper's three models.")
    ] = "paper",
    data: Annotated[str, typer.Option(help="Data sets, separated by commas.")] = "original/released",
    seeds: training.Seeds = "0-2",
    data_seed: DataSeed = 0,
    train_size: TrainSize = None,
    val_size: ValSize = None,
    test_size: TestSize = None,
    option: training.Options = None,
    network: training.Network = None,
    out: training.Folder = Path("runs/tomi"),
    json: Json = False,
    *,
    launch: dict[str, Any],
) -> None:
    """Train every combination of models, data and seeds, each in its own run directory.

    Run the same command again to resume.
    """
    from otherminds.worlds.tomi.learn.train import kept_at, plan
    from otherminds.worlds.tomi.minds import READER, RESULT

    sizes = _sizes(train_size, val_size, test_size)
    jobs = plan(models, data, seeds, out, data_seed, sizes, *training.recipe(option, network))

    def copy(job: Job, folder: Path) -> None:
        for name in (RESULT, READER):
            write_whole(folder / job.name / name, (job.directory / name).read_bytes())

    training.run_sweep(jobs, json, kept_at, copy, **launch)


def _sizes(train: int | None, val: int | None, test: int | None) -> dict[str, int]:
    sizes = {"train": train, "val": val, "test": test}
    return {split: size for split, size in sizes.items() if size is not None}
