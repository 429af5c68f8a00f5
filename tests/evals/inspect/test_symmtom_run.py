"""A language model in SymmToM: what it will take is told before, and the same command continues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

pytest.importorskip("inspect_ai")

from inspect_ai.model import ChatMessage

from otherminds.cli import symmtom_results
from otherminds.core.errors import UserError
from otherminds.evals.inspect.run import LETTERS_A_TOKEN, plan
from otherminds.evals.inspect.symmtom_run import evaluate_symmtom, symmtom_tasks, takes
from tests.evals.inspect.models import scripted

app = typer.Typer()
app.command()(symmtom_results.evaluate)
SMALL = ("--setting", "n3_w4_c3", "--set", "num_turns=4", "--episodes", "2")


def invoke(*words: object) -> tuple[str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_the_command_tells_what_it_takes_plays_and_goes_on_with_its_log(tmp_path: Path) -> None:
    words = ("--model", "mockllm/model", *SMALL, "--price-in", 1, "--log-dir", tmp_path / "logs")
    out, told = invoke("still", *words, "--out", tmp_path / "kept.json")
    assert "2 samples with 14 requests for mockllm/model: about" in told
    assert "at these prices" in told
    assert "n3_w4_c3 among still, 2 played" in out
    assert "probe_validity" in out
    kept = json.loads((tmp_path / "kept.json").read_text("utf-8"))["result"]
    assert kept["metrics"]["validity"] == 0.0  # the mock model says nothing that is an action
    again = json.loads(invoke("still", *words, "--json")[0])
    assert again["result"]["log"] == kept["log"]
    other = json.loads(invoke("still", *words, "--form", "schema", "--json")[0])
    assert other["result"]["log"] != kept["log"]


def test_scenarios_are_played_by_the_same_command(tmp_path: Path) -> None:
    words = ("--model", "mockllm/model", "--scenarios", "contact_w6", "--memory", 1, "--log-dir", tmp_path / "logs")
    found = json.loads(invoke(*words, "--json")[0])
    assert found["result"]["samples"] == found["plan"]["samples"] == 2
    assert found["result"]["metrics"]["success ±"] is None  # two twins are one case
    assert found["result"]["metrics"]["pair_joint"] == 0.0


@pytest.mark.parametrize("memory", [None, 2])
def test_the_estimate_is_near_what_is_asked(tmp_path: Path, memory: int | None) -> None:
    asked: list[int] = []

    def reply(messages: list[ChatMessage]) -> str:
        asked.append(sum(len(message.text) for message in messages))
        return "Knows: nobody" if "on the side" in messages[-1].text else "I shall go there now.\nAction: right 0"

    options: dict[str, Any] = {"setting": "n3_w6_c3", "episodes": 1, "memory": memory}
    expected = plan(symmtom_tasks(**options), takes(memory))
    done = evaluate_symmtom(scripted(reply), log_dir=tmp_path / "logs", **options)
    assert done.samples == 1
    assert expected.requests == len(asked)
    assert 0.6 < expected.tokens_in / (sum(asked) / LETTERS_A_TOKEN) < 1.6


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "nobody to evaluate"),
        (("--model", "local", "--cross"), "are for agents"),
        (("heuristic", "--model", "local", "--scenarios", "contact_w6"), "bring their own world"),
        (("--model", "mockllm/model", "--seat", 9), "no seat 9"),
        (("--model", "mockllm/model", "--form", "verse"), "form 'verse' is not known"),
        (("--model", "openai/gpt-4o-mini", *SMALL), "start with --yes"),
    ],
)
def test_what_does_not_go_together_is_refused(words: tuple[object, ...], why: str) -> None:
    with pytest.raises(UserError, match=why):
        invoke(*words)
