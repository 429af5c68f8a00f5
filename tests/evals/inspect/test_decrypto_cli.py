"""Language models at the table of Decrypto on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

pytest.importorskip("inspect_ai")

from otherminds.cli.main import app
from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError


def invoke(tmp_path: Path, *words: object) -> tuple[str, str]:
    common = ("--games", 1, "--attempts", 1, "--log-dir", tmp_path / "logs")
    line = ["evaluate", "decrypto", *(str(word) for word in (*common, *words))]
    result = CliRunner().invoke(app, line, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_it_says_what_it_will_take_and_shows_validity_apart_from_skill(tmp_path: Path) -> None:
    options = ("--alice", "glove", "--bob", "glove", "--eve", "mockllm/model", "--price-in", 1, "--price-out", 2)
    out, told = invoke(tmp_path, *options, "--phrasing", "plain,terse")
    assert "2 samples with 16 requests for alice glove, bob glove, eve mockllm/model" in told
    assert "at these prices" in told
    assert "eve validity" in out
    assert "intercepted" in out
    assert "terse" in out


def test_json_is_all_that_is_printed_and_records_are_written(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    found: Any = json.loads(invoke(tmp_path, "--model", "mockllm/model", "--record", record, "--json")[0])
    (result,) = found["results"]
    assert result["players"] == dict.fromkeys(("alice", "bob", "eve"), "mockllm/model")
    assert result["metrics"]["alice_validity"] == 0.0
    assert result["metrics"]["turns"] == 2.0
    (episode,) = read_episodes(record)
    assert episode.turns[0]["hints"] == ["no_hint"] * 3


def test_what_may_cost_something_is_not_started_without_consent(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="start with --yes"):
        invoke(tmp_path, "--alice", "mockllm/model", "--bob", "glove", "--eve", "openai/gpt-4o-mini")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "nobody plays alice"),
        (("--alice", "glove", "--bob", "glove", "--eve", "glove"), "no role is played by a language model"),
        (("--model", "mockllm/model", "--replay", "x.json"), "which role is replaced"),
        (("--model", "nobody/nothing", "--yes"), "'nobody/nothing' cannot be used"),
        (("--model", "mockllm/model", "--phrasing", "plane"), "no phrasing 'plane'"),
        (("--model", "mockllm/model", "--phrasing", ","), "phrasing is ','"),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        invoke(tmp_path, *words)


def test_people_s_games_are_replayed_with_a_model_in_one_role(tmp_path: Path) -> None:
    turn = {"code": "1-2-3", "hints": ["x", "y", "z"], "bob": "1-2-3", "eve": "3-2-1"}
    games = [{"keywords": ["river", "piano", "winter", "doctor"], "turns": [turn]}]
    (tmp_path / "people.json").write_text(json.dumps(games), "utf-8")
    options = ("--replay", tmp_path / "people.json", "--eve", "mockllm/model", "--json")
    (result,) = json.loads(invoke(tmp_path, *options)[0])["results"]
    assert result["players"] == {"alice": "recorded", "bob": "recorded", "eve": "mockllm/model"}
    assert result["metrics"]["decoded"] == 1.0
