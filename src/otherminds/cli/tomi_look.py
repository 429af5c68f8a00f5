"""ToMi on the command line: score answers, look at a story with everyone's beliefs, draw accuracy as a surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from otherminds.cli.options import Figure, Json, Seed, parse_settings
from otherminds.cli.output import print_result
from otherminds.cli.tomi import Knob, Source, Split
from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.evals.table import Cell, Table
from otherminds.worlds.tomi.items import Item, grouped, matches
from otherminds.worlds.tomi.scores import read_predictions, score_answers, similar
from otherminds.worlds.tomi.sets import load_items, read_files

Answers = Annotated[Path | None, typer.Option(help="File of a model's answers: JSON lines with id and answer.")]
Ambiguous = Annotated[bool, typer.Option("--ambiguous", help="Include ambiguous questions.")]
Size = Annotated[
    int, typer.Option(help="Number of families to generate; must match the one that the answers were given for.", min=1)
]


def score_answers_file(
    predictions: Annotated[Path, typer.Argument(help="File of answers: JSON lines with id and answer.")],
    items: Annotated[
        Path, typer.Option(help="Questions: a file of JSON lines, a folder (its test split) or a ToMi file.")
    ],
    ambiguous: Ambiguous = False,
    json: Json = False,
) -> None:
    """Score a file of answers to ToMi's questions, from any source."""
    asked = read_files(items)
    found = score_answers(asked, read_predictions(predictions, asked), ambiguous=ambiguous)
    rows = []
    for name, rate in found.rates().items():
        error = None if rate is None or rate.stderr is None else 100 * rate.stderr
        rows.append((name.replace("_", " "), Cell(None if rate is None else 100 * rate.value, error)))
    notes = [f"{found.missing} questions have no answer; they count as not right"] if found.missing else []
    title = f"{predictions.name}: percent of {found.accuracy.count} questions"
    print_result(json, found.to_json(), Table(title, ["score", ""], rows, notes))


def replay_tomi(
    source: Source = "medium",
    family: Annotated[
        int | None, typer.Option(help="Number of the family, from 0. Its twins are shown as well.", min=0)
    ] = None,
    story: Annotated[str, typer.Option(help="Id of a single story to show.")] = "",
    answers: Answers = None,
    page: Annotated[
        Path | None, typer.Option("--page", help="File for the page (HTML). [default: named after the story]")
    ] = None,
    split: Split = "test",
    size: Size = 20,
    seed: Seed = 0,
    set: Knob = None,
    json: Json = False,
) -> None:
    """Show a story of ToMi: who is where, and who believes what at each step.

    The default is the first family; with --answers, the first family with a wrong answer.
    """
    from otherminds.worlds.tomi.generate import make_items
    from otherminds.worlds.tomi.knobs import PRESETS
    from otherminds.worlds.tomi.page import story_page

    if family is not None and story:
        raise UserError("--family and --story both say what to look at; give one of them")
    knobs = parse_settings(set)
    if source in PRESETS and family is not None and answers is None:
        items, given, family = make_items(source, 1, seed, split, first=family, **knobs), None, 0
    else:
        items = load_items(source, split, size, seed, **knobs)
        given = read_predictions(answers, items) if answers else None
    chosen = _chosen(items, family, story, given)
    page = page or Path(f"tomi_{story or chosen[0].family_id}.html")
    write_whole(page, story_page(chosen, given, is_open=chosen[0].is_open))
    stories = list(dict.fromkeys(item.story_id for item in chosen))
    content = {"family": chosen[0].family_id, "stories": stories, "files": [str(page)]}
    print_result(json, content, f"wrote {page}")


def _chosen(items: Sequence[Item], family: int | None, story: str, given: Mapping[str, str] | None) -> list[Item]:
    """The questions of the story or family to look at."""
    if story:
        stories = grouped(items, lambda item: item.story_id)
        if story not in stories:
            raise UserError(f"there is no story {story!r}{similar(story, stories)}")
        return stories[story]
    families = list(grouped(items, lambda item: item.family_id).values())
    if not families:
        raise UserError("there is no question to look at")
    if family is None:
        missed = (group for group in families if given and any(_is_missed(item, given) for item in group))
        return next(missed, families[0])
    if family >= len(families):
        raise UserError(f"there is no family {family}; expected 0 to {len(families) - 1} (or a larger --size)")
    return families[family]


def _is_missed(item: Item, given: Mapping[str, str]) -> bool:
    return item.id in given and not item.ambiguous and not matches(given[item.id], item)


def figure_tomi(
    what: Annotated[str, typer.Argument(help="Figure to draw: surface (accuracy by order and story length).")],
    source: Source = "medium",
    answers: Answers = None,
    out: Figure = None,
    ambiguous: Ambiguous = False,
    split: Split = "test",
    size: Size = 20,
    seed: Seed = 0,
    set: Knob = None,
    json: Json = False,
) -> None:
    """Draw a figure of results on ToMi."""
    from otherminds.evals.tomi_figures import surface

    if what != "surface":
        raise UserError(f"there is no figure {what!r} of ToMi; expected surface")
    if answers is None:
        raise UserError("a surface needs answers: --answers predictions.jsonl")
    path = out or Path("tomi_surface.png")
    items = load_items(source, split, size, seed, **parse_settings(set))
    given = read_predictions(answers, items)
    cells = surface(items, given, path, title=f"{answers.stem} on {source}", ambiguous=ambiguous)
    print_result(json, {"file": str(path), "cells": [vars(cell) for cell in cells]}, f"wrote {path}")
