"""Killed games of Decrypto go on with the same command: none is lost, and none played twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from tests.evals.inspect.slow_decrypto import GAMES

ROOT = Path(__file__).parents[3]
IN_FLIGHT = 2  # games that are played at once with one connection
KEPT = 4  # games that reach the disk before the kill


def start(folder: Path, kept: int = 0) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "tests.evals.inspect.slow_decrypto", str(folder), str(kept)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_DATA_HOME": str(folder / "data")},
    )


def finished(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def calls(folder: Path) -> list[str]:
    path = folder / "calls"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def test_after_a_kill_no_game_is_lost_or_played_twice(tmp_path: Path) -> None:
    whole = finished(start(tmp_path / "whole"))
    needed = Counter(calls(tmp_path / "whole"))
    assert len(needed) == GAMES

    folder = tmp_path / "killed"
    child = start(folder, KEPT)
    deadline = time.monotonic() + 240
    while not (folder / "stalled").exists():
        assert child.poll() is None, child.communicate()[1]
        assert time.monotonic() < deadline, "it never began"
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    before = Counter(calls(folder))
    played = [game for game, number in before.items() if number == needed[game]]
    assert KEPT < len(played) < GAMES  # one at least was played to its end, and is not on disk

    again = finished(start(folder))
    assert again["games"] == GAMES
    assert again["episodes"] == whole["episodes"]
    # Only the games that were not on disk when the process died are begun anew.
    repeated = [game for game, number in Counter(calls(folder)).items() if number > needed[game]]
    assert len(repeated) <= IN_FLIGHT
    assert len(set(played) - set(repeated)) >= KEPT

    known = len(calls(folder))
    assert finished(start(folder))["log"] == again["log"]
    assert len(calls(folder)) == known
