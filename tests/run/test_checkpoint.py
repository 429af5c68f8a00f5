"""Checkpoints: the newest good one is found, whatever has happened to the files."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.run.checkpoint import latest, save, tidy


def save_steps(folder: Path, *steps: int) -> None:
    for step in steps:
        save(folder, step, {"w": np.full(4, step, np.float32)}, {"step": str(step)})


def found(folder: Path) -> tuple[int, list[str]]:
    warnings: list[str] = []
    checkpoint = latest(folder, warnings.append)
    assert checkpoint is not None
    assert checkpoint.arrays["w"].tolist() == [checkpoint.step] * 4
    assert checkpoint.metadata == {"step": str(checkpoint.step)}
    return checkpoint.step, warnings


def file_of(folder: Path, step: int) -> Path:
    (path,) = folder.glob(f"step-{step:06}-*.safetensors")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_empty_or_missing_folder_has_no_checkpoint(tmp_path: Path) -> None:
    assert latest(tmp_path / "missing") is None
    assert latest(tmp_path) is None


def test_the_newest_checkpoint_comes_back(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3, 4, 5)
    assert found(tmp_path) == (5, [])


def test_only_the_last_two_stay_on_disk(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3, 4)
    assert names(tmp_path) == [file_of(tmp_path, step).name for step in (3, 4)]


def test_steps_of_seven_digits_are_newer_than_those_of_six(tmp_path: Path) -> None:
    save_steps(tmp_path, 999_999, 1_000_000)
    assert found(tmp_path)[0] == 1_000_000


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) * 3 // 4] ^= 1
    path.write_bytes(content)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


Damage = Callable[[Path], None]


@pytest.mark.parametrize("damage", [flip, cut, empty])
def test_damage_is_noticed_and_the_checkpoint_before_is_used(tmp_path: Path, damage: Damage) -> None:
    save_steps(tmp_path, 1, 2, 3)
    path = file_of(tmp_path, 3)
    damage(path)
    step, (warning,) = found(tmp_path)
    assert step == 2
    assert f"step 3: {path.name}" in warning
    assert "\n" not in warning
    assert path.with_name(f"{path.name}.corrupt").exists()
    assert not path.exists()


def test_where_no_checkpoint_is_intact_nothing_is_touched_and_a_copy_repairs_it(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    whole = file_of(tmp_path, 2).read_bytes()
    for step in (1, 2):
        cut(file_of(tmp_path, step))
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(UserError, match=r"step 2: step-000002-.*; step 1: .* or remove"):
        latest(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    file_of(tmp_path, 2).write_bytes(whole)
    assert found(tmp_path)[0] == 2


def test_a_checkpoint_without_a_hash_in_its_name_is_not_ignored(tmp_path: Path) -> None:
    """Another version may have written it; to begin again in silence would throw its work away."""
    save_steps(tmp_path, 1)
    file_of(tmp_path, 1).rename(tmp_path / "step-000001.safetensors")
    with pytest.raises(UserError, match=r"no checkpoint .* is intact"):
        latest(tmp_path)


def test_what_cannot_be_read_is_no_damage(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    path = file_of(tmp_path, 2)
    path.unlink()
    path.mkdir()
    with pytest.raises(UserError, match=r"cannot read the checkpoint of step 2 .* the same command again"):
        latest(tmp_path)


def test_training_goes_on_from_the_checkpoint_before_a_damaged_one(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3)
    flip(file_of(tmp_path, 3))
    assert found(tmp_path)[0] == 2
    save_steps(tmp_path, 3, 4)
    assert found(tmp_path) == (4, [])


def test_remains_of_a_killed_save_are_no_checkpoint_and_raise_no_alarm(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    (tmp_path / ".step-000003.safetensors.tmp").write_bytes(b"half")
    assert found(tmp_path) == (2, [])
    assert not (tmp_path / ".step-000003.safetensors.tmp").exists()  # the disk may be full of it


def test_steps_only_go_forward(tmp_path: Path) -> None:
    save_steps(tmp_path, 5)
    for step in (4, 5):
        with pytest.raises(ValueError, match="not after step 5"):
            save_steps(tmp_path, step)


def test_tidy_removes_our_files_and_no_others(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3)
    flip(file_of(tmp_path, 3))
    found(tmp_path)
    (tmp_path / ".step-000004.safetensors.tmp").touch()
    (tmp_path / "notes.txt").touch()
    tidy(tmp_path)
    assert names(tmp_path) == ["notes.txt"]


def break_call(monkeypatch: pytest.MonkeyPatch, name: str, at_call: int, code: int) -> None:
    """Make a call to the system fail, the one of that number and all after it, as on a disk that stays full."""
    real, calls = getattr(os, name), 0

    def fails(*arguments: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls >= at_call:
            raise OSError(code, os.strerror(code))
        return real(*arguments, **options)

    monkeypatch.setattr(os, name, fails)


@pytest.mark.parametrize(("code", "words"), [(errno.ENOSPC, "disk is full"), (errno.EDQUOT, "quota is used up")])
@pytest.mark.parametrize(("call", "number"), [("write", 1), ("fsync", 1), ("fsync", 2)])
def test_a_full_disk_costs_no_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, code: int, words: str
) -> None:
    save_steps(tmp_path, 1, 2)
    before = names(tmp_path)
    with monkeypatch.context() as patch:
        break_call(patch, call, number, code)
        with pytest.raises(UserError) as caught:
            save_steps(tmp_path, 3)
    for part in (words, "step 3", "last good checkpoint (step 2) is kept", "Free at least", "same command"):
        assert part in str(caught.value)
    assert names(tmp_path) == before
    assert found(tmp_path)[0] == 2
    save_steps(tmp_path, 3)  # once there is room
    assert found(tmp_path)[0] == 3


def test_a_real_limit_on_file_size_leaves_nothing_behind(tmp_path: Path) -> None:
    script = """
import resource, sys, numpy as np
from otherminds.core.errors import UserError
from otherminds.run.checkpoint import save
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    save(sys.argv[1], 1, {"w": np.zeros(100_000)}, {})
except UserError as error:
    print(error)
"""
    command = [sys.executable, "-B", "-c", script, str(tmp_path / "c")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "larger than this system allows" in done.stdout
    assert "there is no earlier checkpoint" in done.stdout
    assert names(tmp_path / "c") == []


def test_old_checkpoints_outlive_a_save_that_fails_at_its_last_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_steps(tmp_path, 1)
    with monkeypatch.context() as patch:
        break_call(patch, "replace", 1, errno.EIO)
        with pytest.raises(UserError, match=r"step 1\) is kept"):
            save_steps(tmp_path, 2)
    assert found(tmp_path)[0] == 1
