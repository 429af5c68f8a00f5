"""Tables 1 to 3 of the paper, ours beside the published: rules measured anew, trained readers from their records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, reduce
from importlib.resources import files
from operator import getitem
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from otherminds.core.errors import UserError
from otherminds.minds.find import find_mind
from otherminds.results.table import Cell, Table
from otherminds.worlds.tomi.files.items import Item
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
def published() -> dict[str, Any]:
    """The paper's figures."""
    figures: dict[str, Any] = json.loads((files("otherminds.worlds.tomi") / "paper.json").read_text(encoding="utf-8"))
    return figures


def records(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """The results of trained readers, of default trainings only.

    Raises:
        UserError: names the folder that is not there, or the file that is none.
    """
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
    number: int, results: Sequence[Mapping[str, Any]], source: str = TOMI, size: int = 999, seed: int = 0
) -> dict[str, Any]:
    """One of the paper's tables, for programs: of each figure ours, its spread over seeds, and the published one.

    Args:
        number: 1, 2 or 3.
        results: of trained readers, see :func:`records`.
        source: where rules are measured for ToMi: our generator, or the path of ToMi files.
        size: stories to measure rules on.
        seed: of these stories.

    Raises:
        UserError: if there is no such table, or the source is not one of the paper's sets.
    """
    if number not in (1, 2, 3):
        raise UserError(f"there is no table {number} of ToMi; expected 1, 2 or 3")
    if not is_of_papers(source):
        raise UserError(f"{source} is not one of the paper's sets; give a ToMi file (.txt), or leave it out")
    if number == 1:
        return _table1(results, source, size, seed)
    return (_table2 if number == 2 else _table3)(results)


def as_table(record: Mapping[str, Any]) -> Table:
    """A table, or the kept record of one."""
    rows = [
        [row["name"], *(Cell(c["ours"], c["spread"], published=c["published"]) for c in row["cells"])]
        for row in record["rows"]
    ]
    return Table(f"{record['title']}; the paper's in brackets", ["", *record["columns"]], rows)


def _table1(results: Sequence[Mapping[str, Any]], source: str, size: int, seed: int) -> dict[str, Any]:
    paper = published()["table1"]
    rows: dict[str, list[dict[str, Any]]] = {}
    for name, rule in (("rules", "algorithm-1"), ("always reality", "always-reality"), ("tracker", "tracker")):
        easy, full = (_by_rule(rule, data, max(5, min(size // 10, 100)), seed)[0] for data in (_EASY, _TOM))
        average, joint = _by_rule(rule, source, size, seed)
        ours = (easy, full, average, joint)
        theirs = paper.get(name, {}).values() or (None,) * 4
        rows[name] = [_figures([mine], other) for mine, other in zip(ours, theirs, strict=True)]
    for name in READERS:
        theirs = paper.get(name, {}).values() or (None,) * 4
        places = ((_EASY, "accuracy"), (_TOM, "accuracy"), (TOMI, "accuracy"), (TOMI, "story_joint"))
        rows[name] = [
            _trained(results, name, data, (score, "value"), other)
            for (data, score), other in zip(places, theirs, strict=True)
        ]
    return _record("Table 1: accuracy, percent", ("ToM-easy", "ToM", "ToMi average", "ToMi joint"), rows)


def _table2(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    rows = {
        group: [
            _trained(results, "memnn", data, ("by_group", group, "value"), other)
            for data, other in zip((_EASY, _TOM, TOMI), theirs.values(), strict=True)
        ]
        for group, theirs in published()["table2"].items()
    }
    return _record("Table 2: MemNN by question, percent", ("ToM-easy", "ToM", "ToMi"), rows)


def _table3(results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    rows = {}
    for group, theirs in published()["table3"].items():
        kind, _, part = group.partition(", ")
        belief = f"{kind}, {'false' if part == 'FB' else 'true'} belief"
        place = ("false_vs_reality", belief, "value") if part else ("by_group", group, "value")
        rows[group] = [_trained(results, name, TOMI, place, theirs[name]) for name in ("memnn", "relnet", "entnet")]
    return _record("Table 3: ToMi by question, percent", ("MemNN", "RelNet", "EntNet"), rows)


def _record(title: str, columns: Sequence[str], rows: Mapping[str, Any]) -> dict[str, Any]:
    named = [{"name": name, "cells": cells} for name, cells in rows.items()]
    return {"title": title, "columns": columns, "rows": named}


@lru_cache(maxsize=3)
def _items(source: str, size: int, seed: int) -> list[Item]:
    """Questions that all rules are measured on, made once."""
    return load_items(source, "test", size, seed)


def _by_rule(rule: str, source: str, size: int, seed: int) -> tuple[float, float]:
    """Average and joint accuracy of a mind that needs no training, with the papers' labels."""
    items = _items(source, size, seed)
    scores = score_answers(items, answers_of(find_mind(rule, ToMi()), items), ambiguous=True)
    return 100 * scores.accuracy.value, 100 * scores.story_joint.value


def _trained(
    results: Sequence[Mapping[str, Any]], name: str, data: str, place: Sequence[str], other: float | None
) -> dict[str, Any]:
    evaluations = [
        result["evaluation"]
        for result in results
        if (result["config"]["name"], result["config"]["data"]) == (name, data)
    ]
    return _figures([100 * reduce(getitem, place, scores) for scores in evaluations], other)


def _figures(ours: Sequence[float], published: float | None) -> dict[str, Any]:
    return {
        "ours": mean(ours) if ours else None,
        "spread": stdev(ours) if len(ours) > 1 else None,
        "seeds": len(ours),
        "published": published,
    }
