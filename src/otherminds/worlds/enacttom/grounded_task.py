"""A grounded task: its variables, deeds and sights. This is the one definition of every rule.

The simulator, the planners and the verifier's logic programs all use it. A state gives each variable a value. Secrets
are variables that never change, so that everything that depends on the world depends on the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.types import Task, World

Values = tuple[int, ...]


@dataclass(frozen=True)
class Test:
    """A test that a variable has a value, or that it has not."""

    variable: int
    value: int
    is_equal: bool = True

    def holds(self, values: Values) -> bool:
        """Whether the test holds in a state."""
        return (values[self.variable] == self.value) == self.is_equal


Tests = tuple[Test, ...]


@dataclass(frozen=True)
class Effect:
    """A setting of a variable, made if all tests hold at the start of the turn."""

    tests: Tests
    variable: int
    value: int


@dataclass(frozen=True)
class Way:
    """A condition for a deed: all tests hold, and the turn (from 1) is within the window."""

    tests: Tests
    first: int = 1
    last: int = 1 << 30

    def is_open(self, values: Values, turn: int) -> bool:
        """Whether the condition holds in a state, in the turn to be played."""
        if not self.first <= turn <= self.last:
            return False
        for test in self.tests:  # noqa: SIM110  # the hottest loop: twice as fast as all()
            if (values[test.variable] == test.value) != test.is_equal:
                return False
        return True


@dataclass(frozen=True)
class Deed:
    """Something that one person can do in the house.

    Attributes:
        agent: the person.
        verb: such as ``open`` or ``place``.
        name: the verb with its arguments, such as ``open(fridge)``.
        ways: conditions, one of which must hold.
        effects: the settings that it makes.
    """

    agent: int
    verb: str
    name: str
    ways: tuple[Way, ...]
    effects: tuple[Effect, ...]

    def is_possible(self, values: Values, turn: int) -> bool:
        """Whether the deed can be done in a state, in the turn to be played (from 1)."""
        for way in self.ways:  # noqa: SIM110  # as above
            if way.is_open(values, turn):
                return True
        return False


@dataclass(frozen=True)
class Sight:
    """A value of a variable that people in a room can see if all tests hold."""

    room: int
    variable: int
    value: int
    tests: Tests = ()


@dataclass(frozen=True, eq=False)
class Ground:
    """A grounded task.

    Attributes:
        task: the task.
        variables: the names of the variables, secrets first, such as ``place cup``.
        domains: the values of each variable.
        deeds: the deeds of all people.
        ticks: effects at the end of each turn, without anybody's doing.
        sights: what is visible in which room. That people see each other is not listed.
        audible: labels and tests; when a test becomes true, its label is heard everywhere.
        starts: the initial values of all variables in each world.
    """

    task: Task
    variables: tuple[str, ...]
    domains: tuple[tuple[str, ...], ...]
    deeds: tuple[Deed, ...]
    ticks: tuple[Effect, ...]
    sights: tuple[Sight, ...]
    audible: tuple[tuple[str, Test], ...]
    starts: dict[World, Values] = field(hash=False)

    @cached_property
    def index(self) -> dict[str, int]:
        """The number of each variable."""
        return {name: at for at, name in enumerate(self.variables)}

    @cached_property
    def by_name(self) -> tuple[dict[str, Deed], ...]:
        """The deeds of each person by name."""
        deeds: tuple[dict[str, Deed], ...] = tuple({} for _ in self.task.people)
        for deed in self.deeds:
            deeds[deed.agent][deed.name] = deed
        return deeds

    @cached_property
    def seen_in(self) -> tuple[tuple[tuple[int, dict[int, list[Tests]]], ...], ...]:
        """For each room the visible variables, and for each of their values the tests that make it visible."""
        rooms: list[dict[int, dict[int, list[Tests]]]] = [{} for _ in self.task.rooms]
        for sight in self.sights:
            rooms[sight.room].setdefault(sight.variable, {}).setdefault(sight.value, []).append(sight.tests)
        return tuple(tuple(room.items()) for room in rooms)

    @cached_property
    def marks(self) -> frozenset[int]:
        """The variables that keep account of past deeds and pending effects; they are never seen."""
        return frozenset(at for at, name in enumerate(self.variables) if name.startswith(("flag ", "timer ")))

    @cached_property
    def rooms_of(self) -> tuple[int, ...]:
        """The variables that hold the rooms of people."""
        return tuple(self.index[f"at {name}"] for name in self.task.names)

    def test(self, variable: str, value: str, is_equal: bool = True) -> Test:
        """A test by names.

        Raises:
            UserError: if there is no such variable, or it never has the value.
        """
        at = self.index.get(variable)
        if at is None or value not in self.domains[at]:
            raise UserError(f"{variable!r} cannot have the value {value!r} in this house")
        return Test(at, self.domains[at].index(value), is_equal)
