"""Games that were played before, by people or anybody, replayed with one seat replaced and the real history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import Episode, EpisodeWriter
from otherminds.core.errors import UserError
from otherminds.core.match import play_one
from otherminds.minds.baselines import RecordedMind
from otherminds.minds.find import find_mind
from otherminds.worlds.decrypto.minds.scripted import ScriptedMind
from otherminds.worlds.decrypto.observe import RoleView
from otherminds.worlds.decrypto.types import Code
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.minds.asking import WORLD, minds, played

KEYWORDS = ["river", "piano", "winter", "doctor"]
CODES = [[1, 2, 3], [2, 3, 4], [4, 3, 1], [1, 4, 2]]


def turn(code: list[int], **changes: Any) -> dict[str, Any]:
    return {"code": code, "hints": [f"h{digit}" for digit in code], "bob": code, "eve": [4, 2, 3], **changes}


def written(path: Path, games: Any) -> Path:
    path.write_text(json.dumps(games), "utf-8")
    return path


def replayed(path: Path, world: Decrypto = WORLD, **others: Any) -> Episode:
    """The first game of a file with other minds in some seats."""
    seats = {seat: others.get(seat) or find_mind(f"recorded:{path}", world, seat) for seat in world.seats}
    (first, *_) = world.recorded(path)
    return play_one(world.open(first.seed, world.item_of(first)), seats)


class Watching(ScriptedMind):
    """Guesses wrong, and remembers what it was shown."""

    name = "watching"

    def __init__(self) -> None:
        self.seen: list[RoleView] = []

    def act(self, view: RoleView) -> Code:
        self.seen.append(view)
        return (4, 2, 3)


def test_the_history_is_that_of_the_stored_game(tmp_path: Path) -> None:
    """The original shows codes that it has drawn itself, from the third turn on (spec 6.2)."""
    path = written(tmp_path / "games.json", [{"keywords": KEYWORDS, "turns": list(map(turn, CODES))}])
    eve = Watching()
    episode = replayed(path, eve=eve)
    assert [list(seen.used[-1]) for seen in eve.seen[1:]] == CODES[:3]
    assert eve.seen[3].hints_by_digit[0] == ("h1", "h1")
    assert [line["code"] for line in episode.turns] == CODES
    assert list(episode.minds.values()) == ["recorded:" + str(path)] * 2 + ["watching"]
    assert episode.validity["alice"]["failures"] == 0


def test_the_usual_rules_end_a_replay(tmp_path: Path) -> None:
    path = written(tmp_path / "games.json", {"games": [{"keywords": KEYWORDS, "turns": list(map(turn, CODES))}]})
    assert (replayed(path, bob=Watching()).end or {})["ending"] == "miscomm"
    caught = [turn(code, eve=code) for code in CODES]
    path = written(tmp_path / "caught.json", [{"keywords": KEYWORDS, "turns": caught}])
    assert len(replayed(path).turns) == 2
    assert len(replayed(path, Decrypto(stops_at_interceptions=False)).turns) == 4


@pytest.mark.parametrize("name", ["glove", "rsa:order=2", "bayes", "random"])
def test_any_mind_plays_with_what_people_said(name: str, tmp_path: Path) -> None:
    turns = [
        turn([1, 2, 3], hints=["boat", "keys", "snow"]),
        turn([2, 3, 4], hints=["Für Elise", "xyzzy", "St. Moritz"]),
    ]
    path = written(tmp_path / "people.json", [{"keywords": KEYWORDS, "turns": turns}])
    episode = replayed(path, bob=find_mind(name, WORLD, "bob"))
    assert [line["hints"] for line in episode.turns] == [line["hints"] for line in turns]
    assert episode.validity["bob"]["failures"] == 0


def test_a_record_of_ours_is_replayed_as_it_was(tmp_path: Path) -> None:
    _, episode = played(WORLD.deal(5), minds())
    path = tmp_path / "games.jsonl"
    with EpisodeWriter(path) as writer:
        writer.whole(episode)
    again = replayed(path)
    kept = ("code", "hints", "bob", "eve")
    told = [[line[name] for name in kept] for line in again.turns]
    assert told == [[line[name] for name in kept] for line in episode.turns]
    assert again.end == episode.end


def test_who_said_nothing_then_says_nothing_now(tmp_path: Path) -> None:
    lines = [{"code": [1, 2, 3], "hints": ["a", "b", "c"], "bob": [1, 2, 3]}]
    episode = replayed(written(tmp_path / "games.json", [{"keywords": KEYWORDS, "turns": lines}]))
    assert episode.turns[0]["eve"] == [0, 0, 0]
    assert episode.turns[0]["failures"] == ["eve"]


def test_codes_may_be_written_with_dashes_guesses_left_out_and_keywords_given_by_turn(tmp_path: Path) -> None:
    lines = [{"keywords": KEYWORDS, "turn": 1, "code": "1-2-3", "hints": ["a", "b", "c"], "bob": "3-2-1"}]
    (one,) = WORLD.recorded(written(tmp_path / "games.json", [{"turns": lines, "id": "x"}]))
    assert one.id == "x"
    assert one.turns[0]["bob"] == [3, 2, 1]
    assert one.turns[0]["eve"] == [0, 0, 0]


def test_a_line_break_in_a_hint_tears_no_message(tmp_path: Path) -> None:
    lines = [turn([1, 2, 3], hints=["a\n4 = secret", "b", "c"])]
    (one,) = WORLD.recorded(written(tmp_path / "games.json", [{"keywords": KEYWORDS, "turns": lines}]))
    assert one.turns[0]["hints"][0] == "a 4 = secret"


def test_each_game_of_a_file_is_played_in_its_turn(tmp_path: Path) -> None:
    games = [{"keywords": KEYWORDS, "turns": [turn(code)]} for code in CODES]
    path = written(tmp_path / "games.json", games)
    alice = find_mind(f"recorded:{path}", WORLD, "alice")
    assert isinstance(alice, RecordedMind)
    for number, code in enumerate(CODES):
        item = WORLD.item_of(alice.turn_to(number))
        episode = play_one(WORLD.open(0, item), minds(alice=alice))
        assert episode.turns[0]["hints"] == [f"h{digit}" for digit in code]


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([], "holds no game"),
        ({}, "does not contain a list of games"),
        ([{"turns": []}], "has no turn"),
        ([{"keywords": KEYWORDS, "turns": []}], "has no turn"),
        (["x"], "game 1 cannot be read"),
        ([{"keywords": KEYWORDS, "turns": [{"hints": ["a"]}]}], "cannot be read"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], hints=["a"])]}], "hints is .* expected 3 texts"),
        ([{"keywords": KEYWORDS, "turns": [{**turn([1, 2, 3]), "code": "one"}]}], "the code is 'o'; expected one of"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 7])]}], r"the code is .*; expected (one|3) of"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 1, 2])]}], "expected each option at most once"),
        (
            [{"keywords": KEYWORDS, "turns": [{**turn([1, 2, 3]), "code": [1.5, 2, 3]}]}],
            "the code is 1.5; expected one of",
        ),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], hints="abc")]}], "is 'abc'; expected 3 texts"),
        (
            [{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], hints=["a", " ", "c"])]}],
            "has 0 characters",
        ),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], bob=[1, 2])]}], "bob is .* expected 3 of"),
        ([{"keywords": "abcd", "turns": [turn([1, 2, 3])]}], "is 'abcd'; expected 4 texts"),
        ([{"keywords": ["a", "a", "b", "c"], "turns": [turn([1, 2, 3])]}], "the keywords .* repeat an entry"),
        ([{"id": "x", "keywords": KEYWORDS, "turns": [turn([1, 2, 3])]}] * 2, "more than one game called x"),
    ],
)
def test_what_is_no_game_is_refused_by_its_place(tmp_path: Path, games: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        WORLD.recorded(written(tmp_path / "games.json", games))


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read "):
        WORLD.recorded(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{", "utf-8")
    with pytest.raises(UserError, match="is not JSON"):
        WORLD.recorded(tmp_path / "bad.json")
    other = Episode("e", "symmtom-v0", {}, {}, 0, {})
    with EpisodeWriter(tmp_path / "other.jsonl") as writer:
        writer.follow(other)
    with pytest.raises(UserError, match="belongs to symmtom-v0"):
        WORLD.recorded(tmp_path / "other.jsonl")
