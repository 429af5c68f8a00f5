"""Two ways to the same answer, the ledger and taking perspectives: they must agree on every story and every chain."""

from __future__ import annotations

from itertools import product

import pytest

from otherminds.core import ledger
from otherminds.core.seeds import Draw
from otherminds.worlds.tomi import second_solver
from otherminds.worlds.tomi.rules import ImpossibleStory, is_false, simulate, story_order
from otherminds.worlds.tomi.stories.ambiguity import is_ambiguous, open_pairs
from otherminds.worlds.tomi.stories.presets import Knobs
from otherminds.worlds.tomi.stories.skeletons import skeleton
from otherminds.worlds.tomi.types import Announce, Enter, Event, Exit, Move, Story, Tell

RICH = Knobs(
    agents=4, rooms=3, containers=6, objects=2, moves=4, changes=40, order=4, peeks=0.4, distractions=0.4, tells=0.3
)
A, B, C = 0, 1, 2
ROOM, ELSEWHERE = 0, 1


def story(*events: Event, agents: int = 3, is_open: bool = True) -> Story:
    """A story about one object in a room with three containers."""
    return Story(tuple(events), (ROOM, ROOM, ROOM), agents, 2, 1, is_open)


def differences(number: int, knobs: Knobs = RICH, deepest: int = 4) -> int:
    """How often the two disagree on random stories, over all chains of any length, repeats included."""
    found = 0
    for seed in range(number):
        made = skeleton(knobs, Draw(seed, "solvers"), seed % (knobs.order + 1)).story
        history = simulate(made)
        for depth in range(1, deepest + 1):
            for chain in product(range(3), repeat=depth):
                for thing in range(made.num_objects):
                    found += history.beliefs.belief(chain, thing) != second_solver.believed(made, chain, thing)
    return found


def test_both_agree_on_every_chain_to_fourth_order() -> None:
    assert differences(60) == 0


@pytest.mark.parametrize("is_open", [True, False])
def test_both_agree_whether_containers_are_open_or_closed(is_open: bool) -> None:
    assert differences(25, Knobs(is_open=is_open, peeks=0.5, distractions=0.5, tells=0.5, order=2), deepest=2) == 0


def test_a_bug_in_the_ledger_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    record = ledger.EvidenceTable.record

    def careless(self: ledger.EvidenceTable[int], about: int, value: int, real: int, apparent: int) -> None:
        record(self, about, value, real, real)  # secrets are public

    monkeypatch.setattr(ledger.EvidenceTable, "record", careless)
    assert differences(20, deepest=2) > 0


def test_a_bug_in_taking_perspectives_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(observer: int, scenes: list[second_solver.PerceivedScene]) -> list[second_solver.PerceivedScene]:
        return [scene for scene in scenes if observer in scene.present]  # nobody ever peeks or looks away

    monkeypatch.setattr(second_solver, "_seen_by", careless)
    assert differences(20, deepest=2) > 0


def both(told: Story, chain: tuple[int, ...]) -> int | None:
    """What both solvers say, which must be the same."""
    found = simulate(told).beliefs.belief(chain, 0)
    assert second_solver.believed(told, chain, 0) == found
    return found


def test_a_false_belief() -> None:
    told = story(Enter(A, ROOM), Enter(B, ROOM), Announce(0, 0), Exit(B, ROOM), Move(A, 0, 1))
    assert [both(told, chain) for chain in ((A,), (B,), (A, B), (B, A))] == [1, 0, 0, 0]


def test_who_comes_back_sees_and_who_has_left_does_not_know_that() -> None:
    """Skeleton 11 of spec 2.3, which every released label has wrong."""
    told = story(
        Enter(A, ROOM), Enter(B, ROOM), Announce(0, 0), Exit(B, ROOM), Move(A, 0, 1), Exit(A, ROOM), Enter(B, ROOM)
    )
    assert [both(told, chain) for chain in ((A,), (B,), (A, B), (B, A))] == [1, 1, 0, 0]
    doubts = open_pairs(told)
    assert is_ambiguous(doubts, (B, A), 0), "B last saw A beside the object that was moved"
    assert not is_ambiguous(doubts, (A, B), 0)
    assert story_order((A, B), 0, simulate(told), 2) == 2


def test_closed_containers_show_nothing_to_who_comes_in() -> None:
    events = (Enter(A, ROOM), Enter(B, ROOM), Announce(0, 0), Exit(B, ROOM), Move(A, 0, 1), Enter(B, ROOM))
    assert both(story(*events), (B,)) == 1
    assert both(story(*events, is_open=False), (B,)) == 0


def test_a_secret_watcher_knows_and_nobody_knows_that() -> None:
    told = story(Enter(A, ROOM), Enter(B, ROOM), Announce(0, 0), Exit(B, ROOM), Move(A, 0, 1, peekers=1 << B))
    assert [both(told, chain) for chain in ((B,), (B, A), (A, B), (B, A, B))] == [1, 1, 0, 0]


def test_who_looks_away_does_not_know_and_nobody_knows_that() -> None:
    told = story(Enter(A, ROOM), Enter(B, ROOM), Announce(0, 0), Move(A, 0, 1, distracted=1 << B))
    assert [both(told, chain) for chain in ((B,), (A, B), (B, A))] == [0, 1, 0]


@pytest.mark.parametrize(("is_aloud", "of_c"), [(True, 1), (False, 0)])
def test_a_word_reaches_who_hears_it(is_aloud: bool, of_c: int) -> None:
    told = story(
        *(Enter(agent, ROOM) for agent in (A, B, C)),
        Announce(0, 0),
        *(Exit(agent, ROOM) for agent in (B, C)),
        Move(A, 0, 1),
        *(Exit(A, ROOM),),
        *(Enter(agent, ELSEWHERE) for agent in (A, B, C)),
        Tell(A, B, 0, 1, is_aloud),
    )
    assert [both(told, chain) for chain in ((B,), (A, B), (C,), (A, C))] == [1, 1, of_c, of_c]


def test_a_third_order_story() -> None:
    """Spec 5.2: each pair meets in the room, never all three."""
    d = 3
    told = story(
        *(Enter(agent, ROOM) for agent in (A, B, C, d)),
        Announce(0, 0),
        *(Exit(agent, ROOM) for agent in (A, B, C)),
        Move(d, 0, 1),
        Exit(d, ROOM),
        Enter(A, ROOM),
        Enter(B, ROOM),
        Exit(A, ROOM),
        Enter(C, ROOM),
        Exit(B, ROOM),
        Enter(A, ROOM),
        agents=4,
    )
    history = simulate(told)
    assert story_order((A, B, C), 0, history, 4) == 3
    assert is_false((A, B, C), 0, history)
    assert both(told, (A, B, C)) == 0
    assert both(told, (A, B)) == both(told, (C,)) == 1


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Exit(C, ROOM), "must be in it"),
        (Move(C, 0, 1), "must be in the room of the container"),
        (Announce(0, 1), "said earlier"),
        (Move(A, 0, 1, peekers=1 << B), "people who peek must be in another room"),
        (Move(A, 0, 1, distracted=1 << A), "not the mover"),
        (Tell(A, C, 0, 0), "must be in the same room"),
        (Tell(A, B, 0, 2), "must believe"),
    ],
)
def test_what_cannot_happen_is_refused(event: Event, why: str) -> None:
    with pytest.raises(ImpossibleStory, match=f"event 4 .*{why}"):
        simulate(story(Enter(A, ROOM), Enter(B, ROOM), Announce(0, 0), event))
