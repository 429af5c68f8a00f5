"""One interface: read from the syntax trees, so that no second loop, protocol or mind-finder can grow unnoticed."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import otherminds

SOURCE = Path(otherminds.__file__).parent
DRIVERS = {"core/match.py"}  # outside drivers (a web server, a trainer) are declared here
MIND_METHODS = {"reply", "replies"}


@cache
def modules() -> list[tuple[str, ast.Module]]:
    return [(str(path.relative_to(SOURCE)), ast.parse(path.read_text("utf-8"))) for path in SOURCE.rglob("*.py")]


def test_only_the_match_loop_hands_replies_to_a_session() -> None:
    found = set()
    for name, tree in modules():
        for node in ast.walk(tree):
            is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            # A mind's reply takes an ask; a session's takes an id and a reply.
            if is_method and node.func.attr == "reply" and len(node.args) + len(node.keywords) == 2:  # type: ignore[attr-defined]
                found.add(name)
    assert found == DRIVERS


def test_no_world_declares_a_protocol_for_who_sits_in_a_seat() -> None:
    for name, tree in modules():
        if name == "core/mind.py":
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(base) for base in node.bases):
                methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
                acting = methods & {"act", "hint", "guess", "answer", "answers", "report", "perceive", *MIND_METHODS}
                assert not acting, f"{name}: {node.name} declares {sorted(acting)}; minds follow core.mind.Mind"


def test_there_is_one_mind_one_world_one_session_one_loop() -> None:
    classes = [
        (node.name, name) for name, tree in modules() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    ]
    homes = {"Mind": "core/mind.py", "Policy": "core/mind.py", "Reply": "core/mind.py", "Evaluated": "llm/run.py"}
    homes |= dict.fromkeys(("World", "Item"), "core/world.py") | dict.fromkeys(("Session", "Ask"), "core/session.py")
    homes |= {"Referee": "core/match.py", "Lineup": "core/match.py", "Table": "results/table.py"}
    for name, module in classes:
        assert module == homes.get(name, module), f"{module} has a second {name}"
    assert not {"Seat", "Answerer", "Player", "LanguagePlayer", "Wanted", "Glimpse"} & {name for name, _ in classes}
    loops = [name for name, tree in modules() for node in ast.walk(tree) if _is_loop(node)]
    # Records are played again without minds, and a check lets every default stand.
    assert set(loops) == {"core/match.py", "core/replay.py", "testing/session_checks.py"}


def _is_loop(node: ast.AST) -> bool:
    """Whether a loop goes over the open asks of a session."""
    if isinstance(node, ast.While):
        return ".asks()" in ast.unparse(node.test)
    return isinstance(node, ast.For) and ast.unparse(node.iter).endswith("session.asks()")
