"""A task as variables, actions and what is visible: the one definition of every rule.

The simulator, the planners and the logic programs of the verifier all work from this. A state gives each variable a
value; secrets are variables too, which never change, so that everything that depends on the world depends on the state.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.types import Task, World

Values = tuple[int, ...]


@dataclass(frozen=True)
class Test:
    """A variable has a value, or has another one."""

    variable: int
    value: int
    is_equal: bool = True

    def holds(self, values: Values) -> bool:
        """Whether it is so in a state."""
        return (values[self.variable] == self.value) == self.is_equal


Tests = tuple[Test, ...]


@dataclass(frozen=True)
class Effect:
    """A variable is set where all tests hold at the start of the turn."""

    tests: Tests
    variable: int
    value: int


@dataclass(frozen=True)
class Way:
    """When something can be done: all tests hold, and the turn (from 1) is within the window."""

    tests: Tests
    first: int = 1
    last: int = 1 << 30

    def is_open(self, values: Values, turn: int) -> bool:
        """Whether it leads there in the turn to be played."""
        if not self.first <= turn <= self.last:
            return False
        for test in self.tests:  # noqa: SIM110  # everything runs through here, and this is twice as fast
            if (values[test.variable] == test.value) != test.is_equal:
                return False
        return True


@dataclass(frozen=True)
class Deed:
    """What one person can do in the house.

    Attributes:
        agent: who.
        verb: open, place, …
        name: with what it is done to, such as ``open(fridge)``.
        ways: possible if one of these is open.
        effects: what it changes.
    """

    agent: int
    verb: str
    name: str
    ways: tuple[Way, ...]
    effects: tuple[Effect, ...]

    def is_possible(self, values: Values, turn: int) -> bool:
        """Whether it can be done in a state, in the turn to be played (from 1)."""
        for way in self.ways:  # noqa: SIM110  # as above
            if way.is_open(values, turn):
                return True
        return False


@dataclass(frozen=True)
class Sight:
    """A variable's value can be seen by whoever is in a room, where all tests hold."""

    room: int
    variable: int
    value: int
    tests: Tests = ()


@dataclass(frozen=True, eq=False)
class Ground:
    """Everything that can be, be done and be seen in a task.

    Attributes:
        task: that it was made from.
        variables: their names, such as ``place cup``.
        domains: the values of each.
        deeds: of all people.
        ticks: what happens by itself at the end of each turn.
        sights: what is visible where. People are seen where they are, which is not listed.
        audible: tests whose coming true is heard everywhere, with their label.
        start: the values of all variables in a world, secrets first.
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
        """Where each variable is."""
        return {name: at for at, name in enumerate(self.variables)}

    @cached_property
    def by_name(self) -> tuple[dict[str, Deed], ...]:
        """The deeds of each person."""
        found: tuple[dict[str, Deed], ...] = tuple({} for _ in self.task.people)
        for deed in self.deeds:
            found[deed.agent][deed.name] = deed
        return found

    @cached_property
    def seen_in(self) -> tuple[tuple[tuple[int, dict[int, list[Tests]]], ...], ...]:
        """What can be seen in each room: variables, and for each of their values the tests that it takes to see it."""
        found: list[dict[int, dict[int, list[Tests]]]] = [{} for _ in self.task.rooms]
        for sight in self.sights:
            found[sight.room].setdefault(sight.variable, {}).setdefault(sight.value, []).append(sight.tests)
        return tuple(tuple(room.items()) for room in found)

    @cached_property
    def marks(self) -> frozenset[int]:
        """The variables that keep account of what was done and what is due, and are nothing to be seen."""
        return frozenset(at for at, name in enumerate(self.variables) if name.startswith(("flag ", "timer ")))

    @cached_property
    def rooms_of(self) -> tuple[int, ...]:
        """The variables that say where people are."""
        return tuple(self.index[f"at {name}"] for name in self.task.names)

    def test(self, variable: str, value: str, is_equal: bool = True) -> Test:
        """A test by names.

        Raises:
            UserError: if there is no such variable, or it never has the value.
        """
        at = self.index.get(variable)
        if at is None or value not in self.domains[at]:
            raise UserError(f"nothing can be {variable!r} = {value!r} in this house")
        return Test(at, self.domains[at].index(value), is_equal)
