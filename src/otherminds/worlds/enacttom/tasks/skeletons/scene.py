"""A house that is being turned into a task: parts of a plot ask it for people, rooms, furniture and things."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.houses.additions import add_furniture, add_things
from otherminds.worlds.enacttom.houses.house import House
from otherminds.worlds.enacttom.houses.sample import FURNITURE
from otherminds.worlds.enacttom.types import VERBS, Furniture, Thing

Content = dict[str, Any]  # a task as in its file, without certificate and provenance
SIGNS = ("notice_board", "wall_calendar", "chalkboard", "pinboard", "whiteboard", "letter_rack")
# What limits messages can also be a rule of the house.
_TALK_RULES = {"budgets": ("limited_bandwidth", "limits"), "channels": ("restricted_communication", "channels")}
_SEARCHED = 8  # the most worlds of a task in which a thing has to be searched for
_ALARM = "alarm"  # the flag of a switch that must not be touched
_RUNNING = ("navigate", "open", "pick", "place", "wait")  # no switches, on which others rely
_TAKES = {  # what people with a job can do
    "in": ("navigate", "open", "pick", "place", "tell", "wait"),
    "on": ("navigate", "open", "pick", "place", "tell", "wait"),
    "switch": ("navigate", "open", "toggle", "tell", "wait"),
}
_STAYING = ("toggle", "tell", "wait")


class Unfit(UserError):
    """A house has no place for a part of a plot."""


@dataclass(frozen=True)
class Job:
    """Something that one person has to do, and that only a secret tells how.

    Attributes:
        actor: who has to do it.
        secret: what must be known.
        goal: the formula that holds when it is done.
        untouched: the formula that holds as long as it is not begun.
        room: where it is done.
        furniture: the pieces to choose from.
        thing: what has to be put there, if anything.
    """

    actor: str
    secret: str
    goal: Any
    untouched: Any
    room: str
    furniture: tuple[str, ...]
    thing: str = ""
    relation: str = ""  # of the thing to the furniture: ``in`` or ``on``

    @property
    def is_tidy(self) -> Any:
        """The formula that holds if it is done rightly or not at all: nobody may try what it is not sure of."""
        return {"or": [self.goal, self.untouched]}


class Scene:
    """A task in the making. Rooms that were given to a part of the plot are not given to another."""

    def __init__(self, draw: Draw, house: House, people: Sequence[str]) -> None:
        self.draw, self.house = draw, house
        self._sampled = {*(part.name for part in house.furniture), *(thing.name for thing in house.things)}
        self._names, self._rooms = list(people), draw.some(rooms := house.rooms_of(), len(rooms))
        self._signs = draw.some(SIGNS, len(SIGNS))
        # Things lie where everybody may go: at a hub, or in a room that no part of the plot gets.
        self._public = [*house.hubs, next(room for room in reversed(self._rooms) if room not in house.hubs)]
        self._rooms = [room for room in self._rooms if room not in self._public]
        self.people: dict[str, Content] = {}
        self.secrets: dict[str, Content] = {}
        self.mechanics: list[Content] = []
        self.channels: dict[str, list[str]] = {}
        self.budgets: dict[str, int] = {}
        self.kinds = ["value", "knows"]
        self.goal: list[Any] = []
        self.wishes: list[Content] = []
        self.private: Content = {}
        self.jobs: list[Job] = []
        self.audible: list[str] = []
        self.never: list[str] = []  # flags that must not be raised
        self.house_rules: list[str] = []  # of messages: ``budgets`` and ``channels``

    # Rooms and people.

    def room(self, *, is_end: bool = True) -> str:
        """A room of its own, at the end of a way if possible."""
        ends = [room for room in self._rooms if not is_end or room in self.house.dead_ends]
        if not ends and not self._rooms:
            raise Unfit("the house has too few rooms for this plot")
        room = (ends or self._rooms)[0]
        self._rooms.remove(room)
        return room

    def resident(self, job: str = "") -> str:
        """A person who walks through the house and starts where everybody may go.

        Args:
            job: its job, if it can do no more than what that takes.
        """
        return self._person(self.draw.pick(self._public), _TAKES.get(job))

    def caller(self, room: str) -> str:
        """A person who stays in a room: it can switch what is there, and talk."""
        return self._person(room, _STAYING)

    def _person(self, room: str, verbs: Iterable[str] | None = None) -> str:
        if not self._names:
            raise Unfit("the plot needs more people than there are names")
        name = self._names.pop(0)
        self.people[name] = {"room": room, **({"verbs": list(verbs)} if verbs else {})}
        return name

    def guest(self) -> None:
        """A person who walks about and can do nothing else."""
        self._person(self.draw.pick(self._public), ("navigate", "wait"))

    def bar(self, people: Iterable[str], *rooms: str, verb: str = "navigate") -> None:
        """Rooms that people may not enter; only those are named who walk about and could do something there."""
        barred = [name for name in people if {"navigate", verb}.issubset(self.people[name].get("verbs", VERBS))]
        if barred and rooms:
            self.mechanics.append({"kind": "room_restriction", "agents": barred, "rooms": list(rooms)})

    # What has to be done.

    def furniture(self, room: str, kind: str, number: int) -> list[str]:
        """New furniture of one kind in a room, closed or switched off."""
        self.house, names = add_furniture(self.house, self.draw, room, kind, number)
        plain = {name: replace(part, is_on=False, is_open=False) for name, part in self._parts(names).items()}
        kept = tuple(plain.get(part.name, part) for part in self.house.furniture)
        self.house = replace(self.house, furniture=kept)
        return names

    def _parts(self, names: Iterable[str]) -> dict[str, Furniture]:
        return {part.name: part for part in self.house.furniture if part.name in set(names)}

    def job(self, actor: str, kind: str, values: int, room: str) -> Job:
        """A job for a person: put a thing ``in`` or ``on`` the right piece, ``switch`` one on, or use a ``code``."""
        if kind == "switch":
            names = self.furniture(room, "switch", values)
            secret = self.secret(f"{actor}_switch", names)
            goal = {"only": {"of": names, "is": f"${secret}"}}
            self.jobs.append(Job(actor, secret, goal, {"none": names}, room, tuple(names)))
            return self.jobs[-1]
        if kind == "code":
            return self._behind_a_code(actor, values, room)
        names = self.furniture(room, "container" if kind == "in" else "surface", values)
        thing, shelf = self.thing(room)
        secret = self.secret(f"place_of_{thing}", names)
        left = f"on({thing}, {shelf})"
        self.jobs.append(Job(actor, secret, f"{kind}({thing}, ${secret})", left, room, tuple(names), thing, kind))
        return self.jobs[-1]

    def each_alone(self) -> None:
        """Nobody can do the job of another."""
        for job in self.jobs:
            self.bar([other.actor for other in self.jobs if other != job], job.room)

    def _behind_a_code(self, actor: str, values: int, room: str) -> Job:
        """Take a thing through a locked door. The right one of several switches opens it; another raises an alarm."""
        doors = self.house.doors_of(room)
        if len(doors) != 1:
            raise Unfit("the room of the job has several doors")
        self.house = self.house.with_door(doors[0].name, is_open=False, is_locked=True)
        switches = self.furniture(self.draw.pick(self._public), "switch", values)
        table, secret = self.furniture(room, "surface", 1)[0], self.secret(f"switch_of_{doors[0].name}", switches)
        thing, _ = self.thing(room)
        self.mechanics += [
            {
                "kind": "remote_control",
                "trigger": f"${secret}",
                "when": "on",
                "target": doors[0].name,
                "set": "unlocked",
            },
            # Of each of them, so that nobody can find the right one by trying the others.
            *(
                {"kind": "commit", "furniture": name, "raises": _ALARM, "when": [f"not is({secret}, {name})"]}
                for name in switches
            ),
        ]
        self.never = [_ALARM]
        goal = f"on({thing}, {table})"
        self.jobs.append(Job(actor, secret, goal, {"none": switches}, room, tuple(switches), thing, "on"))
        return self.jobs[-1]

    def _hidden(self, boxes: list[str], table: str) -> tuple[str, str]:
        """A thing in one of several containers, as a secret says; it might as well lie on a table."""
        self.house, (thing,) = add_things(self.house, self.draw, 1, at=[table])
        secret = self.secret(f"place_of_{thing}", boxes)
        hidden = Thing.from_file(thing, tuple(f"in {box}" for box in boxes), secret)
        self.house = replace(self.house, things=(*self.house.things[:-1], hidden))
        return thing, secret

    def thing(self, away_from: str) -> tuple[str, str]:
        """A thing that lies openly in a room that everybody may enter, and the surface on which it lies."""
        holders = [
            part.name
            for part in self.house.furniture
            if part.room in self._public and part.room != away_from and part.kind == "surface"
        ]
        self.house, names = add_things(self.house, self.draw, 1, at=holders)
        return names[0], self.house.things[-1].place.partition(" ")[2]

    def errand(self, number: int, *, has_lids: bool = True) -> None:
        """A person with things to put away that everybody knows of, in a room that nobody else may enter.

        Without ``has_lids`` nothing has to be opened, and the person cannot open what others need a trick for.
        """
        room, others = self.room(), list(self.people)
        runner = self.resident()
        self.people[runner]["verbs"] = [verb for verb in _RUNNING if has_lids or verb != "open"]
        self.bar(others, room, verb="place")
        if any(job.thing for job in self.jobs):  # which whoever reads a sign could do
            self.bar([runner], *(part.room for part in self.house.furniture if part.kind == "sign" and part.shows))
        closed = ["find", "stow"] if 2 * self.worlds <= _SEARCHED else ["stow"]
        kinds = ["carry", self.draw.pick(closed) if has_lids else "carry"]
        for kind in kinds if number > 1 else [self.draw.pick(kinds)]:
            self._put_away(kind, runner, room)

    def _put_away(self, kind: str, runner: str, room: str) -> None:
        """One thing: ``carry`` it in from another room, ``stow`` it in a container, or ``find`` in which one it is."""
        table = self.furniture(room, "surface", 1)[0]
        if kind == "carry":
            thing, _ = self.thing(room)
            self.goal.append(f"on({thing}, {table})")
            return
        boxes = self.furniture(room, "container", 2 if kind == "find" else 1)
        if kind == "stow":
            self.house, (thing,) = add_things(self.house, self.draw, 1, at=[table])
            self.goal.append(f"in({thing}, {boxes[0]})")
        else:
            thing, _ = self._hidden(boxes, table)
            self.goal.append(f"on({thing}, {table})")

    @property
    def worlds(self) -> int:
        """The number of worlds so far."""
        return prod(len(secret["values"]) for secret in self.secrets.values())

    def lever(self, room: str) -> str:
        """A switch of its own."""
        return self.furniture(room, "switch", 1)[0]

    def clear(self, number: int) -> None:
        """Take out what would only make the text longer: things that came with the house, and what then is empty."""
        idle = [thing.name for thing in self.house.things if thing.name in self._sampled]
        many = min(len(idle), max(0, len(self.house.things) - number))
        gone = set(self.draw.some(idle, many))
        self.house = replace(self.house, things=tuple(thing for thing in self.house.things if thing.name not in gone))
        empty = [part.name for part in self.house.furniture if not self.house.things_at(part.name)]
        bare = [name for name in empty if name in self._sampled]
        gone = set(self.draw.some(bare, min(len(bare), max(0, len(self.house.furniture) - FURNITURE[0]))))
        self.house = replace(
            self.house, furniture=tuple(part for part in self.house.furniture if part.name not in gone)
        )

    # What people know, and how.

    def secret(self, name: str, values: Sequence[str], sort: str = "objective") -> str:
        """A new secret."""
        self.secrets[name] = {"values": list(values), "sort": sort}
        return name

    def note(self, to: str, about: str, *knower: str, when: Mapping[str, str] | None = None) -> None:
        """A note before the first turn: a secret, or that others know it."""
        chain = {"knower": knower[0] if len(knower) == 1 else list(knower)} if knower else {}
        when_ = {"when": dict(when)} if when else {}
        self.mechanics.append({"kind": "memo", "to": to, "about": about, **chain, **when_})

    def sign(self, room: str, secret: str) -> None:
        """A sign that shows a secret to all who are in a room."""
        name = self._signs.pop()
        self.house = replace(self.house, furniture=(*self.house.furniture, Furniture(name, "sign", room, shows=secret)))

    def line(self, speaker: str, *listeners: str, messages: int = 1) -> None:
        """A line over which a person can send a number of messages."""
        self.channels.setdefault(speaker, []).extend(name for name in listeners)
        self.budgets[speaker] = self.budgets.get(speaker, 0) + messages

    def wish(self, about: str, *chain: str, when: Mapping[str, str] | None = None) -> None:
        """A K-goal."""
        self.wishes.append({"chain": list(chain), "about": about, **({"when": dict(when)} if when else {})})

    # The whole.

    def content(self, title: str, horizon: int) -> Content:
        """The content of the task."""
        goal = self.goal[0] if len(self.goal) == 1 else {"and": self.goal}
        with_switch = {part.room for part in self.house.furniture if part.kind == "switch"}
        for person in self.people.values():
            if person.get("verbs") == list(_STAYING) and person["room"] not in with_switch:
                person["verbs"] = [verb for verb in _STAYING if verb != "toggle"]
        talk: Content = {"channels": self.channels, "budgets": self.budgets, "kinds": self.kinds}
        for field in self.house_rules:
            kind, word = _TALK_RULES[field]
            self.mechanics.append({"kind": kind, word: talk.pop(field)})
        return {
            "title": title,
            "category": "mixed" if self.private else "cooperative",
            "horizon": horizon,
            "house": self.house.content(),
            "people": self.people,
            "secrets": self.secrets,
            "mechanics": self.mechanics,
            "talk": talk,
            "goal": goal,
            **({"never": self.never} if self.never else {}),
            **({"private": self.private} if self.private else {}),
            **({"audible": self.audible} if self.audible else {}),
            "wishes": self.wishes,
        }
