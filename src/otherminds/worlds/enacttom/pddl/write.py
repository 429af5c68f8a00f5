"""Tasks as PDDL: a domain that is the same for all, and a problem for one world.

What is hidden stands in sections that planners do not know; leave them out for a planner. Whatever has no words in
PDDL's household (windows, interlocks, commits, who was told what in which world) is refused, by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import split_literal
from otherminds.worlds.enacttom.pddl.build import CONTROLS, PREDICATES
from otherminds.worlds.enacttom.types import VERBS, Formula, Mechanic, Talk, Task, Wish, World

_KINDS = {"surface": "is_surface", "container": "is_container", "switch": "is_switch", "sign": "is_sign"}
_MECHANICS = (
    "room_restriction", "limited_bandwidth", "restricted_communication", "remote_control", "state_mirroring",
    "inverse_state",
)  # fmt: skip


def domain_text() -> str:
    """The household as a PDDL domain."""
    return files("otherminds.worlds.enacttom.pddl").joinpath("household.pddl").read_text(encoding="utf-8")


def problem_text(task: Task, world: World | None = None, *, is_plain: bool = False) -> str:
    """A task in one of its worlds as a PDDL problem.

    Args:
        task: to write.
        world: whose secrets the goal names; the first by default.
        is_plain: for planners: without the sections that say what is hidden, and without K.

    Raises:
        UserError: if the task cannot be said in PDDL; the message says what of it.
    """
    missing = list(dict.fromkeys(_missing(task)))
    if missing:
        raise UserError(f"task {task.id!r} cannot be said in PDDL: it has {'; '.join(missing)}")
    world = task.worlds[0] if world is None else world
    values = {secret.name: task.value(world, secret.name) for secret in task.secrets}
    sections = [
        f"(:objects\n    {_objects(task)})",
        "(:init\n    " + "\n    ".join(_init(task)) + ")",
        f"(:goal {_goal(task, values, is_plain)})",
    ]
    if not is_plain:
        sections += _own(task, values)
    body = "\n  ".join(sections)
    return f"(define (problem {_name(task.id)})\n  (:domain household)\n  {body})\n"


def _missing(task: Task) -> Iterator[str]:
    """What of a task has no words in PDDL."""
    yield from (f"the mechanic {one.kind}" for one in task.mechanics if one.kind not in _MECHANICS)
    yield from (said for one in task.mechanics if (said := _unsaid(one)))
    targets = {one.fields["target"] for one in task.mechanics if one.kind == "remote_control"}
    acting = {one.fields.get("trigger") for one in task.mechanics}
    pairs = [name for one in task.mechanics if one.kind == "state_mirroring" for name in one.fields["between"]]
    if targets & {*acting, *pairs} or len(set(pairs)) < len(pairs) or acting & set(pairs):
        yield "remote controls or mirrors that set each other off"
    if any(secret.sort != "objective" for secret in task.secrets) or not task.is_product:
        yield "secrets about who was told what, or worlds that are not every combination"
    if any(note.knower or note.when for note in task.notes):
        yield "notes that depend on the world or are about knowledge"
    if any(thing.depends_on for thing in task.things):
        yield "things whose place is a secret"
    if task.never or task.audible:
        yield "flags or sounds"
    if any(person.verbs != VERBS for person in task.people):
        yield "people who cannot do everything"
    if any(one.kind == "fixture" for one in task.furniture):
        yield "fixtures"
    talk, plain = task.talk, Talk()
    if (talk.atoms, talk.fanout, talk.windows, talk.kinds) != (plain.atoms, plain.fanout, {}, plain.kinds):
        yield "messages with windows, several listeners or other content"
    for formula in (task.goal, *task.private.values()):
        yield from (
            f"the predicate {name}" for name, _ in _literals(formula) if name not in PREDICATES and name != "floor"
        )


def _unsaid(one: Mechanic) -> str:
    fields = one.fields
    if one.kind == "remote_control":
        if fields.get("delay") or str(fields["trigger"]).startswith("$"):
            return "remote controls with a delay or a secret trigger"
        if fields["when"] not in ("open", "on") or fields["set"] not in CONTROLS.values():
            return "remote controls other than by opening or switching on"
    return "mirrors that work one way" if one.kind == "state_mirroring" and fields.get("one_way") else ""


def _literals(formula: Formula) -> Iterator[tuple[str, list[str]]]:
    if isinstance(formula, str):
        yield split_literal(formula)
        return
    ((kind, parts),) = formula.items()
    for part in [parts] if kind == "not" else parts:
        yield from _literals(part)


def _name(name: str) -> str:
    return name.lower().replace(" ", "_")


def _objects(task: Task) -> str:
    groups = {
        "agent": task.names,
        "room": [one.name for one in task.rooms],
        "furniture": [one.name for one in task.furniture],
        "door": [one.name for one in task.doors],
        "item": [one.name for one in task.things],
    }
    return "\n    ".join(f"{' '.join(map(_name, names))} - {type_}" for type_, names in groups.items() if names)


def _init(task: Task) -> Iterator[str]:
    for person in task.people:
        yield f"(agent_in_room {_name(person.name)} {_name(person.room)})"
    room_of = {one.name: one.room for one in task.furniture}
    for one in task.furniture:
        name = _name(one.name)
        yield f"(is_in_room {name} {_name(one.room)}) ({_KINDS[one.kind]} {name})"
        if one.kind == "container":
            yield from _states(name, one.is_open, one.is_locked)
        elif one.kind == "switch":
            yield f"(is_powered_{'on' if one.is_on else 'off'} {name})"
    for door in task.doors:
        name, (first, second) = _name(door.name), map(_name, door.rooms)
        yield f"(leads {name} {first} {second}) (is_in_room {name} {first}) (is_in_room {name} {second})"
        yield from _states(name, door.is_open, door.is_locked)
        if door.one_way:
            yield f"(is_one_way {name})"
    for thing in task.things:
        how, _, where = thing.place.partition(" ")
        name, place = _name(thing.name), _name(where)
        if how == "held":
            yield f"(is_held_by {name} {place})"
        elif how == "floor":
            yield f"(is_in_room {name} {place}) (is_on_floor {name})"
        else:
            yield f"({PREDICATES[how]} {name} {place}) (is_in_room {name} {_name(room_of[where])})"
    for mechanic in task.mechanics:
        yield from _mechanic(mechanic)
    for who, listeners in task.talk.channels.items():
        yield from (f"(can_communicate {_name(who)} {_name(other)})" for other in listeners)


def _states(name: str, is_open: bool, is_locked: bool) -> Iterator[str]:
    yield f"({'is_open' if is_open else 'is_closed'} {name}) ({'is_locked' if is_locked else 'is_unlocked'} {name})"


def _mechanic(mechanic: Mechanic) -> Iterator[str]:
    fields = mechanic.fields
    if mechanic.kind == "room_restriction":
        for who in fields["agents"]:
            yield from (f"(is_restricted {_name(who)} {_name(room)})" for room in fields["rooms"])
    elif mechanic.kind == "inverse_state":
        yield f"(is_inverse {_name(fields['furniture'])})"
    elif mechanic.kind == "state_mirroring":
        yield f"(mirrors {' '.join(map(_name, fields['between']))})"
    elif mechanic.kind == "remote_control":
        predicate = next(name for name, word in CONTROLS.items() if word == fields["set"])
        yield f"({predicate} {_name(fields['trigger'])} {_name(fields['target'])})"


def _goal(task: Task, values: dict[str, str], is_plain: bool) -> str:
    parts = [_formula(task.goal, values)]
    if not is_plain:
        parts += [_wish(task, wish, values) for wish in task.wishes]
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


def _formula(formula: Formula, values: dict[str, str]) -> str:
    if not isinstance(formula, str):
        ((kind, parts),) = formula.items()
        return f"({kind} {' '.join(_formula(part, values) for part in ([parts] if kind == 'not' else parts))})"
    name, arguments = split_literal(formula)
    said = [_name(values[one[1:]] if one.startswith("$") else one) for one in arguments]
    if name == "floor":
        return f"(and (is_on_floor {said[0]}) (is_in_room {said[0]} {said[1]}))"
    return f"({PREDICATES[name]} {' '.join(said)})"


def _wish(task: Task, wish: Wish, values: dict[str, str]) -> str:
    """That the chain knows what is hidden: a part of the goal that names it."""
    named = (
        f"{name}({', '.join(arguments)})" for name, arguments in _literals(task.goal) if f"${wish.about}" in arguments
    )
    fact = next(named, None)
    if fact is None:
        raise UserError(f"task {task.id!r} cannot be said in PDDL: its goal does not name the secret {wish.about!r}")
    said = _formula(fact, values)
    for name in reversed(wish.chain):
        said = f"(K {_name(name)} {said})"
    return said


def _own(task: Task, values: dict[str, str]) -> Iterator[str]:
    """Sections of our own: turns, private goals, limits, and what is hidden from whom."""
    yield f"(:horizon {task.horizon})"
    if task.private:
        owners = (f"({_name(who)} {_formula(goal, values)})" for who, goal in task.private.items())
        yield f"(:goal-owners {' '.join(owners)})"
    limits = (f"({_name(who)} {task.talk.budgets.get(who, 0)})" for who in task.names)
    yield f"(:message-limits {' '.join(limits)})"
    hidden = []
    for secret in task.secrets:
        told = [note.to for note in task.notes if note.about == secret.name]
        shown = [one.name for one in task.furniture if one.shows == secret.name]
        words = {":as": [secret.name], ":among": secret.values, ":told": told, ":shown": shown}
        said = " ".join(f"{word} {' '.join(map(_name, names))}" for word, names in words.items() if names)
        hidden.append(f"({_name(values[secret.name])} {said})")
    if hidden:
        yield f"(:hidden {' '.join(hidden)})"
