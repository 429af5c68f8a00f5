"""Notes: families in which the reader acts, what decides them, and who passes them."""

from __future__ import annotations

from collections import Counter

import pytest

from otherminds.core.errors import UserError
from otherminds.core.match import Lineup, play, play_one
from otherminds.core.world import Item
from otherminds.minds.find import find_mind
from otherminds.minds.human import HumanMind, Terminal
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.notes import Note, make_notes
from otherminds.worlds.tomi.observe import NOBODY, READER
from otherminds.worlds.tomi.parse import parse_story
from otherminds.worlds.tomi.world import ToMi

WORLD = ToMi(size=12)
SHORTCUTS = ("always-reality", "always-first", "always-before", "exit", "algorithm-1", "algorithm-1-last")


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return list(WORLD.suite("notes"))


def believed(note: Note, chain: tuple[str, ...]) -> str | None:
    """By the second solver, from the text."""
    told = parse_story(note.items[0].story)
    agents, thing = told.names.agents, told.names.objects.index(note.object)
    box = second_solver.believed(told.story, [agents.index(name) for name in chain], thing)
    return None if box is None else told.names.containers[box]


def test_a_family_lists_the_same_errands_and_needs_a_note_for_two_people_or_nobody(items: list[Item]) -> None:
    for start in range(0, len(items), 3):
        family = [item.data for item in items[start : start + 3]]
        assert len({item.group for item in items[start : start + 3]}) == 1
        assert len({note.errands for note in family}) == 1
        assert len({note.answer for note in family}) == 3
    counts = Counter(item.data.answer == NOBODY for item in items)
    assert counts[True] * 3 == len(items)
    assert Counter(item.order for item in items) == {1: 36, 2: 36}


def test_the_second_solver_agrees_and_shorter_chains_are_right(items: list[Item]) -> None:
    for item in items:
        note = item.data
        reality = next(line.answer for line in note.items if line.qtype == "reality")
        wrong = [errand[0] for errand in note.errands if believed(note, errand) != reality]
        assert wrong == ([] if note.answer == NOBODY else [note.answer])
        if note.order == 2:
            assert all(believed(note, (name,)) == reality for errand in note.errands for name in errand)
        assert not any(line.ambiguous for line in note.items)


def test_everybody_is_sender_once_and_no_belief_is_named(items: list[Item]) -> None:
    for item in items:
        note = item.data
        assert sorted(errand[0] for errand in note.errands) == sorted(errand[-1] for errand in note.errands)
        assert set(note.choices) == {errand[0] for errand in note.errands} | {NOBODY}
        assert not {"think", "thinks", "know", "knows", "believe", "believes"} & set(note.question.split())


def test_the_same_number_is_the_same_family() -> None:
    assert make_notes(2, 5) == make_notes(2, 5) != make_notes(2, 5, seed=1)
    with pytest.raises(UserError, match="no notes of order 3; expected 1 or 2"):
        make_notes(3, 0)


@pytest.mark.parametrize(
    ("name", "first", "second", "literal"),
    [("tracker", 1, 1, 1), ("tracker:order=1", 1, 0, None), ("tracker:order=0", 0, 0, None), ("decoupled", 0, 0, 1)],
)
def test_minds_of_known_order_pass_up_to_it(
    name: str, first: float, second: float, literal: float | None, items: list[Item]
) -> None:
    mind = find_mind(name, WORLD)
    found = WORLD.summary(list(play([Lineup(WORLD.open(0, item), {READER: mind}) for item in items])))
    assert (found["notes_joint_order_1"], found["notes_joint_order_2"]) == (first, second)
    assert (found["literal"] == 1) == (literal == 1)


@pytest.mark.parametrize("name", SHORTCUTS)
def test_no_shortcut_passes_a_family(name: str, items: list[Item]) -> None:
    mind = find_mind(name, WORLD)
    found = WORLD.summary(list(play([Lineup(WORLD.open(0, item), {READER: mind}) for item in items], at_once=5)))
    assert found["notes_joint_order_1"] == found["notes_joint_order_2"] == 0


def test_a_record_opens_the_note_again(items: list[Item]) -> None:
    episode = play_one(WORLD.open(0, items[4]), {READER: find_mind("exit", WORLD)})
    world = ToMi.of(episode)
    assert world.item_of(episode) == items[4]
    assert len(world.replay(episode).states) > 10
    assert items[4].data.object in world.page(episode)
    assert {probe["is_needed"] for probe in episode.turns[0]["probes"]} == {True, False}


def test_minds_that_only_answer_leave_no_notes_and_still_answer(items: list[Item]) -> None:
    mind = find_mind("bag-of-words", WORLD)
    episode = play_one(WORLD.open(0, items[0]), {READER: mind})
    assert episode.turns[0]["replies"]["1/reader"] is None
    assert episode.validity[READER]["failures"] == 1


def test_a_person_leaves_a_note(items: list[Item]) -> None:
    note = items[1].data
    typed = iter([note.answer.lower(), *(line.answer for line in note.items)])
    shown: list[str] = []
    human = HumanMind(terminal=Terminal(ask=lambda _: next(typed), show=shown.append))
    episode = play_one(WORLD.open(0, items[1]), {READER: human})
    assert episode.end is not None
    assert episode.end["outcome"]["success"] is True
    assert note.question in "\n".join(shown)
    assert "the name of one person, or nobody" in "\n".join(shown)
