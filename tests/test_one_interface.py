"""One interface: read from the syntax trees, so that no second loop, protocol or mind-finder can grow unnoticed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import otherminds

SOURCE = Path(otherminds.__file__).parent
DRIVERS = {"core/match.py", "core/world.py"}  # the loop, and the replay of a record; outside drivers are declared here
MIND_METHODS = {"reply", "replies"}


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        yield str(path.relative_to(SOURCE)), ast.parse(path.read_text("utf-8"))


def test_only_the_match_loop_hands_replies_to_a_session() -> None:
    found = set()
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "reply":
                owner = ast.unparse(node.func.value)
                if "session" in owner.lower() or owner in ("one", "game", "episode"):
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
    for one in ("Mind", "World", "Session", "Ask", "Form", "Probe", "Reply"):
        assert [where for found, where in classes if found == one and where.startswith("core/")], one
        assert len([where for found, where in classes if found == one]) == 1, one
    for gone in ("Seat", "Answerer", "Player", "LanguagePlayer", "Wanted", "Evaluated"):
        assert len([where for found, where in classes if found == gone]) <= (gone == "Evaluated"), gone
