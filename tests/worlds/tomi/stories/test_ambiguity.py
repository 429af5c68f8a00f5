"""What the evidence leaves open (spec 5.3), story by story; and the answers that are no container."""

from __future__ import annotations

from itertools import product

import pytest

from otherminds.core.seeds import Draw
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.files.make_items import describe_events
from otherminds.worlds.tomi.rules import answer, simulate
from otherminds.worlds.tomi.stories import twins
from otherminds.worlds.tomi.stories.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.stories.presets import Knobs
from otherminds.worlds.tomi.stories.skeletons import skeleton
from otherminds.worlds.tomi.types import Announce, Enter, Event, Exit, Move, Names, Question, Story, Tell, renumbered

A, B, C = 0, 1, 2
ROOM, ELSEWHERE = 0, 1
START = (Enter(A, ROOM), Enter(B, ROOM), Enter(C, ROOM), Announce(0, 0))
NAMES = Names(("Ann", "Bob", "Cat"), ("attic", "cellar"), ("jar", "tin", "box"), ("fig",))


def story(*events: Event) -> Story:
    return Story((*START, *events), (ROOM, ROOM, ROOM), 3, 2, 1)


def is_open(told: Story, *chain: int) -> bool:
    return is_ambiguous(open_pairs(told), chain, 0)


def test_who_was_last_seen_beside_the_object_may_have_moved_it() -> None:
    told = story(Exit(A, ROOM), Exit(B, ROOM), Move(C, 0, 1), Exit(C, ROOM), Enter(B, ROOM))
    assert is_open(told, B, C)
    assert is_open(told, A, B, C), "a chain is open where two neighbours are"
    assert not is_open(told, C, B), "who moved it knows that"


def test_who_was_seen_to_leave_cannot_have_moved_it() -> None:
    told = story(Exit(A, ROOM), Exit(B, ROOM), Move(C, 0, 1), Exit(C, ROOM), Enter(B, ROOM))
    assert not is_open(told, B, A)


def test_who_was_last_seen_in_another_room_is_not_suspected() -> None:
    elsewhere = (Exit(A, ROOM), Enter(A, ELSEWHERE), Exit(B, ROOM), Enter(B, ELSEWHERE), Exit(B, ELSEWHERE))
    told = story(*elsewhere, Move(C, 0, 1), Exit(C, ROOM), Enter(B, ROOM))
    assert not is_open(told, B, A)
    assert is_open(told, B, C)


def test_what_both_see_settles_it() -> None:
    told = story(Exit(B, ROOM), Move(C, 0, 1), Exit(C, ROOM), Exit(A, ROOM), Enter(B, ROOM))
    assert is_open(told, B, C)
    assert not is_open(story(*told.events[len(START) :], Enter(C, ROOM)), B, C)


def test_a_secret_watcher_has_seen_who_was_there() -> None:
    away = (Exit(A, ROOM), Exit(B, ROOM), Enter(A, ROOM))
    later = (Exit(A, ROOM), Move(C, 0, 2), Exit(C, ROOM), Enter(B, ROOM))
    assert is_open(story(*away, Move(A, 0, 1, peekers=1 << B), *later), B, A)
    assert not is_open(story(*away, Move(A, 0, 1), *later), B, A)


def test_who_is_told_that_it_was_moved_wonders_too() -> None:
    told = story(
        Exit(B, ROOM), Move(A, 0, 1), Exit(A, ROOM), Enter(A, ELSEWHERE), Enter(B, ELSEWHERE), Tell(A, B, 0, 1)
    )
    assert is_open(told, B, C)
    assert not is_open(told, B, A), "the two have just spoken about it"


def test_who_goes_straight_into_another_room_has_left_the_first() -> None:
    """ToM-bAbI has people enter a room without leaving the one they are in (spec 8)."""
    told = story(Enter(A, ELSEWHERE), Move(B, 0, 1))
    for chain, container in (((A,), 0), ((B,), 1), ((B, A), 0)):
        assert simulate(told).beliefs.belief(chain, 0) == second_solver.believed(told, chain, 0) == container


@pytest.mark.parametrize(
    ("question", "right"),
    [
        (Question("memory", 0), "jar"),
        (Question("before", 0), "tin"),
        (Question("reality", 0), "box"),
        (Question("present", 0), "Ann, Bob, Cat"),
        (Question("knowers", 0), "Ann, Cat"),
        (Question("knows", 0, (A,)), "yes"),
        (Question("knows", 0, (B,)), "no"),
    ],
)
def test_questions_about_the_world_and_who_knows_it(question: Question, right: str) -> None:
    told = story(Move(A, 0, 1), Exit(B, ROOM), Move(C, 0, 2))
    assert answer(question, simulate(told), NAMES) == right


def test_only_those_in_the_room_were_present() -> None:
    told = Story((Enter(A, ROOM), Enter(B, ELSEWHERE), Announce(0, 0)), (ROOM, ROOM, ROOM), 3, 2, 1)
    assert answer(Question("present", 0), simulate(told), NAMES) == "Ann"


def test_two_people_change_places_in_all_that_they_do_see_and_miss() -> None:
    swap = {A: B, B: A}
    assert renumbered(Move(A, 0, 1, peekers=1 << B, distracted=1 << C), swap) == Move(B, 0, 1, 1 << A, 1 << C)
    assert renumbered(Move(C, 0, 1, peekers=1 << A, distracted=1 << B), swap) == Move(C, 0, 1, 1 << B, 1 << A)
    assert renumbered(Tell(A, C, 0, 1), swap) == Tell(B, C, 0, 1)


def test_exported_events_say_who_perceived_them_and_who_is_thought_to_have() -> None:
    told = story(Exit(B, ROOM), Move(A, 0, 1, peekers=1 << B, distracted=1 << C), Tell(A, C, 0, 1))
    found = describe_events(told, NAMES)[len(START) :]
    assert [(event["type"], event["real"], event["apparent"]) for event in found] == [
        ("exit", ["Ann", "Bob", "Cat"], ["Ann", "Bob", "Cat"]),
        ("move", ["Ann", "Bob"], ["Ann", "Cat"]),
        ("whisper", ["Ann", "Cat"], ["Ann", "Cat"]),
    ]


def test_twins_that_are_not_tried_would_not_have_differed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order twin is passed over only if no belief about the object changes among those whom the story is about."""
    monkeypatch.setattr(twins, "_TRIES", 10_000)
    passed = 0
    for seed in range(6):
        base = skeleton(Knobs(agents=4, rooms=3, changes=24), Draw(seed, "passed over"), 1)
        events, chains = base.story.events, list(product(base.group, repeat=2)) + [(agent,) for agent in base.group]
        believed = [simulate(base.story).beliefs.belief(chain, 0) for chain in chains]
        tried = set(twins._order_twins(base, Draw(1, "any")))
        for i, j in twins._swappable(events, base.start):
            swapped = (*events[:i], events[j], *events[i + 1 : j], events[i], *events[j + 1 :])
            if swapped not in tried:
                passed += 1
                other = simulate(base.story.told_as(swapped))
                assert [other.beliefs.belief(chain, 0) for chain in chains] == believed
    assert passed
