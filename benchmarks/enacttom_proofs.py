"""How long does it take to certify a realistic household task: 8 rooms, 20 things, 4 people, 12 turns, 12 worlds?

The right piece of furniture is one of six, and a letter may be lost; at depth 1, there is a rumour instead. Houses that
have no place for the skeleton, or whose task cannot be solved in 12 turns or has another depth, are not counted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

# Run as a script, it would only find its neighbours.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from otherminds.core.errors import UserError
from otherminds.core.files import write_whole
from otherminds.core.json_lines import to_json
from otherminds.core.seeds import Draw
from otherminds.results.table import Table
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.houses.sample import sample_house, sample_people
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.tasks.skeletons.plots import blueprint
from otherminds.worlds.enacttom.tasks.skeletons.scene import Scene
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import certify
from otherminds.worlds.enacttom.verify.slice import slice_of

ROOMS, FURNITURE, THINGS, PEOPLE, HORIZON, WORLDS = 8, 16, 20, 4, 12, 12
VALUES = 6  # of the secret of the job
SKELETONS = {1: "relay-note-in-none", 2: "link-says-in-none", 3: "chain-says-switch-none"}
RUMOUR = "dinner_time", ("six", "eight")
BAR = 120.0  # seconds on one core


def tasks(depth: int) -> Iterator[Task]:
    """Tasks of exactly that size, in houses by seed."""
    for seed in range(200):
        draw = Draw(seed, f"enacttom/proofs/{depth}")
        try:
            house = sample_house(draw, rooms=ROOMS, furniture=FURNITURE, things=THINGS, closed=1)
            scene = Scene(draw, house, sample_people(draw, 5))
            blueprint(SKELETONS[depth]).build(scene, VALUES)
            if scene.worlds < WORLDS:
                scene.note(draw.pick(list(scene.people)), scene.secret(*RUMOUR))
            if len(scene.people) < PEOPLE:
                scene.errand(1)
            while len(scene.people) < PEOPLE:
                scene.guest()
            scene.clear(THINGS)
            task = parse_task({"id": f"depth-{depth}-{seed}", **scene.content("a realistic task", HORIZON)})
        except UserError:
            continue
        sizes = (len(task.rooms), len(task.things), len(task.people), len(task.worlds))
        if sizes == (ROOMS, THINGS, PEOPLE, WORLDS):
            yield task


def timed(task: Task, depth: int, seconds: float) -> dict[str, Any] | None:
    """A row on one task; ``None`` if it has another depth."""
    ground.cache_clear()
    slice_of.cache_clear()
    started, spent = time.monotonic(), time.process_time()
    proof = certify(replace(task, certificate={}), seconds=seconds)
    row = {"task": task.id, "seconds": time.monotonic() - started, "cpu_seconds": time.process_time() - spent}
    is_counted = proof.depth == depth or proof.grade == "unknown"
    return {**row, "depth": proof.depth, "grade": proof.grade} if is_counted else None


def main() -> None:
    """Certify, print how long it took, and keep the record with ``--record``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=3, help="tasks of each depth")
    parser.add_argument("--seconds", type=float, default=BAR, help="time limit of each query to the solver")
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for depth in SKELETONS:
        kept = 0
        for task in tasks(depth):
            row = timed(task, depth, given.seconds)
            if row:
                rows.append({"asked": depth, **row})
                print(f"{task.id}: depth {row['depth']}, {row['cpu_seconds']:.1f} seconds", flush=True)
            kept += row is not None
            if kept == given.number:
                break
    cells = []
    for depth in SKELETONS:
        took = [row["cpu_seconds"] for row in rows if row["asked"] == depth]
        unknown = sum(row["depth"] is None for row in rows if row["asked"] == depth)
        cells.append([depth, len(took), unknown, max(took), "met" if max(took) <= BAR and not unknown else "missed"])
    print(Table("", ["depth", "tasks", "unknown", "most seconds", f"bar {BAR:.0f}"], cells).to_markdown())
    if given.record:
        command = f"benchmarks/enacttom_proofs.py {' '.join(sys.argv[1:])}"
        write_whole(given.record, to_json({"command": command, "bar": BAR, "tasks": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
