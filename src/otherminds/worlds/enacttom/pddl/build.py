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
from otherminds.worlds.enacttom.pddl.read import Fact, Goal, Hidden, Problem, facts_of
from otherminds.worlds.enacttom.read import parse_task
from otherminds.worlds.enacttom.types import Formula, Task
from otherminds.worlds.enacttom.verify.depth import calibrate

_OPENS = ("is_open", "is_closed", "is_locked", "is_unlocked", "is_inside", "is_container", "is_inverse")
_POWERS = ("is_powered_on", "is_powered_off", "is_switch")
PREDICATES = {
    "at": "agent_in_room", "open": "is_open", "closed": "is_closed", "locked": "is_locked", "unlocked": "is_unlocked",
    "powered": "is_powered_on", "unpowered": "is_powered_off", "on": "is_on_top", "in": "is_inside",
    "held": "is_held_by",
}  # fmt: skip
_OURS = {predicate: ours for ours, predicate in PREDICATES.items()}
CONTROLS = {
    "controls": "open",
    "controls_closed": "closed",
    "controls_unlocked": "unlocked",
    "controls_locks": "locked",
}
_MIRRORS = ("mirrors", "mirrors_closed")
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
    facts = problem.facts
    controlled = {fact.arguments[-1] for fact in facts if fact.predicate in CONTROLS}
    powers = {fact.arguments[0] for fact in facts if fact.predicate in _POWERS}
    opens = {fact.arguments[-1] for fact in facts if fact.predicate in _OPENS} | controlled
    opens |= {one for fact in facts if fact.predicate in (*CONTROLS, *_MIRRORS) for one in fact.arguments} - powers
    signs = {name for one in problem.hidden for name in one.shown}
    signs |= {fact.arguments[0] for fact in facts if fact.predicate == "is_sign"}
    found: dict[str, str] = {}
    for name in problem.of("furniture"):
        if name in opens and name in powers:
            raise UserError(f"{problem.where}: {name!r} both opens and switches; the household has one state for each")
        found[name] = next(
            (kind for kind, names in (("sign", signs), ("container", opens), ("switch", powers)) if name in names),
            "surface",
        )
    return found


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
    what, secrets = kinds(problem), [secret_of(problem, one) for one in problem.hidden]
    names = [name for name, _ in secrets]
    if len(set(names)) < len(names):
        raise UserError(f"{problem.where}: two hidden objects are of one kind; name them apart with :as")
    given = {one.value: f"${name}" for one, (name, _) in zip(problem.hidden, secrets, strict=True)}
    shows = {board: name for one, (name, _) in zip(problem.hidden, secrets, strict=True) for board in one.shown}
    say = _Goals(problem, what, given)
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
        "secrets": {name: {"values": list(values)} for name, values in secrets},
        "notes": [
            {"to": who, "about": name}
            for one, (name, _) in zip(problem.hidden, secrets, strict=True)
            for who in one.told
        ],
        "mechanics": list(_mechanics(problem, what)),
        "talk": _talk(problem),
        "goal": {"and": list({str(part): part for part in say.parts(problem.goal)}.values())},
        "private": {who: say.formula(goal) for who, goal in problem.owners.items()},
        "wishes": list(say.wishes(problem.goal)),
    }


def things(problem: Problem) -> list[str]:
    """Whatever can be carried."""
    return [name for name, type_ in problem.objects.items() if type_ in ("item", "object")]


def _facts(problem: Problem, *predicates: str) -> Iterator[Fact]:
    return (fact for fact in problem.init if fact.predicate in predicates)


def _is(problem: Problem, predicate: str, name: str) -> bool:
    return any(fact.arguments == (name,) for fact in _facts(problem, predicate))


def _room(problem: Problem, predicate: str, name: str) -> str:
    found = [fact.arguments[1] for fact in _facts(problem, predicate) if fact.arguments[0] == name]
    if len(found) != 1:
        raise UserError(
            f"{problem.where}: {name!r} is in {len(found)} rooms at first; expected one ({predicate} {name} …)"
        )
    return found[0]


def _furniture(problem: Problem, name: str, kind: str, shows: dict[str, str]) -> dict[str, Any]:
    states = {"open": "is_open", "locked": "is_locked"} if kind == "container" else {}
    states = {"on": "is_powered_on"} if kind == "switch" else states
    if kind == "sign":
        if name not in shows:
            raise UserError(f"{problem.where}: {name!r} is a sign that shows nothing; name it after :shown in :hidden")
        return {"kind": kind, "room": _room(problem, "is_in_room", name), "shows": shows[name]}
    found = {word: True for word, predicate in states.items() if _is(problem, predicate, name)}
    return {"kind": kind, "room": _room(problem, "is_in_room", name), **found}


def _place(problem: Problem, name: str, what: dict[str, str]) -> str:
    for fact in problem.init:
        if fact.arguments[:1] != (name,):
            continue
        if fact.predicate in ("is_on_top", "is_inside"):
            return f"{_how(problem, fact, what)} {fact.arguments[1]}"
        if fact.predicate == "is_held_by":
            return f"held {fact.arguments[1]}"
    return f"floor {_room(problem, 'is_in_room', name)}"


