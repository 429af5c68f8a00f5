"""Text and events are one and the same: whatever is told is understood, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherminds.worlds.tomi import text as templates
from otherminds.worlds.tomi.parse import NotUnderstood, Parser, parse_story, understand
from otherminds.worlds.tomi.text import Teller, ask
from otherminds.worlds.tomi.types import (
    NOWHERE,
    Announce,
    Enter,
    Event,
    Exit,
    Furnish,
    Move,
    Names,
    Question,
    Remark,
    Story,
    Tell,
    members,
)
from tests.worlds.tomi.telling import same_words

T = TypeVar("T")
NAMES = Names(
    ("Ann", "Bob", "Cat", "Dan"),
    ("barn", "tool_shed", "music room"),
    ("jar", "yellow_tin", "hat box", "sack", "tub"),
    ("fig", "olives", "bow_tie"),
)
PLURALS = frozenset({"olives"})
HOMES = (0, 0, 1, 1, 2)


def worded(story: Story, names: Names) -> list[tuple[Any, ...]]:
    """Events by names instead of numbers, which a parser gives in the order in which it meets them."""
    found: list[tuple[Any, ...]] = []
    for event in story.events:
        match event:
            case Enter(agent, room, is_already):
                found.append(("enter", names.agents[agent], names.rooms[room], is_already))
            case Exit(agent, room):
                found.append(("exit", names.agents[agent], names.rooms[room]))
            case Furnish(room, containers):
                found.append(("furnish", names.rooms[room], [names.containers[box] for box in containers]))
            case Announce(thing, container):
                found.append(("announce", names.objects[thing], names.containers[container]))
            case Move(agent, thing, container, peekers, distracted):
                secret = [sorted(names.agents[who] for who in members(mask)) for mask in (peekers, distracted)]
                found.append(("move", names.agents[agent], names.objects[thing], names.containers[container], secret))
            case Tell(speaker, listener, thing, container, is_aloud):
                pair = names.agents[speaker], names.agents[listener]
                found.append(("tell", *pair, names.objects[thing], names.containers[container], is_aloud))
            case Remark(agent, verb, thing_word):
                found.append(("remark", names.agents[agent], verb, thing_word))
    return found


@st.composite
def stories(draw: st.DrawFn) -> Story:
    """Any story that can happen."""

    def pick(choices: Sequence[T]) -> T:
        return draw(st.sampled_from(choices))

    places = dict.fromkeys(range(4), NOWHERE)
    contents: dict[int, int] = {}
    events: list[Event] = []
    if draw(st.booleans()):
        events += [Furnish(0, (0, 1)), Furnish(1, (2, 3)), Furnish(2, (4,))]
    for _ in range(draw(st.integers(1, 12))):
        inside = [agent for agent, room in places.items() if room != NOWHERE]
        kind = pick(["enter", "exit", "announce", "move", "tell", "remark"])
        if kind == "enter" or not inside:
            agent, room = pick(range(4)), pick(range(3))
            events.append(Enter(agent, room, draw(st.booleans())))
            places[agent] = room
        elif kind == "exit":
            agent = pick(inside)
            events.append(Exit(agent, places[agent]))
            places[agent] = NOWHERE
        elif kind == "announce" and len(contents) < 3:
            thing, container = pick([o for o in range(3) if o not in contents]), pick(range(5))
            events.append(Announce(thing, container))
            contents[thing] = container
        elif kind == "move" and contents:
            agent, thing, container = pick(inside), pick(sorted(contents)), pick(range(5))
            # One of each at most: sets of people have no order, so two sentences about them may change places.
            secret, dreamer = (
                draw(st.sampled_from([0, *(1 << who for who in range(4) if who != agent)])) for _ in "pd"
            )
            events.append(Move(agent, thing, container, secret, dreamer))
            contents[thing] = container
        elif kind == "tell" and contents and len(inside) > 1:
            speaker, listener = pick(inside), pick(inside)
            events.append(Tell(speaker, listener, pick(sorted(contents)), pick(range(5)), draw(st.booleans())))
        else:
            events.append(Remark(pick(range(4)), pick(templates.VERBS), pick(NAMES.objects + NAMES.rooms)))
    return Story(tuple(events), HOMES, 4, 3, 3)


@given(stories(), st.data())
def test_what_is_told_is_understood_and_told_again_in_the_same_words(story: Story, data: st.DataObject) -> None:
    def choose(kind: str) -> int:
        return data.draw(st.integers(0, len(templates.STATEMENTS[kind]) - 1))

    sentences = Teller(story, NAMES, choose, PLURALS).statements()
    told = parse_story(sentences)
    assert worded(told.story, told.names) == worded(story, NAMES)
    assert Teller(told.story, told.names, same_words(sentences), PLURALS).statements() == sentences


@pytest.mark.parametrize(
    ("kind", "form"), [(k, f) for k, forms in templates.STATEMENTS.items() for f in range(len(forms))]
)
def test_every_form_of_every_sentence_is_understood_as_what_it_is(kind: str, form: int) -> None:
    start: tuple[Event, ...] = Enter(0, 0), Enter(1, 0), Announce(1, 0)
    events: dict[str, Event] = {
        "peek": Move(0, 1, 1, peekers=0b1000),
        "distracted": Move(0, 1, 1, distracted=0b10),
        "whisper": Tell(0, 1, 1, 0),
        "aloud": Tell(0, 1, 1, 0, is_aloud=True),
        "furnish": Furnish(2, (4,)) if form else Furnish(1, (2, 3)),
        "announce": Announce(0, 1),
        "enter": Enter(2, 1),
        "exit": Exit(1, 0),
        "already": Enter(2, 1, is_already=True),
        "move": Move(0, 1, 1),
        "remark": Remark(2, "loves", "hat box"),
    }
    story = Story((*start, events[kind]), HOMES, 4, 3, 3)
    sentences = Teller(story, NAMES, lambda said: form if said == kind else 0, PLURALS).statements()
    told = parse_story(sentences)
    understood = understand(sentences[-1])
    assert understood is not None
    assert understood[:2] == (kind, form)
    assert told.origins[-1] == len(start)
    assert worded(told.story, told.names) == worded(story, NAMES)


@pytest.mark.parametrize(
    "question",
    [
        *(Question(kind, 1) for kind in ("memory", "reality", "before", "knowers", "present")),
        Question("knows", 1, (2,)),
        *(Question("belief", 1, chain) for chain in ((0,), (0, 1), (1, 0), (2, 0, 1), (3, 1, 0, 2), (0, 1, 0))),
    ],
)
def test_every_question_is_understood_as_what_it_is(question: Question) -> None:
    text = ask(question, NAMES)
    parser = Parser()
    found = parser.question(text)
    names = parser.names
    assert (found.kind, found.order) == (question.kind, question.order)
    assert ask(found, names) == text
    assert [names.agents[agent] for agent in found.chain] == [NAMES.agents[agent] for agent in question.chain]


@pytest.mark.parametrize(
    ("sentences", "number", "why"),
    [
        (["Ann entered the barn.", "Ann danced."], 1, "is not a sentence of a story"),
        (["Ann entered the barn"], 0, "is not a sentence of a story"),
        (["Ann entered the barn.", "Bob exited the barn."], 1, "but Bob is not in the barn"),
        (["Ann entered the barn.", "Ann moved the fig to the tin."], 1, "before the story says where the fig is"),
        (["The fig is in the jar.", "Ann moved the fig to the tin."], 1, "but Ann is in no room"),
        (["Ann entered the barn.", "Nobody knew that Bob was watching."], 1, "is not about a move"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_number(sentences: list[str], number: int, why: str) -> None:
    with pytest.raises(NotUnderstood, match=why) as refused:
        parse_story(sentences)
    assert refused.value.number == number
