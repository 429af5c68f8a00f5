"""Runs that can be interrupted and resumed: run directories, checkpoints, sweeps, launchers.

A training holds its run directory open, continues from the newest good checkpoint and finishes once:

    with RunDirectory.open(path, config, command=sys.argv) as run:
        if run.is_finished:
            return
        saved = run.resume()
        for step in range(saved.step + 1 if saved else 1, steps + 1):
            ...
            run.append({"step": step, "progress": step / steps, ...})
            run.save(step, arrays, metadata)
        write_arrays(run.path / "policy.safetensors", ...)
        run.finish(["policy.safetensors"])  # then checkpoint.tidy(run.checkpoints) removes the checkpoints

Run the same command again to resume; a sweep is many such commands, run by ``local.launch`` or ``ray.launch``.
Importing this package imports neither NumPy nor JAX.
"""

from otherminds.run.arrays import read_arrays, write_arrays
from otherminds.run.checkpoint import Checkpoint
from otherminds.run.directory import RunDirectory, RunRecord
from otherminds.run.sweep import Job, Progress, Summary, pending, shard

__all__ = [
    "Checkpoint",
    "Job",
    "Progress",
    "RunDirectory",
    "RunRecord",
    "Summary",
    "pending",
    "read_arrays",
    "shard",
    "write_arrays",
]
