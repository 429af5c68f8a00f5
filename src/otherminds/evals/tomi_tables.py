"""The paper's tables 1 to 3, ours beside the published: rules measured anew, trained readers from their records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from otherminds.core.errors import UserError
from otherminds.minds.find import find_mind
from otherminds.players.tomi import RESULT
from otherminds.worlds.tomi.items import Item
from otherminds.worlds.tomi.observe import answers_of
from otherminds.worlds.tomi.scores import score_answers
from otherminds.worlds.tomi.sets import is_of_papers, load_items
from otherminds.worlds.tomi.world import ToMi

READERS = ("memnn", "entnet", "relnet")
TOMI = "original/released"
RESULTS = (Path("results/tomi"), Path("runs/tomi"))  # where trained readers are looked for
_EASY, _TOM = "tom-easy", "tom"


@dataclass(frozen=True)
class Cell:
    """One figure: ours over seeds, and the paper's; either may be missing."""

    ours: float | None = None
    spread: float | None = None  # standard deviation over seeds
    seeds: int = 0
    published: float | None = None


@dataclass(frozen=True)
class Grid:
    """A table."""

    title: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[Cell, ...]]

    def to_json(self) -> dict[str, Any]:
        """All figures, for programs and plots."""
        return {
            "title": self.title,
            "columns": self.columns,
            "rows": [{"name": name, "cells": [vars(cell) for cell in cells]} for name, cells in self.rows.items()],
        }


@cache
def published() -> dict[str, Any]:
    """The paper's figures."""
    found: dict[str, Any] = json.loads((files(__package__) / "paper" / "tomi.json").read_text(encoding="utf-8"))
    return found


def records(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """The results of trained readers, of default trainings only.

    Raises:
        UserError: names the folder that is not there, or the file that is none.
    """
    found = []
    for folder in folders:
        if folder not in RESULTS and not folder.is_dir():
            raise UserError(f"there is no folder {folder}; expected one with runs of 'otherminds train tomi'")
        for path in sorted(folder.rglob(RESULT)):
            try:
                result = json.loads(path.read_text(encoding="utf-8"))
                if result["config"]["world"] == "tomi" and not result["config"]["variant"]:
                    result["evaluation"]["accuracy"]["value"]
                    found.append(result)
            except (ValueError, KeyError, TypeError) as error:
                raise UserError(f"{path} is no result of 'otherminds train tomi' ({error!r}); remove it") from None
    return found


def table(
    number: int, results: Sequence[Mapping[str, Any]], source: str = TOMI, size: int = 999, seed: int = 0
) -> Grid:
    """One of the paper's tables.

    Args:
        number: 1, 2 or 3.
        results: of trained readers, see :func:`records`.
        source: where rules are measured for ToMi: our generator, or the path of ToMi files.
        size: stories to measure rules on.
        seed: of these stories.

    Raises:
        UserError: if there is no such table, or the source is of no paper.
    """
    if number not in (1, 2, 3):
        raise UserError(f"there is no table {number} of ToMi; expected 1, 2 or 3")
    if not is_of_papers(source):
        raise UserError(f"{source} is none of the paper's sets; give a ToMi file (.txt), or leave it out")
    return (_table1, _table2, _table3)[number - 1](results, source, size, seed)


def _table1(results: Sequence[Mapping[str, Any]], source: str, size: int, seed: int) -> Grid:
    paper = published()["table1"]
    rows: dict[str, tuple[Cell, ...]] = {}
    for name, rule in (("rules", "algorithm-1"), ("always reality", "always-reality"), ("tracker", "tracker")):
        easy, full = (_by_rule(rule, data, max(5, min(size // 10, 100)), seed)[0] for data in (_EASY, _TOM))
        average, joint = _by_rule(rule, source, size, seed)
        ours = (easy, full, average, joint)
        theirs = paper.get(name, {}).values() or (None,) * 4
        rows[name] = tuple(Cell(one, None, 1, other) for one, other in zip(ours, theirs, strict=True))
    for name in (*READERS, "transformer"):
        theirs = list(paper.get(name, {}).values()) or [None] * 4
        places = ((_EASY, "accuracy"), (_TOM, "accuracy"), (TOMI, "accuracy"), (TOMI, "story_joint"))
        rows[name] = tuple(
            _cell(results, name, data, (score, "value"), other)
            for (data, score), other in zip(places, theirs, strict=True)
        )
    return Grid("Table 1: accuracy, percent", ("ToM-easy", "ToM", "ToMi average", "ToMi joint"), rows)


def _table2(results: Sequence[Mapping[str, Any]], _source: str, _size: int, _seed: int) -> Grid:
    rows = {
        group: tuple(
            _cell(results, "memnn", data, ("by_group", group, "value"), other)
            for data, other in zip((_EASY, _TOM, TOMI), theirs.values(), strict=True)
        )
        for group, theirs in published()["table2"].items()
    }
    return Grid("Table 2: MemNN by question, percent", ("ToM-easy", "ToM", "ToMi"), rows)


def _table3(results: Sequence[Mapping[str, Any]], _source: str, _size: int, _seed: int) -> Grid:
    rows = {}
    for group, theirs in published()["table3"].items():
        kind, _, part = group.partition(", ")
        belief = f"{kind}, {'false' if part == 'FB' else 'true'} belief"
        place = ("false_vs_reality", belief, "value") if part else ("by_group", group, "value")
        rows[group] = tuple(_cell(results, name, TOMI, place, theirs[name]) for name in ("memnn", "relnet", "entnet"))
    return Grid("Table 3: ToMi by question, percent", ("MemNN", "RelNet", "EntNet"), rows)


@lru_cache(maxsize=3)
def _items(source: str, size: int, seed: int) -> list[Item]:
    """What all rules are measured on, made once."""
    return load_items(source, "test", size, seed)


def _by_rule(rule: str, source: str, size: int, seed: int) -> tuple[float, float]:
    """Average and joint accuracy of a mind that needs no training, with the papers' labels."""
    items = _items(source, size, seed)
    scores = score_answers(items, answers_of(find_mind(rule, ToMi()), items), ambiguous=True)
    return 100 * scores.accuracy.value, 100 * scores.story_joint.value


def _cell(
    results: Sequence[Mapping[str, Any]], name: str, data: str, place: Sequence[str], other: float | None
) -> Cell:
    found = []
    for result in results:
        if (result["config"]["name"], result["config"]["data"]) == (name, data):
            value: Any = result["evaluation"]
            for key in place:
                value = value[key]
            found.append(100 * value)
    if not found:
        return Cell(published=other)
    return Cell(mean(found), stdev(found) if len(found) > 1 else None, len(found), other)
