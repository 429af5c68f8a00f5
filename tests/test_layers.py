"""The layout holds: who may import whom, no cycles, and tests stand where the code stands (docs/architecture.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
GROUND_FLOOR = {"core", "minds", "llm", "results", "run", "learn", "view", "testing", "cli"}
# Inside a world, a module imports modules of its own level or below. Modules that are not listed are free.
LEVELS = (("types",), ("rules",), ("observe",), ("session",), ("minds",), ("learn", "evals"), ("cli",))


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in sorted((SOURCE / "otherminds").rglob("*.py"))}


def imports(tree: ast.AST, package: str = "otherminds") -> Iterator[str]:
    """The modules of ours that a tree imports, in functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            for alias in node.names:
                submodule = f"{node.module}.{alias.name}"
                yield submodule if submodule in MODULES else str(node.module)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == package)


@cache
def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text("utf-8"))


def imported(module: str) -> set[str]:
    return set(imports(tree_of(module)))


def imported_at_once(module: str) -> set[str]:
    """What importing the module imports: not what stands in functions or serves types alone."""
    lines: list[ast.stmt] = []
    for line in tree_of(module).body:
        is_for_types = isinstance(line, ast.If) and ast.unparse(line.test) == "TYPE_CHECKING"
        if isinstance(line, ast.Import | ast.ImportFrom | ast.Try | ast.If) and not is_for_types:
            lines.append(line)
    return set(imports(ast.Module(lines, [])))


def world_of(module: str) -> str:
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["worlds"] and len(parts) > 2 else ""


def level_of(module: str) -> int | None:
    part = module.split(".")[3:4]
    return next((level for level, names in enumerate(LEVELS) if part and part[0] in names), None)


@pytest.mark.parametrize("module", MODULES)
def test_dependencies_point_inward(module: str) -> None:
    parts = module.split(".")
    for other in imported(module) - {module}:
        assert not (parts[1:2] == ["core"] and other.split(".")[1:2] != ["core"]), f"core imports {other}"
        if parts[1:2] != ["worlds"]:
            assert not world_of(other), f"the ground floor imports {other}; find it through the registry"
            assert parts[1:2] == ["cli"] or other.split(".")[1:2] != ["cli"], f"{module} imports {other}"
            continue
        assert world_of(other) in ("", world_of(module)), f"a world imports another: {other}"
        is_command = level_of(module) == len(LEVELS) - 1
        assert is_command or other.split(".")[1:2] != ["cli"], f"{module} imports {other}"
        own, others = level_of(module), level_of(other)
        if world_of(other) and own is not None and others is not None:
            assert others <= own, f"{other} stands above {module}"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {module: imported_at_once(module) - {module} for module in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_folders_of_the_ground_floor_are_those_of_the_architecture() -> None:
    folders = {path.parent.name for path in (SOURCE / "otherminds").glob("*/__init__.py")}
    assert folders == GROUND_FLOOR | {"worlds"}


def test_every_folder_says_what_lives_there() -> None:
    for path in (SOURCE / "otherminds").rglob("__init__.py"):
        assert ast.get_docstring(tree_of(name_of(path))), path


@pytest.mark.parametrize("folder", sorted({path.parent for path in (ROOT / "tests").rglob("test_*.py")}), ids=str)
def test_tests_stand_where_the_code_stands(folder: Path) -> None:
    place = folder.relative_to(ROOT / "tests")
    beside = ROOT / place if place.parts[:1] in (("benchmarks",), ("examples",)) else SOURCE / "otherminds" / place
    assert beside.is_dir(), f"{folder} has tests of a folder that does not exist"


def test_no_module_is_too_long_to_read_in_one_sitting() -> None:
    lengths = {module: len(path.read_text("utf-8").splitlines()) for module, path in MODULES.items()}
    assert {module: length for module, length in lengths.items() if length > 400} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 150
