"""Every command and every piece of code in the documentation works."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.plugin import invoke

ROOT = Path(__file__).parent.parent
ENV = {**os.environ, "COLUMNS": "100"}


@pytest.fixture(scope="session", autouse=True)
def _keep_traces_apart(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Commands write Inspect's traces into a temporary folder."""
    ENV["XDG_DATA_HOME"] = str(tmp_path_factory.mktemp("data"))


README = ROOT / "README.md"
GENERATED = ROOT / "docs" / "reference" / "api"  # written by make docs
PAGES = [README, *(p for p in sorted((ROOT / "docs").rglob("*.md")) if GENERATED not in p.parents)]
SITE = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
# An asset that a browser would fetch from elsewhere; links that people click are allowed.
FOREIGN = re.compile(r"""<(?:script|link|img|iframe|source|use)\b[^>]*?(?:src|href)=["']?(?:https?:)?//[^"'\s>]+""")


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
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", page.read_text("utf-8")):
        if target.startswith("http"):
            continue
        path = (page.parent / target).resolve() if target else page
        assert path.exists() or GENERATED in path.parents, f"{page.name} points to {target}"
        if anchor and path.suffix == ".md":
            assert anchor in anchors(path), f"{page.name} points to #{anchor} of {path.name}"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the site makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_pages_link_only_to_what_the_site_has() -> None:
    for page in PAGES[1:]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text("utf-8")):
            path = (page.parent / target).resolve()
            assert target.startswith("http") or ROOT / "docs" in path.parents, f"{page.name} links outside: {target}"


def test_every_page_is_in_the_navigation_and_every_entry_exists() -> None:
    named = set(entries(SITE["nav"]))
    written = {str(page.relative_to(ROOT / "docs")) for page in PAGES[1:]}
    generated = {str((GENERATED / file).relative_to(ROOT / "docs")) for file in ("otherminds.md", "packages.md")}
    assert named == written | generated


def entries(nav: Any) -> Iterator[str]:
    """The pages that a navigation names."""
    if isinstance(nav, str):
        yield nav
    else:
        for part in nav.values() if isinstance(nav, dict) else nav:
            yield from entries(part)


@pytest.mark.skipif(find_spec("zensical") is None, reason="needs otherminds[docs]")
def test_the_site_builds_without_warnings_and_without_foreign_assets(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("api", "__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for command in (["docs/reference.py"], ["-m", "zensical", "build", "--clean", "--strict"]):
        done = subprocess.run([sys.executable, *command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(PAGES)
    for page in pages:
        assert not FOREIGN.findall(page.read_text("utf-8")), page.name
    for sheet in (tmp_path / "site").rglob("*.css"):
        assert not re.search(r"(?:url\(|@import )[\"']?(?:https?:)?//", sheet.read_text("utf-8")), sheet.name
    assert not list((tmp_path / "site").rglob("*.py"))


def test_tables_and_figures_match_the_records() -> None:
    command = [sys.executable, "-m", "docs.generate", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run python -m docs.generate: {done.stdout}{done.stderr}"


def test_the_record_of_a_pool_becomes_tables_and_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    from docs import figures, tables

    from otherminds.view.shapes import to_svg

    real, found = tables.record, tables.record("tomi_evolution.json")
    stages = [{"stage": name, "items": 4, "depths": {"1": 1, "2": 3, "3": 0}} for name in ("fresh", "1")]
    found |= {"by_depth": {"1": found["success"], "2": found["success"]}, "stages": stages}
    for module in (tables, figures):
        monkeypatch.setattr(module, "record", lambda name: found if "evolution" in name else real(name))
        monkeypatch.setattr(module, "evolved_splits", lambda: ["hard"])
    text = tables.enacttom_evolution()
    assert "| *panel* | 39 (30 to 49) | 1 (0 to 5) | 38.9 (5.5 to 275.6) | 1 (0 to 5) | 1 (0 to 5) |" in text
    for name, draw in {"success": figures.evolution_success, "stages": figures.evolution_stages}.items():
        assert f"../images/enacttom_hard_{name}.svg" in text
        assert to_svg(draw("hard")).startswith("<svg")
    assert {path.name for path in figures.drawings()} >= {"enacttom_hard_success.svg", "enacttom_hard_stages.svg"}


def test_the_version_is_the_same_everywhere() -> None:
    from otherminds import __version__

    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = re.search(r"^## (\d[\d.]*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest
    assert citation["version"] == newest[1] == __version__


def test_the_readme_is_short() -> None:
    assert len(_lines(README)) <= 90


def test_the_excerpts_of_add_a_world_are_lines_of_the_example() -> None:
    example = ROOT / "examples" / "coin_in_the_box" / "src" / "coin_in_the_box"
    known = {line.strip() for name in ("rules", "observe", "world") for line in _lines(example / f"{name}.py")}
    quoted = blocks(ROOT / "docs" / "howto" / "add_a_world.md", "py")
    assert len(quoted) >= 5
    for line in (line for block in quoted for line in block.splitlines() if line.strip()):
        assert line.strip() in known, f"the example has no line {line!r}"


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()
