"""Local models by name: which file is meant, what logs call it, and how many are served."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.log import read_eval_log

from otherminds.core.errors import MissingExtra, UserError
from otherminds.llm import local, models
from otherminds.llm.large_model import LARGE, models_folder
from otherminds.llm.run import evaluate
from tests.llm.scripts import is_installed
from tests.worlds.tomi.evals.trained_runs import make_story, write_items

QWEN = "openai-api/otherminds/qwen2.5-coder-1.5b-instruct-q4_k_m"
needs_model = pytest.mark.skipif(not is_installed(), reason="the embedded model is not installed")
needs_large = pytest.mark.skipif(
    not is_installed(local.LARGE_NAME), reason="the larger model is not there; make local-model-large"
)


class Engine:
    """Stands for the engine, and notes which files are served."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.stopped: list[str] = []

    def CommonParams(self) -> Any:
        part = SimpleNamespace
        return part(model=part(), cpuparams=part(), cpuparams_batch=part())

    def Server(self, params: Any) -> Any:
        return FakeServer(self, params.model.path)


class FakeServer:
    def __init__(self, engine: Engine, path: str) -> None:
        self.engine, self.path = engine, path
        self.listening_address = f"http://127.0.0.1:{1000 + len(engine.started)}"
        engine.started.append(path)

    def handle_completions(self, request: dict[str, Any]) -> None:
        pass

    def __del__(self) -> None:
        self.engine.stopped.append(self.path)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    found = Engine()
    monkeypatch.setattr(local, "_engine", lambda: found)
    return found


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    models_folder().mkdir(parents=True)
    return models_folder()


def gguf(path: Path, content: bytes = b"weights", size: int | None = None) -> Path:
    path.write_bytes(b"GGUF" + content)
    if size is not None:
        os.truncate(path, size)  # holes take no space
    return path


@pytest.mark.parametrize("name", ["local", "local:smollm2", "local:qwen-1.5b", "local:a/b.gguf", "local:none-such"])
def test_every_local_name_is_a_language_model_that_costs_nothing(name: str) -> None:
    assert models.is_language_model(name)
    assert models.is_free(name)


@pytest.mark.parametrize("name", ["locals", "localhost:80", "glove", "likelihood:local"])
def test_other_names_are_not_local(name: str) -> None:
    assert not models.is_language_model(name)
    assert not models.is_free(name)


def test_replies_of_every_local_model_can_be_held_to_a_schema(tmp_path: Path) -> None:
    mine = local.find_weights(f"local:{gguf(tmp_path / 'mine.gguf')}")
    assert all(map(local.is_held_to_schemas, (local.MODEL, QWEN, mine.model)))
    assert not local.is_held_to_schemas("openai/gpt-4o-mini")


def test_the_larger_model_is_found_in_the_cache_under_its_published_name(cache: Path) -> None:
    path = gguf(cache / LARGE.file, size=LARGE.size)
    assert local.find_weights("local:qwen-1.5b") == (path, QWEN)


def test_where_the_larger_model_is_missing_the_command_is_given(cache: Path) -> None:
    with pytest.raises(MissingExtra, match=r"was not found; run 'make local-model-large'"):
        local.find_weights("local:qwen-1.5b")
    gguf(cache / LARGE.file)
    with pytest.raises(MissingExtra, match=r"has 11 bytes; expected 1,117,320,768; run 'make local-model-large'"):
        local.find_weights("local:qwen-1.5b")
    assert not is_installed("local:qwen-1.5b")


