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
from otherminds.run.checkpoint import Checkpoint, latest, save, tidy


def save_steps(folder: Path, *steps: int, journals: int = 3) -> None:
    for step in steps:
        state = {"w": np.full(4, step, np.float32)}
        journal = {"seen": np.array([step])} if journals else None
        save(folder, step, state, {"step": str(step)}, journal, keep_journals=journals)


def found(folder: Path) -> tuple[Checkpoint, list[str]]:
    warnings: list[str] = []
    checkpoint = latest(folder, warnings.append)
    assert checkpoint is not None
    assert checkpoint.arrays["w"].tolist() == [checkpoint.step] * 4
    assert checkpoint.metadata == {"step": str(checkpoint.step)}
    return checkpoint, warnings


def memory(checkpoint: Checkpoint) -> list[int]:
    return [int(journal["seen"][0]) for journal in checkpoint.journals()]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_empty_or_missing_folder_has_no_checkpoint(tmp_path: Path) -> None:
    assert latest(tmp_path / "missing") is None
    assert latest(tmp_path) is None


def test_the_newest_checkpoint_comes_back_with_its_memory_in_order(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3, 4, 5)
    checkpoint, warnings = found(tmp_path)
    assert (checkpoint.step, memory(checkpoint)) == (5, [3, 4, 5])
    assert warnings == []


