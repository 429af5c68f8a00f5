"""Grounds a task: drafts each deed by name, applies the mechanics, and numbers variables and values."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom import mechanics as rules
from otherminds.worlds.enacttom.formulas import named
from otherminds.worlds.enacttom.grounded_task import Deed, Effect, Ground, Sight, Test, Values, Way
from otherminds.worlds.enacttom.mechanics import Draft, Follow, Named, Setting, listed
from otherminds.worlds.enacttom.types import Door, Furniture, Person, Task, World

_YES_NO = ("no", "yes")
HOLDS = {"surface": "on", "container": "in"}  # the furniture that things can be put on or in
_PASSABLE = (("open", "yes"), ("locked", "no"))  # the states of a door that can be passed
_TARGETS = ("furniture", "between", "target", "trigger")  # fields of mechanics that may name a door


@lru_cache(maxsize=256)
def ground(task: Task) -> Ground:
    """All variables, deeds and sights of a task.

    Raises:
        UserError: if the task refers to something that does not exist.
    """
    names = _Names(task)
    edges = rules.follows(task, names.main)
    timers = _timers(edges)
    domains = {**_domains(task, names), **{name: tuple(map(str, range(delay + 1))) for name, delay in timers.values()}}
    order = list(domains)
    index = {name: at for at, name in enumerate(order)}

    def test(condition: Named) -> Test:
        variable, value, is_equal = condition
        if variable not in index or value not in domains[variable]:
            raise UserError(f"task {task.id!r}: {variable!r} cannot have the value {value!r} in this house")
        return Test(index[variable], domains[variable].index(value), is_equal)

    def effect(tests: Sequence[Named], setting: Setting) -> Effect:
        target = test((*setting, True))
        return Effect(tuple(map(test, tests)), target.variable, target.value)

    def effects(draft: Draft) -> Iterator[Effect]:
        for tests, variable, value in draft.effects:
            yield effect(tests, (variable, value))
            for more, target, delay in rules.consequences((variable, value), edges, (*tests, (variable, value, False))):
                yield effect(more, (timers[target][0], str(delay)) if delay else target)

    drafts: dict[tuple[str, str], list[Draft]] = {}
    for draft in _drafts(task, names):
        drafts.setdefault((draft.agent, draft.name), []).append(draft)
    deeds = tuple(
        Deed(
            task.names.index(agent),
            same[0].verb,
            name,
            tuple(Way(tuple(map(test, way)), *(draft.window or ())) for draft in same for way in draft.ways),
            tuple(dict.fromkeys(change for draft in same for change in effects(draft))),
        )
        for (agent, name), same in drafts.items()
    )
    ticks: list[Effect] = []
    for target, (timer, delay) in timers.items():
        for left in range(1, delay + 1):
            ticks.append(effect([(timer, str(left), True)], (timer, str(left - 1))))
        due: Named = (timer, "1", True)
        ticks.append(effect([due], target))
        for more, then, _ in rules.consequences(target, edges, (due, (*target, False))):
            ticks.append(effect(more, then))
    sights = tuple(
        Sight(room, seen.variable, seen.value, tuple(map(test, when)))
        for room, sight, when in _sights(task, names, domains)
        for seen in [test(sight)]
    )
    audible = tuple((text, test((*named(text), True))) for text in task.audible)
    starts = {world: _start(task, world, order, domains) for world in task.worlds}
    return Ground(task, tuple(order), tuple(domains.values()), deeds, tuple(ticks), sights, audible, starts)


class _Names:
    """The doors and furniture of a task by name."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.rooms = {room.name: at for at, room in enumerate(task.rooms)}
        self.furniture: dict[str, Furniture] = {furniture.name: furniture for furniture in task.furniture}
        fields = [mechanic.fields.get(field, ()) for mechanic in task.mechanics for field in _TARGETS]
        used = {name for names in fields for name in listed(names)}
        # A door that is open and that no mechanic names never changes, so it needs no variable.
        self.doors: dict[str, Door] = {
            door.name: door for door in task.doors if not door.is_open or door.is_locked or door.name in used
        }

    def main(self, name: str) -> str:
        """The variable that says whether something is open, or on."""
        kind = self.furniture[name].kind if name in self.furniture else ""
        if kind == "switch":
            return f"power {name}"
        if name in self.doors or kind == "container":
            return f"open {name}"
        raise UserError(
            f"task {self.task.id!r}: {name!r} can be neither opened nor switched, so it has no state to control"
        )


def _timers(edges: dict[Setting, list[Follow]]) -> dict[Setting, tuple[str, int]]:
    """The name of a timer for each delayed setting, with its longest delay."""
    longest: dict[Setting, int] = {}
    for follows in edges.values():
        for _, target, delay in follows:
            if delay:
                longest[target] = max(delay, longest.get(target, 0))
    return {target: (f"timer {' '.join(target)}", delay) for target, delay in longest.items()}


