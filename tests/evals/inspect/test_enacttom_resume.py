"""Killed evaluations of the household go on with the same command: no run is lost, and none played twice."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

from tests.evals.inspect.slow_enacttom import RUNS
from tests.evals.inspect.stalling import calls, finished, kill_once_stalled, start

SCRIPT = "slow_enacttom"
IN_FLIGHT = 2  # runs that are played at once with one connection
KEPT = 4  # runs that reach the disk before the kill
ACTS = 10  # of both people in a run


@pytest.mark.slow  # what goes on after a kill is the same for all worlds, and tested with Decrypto too
def test_after_a_kill_no_run_is_lost_or_played_twice(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    kill_once_stalled(SCRIPT, folder, KEPT)
    before = len(calls(folder))
    assert KEPT * ACTS < before < RUNS * ACTS

    again = finished(start(SCRIPT, folder))
    assert again["games"] == RUNS
    assert sorted(again["episodes"]) == [f"cup-{number + 1}" for number in range(RUNS)]
    assert all(turns[-1]["turn"] == 5 for turns in again["episodes"].values())
    # Only what was not on disk when the process died is played anew.
    assert len(calls(folder)) - before == (RUNS - KEPT) * ACTS

    known = len(calls(folder))
    assert finished(start(SCRIPT, folder))["log"] == again["log"]
    assert len(calls(folder)) == known
