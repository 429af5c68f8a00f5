"""What importing costs, and what works without the extras."""

from __future__ import annotations

import subprocess
import sys

import pytest

import otherminds
from otherminds.core.errors import UserError

BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Block())
"""


def python(code: str, *blocked: str) -> str:
    script = (BLOCK.format(blocked=blocked) if blocked else "") + code
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_the_package_brings_no_heavy_library() -> None:
    code = (
        "import sys, otherminds; print([m for m in ('jax', 'numpy', 'gymnasium', 'PIL', 'rich') if m in sys.modules])"
    )
    assert python(code) == "[]"


def test_listing_everything_imports_neither_jax_nor_pettingzoo() -> None:
    code = """
import sys
from otherminds.core.registry import entries
assert len(entries()) > 10
print([m for m in ("jax", "gymnasium", "pettingzoo", "PIL") if m in sys.modules])
"""
    assert python(code) == "[]"


def test_without_extras_one_can_play_believe_probe_score_and_make_a_page() -> None:
    code = """
import otherminds
from otherminds.core.match import play_one
from otherminds.minds.find import minds_for
from otherminds.players.symmtom.rollout import rollout
world = otherminds.make("symmtom", setting="n3_w6_c3", probes="half")
episode = play_one(world.open(0), minds_for(world, dict.fromkeys(world.seats, "belief")))
world.seen(world.replay(episode), ("agent_0", "agent_1"), 5)
assert world.summary([episode])["literal"] == 1.0
assert world.page(episode).startswith("<!doctype html>")
print(rollout(world.params, otherminds.mind("belief", "symmtom"), 0, 50).reward.shape)
"""
    assert python(code, "jax", "gymnasium", "pettingzoo", "PIL") == "(3, 50)"


@pytest.mark.parametrize(
    ("code", "blocked", "extra"),
    [
        ("otherminds.make('symmtom').parallel_env()", "pettingzoo", "otherminds[rl]"),
        ("otherminds.make('symmtom').parallel_env(engine='jax')", "jax", "otherminds[jax]"),
        (
            "from otherminds.players.symmtom.rollout import rollout\n"
            "    rollout(otherminds.make('symmtom').params, otherminds.mind('still', 'symmtom'), 0, 1, 'jax')",
            "jax",
            "otherminds[jax]",
        ),
    ],
)
def test_a_missing_extra_is_named(code: str, blocked: str, extra: str) -> None:
    script = f"import otherminds\ntry:\n    {code}\nexcept otherminds.MissingExtra as error:\n    print(error)"
    assert extra in python(script, blocked)


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'symmtom-v0'"):
        otherminds.make("symtom-v0")
    with pytest.raises(UserError, match="did you mean 'heuristic'"):
        otherminds.mind("heuristics", "symmtom")
