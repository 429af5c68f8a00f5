"""Games that were played, replayed with one role replaced and the history that was really played."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import Episode, EpisodeWriter
from otherminds.core.errors import UserError
from otherminds.players.decrypto.find import find_seat
from otherminds.players.decrypto.match import play
from otherminds.players.decrypto.seats import Guesser, Seat
from otherminds.players.decrypto.stored import Recorded, Stored, read_games
from otherminds.worlds.decrypto.observe import View
from otherminds.worlds.decrypto.types import ROLES, Code, Role, Rules
from otherminds.worlds.decrypto.world import Decrypto

KEYWORDS = ["river", "piano", "winter", "doctor"]
CODES = [[1, 2, 3], [2, 3, 4], [4, 3, 1], [1, 4, 2]]


def turn(code: list[int], **changes: Any) -> dict[str, Any]:
    return {"code": code, "hints": [f"h{digit}" for digit in code], "bob": code, "eve": [4, 2, 3], **changes}


def written(path: Path, games: Any) -> Path:
    path.write_text(json.dumps(games), "utf-8")
    return path


def seats(one: Stored, role: Role, player: Seat) -> dict[Role, Seat]:
    return {other: player if other == role else Recorded(one.turns) for other in ROLES}


class Watching(Guesser):
    """Guesses wrong, and remembers what it was shown."""

    name = "watching"

    def begin(self, role: Role, rules: Rules, seed: int) -> None:
        self.seen: list[View] = []

    def guess(self, view: View) -> Code:
        self.seen.append(view)
        return (4, 2, 3)


def test_the_history_is_that_of_the_stored_game(tmp_path: Path) -> None:
    """The original shows codes that it has drawn itself, from the third turn on (spec 6.2)."""
    (one,) = read_games(written(tmp_path / "games.json", [{"keywords": KEYWORDS, "turns": list(map(turn, CODES))}]))
    eve = Watching()
    played, episode = play(one.game, seats(one, "eve", eve))
    assert [list(seen.used[-1]) for seen in eve.seen[1:]] == CODES[:3]
    assert eve.seen[3].hints_by_digit[0] == ("h1", "h1")
    assert [list(turn.code) for turn in played.turns] == CODES
    assert episode.players == ["recorded", "recorded", "watching"]


def test_the_usual_rules_end_a_replay(tmp_path: Path) -> None:
    path = written(tmp_path / "games.json", {"games": [{"keywords": KEYWORDS, "turns": list(map(turn, CODES))}]})
    (one,) = read_games(path)
    _, episode = play(one.game, seats(one, "bob", Watching()))
    assert episode.end == {"ending": "miscomm", "turns": 2}


def test_a_record_of_ours_is_replayed_as_it_was(tmp_path: Path) -> None:
    table: dict[Role, Seat] = {role: find_seat("glove", role) for role in ROLES}
    _, episode = play(Decrypto().deal(5), table)
    path = tmp_path / "games.jsonl"
    with EpisodeWriter(path) as writer:
        writer.whole(episode)
    (one,) = read_games(path)
    _, again = play(one.game, {role: Recorded(one.turns) for role in ROLES})
    kept = ("code", "hints", "bob", "eve")
    told = [[line[name] for name in kept] for line in again.turns]
    assert told == [[line[name] for name in kept] for line in episode.turns[: len(told)]]
    assert again.end == episode.end
    assert one.players == ("glove", "glove", "glove")


def test_codes_may_be_written_with_dashes_guesses_left_out_and_keywords_given_by_turn(tmp_path: Path) -> None:
    lines = [{"keywords": KEYWORDS, "turn": 1, "code": "1-2-3", "hints": ["a", "b", "c"], "bob": "3-2-1"}]
    (one,) = read_games(written(tmp_path / "games.json", [{"turns": lines, "id": "x"}]))
    assert one.id == "x"
    assert one.turns[0].bob == (3, 2, 1)
    assert one.turns[0].eve == (0, 0, 0)


def test_a_line_break_in_a_hint_tears_no_message(tmp_path: Path) -> None:
    lines = [turn([1, 2, 3], hints=["a\n4 = secret", "b", "c"])]
    (one,) = read_games(written(tmp_path / "games.json", [{"keywords": KEYWORDS, "turns": lines}]))
    assert one.turns[0].hints[0] == "a 4 = secret"


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([], "holds no game"),
        ({}, "no list of games"),
        ([{"turns": []}], "game 1 cannot be read"),
        ([{"keywords": KEYWORDS, "turns": []}], "has no turn"),
        (["x"], "game 1 cannot be read"),
        ([{"keywords": KEYWORDS, "turns": [{"hints": ["a"]}]}], "cannot be read"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], hints=["a"])]}], "1 hints for a code of 3"),
        ([{"keywords": KEYWORDS, "turns": [{**turn([1, 2, 3]), "code": "one"}]}], "'one' is no code"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 7])]}], "does not fit 4 keywords"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 1, 2])]}], "does not fit 4 keywords"),
        ([{"keywords": KEYWORDS, "turns": [{**turn([1, 2, 3]), "code": [1.5, 2, 3]}]}], "is no code"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], hints="abc")]}], "'abc' is no list of words"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], hints=["a", " ", "c"])]}], "none of them empty"),
        ([{"keywords": KEYWORDS, "turns": [turn([1, 2, 3], bob=[1, 2])]}], "not as long as the code"),
        ([{"keywords": "abcd", "turns": [turn([1, 2, 3])]}], "'abcd' is no list of words"),
        ([{"keywords": ["a", "a", "b", "c"], "turns": [turn([1, 2, 3])]}], "a keyword twice"),
        ([{"id": "x", "keywords": KEYWORDS, "turns": [turn([1, 2, 3])]}] * 2, "more than one game called x"),
    ],
)
def test_what_is_no_game_is_refused_by_its_place(tmp_path: Path, games: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_games(written(tmp_path / "games.json", games))


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read the games"):
        read_games(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{", "utf-8")
    with pytest.raises(UserError, match="is not JSON"):
        read_games(tmp_path / "bad.json")
    other = Episode("e", "symmtom-v0", {}, [], 0, {})
    with EpisodeWriter(tmp_path / "other.jsonl") as writer:
        writer.begin(other)
    with pytest.raises(UserError, match="is of symmtom-v0"):
        read_games(tmp_path / "other.jsonl")
