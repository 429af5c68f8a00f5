"""Commands of ToMi: generate, relabel, score-answers, audit, audit contamination, table, verify."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.cost import confirm
from otherminds.cli.options import Connections, Force, Json, LogFolder, OutFile, Seed, Yes, parse_settings
from otherminds.cli.output import print_result, progress
from otherminds.cli.verify import Verifier
from otherminds.core.errors import UserError, nearest
from otherminds.results.table import Cell, Table

Source = Annotated[
    str, typer.Argument(help="Set of questions: a preset, a .jsonl file, a ToMi file (.txt) or a folder.")
]
Split = Annotated[str, typer.Option(help="Split of a preset or folder: train, val or test.")]
Knob = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Parameter of the preset, such as agents=4 or peeks=0.5. May be repeated."
    ),
]


def generate(
    source: Annotated[
        str,
        typer.Argument(
            help="Preset (classic, easy, medium, hard, deep, long, asymmetric), original/released or original/code."
        ),
    ] = "medium",
    out: Annotated[Path, typer.Option(help="Folder for the set.")] = Path("tomi"),
    train: Annotated[
        int,
        typer.Option(
            help="Number of families in the training split; for original/released and original/code, the number "
            "of stories.",
            min=0,
        ),
    ] = 0,
    val: Annotated[int, typer.Option(help="Number of families or stories in the validation split.", min=0)] = 0,
    test: Annotated[
        int | None,
        typer.Option(help="Number of families or stories in the test split. [default: 1000 if no split is set]", min=0),
    ] = None,
    seed: Seed = 0,
    set: Knob = None,
    formats: Annotated[
        str, typer.Option(help="Formats, separated by commas: jsonl, babi, parquet. Available for presets only.")
    ] = "jsonl",
    workers: Annotated[int, typer.Option(help="Number of processes; 0 for one per core.", min=0)] = 0,
    private: Annotated[
        bool, typer.Option("--private", help="Publish the hash of the seed instead of the seed.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Generate a set of stories with questions. Run the same command again to resume."""
    from otherminds.worlds.tomi.files.export import BLOCK, Set, write_set
    from otherminds.worlds.tomi.files.sources import ORIGINAL
    from otherminds.worlds.tomi.stories.original import write
    from otherminds.worlds.tomi.stories.presets import PRESETS, preset

    if source not in (*ORIGINAL, *PRESETS):
        raise UserError(f"there is no preset {source!r}{nearest(source, (*ORIGINAL, *PRESETS))}")
    sizes = {split: size for split, size in (("train", train), ("val", val), ("test", test)) if size}
    sizes = sizes or {"test": 1000}
    if source not in PRESETS:
        if set or private or formats != "jsonl":
            raise UserError(f"--set, --private and --formats apply only to presets: {', '.join(PRESETS)}")
        made: dict[str, Any] = {"counts": write(out, ORIGINAL[source], sizes, seed, force=force)}
    else:
        wanted = Set(preset(source, **parse_settings(set, example="peeks=0.5")), source, seed, sizes, private)
        kinds = tuple(name.strip() for name in formats.split(",") if name.strip())
        workers = workers or os.cpu_count() or 1
        with progress("making stories", sum(-(-size // BLOCK) for size in sizes.values()), hidden=json) as advance:
            made = write_set(wanted, out, kinds, workers=workers, force=force, on_block=advance)
    lines = [
        f"{split}: " + ", ".join(f"{number:,} {kind}" for kind, number in count.items())
        for split, count in made["counts"].items()
    ]
    audited = next((path for split in sizes if (path := out / f"{split}.jsonl").exists()), None)
    advice = f"; look for shortcuts with: otherminds audit tomi {audited}" if audited else ""
    print_result(json, made, *lines, f"in {out}{advice}")


def relabel(
    files: Annotated[
        list[Path], typer.Argument(help="Files in ToMi's format (.txt). A .trace file next to each one is also read.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the corrected .txt, .trace and .jsonl files. [default: write no files]"),
    ] = None,
    force: Force = False,
    containers: Annotated[
        str,
        typer.Option(
            help="Kind of container: open (people who enter a room see what it holds) or closed (they see only moves)."
        ),
    ] = "open",
    json: Json = False,
) -> None:
    """Correct the labels in ToMi files, flag ambiguous questions, add the true story types, and report defects."""
    from otherminds.worlds.tomi.files import relabel as relabelling
    from otherminds.worlds.tomi.session import CONTAINERS

    if containers not in CONTAINERS:
        raise UserError(f"containers are {containers!r}; expected open or closed")
    rows = relabelling.relabel(files, is_open=containers == "open")
    paths = [str(path) for path in relabelling.write(rows, out, force=force)] if out else []
    tables = relabelling.as_tables(rows)
    record = {**relabelling.summary(rows), "written": paths}
    print_result(json, record, *tables, *(f"written: {path}" for path in paths))


def score_answers_file(
    predictions: Annotated[Path, typer.Argument(help="File of answers: JSON lines with id and answer.")],
    items: Annotated[
        Path,
        typer.Option(help="File of questions: JSON lines, a ToMi file, or a folder, whose test split is used."),
    ],
    ambiguous: Annotated[bool, typer.Option("--ambiguous", help="Count ambiguous questions too.")] = False,
    json: Json = False,
) -> None:
    """Score answers from any source to ToMi questions."""
    from otherminds.worlds.tomi.files.sources import read_files
    from otherminds.worlds.tomi.scores import read_predictions, score_answers

    asked = read_files(items)
    scores = score_answers(asked, read_predictions(predictions, asked), ambiguous=ambiguous)
    rows = []
    for name, rate in scores.rates().items():
        error = None if rate is None or rate.stderr is None else 100 * rate.stderr
        rows.append((name.replace("_", " "), Cell(None if rate is None else 100 * rate.value, error)))
    notes = [f"{scores.missing} questions have no answer; they count as wrong"] if scores.missing else []
    title = f"{predictions.name}: percent of {scores.accuracy.count} questions"
    print_result(json, scores.to_json(), Table(title, ["score", ""], rows, notes))


def audit(
    source: Source = "medium",
    split: Split = "test",
    size: Annotated[int, typer.Option(help="Number of families, for a preset.", min=2)] = 1000,
    seed: Seed = 0,
    set: Knob = None,
    out: OutFile = None,
    json: Json = False,
) -> None:
    """Test whether shortcuts can answer the questions of a set. The exit code is 1 if a shortcut exceeds its limit."""
    from otherminds.worlds.tomi.evals import audit as tomi_audit
    from otherminds.worlds.tomi.files.sources import load_items

    items = load_items(source, split, size, seed, **parse_settings(set, example="peeks=0.5"))
    record = tomi_audit.audit(items)
    print_result(json, record, tomi_audit.as_table(record, source), out=out)
    if record["failures"]:
        raise typer.Exit(1)


def contamination(
    model: Annotated[str, typer.Argument(help="Language model, such as openai/gpt-5 or local.")],
    set: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="ToMi option, such as items=FILE. May be repeated."),
    ] = None,
    suite: Annotated[
        str, typer.Option("--suite", help="Suite of ToMi stories to use; see 'otherminds list suites'.")
    ] = "standard",
    out: LogFolder = Path("logs"),
    connections: Connections = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Test whether a model has memorised ToMi stories, by asking it to complete them from their first halves."""
    from otherminds.worlds.tomi.evals.contamination import evaluate_contamination

    confirm([model], yes=yes)
    result = evaluate_contamination(
        model, parse_settings(set, example="items=FILE"), suite=suite, log_dir=out, connections=connections
    )
    share, stories = result["reproduced"], result["stories"]
    line = f"{share:.1%} of the held-back sentences of {stories} stories were reproduced word for word"
    print_result(json, result, line)


def table(
    name: Annotated[str, typer.Argument(help="Number of the table in the paper: 1, 2 or 3.")],
    source: Annotated[str, typer.Option(help="Preset or ToMi file to evaluate the rules on.")] = "original/released",
    results: Annotated[
        list[Path] | None,
        typer.Option(help="Folder of trained models. May be repeated. [default: results/tomi and runs/tomi]"),
    ] = None,
    stories: Annotated[int, typer.Option(help="Number of stories to evaluate the rules on.", min=3)] = 999,
    seed: Seed = 0,
    out: OutFile = None,
    json: Json = False,
) -> None:
    """Print a table from the ToMi paper, with our results next to the published figures."""
    from otherminds.worlds.tomi.evals import tables

    trained = tables.records(tables.RESULTS if results is None else results)
    record = tables.table(name, trained, source, stories, seed)
    print_result(json, record, tables.as_table(record), out=out)


def compare_solvers(_names: Sequence[str], *, json: bool, number: int = 3000, **_: Any) -> list[dict[str, Any]]:
    """Both solvers of ToMi on fresh stories: the ledger and the perspectives must agree."""
    from otherminds.worlds.tomi.second_solver import disagreements

    differing = disagreements(0, number)
    if not json:
        typer.echo(f"{number:,} stories to order 4: ledger and perspectives disagree {differing} times")
    return [{"stories": number, "disagreements": differing, "holds": not differing}]


VERIFIER = Verifier(compare_solvers)
