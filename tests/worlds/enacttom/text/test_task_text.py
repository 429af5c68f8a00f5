"""A task in words: all of it, nothing else, and the same in worlds that nobody can tell apart."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.leaks import leaks
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.observe import perceive
from otherminds.worlds.enacttom.probes.questions import ProbeQuestion
from otherminds.worlds.enacttom.rules import WAIT, begin, step
from otherminds.worlds.enacttom.tasks.read import find_task, parse_task, read_task, task_names
from otherminds.worlds.enacttom.text.clauses import from_words, in_words
from otherminds.worlds.enacttom.text.house_text import NO_DOORS
from otherminds.worlds.enacttom.text.names import lexicon
from otherminds.worlds.enacttom.text.parse_text import meaning, understood
from otherminds.worlds.enacttom.text.statements import NOBODY
from otherminds.worlds.enacttom.text.task_text import (
    atom_words,
    percept_text,
    private_text,
    probe_text,
    public_text,
)
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.verify.certify import certify
from tests.worlds.enacttom.houses import chain, fetch, letter, memo


def everything(**changes: Any) -> Task:
    """A house with every kind of everything that a text must say."""
    content: dict[str, Any] = {
        "id": "everything",
        "title": "A full house",
        "category": "mixed",
        "horizon": 6,
        "house": {
            "rooms": {"hall": {}, "den": {}, "loft": {}},
            "doors": {
                "arch": {"rooms": ["hall", "den"]},
                "hatch": {"rooms": ["den", "loft"], "locked": True},
                "chute": {"rooms": ["loft", "hall"], "one_way": True},
                "gate": {"rooms": ["hall", "loft"], "open": False},
            },
            "furniture": {
                "lamp": {"kind": "switch", "room": "den", "on": True},
                "bell": {"kind": "switch", "room": "hall"},
                "chest": {"kind": "container", "room": "hall", "locked": True},
                "box": {"kind": "container", "room": "den", "open": True},
                "shelf": {"kind": "surface", "room": "hall"},
                "stove": {"kind": "fixture", "room": "den"},
                "board": {"kind": "sign", "room": "loft", "shows": "where"},
            },
            "things": {
                "key": {"place": ["floor hall", "in chest", "held ann"], "depends_on": "where"},
                "cup": {"place": "on shelf"},
                "hat": {"place": "held ben"},
            },
        },
        "people": {"ann": {"room": "hall"}, "ben": {"room": "den", "verbs": ["toggle", "wait", "tell"]}},
        "secrets": {
            "where": {"values": ["floor", "chest", "hand"]},
            "reader": {"values": ["no", "yes"], "sort": "informational"},
        },
        "worlds": [
            {"where": "floor", "reader": "no"},
            {"where": "chest", "reader": "no"},
            {"where": "hand", "reader": "yes"},
        ],
        "notes": [{"to": "ben", "about": "where", "when": {"reader": "yes"}}, {"to": "ben", "about": "reader"}],
        "mechanics": [
            {"kind": "room_restriction", "agents": ["ann", "ben"], "rooms": ["loft"]},
            {"kind": "room_restriction", "agents": ["ben"], "rooms": ["hall"]},
            {"kind": "limited_bandwidth", "limits": {"ann": 2, "ben": 1}},
            {"kind": "restricted_communication", "channels": {"ann": ["ben"], "ben": ["ann"]}},
            {"kind": "remote_control", "trigger": "bell", "when": "on", "target": "hatch", "set": "unlocked"},
            {"kind": "remote_control", "trigger": "lamp", "when": "off", "target": "chest", "set": "open", "delay": 2},
            {"kind": "state_mirroring", "between": ["box", "gate"], "one_way": True},
            {"kind": "inverse_state", "furniture": "chest"},
            {"kind": "time_window", "furniture": ["bell"], "verbs": ["toggle"], "turns": [2, 4]},
            {"kind": "time_window", "verbs": ["place"], "turns": [1, 5]},
            {"kind": "interlock", "furniture": "box", "while": ["powered(lamp)", "closed(chest)"]},
            {
                "kind": "commit",
                "furniture": "shelf",
                "verbs": ["place"],
                "raises": "spoiled",
                "when": ["is(where, floor)", "not held(cup, ben)"],
            },
            {"kind": "commit", "furniture": "bell", "raises": "rung"},
            {"kind": "memo", "about": "where", "to": ["ann"], "knower": ["ben"], "when": {"reader": "yes"}},
        ],
        "talk": {
            "atoms": 2,
            "fanout": 2,
            "broadcast_cost": "each",
            "windows": {"ben": [1, 3]},
            "kinds": ["value", "knows", "fact", "ignorant", "request", "intent", "ack"],
        },
        "goal": {
            "and": [
                "powered(lamp)",
                {"or": ["is(where, chest)", {"not": "held(key,ann)"}, {"not": {"and": ["open(box)", "at(ann, den)"]}}]},
                {"not": "flag(used bell)"},
            ]
        },
        "never": ["spoiled"],
        "private": {"ann": "in(cup, box)"},
        "wishes": [{"chain": ["ann", "ben"], "about": "where"}],
        "audible": ["powered(bell)"],
    }
    return parse_task({**content, **changes})


def triggered() -> Task:
    """Which lamp opens the chest is a secret; two doors change together."""
    task = everything(
        worlds=None,
        secrets={"where": {"values": ["lamp", "bell", "lamp2"]}, "reader": {"values": ["no", "yes"]}},
        mechanics=[{"kind": "remote_control", "trigger": "$where", "when": "on", "target": "chest", "set": "open"}],
        house={
            "rooms": {"hall": {}, "den": {}},
            "doors": {"gate": {"rooms": ["hall", "den"], "open": False}, "flap": {"rooms": ["hall", "den"]}},
            "furniture": {
                **{name: {"kind": "switch", "room": "den"} for name in ("lamp", "bell", "lamp2")},
                "chest": {"kind": "container", "room": "hall"},
                "box": {"kind": "container", "room": "hall"},
            },
            "things": {"cup": {"place": "in chest"}, "key": {"place": "floor den"}},
        },
        never=[],
        audible=[],
        goal="held(cup, ann)",
    )
    return replace(task, worlds=tuple(sorted(task.worlds)))


TASKS: dict[str, Callable[[], Task]] = {
    "fetch": fetch,
    "memo": memo,
    "silent memo": lambda: memo(acknowledge=False),
    "chain": chain,
    "letter": letter,
    "no windows": lambda: letter(windows=False, audible=False),
    "everything": everything,
    "triggered": triggered,
    "nothing hidden": lambda: fetch(secrets={}, goal="on(cup, table1)", house=_bare()),
    **{name: (lambda name=name: read_task(find_task(name))) for name in task_names()},  # type: ignore[misc]
}


def _bare() -> dict[str, Any]:
    return {
        "rooms": {"porch": {}, "study": {}, "hall": {}, "kitchen": {}},
        "furniture": {"table1": {"kind": "surface", "room": "hall"}},
        "things": {"cup": {"place": "floor hall"}},
    }


@pytest.mark.parametrize("name", TASKS)
def test_the_public_text_says_the_whole_task_and_no_more(name: str) -> None:
    task = TASKS[name]()
    for seed in range(3):
        assert meaning(understood(public_text(task, seed))) == meaning(task)


@pytest.mark.parametrize("name", ["memo", "letter", "everything", "triggered"])
def test_no_sentence_of_the_public_text_can_be_left_out(name: str) -> None:
    task = TASKS[name]()
    parts = re.split(r"(?<=\.) (?=[A-Z`])|(\n+)", public_text(task))
    for at, part in enumerate(parts):
        if part and part.strip() and not part.startswith("#") and part not in (NOBODY, NO_DOORS):
            left = "".join(f"{one} " if one and one.strip() else one or "" for n, one in enumerate(parts) if n != at)
            text = "\n".join(line.strip() for line in left.splitlines())
            try:
                assert meaning(understood(text)) != meaning(task), part
            except UserError:
                continue


@pytest.mark.parametrize("name", TASKS)
def test_no_text_tells_worlds_apart_that_one_cannot(name: str) -> None:
    assert leaks(ground(TASKS[name]())) == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"horizon": 7},
        {"never": ["spoiled", "rung"]},
        {"audible": []},
        {"goal": {"not": "powered(lamp)"}},
        {"worlds": None},
        {"notes": [{"to": "ben", "about": "where"}, {"to": "ben", "about": "reader"}]},
        {"talk": {"kinds": ["value"], "atoms": 2}},
        {"mechanics": [{"kind": "commit", "furniture": "bell", "raises": "spoiled", "when": "not powered(lamp)"}]},
        {"private": {}, "category": "cooperative"},
    ],
)
def test_another_task_has_another_text(changes: dict[str, Any]) -> None:
    assert public_text(everything(**changes)) != public_text(everything())


def test_a_line_that_says_nothing_of_a_task_is_refused() -> None:
    with pytest.raises(UserError, match="cannot be read as part of a house"):
        understood(public_text(fetch()).replace("# House", "# House\nBen likes tea."))


@pytest.mark.parametrize(
    "line",
    [
        'This raises the flag "rung".',
        "The moon can be used only in turn 2.",
        "When the cup flies, the shelf opens.",
    ],
)
def test_a_text_that_does_not_hang_together_is_refused(line: str) -> None:
    text = public_text(fetch()).replace("# Goal", f"# Rules\n{line}\n\n# Goal")
    with pytest.raises(UserError):
        understood(text)


@pytest.mark.parametrize(
    ("literal", "words"),
    [
        ("on(cup, $target)", "the cup is on the target"),
        ("not flag(used lever a)", 'the flag "used lever a" is not raised'),
        ("held(cup, ann)", "Ann holds the cup"),
        ("not held(cup, ann)", "Ann does not hold the cup"),
        ("is(target, table1)", "the target is the table1"),
        ("floor(cup, hall)", "the cup is on the floor of the hall"),
        ("at(ann, hall)", "Ann is in the hall"),
    ],
)
def test_literals_are_read_back(literal: str, words: str) -> None:
    task = fetch()
    assert in_words(literal, task) == words
    negated = {"not": literal.removeprefix("not ")} if literal.startswith("not ") else literal
    assert from_words(words, lexicon(task)) == negated


def test_a_private_text_says_notes_first_sights_and_ones_own_wish_alone() -> None:
    house = ground(everything())
    ann, ben = (private_text(house, (2, 1), agent) for agent in (0, 1))
    assert ann.splitlines()[:2] == ["You are Ann.", "You were told that Ben knows the where."]
    assert "Ann holds the key" in ann
    assert ann.endswith("You also want the cup to be in the box at the end.")
    assert "You were told that the where is hand and that the reader was yes." in ben
    assert "want" not in ben
    assert "lamp" not in ben  # the public text says that it is on
    assert "You were told" not in private_text(house, (0, 0), 0)


def _blab(house: Ground, world: World, agent: int) -> str:
    return f"{private_text(house, world, agent)}\nThe cup belongs on {house.task.value(world, 'target')}."


@pytest.mark.parametrize(
    "title",
    [
        "Tell Ben where the cup belongs",
        "The cup: ask Ann first",
        "Ann, tell Ben",
        "Ann should tell Ben",
        "The cup, and you need to share what you know",
        "Wait for the message and then place the cup",
        "Place the cup on the red table",
        "Ben does not know the table",
    ],
)
def test_a_title_that_gives_advice_is_found(title: str) -> None:
    house = ground(TASKS["fetch"]())
    advice = ground(replace(house.task, title=title))
    assert "the title says" in leaks(advice)
    with pytest.raises(UserError, match="the title says"):
        certify(advice.task)


@pytest.mark.parametrize("title", ["Message in a bottle", "Place cards", "The open door", "Through whom?"])
def test_a_title_that_names_a_subject_is_not_advice(title: str) -> None:
    assert leaks(ground(replace(TASKS["fetch"](), title=title))) == ""


def test_a_text_that_leaks_is_found_with_two_worlds_that_it_tells_apart() -> None:
    house = ground(fetch())
    found = leaks(house, private=_blab)
    assert found.startswith("ann cannot distinguish the world with target = table1 from the world with target = table2")


def test_what_one_reads_or_sees_may_differ() -> None:
    """Ann of the note is told the value of her own, which is no leak; another's value would be."""
    house = ground(memo())
    assert private_text(house, (0, 0, 0), 0) != private_text(house, (1, 0, 0), 0)
    found = leaks(house, private=lambda h, w, i: private_text(h, w, i) + (str(w[1]) if i == 1 else ""))
    assert found.startswith("ben cannot distinguish")


