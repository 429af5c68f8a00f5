"""What the README shows after ``make demo`` works in the environment that ``make demo`` makes."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.slow
def test_the_commands_of_the_readme_run_in_the_environment_of_the_demo(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    made = subprocess.run(
        ["make", f"VENV={venv}", f"{venv}/.demo-installed"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    commands = [
        line[2:] for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL) for line in block.splitlines()
    ]
    ours = [command for command in commands if command.startswith("otherminds ")]
    assert len(ours) >= 8
    for command in ours:
        words = shlex.split(command)
        done = subprocess.run(
            [venv / "bin" / words[0], *words[1:]], cwd=tmp_path, capture_output=True, text=True, input="", check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"


def test_the_demo_installs_the_extra_that_the_readme_names() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    demo = makefile.partition("/.demo-installed:")[2].partition("\n\n")[0]
    assert "'.[all]'" in demo
    assert "`all` is what `make demo` installs" in README