def test_a_young_run_has_fewer_journals(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    assert memory(found(tmp_path)[0]) == [1, 2]


def test_a_save_without_journal_keeps_the_memory(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    save(tmp_path, 3, {"w": np.full(4, 3)}, {"step": "3"}, keep_journals=3)
    assert memory(found(tmp_path)[0]) == [1, 2]


def test_only_what_is_kept_stays_on_disk(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3, 4, 5, 6, journals=2)
    assert names(tmp_path) == [
        "journal-000004.safetensors",
        "journal-000005.safetensors",
        "journal-000006.safetensors",
        "step-000005.json",
        "step-000005.safetensors",
        "step-000006.json",
        "step-000006.safetensors",
    ]


def test_steps_of_seven_digits_are_newer_than_those_of_six(tmp_path: Path) -> None:
    save_steps(tmp_path, 999_999, 1_000_000)
    assert memory(found(tmp_path)[0]) == [999_999, 1_000_000]


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
@pytest.mark.parametrize("name", ["step-000003.safetensors", "step-000003.json", "journal-000003.safetensors"])
def test_damage_is_noticed_and_the_checkpoint_before_is_used(tmp_path: Path, damage: Damage, name: str) -> None:
    save_steps(tmp_path, 1, 2, 3)
    damage(tmp_path / name)
    checkpoint, warnings = found(tmp_path)
    assert (checkpoint.step, memory(checkpoint)) == (2, [1, 2])
    assert len(warnings) == 1
    assert "step 3" in warnings[0]
    assert name in warnings[0]
    assert "\n" not in warnings[0]
    assert (tmp_path / f"{name}.corrupt").exists()
    assert not (tmp_path / "step-000003.safetensors").exists()


@pytest.mark.parametrize("name", ["step-000003.json", "journal-000003.safetensors"])
def test_a_missing_part_is_noticed(tmp_path: Path, name: str) -> None:
    save_steps(tmp_path, 1, 2, 3)
    (tmp_path / name).unlink()
    checkpoint, warnings = found(tmp_path)
    assert checkpoint.step == 2
    assert f"{name} is missing" in warnings[0]


def test_where_no_checkpoint_is_whole_nothing_is_touched_and_a_copy_mends_it(tmp_path: Path) -> None:
    """Both need the journal of step 2."""
    save_steps(tmp_path, 1, 2, 3)
    journal = (tmp_path / "journal-000002.safetensors").read_bytes()
    (tmp_path / "journal-000002.safetensors").unlink()
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(UserError, match=r"step 3: journal-000002\.safetensors is missing; step 2: .* or remove"):
        latest(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == files
    (tmp_path / "journal-000002.safetensors").write_bytes(journal)
    assert found(tmp_path)[0].step == 3


def test_what_cannot_be_read_is_no_damage(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    (tmp_path / "step-000002.json").unlink()
    (tmp_path / "step-000002.json").mkdir()
    with pytest.raises(UserError, match=r"cannot read the checkpoint of step 2 .* the same command again"):
        latest(tmp_path)


def test_a_flipped_bit_anywhere_in_an_index_is_noticed_or_harmless(tmp_path: Path) -> None:
    save_steps(tmp_path / "whole", 1, 2)
    files = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    index = files["step-000002.json"]
    for place in range(len(index)):
        folder = tmp_path / str(place)
        folder.mkdir()
        for name, content in files.items():
            (folder / name).write_bytes(content)
        damaged = bytearray(index)
        damaged[place] ^= 1 << place % 7
        (folder / "step-000002.json").write_bytes(damaged)
        checkpoint, _ = found(folder)
        assert (checkpoint.step, memory(checkpoint)) in ((1, [1]), (2, [1, 2]))


def test_training_goes_on_from_the_checkpoint_before_a_damaged_one(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3)
    flip(tmp_path / "step-000003.safetensors")
    assert found(tmp_path)[0].step == 2
    save_steps(tmp_path, 3, 4)
    checkpoint, warnings = found(tmp_path)
    assert (memory(checkpoint), warnings) == ([2, 3, 4], [])


def test_a_memory_with_a_gap_is_never_saved(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    flip(tmp_path / "step-000002.json")
    with pytest.raises(UserError, match=r"(?s)step-000002\.json.*same command"):
        save_steps(tmp_path, 3)
    assert memory(found(tmp_path)[0]) == [1]


def test_remains_of_a_killed_save_are_no_checkpoint_and_raise_no_alarm(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2)
    before = names(tmp_path)
    save_steps(tmp_path / "next", 1, 2, 3)
    for name in ("journal-000003.safetensors", "step-000003.json"):
        (tmp_path / name).write_bytes((tmp_path / "next" / name).read_bytes())
    (tmp_path / ".step-000003.safetensors.tmp").write_bytes(b"half")
    checkpoint, warnings = found(tmp_path)
    assert (checkpoint.step, warnings) == (2, [])
    assert not (tmp_path / ".step-000003.safetensors.tmp").exists()  # the disk may be full of it
    save_steps(tmp_path, 4)
    assert set(names(tmp_path)) - set(before) == {
        "next",
        "journal-000004.safetensors",
        "step-000004.json",
        "step-000004.safetensors",
    }


def test_steps_only_go_forward(tmp_path: Path) -> None:
    save_steps(tmp_path, 5)
    for step in (4, 5):
        with pytest.raises(ValueError, match="not after step 5"):
            save_steps(tmp_path, step)


def test_a_journal_that_would_not_be_kept_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="keep_journals=0"):
        save(tmp_path, 1, {}, {}, journal={"seen": np.zeros(1)})


def test_tidy_removes_our_files_and_no_others(tmp_path: Path) -> None:
    save_steps(tmp_path, 1, 2, 3)
    flip(tmp_path / "step-000003.safetensors")
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
@pytest.mark.parametrize(("call", "number"), [("write", 1), ("write", 2), ("write", 3), ("fsync", 1), ("fsync", 5)])
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
    assert memory(found(tmp_path)[0]) == [1, 2]
    save_steps(tmp_path, 3)  # once there is room
    assert memory(found(tmp_path)[0]) == [1, 2, 3]


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
    assert "there is no earlier one" in done.stdout
    assert names(tmp_path / "c") == []


def test_old_checkpoints_outlive_a_save_that_fails_at_its_last_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_steps(tmp_path, 1)
    with monkeypatch.context() as patch:
        break_call(patch, "replace", 3, errno.EIO)
        with pytest.raises(UserError, match=r"step 1\) is kept"):
            save_steps(tmp_path, 2)
    assert found(tmp_path)[0].step == 1