def _domains(task: Task, names: _Names) -> dict[str, tuple[str, ...]]:
    rooms = tuple(names.rooms)
    domains: dict[str, tuple[str, ...]] = {f"secret {secret.name}": secret.values for secret in task.secrets}
    domains.update({f"at {person.name}": rooms for person in task.people})
    for door in names.doors.values():
        domains.update({f"open {door.name}": _YES_NO, f"locked {door.name}": _YES_NO})
    places = [f"floor {room}" for room in rooms] + [f"held {person.name}" for person in task.people]
    for furniture in task.furniture:
        if furniture.kind == "container":
            domains.update({f"open {furniture.name}": _YES_NO, f"locked {furniture.name}": _YES_NO})
        elif furniture.kind == "switch":
            domains[f"power {furniture.name}"] = _YES_NO
        if furniture.kind in HOLDS:
            places.append(f"{HOLDS[furniture.kind]} {furniture.name}")
    domains.update({f"place {thing.name}": tuple(places) for thing in task.things})
    for mechanic in task.mechanics:
        if mechanic.kind == "commit":
            domains[f"flag {rules.flag_of(mechanic)}"] = _YES_NO
            if "raises" in mechanic.fields:
                domains[f"flag {mechanic.fields['raises']}"] = _YES_NO
    return domains


def _start(task: Task, world: World, order: Sequence[str], domains: dict[str, tuple[str, ...]]) -> Values:
    begin = {f"secret {secret.name}": secret.values[at] for secret, at in zip(task.secrets, world, strict=True)}
    begin.update({f"at {person.name}": person.room for person in task.people})
    fixed: tuple[Door | Furniture, ...] = (*task.doors, *task.furniture)
    for part in fixed:
        begin[f"open {part.name}"] = _YES_NO[part.is_open]
        begin[f"locked {part.name}"] = _YES_NO[part.is_locked]
    begin.update({f"power {part.name}": _YES_NO[part.is_on] for part in task.furniture})
    for thing in task.things:
        at = world[task.secret(thing.depends_on)] if thing.depends_on else None
        begin[f"place {thing.name}"] = thing.place if at is None else thing.places[at]
    for name in order:
        value = begin.get(name, domains[name][0])
        if value not in domains[name]:
            kind, _, what = name.partition(" ")
            field = {"place": f"house.things.{what}.place", "at": f"people.{what}.room"}.get(kind, name)
            where = value.rpartition(" ")[2]
            example = next((known for known in domains[name] if known.endswith(where)), domains[name][0])
            raise UserError(f"{field} is {value!r}; expected a place such as {example!r}")
    return tuple(domains[name].index(begin.get(name, domains[name][0])) for name in order)


def _drafts(task: Task, names: _Names) -> Iterator[Draft]:
    """The deeds of each person under the mechanics. To open an inverse lid, a person needs the verb *close*."""
    for person in task.people:
        who = person.name
        elsewhere = {(f"at {who}", room, True) for room in set(names.rooms) - rooms_in_reach(task, person)}
        for draft in (*_moves(task, names, who), *_settings(task, names, who), *_carrying(task, who)):
            ways = tuple(way for way in draft.ways if not elsewhere.intersection(way))
            changed = replace(draft, ways=ways)
            for mechanic in task.mechanics:
                if mechanic.kind in rules.CHANGES:
                    changed = rules.CHANGES[mechanic.kind](changed, mechanic, task)
            if changed.verb in person.verbs and ways:
                yield changed


def rooms_in_reach(task: Task, person: Person) -> set[str]:
    """The rooms that a person could reach if all doors were open. It can act on nothing outside them."""
    reached, barred = {person.room}, set(task.barred(person.name))
    new = [person.room] if "navigate" in person.verbs else []
    while new:
        new = [neighbour for room in new for _, neighbour in _exits(task, room) if neighbour not in reached | barred]
        reached.update(new)
    return reached


def _exits(task: Task, room: str) -> Iterator[tuple[str, str]]:
    """The doors of a room by name, each with the room that it leads to."""
    for door in task.doors:
        first, second = door.rooms
        if room == first or (room == second and not door.one_way):
            yield door.name, second if room == first else first


def _moves(task: Task, names: _Names, who: str) -> Iterator[Draft]:
    """Moves to any room in one turn, along open ways that cross no room the person is barred from (W8, W11)."""
    barred = set(task.barred(who))
    for target in names.rooms:
        if target in barred:
            continue
        ways = [
            (
                (f"at {who}", start, True),
                *((f"{state} {door}", value, True) for door in sorted(doors) for state, value in _PASSABLE),
            )
            for start in names.rooms
            if start != target
            for doors in _paths(task, names, start, target, barred)
        ]
        if ways:
            yield Draft(who, "navigate", f"navigate({target})", tuple(ways), (((), f"at {who}", target),))


