"""Kills a process that stopped writing to the disk, at a known point."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import anyio
from inspect_ai.log._recorders.eval import EvalRecorder

ROOT = Path(__file__).parents[2]


def stall_after(kept: int, folder: Path) -> None:
    """Let this many samples reach the disk, then none; the file ``stalled`` marks the moment."""
    flush, number = EvalRecorder.flush, 0

    async def stalls(self: EvalRecorder, eval: Any) -> None:
        nonlocal number
        number += 1
        if number > kept + 1:  # the first is the log's beginning
            (folder / "stalled").touch()
            await anyio.sleep_forever()
        await flush(self, eval)

    EvalRecorder.flush = stalls  # type: ignore[method-assign]


def kill_once_stalled(script: str, folder: Path, kept: int) -> None:
    """Run the module of a slow script, wait until it writes no more, and kill it."""
    folder.mkdir()
    child = subprocess.Popen(
        [sys.executable, "-m", script, str(folder), str(kept)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder / "data")},
    )
    deadline = time.monotonic() + 240
    while not (folder / "stalled").exists():
        assert child.poll() is None, child.communicate()[1]
        assert time.monotonic() < deadline, "it never began"
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.communicate()


def calls(folder: Path) -> list[str]:
    """The calls of the model so far."""
    path = folder / "calls"
    return path.read_text("utf-8").splitlines() if path.exists() else []
