"""A story for other programs: each event by name, with those who perceive it and those who are thought to."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from otherminds.worlds.tomi.rules import History
from otherminds.worlds.tomi.types import (
    NOWHERE,
    Announce,
    Enter,
    Exit,
    Furnish,
    Move,
    Names,
    Remark,
    Ring,
    Story,
    Tell,
    members,
)


def events(story: Story, names: Names) -> tuple[dict[str, Any], ...]:
    """Every event as a flat record; ``real`` perceive it, ``apparent`` are commonly thought to."""
    places = [NOWHERE] * story.num_agents
    described: list[dict[str, Any]] = []

    def within(room: int) -> int:
        return sum(1 << agent for agent, place in enumerate(places) if place == room)

    for event in story.events:
        real = apparent = 0
        record: dict[str, Any]
        match event:
            case Enter(agent, room, is_already):
                places[agent] = room
                real = apparent = within(room)
                record = {
                    "type": "already" if is_already else "enter",
                    "agent": names.agents[agent],
                    "room": names.rooms[room],
                }
            case Exit(agent, room):
                real = apparent = within(room)
                places[agent] = NOWHERE
                record = {"type": "exit", "agent": names.agents[agent], "room": names.rooms[room]}
            case Furnish(room, containers):
                listed = [names.containers[container] for container in containers]
                record = {"type": "furnish", "room": names.rooms[room], "containers": listed}
            case Announce(thing, container):
                real = apparent = within(story.homes[container])
                record = {"type": "announce", **_about(names, thing, container)}
            case Move(agent, thing, container, peekers, distracted):
                apparent = within(story.homes[container])
                real = apparent & ~distracted | peekers
                record = {"type": "move", "agent": names.agents[agent], **_about(names, thing, container)}
            case Tell(speaker, listener, thing, container, is_aloud):
                real = apparent = within(places[speaker]) if is_aloud else 1 << speaker | 1 << listener
                pair = {"agent": names.agents[speaker], "listener": names.agents[listener]}
                record = {"type": "aloud" if is_aloud else "whisper", **pair, **_about(names, thing, container)}
            case Remark(agent, verb, word):
                record = {"type": "remark", "agent": names.agents[agent], "verb": verb, "thing": word}
            case Ring():
                record = {"type": "ring"}
        described.append({**record, "real": _people(names, real), "apparent": _people(names, apparent)})
    return tuple(described)


def beliefs(history: History, names: Names, thing: int, agents: tuple[int, ...], order: int) -> dict[str, str]:
    """Where each chain of different people expects an object, down to an order; chains joined by ``>``."""
    found: dict[str, str] = {}
    for depth in range(1, order + 1):
        for chain in permutations(agents, depth):
            container = history.beliefs.belief(chain, thing)
            if container is not None:
                found[">".join(names.agents[agent] for agent in chain)] = names.containers[container]
    return found


def _about(names: Names, thing: int, container: int) -> dict[str, str]:
    return {"object": names.objects[thing], "container": names.containers[container]}


def _people(names: Names, mask: int) -> list[str]:
    return [names.agents[agent] for agent in members(mask)]
