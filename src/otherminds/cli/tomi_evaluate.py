"""ToMi on the command line: evaluate a language model, and score answers from anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from otherminds.cli.models import Asking, Connections, LogDir, PriceIn, PriceOut, Retries, Temperature, Yes
from otherminds.cli.output import console, print_json
from otherminds.cli.symmtom import parse_switches
from otherminds.cli.tomi import Knob
from otherminds.worlds.tomi.scores import Rate, Scores, read_predictions, score_answers
from otherminds.worlds.tomi.sets import read_files

Json = Annotated[bool, typer.Option("--json", help="Print for programs.")]
Ambiguous = Annotated[bool, typer.Option("--ambiguous", help="Count ambiguous questions too.")]


def evaluate(
    model: Annotated[str, typer.Option(help="local, or any model of Inspect, such as openai/gpt-4o-mini.")],
    items: Annotated[
        Path | None,
        typer.Option(help="Questions from a JSON-lines file, a folder or a ToMi file (.txt) instead of fresh ones."),
    ] = None,
    preset: Annotated[
        str, typer.Option(help="What fresh stories are like: a preset, original/released, tom, …")
    ] = "classic",
    size: Annotated[int, typer.Option(help="How many families of stories.", min=1)] = 20,
    seed: Annotated[int, typer.Option(help="Decides which stories.")] = 0,
    split: Annotated[str, typer.Option(help="train, val or test.")] = "test",
    set: Knob = None,
    phrasing: Annotated[
        str, typer.Option(help="plain, reader, stepwise, a file, several by commas, or all.")
    ] = "plain",
    prompts: Annotated[str, typer.Option(help="Version of the prompts.")] = "v1",
    conventions: Annotated[bool, typer.Option(help="State before each story what people see and believe.")] = True,
    containers: Annotated[
        str, typer.Option(help="What the conventions say of containers, open or closed; by default as stories are.")
    ] = "",
    form: Annotated[str, typer.Option(help="free: in words; choices: a letter; schema: structured output.")] = "free",
    order: Annotated[int | None, typer.Option(help="Only questions of this order.", min=0)] = None,
    ambiguous: Ambiguous = False,
    retries: Retries = 1,
    contamination: Annotated[
        bool, typer.Option("--contamination", help="Have stories completed instead: has the model seen them?")
    ] = False,
    limit: Annotated[
        int | None, typer.Option(help="At most so many questions of each phrasing; it may cut a family.", min=1)
    ] = None,
    connections: Connections = None,
    temperature: Temperature = None,
    log_dir: LogDir = Path("logs"),
    price_in: PriceIn = None,
    price_out: PriceOut = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Evaluate a language model on ToMi. The same command goes on where it was stopped."""
    from otherminds.evals.inspect.tomi_run import evaluated, takes, tomi_tasks

    asking = Asking(model, connections, temperature, log_dir, price_in, price_out, yes, json, limit)
    options: dict[str, Any] = {
        "items": None if items is None else str(items),
        "preset": preset,
        "size": size,
        "seed": seed,
        "split": split,
        "prompts": prompts,
        "conventions": conventions,
        "containers": containers,
        "form": form,
        "order": order,
        "ambiguous": ambiguous,
        "retries": retries,
        "contamination": contamination,
        "knobs": parse_switches(set or []),
    }
    expected, logs = asking.run(tomi_tasks(phrasing, **options), takes)
    done = [evaluated(log) for log in logs]
    if json:
        print_json({"model": model, "plan": expected, "results": [one.to_json() for one in done]})
        return
    out = console()
    for one in done:
        if one.scores is None:
            out.print(f"{one.samples} stories: {one.metrics['mean']:.1%} of their held-back sentences reproduced")
        out.print(f"[dim]{one.tokens_in} tokens read, {one.tokens_out} written; log: {one.log}[/dim]", soft_wrap=True)
    found = {one.phrasing: one.scores for one in done if one.scores}
    if found:
        out.print(scores_grid(f"ToMi, {model} (percent)", found))


def score(
    predictions: Annotated[Path, typer.Argument(help="JSON lines with id and answer.")],
    items: Annotated[Path, typer.Option(help="The questions: JSON lines, a folder (its test split) or a ToMi file.")],
    ambiguous: Ambiguous = False,
    json: Json = False,
) -> None:
    """Score a file of answers to ToMi's questions, wherever they come from."""
    asked = read_files(items)
    found = score_answers(asked, read_predictions(predictions, asked), ambiguous=ambiguous)
    if json:
        print_json(found.to_json())
        return
    out = console()
    out.print(scores_grid("ToMi (percent)", {predictions.name: found}))
    if found.missing:
        out.print(f"{found.missing} questions have no answer; they count as not right")


def scores_grid(title: str, found: dict[str, Scores]) -> Table:
    """Scores side by side, one column for each set of answers."""
    grid = Table(title=title, title_justify="left")
    grid.add_column("score", no_wrap=True)
    for name, scores in found.items():
        grid.add_column(f"{name}\nn = {scores.accuracy.count}", justify="right")
    every = list(found.values())
    rows: list[tuple[str, Sequence[Rate | None]]] = [
        ("[bold]family-joint[/bold]", [one.family_joint for one in every]),
        ("story-joint", [one.story_joint for one in every]),
        *((f"{name} pair-joint", rates) for name, rates in _rows(one.pair_joint for one in every)),
        ("accuracy", [one.accuracy for one in every]),
        ("accuracy of valid replies", [one.accuracy_of_valid for one in every]),
        ("validity", [one.validity for one in every]),
        *((f"  {name}", rates) for name, rates in _rows(one.by_group for one in every)),
        *((f"  {name} (attributed)", rates) for name, rates in _rows(one.false_attribution for one in every)),
        *((f"  {name} (vs reality)", rates) for name, rates in _rows(one.false_vs_reality for one in every)),
        ("reality bias", [one.reality_bias for one in every]),
    ]
    for name, rates in rows:
        grid.add_row(name, *map(_cell, rates))
    return grid


def _rows(tables: Iterable[dict[str, Rate]]) -> list[tuple[str, list[Rate | None]]]:
    """Tables with other keys as rows with gaps."""
    listed = list(tables)
    names = dict.fromkeys(name for table in listed for name in table)
    return [(name, [table.get(name) for table in listed]) for name in names]


def _cell(rate: Rate | None) -> str:
    if rate is None:
        return "-"
    error = "" if rate.stderr is None else f" [dim]±{100 * rate.stderr:.1f}[/dim]"
    return f"{100 * rate.value:.1f}{error}"
