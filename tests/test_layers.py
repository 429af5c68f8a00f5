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
# ``world`` stands beside ``evals``: it scores episodes by them, and experiments are played in it. No circle may result.
LEVELS = (("types",), ("rules",), ("observe",), ("session",), ("minds",), ("learn", "evals", "world"), ("cli",))


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


class _NotForTypes(ast.NodeTransformer):
    """Leaves out what is imported for annotations alone, and so never at run time."""

    def visit_If(self, node: ast.If) -> ast.AST | None:  # the name that ast prescribes
        return None if ast.unparse(node.test) == "TYPE_CHECKING" else self.generic_visit(node)


def imported_when_run(module: str) -> set[str]:
    """What a module imports, in its functions too: a circle through a function is still a circle."""
    return set(imports(_NotForTypes().visit(ast.parse(MODULES[module].read_text("utf-8")))))


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
    graph = {module: imported_when_run(module) - {module} for module in MODULES}
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


def names_beside(test: Path) -> set[str]:
    """The modules and packages of the folder that a test mirrors."""
    place = test.parent.relative_to(ROOT / "tests")
    folder = ROOT / place if place.parts[0] in ("benchmarks", "examples") else SOURCE / "otherminds" / place
    paths = folder.iterdir() if folder.is_dir() else ()
    return {path.stem.removeprefix("_") for path in paths if path.suffix == ".py" or path.is_dir()}


def test_every_test_file_is_named_after_a_module_of_the_same_folder() -> None:
    """``test_rules_hearing.py`` tests ``rules``. Directly under ``tests`` stands what concerns the whole repository."""
    offenders = []
    for test in sorted((ROOT / "tests").rglob("*/test_*.py")):
        about = test.stem.removeprefix("test_")
        if not any(about == name or about.startswith(f"{name}_") for name in names_beside(test)):
            offenders.append(str(test.relative_to(ROOT)))
    assert not offenders, "\n".join(
        ["the name of a test is test_MODULE.py or test_MODULE_what.py, in the folder of that module:", *offenders]
    )


def test_no_module_is_too_long_to_read_in_one_sitting() -> None:
    lengths = {module: len(path.read_text("utf-8").splitlines()) for module, path in MODULES.items()}
    assert {module: length for module, length in lengths.items() if length > 400} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 150
