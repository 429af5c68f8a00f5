"""Commands on the shipped task ``cup``."""

from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.worlds.enacttom.tasks.read import find_task

EXAMPLE = find_task("cup")


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(make_app(), list(map(str, arguments)))


def verify(path: Path, *options: str) -> Any:
    return run("verify", path, *options)
