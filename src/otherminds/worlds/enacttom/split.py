"""Splits of the benchmark: the evolved tasks of a pool under names of their own, and the record of how they were made.

A task keeps its certificate, verdicts and lineage. The record has the lineage and the pass rates of every item of the
pool, so that what evolution achieved can be read from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.run.evolve import EVOLVED, Evolution, Member
from otherminds.run.evolve_report import Rates, compare, held_out, report, success
from otherminds.worlds.enacttom.tasks.statistics import Facts, facts
from otherminds.worlds.enacttom.tasks.write import task_text
from otherminds.worlds.enacttom.types import Task

_LAST_STAGE = 4  # later generations count as this one
_LINEAGE = ("operator", "parents", "step", "panel")
_OF_TASKS = ("depth", "tight", "mixed", "skeleton", "additions")  # facts in the record


@dataclass(frozen=True)
class Split:
    """A split of the benchmark.

    Attributes:
        name: of the split.
        pool: where its tasks evolved.
        tasks: by their names in the pool.
        facts: about every item of the pool, by its name.
        left_out: why other evolved tasks are not in it, by their names.
    """

    name: str
    pool: Evolution[Task]
    tasks: Mapping[str, Task]
    facts: Mapping[str, Facts]
    left_out: Mapping[str, str]


def split_of(pool: Evolution[Task], name: str, size: int, others: Iterable[Task] = ()) -> Split:
    """A split of the first evolved tasks of a pool that are no near-duplicates of other tasks.

    Depths take turns, so that the beginning of a split is like the whole.

    Args:
        pool: a pool with enough evolved tasks.
        name: of the split; its tasks are called after it.
        size: the number of tasks.
        others: tasks of other splits.

    Raises:
        UserError: if there are too few tasks.
    """
    known = {pool.breeder.key(task): task.id for task in others}
    kept: dict[str, Task] = {}
    left_out: dict[str, str] = {}
    for member in pool.of(EVOLVED):
        task = pool.read(member.name)
        same = known.setdefault(pool.breeder.key(task), member.name)
        if same != member.name:
            left_out[member.name] = f"a near-duplicate of {same}"
        elif len(kept) < size:
            kept[member.name] = task
        else:
            left_out[member.name] = f"the split already has {size} tasks"
    if len(kept) < size:
        raise UserError(
            f"{pool.out} has {len(kept)} evolved tasks that differ from all others; expected {size}: run its evolve "
            f"command again with a larger --size"
        )
    about = {member.name: facts(pool.read(member.name)) for member in pool.members}
    queues = [[item for item in kept if about[item]["depth"] == depth] for depth in (1, 2, 3)]
    order = [item for item in chain(*zip_longest(*queues)) if item is not None]
    tasks = {item: _renamed(kept[item], name, number) for number, item in enumerate(order, 1)}
    return Split(name, pool, tasks, about, left_out)


def _renamed(task: Task, split: str, number: int) -> Task:
    """A task under its name in a split."""
    return replace(task, id=f"{split}-{number:03}", provenance={"split": split, **task.provenance})


def write_split(split: Split, folder: Path) -> None:
    """Write the files of a split, in place of those that the folder had.

    Raises:
        UserError: if the folder has other files.
    """
    old = {path for path in folder.iterdir() if not path.name.startswith(".")} if folder.exists() else set()
    if strange := sorted(path.name for path in old if not path.match(f"{split.name}-*.yaml")):
        raise UserError(f"{folder} has the file {strange[0]}, which is not of this split; choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    for task in split.tasks.values():
        write_whole(folder / f"{task.id}.yaml", task_text(task))
    for path in old - {folder / f"{task.id}.yaml" for task in split.tasks.values()}:
        path.unlink()


def record_of(split: Split) -> dict[str, Any]:
    """How a split was produced and what evolution achieved, as plain data."""
    pool, rates = split.pool, held_out(split.pool)
    played = [mind for mind in dict.fromkeys(mind for mind, _ in rates) if _is_complete(pool, rates, mind)]
    outside = [mind for mind in played if mind not in pool.plan.panel]
    has_panel = set(pool.plan.panel) <= set(played)
    by_depth = {depth: [m for m in pool.members if split.facts[m.name]["depth"] == depth] for depth in (1, 2, 3)}
    return {
        "split": split.name,
        "size": len(split.tasks),
        **(report(pool, rates, outside) if has_panel else {}),
        "by_depth": {
            str(depth): compare(pool, members, rates, outside) if has_panel else []
            for depth, members in by_depth.items()
        },
        "stages": [
            {
                "stage": stage,
                "items": len(members),
                "depths": {str(depth): sum(m in mine for m in members) for depth, mine in by_depth.items()},
                "success": success(members, rates, pool.plan.panel) if has_panel else None,
            }
            for stage, members in _stages(pool.members).items()
        ],
        "left_out": dict(split.left_out),
        "items": [_item(split, member, rates, played) for member in pool.members],
    }


def _is_complete(pool: Evolution[Task], rates: Rates, mind: str) -> bool:
    """Whether a mind has played every item with held-out seeds."""
    return all((mind, member.name) in rates for member in pool.members)


def _stages(members: Sequence[Member]) -> dict[str, list[Member]]:
    """Items by generation; the fresh ones are the first stage."""
    stages: dict[str, list[Member]] = {}
    for member in sorted(members, key=lambda member: member.generation):
        late = f"{_LAST_STAGE} and later" if member.generation >= _LAST_STAGE else str(member.generation)
        stages.setdefault(late if member.generation else "fresh", []).append(member)
    return stages


def _item(split: Split, member: Member, rates: Rates, played: Sequence[str]) -> dict[str, Any]:
    """An item of the pool: its name in the split if it is in it, what it is, its lineage and its pass rates."""
    lineage = split.pool.read(member.name).provenance["lineage"]
    task = split.tasks.get(member.name)
    return {
        **member._asdict(),
        "task": task.id if task else None,
        **{name: split.facts[member.name][name] for name in _OF_TASKS},
        **{name: lineage[name] for name in _LINEAGE},
        "held_out": {mind: rates[mind, member.name] for mind in played},
    }
