"""Runs one command pinned to a core; launchers start it as a process.

    python -m otherminds.run.one_core TARGET [ARGUMENT ...]

Pinning comes before anything heavy is imported: small networks train twice as fast on one core, but a
process pinned after JAX has started is slower than one that is not pinned.
"""

from __future__ import annotations

import os
import runpy
import signal
import stat
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NoReturn

GRACE = 10.0  # seconds that a process has to end before it is made to
STOPPED = 128 + signal.SIGTERM  # exit code of a job that was told to stop


def claim_core() -> int | None:
    """Pin this process to a core that no other claims, and say which; to none if none is free.

    Claims hold among all processes of one user on this machine.
    """
    if not hasattr(os, "sched_setaffinity"):  # not on this system
        return None
    import fcntl

    for core in sorted(os.sched_getaffinity(0)):
        path = Path(tempfile.gettempdir()) / f"otherminds-{os.getuid()}-core-{core}"
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            # The file stays open: the system frees the core when the process ends, however it ends.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            continue
        os.sched_setaffinity(0, {core})
        return core
    return None


def end_with_launcher() -> None:
    """Stop this process when the launcher ends, even if it was killed: it holds the other end of standard input."""
    if not stat.S_ISFIFO(os.fstat(0).st_mode):
        return
    launcher = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)

    def wait() -> None:
        while os.read(launcher, 1):
            pass
        # To the main thread, which may be asleep in a call that only its own signals end.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(STOPPED)

    threading.Thread(target=wait, daemon=True).start()


def _stop(*_: object) -> NoReturn:
    raise SystemExit(STOPPED)  # unlike the default, lets open runs note their time and close


def main(arguments: list[str]) -> None:
    """Claim a core, then run the target as if it had been started by itself."""
    target, *rest = arguments
    claim_core()
    signal.signal(signal.SIGTERM, _stop)
    end_with_launcher()
    sys.argv = [target, *rest]
    # Named, not imported: this package depends on the core only.
    if target.endswith(".py"):
        runpy.run_path(target, run_name="__main__")
    else:
        runpy.run_module(target, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
