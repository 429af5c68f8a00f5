"""The episode record: written line by line, read back whatever happened to the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import SCHEMA, Episode, EpisodeWriter, read_episodes, recorded_in
from otherminds.core.errors import UserError

WRITE = """
import sys
from otherminds.core.episodes import Episode, EpisodeWriter
path, id, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
episode = Episode(id, "toy-v0", {}, {"ann": "a"}, 0, {})
with EpisodeWriter(path) as writer:
    for turn in range(turns):
        writer.follow(episode)
        episode.turns.append({"turn": turn, "padding": "x" * (turn % 700)})
    episode.end = {"turns": turns}
    writer.whole(episode)
"""


def make_episode(id: str = "one", **changes: Any) -> Episode:
    values: dict[str, Any] = {
        "world": "toy-v0",
        "config": {"size": 3},
        "minds": {"ann": "a", "zoë": "Zoë"},
        "seed": 7,
        "start": {"x": 1},
    }
    return Episode(id, **(values | changes))


def write(path: Path, *ids: str, turns: int = 3, ends: bool = True) -> list[Episode]:
    episodes = [make_episode(name) for name in ids]
    with EpisodeWriter(path) as writer:
        for episode in episodes:
            episode.turns = [{"turn": turn, "said": "… “7”\n"} for turn in range(turns)]
            if ends:
                episode.end = {"scores": [1.5, 2]}
                writer.whole(episode)
            else:
                writer.follow(episode)
    return episodes


def whole_lines(data: bytes) -> list[dict[str, Any]]:
    """The lines that are all there, whether or not their line end is."""
    found = []
    for line in data.split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def lines_of(episodes: list[Episode]) -> int:
    return sum(1 + len(episode.turns) + (episode.end is not None) for episode in episodes)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "games.jsonl"
    episode = make_episode(notes={"pad": "ideas"})
    with EpisodeWriter(path) as writer:
        writer.follow(episode)
        episode.turns.append({"turn": 1, "value": None})
        episode.end = {"scores": [0.1]}
        writer.whole(episode)
    assert read_episodes(path) == [episode]


def test_a_file_holds_many_episodes_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    first = write(path, "b", "a")
    assert read_episodes(path) == first
    assert read_episodes(path) + write(path, "c") == read_episodes(path)


def test_every_line_is_on_disk_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path, episode = tmp_path / "games.jsonl", make_episode()
    with EpisodeWriter(path) as writer:
        writer.follow(episode)
        assert read_episodes(path) == [episode]
        episode.turns.append({"turn": 1})
        writer.follow(episode)
        assert read_episodes(path) == [episode]
        assert read_episodes(path)[0].end is None


def test_a_file_cut_anywhere_reads_to_its_last_whole_turn(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    episodes = write(path, "one", "two")
    data = path.read_bytes()
    for cut in range(data.index(b"\n"), len(data)):
        path.write_bytes(data[:cut])
        found = read_episodes(path)
        assert lines_of(found) == len(whole_lines(data[:cut]))
        for got, full in zip(found, episodes, strict=False):
            assert got.header() == full.header()
            assert got.turns == full.turns[: len(got.turns)]


def test_a_file_cut_within_its_first_line_is_said_to_hold_no_episode(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, "one")
    data = path.read_bytes()
    for cut in range(data.index(b"\n")):
        path.write_bytes(data[:cut])
        with pytest.raises(UserError, match="episode"):
            read_episodes(path)


def test_a_file_cut_anywhere_can_be_appended_to_and_loses_no_whole_turn(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, "one", "two", turns=2)
    data = path.read_bytes()
    wrong = []
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        try:
            added = write(path, "three", turns=1)
            found = read_episodes(path)
        except UserError as error:
            wrong.append((cut, str(error)))
            continue
        if found[-1:] != added or lines_of(found[:-1]) != len(whole_lines(data[:cut])):
            wrong.append((cut, f"{lines_of(found[:-1])} of {len(whole_lines(data[:cut]))} lines"))
    assert wrong == []


def test_an_episode_cut_short_can_be_played_again_under_its_name(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, "one", turns=2, ends=False)
    again = write(path, "one", turns=3)
    assert read_episodes(path) == again


def test_what_need_not_be_played_again_is_found_by_name(tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    assert recorded_in(path) == {}
    path.touch()
    assert recorded_in(path) == {}
    write(path, "whole")
    write(path, "cut", ends=False)
    assert list(recorded_in(path)) == ["whole"]
    assert list(recorded_in(path, whole=False)) == ["whole", "cut"]


def test_an_episode_that_has_ended_cannot_begin_again(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, "one")
    write(path, "one")
    with pytest.raises(UserError, match="line 6: episode 'one' begins a second time"):
        read_episodes(path)


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write(path, "one")
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2][:20]
    path.write_bytes(b"\n".join(lines))
    expected = r"games.jsonl: line 3 is not complete JSON \(it ends after 20 characters\); .* record the episode again"
    with pytest.raises(UserError, match=expected):
        read_episodes(path)


def test_a_record_of_the_old_schema_lists_minds_without_seats(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    header = make_episode().header() | {"schema": 1, "players": ["a", "Zoë"]}
    del header["minds"]
    path.write_text(json.dumps(header) + "\n")
    (episode,) = read_episodes(path)
    assert episode.minds == {"0": "a", "1": "Zoë"}


@pytest.mark.parametrize("schema", [SCHEMA + 1, "2", None])
def test_a_file_of_another_schema_version_says_so(tmp_path: Path, schema: object) -> None:
    path = tmp_path / "games.jsonl"
    header = make_episode().header() | {"schema": schema}
    path.write_text(json.dumps(header) + "\n")
    with pytest.raises(UserError, match=f"has schema version {schema!r}; this otherminds reads versions 1 to {SCHEMA}"):
        read_episodes(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "contains no episodes"),
        ("\n\n", "contains no episodes"),
        ("hello\n", "line 1: expected a line of an episode record, found 'hello'"),
        ("[1, 2]\n[3]\n", "line 1: expected a line"),
        ('{"a": 1}\n', "line 1: expected a line"),
        ("\x00\x80\n\n", "line 1: expected a line"),
        ('{"kind": "turn", "episode": "one"}\n', "line 1: turn line of episode 'one', whose first line is missing"),
        (
            json.dumps({"kind": "episode", "episode": "one", "schema": SCHEMA}) + "\n",
            "the first line of an episode has missing or unknown fields",
        ),
        (json.dumps(make_episode().header()) + '\n{"kind": "tern", "episode": "one"}\n', "line 2: unknown kind 'tern'"),
    ],
)
def test_what_is_no_record_is_refused_with_the_reason(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(UserError, match=reason):
        read_episodes(path)


@pytest.mark.parametrize(
    "line",
    [
        make_episode().header() | {"episode": ["one"]},
        make_episode().header() | {"turns": "none"},
        make_episode().header() | {"config": 5},
        make_episode().header() | {"start": None},
    ],
    ids=["an id that is a list", "turns in the first line", "a config that is a number", "no start"],
)
def test_a_first_line_with_values_of_the_wrong_kind_is_refused(tmp_path: Path, line: dict[str, Any]) -> None:
    path = tmp_path / "games.jsonl"
    turn = {"kind": "turn", "episode": line["episode"], "turn": 1}
    path.write_text(json.dumps(line) + "\n" + json.dumps(turn) + "\n")
    with pytest.raises(UserError, match="line 1"):
        read_episodes(path)


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*none.jsonl: No such file"):
        read_episodes(tmp_path / "none.jsonl")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read .*: Is a directory"):
        read_episodes(tmp_path)
    with pytest.raises(UserError, match=r"cannot write .*: Is a directory; choose another path"):
        EpisodeWriter(tmp_path)


def test_a_path_through_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"cannot write .*; choose another path"):
        EpisodeWriter(tmp_path / "file" / "games.jsonl")


@pytest.mark.parametrize("text", ["my notes\n", '{"a": 1}\n', "[]"])
def test_something_else_is_never_written_over(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(UserError, match="exists and is not an episode record"):
        EpisodeWriter(path)
    assert path.read_text() == text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_stops_the_run_with_the_reason() -> None:
    with EpisodeWriter("/dev/full") as writer, pytest.raises(UserError, match="the disk is full"):
        writer.follow(make_episode())


def test_a_second_writer_is_kept_out_until_the_first_is_done(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with EpisodeWriter(path) as first:
        first.follow(make_episode("one"))
        with pytest.raises(UserError, match="another process is writing"):
            EpisodeWriter(path)
    with EpisodeWriter(path) as second:
        second.follow(make_episode("two"))
    assert [episode.id for episode in read_episodes(path)] == ["one", "two"]


def test_of_processes_side_by_side_one_writes_and_none_harms_it(tmp_path: Path) -> None:
    path, turns = tmp_path / "games.jsonl", 500
    names = ("one", "two", "three")
    jobs = [
        subprocess.Popen([sys.executable, "-c", WRITE, str(path), name, str(turns)], stderr=subprocess.DEVNULL)
        for name in names
    ]
    done = [name for name, job in zip(names, jobs, strict=True) if job.wait() == 0]
    found = read_episodes(path)
    assert sorted(episode.id for episode in found) == sorted(done)
    assert done
    for episode in found:
        assert [turn["turn"] for turn in episode.turns] == list(range(turns))


def test_a_killed_writer_leaves_a_file_that_reads_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    job = subprocess.Popen([sys.executable, "-c", WRITE, str(path), "one", str(10**9)])
    try:
        while not path.exists() or path.stat().st_size < 20_000:
            assert job.poll() is None
    finally:
        job.kill()
        job.wait()
    (found,) = read_episodes(path)
    assert found.end is None
    assert [turn["turn"] for turn in found.turns] == list(range(len(found.turns)))
    added = write(path, "two")
    assert [found, *added] == read_episodes(path)


def test_a_closed_writer_lets_go_of_its_file(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    write(tmp_path / "games.jsonl", "one")
    after = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    assert after == before


def test_an_episode_that_was_played_already_is_written_whole(tmp_path: Path) -> None:
    episode = Episode("e", "any-v0", {}, {"ann": "a"}, 0, {}, turns=[{"turn": 1}, {"turn": 2}], end={"ending": "done"})
    with EpisodeWriter(tmp_path / "e.jsonl") as writer:
        writer.whole(episode)
    assert read_episodes(tmp_path / "e.jsonl") == [episode]
    assert len(episode.turns) == 2
