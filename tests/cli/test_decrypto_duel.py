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


def test_a_person_who_leaves_a_duel_is_told_what_was_kept(tmp_path: Path) -> None:
    done = play(tmp_path / "duel.jsonl", "--against", "human/glove/glove")
    assert done.exit_code == 0
    assert "You left the table. The duels so far are in" in done.output


def test_duels_of_other_words_or_rules_are_not_taken_for_these(tmp_path: Path) -> None:
    record = tmp_path / "duels.jsonl"
    assert play(record, "--against", "glove").exit_code == 0
    for other in (("--kind", "concrete"), ("--hints", "strict")):
        assert "has another game called" in str(play(record, "--against", "glove", *other).exception)


def test_a_kill_at_any_line_loses_no_duel_and_mixes_none(tmp_path: Path) -> None:
    record = tmp_path / "duels.jsonl"
    play(record, "--against", "glove")
    whole, lines = read_episodes(record), record.read_text("utf-8").splitlines(keepends=True)
    for kept in (1, len(lines) // 2, len(lines) - 2, len(lines) - 1):
        record.write_text("".join(lines[:kept]), "utf-8")
        assert play(record, "--against", "glove").exit_code == 0
        assert read_episodes(record) == whole


def test_a_player_that_would_be_wrong_throughout_is_refused(tmp_path: Path) -> None:
    done = play(tmp_path / "duels.jsonl", "--against", "glove/perfect:from_turn=2/glove")
    assert "not of duels" in str(done.exception)
