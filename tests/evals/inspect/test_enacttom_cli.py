"""Language models in the household from the command line, with Inspect's mock model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("inspect_ai")
pytest.importorskip("clingo")

from otherminds.cli.enacttom_models import with_roles
from otherminds.cli.main import app
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.read import find_task, read_task

MOCK = "mockllm/model"


def invoke(*words: object, fails: bool = False) -> Any:
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert bool(result.exit_code) == fails, result.output
    return result


def test_a_model_is_scored_like_any_team_and_its_runs_are_not_made_again(tmp_path: Path) -> None:
    words = ("evaluate", "enacttom", "cup", "--model", MOCK, "--attempts", 1, "--runs", 1)
    options = (*words, "--log-dir", tmp_path / "logs", "--out", tmp_path / "out", "--json")
    first = json.loads(invoke(*options).stdout)
    (team,) = first["teams"]
    assert team["team"] == MOCK
    assert team["functional"]["value"] == 0.0
    contrast = read_task(find_task("cup")).certificate["contrast"]
    assert sorted(team["per_task"][0]["worlds"]) == sorted(contrast)
    assert first["validity"]["unreadable"] == first["validity"]["defaults"] == 1.0
    assert first["plan"]["samples"] == len(contrast)  # a run, and the worlds that a sweep needs besides
    again = json.loads(invoke(*options).stdout)
    assert again["log"] == first["log"]
    (record,) = (tmp_path / "out").glob("*.jsonl")
    assert json.loads(invoke("verify", record, "--json").stdout) == {
        "episodes": len(contrast),
        "turns": 5 * len(contrast),
    }
    assert MOCK in invoke("table", "enacttom", "published", tmp_path / "out", "--json").stdout


def test_what_could_not_be_read_is_shown_apart(tmp_path: Path) -> None:
    told = invoke(
        *("evaluate", "enacttom", "cup", "--model", MOCK, "--seats", "ann=greedy", "--runs", 1, "--attempts", 1),
        *("--log-dir", tmp_path / "logs", "--limit", 1),
    ).stdout
    assert "mockllm/model" in told
    assert "replies that could not be read" in told


def test_a_model_that_costs_something_is_not_started_unasked(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nobody is there to confirm"):
        invoke("evaluate", "enacttom", "cup", "--model", "openai/gpt-4o-mini", "--log-dir", tmp_path / "logs")


def test_seats_may_have_models_of_their_own() -> None:
    houses = [("ann", "ben"), ("ann", "ben", "cleo")]
    assert with_roles("", houses) == ("model", {})
    assert with_roles("ben=local,ann=greedy", houses) == ("ben=model,ann=greedy,model", {"seat2": "local"})
    with pytest.raises(UserError, match="'cleo' has not the same seat"):
        with_roles("cleo=local", houses)