def test_a_file_is_called_by_its_name_and_content(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = gguf(tmp_path / "a" / "my model.gguf", b"one"), gguf(tmp_path / "b" / "my model.gguf", b"two")
    names = [local.find_weights(f"local:{path}").model for path in (one, other)]
    assert names[0] != names[1]
    assert all(name.startswith("openai-api/otherminds/my-model-") for name in names)
    shutil.copy(one, tmp_path / "b" / "copy.gguf")
    copied = local.find_weights(f"local:{tmp_path / 'b' / 'copy.gguf'}").model
    assert copied[-8:] == names[0][-8:]


def test_a_file_that_was_replaced_is_called_otherwise(tmp_path: Path) -> None:
    name = f"local:{gguf(tmp_path / 'mine.gguf', b'one')}"
    before = local.find_weights(name).model
    os.utime(gguf(tmp_path / "mine.gguf", b"two"), ns=(1, 1))
    assert local.find_weights(name).model != before


def test_the_home_folder_may_be_a_tilde(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    path = gguf(tmp_path / "mine.gguf")
    assert local.find_weights("local:~/mine.gguf").path == path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("local:qwen", r"no local model 'local:qwen'; did you mean 'local:qwen-1.5b'\?.*GGUF file"),
        ("local:smolm2", r"did you mean 'local:smollm2'\?"),
        ("local:", r"no local model 'local:'"),
        ("local:none.gguf", r"there is no file none\.gguf; expected a GGUF file, as in local:FILE\.gguf"),
        ("local:folder.gguf", r"cannot read folder\.gguf: Is a directory"),
        ("local:text.gguf", r"text\.gguf begins with b'once'; expected a GGUF file.*b'GGUF'; convert"),
        ("local:model.bin", r"model\.bin begins with b'PK'"),
    ],
)
def test_what_is_no_model_is_refused(name: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.gguf").mkdir()
    Path("text.gguf").write_text("once upon a time")
    Path("model.bin").write_bytes(b"PK")
    with pytest.raises(UserError, match=message), models.resolved(name, {}):
        pass


def test_a_file_that_the_engine_refuses_is_reported(tmp_path: Path, engine: Engine) -> None:
    def refuse(params: Any) -> Any:
        raise RuntimeError("bad params")

    engine.Server = refuse  # type: ignore[method-assign]
    with (
        pytest.raises(UserError, match=r"torn\.gguf cannot be loaded \(bad params\); expected a complete GGUF file"),
        local.served(f"local:{gguf(tmp_path / 'torn.gguf')}"),
    ):
        pass
    assert not local._running


def test_the_same_model_is_served_once_and_different_models_side_by_side(tmp_path: Path, engine: Engine) -> None:
    one, two = gguf(tmp_path / "one.gguf"), gguf(tmp_path / "two.gguf")
    link = tmp_path / "link.gguf"
    link.symlink_to(one)
    with local.served(f"local:{one}") as first:
        with local.served(f"local:{link}") as again, local.served(f"local:{two}") as other:
            assert first == again != other
            assert engine.started == [str(one), str(two)]
        assert engine.stopped == [str(two)]
    assert engine.stopped == [str(two), str(one)]
    with local.served(f"local:{one}"):
        assert engine.started == [str(one), str(two), str(one)]


def test_models_by_role_have_names_that_tell_them_apart(tmp_path: Path, engine: Engine, cache: Path) -> None:
    gguf(cache / LARGE.file, size=LARGE.size)
    mine = gguf(tmp_path / "mine.gguf")
    cast = {"alice": "local:qwen-1.5b", "bob": f"local:{mine}", "eve": "local:qwen-1.5b"}
    with models.resolved_by_role(cast, {"temperature": 0.5}) as found:
        assert str(found["alice"]) == str(found["eve"]) == QWEN
        assert str(found["bob"]).startswith("openai-api/otherminds/mine-")
        assert found["bob"].config.temperature == 0.5
    assert len(engine.started) == len(engine.stopped) == 2


@pytest.mark.slow
@needs_model
def test_a_file_of_ones_own_answers_beside_the_embedded_model(tmp_path: Path) -> None:
    mine = shutil.copy(local.find_weights().path, tmp_path / "mine.gguf")
    items = write_items(tmp_path / "items.jsonl", make_story("s"))
    with local.served() as embedded, local.served(f"local:{mine}") as own:
        assert embedded != own
        seats = {"reader": f"local:{mine}"}
        done = evaluate("tomi", {"items": str(items)}, seats, suite="standard", log_dir=tmp_path / "logs")
    assert done.summary["validity_rate"] == 1.0
    assert read_eval_log(done.logs[0]).eval.model == local.find_weights(f"local:{mine}").model


@pytest.mark.slow
@needs_model
def test_a_torn_file_is_reported_by_the_engine(tmp_path: Path) -> None:
    torn = tmp_path / "torn.gguf"
    torn.write_bytes(local.find_weights().path.read_bytes()[:1_000_000])
    with pytest.raises(UserError, match="cannot be loaded"), local.served(f"local:{torn}"):
        pass


@pytest.mark.slow
@needs_large
def test_the_larger_model_answers_by_schema(tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", make_story("s"))
    seats = {"reader": "local:qwen-1.5b"}
    done = evaluate("tomi", {"items": str(items)}, seats, suite="standard", log_dir=tmp_path / "logs")
    assert done.summary["validity_rate"] == 1.0
    assert read_eval_log(done.logs[0]).eval.model == QWEN
