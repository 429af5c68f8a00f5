"""What do people who have never seen EnactToM's tasks make of them? Prints what they are given, and counts answers.

``skeletons`` prints the core of one task for each mechanism, without its name, in random order; a reader sorts them
into heaps, and ``count`` says how many heaps there are and how well they agree with the plots. ``tasks`` prints whole
tasks as all who play them read them, for somebody to say what is to be done and which sentences are unnatural.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Run as a script, it would only find its neighbours.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from otherminds.core.errors import UserError
from otherminds.core.files import read_text, write_whole
from otherminds.core.json_lines import to_json
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.houses.sample import sample_house, sample_people
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.tasks.skeletons.plots import Blueprint, blueprint, blueprints
from otherminds.worlds.enacttom.tasks.skeletons.scene import Scene
from otherminds.worlds.enacttom.tasks.suite import tasks_of
from otherminds.worlds.enacttom.text.task_text import public_text
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.slice import slice_of
from otherminds.worlds.enacttom.world import EnactToM

HOUSES = 40  # the most that are drawn for one skeleton
TURNS = 14
VALUES = 2


def mechanisms(seed: int) -> list[Blueprint]:
    """A skeleton of each plot, source and bar, with a code and without, in random order. Other jobs differ in words."""
    groups: dict[Any, list[Blueprint]] = {}
    for plan in blueprints():
        groups.setdefault((plan.plot, plan.source, plan.bar, plan.job == "code"), []).append(plan)
    draw = Draw(seed, "enacttom/readers")
    return draw.some([draw.pick(plans) for plans in groups.values()], len(groups))


def core(plan: Blueprint, seed: int) -> Task:
    """What can matter in a task of a skeleton.

    Raises:
        UserError: if no house has a place for it.
    """
    for number in range(HOUSES):
        draw = Draw(seed, f"enacttom/readers/{plan.name}/{number}")
        try:
            scene = Scene(draw, sample_house(draw, rooms=7, furniture=12, things=18, closed=0), sample_people(draw, 5))
            plan.build(scene, VALUES)
            return slice_of(ground(parse_task({"id": "task", **scene.content("a task", TURNS)}))).ground.task
        except UserError:
            continue
    raise UserError(f"no house of {HOUSES} has a place for the skeleton {plan.name}")


def skeletons(seed: int, out: Path) -> None:
    """Write the skeletons for a reader, and which is which into another file."""
    plans = mechanisms(seed)
    text = "".join(f"### {at}\n\n{public_text(core(plan, seed))}\n\n" for at, plan in enumerate(plans, 1))
    write_whole(out / "skeletons.md", text)
    key = {str(at): plan.name for at, plan in enumerate(plans, 1)}
    write_whole(out / "key.json", to_json({"seed": seed, "skeletons": key}, indent=1) + "\n")
    print(f"{len(plans)} skeletons")


def whole(task: Task, number: int) -> Iterator[str]:
    """A task as all who play it read it, in one of its worlds."""
    yield f"# TASK {number}: {task.title}\n\n{public_text(task)}\n"
    for ask in EnactToM(task).open(seed=number).asks():
        yield f"[only {ask.seat} reads:] {' '.join(ask.view.text().splitlines())}\n"


def sample(suite: str, number: int, seed: int, out: Path) -> None:
    """Write some tasks of a suite for a reader."""
    every = list(tasks_of(suite))
    chosen = Draw(seed, f"enacttom/readers/{suite}").some(every, number)
    write_whole(out / f"{suite}.md", "\n".join(line for at, task in enumerate(chosen, 1) for line in whole(task, at)))
    print(", ".join(task.id for task in chosen))


def count(reading: Path, key: Path) -> dict[str, Any]:
    """How many heaps a reader made, and how many of them hold skeletons of one plot, and of one plot and bar."""
    heaps = [[str(number) for number in heap["tasks"]] for heap in json.loads(read_text(reading, "a reading"))]
    names: dict[str, str] = json.loads(read_text(key, "a key"))["skeletons"]
    sorted_, plans = (
        sorted(number for heap in heaps for number in heap),
        {n: blueprint(name) for n, name in names.items()},
    )
    if sorted_ != sorted(names):
        raise UserError(f"{reading} sorts {len(sorted_)} skeletons; expected each of {len(names)} once")
    pure = {
        "of one plot": sum(len({plans[number].plot for number in heap}) == 1 for heap in heaps),
        "of one depth": sum(len({plans[number].depth for number in heap}) == 1 for heap in heaps),
    }
    return {"skeletons": len(names), "heaps": len(heaps), **pure, "largest": max(map(len, heaps))}


def main() -> None:
    """Print tasks for readers, or count what they answered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)
    for name in ("skeletons", "tasks"):
        part = parts.add_parser(name)
        part.add_argument("--seed", type=int, default=0)
        part.add_argument("--out", type=Path, default=Path("out/readers"))
    part.add_argument("--suite", default="standard")
    part.add_argument("--number", type=int, default=10)
    part = parts.add_parser("count")
    part.add_argument("reading", type=Path)
    part.add_argument("key", type=Path)
    part.add_argument("--record", type=Path)
    given = parser.parse_args()
    try:
        if given.part == "skeletons":
            skeletons(given.seed, given.out)
        elif given.part == "tasks":
            sample(given.suite, given.number, given.seed, given.out)
        else:
            found = count(given.reading, given.key)
            print(", ".join(f"{number} {name}" for name, number in found.items()))
            if given.record:
                command = f"benchmarks/enacttom_readers.py {' '.join(sys.argv[1:])}"
                write_whole(given.record, to_json({"command": command, **found}, indent=1) + "\n")
    except UserError as error:
        raise SystemExit(str(error)) from error


if __name__ == "__main__":
    main()
