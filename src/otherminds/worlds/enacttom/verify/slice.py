"""The house without what cannot matter to its goal (spec 4.10).

A furnished house has rooms, things and people that no way to the goal needs. The depth for minds without conventions is
proved on the *slice*: the same house with only what can matter, and with a spare room and a spare surface wherever
something could be put out of the way. Spec 4.10 says why the depth is the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from otherminds.worlds.enacttom.grounded_task import Deed, Effect, Ground, Sight, Test, Tests, Way
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.rules import WAIT
from otherminds.worlds.enacttom.types import Note, Task, World
from otherminds.worlds.enacttom.verify.joint_policy import Policy
from otherminds.worlds.enacttom.verify.relevance import STATES, Relevance, words_in


@dataclass(frozen=True)
class Slice:
    """A house without what cannot matter.

    Attributes:
        whole: the house.
        ground: what is left of it.
    """

    whole: Ground
    ground: Ground

    @property
    def is_whole(self) -> bool:
        """Whether everything can matter."""
        return self.ground is self.whole

    @cached_property
    def _secrets(self) -> list[int]:
        """The numbers of the secrets that are left, in the whole house."""
        return [self.whole.task.secret(secret.name) for secret in self.ground.task.secrets]

    def world(self, world: World) -> World:
        """A world of the house, seen in the slice."""
        return tuple(world[at] for at in self._secrets)

    def lift(self, policy: Policy) -> Policy:
        """A policy of the slice in the whole house, where everybody else waits."""
        if self.is_whole or not policy:
            return policy
        number = {world: at for at, world in enumerate(self.ground.task.worlds)}
        return tuple(self.lift_turns(policy[number[self.world(world)]]) for world in self.whole.task.worlds)

    def lift_turns(self, turns: Sequence[tuple[Act, ...]]) -> tuple[tuple[Act, ...], ...]:
        """The joint acts of the slice in the whole house, where everybody else waits."""
        people = self.whole.task.numbers(self.ground.task.names)
        lifted = []
        for acts in turns:
            joint: list[Act] = [WAIT] * len(self.whole.task.people)
            for person, act in zip(people, acts, strict=True):
                joint[person] = _renumbered(act, people) if isinstance(act, Message) else act
            lifted.append(tuple(joint))
        return tuple(lifted)

    def lift_worlds(self, worlds: Iterable[World]) -> tuple[World, ...]:
        """For each world of the slice, the first world of the house that looks like it."""
        first: dict[World, World] = {}
        for world in self.whole.task.worlds:
            first.setdefault(self.world(world), world)
        return tuple(first[world] for world in worlds)

    @cached_property
    def hides_the_rest(self) -> bool:
        """Whether what was left out lies where at most one person can ever be, so that it gives no signals.

        Then what holds of teams with conventions in the slice holds in the whole house, too.
        """
        task, left = self.whole.task, self.ground.task
        if task.names != left.names or task.secrets != left.secrets:
            return False
        reach = [set(rooms) for rooms in _rooms_in_reach(self.whole)]
        shared_rooms = {room for room in range(len(task.rooms)) if sum(room in rooms for rooms in reach) > 1}
        names = {task.rooms[room].name for room in shared_rooms}
        kept = {part.name for many in (left.furniture, left.things, left.rooms) for part in many}
        dropped_rooms = {room.name for room in task.rooms} - kept
        if dropped_rooms & names or any(part.name not in kept and part.room in names for part in task.furniture):
            return False
        things = [thing for thing in task.things if thing.name not in kept]
        return not things or not any(rooms & shared_rooms for rooms in reach)


@lru_cache(maxsize=256)
def slice_of(ground: Ground) -> Slice:
    """The house with only what can matter to its goal."""
    relevance = Relevance(ground)
    return Slice(ground, ground if relevance.keeps_all else _Reduction(relevance).ground())


def undressed(task: Task) -> Task:
    """The task without things that cannot matter. It has the same slice, and is grounded much faster."""
    kept = {thing.name for thing in slice_of(ground(task)).ground.task.things}
    kept |= words_in([*(mechanic.fields for mechanic in task.mechanics), *task.audible])
    return replace(task, things=tuple(thing for thing in task.things if thing.name in kept))


def _renumbered(message: Message, people: tuple[int, ...]) -> Message:
    return replace(message, sender=people[message.sender], to=tuple(people[at] for at in message.to))


def _rooms_in_reach(ground: Ground) -> list[frozenset[int]]:
    """The rooms that each person could be in at some time."""
    return [
        frozenset(
            {start[at] for start in ground.starts.values()}
            | {e.value for deed in ground.deeds if deed.agent == i for e in deed.effects if e.variable == at}
        )
        for i, at in enumerate(ground.rooms_of)
    ]


class _Reduction:
    """Builds the house that is left."""

    def __init__(self, relevance: Relevance) -> None:
        self.part, self.whole = relevance, relevance.ground

    def ground(self) -> Ground:
        """The house with only what can matter."""
        ground = self.whole
        task = self._task()
        keep = {name: self._values(name, domain) for name, domain in zip(ground.variables, ground.domains, strict=True)}
        keep = {name: values for name, values in keep.items() if values}
        index = {ground.index[name]: at for at, name in enumerate(keep)}
        domains = tuple(keep.values())
        names = list(keep)

        def value(variable: int, number: int) -> int | None:
            text = ground.domains[variable][number]
            values = keep[ground.variables[variable]]
            return values.index(text) if text in values else None

        def tests(many: Tests) -> Tests | None:
            """The tests that are left; ``None`` if they can never hold."""
            left = []
            for test in many:
                number = value(test.variable, test.value) if test.variable in index else None
                if number is None:
                    if test.is_equal:
                        return None
                    continue
                left.append(Test(index[test.variable], number, test.is_equal))
            return tuple(left)

        def effects(many: Iterable[Effect]) -> tuple[Effect, ...]:
            left = []
            for effect in many:
                number = value(effect.variable, effect.value) if effect.variable in index else None
                when = tests(effect.tests)
                if number is not None and when is not None:
                    left.append(Effect(when, index[effect.variable], number))
            return tuple(left)

        people = [ground.task.names.index(name) for name in task.names]
        deeds = []
        for deed in ground.deeds:
            if deed.agent not in people:
                continue
            ways = [Way(when, way.first, way.last) for way in deed.ways if (when := tests(way.tests)) is not None]
            if ways and (changes := effects(deed.effects)):
                deeds.append(Deed(people.index(deed.agent), deed.verb, deed.name, tuple(ways), changes))
        room_names = [room.name for room in task.rooms]
        sights = []
        for sight in ground.sights:
            room = ground.task.rooms[sight.room].name
            number = value(sight.variable, sight.value) if sight.variable in index else None
            when = tests(sight.tests)
            if room in room_names and number is not None and when is not None:
                sights.append(Sight(room_names.index(room), index[sight.variable], number, when))
        audible = tuple(
            (label, heard[0]) for label, test in ground.audible if (heard := tests((test,))) and label in task.audible
        )
        at = [ground.task.secret(secret.name) for secret in task.secrets]
        starts: dict[World, tuple[int, ...]] = {}
        for world, start in ground.starts.items():
            values = [value(ground.index[name], start[ground.index[name]]) for name in names]
            starts.setdefault(tuple(world[n] for n in at), tuple(number or 0 for number in values))
        ticks = effects(ground.ticks)
        return Ground(task, tuple(names), domains, tuple(deeds), ticks, tuple(sights), audible, starts)

    def _values(self, variable: str, domain: tuple[str, ...]) -> tuple[str, ...]:
        """The values of a variable that are left; none if the variable is left out."""
        kind, _, name = variable.partition(" ")
        if kind == "at":
            return tuple(room for room in domain if room in self.part.rooms) if name in self.part.people else ()
        if kind in STATES and name in self.part.holders:
            return domain
        if kind == "secret":
            return domain if name in self.part.secrets else ()
        if not self.part.is_kept(variable):
            return ()
        if kind != "place":
            return domain
        kept = {"floor": self.part.rooms, "held": self.part.people, "on": self.part.holders, "in": self.part.holders}
        return tuple(place for place in domain if place.partition(" ")[2] in kept[place.partition(" ")[0]])

    def _task(self) -> Task:
        """The task in words, as far as it is left."""
        task, people = self.whole.task, set(self.part.people)
        talk = task.talk
        channels = {
            name: tuple(other for other in others if other in people)
            for name, others in talk.channels.items()
            if name in people
        }
        notes = [note for note in self.part.notes if note.to in people and people.issuperset(note.knower)]
        at = [task.secret(name) for name in self.part.secrets]
        fixed = [part for part in task.furniture if part.name in self.part.holders]
        return replace(
            task,
            rooms=tuple(room for room in task.rooms if room.name in self.part.rooms),
            doors=tuple(door for door in task.doors if self.part.rooms.issuperset(door.rooms)),
            furniture=tuple(fixed),
            things=tuple(thing for thing in task.things if self.part.is_kept(f"place {thing.name}")),
            people=tuple(person for person in task.people if person.name in people),
            secrets=tuple(secret for secret in task.secrets if secret.name in self.part.secrets),
            notes=tuple(_projected(note, self.part.secrets) for note in notes),
            talk=replace(talk, channels=channels),
            audible=tuple(text for text in task.audible if self._hears(text)),
            worlds=tuple(dict.fromkeys(tuple(world[n] for n in at) for world in task.worlds)),
        )

    def _hears(self, text: str) -> bool:
        tests = [test for label, test in self.whole.audible if label == text]
        return all(self._values(self.whole.variables[t.variable], self.whole.domains[t.variable]) for t in tests)


def _projected(note: Note, secrets: tuple[str, ...]) -> Note:
    return replace(note, when=tuple(case for case in note.when if case[0] in secrets))
