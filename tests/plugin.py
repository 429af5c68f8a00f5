"""The coin in the box as an installed plug-in, and people at a pseudo-terminal, for tests of commands."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

ROOT = Path(__file__).parent.parent
COIN = ROOT / "examples" / "coin_in_the_box"


def install_coin(folder: Path) -> dict[str, str]:
    """The environment in which the coin in the box is installed: its code, and its metadata with the entry point."""
    entry = 'coin_in_the_box = "coin_in_the_box:register_all"'
    assert entry in (COIN / "pyproject.toml").read_text("utf-8"), "the entry point has another name now"
    return install(folder, entry.replace('"', ""), COIN / "src")


def install(folder: Path, entry: str, source: Path) -> dict[str, str]:
    """The environment in which a plug-in is installed.

    Args:
        folder: where its metadata is written.
        entry: its entry point, such as ``name = module:function``.
        source: the folder of its code.
    """
    name = entry.partition(" ")[0]
    about = folder / f"{name}-0.1.0.dist-info"
    about.mkdir(parents=True, exist_ok=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1.0\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[otherminds]\n{entry}\n", "utf-8")
    path = os.pathsep.join([str(folder), str(source), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "COLUMNS": "120", "XDG_DATA_HOME": str(folder / "data")}


def otherminds(
    *words: str, env: dict[str, str], cwd: Path, expect: int = 0, typed: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does."""
    command = [sys.executable, "-W", "error", "-m", "otherminds.cli.main", *words]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, input=typed, check=False)
    assert done.returncode == expect, f"otherminds {' '.join(words)}\n{done.stdout}\n{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done


class Printed(NamedTuple):
    """What a command has printed."""

    stdout: str
    stderr: str


def invoked(*words: str, cwd: Path, typed: str = "", expect: int = 0, columns: int = 120) -> Printed:
    """Run the command in this process, which saves its start, and return what it prints."""
    from otherminds.cli.main import main

    sys.path.insert(0, str(COIN / "src"))
    import coin_in_the_box

    coin_in_the_box.register_all()
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["otherminds", *words]),
        patch.dict(os.environ, COLUMNS=str(columns)),
        patch.object(sys, "stdin", io.StringIO(typed)),
        contextlib.chdir(cwd),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        suppress_exit() as code,
    ):
        main()
    assert code[0] == expect, f"otherminds {' '.join(words)}\n{out.getvalue()}\n{err.getvalue()}"
    return Printed(out.getvalue(), err.getvalue())


def invoke(*words: str, cwd: Path) -> str:
    """What a command prints on standard output, run in this process."""
    return invoked(*words, cwd=cwd).stdout


@contextlib.contextmanager
def suppress_exit() -> Iterator[list[object]]:
    """The exit code of a command, when the block has ended."""
    code: list[object] = [0]
    try:
        yield code
    except SystemExit as stop:
        code[0] = stop.code or 0


def at_terminal(
    words: Sequence[str], answer: Callable[[str], str], env: dict[str, str], cwd: Path, seconds: float = 60
) -> str:
    """Run the command with a person at a pseudo-terminal, who types an answer at every prompt."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "otherminds.cli.main", *words]
    process = subprocess.Popen(command, cwd=cwd, env=env, stdin=slave, stdout=slave, stderr=slave, close_fds=True)
    os.close(slave)
    shown, answered, until = "", 0, time.monotonic() + seconds
    try:
        while time.monotonic() < until:
            if not select.select([master], [], [], 0.2)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                shown += os.read(master, 65536).decode("utf-8", "replace")
            except OSError:  # the other end is closed
                break
            if shown.count("> ") > answered and shown.rstrip(" ").endswith(">"):
                answered += 1
                os.write(master, f"{answer(shown)}\n".encode())
        else:
            process.kill()
    finally:
        os.close(master)
        process.wait(timeout=30)
    assert process.returncode == 0, shown[:1500] + shown[-2500:]
    return shown
