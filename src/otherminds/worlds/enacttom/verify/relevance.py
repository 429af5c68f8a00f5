"""What of a house can matter to its goal, found backwards from the goal (spec 4.10)."""

from __future__ import annotations

from otherminds.worlds.enacttom.formulas import literals, shared
from otherminds.worlds.enacttom.grounded_task import Deed, Ground, Test, Way
from otherminds.worlds.enacttom.grounding import HOLDS

STATES = ("open", "locked", "power")  # variables of doors and furniture


class Relevance:
    """The parts of a house that can matter, found backwards from the goal."""

    def __init__(self, ground: Ground) -> None:
        self.ground, self.task = ground, ground.task
        self.furniture = {part.name: part for part in self.task.furniture}
        self.variables = self._variables()
        self.secrets = self._secrets()
        self.notes = tuple(note for note in self.task.notes if note.about in self.secrets)
        self.people = self._people()
        self.holders = self._holders()
        self.rooms = self._rooms()
        self._spare_rooms()
        self._spare_holders()

    @property
    def keeps_all(self) -> bool:
        """Whether nothing can be left out."""
        task = self.task
        sizes = [(self.rooms, task.rooms), (self.people, task.people), (self.secrets, task.secrets)]
        kept = [len(mine) == len(every) for mine, every in sizes]
        is_held = all(part.name in self.holders for part in task.furniture if part.kind != "fixture")
        return all(kept) and is_held and all(self.is_kept(f"place {thing.name}") for thing in task.things)

    # What can matter.

    def _variables(self) -> set[int]:
        """The variables that a way to the goal may depend on, without the rooms of people and hands."""
        ground = self.ground
        relevant = {variable for variable, _ in literals(shared(ground))}
        rooms, named = ground.rooms_of, self._named_places()
        changers = [(rooms[deed.agent], deed.ways, deed.effects) for deed in ground.deeds]
        changers += [(-1, (), (tick,)) for tick in ground.ticks]
        size = -1
        while size != len(relevant):
            size = len(relevant)
            for own_room, ways, effects in changers:
                for effect in effects:
                    if effect.variable not in {*relevant, *rooms} or self._is_spare(
                        effect.variable, effect.value, named
                    ):
                        continue
                    tests = [*effect.tests, *(test for way in ways if self._counts(way, named) for test in way.tests)]
                    relevant |= {t.variable for t in tests if t.variable != own_room and not self._is_hand(t)}
        return relevant

    def _named_places(self) -> set[tuple[int, int]]:
        """Places of things that goal, mechanics or the start of the episode name."""
        ground = self.ground
        named = set(literals(shared(ground)))
        named |= {(v, x) for start in ground.starts.values() for v, x in enumerate(start)}
        for deed in ground.deeds:
            effects = [test for effect in deed.effects for test in effect.tests]
            ways = [test for way in deed.ways for test in way.tests if deed.verb not in ("pick", "place")]
            named |= {(test.variable, test.value) for test in (*effects, *ways)}
        ruled = {name for mechanic in self.task.mechanics for name in words_in(mechanic.fields)}
        for variable, name in enumerate(ground.variables):
            for value, place in enumerate(ground.domains[variable]):
                if name.startswith("place ") and place.partition(" ")[2] in ruled:
                    named.add((variable, value))
        return named

    def _is_spare(self, variable: int, value: int, named: set[tuple[int, int]]) -> bool:
        """Whether a value is a place for a thing that nothing names."""
        place = self.ground.domains[variable][value]
        is_place = self.ground.variables[variable].startswith("place ")
        return is_place and place.startswith(("on ", "in ")) and (variable, value) not in named

    def _counts(self, way: Way, named: set[tuple[int, int]]) -> bool:
        """Whether a way does not start from a spare place."""
        return not any(test.is_equal and self._is_spare(test.variable, test.value, named) for test in way.tests)

    def _is_hand(self, test: Test) -> bool:
        """Whether a test says that a hand is free of a thing."""
        ground = self.ground
        is_place = ground.variables[test.variable].startswith("place ")
        return not test.is_equal and is_place and ground.domains[test.variable][test.value].startswith("held ")

    def is_kept(self, variable: str) -> bool:
        return self.ground.index.get(variable, -1) in self.variables

    def _secrets(self) -> tuple[str, ...]:
        """The secrets that can matter; all if the others are not independent of them."""
        task = self.task
        kept = {secret.name for secret in task.secrets if self.is_kept(f"secret {secret.name}")}
        kept |= {t.depends_on for t in task.things if t.depends_on and self.is_kept(f"place {t.name}")}
        kept |= {name for note in task.notes if note.about in kept for name, _ in note.when}
        kept |= {wish.about for wish in task.wishes}
        at = [number for number, secret in enumerate(task.secrets) if secret.name in kept]
        others = [number for number in range(len(task.secrets)) if number not in at]
        parts = [len({tuple(world[n] for n in numbers) for world in task.worlds}) for numbers in (at, others)]
        if len(task.worlds) != parts[0] * parts[1]:
            return tuple(secret.name for secret in task.secrets)
        return tuple(secret.name for secret in task.secrets if secret.name in kept)

    def _people(self) -> tuple[str, ...]:
        """The people who can do something that matters, speak, or occur in a note, a wish or the goal."""
        task, kept = self.task, set(self.task.speakers) | set(self.task.private)
        for deed in self.ground.deeds:
            if deed.verb != "navigate" and any(effect.variable in self.variables for effect in deed.effects):
                kept.add(task.names[deed.agent])
        kept |= {name for note in self.notes for name in note.knower}
        kept |= {name for wish in task.wishes for name in wish.chain}
        kept |= {name for i, name in enumerate(task.names) if self.ground.rooms_of[i] in self.variables}
        return tuple(name for name in task.names if name in kept) or task.names

    def _holders(self) -> set[str]:
        """Furniture that can matter."""
        ground, named = self.ground, self._named_places()
        kept = {name for name in self.furniture if any(self.is_kept(f"{state} {name}") for state in STATES)}
        for variable in self.variables:
            if ground.variables[variable].startswith("place "):
                places = (ground.domains[v][x] for v, x in named if v == variable)
                kept |= {place.partition(" ")[2] for place in places if place.startswith(("on ", "in "))}
        return kept | {part.name for part in self.task.furniture if part.shows in self.secrets and part.shows}

    def _rooms(self) -> set[str]:
        """Rooms with something that can matter."""
        task = self.task
        kept = {self.furniture[name].room for name in self.holders}
        kept |= {person.room for person in task.people if person.name in self.people}
        for door in task.doors:
            if self.is_kept(f"open {door.name}") or self.is_kept(f"locked {door.name}"):
                kept |= set(door.rooms)
        for variable, value in self._named_places():
            kind, _, _ = self.ground.variables[variable].partition(" ")
            place = self.ground.domains[variable][value]
            if kind == "place" and variable in self.variables and place.startswith("floor "):
                kept.add(place.removeprefix("floor "))
        for variable, value in literals(shared(self.ground)):
            if variable in self.ground.rooms_of:
                kept.add(self.ground.domains[variable][value])
        return kept

    def _spare_rooms(self) -> None:
        """Keep as many rooms of each sort as there are people who can go there, those with a surface first."""
        ground = self.ground
        people = [self.task.names.index(name) for name in self.people]
        moves = [deed for deed in ground.deeds if deed.verb == "navigate" and deed.agent in people]
        sorts: dict[object, list[str]] = {}
        for number, room in enumerate(self.task.rooms):
            if room.name not in self.rooms:
                sorts.setdefault(_sort(ground, moves, number), []).append(room.name)
        surfaces = {part.room for part in self.task.furniture if part.kind == "surface"}
        for same in sorts.values():
            index = ground.domains[ground.rooms_of[0]].index(same[0])
            visitors = {deed.agent for deed in moves if any(effect.value == index for effect in deed.effects)}
            same.sort(key=lambda name: name not in surfaces)
            self.rooms |= set(same[: len(visitors)])

    def _spare_holders(self) -> None:
        """Keep one surface of each room that nothing names, or one container where there is no such surface."""
        if not any(name.startswith("place ") and self.is_kept(name) for name in self.ground.variables):
            return
        served: set[str] = set()
        for kind in HOLDS:
            for part in self.task.furniture:
                if part.kind != kind or part.room not in self.rooms or part.name in self.holders:
                    continue
                if part.room not in served:
                    self.holders.add(part.name)
                    served.add(part.room)


