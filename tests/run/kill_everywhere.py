"""Trains the toy once for every file operation it makes, and kills it at that one: ``FOLDER FIRST STRIDE``.

Every call that changes a file is counted; at the call whose turn it is, the process dies as by kill -9, a write half
done. Then it continues, is killed once more, and continues to the end. This is a script of its own because it forks
for every training, which is much faster than starting Python hundreds of times and not safe inside of pytest.
Prints the number of operations.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

from tests.run import toy

calls = deadly = 0


def count(name: str) -> None:
    real = getattr(os, name)

    def call(*arguments: Any, **options: Any) -> Any:
        global calls  # noqa: PLW0603
        calls += 1
        if calls == deadly:
            if name == "write":
                real(arguments[0], arguments[1][: len(arguments[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        # What the system holds outlives the process, so forcing it to disk changes nothing here but the time.
        return None if name == "fsync" else real(*arguments, **options)

    setattr(os, name, call)


def train(out: Path, killed_at: int) -> int:
    """How a training ended that is killed at that operation; 0 is never."""
    global calls, deadly
    child = os.fork()
    if child == 0:
        calls, deadly = 0, killed_at
        try:
            os._exit(1 if toy.train(out, steps=6) else 0)  # a kill damages nothing, so there is nothing to warn of
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    return os.waitpid(child, 0)[1]


def main(folder: Path, first: int, stride: int) -> None:
    for name in ("write", "fsync", "replace", "unlink", "ftruncate", "mkdir"):
        count(name)
    toy.train(folder / "whole", steps=6)
    total = calls
    for number in range(first, total + 1, stride):
        out = folder / str(number)
        assert train(out, number) == signal.SIGKILL, number
        assert train(out, number // 2 or 1) in (signal.SIGKILL, 0), number
        assert train(out, 0) == 0, number
    sys.stdout.write(str(total))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
