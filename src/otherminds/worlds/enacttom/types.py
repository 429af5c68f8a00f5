"""What a task is: a house, its people, what is hidden, how they may talk, and what they are to bring about.

A task is plain data, as read from its file. What can be done in it is worked out once, in ``ground``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Literal

Kind = Literal["surface", "container", "switch", "sign", "fixture"]
KINDS: tuple[Kind, ...] = ("surface", "container", "switch", "sign", "fixture")
VERBS = ("navigate", "open", "close", "toggle", "pick", "place", "tell", "wait", "done")
CATEGORIES = ("cooperative", "mixed")
World = tuple[int, ...]  # for each secret, which of its values is true


@dataclass(frozen=True)
class Room:
    """A room and its place on the floor plan, which is for drawing only."""

    name: str
    box: tuple[int, int, int, int] = (0, 0, 4, 4)  # x, y, width, height


@dataclass(frozen=True)
class Door:
    """A way between two rooms; ``one_way`` leads from the first to the second."""

    name: str
    rooms: tuple[str, str]
    is_open: bool = True
    is_locked: bool = False
    one_way: bool = False


@dataclass(frozen=True)
class Furniture:
    """Something that stays in its room. A sign shows the value of a secret to whoever is there."""

    name: str
    kind: Kind
    room: str
    is_open: bool = False  # containers
    is_locked: bool = False
    is_on: bool = False  # switches
    shows: str | None = None  # signs


@dataclass(frozen=True)
class Thing:
    """Something that can be carried. Where it is may depend on a secret."""

    name: str
    place: str  # "on table", "in fridge", "floor hall" or "held ann"
    depends_on: str | None = None  # a secret; then ``places`` has a place for each of its values
    places: tuple[str, ...] = ()


@dataclass(frozen=True)
class Person:
    """One who acts."""

    name: str
    room: str
    verbs: tuple[str, ...] = VERBS


@dataclass(frozen=True)
class Secret:
    """A variable that not everybody knows.

    ``objective`` ones are about the house (which table, which switch), ``informational`` ones about who was told what.
    """

    name: str
    values: tuple[str, ...]
    sort: Literal["objective", "informational"] = "objective"


@dataclass(frozen=True)
class Note:
    """What a person is told before the first turn: the value of a secret, or that others know it.

    Attributes:
        to: who reads it.
        about: the secret.
        knower: if given, the note does not say the value but that the first of these knows that the next … knows it.
        when: only in worlds in which these secrets have these values.
    """

    to: str
    about: str
    knower: tuple[str, ...] = ()
    when: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Mechanic:
    """A rule of this house; what its fields mean is said in ``mechanics``."""

    kind: str
    fields: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Talk:
    """Who may tell whom how much.

    Attributes:
        channels: for each person, those it can reach.
        budgets: messages that each may send in all.
        atoms: pieces of content in one message.
        fanout: recipients of one message.
        broadcast_cost: what a message to several costs: ``one``, or ``each`` for one unit a recipient.
        windows: turns in which each can send messages; any if it is not there.
        kinds: of content that can be said.
    """

    channels: dict[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    budgets: dict[str, int] = field(default_factory=dict, hash=False)
    atoms: int = 1
    fanout: int = 1
    broadcast_cost: Literal["one", "each"] = "one"
    windows: dict[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    kinds: tuple[str, ...] = ("value", "knows")


@dataclass(frozen=True)
class Wish:
    """A K-goal: the chain's first knows that the second knows … a secret, in worlds where that is asked."""

    chain: tuple[str, ...]
    about: str
    when: tuple[tuple[str, str], ...] = ()


def every_world(secrets: Iterable[Secret]) -> tuple[World, ...]:
    """All combinations of the values of some secrets."""
    return tuple(product(*(range(len(secret.values)) for secret in secrets)))


Formula = Any  # a literal such as "on(cup, $table)", or {"and": […]}, {"or": […]}, {"not": …}


@dataclass(frozen=True)
class Task:
    """A whole task."""

    id: str
    title: str
    category: str
    horizon: int  # turns
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    furniture: tuple[Furniture, ...]
    things: tuple[Thing, ...]
    people: tuple[Person, ...]
    secrets: tuple[Secret, ...]
    worlds: tuple[World, ...]
    goal: Formula = field(hash=False)
    notes: tuple[Note, ...] = ()
    mechanics: tuple[Mechanic, ...] = ()
    talk: Talk = Talk()
    private: dict[str, Formula] = field(default_factory=dict, hash=False)
    never: tuple[str, ...] = ()  # flags that must not be raised
    wishes: tuple[Wish, ...] = ()
    audible: tuple[str, ...] = ()  # literals whose coming true is heard in the whole house
    certificate: dict[str, Any] = field(default_factory=dict, hash=False)
    provenance: dict[str, Any] = field(default_factory=dict, hash=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the people, in the order of their seats."""
        return tuple(person.name for person in self.people)

    def secret(self, name: str) -> int:
        """Where a secret is."""
        return next(at for at, secret in enumerate(self.secrets) if secret.name == name)

    def value(self, world: World, secret: str) -> str:
        """What is true of a secret in a world."""
        at = self.secret(secret)
        return self.secrets[at].values[world[at]]

    def numbers(self, names: Iterable[str]) -> tuple[int, ...]:
        """The numbers of people."""
        return tuple(map(self.names.index, names))

    def applies(self, one: Note | Wish, world: World) -> bool:
        """Whether a note is there in a world, or a wish holds there."""
        return all(self.value(world, secret) == value for secret, value in one.when)

    def describe(self, world: World) -> str:
        """The values of all secrets in a world, for people."""
        return ", ".join(f"{secret.name} = {secret.values[at]}" for secret, at in zip(self.secrets, world, strict=True))

    def barred(self, name: str) -> list[str]:
        """The rooms that somebody can neither enter nor cross, in the order of rooms."""
        limits = [one.fields for one in self.mechanics if one.kind == "room_restriction"]
        found = {room for one in limits if name in one["agents"] for room in one["rooms"]}
        return [room.name for room in self.rooms if room.name in found]

    @property
    def is_product(self) -> bool:
        """Whether every combination of values is a possible world."""
        return len(self.worlds) == prod(len(secret.values) for secret in self.secrets)

    @property
    def speakers(self) -> list[str]:
        """Who can send a message to anybody at all."""
        talk = self.talk
        able = [one.name for one in self.people if "tell" in one.verbs]
        return [name for name in able if talk.channels.get(name) and talk.budgets.get(name)]
