"""Language models through the commands that are the same for all worlds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("inspect_ai")

from otherminds.cli.main import make_app
from otherminds.core.errors import UserError

SMALL = ("--set", "turns=3", "--episodes", "2")


def invoke(*words: object) -> tuple[str, str]:
    result = CliRunner().invoke(make_app(), [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_evaluate_tells_what_it_takes_plays_and_resumes(tmp_path: Path) -> None:
    words = ("evaluate", "coin", "mockllm/model", "tracker", *SMALL, "--out", tmp_path, "--price-in", 1)
    out, told = invoke(*words)
    assert "2 episodes, about 18 requests to mockllm/model (more if requests have to be retried): about" in told
    assert "at these prices" in told
    assert "tracker" in out
    first = json.loads((tmp_path / "summary.json").read_text("utf-8"))["rows"]
    assert first[0]["summary"]["validity_rate"] == 0.0  # the mock model says nothing that is an act
    assert len(list(tmp_path.glob("mockllm_model-*.jsonl"))) == 1
    again = json.loads(invoke(*words, "--json")[0])["rows"]
    assert again == first


def test_play_seats_models_beside_other_minds(tmp_path: Path) -> None:
    out = tmp_path / "coin.jsonl"
    seats = ("--mind", "tracker", "--seat", "ann=mockllm/model:method=perspective")
    found = json.loads(invoke("play", "coin", *SMALL, *seats, "--out", out, "--json")[0])
    assert found[0]["minds"]["ann"] == "mockllm/model:method=perspective"


def test_what_may_cost_something_is_not_started_without_consent() -> None:
    with pytest.raises(UserError, match="use --yes to start"):
        invoke("evaluate", "coin", "openai/gpt-4o-mini", *SMALL)
