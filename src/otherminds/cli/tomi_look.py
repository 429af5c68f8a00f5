"""ToMi on the command line: look at a story with everyone's beliefs, and draw figures of results."""

from __future__ import annotations

import json as json_module
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from otherminds.cli.output import print_json
from otherminds.cli.symmtom import parse_switches
from otherminds.cli.tomi import Json, Knob, Seed
from otherminds.core.errors import UserError, nearest
from otherminds.worlds.tomi.items import Item, matches

Source = Annotated[
    str, typer.Argument(help="A file of questions (.jsonl), a ToMi file (.txt), a folder, or a generator.")
]
Answers = Annotated[Path | None, typer.Option(help="A model's answers, JSON lines with id and answer.")]
Split = Annotated[str, typer.Option(help="Of a folder or generator.")]
Size = Annotated[int, typer.Option(help="How many families of a generator, as the answers were given to.", min=1)]


def replay_tomi(
    source: Source = "medium",
    family: Annotated[int | None, typer.Option(help="Which family, from 0; its twins are shown too.", min=0)] = None,
    story: Annotated[str, typer.Option(help="One story alone, by its id.")] = "",
    answers: Answers = None,
    page: Annotated[
        Path | None, typer.Option("--page", help="File for the page. [default: named after the story]")
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Write the story, or the family's base, as a drawing.")] = None,
    png: Annotated[Path | None, typer.Option(help="Write it as a picture.")] = None,
    containers: Annotated[
        str, typer.Option(help="open: whoever enters sees into them; or closed; by default as the story was made.")
    ] = "",
    split: Split = "test",
    size: Size = 20,
    seed: Seed = 0,
    set: Knob = None,
    json: Json = False,
) -> None:
    """Look at a story of ToMi: who is where, and who believes what at each step.

    By default the first family; with answers, the first of which one is wrong.
    """
    from otherminds.core.files import write_whole
    from otherminds.view.shapes import save_png, to_svg
    from otherminds.worlds.tomi.draw import story_scene
    from otherminds.worlds.tomi.generate import make_items
    from otherminds.worlds.tomi.knobs import PRESETS
    from otherminds.worlds.tomi.page import story_page
    from otherminds.worlds.tomi.timeline import follow

    if family is not None and story:
        raise UserError("--family and --story both say what to look at; give one of them")
    if containers not in ("", "open", "closed"):
        raise UserError(f"--containers {containers!r} is not known; expected open or closed")
    knobs = parse_switches(set or [])
    if source in PRESETS and family is not None and answers is None:
        items, given, family = make_items(source, 1, seed, split, first=family, **knobs), None, 0
    else:
        items, given = _load(source, split, size, seed, knobs, answers)
    chosen = _chosen(items, family, story, given)
    is_open = containers == "open" if containers else chosen[0].is_open
    written: list[Path] = []
    if svg or png:
        asked = [item for item in chosen if item.story_id == chosen[0].story_id]
        scene = story_scene(follow(asked[0].story, [item.question for item in asked], is_open=is_open))
        if svg:
            write_whole(svg, to_svg(scene))
            written.append(svg)
        if png:
            save_png(scene, png, scale=2)
            written.append(png)
    if page or not written:
        target = page or Path(f"tomi_{story or chosen[0].family_id}.html")
        write_whole(target, story_page(chosen, given, is_open=is_open))
        written.append(target)
    if json:
        ids = list(dict.fromkeys(item.story_id for item in chosen))
        print_json({"family": chosen[0].family_id, "stories": ids, "files": [str(path) for path in written]})
        return
    for path in written:
        typer.echo(f"wrote {path}")


def figure_tomi(
    what: Annotated[str, typer.Argument(help="surface: accuracy over order and length; or the paper's table 1, 2, 3.")],
    source: Source = "medium",
    answers: Answers = None,
    record: Annotated[
        Path | None, typer.Option(help="Of a table: what 'table tomi --out' wrote; made anew by default.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="A .png, .svg or .pdf file.")] = None,
    ambiguous: Annotated[bool, typer.Option("--ambiguous", help="Count ambiguous questions too.")] = False,
    split: Split = "test",
    size: Size = 20,
    seed: Seed = 0,
    set: Knob = None,
    json: Json = False,
) -> None:
    """Draw a figure of ToMi's results."""
    from otherminds.evals.tomi_figures import surface, table_plot

    drawn: dict[str, Any]
    if what == "surface":
        if answers is None:
            raise UserError("a surface needs answers: --answers predictions.jsonl")
        path = out or Path("tomi_surface.png")
        items, given = _load(source, split, size, seed, parse_switches(set or []), answers)
        cells = surface(items, given or {}, path, title=f"{answers.stem} on {source}", ambiguous=ambiguous)
        drawn = {"file": str(path), "cells": [vars(cell) for cell in cells]}
    elif what in ("1", "2", "3"):
        path = out or Path(f"tomi_table{what}.png")
        table = _read_table(record) if record else _make_table(int(what), seed)
        drawn = {"file": str(path), "values": table_plot(table, path)}
    else:
        raise UserError(f"there is no figure {what!r} of ToMi; expected surface, 1, 2 or 3")
    if json:
        print_json(drawn)
        return
    typer.echo(f"wrote {path}")


def _load(
    source: str, split: str, size: int, seed: int, knobs: Mapping[str, Any], answers: Path | None
) -> tuple[list[Item], dict[str, str] | None]:
    """Questions, and the answers to them."""
    from otherminds.worlds.tomi.scores import read_predictions
    from otherminds.worlds.tomi.sets import load_items

    items = load_items(source, split, size, seed, **knobs)
    return items, None if answers is None else read_predictions(answers, items)


def _chosen(items: Sequence[Item], family: int | None, story: str, given: Mapping[str, str] | None) -> list[Item]:
    """The questions of the story or family to look at."""
    if story:
        found = [item for item in items if item.story_id == story]
        if not found:
            known = list(dict.fromkeys(item.story_id for item in items))
            which = nearest(story, known) if len(known) < 12 else f" among {len(known)}; they are named by story_id"
            raise UserError(f"there is no story {story!r}{which}")
        return found
    families: dict[str, list[Item]] = {}
    for item in items:
        families.setdefault(item.family_id, []).append(item)
    listed = list(families.values())
    if not listed:
        raise UserError("there is no question to look at")
    if family is None:
        missed = (group for group in listed if given and any(_is_missed(item, given) for item in group))
        return next(missed, listed[0])
    if family >= len(listed):
        raise UserError(f"there is no family {family}; expected 0 to {len(listed) - 1} (or a larger --size)")
    return listed[family]


def _is_missed(item: Item, given: Mapping[str, str]) -> bool:
    return item.id in given and not item.ambiguous and not matches(given[item.id], item)


def _make_table(number: int, seed: int) -> dict[str, Any]:
    """The same as ``otherminds table tomi`` prints."""
    from otherminds.evals.tomi_tables import RESULTS, records, table

    return table(number, records(RESULTS), seed=seed).to_json()


def _read_table(path: Path) -> dict[str, Any]:
    try:
        found = json_module.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UserError(f"{path} is not JSON ({error}); expected a table with rows") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    if not isinstance(found, dict) or "rows" not in found:
        raise UserError(f"{path} holds no table; expected what 'otherminds table tomi 1 --out' writes")
    return found