@pytest.mark.parametrize("phrase", ["You should tell Ben.", "Ben does not know the table.", "make_sure"])
def test_advice_and_remarks_on_ignorance_are_found(phrase: str) -> None:
    house = ground(fetch())
    assert "says" in leaks(house, public=f"{public_text(house.task)}\n{phrase}")
    assert "ann" in leaks(house, private=lambda h, w, i: f"{private_text(h, w, i)}\n{phrase}")


def test_names_that_give_advice_are_found_too() -> None:
    task = everything(never=["spoiled"], mechanics=[{"kind": "commit", "furniture": "bell", "raises": "spoiled"}])
    told = replace(task, never=("you_should_tell_ben",))
    assert leaks(ground(task)) == ""
    assert "you should" in leaks(replace(ground(task), task=told))


def test_percepts_in_words() -> None:
    house = ground(fetch())
    start = begin(house, (1,))
    message = Message(0, (1,), (("value", "target", "table2"),))
    state, outcome = step(house, start, (message, "pick(cup)"))
    assert percept_text(house, message, perceive(house, start, state, outcome, 0)).splitlines() == [
        "Your act tell(ben, value(target, table2)) was done.",
        "You are in the porch, alone.",
    ]
    assert percept_text(house, "pick(cup)", perceive(house, start, state, outcome, 1)).splitlines() == [
        "Your act pick(cup) was done.",
        "Ann tells you: the target is the table2.",
        "You are in the hall, alone.",
        "You see: Ben holds the cup.",
    ]
    after, outcome = step(house, state, ("navigate(hall)", "pick(cup)"))
    told = percept_text(house, "pick(cup)", perceive(house, state, after, outcome, 1))
    assert told.startswith("Your act pick(cup) had no effect: pick(cup) is not possible now.\nAnn came in.\n")
    assert "You are in the hall with Ann." in told
    last, outcome = step(house, after, (WAIT, "place(cup, on, shelf)"))
    told = percept_text(house, WAIT, perceive(house, after, last, outcome, 0))
    assert "Ben did place(cup, on, shelf) here." in told
    gone, outcome = step(house, last, (WAIT, "navigate(kitchen)"))
    assert "Ben went out." in percept_text(house, WAIT, perceive(house, last, gone, outcome, 0))


