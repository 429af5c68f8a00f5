"""From a PDDL problem to a task of the household (spec 3.9).

Rooms, furniture and objects are as given; without doors all rooms lie around one. An object of the goal that is hidden
becomes a secret whose values are the objects of its kind. Goals lose their K: what is left must be so at the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.pddl.forms import Form
from otherminds.worlds.enacttom.pddl.read import Hidden, Problem, facts_of
from otherminds.worlds.enacttom.pddl.words import CONTROLS, LITERALS, MIRRORS, PLACES, RULES
from otherminds.worlds.enacttom.read import parse_task
from otherminds.worlds.enacttom.types import Formula, Task
from otherminds.worlds.enacttom.verify.depth import calibrate

_OPENS = ("is_open", "is_closed", "is_locked", "is_unlocked", "is_inside", "is_container", "is_inverse")
_POWERS = ("is_powered_on", "is_powered_off", "is_switch")
# What furniture and doors may be at first, in the words of task files.
_STATES = {"container": {"open": "is_open", "locked": "is_locked"}, "switch": {"on": "is_powered_on"}}
_HOLDS = {"surface": "on", "container": "in"}
_LONGEST = 12  # turns that are searched for a plan if the problem does not say how many there are


def build_task(problem: Problem, horizon: int | None = None) -> Task:
    """The task of a problem.

    Args:
        problem: as it was read.
        horizon: turns; by default what the problem says, else half as many again as who knows everything needs, with
            a turn to tell.

    Raises:
        UserError: if the problem speaks of something that the household does not have; the message names the line.
    """
    content = _content(problem)
    turns = horizon or problem.horizon
    if turns is None:
        house = ground(parse_task({**content, "horizon": _LONGEST}, problem.where))
        plans = [calibrate(house, world) for world in house.task.worlds]
        fewest = max((len(plan) for plan in plans if plan is not None), default=3)
        turns = max(2, fewest + 1, -(-3 * fewest // 2))
    return parse_task({**content, "horizon": turns}, problem.where)


def kinds(problem: Problem) -> dict[str, str]:
    """What each piece of furniture is: whatever opens is a container, whatever switches a switch, the rest surfaces."""

    def named(place: slice, *predicates: str) -> set[str]:
        return {name for fact in problem.facts if fact.head in predicates for name in fact.arguments[place]}

    first, last = slice(0, 1), slice(-1, None)
    powers = named(first, *_POWERS)
    opens = named(last, *_OPENS, *CONTROLS) | (named(slice(None), *CONTROLS, *MIRRORS) - powers)
    signs = named(first, "is_sign") | {name for one in problem.hidden for name in one.shown}
    for name in problem.of("furniture"):
        if name in opens & powers:
            raise UserError(f"{problem.where}: {name!r} both opens and switches; the household has one state for each")
    found = {"switch": powers, "container": opens, "sign": signs}  # a sign that opens is a sign
    of = {name: kind for kind, names in found.items() for name in names}
    return {name: of.get(name, "surface") for name in problem.of("furniture")}


def secret_of(problem: Problem, one: Hidden) -> tuple[str, tuple[str, ...]]:
    """The name and values of the secret that a hidden object becomes."""
    stem = _stem(one.value)
    same = kinds(problem)
    among = one.among or tuple(
        name
        for name, type_ in problem.objects.items()
        if _stem(name) == stem and type_ == problem.objects[one.value] and same.get(name) == same.get(one.value)
    )
    if len(among) < 2 or one.value not in among:
        raise UserError(
            f"{problem.where}, line {one.line}: {one.value!r} is hidden among {', '.join(among) or 'nothing'}; "
            f"expected others of its kind, or a list after :among that it is in"
        )
    return one.name or f"which_{stem}", among


def _stem(name: str) -> str:
    return re.sub(r"_?\d+$", "", name)


def _content(problem: Problem) -> dict[str, Any]:
    what, secrets = kinds(problem), [(one, *secret_of(problem, one)) for one in problem.hidden]
    if len({name for _, name, _ in secrets}) < len(secrets):
        raise UserError(f"{problem.where}: two hidden objects are of one kind; name them apart with :as")
    shows = {board: name for one, name, _ in secrets for board in one.shown}
    say = _Goals(problem, what, {one.value: f"${name}" for one, name, _ in secrets})
    return {
        "id": problem.name,
        "title": problem.name.replace("_", " "),
        "category": "mixed" if problem.owners else "cooperative",
        "house": {
            "rooms": {room: {} for room in problem.of("room")},
            "doors": _doors(problem),
            "furniture": {name: _furniture(problem, name, kind, shows) for name, kind in what.items()},
            "things": {name: {"place": _place(problem, name, what)} for name in things(problem)},
        },
        "people": {name: {"room": _room(problem, "agent_in_room", name)} for name in problem.of("agent")},
        "secrets": {name: {"values": list(values)} for _, name, values in secrets},
        "notes": [{"to": who, "about": name} for one, name, _ in secrets for who in one.told],
        "mechanics": list(_mechanics(problem, what)),
        "talk": _talk(problem),
        "goal": {"and": list({str(part): part for part in say.parts(problem.goal)}.values())},
        "private": {who: say.formula(goal) for who, goal in problem.owners.items()},
        "wishes": list(say.wishes(problem.goal)),
    }


def things(problem: Problem) -> list[str]:
    """Whatever can be carried."""
    return [name for name, type_ in problem.objects.items() if type_ in ("item", "object")]


def _room(problem: Problem, predicate: str, name: str) -> str:
    rooms = [room for one, room in problem.said(predicate) if one == name]
    if len(rooms) != 1:
        raise UserError(
            f"{problem.where}: {name!r} is in {len(rooms)} rooms at first; expected one ({predicate} {name} …)"
        )
    return rooms[0]


def _furniture(problem: Problem, name: str, kind: str, shows: dict[str, str]) -> dict[str, Any]:
    if kind == "sign" and name not in shows:
        raise UserError(f"{problem.where}: {name!r} is a sign that shows nothing; name it after :shown in :hidden")
    states = {word: True for word, said in _STATES.get(kind, {}).items() if (name,) in problem.said(said)}
    board = {"shows": shows[name]} if kind == "sign" else {}
    return {"kind": kind, "room": _room(problem, "is_in_room", name), **states, **board}


def _place(problem: Problem, name: str, what: dict[str, str]) -> str:
    for fact in problem.init:
        if fact.head in (*PLACES, "is_held_by") and fact.arguments[0] == name:
            return f"{_how(problem, fact, what)} {fact.arguments[1]}"
    return f"floor {_room(problem, 'is_in_room', name)}"


def _how(problem: Problem, fact: Form, what: dict[str, str]) -> str:
    """The literal of a fact; what is put somewhere is on a surface or in a container."""
    if fact.head not in PLACES:
        return LITERALS[fact.head]
    kind = what.get(fact.arguments[1])
    if kind not in _HOLDS:
        raise UserError(f"{problem.where}, line {fact.line}: {fact} puts something on a {kind}")
    return _HOLDS[kind]


def _doors(problem: Problem) -> dict[str, Any]:
    doors: dict[str, Any] = {}
    for name, *rooms in problem.said("leads"):
        is_open, is_closed, is_locked, one_way = (
            (name,) in problem.said(state) for state in ("is_open", "is_closed", "is_locked", "is_one_way")
        )
        is_open = not is_closed and (is_open or not is_locked)
        doors[name] = {"rooms": rooms, "open": is_open, "locked": is_locked, "one_way": one_way}
    doors |= {"-".join(rooms): {"rooms": list(rooms)} for rooms in problem.said("connected")}
    rooms = problem.of("room")
    if not doors and len(rooms) > 1:
        barred = {room for _, room in problem.said("is_restricted")}
        hub = next((room for room in rooms if room not in barred), rooms[0])
        doors = {f"{hub}-{room}": {"rooms": [hub, room]} for room in rooms if room != hub}
    return doors


def _mechanics(problem: Problem, what: dict[str, str]) -> Iterator[dict[str, Any]]:
    mirrored: set[frozenset[str]] = set()
    for fact in problem.init:
        if fact.head not in RULES:
            continue
        rule, fields = RULES[fact.head], dict[str, Any]()
        if rule.kind == "state_mirroring":
            if frozenset(fact.arguments) in mirrored:
                continue
            mirrored.add(frozenset(fact.arguments))
            fields = {"between": list(fact.arguments)}
        elif rule.kind == "remote_control":
            trigger, target = fact.arguments
            when = "on" if what.get(trigger) == "switch" else "open"
            fields = {"trigger": trigger, "when": when, "target": target, "set": CONTROLS[fact.head]}
        yield {"kind": rule.kind, **(fields or dict(zip(rule.fields, fact.arguments, strict=True)))}


def _talk(problem: Problem) -> dict[str, Any]:
    """Who is given no channels reaches everybody; who is given no limit has a message for every turn."""
    people = problem.of("agent")
    given = problem.said("can_communicate")
    channels = {
        who: [other for other in people if other != who and (not given or (who, other) in given)] for who in people
    }
    return {
        "channels": {who: to for who, to in channels.items() if to},
        "budgets": {who: problem.limits.get(who, _LONGEST) for who in people},
    }


class _Goals:
    """Goals in the household's words."""

    def __init__(self, problem: Problem, what: dict[str, str], given: dict[str, str]) -> None:
        self._problem, self._what, self._given = problem, what, given

    def parts(self, goal: Form) -> list[Formula]:
        """All that must hold."""
        if goal.head in ("and", "k"):
            return [formula for part in goal.parts[1:] if part.is_list for formula in self.parts(part)]
        return [self.formula(goal)]

    def formula(self, goal: Form) -> Formula:
        """A goal without its K."""
        if goal.head in ("k", "not"):
            inner = self.formula(goal.parts[-1])
            return {"not": inner} if goal.head == "not" else inner
        if goal.head in ("and", "or"):
            return {goal.head: [self.formula(part) for part in goal.parts[1:]]}
        return self._fact(goal)

    def wishes(self, goal: Form) -> Iterator[dict[str, Any]]:
        """Who is to know what is hidden; knowledge of anything else is no wish of the household."""
        seen = []
        for chain, fact in facts_of(goal):
            for one in fact.arguments:
                if chain and one in self._given and (chain, one) not in seen:
                    seen.append((chain, one))
                    yield {"chain": list(chain), "about": self._given[one][1:]}

    def _fact(self, fact: Form) -> Formula:
        problem, arguments = self._problem, [self._given.get(name, name) for name in fact.arguments]
        if fact.head in LITERALS:
            return f"{_how(problem, fact, self._what)}({', '.join(arguments)})"
        if fact.head == "is_on_floor":
            return {"or": [f"floor({arguments[0]}, {room})" for room in problem.of("room")]}
        if fact.head == "is_in_room" and fact.arguments[0] in things(problem):
            return {"or": list(self._places(*arguments))}
        raise UserError(
            f"{problem.where}, line {fact.line}: {fact} cannot be a goal of the household; what can be are "
            f"{', '.join((*LITERALS, 'is_in_room', 'is_on_floor'))}"
        )

    def _places(self, thing: str, room: str) -> Iterator[str]:
        yield f"floor({thing}, {room})"
        for name, kind in self._what.items():
            if kind in _HOLDS and _room(self._problem, "is_in_room", name) == room:
                yield f"{_HOLDS[kind]}({thing}, {name})"
