"""Decrypto on the command line, with our players, people and a model at the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from otherminds.cli.main import app
from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.worlds.decrypto.record import play_again


def invoke(*words: object, typed: str = "") -> tuple[str, str]:
    result = CliRunner().invoke(
        app, ["play", "decrypto", *(str(word) for word in words)], input=typed, catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def test_games_are_played_recorded_and_not_played_again(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    options = ("--games", 3, "--seed", 7, "--record", record, "--json")
    first = json.loads(invoke(*options)[0])
    size = record.stat().st_size
    assert [one["episode"] for one in first] == [f"decrypto-glove-glove-glove-{seed}" for seed in (7, 8, 9)]
    assert json.loads(invoke(*options)[0]) == first
    assert record.stat().st_size == size
    for episode, told in zip(read_episodes(record), first, strict=True):
        assert len(play_again(episode).states) - 1 == told["turns"]


def test_another_game_under_the_same_name_is_refused(tmp_path: Path) -> None:
    invoke("--record", tmp_path / "games.jsonl")
    with pytest.raises(UserError, match="has another game called"):
        invoke("--record", tmp_path / "games.jsonl", "--hints", "off")


def test_a_person_plays_to_the_end(tmp_path: Path) -> None:
    """Bob by hand, always wrong: two turns, each with a code, a confirmation and Enter after the summary."""
    record = tmp_path / "games.jsonl"
    game = json.loads(invoke("--record", tmp_path / "other.jsonl", "--eve", "uniform", "--json")[0])[0]
    assert game["miscommunications"] == 0
    codes = read_episodes(tmp_path / "other.jsonl")[0].start["codes"]
    wrong = next(c for c in ("1-2-3", "4-3-2", "2-4-1") if [int(d) for d in c.split("-")] not in codes[:2])
    out, _ = invoke("--bob", "human", "--eve", "uniform", "--record", record, typed=f"x\n{wrong}\n\n\n{wrong}\ny\n\n")
    (episode,) = read_episodes(record)
    assert (episode.end or {})["ending"] == "miscomm"
    assert len(episode.turns) == 2
    assert episode.players == ["glove", "human", "uniform"]
    assert "That is no code" in out
    assert "miscomm" in out


def test_who_leaves_keeps_what_was_played(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    _, told = invoke("--eve", "human", "--record", record, typed="1-2-3\n\n\n")
    assert "You left the table" in told
    (episode,) = read_episodes(record)
    assert len(episode.turns) == 1
    assert episode.end is None
    invoke("--eve", "human", "--record", record, typed="q\n")  # another sitting is another game
    assert [one.id for one in read_episodes(record)] == [
        "decrypto-glove-glove-human-0",
        "decrypto-glove-glove-human-0-2",
    ]


def test_interceptions_may_be_played_on_after_and_the_official_end_is_kept(tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    found = json.loads(invoke("--eve", "perfect", "--play-on", "--record", record, "--json")[0])[0]
    assert found["turns"] == 8
    assert found["official"] == {"ending": "intercept", "turns": 2}
    assert len(play_again(read_episodes(record)[0]).states) == 9


def test_turns_are_shown_on_demand(tmp_path: Path) -> None:
    out, _ = invoke("--show", "--record", tmp_path / "games.jsonl")
    assert out.count("the code was") >= 2
    assert "Enter goes on" not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--alice", "nobody"), "no player 'nobody'"),
        (("--alice", "uniform"), "cannot be alice"),
        (("--alice", "human", "--json"), "a person needs the terminal"),
        (("--kind", "solid"), "no 'solid' keywords"),
        (("--hints", "rude"), "hints 'rude'"),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UserError, match=message):
        invoke(*words, "--record", tmp_path / "games.jsonl")


def test_a_language_model_sits_among_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect's mock model says the same to everything, so that each of its turns is a failure, and counted."""
    pytest.importorskip("inspect_ai")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    options = ("--bob", "mockllm/model", "--record", tmp_path / "games.jsonl", "--json")
    found = json.loads(invoke(*options)[0])[0]
    assert found["players"] == ["glove", "mockllm/model", "glove"]
    assert found["failures"] == {"alice": 0, "bob": 2, "eve": 0}
    (episode,) = read_episodes(tmp_path / "games.jsonl")
    assert episode.turns[0]["thoughts"]["bob"]["replies"] == ["Default output from mockllm/model"] * 10
