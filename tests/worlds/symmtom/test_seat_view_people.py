"""People at a table of SymmToM, and how what they and models write is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from otherminds.core.episodes import EpisodeWriter, read_episodes
from otherminds.core.match import Lineup, play
from otherminds.core.seeds import Draw
from otherminds.minds.human import HumanMind, Quit, Terminal
from otherminds.worlds.symmtom import record
from otherminds.worlds.symmtom.minds import scripted
from otherminds.worlds.symmtom.seat_view import act_form, knows_form
from otherminds.worlds.symmtom.world import SymmToM
from tests.worlds.symmtom.tables import PARAMS, WORLD, at_table, played


def person(*answers: str, **options: Any) -> tuple[HumanMind, list[str]]:
    shown: list[str] = []
    replies = iter(answers)

    def ask(prompt: str) -> str:
        try:
            return next(replies)
        except StopIteration:
            raise EOFError from None

    return HumanMind(terminal=Terminal(ask=ask, show=shown.append), **options), shown


# Forms


def test_forms_take_every_reply_they_sample() -> None:
    draw = Draw(0, "forms")
    for form in (act_form(PARAMS), knows_form(PARAMS)):
        for _ in range(50):
            value = form.sample(draw)
            assert form.take(value) == value


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("right 0", {"move": "right", "piece": "0"}),
        ("I go.\nAction: up piece 2", {"move": "up", "piece": "2"}),
        ("**ACTION:** Stay, -", {"move": "stay", "piece": "-"}),
        ("s -1", {"move": "stay", "piece": "-"}),
        ('{"move": "left", "piece": 1}', {"move": "left", "piece": "1"}),
        ("sideways 0", None),
        ("right 3", None),
        ("right", None),
    ],
)
def test_an_act_is_read_as_people_and_models_write_it(typed: str, expected: dict[str, str] | None) -> None:
    form = act_form(PARAMS)
    if expected is None:
        with pytest.raises(ValueError, match="expected"):
            form.parse(typed)
    else:
        assert form.parse(typed) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Knows: 0, 2", ("0", "2")),
        ("Knows: agents 2 and 0.", ("0", "2")),
        ("Knows: nobody", ()),
        ('{"knows": [1]}', ("1",)),
        ("Knows: 3", None),
    ],
)
def test_who_knows_is_read_as_people_and_models_write_it(typed: str, expected: tuple[str, ...] | None) -> None:
    form = knows_form(PARAMS)
    if expected is None:
        with pytest.raises(ValueError, match="expected"):
            form.parse(typed)
    else:
        assert form.parse(typed) == expected


# People


def test_a_person_plays_by_words_and_letters_and_is_asked_again_after_a_slip() -> None:
    human, shown = person("sideways 0", "right 9", "right 0", "s -", *["stay 0"] * 4)
    episode = played(human, scripted.STILL, scripted.STILL)
    assert [turn["actions"][0] for turn in episode.turns[:2]] == [[1, 0], [0, -1]]
    assert sum("Not accepted" in line for line in shown) == 2
    assert "Your score" in shown[-1]


def test_two_people_and_a_policy_sit_at_one_table() -> None:
    first, _ = person(*["right 0"] * 6)
    second, _ = person(*["up 1"] * 6)
    episode = played(first, scripted.BELIEF, second)
    assert list(episode.minds.values()) == ["human", "belief", "human"]
    assert {tuple(turn["actions"][2]) for turn in episode.turns} == {(3, 1)}


def test_a_person_is_asked_who_knows_what() -> None:
    human, shown = person(*["stay 0"] * 2, "0, 1", "nobody", "1", *["stay 0"] * 4)
    episode = played(human, scripted.STILL, scripted.STILL, world=SymmToM(params=PARAMS, probes=2))
    assert [asked["said"] for asked in episode.turns[2]["probes"][:3]] == [["0", "1"], [], ["1"]]
    assert any("which agents know piece 0 at this moment" in page for page in shown)


def test_notes_are_shown_on_every_later_turn_and_only_if_asked_for() -> None:
    human, shown = person("n blue knows 2", *["stay 0"] * 6, notes=True)
    played(human, scripted.STILL, scripted.STILL)
    assert sum("blue knows 2" in page for page in shown) == 5
    bare, _ = person("n blue knows 2", *["stay 0"] * 6)
    played(bare, scripted.STILL, scripted.STILL)
    assert not bare._pad


def test_a_person_can_page_back_through_its_own_turns() -> None:
    human, shown = person("up 0", "b", "f", "stay 0", *["stay 0"] * 4, rewatch=True)
    played(human, scripted.STILL, scripted.STILL)
    pages = [page for page in shown if "--- turn 1," in page]
    assert len(pages) == 2
    assert "You answered: up 0" in pages[1]


def test_a_person_who_leaves_loses_no_turn(tmp_path: Path) -> None:
    human, _ = person("right 0", "left 0", "q")
    session = WORLD.open(0)
    table = Lineup(session, at_table(human, scripted.STILL, scripted.STILL))
    with EpisodeWriter(tmp_path / "e.jsonl") as writer, pytest.raises(Quit):
        list(play([table], watch=lambda each: writer.follow(each.episode)))
    (episode,) = read_episodes(tmp_path / "e.jsonl")
    assert len(record.play_again(episode).actions) == 2
    assert episode.end is None
