import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from otherminds.cli.main import app
from otherminds.core.episodes import read_episodes


def play(record: Path, *options: str) -> Any:
    return CliRunner().invoke(app, ["play", "decrypto", "--record", str(record), *options])


def test_two_teams_play_and_are_recorded_once(tmp_path: Path) -> None:
    record = tmp_path / "duels.jsonl"
    options = ("--eve", "glove", "--against", "glove/glove/uniform", "--games", "3", "--json")
    rows = json.loads(play(record, *options).stdout)
    assert [row["winner"] for row in rows] == ["first"] * 3  # the second team's Eve only guesses
    assert all(row["points"][0] > row["points"][1] for row in rows)
    episodes = read_episodes(record)
    assert [episode.players[2] for episode in episodes] == ["uniform", "glove"] * 3
    before = record.read_bytes()
    assert json.loads(play(record, *options).stdout) == rows
    assert record.read_bytes() == before
    more = play(record, *options[:-3], "--games", "4")
    assert "the first team won 4" in more.stdout
    assert len(read_episodes(record)) == 8


def test_a_team_has_three_players_or_one_for_all(tmp_path: Path) -> None:
    assert "expected Alice/Bob/Eve" in str(play(tmp_path / "a.jsonl", "--against", "glove/glove").exception)
    assert "leave out --play-on" in str(play(tmp_path / "b.jsonl", "--against", "glove", "--play-on").exception)
