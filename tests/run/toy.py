"""A training in miniature: every step depends on the whole state, a memory included.

As a script it is a job of a sweep: ``toy.py OUT [--steps N] [--seed N]`` and what is to go wrong, once a directory:
``--die STEP`` kills the process itself, ``--kill-parent STEP`` whoever started it, ``--exit CODE`` ends at once with
that code, every time. ``--gate FILE`` makes it wait for a file before the last step.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from otherminds.core.errors import UserError
from otherminds.run import Job, RunDirectory, write_arrays
from otherminds.run.checkpoint import tidy

MEMORY = 5  # steps
EVERY = 2  # steps a save


def train(out: Path, steps: int = 10, seed: int = 0, at_step: Callable[[int], None] = lambda step: None) -> list[str]:
    """Train to the end, from wherever the directory is; gives the warnings."""
    warnings: list[str] = []
    with RunDirectory.open(out, {"seed": seed, "steps": steps}, command=["toy", str(out)]) as run:
        if run.is_finished:
            tidy(run.checkpoints)  # if it was killed in between
            return warnings
        weights, memory, done = np.full(3, seed, np.uint64), np.zeros(MEMORY, np.uint64), 0
        if saved := run.resume(warnings.append):
            weights, memory, done = saved.arrays["weights"], saved.arrays["memory"], saved.step
        for step in range(done + 1, steps + 1):
            at_step(step)
            remembered = memory.sum() + np.uint64(step)
            weights = (weights * np.uint64(6364136223846793005) + remembered) ^ (weights >> np.uint64(33))
            memory[step % MEMORY] = weights[0]
            run.append({"step": step, "progress": step / steps, "loss": int(weights[1]) / 2**64})
            if step % EVERY == 0:
                run.save(step, {"weights": weights, "memory": memory}, {"note": "toy"})
        write_arrays(run.path / "policy.safetensors", {"weights": weights})
        run.finish(["policy.safetensors"])
        tidy(run.checkpoints)
    return warnings


def result(out: Path) -> dict[str, Any]:
    """What must not depend on how often a training was interrupted."""
    record = RunDirectory.read(out)
    assert record.is_finished
    assert record.changed_files() == []
    return {
        "files": record.manifest["files"],
        "metrics": (out / "metrics.jsonl").read_bytes(),
        "policy": (out / "policy.safetensors").read_bytes(),
        "checkpoints": sorted(path.name for path in (out / "checkpoints").iterdir()),
    }


def job(out: Path, *options: object, name: str | None = None, steps: int = 10, seed: int = 0) -> Job:
    """A toy training as a job of a sweep."""
    argv = (str(out), "--steps", str(steps), "--seed", str(seed), *map(str, options))
    return Job(name or out.name, argv, out, {"seed": seed, "steps": steps}, target=__file__)


def await_file(path: Path, process: subprocess.Popen[Any] | None = None) -> None:
    """Wait for a file, as long as the process lives that is to make it."""
    while not path.exists():
        assert process is None or process.poll() is None, f"no {path}"
        time.sleep(0.01)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--die", type=int)
    parser.add_argument("--kill-parent", type=int)
    parser.add_argument("--exit", type=int)
    parser.add_argument("--gate", type=Path)
    asked = parser.parse_args()
    beside = asked.out.with_name(f"{asked.out.name}-notes")
    beside.mkdir(exist_ok=True)
    note = {
        "pid": os.getpid(),
        "patience": float(os.environ.get("OTHERMINDS_PATIENCE", "0")),
        "cores": sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [],
    }
    (beside / "note.tmp").write_text(json.dumps(note))
    (beside / "note.tmp").replace(beside / "note.json")
    if asked.exit is not None:
        sys.stderr.write("this job always fails\n")
        sys.exit(asked.exit)

    def at_step(step: int) -> None:
        for wanted, whom in ((asked.die, os.getpid()), (asked.kill_parent, os.getppid())):
            if step == wanted and not (beside / "struck").exists():
                (beside / "struck").touch()
                os.kill(whom, signal.SIGKILL)
                signal.pause()  # until the launcher's end is noticed
        if step == asked.steps and asked.gate is not None:
            (beside / "at-gate").touch()
            await_file(asked.gate)

    try:
        train(asked.out, asked.steps, asked.seed, at_step)
    except UserError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
