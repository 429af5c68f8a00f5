"""With a key in the environment and a provider that fails and quotes it, no file holds the key, in any world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai")

from inspect_ai.model import ChatMessage
from typer.testing import CliRunner

from otherminds.cli.main import make_app
from otherminds.core.registry import find
from otherminds.llm import models
from tests.llm.scripts import scripted
from tests.llm.test_model_calls_faults import texts_in

KEY = "sk-do-not-write-me-anywhere-0123456789"
SMALL = {
    "coin": ["turns=3"],
    "symmtom": ["setting=n3_w4_c3", "num_turns=2"],
    "tomi": [],
    "decrypto": [],
    "enacttom": [],
}


def refuses(messages: list[ChatMessage]) -> str:
    try:
        raise ValueError({"header": f"Bearer {KEY}"})
    except ValueError as error:
        raise RuntimeError(f"401: the key {KEY} is not known") from error


@pytest.mark.parametrize("verb", ["play", "evaluate"])
@pytest.mark.parametrize("world", list(SMALL))
def test_no_command_writes_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, world: str, verb: str) -> None:
    from contextlib import contextmanager

    @contextmanager
    def resolved(model: Any, config: Any) -> Any:
        yield scripted(refuses)

    monkeypatch.setenv("SOME_PROVIDER_API_KEY", KEY)
    monkeypatch.setattr(models, "resolved", resolved)
    monkeypatch.chdir(tmp_path)
    settings = [word for pair in SMALL[world] for word in ("--set", pair)]
    who = ["mockllm/model"] if verb == "evaluate" else ["--mind", "mockllm/model"]
    out = tmp_path / "out" if verb == "evaluate" else tmp_path / "out.jsonl"
    line = [verb, world, *who, *settings, "--episodes", "1", "--attempts", "1", "--out", str(out), "--json"]
    result = CliRunner().invoke(make_app(), line, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert KEY not in result.stdout + result.stderr
    texts = texts_in(tmp_path)
    assert any(b"401: the key [hidden] is not known" in text for text in texts)
    assert not any(KEY.encode() in text for text in texts)
    assert find("world", world) is not None
    assert json.loads(result.stdout)
