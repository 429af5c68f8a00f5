"""A Python environment of its own for JaxMARL, made on first use, and calls into it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-bench"
Command = list[str | Path]


class Unavailable(Exception):
    """JaxMARL cannot be measured here; the message says why and what to do."""


def find_python(given: Path | None) -> Path:
    """The interpreter that has JaxMARL: the one given, or that of ``.venv-bench``, installed into it if need be.

    Raises:
        Unavailable: if it is not there and cannot be installed.
    """
    python = given or ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if python.exists() and _succeeds([python, "-c", "import jaxmarl"]):
        return python
    if given:
        raise Unavailable(f"{given} cannot import jaxmarl; give another --jaxmarl-python, or none to have it installed")
    print(f"installing JaxMARL into {ENVIRONMENT} (once, about a minute)", file=sys.stderr, flush=True)
    make: Command = [sys.executable, "-m", "venv", ENVIRONMENT]
    fill: Command = [python, "-m", "pip", "install", "-qq", "jaxmarl"]
    for command in (make, fill):
        if not _succeeds(command, show_errors=True):
            raise Unavailable(
                f"could not install JaxMARL ({' '.join(map(str, command))} failed; is this machine offline?); "
                f"install it elsewhere and pass --jaxmarl-python, or --skip-jaxmarl"
            )
    return python


def measure_coin_game(python: Path, worlds: Sequence[int], repeats: int) -> dict[str, Any]:
    """What jaxmarl_coin_game.py reports, run by that interpreter.

    Raises:
        Unavailable: if it fails.
    """
    command: Command = [python.absolute(), "-m", "benchmarks.jaxmarl_coin_game"]
    command += ["--repeats", str(repeats), "--worlds", *map(str, worlds)]
    # It must not find our packages instead of its own.
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=surroundings, cwd=ROOT, check=False)
    if run.returncode:
        raise Unavailable(f"jaxmarl_coin_game.py failed with exit code {run.returncode}; its message is above")
    # JaxMARL prints remarks of its own when imported; the report is the last line.
    report: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return report


def _succeeds(command: Command, show_errors: bool = False) -> bool:
    try:
        errors = None if show_errors else subprocess.DEVNULL
        return not subprocess.run(command, stdout=subprocess.DEVNULL, stderr=errors, check=False).returncode
    except OSError:
        return False
