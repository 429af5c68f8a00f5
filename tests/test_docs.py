"""Every command and every piece of code in the documentation works."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.plugin import invoke

ROOT = Path(__file__).parent.parent
ENV = {**os.environ, "COLUMNS": "100"}


@pytest.fixture(scope="session", autouse=True)
def _compile_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What one command has compiled the next one need not compile again."""
    ENV["JAX_COMPILATION_CACHE_DIR"] = str(tmp_path_factory.mktemp("compiled"))
    ENV["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0.3"
    ENV["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))  # where Inspect keeps traces


README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def having(language: str) -> list[object]:
    """The pages that have such blocks; what the README says is tried always, the rest where slow tests run."""
    pages = [page for page in PAGES if blocks(page, language)]
    return [pytest.param(p, id=name(p), marks=[] if p == README else [pytest.mark.slow]) for p in pages]


@pytest.mark.parametrize("page", having("python"))
def test_the_code_on_a_page_runs(page: Path, tmp_path: Path) -> None:
    for code in blocks(page, "python"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            cwd=tmp_path, capture_output=True, text=True, env=ENV, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{code}\n{done.stderr}"


@pytest.mark.parametrize("page", having("console"))
def test_the_commands_on_a_page_run(page: Path, tmp_path: Path) -> None:
    ran = 0
    for command in [
        line[2:] for block in blocks(page, "console") for line in block.splitlines() if line.startswith("$ ")
    ]:
        words = shlex.split(command)
        if words[0] == "make":  # running it here would run this test in itself; that the target exists can be checked
            done = subprocess.run([*words, "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{command}\n{done.stderr}"
        elif words[0] == "source":
            continue
        else:
            assert words[0] == "otherminds", f"what is {command!r}?"
            invoke(*words[1:], cwd=tmp_path)  # in this process: starting a hundred takes minutes
        ran += 1
    assert ran


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=name)
def test_links_and_pictures_on_a_page_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), f"{page.name} points to {target}"


def test_figures_in_the_documentation_are_those_of_the_records() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "tables.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"run python docs/tables.py: {done.stdout}{done.stderr}"


def test_the_excerpts_of_add_a_world_are_lines_of_the_example() -> None:
    example = ROOT / "examples" / "coin_in_the_box" / "src" / "coin_in_the_box"
    known = {line.strip() for name in ("rules", "observe", "world") for line in _lines(example / f"{name}.py")}
    quoted = blocks(ROOT / "docs" / "howto" / "add_a_world.md", "py")
    assert len(quoted) >= 5
    for line in (line for block in quoted for line in block.splitlines() if line.strip()):
        assert line.strip() in known, f"the example has no line {line!r}"


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()
