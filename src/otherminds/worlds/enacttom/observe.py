"""What each person perceives at the end of a turn, and nothing else: the one file to review for leaks (spec 3.5)."""

from __future__ import annotations

from typing import NamedTuple

from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.mechanics import MANIPULATIONS
from otherminds.worlds.enacttom.messages import Message
from otherminds.worlds.enacttom.rules import State, TurnResult, begin
from otherminds.worlds.enacttom.types import World

Note = tuple[str, str]  # its subject, and what it says


class Percept(NamedTuple):
    """What one person perceives after one turn.

    Attributes:
        room: the person's room.
        seen: the variables that are visible there, with their values.
        people: the others in the room.
        deeds: the deeds of others in the room in this turn, as (person, name).
        arrived: the people who came in this turn.
        left: the people who went out this turn.
        heard: the labels of what was heard in the whole house.
        messages: the messages to the person in this turn; it can act on them in the next.
        refused: the reason why its own act had no effect; empty if it had one.
    """

    room: int
    seen: tuple[tuple[int, int], ...]
    people: tuple[int, ...]
    deeds: tuple[tuple[int, str], ...] = ()
    arrived: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    heard: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    refused: str = ""


def notes(ground: Ground, world: World, agent: int) -> tuple[Note, ...]:
    """The notes that a person reads before the first turn, in a world (spec 3.7)."""
    task, name = ground.task, ground.task.names[agent]
    return tuple(
        (" knows that ".join(note.knower) + " knows", note.about)
        if note.knower
        else (note.about, task.value(world, note.about))
        for note in task.notes
        if note.to == name and task.applies(note, world)
    )


def opening(ground: Ground, world: World, agent: int) -> tuple[tuple[Note, ...], Percept]:
    """What a person perceives before the first turn: its notes, and its first look."""
    return notes(ground, world, agent), first_look(ground, begin(ground, world), agent)


def first_look(ground: Ground, state: State, agent: int) -> Percept:
    """What a person sees in its room before the first turn."""
    room = state.values[ground.rooms_of[agent]]
    people = [other for other, at in enumerate(ground.rooms_of) if other != agent and state.values[at] == room]
    return Percept(room, visible(ground, state, room), tuple(people))


def perceive(ground: Ground, before: State, state: State, outcome: TurnResult, agent: int) -> Percept:
    """What a person perceives after a turn."""
    return perceive_all(ground, before, state, outcome)[agent]


def perceive_all(ground: Ground, before: State, state: State, outcome: TurnResult) -> list[Percept]:
    """What each person perceives after a turn; what can be seen in a room is looked up once."""
    rooms, was, now = ground.rooms_of, before.values, state.values
    seen, messages = {room: visible(ground, state, room) for room in {now[at] for at in rooms}}, outcome.messages
    percepts = []
    for agent, own in enumerate(rooms):
        room = now[own]
        people, deeds, arrived, left = [], [], [], []
        for other, at in enumerate(rooms):
            if other == agent:
                continue
            if now[at] == room:
                people.append(other)
                act = outcome.acts[other]
                if type(act) is str and not outcome.refused[other] and act.partition("(")[0] in MANIPULATIONS:
                    deeds.append((other, act))
                if was[at] != room:
                    arrived.append(other)
            elif was[at] == room:
                left.append(other)
        told = tuple([message for message in messages if agent in message.to]) if messages else ()
        others = tuple(people), tuple(deeds), tuple(arrived), tuple(left)
        percepts.append(Percept(room, seen[room], *others, outcome.events, told, outcome.refused[agent]))
    return percepts


def visible(ground: Ground, state: State, room: int) -> tuple[tuple[int, int], ...]:
    """The variables that are visible in a room, with their values."""
    values, seen = state.values, []
    for variable, ways in ground.seen_in[room]:
        value = values[variable]
        for tests in ways.get(value, ()):
            for test in tests:
                if (values[test.variable] == test.value) != test.is_equal:
                    break
            else:
                seen.append((variable, value))
                break
    return tuple(seen)
