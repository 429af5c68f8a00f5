"""Killed games of Decrypto go on with the same command: none is lost, and none played twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")

from tests.evals.inspect.slow_decrypto import GAMES
from tests.evals.inspect.stalling import calls, finished, kill_once_stalled, start

SCRIPT = "slow_decrypto"
IN_FLIGHT = 2  # games that are played at once with one connection
KEPT = 4  # games that reach the disk before the kill


def test_after_a_kill_no_game_is_lost_or_played_twice(tmp_path: Path) -> None:
    whole = finished(start(SCRIPT, tmp_path / "whole"))
    needed = Counter(calls(tmp_path / "whole"))
    assert len(needed) == GAMES

    folder = tmp_path / "killed"
    kill_once_stalled(SCRIPT, folder, KEPT)
    before = Counter(calls(folder))
    played = [game for game, number in before.items() if number == needed[game]]
    assert KEPT < len(played) < GAMES  # one at least was played to its end, and is not on disk

    again = finished(start(SCRIPT, folder))
    assert again["games"] == GAMES
    assert again["episodes"] == whole["episodes"]
    # Only the games that were not on disk when the process died are begun anew.
    repeated = [game for game, number in Counter(calls(folder)).items() if number > needed[game]]
    assert len(repeated) <= IN_FLIGHT
    assert len(set(played) - set(repeated)) >= KEPT

    known = len(calls(folder))
    assert finished(start(SCRIPT, folder))["log"] == again["log"]
    assert len(calls(folder)) == known