def _how(problem: Problem, fact: Fact, what: dict[str, str]) -> str:
    """On a surface or in a container: in the original what is put there is both (W5)."""
    kind = what.get(fact.arguments[1])
    if kind not in ("surface", "container"):
        raise UserError(f"{problem.where}, line {fact.line}: {fact} puts something on a {kind}")
    return "in" if kind == "container" else "on"


def _doors(problem: Problem) -> dict[str, Any]:
    doors: dict[str, Any] = {}
    for fact in _facts(problem, "leads"):
        name, *rooms = fact.arguments
        is_locked = _is(problem, "is_locked", name)
        is_open = not _is(problem, "is_closed", name) and (_is(problem, "is_open", name) or not is_locked)
        doors[name] = {
            "rooms": rooms,
            "open": is_open,
            "locked": is_locked,
            "one_way": _is(problem, "is_one_way", name),
        }
    for fact in _facts(problem, "connected"):
        doors["-".join(fact.arguments)] = {"rooms": list(fact.arguments)}
    rooms = problem.of("room")
    if not doors and len(rooms) > 1:
        barred = {fact.arguments[1] for fact in _facts(problem, "is_restricted")}
        hub = next((room for room in rooms if room not in barred), rooms[0])
        doors = {f"{hub}-{room}": {"rooms": [hub, room]} for room in rooms if room != hub}
    return doors


def _mechanics(problem: Problem, what: dict[str, str]) -> Iterator[dict[str, Any]]:
    seen: set[frozenset[str]] = set()
    for fact in problem.init:
        if fact.predicate == "is_restricted":
            yield {"kind": "room_restriction", "agents": [fact.arguments[0]], "rooms": [fact.arguments[1]]}
        elif fact.predicate == "is_inverse":
            yield {"kind": "inverse_state", "furniture": fact.arguments[0]}
        elif fact.predicate in CONTROLS:
            trigger, target = fact.arguments
            when = "on" if what.get(trigger) == "switch" else "open"
            yield {"kind": "remote_control", "trigger": trigger, "when": when, "target": target,
                   "set": CONTROLS[fact.predicate]}  # fmt: skip
        elif fact.predicate in _MIRRORS and frozenset(fact.arguments) not in seen:
            seen.add(frozenset(fact.arguments))
            yield {"kind": "state_mirroring", "between": list(fact.arguments)}


def _talk(problem: Problem) -> dict[str, Any]:
    """Who is given no channels reaches everybody; who is given no limit has a message for every turn."""
    people = problem.of("agent")
    given = [fact.arguments for fact in _facts(problem, "can_communicate")]
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

    def parts(self, goal: Goal) -> list[Formula]:
        """All that must hold."""
        kind, *rest = goal
        if kind == "and":
            return [one for part in rest[0] for one in self.parts(part)]
        if kind == "k":
            return self.parts(rest[1])
        return [self.formula(goal)]

    def formula(self, goal: Goal) -> Formula:
        """A goal without its K."""
        kind, *rest = goal
        if kind == "k":
            return self.formula(rest[1])
        if kind == "not":
            return {"not": self.formula(rest[0])}
        if kind in ("and", "or"):
            return {kind: [self.formula(part) for part in rest[0]]}
        return self._fact(rest[0])

    def wishes(self, goal: Goal) -> Iterator[dict[str, Any]]:
        """Who is to know what is hidden; knowledge of anything else is no wish of the household."""
        seen = []
        for chain, fact in facts_of(goal):
            for one in fact.arguments:
                if chain and one in self._given and (chain, one) not in seen:
                    seen.append((chain, one))
                    yield {"chain": list(chain), "about": self._given[one][1:]}

    def _fact(self, fact: Fact) -> Formula:
        predicate, arguments = fact.predicate, [self._given.get(one, one) for one in fact.arguments]
        if predicate in ("is_on_top", "is_inside"):
            return f"{_how(self._problem, fact, self._what)}({', '.join(arguments)})"
        if predicate in _OURS:
            return f"{_OURS[predicate]}({', '.join(arguments)})"
        if predicate == "is_on_floor":
            return {"or": [f"floor({arguments[0]}, {room})" for room in self._problem.of("room")]}
        if predicate == "is_in_room" and fact.arguments[0] in things(self._problem):
            return {"or": list(self._places(*arguments))}
        raise UserError(
            f"{self._problem.where}, line {fact.line}: {fact} cannot be a goal of the household; what can be are "
            f"{', '.join((*_OURS, 'is_in_room', 'is_on_floor'))}"
        )

    def _places(self, thing: str, room: str) -> Iterator[str]:
        yield f"floor({thing}, {room})"
        for name, kind in self._what.items():
            if kind in ("surface", "container") and _room(self._problem, "is_in_room", name) == room:
                yield f"{'in' if kind == 'container' else 'on'}({thing}, {name})"
