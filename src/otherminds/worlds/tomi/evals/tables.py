"""Tables 1 to 3 of the paper next to the published figures: rules are measured anew, trained readers have records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from importlib.resources import files
from operator import getitem
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from otherminds.core.errors import UserError
from otherminds.minds.find import find_mind
from otherminds.results.table import Cell, Table
from otherminds.worlds.tomi.files.items import LabelledQuestion
from otherminds.worlds.tomi.files.sources import is_of_papers, load_items
from otherminds.worlds.tomi.minds import RESULT
from otherminds.worlds.tomi.observe import answers_of
from otherminds.worlds.tomi.scores import score_answers
from otherminds.worlds.tomi.world import ToMi

READERS = ("memnn", "entnet", "relnet")
TOMI = "original/released"
RESULTS = (Path("results/tomi"), Path("runs/tomi"))  # where trained readers are looked for
_EASY, _TOM = "tom-easy", "tom"


@cache
def published() -> Any:
    """The paper's figures."""
    return json.loads((files("otherminds.worlds.tomi") / "paper.json").read_text(encoding="utf-8"))


def records(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """The results of trained readers, of default trainings only."""
    results = []
    for folder in folders:
        if folder not in RESULTS and not folder.is_dir():
            raise UserError(f"there is no folder {folder}; expected one with runs of 'otherminds train tomi'")
        for path in sorted(folder.rglob(RESULT)):
            try:
                result = json.loads(path.read_text(encoding="utf-8"))
                if result["config"]["world"] == "tomi" and not result["config"]["variant"]:
                    result["evaluation"]["accuracy"]["value"]
                    results.append(result)
            except (ValueError, KeyError, TypeError) as error:
                raise UserError(f"{path} is not a result of 'otherminds train tomi' ({error!r}); remove it") from None
    return results


def table(
    name: str, results: Sequence[Mapping[str, Any]], source: str = TOMI, number: int = 999, seed: int = 0
) -> dict[str, Any]:
    """One of the paper's tables, for programs: each figure of ours, its spread over seeds, and the published one.

    Args:
        name: number of the table, 1, 2 or 3.
        results: of trained readers, see :func:`records`.
        source: where rules are measured for ToMi: our generator, or the path of ToMi files.
        number: stories to measure rules on.
        seed: of these stories.
    """
    if name not in ("1", "2", "3"):
        raise UserError(f"ToMi has no table {name}; expected 1, 2 or 3")
    if not is_of_papers(source):
        raise UserError(f"{source} is not one of the paper's sets; give a ToMi file (.txt), or leave it out")
    paper, rows = published()[f"table{name}"], {}
    columns: tuple[str, ...]
    cells: list[tuple[str, str, tuple[str, ...]]]
    if name == "1":
        title, columns = "Table 1: accuracy, percent", ("ToM-easy", "ToM", "ToMi average", "ToMi joint")
        places = ((_EASY, "accuracy"), (_TOM, "accuracy"), (TOMI, "accuracy"), (TOMI, "story_joint"))
        for mind, rule in (("rules", "algorithm-1"), ("always reality", "always-reality"), ("tracker", "tracker")):
            easy, full = (_by_rule(rule, data, max(5, min(number // 10, 100)), seed)[0] for data in (_EASY, _TOM))
            theirs = paper.get(mind, {}).values() or (None,) * 4
            rows[mind] = list(
                map(_figures, ([share] for share in (easy, full, *_by_rule(rule, source, number, seed))), theirs)
            )
        for mind in READERS:
            cells = [(mind, data, (score, "value")) for data, score in places]
            rows[mind] = _trained(results, cells, paper[mind].values())
    elif name == "2":
        title, columns = "Table 2: MemNN by question, percent", ("ToM-easy", "ToM", "ToMi")
        for group, theirs in paper.items():
            cells = [("memnn", data, ("by_group", group, "value")) for data in (_EASY, _TOM, TOMI)]
            rows[group] = _trained(results, cells, theirs.values())
    else:
        title, columns = "Table 3: ToMi by question, percent", ("MemNN", "RelNet", "EntNet")
        for group, theirs in paper.items():
            kind, _, part = group.partition(", ")
            belief = f"{kind}, {'false' if part == 'FB' else 'true'} belief"
            place = ("false_vs_reality", belief, "value") if part else ("by_group", group, "value")
            names = [column.lower() for column in columns]
            rows[group] = _trained(results, [(name, TOMI, place) for name in names], map(theirs.get, names))
    named = [{"name": row, "cells": cells} for row, cells in rows.items()]
    return {"title": title, "columns": columns, "rows": named}


def as_table(record: Mapping[str, Any]) -> Table:
    """A table, or the kept record of one."""
    rows = [
        [row["name"], *(Cell(c["ours"], c["spread"], published=c["published"]) for c in row["cells"])]
        for row in record["rows"]
    ]
    return Table(f"{record['title']}; the paper's in brackets", ["", *record["columns"]], rows)


@lru_cache(maxsize=3)
def _items(source: str, size: int, seed: int) -> list[LabelledQuestion]:
    """Questions that all rules are measured on, made once."""
    return load_items(source, "test", size, seed)


def _by_rule(rule: str, source: str, size: int, seed: int) -> tuple[float, float]:
    """Average and joint accuracy of a mind that needs no training, with the papers' labels."""
    items = _items(source, size, seed)
    scores = score_answers(items, answers_of(find_mind(rule, ToMi()), items), ambiguous=True)
    return 100 * scores.accuracy.value, 100 * scores.story_joint.value


def _trained(
    results: Sequence[Mapping[str, Any]],
    cells: Iterable[tuple[str, str, Sequence[str]]],
    published: Iterable[float | None],
) -> list[dict[str, Any]]:
    """Figures of trained readers, from their names, their data, and the place of a score in their records."""
    figures = []
    for (name, data, place), theirs in zip(cells, published, strict=True):
        runs = [r["evaluation"] for r in results if (r["config"]["name"], r["config"]["data"]) == (name, data)]
        figures.append(_figures([100 * reduce(getitem, place, scores) for scores in runs], theirs))
    return figures


def _figures(ours: Sequence[float], published: float | None) -> dict[str, Any]:
    return {
        "ours": mean(ours) if ours else None,
        "spread": stdev(ours) if len(ours) > 1 else None,
        "seeds": len(ours),
        "published": published,
    }
