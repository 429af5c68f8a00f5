"""How many seeded faults do the tests catch? Random faults in each world's rules, observe and ledger files.

Each fault changes one operator, constant, condition or statement in a copy of the source tree; then the world's tests
run until one fails. A fault that no test notices survives. Faults depend on the seed and the file's text alone. Results
are appended to ``benchmarks/out/mutants.jsonl``: run the same command again to resume.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from otherminds.core.seeds import Draw

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path("src/otherminds")
OUT = ROOT / "benchmarks" / "out" / "mutants.jsonl"
MODULES = ("rules", "observe", "ledger")
SECONDS = 900  # a fault may make a loop endless

_OTHER_COMPARISON: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OTHER_OPERATOR: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


def faults(node: ast.AST) -> Iterator[ast.AST]:
    """Every faulty replacement for one node."""
    other = copy.deepcopy(node)
    match other:
        case ast.Compare(ops=[op, *_]) if type(op) in _OTHER_COMPARISON:
            other.ops[0] = _OTHER_COMPARISON[type(op)]()
            yield other
        case ast.BinOp(op=op) if type(op) in _OTHER_OPERATOR:
            other.op = _OTHER_OPERATOR[type(op)]()
            yield other
        case ast.BoolOp():
            other.op = ast.Or() if isinstance(other.op, ast.And) else ast.And()
            yield other
        case ast.UnaryOp(op=ast.Not() | ast.Invert()):
            yield other.operand
        case ast.IfExp():
            other.body, other.orelse = other.orelse, other.body
            yield other
        case ast.If() | ast.While():
            other.test = ast.UnaryOp(ast.Not(), other.test)
            yield other
        case ast.Constant(value=bool()):
            yield ast.Constant(not other.value)
        case ast.Constant(value=int(number)):
            yield ast.Constant(number + 1)
        case ast.Assign() | ast.AugAssign() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Expr(value=ast.Call()):
            yield ast.Pass()
        case ast.Return(value=ast.expr()):
            yield ast.Return(ast.Constant(None))


def _inside(tree: ast.Module) -> list[ast.AST]:
    """The nodes of function bodies: annotations, defaults of fields and names of modules are not rules."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    nodes = {id(node): node for function in functions for line in function.body for node in ast.walk(line)}
    return [node for node in nodes.values() if next(faults(node), None) is not None]


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, by: ast.AST) -> None:
        self.target, self.by = target, by

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.copy_location(self.by, node) if node is self.target else self.generic_visit(node)


def seed_fault(path: Path, draw: Draw) -> tuple[str, str]:
    """One random fault in a file: the faulty text, and what was changed."""
    tree = ast.parse(path.read_text("utf-8"))
    target = draw.pick(_inside(tree))
    fault = draw.pick(list(faults(target)))
    line, before, after = getattr(target, "lineno", 0), ast.unparse(target), ast.unparse(fault)
    text = ast.unparse(ast.fix_missing_locations(_Replace(target, fault).visit(tree)))
    return text, f"{path.relative_to(ROOT)}:{line}: {before.splitlines()[0]} -> {after.splitlines()[0]}"


def is_caught(world: str, module: Path, text: str) -> bool:
    """Whether a test of the world fails, or never ends, with the faulty text in place of the module."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        (source / module.relative_to(ROOT / "src")).write_text(text, "utf-8")
        tests = Path("tests/worlds") / world
        nearest = [str(path) for path in sorted((ROOT / tests).glob(f"test_{module.stem}*.py"))]
        env = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *nearest, str(tests)]
        try:
            done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return True
    return done.returncode != 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worlds", nargs="*", help="worlds to try [default: all]")
    parser.add_argument("--faults", type=int, default=200, help="faults in each world [default: 200]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    every = sorted(path.parent.name for path in (ROOT / PACKAGE / "worlds").glob("*/rules.py"))
    OUT.parent.mkdir(exist_ok=True)
    done = [json.loads(line) for line in OUT.read_text("utf-8").splitlines()] if OUT.exists() else []
    results = {row["id"]: row for row in done}

    def try_fault(world: str, number: int) -> None:
        draw = Draw(options.seed, f"mutants/{world}/{number}")
        modules = [ROOT / PACKAGE / "worlds" / world / f"{name}.py" for name in MODULES]
        sizes = [len(_inside(ast.parse(path.read_text("utf-8")))) for path in modules]
        place = draw.below(sum(sizes))
        module = next(path for path, end in zip(modules, _running(sizes), strict=True) if place < end)
        text, change = seed_fault(module, draw)
        key = sha256(f"{change}{text}".encode()).hexdigest()[:16]
        if key not in results:
            started = time.monotonic()
            row = {"id": key, "world": world, "fault": change, "caught": is_caught(world, module, text)}
            results[key] = row | {"seconds": round(time.monotonic() - started, 1)}
            with OUT.open("a", encoding="utf-8") as file:
                file.write(json.dumps(results[key]) + "\n")
        chosen[world][key] = results[key]
        if not results[key]["caught"]:
            print(f"survived: {change}", flush=True)

    chosen: dict[str, dict[str, dict[str, object]]] = {world: {} for world in options.worlds or every}
    with ThreadPoolExecutor(options.processes) as pool:
        for job in [pool.submit(try_fault, world, n) for world in chosen for n in range(options.faults)]:
            job.result()
    for world, rows in chosen.items():
        caught = sum(bool(row["caught"]) for row in rows.values())
        print(f"{world}: {caught} of {len(rows)} different faults caught ({caught / len(rows):.0%})")


def _running(sizes: list[int]) -> list[int]:
    return [sum(sizes[: end + 1]) for end in range(len(sizes))]


if __name__ == "__main__":
    main()
