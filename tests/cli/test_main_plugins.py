"""Commands that plug-ins add."""

from __future__ import annotations

from pathlib import Path

from tests.plugin import install, otherminds

PLUGIN = '''
from otherminds.core.registry import register_all

def register():
    names = {"bake cake": ("cake", "bakes a cake"), "wash": ("wash", "washes up")}
    register_all("command", names, "kitchen:{}")

def cake(layers: int = 1) -> None:
    """Bake a cake."""
    print(f"a cake of {layers} layers")

def wash() -> None:
    """Wash up."""
    print("clean")
'''


def test_a_plugin_adds_commands_with_and_without_a_verb_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "kitchen.py").write_text(PLUGIN)
    env = install(tmp_path, "kitchen = kitchen:register", tmp_path)
    assert otherminds("bake", "cake", "--layers", "3", env=env, cwd=tmp_path).stdout == "a cake of 3 layers\n"
    assert otherminds("wash", env=env, cwd=tmp_path).stdout == "clean\n"
    assert "bake cake" in otherminds("list", "commands", env=env, cwd=tmp_path).stdout
    assert "bake" in otherminds("--help", env=env, cwd=tmp_path).stdout
