"""A training that is killed anywhere and continued gives what an uninterrupted one gives, to the byte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.run import RunDirectory
from otherminds.run.checkpoint import latest, save, tidy
from tests.run import toy

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("half", [1, 2])
def test_a_training_killed_at_any_file_operation_continues_to_the_same_result(tmp_path: Path, half: int) -> None:
    command = [sys.executable, "-m", "tests.run.kill_everywhere", str(tmp_path), str(half), "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    total = int(done.stdout)
    assert total > 50
    whole = toy.result(tmp_path / "whole")
    for number in range(half, total + 1, 2):
        assert toy.result(tmp_path / str(number)) == whole, number


class Stop(Exception):
    pass


def stop_at(stop: int) -> Any:
    def at_step(step: int) -> None:
        if step == stop:
            raise Stop

    return at_step


@pytest.mark.parametrize("stop", range(1, 11))
def test_a_training_stopped_at_any_step_continues_to_the_same_result(tmp_path: Path, stop: int) -> None:
    toy.train(tmp_path / "whole")
    with pytest.raises(Stop):
        toy.train(tmp_path / "stopped", at_step=stop_at(stop))
    assert toy.train(tmp_path / "stopped") == []
    assert toy.result(tmp_path / "stopped") == toy.result(tmp_path / "whole")
    assert len(RunDirectory.read(tmp_path / "stopped").manifest["sessions"]) == 2


def test_a_training_goes_back_behind_a_damaged_checkpoint_to_the_same_result(tmp_path: Path) -> None:
    toy.train(tmp_path / "whole")
    with pytest.raises(Stop):
        toy.train(tmp_path / "hurt", at_step=stop_at(9))
    (newest,) = (tmp_path / "hurt" / "checkpoints").glob("step-000008-*")
    newest.write_bytes(newest.read_bytes()[:-3])
    warnings = toy.train(tmp_path / "hurt")
    assert ["step 8" in warning for warning in warnings] == [True]
    assert toy.result(tmp_path / "hurt") == toy.result(tmp_path / "whole")


def test_the_toy_depends_on_its_memory_and_its_seed(tmp_path: Path) -> None:
    """Otherwise the tests above would show nothing."""
    toy.train(tmp_path / "whole")
    toy.train(tmp_path / "other", seed=1)
    with pytest.raises(Stop):
        toy.train(tmp_path / "forgetful", at_step=stop_at(9))
    folder = tmp_path / "forgetful" / "checkpoints"
    saved = latest(folder)
    assert saved is not None
    tidy(folder)
    save(folder, saved.step, saved.arrays | {"memory": np.zeros(toy.MEMORY, np.uint64)}, saved.metadata)
    toy.train(tmp_path / "forgetful")
    policies = {name: toy.result(tmp_path / name)["policy"] for name in ("whole", "other", "forgetful")}
    assert len(set(policies.values())) == 3
