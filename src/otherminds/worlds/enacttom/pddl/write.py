"""Tasks as PDDL: a domain that is the same for all, and a problem for one world.

What is hidden stands in sections that planners do not know; leave them out for a planner. Whatever has no words in
PDDL's household (windows, interlocks, commits, who was told what in which world) is refused, by name.
"""

from __future__ import annotations

from collections.abc import Iterator

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import split_literal
from otherminds.worlds.enacttom.pddl.words import CONTROLS, KINDS, PREDICATES, RULES, facts_said
from otherminds.worlds.enacttom.types import VERBS, Door, Formula, Furniture, Mechanic, Talk, Task, Wish, World

# What is said elsewhere than in facts about mechanics.
_TALK = ("limited_bandwidth", "restricted_communication")


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
    said = {*_TALK, *(rule.kind for rule in RULES.values())}
    yield from (f"the mechanic {one.kind}" for one in task.mechanics if one.kind not in said)
    yield from filter(None, map(_unsaid, task.mechanics))
    targets = {one.fields["target"] for one in task.mechanics if one.kind == "remote_control"}
    acting = {one.fields.get("trigger") for one in task.mechanics}
    pairs = [name for one in task.mechanics if one.kind == "state_mirroring" for name in one.fields["between"]]
    is_chained = targets & {*acting, *pairs} or len(set(pairs)) < len(pairs) or acting & set(pairs)
    is_told = any(secret.sort != "objective" for secret in task.secrets) or not task.is_product
    talk, plain = task.talk, Talk()
    is_plain = (talk.atoms, talk.fanout, talk.windows, talk.kinds) == (plain.atoms, plain.fanout, {}, plain.kinds)
    faults = {
        "remote controls or mirrors that set each other off": is_chained,
        "secrets about who was told what, or worlds that are not every combination": is_told,
        "notes that depend on the world or are about knowledge": any(one.knower or one.when for one in task.notes),
        "things whose place is a secret": any(thing.depends_on for thing in task.things),
        "flags or sounds": task.never or task.audible,
        "people who cannot do everything": any(person.verbs != VERBS for person in task.people),
        "fixtures": any(one.kind == "fixture" for one in task.furniture),
        "messages with windows, several listeners or other content": not is_plain,
    }
    yield from (fault for fault, is_so in faults.items() if is_so)
    for formula in (task.goal, *task.private.values()):
        unknown = (name for name, _ in _literals(formula) if name not in (*PREDICATES, "floor"))
        yield from (f"the predicate {name}" for name in unknown)


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


def _fact(predicate: str, *names: str) -> str:
    return f"({' '.join((predicate, *map(_name, names)))})"


def _init(task: Task) -> Iterator[str]:
    for person in task.people:
        yield _fact("agent_in_room", person.name, person.room)
    room_of = {one.name: one.room for one in task.furniture}
    for one in task.furniture:
        yield f"{_fact('is_in_room', one.name, one.room)} {_fact(KINDS[one.kind], one.name)}"
        if one.kind == "container":
            yield _states(one)
        elif one.kind == "switch":
            yield _fact(PREDICATES["powered" if one.is_on else "unpowered"], one.name)
    for door in task.doors:
        yield " ".join(
            (_fact("leads", door.name, *door.rooms), *(_fact("is_in_room", door.name, room) for room in door.rooms))
        )
        yield _states(door)
        if door.one_way:
            yield _fact("is_one_way", door.name)
    for thing in task.things:
        how, _, where = thing.place.partition(" ")
        if how == "floor":
            yield f"{_fact('is_in_room', thing.name, where)} {_fact('is_on_floor', thing.name)}"
        else:
            room = f" {_fact('is_in_room', thing.name, room_of[where])}" if where in room_of else ""
            yield _fact(PREDICATES[how], thing.name, where) + room
    for mechanic in task.mechanics:
        if mechanic.kind not in _TALK:
            facts = facts_said(mechanic.kind, mechanic.fields.get("set"), mechanic.fields)
            yield from (_fact(fact.head, *fact.arguments) for fact in facts)
    for who, listeners in task.talk.channels.items():
        yield from (_fact("can_communicate", who, other) for other in listeners)


def _states(one: Door | Furniture) -> str:
    states = ("open" if one.is_open else "closed", "locked" if one.is_locked else "unlocked")
    return " ".join(_fact(PREDICATES[state], one.name) for state in states)


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
    said = [values[one[1:]] if one.startswith("$") else one for one in arguments]
    if name == "floor":
        return f"(and {_fact('is_on_floor', said[0])} {_fact('is_in_room', *said)})"
    return _fact(PREDICATES[name], *said)


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
    limits = (_fact(_name(who), str(task.talk.budgets.get(who, 0))) for who in task.names)
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
