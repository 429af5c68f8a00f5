"""Recorded episodes play again to the byte: a change of rules or of the record cannot go unnoticed.

The files were made by ``otherminds play``; a change that is meant needs a new world version, and then new files.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from otherminds.core.episodes import SCHEMA, EpisodeWriter, read_episodes
from otherminds.worlds.symmtom import record

GOLDEN = sorted((Path(__file__).parents[2] / "golden").glob("symmtom_*.jsonl"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: str(path.stem))
def test_a_recorded_episode_plays_again_byte_for_byte(path: Path, tmp_path: Path) -> None:
    (episode,) = read_episodes(path)
    played = record.play_again(episode)
    episode_lines, episode.turns = episode.turns, []
    with EpisodeWriter(tmp_path / "again.jsonl") as writer:
        turns = zip(episode_lines, played.actions, played.states[1:], played.outcomes, strict=True)
        for line, action, state, outcome in turns:
            episode.turns.append(record.turn_line(action, line["coins"], state, outcome))
            writer.follow(episode)
        episode.end = record.end_line(played.outcomes[-1], played.tally())
        writer.whole(episode)
    old, new = (file.read_bytes().split(b"\n", maxsplit=1) for file in (path, tmp_path / "again.jsonl"))
    assert new[1] == old[1]
    first = json.loads(old[0])
    minds = {str(seat): mind for seat, mind in enumerate(first.pop("players"))}
    assert json.loads(new[0]) == {**first, "schema": SCHEMA, "minds": minds}


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: str(path.stem))
def test_a_changed_record_is_noticed(path: Path) -> None:
    (episode,) = read_episodes(path)
    episode.turns[3]["knowledge"][0] = [0, 1, 2] if episode.turns[3]["knowledge"][0] != [0, 1, 2] else [0]
    with pytest.raises(ValueError, match="turn 4: knowledge is"):
        record.play_again(episode)


def test_golden_episodes_cover_options_and_readings() -> None:
    configs = [json.loads(path.read_text("utf-8").splitlines()[0])["config"] for path in GOLDEN]
    assert {"vision", "decay", "competitive", "speech_delay"} <= {name for config in configs for name in config}