def _sort(ground: Ground, moves: list[Deed], room: int) -> object:
    """How a room is connected: rooms of one sort can stand for each other."""
    into, out = set(), set()
    for deed in moves:
        own_room, target = ground.rooms_of[deed.agent], deed.effects[0].value
        for way in deed.ways:
            start = next(test.value for test in way.tests if test.variable == own_room)
            doors = frozenset(test for test in way.tests if test.variable != own_room)
            if target == room:
                into.add((deed.agent, start, doors))
            if start == room:
                out.add((deed.agent, target, doors))
    # Rooms that lead to each other freely have the same neighbours, themselves included.
    free = frozenset((agent, other) for agent, other, doors in into & out if not doors)
    nearby = {agent: frozenset({room, *(other for a, other in free if a == agent)}) for agent, _, _ in into}
    apart = [frozenset(way for way in ways if way[:2] not in free) for ways in (into, out)]
    return *apart, frozenset(nearby.items())


def words_in(fields: object) -> set[str]:
    """All names in the fields of a mechanic, or in a list of literals."""
    if isinstance(fields, dict):
        return set().union(*(words_in(value) for value in fields.values())) if fields else set()
    if isinstance(fields, list | tuple):
        return set().union(*(words_in(value) for value in fields)) if fields else set()
    if isinstance(fields, str):
        return {part.strip() for part in fields.replace("(", ",").replace(")", ",").split(",")}
    return set()
