"""What importing costs, what works without the extras, and what the built distributions contain."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

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
from otherminds.worlds.symmtom.minds.rollout import rollout
world = otherminds.make("symmtom", setting="n3_w6_c3", probes="half")
episode = play_one(world.open(0), minds_for(world, dict.fromkeys(world.seats, "belief")))
world.seen(world.replay(episode), ("agent_0", "agent_1"), 5)
assert world.summary([episode])["literal"] == 1.0
assert world.page(episode).startswith("<!doctype html>")
print(rollout(world.params, otherminds.mind("belief", "symmtom")(), 0, 50).reward.shape)
"""
    assert python(code, "jax", "gymnasium", "pettingzoo", "PIL") == "(3, 50)"


@pytest.mark.parametrize(
    ("code", "blocked", "extra"),
    [
        ("otherminds.make('symmtom').parallel_env()", "pettingzoo", "otherminds[rl]"),
        ("otherminds.make('symmtom').parallel_env(engine='jax')", "jax", "otherminds[jax]"),
        (
            "from otherminds.worlds.symmtom.minds.rollout import rollout\n"
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


ROOT = Path(__file__).parent.parent
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
ONE_EPISODE_EACH = """
import otherminds
from otherminds.api import minds_for, play_one
from otherminds.core.registry import entries

worlds = [entry.name for entry in entries() if entry.kind == "world"]
assert len(worlds) >= 5
for name in worlds:
    world = otherminds.make(name)
    episode = play_one(world.open(seed=1), minds_for(world, dict.fromkeys(world.seats, "random")))
    assert "outcome" in episode.end
    assert world.replay(episode)
    print(name)
print(otherminds.__file__)
"""


def run(*words: str | Path, cwd: Path) -> str:
    """What a command prints; the repository is on no path of it."""
    done = subprocess.run([*map(str, words)], cwd=cwd, env=CLEAN, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "venv", folder / "tools", cwd=folder)
    run(folder / "tools" / "bin" / "python", "-m", "pip", "install", "--quiet", "hatchling>=1.27", cwd=folder)
    run(folder / "tools" / "bin" / "hatchling", "build", "--directory", folder, cwd=ROOT)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_every_world_plays_from_the_wheel_in_a_clean_environment(
    distributions: Path, version: str, tmp_path: Path
) -> None:
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "--version"], capture_output=True, check=False).returncode:
        pytest.skip(f"Python {version} is not installed")
    (wheel,) = distributions.glob("*.whl")
    run(python, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    installed = tmp_path / "venv" / "bin" / "python"
    run(installed, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    assert str(tmp_path / "venv") in run(installed, "-c", ONE_EPISODE_EACH, cwd=tmp_path)
    assert "symmtom-v0" in run(tmp_path / "venv" / "bin" / "otherminds", "list", "worlds", cwd=tmp_path)


@pytest.mark.slow
def test_the_source_distribution_installs(distributions: Path, tmp_path: Path) -> None:
    (source,) = distributions.glob("*.tar.gz")
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    installed = tmp_path / "venv" / "bin" / "python"
    run(installed, "-m", "pip", "install", "--quiet", source, cwd=tmp_path)
    assert otherminds.__version__ in run(
        installed, "-c", "import otherminds; print(otherminds.__version__)", cwd=tmp_path
    )
