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

from otherminds.worlds.enacttom.tasks.fields import box, count, distinct, generated, text, window, word

Kind = Literal["surface", "container", "switch", "sign", "fixture"]
Verb = Literal["navigate", "open", "close", "toggle", "pick", "place", "tell", "wait", "done"]
VERBS: tuple[Verb, ...] = get_args(Verb)
World = tuple[int, ...]  # for each secret, the index of its true value
Formula = Any  # a literal such as "on(cup, $table)", or {"and": […]}, {"or": […]}, {"not": …}, or a shorthand of these

# Names that a task file must define elsewhere; ``read`` maps each word to a reader.
RoomName = Annotated[str, "room"]
PersonName = Annotated[str, "person"]
SecretName = Annotated[str, "secret"]
When = Annotated[tuple[tuple[str, str], ...], "when"]  # secrets and their values


@dataclass(frozen=True)
class Room:
    """A room, and its place on the floor plan, which is used for drawing only."""

    name: str
    box: Annotated[tuple[int, int, int, int], box] | None = None  # x, y, width, height; ``None`` for any free place


@dataclass(frozen=True)
class Door:
    """A door between two rooms; a ``one_way`` door leads from the first to the second."""

    name: str
    rooms: Annotated[tuple[str, str], "two rooms"]
    is_open: bool = True
    is_locked: bool = False
    one_way: bool = False

    @classmethod
    def from_file(cls, is_locked: bool = False, **fields: Any) -> Door:
        """A door from the fields of a file. A locked door is closed unless the file says that it is open."""
        return cls(**{"is_open": not is_locked, "is_locked": is_locked, **fields})


@dataclass(frozen=True)
class Furniture:
    """Furniture of a room. A sign shows the value of a secret to everybody in the room."""

    name: str
    kind: Kind
    room: RoomName
    is_open: bool = False  # containers
    is_locked: bool = False
    is_on: bool = False  # switches
    shows: SecretName | None = None  # signs


@dataclass(frozen=True)
class Thing:
    """A thing that can be carried. Its first place may depend on a secret."""

    name: str
    place: Annotated[str, "place"]  # "on table", "in fridge", "floor hall" or "held ann"
    depends_on: SecretName | None = None  # then ``places`` has a place for each of its values
    places: tuple[str, ...] = field(default=(), metadata={"in_file": False})

    @classmethod
    def from_file(cls, name: str, place: str | tuple[str, ...], depends_on: str | None = None) -> Thing:
        """A thing from the fields of a file: ``place`` is one place, or one for each value of a secret."""
        if isinstance(place, str):
            return cls(name, place, depends_on)
        return cls(name, next(iter(place), ""), depends_on, place)


@dataclass(frozen=True)
class Person:
    """A person in the house."""

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
    """A special rule of the house; see ``mechanics``."""

    kind: str
    fields: dict[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Talk:
    """The rules of messages.

    Attributes:
        channels: the people that each person can reach.
        budgets: the number of messages that each person may send in the episode.
        atoms: the most atoms of content in a message.
        fanout: the most recipients of a message.
        broadcast_cost: the cost of a message to several: ``one`` unit, or ``each`` for one unit per recipient.
        windows: the first and last turn in which a person can send messages. [default: all turns]
        kinds: the kinds of content that can be said.
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
    """A K-goal: the first person of a chain is to know that the second knows … a secret, in some worlds."""

    chain: Annotated[tuple[str, ...], "chain"]
    about: SecretName
    when: When = ()


def every_world(secrets: Iterable[Secret]) -> tuple[World, ...]:
    """All combinations of the values of secrets."""
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
    audible: tuple[str, ...] = ()  # literals; when one becomes true, the whole house hears it
    certificate: Annotated[dict[str, Any], generated] = field(default_factory=dict, hash=False)
    provenance: Annotated[dict[str, Any], generated] = field(default_factory=dict, hash=False)
    worlds: Annotated[tuple[World, ...], "worlds"]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the people, in the order of their seats."""
        return tuple(person.name for person in self.people)

    def secret(self, name: str) -> int:
        """The index of a secret."""
        return [secret.name for secret in self.secrets].index(name)

    def value(self, world: World, secret: str) -> str:
        """The value of a secret in a world."""
        at = self.secret(secret)
        return self.secrets[at].values[world[at]]

    def numbers(self, names: Iterable[str]) -> tuple[int, ...]:
        """The numbers of people."""
        return tuple(map(self.names.index, names))

    def applies(self, part: Note | Wish, world: World) -> bool:
        """Whether a note or a wish applies in a world."""
        return all(self.value(world, secret) == value for secret, value in part.when)

    def describe(self, world: World) -> str:
        """The values of all secrets in a world, for people."""
        return ", ".join(f"{secret.name} = {secret.values[at]}" for secret, at in zip(self.secrets, world, strict=True))

    def barred(self, name: str) -> list[str]:
        """The rooms that a person can neither enter nor cross."""
        limits = [mechanic.fields for mechanic in self.mechanics if mechanic.kind == "room_restriction"]
        barred = {room for limit in limits if name in limit["agents"] for room in limit["rooms"]}
        return [room.name for room in self.rooms if room.name in barred]

    @property
    def is_product(self) -> bool:
        """Whether every combination of values is a possible world."""
        return len(self.worlds) == prod(len(secret.values) for secret in self.secrets)

    @property
    def speakers(self) -> list[str]:
        """The people who can send messages."""
        talk = self.talk
        able = [person.name for person in self.people if "tell" in person.verbs]
        return [name for name in able if talk.channels.get(name) and talk.budgets.get(name)]
