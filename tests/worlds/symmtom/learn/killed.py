"""The command, killed by itself: ``python -m tests.worlds.symmtom.learn.killed STEP train symmtom …``.

It dies when the metrics of that step are written and its checkpoint is not.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from otherminds.cli.main import main
from otherminds.run.directory import RunDirectory


def kill_at(last: int) -> None:
    save = RunDirectory.save

    def save_or_die(self: RunDirectory, step: int, *rest: Any, **options: Any) -> None:
        if step == last:
            os.kill(os.getpid(), signal.SIGKILL)
        save(self, step, *rest, **options)

    RunDirectory.save = save_or_die  # type: ignore[method-assign]


if __name__ == "__main__":
    kill_at(int(sys.argv.pop(1)))
    main()