def _paths(task: Task, names: _Names, start: str, target: str, barred: set[str]) -> list[frozenset[str]]:
    """For each minimal way between two rooms, the doors that must be open."""
    ways: list[frozenset[str]] = []

    def walk(room: str, seen: frozenset[str], doors: frozenset[str]) -> None:
        if room == target:
            ways.append(doors)
            return
        for door, room_neighbour in _exits(task, room):
            if room_neighbour not in seen and room_neighbour not in barred:
                walk(room_neighbour, seen | {room_neighbour}, doors | {door} if door in names.doors else doors)

    walk(start, frozenset({start}), frozenset())
    return [way for way in dict.fromkeys(ways) if not any(other < way for other in ways)]


def _settings(task: Task, names: _Names, who: str) -> Iterator[Draft]:
    for name, rooms in (
        *((door.name, door.rooms) for door in names.doors.values()),
        *((part.name, (part.room,)) for part in task.furniture if part.kind == "container"),
    ):
        here = [((f"at {who}", room, True),) for room in rooms]
        opening = tuple((*way, (f"open {name}", "no", True), (f"locked {name}", "no", True)) for way in here)
        closing = tuple((*way, (f"open {name}", "yes", True)) for way in here)
        yield Draft(who, "open", f"open({name})", opening, (((), f"open {name}", "yes"),), touches=name)
        yield Draft(who, "close", f"close({name})", closing, (((), f"open {name}", "no"),), touches=name)
    for part in task.furniture:
        if part.kind == "switch":
            power = f"power {part.name}"
            effects = ((((power, "no", True),), power, "yes"), (((power, "yes", True),), power, "no"))
            yield Draft(
                who, "toggle", f"toggle({part.name})", (((f"at {who}", part.room, True),),), effects, touches=part.name
            )


def _carrying(task: Task, who: str) -> Iterator[Draft]:
    holders = [(how, holder) for kind, how in HOLDS.items() for holder in task.furniture if holder.kind == kind]
    for thing in task.things:
        place, mine = f"place {thing.name}", f"held {who}"
        free = tuple((f"place {other.name}", mine, False) for other in task.things if other is not thing)
        picks = [((f"at {who}", room.name, True), (place, f"floor {room.name}", True), *free) for room in task.rooms]
        yield Draft(who, "pick", f"pick({thing.name})", tuple(picks), (((), place, mine),), touches=thing.name)
        for how, holder in holders:
            here = ((f"at {who}", holder.room, True), *(((f"open {holder.name}", "yes", True),) if how == "in" else ()))
            source: Named = (place, f"{how} {holder.name}", True)
            yield Draft(
                who, "pick", f"pick({thing.name})", ((*here, source, *free),), (((), place, mine),),
                touches=holder.name, variant=(source,),
            )  # fmt: skip
            yield Draft(
                who, "place", f"place({thing.name}, {how}, {holder.name})", ((*here, (place, mine, True)),),
                (((), place, f"{how} {holder.name}"),), touches=holder.name,
            )  # fmt: skip


def _sights(task: Task, names: _Names, domains: Container[str]) -> Iterator[tuple[int, Named, tuple[Named, ...]]]:
    """What can be seen in which room, and under which tests. Things in closed containers are out of sight."""
    fixed: tuple[Door | Furniture, ...] = (*names.doors.values(), *task.furniture)
    for part in fixed:
        rooms = (part.room,) if isinstance(part, Furniture) else part.rooms
        for room in rooms:
            states = (f"{state} {part.name}" for state in ("open", "locked", "power"))
            for variable, value in product((state for state in states if state in domains), _YES_NO):
                yield names.rooms[room], (variable, value, True), ()
            if isinstance(part, Furniture) and part.shows:
                for value in task.secrets[task.secret(part.shows)].values:
                    yield names.rooms[room], (f"secret {part.shows}", value, True), ()
    for thing in task.things:
        place = f"place {thing.name}"
        for room, at in names.rooms.items():
            yield at, (place, f"floor {room}", True), ()
            for person in task.people:
                yield at, (place, f"held {person.name}", True), ((f"at {person.name}", room, True),)
        for part in task.furniture:
            if part.kind in HOLDS:
                inside: tuple[Named, ...] = ((f"open {part.name}", "yes", True),) if part.kind == "container" else ()
                yield names.rooms[part.room], (place, f"{HOLDS[part.kind]} {part.name}", True), inside
