"""Does the verifier of EnactToM ever report "unknown" although it had time left?

Certifies a mix of tasks again and again while other processes keep all cores busy. A task is certified with plenty of
time, or with so little that "unknown" is likely, which is right only if that time has passed. Run it again to resume.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

# Run as a script, it would only find its neighbours.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from otherminds.core.files import write_whole
from otherminds.core.json_lines import JsonLines, read_rows, to_json
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.tasks.suite import tasks_of
from otherminds.worlds.enacttom.types import Task
from otherminds.worlds.enacttom.verify.certify import certify, stored_certificate
from otherminds.worlds.enacttom.verify.slice import slice_of

PLENTY, LITTLE = 600.0, 0.02  # seconds for each query to the solver
HURRIED = 0.3  # share of reruns with little time
UNKNOWN = "unknown"


def rerun(task: Task, number: int) -> dict[str, Any]:
    """Certify a task once more, and say what was found, what is known, and how long it took."""
    draw = Draw(number, "enacttom/rerun")
    seconds = LITTLE if draw.happens(HURRIED) else PLENTY
    ground.cache_clear()
    slice_of.cache_clear()
    started = time.monotonic()
    proof = certify(task, seconds=seconds, seed=draw.below(1000))
    known, took = stored_certificate(task), time.monotonic() - started
    assert known is not None
    is_unknown = UNKNOWN in (proof.grade, "" if proof.depth is not None else UNKNOWN)
    agrees = (proof.grade, proof.depth) == (known.grade, known.depth)
    return {
        "rerun": number,
        "task": task.id,
        "limit": seconds,
        "seconds": took,
        "grade": proof.grade,
        "depth": proof.depth,
        "is_unknown": is_unknown,
        "is_false": is_unknown and took < seconds,
        "is_wrong": not is_unknown and not agrees,
    }


@contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep cores busy."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def run(tasks: Sequence[Task], number: int, log: JsonLines) -> None:
    """Rerun tasks in turn until there are so many rows."""
    for at in range(len(read_rows(log.path)), number):
        row = rerun(tasks[at % len(tasks)], at)
        log.append(row)
        if row["is_false"] or row["is_wrong"]:
            print(f"rerun {at}: {row}", file=sys.stderr)


def main() -> None:
    """Rerun, and print how many results were unknown, falsely so, or wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", action="append", help="suite or folder of tasks [default: classic]")
    parser.add_argument("--tasks", type=int, default=10, help="how many tasks of each suite but classic, evenly spread")
    parser.add_argument("--number", type=int, default=1000, help="reruns")
    parser.add_argument("--load", type=int, default=os.cpu_count(), help="busy processes beside them")
    parser.add_argument("--out", type=Path, default=Path("out/reruns.jsonl"))
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    tasks: list[Task] = []
    for suite in given.suite or ["classic"]:
        every = list(tasks_of(suite))
        tasks += every if suite == "classic" else every[:: max(1, len(every) // given.tasks)][: given.tasks]
    with closing(JsonLines(given.out, b'{"rerun":', "a record of reruns")) as log, load(given.load):
        run(tasks, given.number, log)
    rows = read_rows(given.out)[: given.number]
    counts = Counter(key for row in rows for key in ("is_unknown", "is_false", "is_wrong") if row[key])
    print(
        f"{len(rows)} reruns of {len({row['task'] for row in rows})} tasks: {counts['is_unknown']} unknown, of which "
        f"{counts['is_false']} with time left; {counts['is_wrong']} wrong"
    )
    if given.record:
        command = f"benchmarks/enacttom_reruns.py {' '.join(sys.argv[1:])}"
        found = {name.removeprefix("is_"): counts[name] for name in ("is_unknown", "is_false", "is_wrong")}
        per_task = dict(sorted(Counter(row["task"] for row in rows).items()))
        content = {"command": command, "reruns": len(rows), "load": given.load, **found, "tasks": per_task}
        write_whole(given.record, to_json(content, indent=1) + "\n")
    sys.exit(1 if counts["is_false"] or counts["is_wrong"] else 0)


if __name__ == "__main__":
    main()
