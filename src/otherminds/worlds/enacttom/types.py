"""The parts of a task: a house, its people, what is hidden, how they may talk, and the goal.

A task is plain data, and the types of its fields say how its file is read and written. What can be done in the house
is worked out once, in ``ground``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import Annotated, Any, Literal, get_args

from otherminds.worlds.enacttom.fields import box, count, distinct, generated, text, window, word

Kind = Literal["surface", "container", "switch", "sign", "fixture"]
Verb = Literal["navigate", "open", "close", "toggle", "pick", "place", "tell", "wait", "done"]
VERBS: tuple[Verb, ...] = get_args(Verb)
World = tuple[int, ...]  # for each secret, the index of its true value
Formula = Any  # a literal such as "on(cup, $table)", or {"and": […]}, {"or": […]}, {"not": …}

# Names that a task file must define elsewhere; see ``read.readers_of_names``.
RoomName = Annotated[str, "room"]
PersonName = Annotated[str, "person"]
SecretName = Annotated[str, "secret"]
When = Annotated[tuple[tuple[str, str], ...], "when"]  # secrets and their values


@dataclass(frozen=True)
class Room:
    """A room and its place on the floor plan, which is for drawing only."""

    name: str
    box: Annotated[tuple[int, int, int, int], box] = (0, 0, 4, 4)  # x, y, width, height


@dataclass(frozen=True)
class Door:
    """A way between two rooms; ``one_way`` leads from the first to the second."""

    name: str
    rooms: Annotated[tuple[str, str], "two rooms"]
    is_open: bool = True
    is_locked: bool = False
    one_way: bool = False

    @classmethod
    def from_file(cls, is_locked: bool = False, **fields: Any) -> Door:
        """A door from the fields that are given: a locked one is closed, unless it is said to be open."""
        return cls(**{"is_open": not is_locked, "is_locked": is_locked, **fields})


@dataclass(frozen=True)
class Furniture:
    """Something that stays in its room. A sign shows the value of a secret to whoever is there."""

    name: str
    kind: Kind
    room: RoomName
    is_open: bool = False  # containers
    is_locked: bool = False
    is_on: bool = False  # switches
    shows: SecretName | None = None  # signs


@dataclass(frozen=True)
class Thing:
    """Something that can be carried. Where it is may depend on a secret."""

    name: str
    place: Annotated[str, "place"]  # "on table", "in fridge", "floor hall" or "held ann"
    depends_on: SecretName | None = None  # then ``places`` has a place for each of its values
    places: tuple[str, ...] = field(default=(), metadata={"in_file": False})

    @classmethod
    def from_file(cls, name: str, place: str | tuple[str, ...], depends_on: str | None = None) -> Thing:
        """A thing from the fields that are given: ``place`` is one, or one for each value of a secret."""
        if isinstance(place, str):
            return cls(name, place, depends_on)
        return cls(name, next(iter(place), ""), depends_on, place)


@dataclass(frozen=True)
class Person:
    """A person, who acts in the house."""

    name: str
    room: RoomName
    verbs: tuple[Verb, ...] = VERBS


@dataclass(frozen=True)
class Secret:
    """A variable that not everybody knows.

    ``objective`` ones are about the house (which table, which switch), ``informational`` ones about who was told what.
    """

    name: str
    values: Annotated[tuple[str, ...], distinct]
    sort: Literal["objective", "informational"] = "objective"


@dataclass(frozen=True)
class Note:
    """What a person is told before the first turn: the value of a secret, or that others know it.

    Attributes:
        to: the reader.
        about: the secret.
        knower: people, if the note does not give the value but says that the first knows that the next … knows it.
        when: secrets and values; the note exists only in worlds where the secrets have these values.
    """

    to: PersonName
    about: SecretName
    knower: tuple[PersonName, ...] = ()
    when: When = ()


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

    channels: dict[PersonName, tuple[PersonName, ...]] = field(default_factory=dict, hash=False)
    budgets: dict[PersonName, int] = field(default_factory=dict, hash=False)
    atoms: Annotated[int, count] = 1
    fanout: Annotated[int, count] = 1
    broadcast_cost: Literal["one", "each"] = "one"
    windows: dict[PersonName, Annotated[tuple[int, int], window]] = field(default_factory=dict, hash=False)
    kinds: tuple[Annotated[str, "kind of content"], ...] = ("value", "knows")


@dataclass(frozen=True)
class Wish:
    """A K-goal: the chain's first knows that the second knows … a secret, in worlds where that is asked."""

    chain: Annotated[tuple[str, ...], "chain"]
    about: SecretName
    when: When = ()


def every_world(secrets: Iterable[Secret]) -> tuple[World, ...]:
    """All combinations of the values of some secrets."""
    return tuple(product(*(range(len(secret.values)) for secret in secrets)))


@dataclass(frozen=True, kw_only=True)
class Task:
    """A whole task."""

    id: Annotated[str, word]
    title: Annotated[str, text]
    category: Literal["cooperative", "mixed"]
    horizon: Annotated[int, count]  # turns
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...] = ()
    furniture: tuple[Furniture, ...]
    things: tuple[Thing, ...] = ()
    people: tuple[Person, ...]
    secrets: tuple[Secret, ...] = ()
    notes: Annotated[tuple[Note, ...], "notes"] = ()
    mechanics: Annotated[tuple[Mechanic, ...], "mechanics"] = ()
    talk: Talk = Talk()
    goal: Formula = field(hash=False)
    private: dict[PersonName, Formula] = field(default_factory=dict, hash=False)
    never: tuple[str, ...] = ()  # flags that must not be raised
    wishes: tuple[Wish, ...] = ()
    audible: tuple[str, ...] = ()  # literals whose coming true is heard in the whole house
    certificate: Annotated[dict[str, Any], generated] = field(default_factory=dict, hash=False)
    provenance: Annotated[dict[str, Any], generated] = field(default_factory=dict, hash=False)
    worlds: Annotated[tuple[World, ...], "worlds"]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of the people, in the order of their seats."""
        return tuple(person.name for person in self.people)

    def secret(self, name: str) -> int:
        """The index of a secret."""
        return [secret.name for secret in self.secrets].index(name)

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