def test_what_is_heard_in_the_whole_house_in_words() -> None:
    house = ground(letter())
    start = begin(house, (0, 0, 0, 0))
    state, outcome = step(house, start, ("toggle(lever_a)", WAIT, WAIT))
    assert "You hear that the lever a is on." in percept_text(house, WAIT, perceive(house, start, state, outcome, 2))


@pytest.mark.parametrize(
    ("atom", "words"),
    [
        (("value", "target", "table1"), "the target is the table1"),
        (("fact", "on(cup, shelf)"), "the cup is on the shelf"),
        (("knows", "ben", "target"), "Ben knows which one is the target"),
        (("ignorant", "ben", "target"), "Ben has not learned the target"),
        (("request", "ben", "pick(cup)"), "Ben, please do pick(cup)"),
        (("intent", "pick(cup)"), "I am going to do pick(cup)"),
        (("ack", "ben"), "I have heard the message of Ben"),
    ],
)
def test_whatever_is_said_has_words(atom: tuple[str, ...], words: str) -> None:
    assert atom_words(atom, fetch()) == words


def test_questions_name_neither_values_nor_the_goal() -> None:
    task = memo()
    asked = [
        ProbeQuestion(0, "value", (), 0),
        ProbeQuestion(0, "thinks", (1,), 0),
        ProbeQuestion(0, "knows", (1,), 0),
        ProbeQuestion(0, "knows", (1, 2), 1),
    ]
    told = [probe_text(task, probe) for probe in asked]
    assert told == [
        "What is the secret for_ben?",
        "What does ben think that the secret for_ben is?",
        "Does ben know what the secret for_ben is?",
        "Does ben know that cleo knows what the secret for_cleo is?",
    ]
