"""Language models and predictions of ToMi on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

pytest.importorskip("inspect_ai")

from otherminds.cli import tomi_evaluate
from otherminds.core.errors import UserError
from otherminds.evals.inspect import models
from otherminds.evals.inspect.run import run_tasks
from tests.evals.tomi_making import make_set, write_items, write_lines

app = typer.Typer()
app.command("evaluate")(tomi_evaluate.evaluate)
app.command("score")(tomi_evaluate.score)


@pytest.fixture
def items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return write_items(tmp_path / "items.jsonl", make_set())


def invoke(*words: object) -> tuple[str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_a_dry_run_shows_what_it_will_take_and_every_score(items: Path) -> None:
    options = ("--items", items, "--phrasing", "plain,reader", "--price-in", 1, "--price-out", 2)
    out, told = invoke("evaluate", "--model", "mockllm/model", *options, "--log-dir", items.parent / "logs")
    assert "32 samples for mockllm/model: about" in told
    assert "at these prices" in told
    assert "family-joint" in out
    assert "reader" in out


def test_json_is_all_that_is_printed(items: Path) -> None:
    common = ("--items", items, "--limit", 2, "--log-dir", items.parent / "logs", "--json")
    found = json.loads(invoke("evaluate", "--model", "mockllm/model", *common)[0])
    assert found["plan"]["samples"] == 2
    assert found["results"][0]["scores"]["validity"]["value"] == 0.0
    story = json.loads(invoke("evaluate", "--model", "mockllm/model", *common, "--contamination")[0])
    assert story["results"][0]["scores"] is None


def test_what_may_cost_something_is_not_started_without_consent(items: Path) -> None:
    with pytest.raises(UserError, match="start with --yes"):
        invoke("evaluate", "--model", "openai/gpt-4o-mini", "--items", items)


@pytest.mark.parametrize(("model", "why"), [("nobody/nothing", "nobody"), ("openai/gpt-4o-mini", "OPENAI_API_KEY")])
def test_a_model_that_cannot_be_used_is_named(
    items: Path, monkeypatch: pytest.MonkeyPatch, model: str, why: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UserError, match=f"'{model}' cannot be used: .*{why}"):
        invoke("evaluate", "--model", model, "--items", items, "--yes", "--log-dir", items.parent / "logs")


def test_logs_that_cannot_be_written_are_named(items: Path) -> None:
    with pytest.raises(UserError, match=r"cannot write logs into .*choose another --log-dir"):
        invoke("evaluate", "--model", "mockllm/model", "--items", items, "--log-dir", items)


@pytest.mark.slow
def test_a_server_that_is_not_there_is_given_up(items: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect would try for ever, in silence; what was answered is kept."""
    monkeypatch.setattr(models, "_REQUEST_RETRIES", 0)
    options = ("--items", items, "--limit", 1, "--yes", "--log-dir", items.parent / "logs")
    monkeypatch.setenv("NOBODY_API_KEY", "none")
    monkeypatch.setenv("NOBODY_BASE_URL", "http://127.0.0.1:9/v1")
    with pytest.raises(UserError, match=r"did not finish .*the same command goes on"):
        invoke("evaluate", "--model", "openai-api/nobody/model", *options)


def test_what_inspect_refuses_is_told_in_a_line(items: Path) -> None:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample

    twice = Task(dataset=[Sample(id="a", input="x"), Sample(id="a", input="y")])
    with pytest.raises(UserError, match=r"cannot start: .*duplicate sample ids"):
        run_tasks([twice], "mockllm/model", log_dir=items.parent / "logs")


def test_predictions_from_anywhere_are_scored(items: Path) -> None:
    answers = [{"id": item.id, "answer": item.answer} for item in make_set()]
    path = write_lines(items.with_name("predictions.jsonl"), answers[:-1])
    out, _ = invoke("score", path, "--items", items)
    assert "family-joint" in out
    assert "1 questions have no answer" in out
    found = json.loads(invoke("score", path, "--items", items, "--json")[0])
    assert (found["family_joint"]["value"], found["missing"]) == (0.5, 1)
