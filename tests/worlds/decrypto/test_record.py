"""Records, pictures and pages of games."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.view.shapes import Label, to_svg
from otherminds.worlds.decrypto.draw import board, game_scene
from otherminds.worlds.decrypto.types import Game
from otherminds.worlds.decrypto.world import Decrypto
from tests.worlds.decrypto.games import CODES, WRONG, played
from tests.worlds.decrypto.minds.asking import minds
from tests.worlds.decrypto.minds.asking import played as played_to_the_end

REVEAL = {"kind": "reveal", "turn": 1, "digit": 1, "word": "x", "told": []}


def recorded(seed: int = 0) -> tuple[Game, Episode]:
    game, episode = played_to_the_end(Decrypto().deal(seed), minds())
    return game, Episode(**json.loads(json.dumps(vars(episode))))


def test_a_record_gives_the_game_again() -> None:
    game, episode = recorded()
    found = Decrypto().replay(episode)
    assert found.states[-1] == game
    assert [len(state.turns) for state in found.states] == list(range(len(game.turns) + 1))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda e: e.end.update(ending="survived"), "end: ending is 'survived'; according to its replies"),
        (lambda e: e.turns[0].update(code=[4, 3, 1]), "turn 1: code is"),
        (lambda e: e.turns[0].pop("hints"), "cannot be read"),
        (lambda e: e.start.pop("keywords"), "cannot be read"),
        (lambda e: e.config.update(tokens="two"), "'tokens' is 'two'"),
        (lambda e: e.turns.append({**e.turns[-1], "turn": len(e.turns) + 1}), "after the episode had ended"),
        (lambda e: e.minds.popitem(), "expected a name for each of alice, bob, eve"),
        (lambda e: e.start.update(keywords=["a", "b", "c"]), "keywords is"),
        (lambda e: e.start.update(keywords="abcd"), "keywords is"),
        (lambda e: e.config.update(keywords=4.0), "'keywords' is 4.0; expected a whole number"),
        (lambda e: e.turns[0].update(hints=["a", "b"]), "hints is .* expected 3 texts"),
        (lambda e: e.turns[0].update(hints="abc"), "hints is 'abc'"),
        (lambda e: e.turns[0].update(bob=[1, 2]), r"1/bob: guess is \[1, 2\]"),
        (lambda e: e.turns[0].update(code=[9, 1, 2]), r"code is \[9, 1, 2\]"),
        (lambda e: e.turns[0].pop("turn"), "cannot be read as a game of Decrypto: KeyError 'turn'"),
        (lambda e: e.turns[0].update(attempts={"bob": 1}), "attempts is"),
        (lambda e: e.turns[0].update(interventions=[{**REVEAL, "digit": 9}]), "a digit above 4"),
        (lambda e: e.turns[0].update(interventions=5), "cannot be read"),
        (lambda e: e.turns[0].update(failures=5), "cannot be read"),
        (lambda e: e.turns[0].update(problems=5), "problems is 5"),
        (lambda e: e.turns[0].update(probes=[{}]), "cannot be read"),
        (lambda e: e.turns[0].update(thoughts=5), "thoughts is 5"),
        (lambda e: e.turns[0].update(thoughts={"eve": {"keywords": 5}}), "thoughts is"),
        (lambda e: e.turns[0].update(thoughts={"eve": {"keywords": [["a"]]}}), "thoughts is"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(spoil: Callable[[Any], Any], message: str) -> None:
    _, episode = recorded()
    spoil(episode)
    with pytest.raises(UserError, match=message):
        Decrypto().replay(episode)


def test_the_picture_shows_keywords_hints_and_guesses() -> None:
    texts = [shape.text for shape in game_scene(played(2)).shapes if isinstance(shape, Label)]
    assert {"river", "boat", "snow", "piano", "clinic", "understood", "missed"} <= set(texts)


def test_eves_picture_shows_no_keyword() -> None:
    svg = to_svg(game_scene(played(3), keywords=False))
    shapes = svg.split("</title>")[1]
    assert not any(word in shapes for word in played(3).keywords)
    assert "surgeon" in shapes


def test_the_text_says_how_it_stands() -> None:
    shown = board(played(2, bob=[WRONG, WRONG], eve=[CODES[0]]))
    assert "Bob 2-4-1 wrong" in shown
    assert "miscommunications 2, interceptions 1" in shown
    assert "misunderstood twice: Eve wins" in shown


def test_the_page_tells_the_whole_game_and_escapes_what_players_say() -> None:
    game, episode = recorded()
    evil = "<script>alert(1)</script>"
    turn = episode.turns[0]
    turn["thoughts"] = {
        "alice": {"reasoning": evil, "interception": 0.25},
        "eve": {"keywords": [[[game.keywords[0], 0.5], [evil, 0.25]]] * 4},
    }
    turn["probes"] = [
        {"id": "1/eve/B", "name": "B", "seat": "eve", "kind": "keywords_before", "chain": [], "about": "keywords",
         "given": [evil] * 4, "failed": False, "attempts": 1, "shown": list(game.keywords), "moment": "before hints"},
    ]  # fmt: skip
    turn["problems"] = ["hint 1 is too near"]
    page = Decrypto().page(episode)
    assert evil not in page
    for text in (
        "alert(1)",
        "0.25",
        "keywords_before",
        "50 %",
        "Against the rules",
        "intercepted twice",
    ):
        assert text in page
    for one in game.turns:
        assert all(hint in page for hint in one.hints)


def test_a_page_without_questions_has_no_room_for_them() -> None:
    _, episode = recorded()
    assert "Probes" not in Decrypto().page(episode)


def test_the_ledger_is_asked_by_seat() -> None:
    _, episode = recorded()
    world, found = Decrypto(), Decrypto().replay(episode)
    assert world.seen(found, (), 1)["keyword 1"] == found.states[0].keywords[0]
    assert "keyword 1" not in world.seen(found, ("eve",), 1)
    assert "turn 2, code" not in world.seen(found, ("eve",), 1)
    with pytest.raises(UserError, match="names 'evee', which is not a seat; did you mean 'eve'"):
        world.seen(found, ("evee",), 1)


def test_a_guess_that_never_came_is_called_that() -> None:
    game = played(1, bob=[(0, 0, 0)])
    assert "Bob none wrong" in board(game)
    assert "Bob guessed none" in to_svg(game_scene(game))


def test_who_looks_as_eve_sees_no_keyword_on_the_board_nor_in_its_title() -> None:
    game, episode = recorded()
    boards = re.findall(r'class=\\"as-eve(.*?)\\u003c/svg', Decrypto().page(episode), re.DOTALL)
    assert len(boards) == len(game.turns) + 1
    assert not any(word in drawn for drawn in boards for word in game.keywords)
