"""Household tasks on the command line, with our players, people and a model in the house."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

pytest.importorskip("clingo")

from otherminds.cli.main import app
from otherminds.core.episodes import read_episodes
from otherminds.core.errors import UserError
from otherminds.players.enacttom.seating import who_plays
from otherminds.worlds.enacttom.record import play_again

TYPED = 'help\nnavigate(attic)\nnavigate(study)\ntell(ben, "it is the blue table")\nwait\nwait\nwait\n'


def invoke(*words: object, typed: str = "") -> tuple[str, str]:
    result = CliRunner().invoke(app, [str(word) for word in words], input=typed, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout, result.stderr


def play(*words: object, typed: str = "") -> tuple[str, str]:
    return invoke("play", "enacttom", *words, typed=typed)


def test_runs_are_played_recorded_verified_and_not_played_again(tmp_path: Path) -> None:
    record = tmp_path / "runs.jsonl"
    options = ("cup", "--seats", "greedy", "--runs", 3, "--seed", 7, "--record", record, "--json")
    first = json.loads(play(*options)[0])
    size = record.stat().st_size
    assert [one["episode"].rpartition("-")[2] for one in first] == ["7", "8", "9"]
    assert json.loads(play(*options)[0]) == first
    assert record.stat().st_size == size
    for episode, told in zip(read_episodes(record), first, strict=True):
        assert len(play_again(episode).actions) == told["turns"]
    assert json.loads(invoke("verify", record, "--json")[0]) == {"episodes": 3, "turns": 15}


def test_a_person_plays_to_the_end_with_a_tracker(tmp_path: Path) -> None:
    record = tmp_path / "runs.jsonl"
    options = ("cup", "--seats", "ann=human,tracker:depth=1", "--world", "target=blue_table", "--record", record)
    out, _ = play(*options, typed=TYPED)
    (episode,) = read_episodes(record)
    assert episode.players == ["human", "tracker:depth=1"]
    assert (episode.end or {})["success"] is True
    assert "You can do: navigate(porch)" in out
    assert "there is no act 'navigate(attic)'" in out
    assert "the goal was reached" in out
    assert "It was the world with target = blue_table." in out
    play(*options, typed=TYPED)  # another sitting is another run
    assert [one.id.rpartition("-")[2] for one in read_episodes(record)] == ["0", "2"]


@pytest.mark.parametrize("typed", ["navigate(study)\nwait\n", "navigate(study)\nwait\nq\n"], ids=["end", "quit"])
def test_who_leaves_keeps_what_was_played(tmp_path: Path, typed: str) -> None:
    record = tmp_path / "runs.jsonl"
    _, told = play("cup", "--seats", "ann=human,greedy", "--record", record, typed=typed)
    assert "You left the house. The turns so far are in" in told
    (episode,) = read_episodes(record)
    assert [turn["acts"][0] for turn in episode.turns] == ["navigate(study)", "wait()"]
    assert episode.end is None
    invoke("verify", record)


def test_recorded_runs_are_summed_up_by_team(tmp_path: Path) -> None:
    record = tmp_path / "runs.jsonl"
    play("cup", "--seats", "oracle", "--runs", 3, "--record", record)
    play("cup", "--seats", "ann=human,greedy", "--record", record, typed="q\n")
    with pytest.raises(UserError, match="otherminds score enacttom"):
        invoke("score", record)
    out, told = invoke("score", "enacttom", record, "--json")
    (team,) = json.loads(out)["teams"]
    assert (team["team"], team["runs"]) == ("oracle", 3)
    assert team["functional"]["value"] == 1.0
    assert "1 unfinished runs were left out" in told
    assert "oracle" in invoke("score", "enacttom", record)[0]


def test_turns_can_be_shown(tmp_path: Path) -> None:
    out, _ = play("cup", "--seats", "random", "--show", "--record", tmp_path / "runs.jsonl")
    assert "turn 5\n  ann: " in out


def test_a_model_in_a_seat_is_recorded_with_what_it_replied(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    record = tmp_path / "runs.jsonl"
    options = ("--seats", "ann=mockllm/model,ben=greedy", "--probes", "--record", record, "--json")
    (told,) = json.loads(play("cup", *options)[0])
    (episode,) = read_episodes(record)
    assert episode.players == ["mockllm/model", "greedy"]
    assert told["counts"]["ann"]["defaults"] == 5
    assert len(episode.turns[0]["exchanges"]) == 3
    assert "Default output" in episode.turns[0]["exchanges"][0]["reply"]
    assert "probes" in (episode.end or {})
    invoke("verify", record)


def test_a_record_that_was_tampered_with_is_refused(tmp_path: Path) -> None:
    record = tmp_path / "runs.jsonl"
    play("cup", "--seats", "greedy", "--record", record)
    (episode,) = read_episodes(record)
    act = json.dumps(episode.turns[0]["acts"][1])
    record.write_text(record.read_text("utf-8").replace(act, '"navigate(porch)"', 1), "utf-8")
    with pytest.raises(UserError, match="does not follow from what was done"):
        invoke("verify", record)


def test_another_run_under_the_same_name_is_refused(tmp_path: Path) -> None:
    record, task = tmp_path / "runs.jsonl", tmp_path / "cup.yaml"
    play("cup", "--seats", "random", "--record", record)
    invoke("new", "task", task)
    task.write_text(task.read_text("utf-8").replace("horizon: 5", "horizon: 6"), "utf-8")
    with pytest.raises(UserError, match="has another run called"):
        play(task, "--seats", "random", "--record", record)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--seats", "zoe=greedy"), "there is no 'zoe' in this house"),
        (("--seats", "ann=greedy,ann=random"), "is not a player for each of"),
        (("--seats", "greedy,random,greedy"), "is not a player for each of"),
        (("--seats", "ann="), "is not a player for each of"),
        (("--seats", "clever"), "there is no player 'clever'"),
        (("--seats", "human", "--json"), "a person needs the terminal"),
        (("--world", "target=table9"), "target cannot be 'table9'"),
        (("--world", "goal=red_table"), "'goal' is not hidden here"),
    ],
)
def test_bad_options_are_refused(tmp_path: Path, options: tuple[str, ...], problem: str) -> None:
    with pytest.raises(UserError, match=problem):
        play("cup", *options, "--record", tmp_path / "runs.jsonl")


def test_players_are_seated_by_name() -> None:
    people = ("ann", "ben", "cleo")
    assert who_plays("greedy", people) == ["greedy"] * 3
    assert who_plays("tracker:depth=2,ben=human", people) == ["tracker:depth=2", "human", "tracker:depth=2"]
    assert who_plays("cleo=tracker:depth=1", people, "oracle") == ["oracle", "oracle", "tracker:depth=1"]
    assert who_plays("greedy,tracker:depth=1,human", people) == ["greedy", "tracker:depth=1", "human"]
    with pytest.raises(UserError, match="nobody plays ann"):
        who_plays("cleo=greedy", people)
