"""Builds a household task from a PDDL problem (spec 3.9).

Rooms, furniture and objects are taken over. All rooms are connected to one, since the original has no doors. A hidden
object of the goal becomes a secret whose values are the objects of its kind. Goals lose their K: the rest must hold at
the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounding import HOLDS, ground
from otherminds.worlds.enacttom.pddl.read import CONTROLS, LITERALS, MIRRORS, PLACES, Problem, facts_of
from otherminds.worlds.enacttom.pddl.s_expressions import Expression
from otherminds.worlds.enacttom.tasks.read import parse_task
from otherminds.worlds.enacttom.types import Formula, Task
from otherminds.worlds.enacttom.verify.plans import calibrate

_OPENS = ("is_open", "is_closed", "is_locked", "is_unlocked", "is_inside", "is_inverse")
_POWERS = ("is_powered_on", "is_powered_off")
# Initial states of furniture, by the fields of task files.
_STATES = {"container": {"open": "is_open", "locked": "is_locked"}, "switch": {"on": "is_powered_on"}}
_LONGEST = 12  # turns searched for a plan if no horizon is given


def build_task(problem: Problem, horizon: int | None = None) -> Task:
    """The task of a problem.

    Args:
        problem: the problem.
        horizon: turns; by default 1.5 times the turns needed with full information, and at least one turn more than
            those.

    Raises:
        UserError: if the problem has something that the household does not; the message names the line.
    """
    content = _Household(problem).content()
    if horizon is None:
        house = ground(parse_task({**content, "horizon": _LONGEST}, problem.source))
        plans = [calibrate(house, world) for world in house.task.worlds]
        fewest = max((len(plan) for plan in plans if plan is not None), default=3)
        horizon = max(2, fewest + 1, -(-3 * fewest // 2))
    return parse_task({**content, "horizon": horizon}, problem.source)


class _Household:
    """The parts of a task from those of a problem.

    Attributes:
        kinds: of furniture.
        secrets: a reference such as ``$which_table`` for each hidden object.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self.kinds = problem, _kinds(problem)
        self.secrets = {target: f"$which_{target}" for target in problem.hidden}

    def content(self) -> dict[str, Any]:
        """The task as plain data, without a horizon."""
        problem = self._problem
        return {
            "id": problem.name,
            "title": problem.name.replace("_", " "),
            "category": "mixed" if problem.owners else "cooperative",
            "house": {
                "rooms": {room: {} for room in problem.of("room")},
                "doors": _doors(problem),
                "furniture": {name: self._furniture(name, kind) for name, kind in self.kinds.items()},
                "things": {name: {"place": self._place(name)} for name in problem.of("object")},
            },
            "people": {name: {"room": _room(problem, "agent_in_room", name)} for name in problem.of("agent")},
            "secrets": {f"which_{target}": {"values": self._values(target)} for target in problem.hidden},
            "notes": [{"to": to, "about": f"which_{hidden}"} for hidden, told in problem.hidden.items() for to in told],
            "mechanics": list(self._mechanics()),
            "talk": _talk(problem),
            "goal": {"and": list({str(part): part for part in self._parts(problem.goal)}.values())},
            "private": {agent: self._formula(goal) for agent, goal in problem.owners.items()},
            "wishes": list(self._wishes()),
        }

    def _values(self, target: str) -> list[str]:
        """The values of the secret that hidden furniture becomes: all furniture of its kind."""
        kinds = self.kinds
        values = [name for name in kinds if _stem(name) == _stem(target) and kinds[name] == kinds[target]]
        if len(values) < 2:
            raise UserError(
                f"{self._problem.source}: {target!r} is hidden, but there is no other furniture of its kind"
            )
        return values

    def _furniture(self, name: str, kind: str) -> dict[str, Any]:
        facts = _STATES.get(kind, {}).items()
        states = {field: True for field, fact in facts if (name,) in self._problem.initial(fact)}
        return {"kind": kind, "room": _room(self._problem, "is_in_room", name), **states}

    def _place(self, name: str) -> str:
        for fact in self._problem.init:
            if fact.head in (*PLACES, "is_held_by") and fact.arguments[0] == name:
                return f"{self._literal(fact)} {fact.arguments[1]}"
        return f"floor {_room(self._problem, 'is_in_room', name)}"

    def _literal(self, fact: Expression) -> str:
        """The household's literal for a fact; things are on surfaces and in containers."""
        if fact.head not in PLACES:
            return LITERALS[fact.head]
        kind = self.kinds.get(fact.arguments[1])
        if kind not in HOLDS:
            raise fact.error(f"{fact} puts something on a {kind}; expected a surface or a container")
        return HOLDS[kind]

    def _mechanics(self) -> Iterator[dict[str, Any]]:
        mirrored: set[frozenset[str]] = set()
        for fact in self._problem.init:
            names = fact.arguments
            if fact.head == "is_restricted":
                yield {"kind": "room_restriction", "agents": names[0], "rooms": names[1]}
            elif fact.head == "is_inverse":
                yield {"kind": "inverse_state", "furniture": names[0]}
            elif fact.head in CONTROLS:
                when = "on" if self.kinds.get(names[0]) == "switch" else "open"
                state = CONTROLS[fact.head]
                yield {"kind": "remote_control", "trigger": names[0], "when": when, "target": names[1], "set": state}
            elif fact.head in MIRRORS and frozenset(names) not in mirrored:
                mirrored.add(frozenset(names))
                yield {"kind": "state_mirroring", "between": list(names)}

    def _parts(self, goal: Expression) -> list[Formula]:
        """The conjuncts of a goal."""
        if goal.head in ("and", "k"):
            return [formula for part in goal.parts[1:] if part.is_list for formula in self._parts(part)]
        return [self._formula(goal)]

    def _formula(self, goal: Expression) -> Formula:
        """A goal without its K."""
        if goal.head in ("k", "not"):
            inner = self._formula(goal.parts[-1])
            return {"not": inner} if goal.head == "not" else inner
        if goal.head in ("and", "or"):
            return {goal.head: [self._formula(part) for part in goal.parts[1:]]}
        return self._fact(goal)

    def _wishes(self) -> Iterator[dict[str, Any]]:
        """K-goals about hidden objects. K-goals about anything else are dropped."""
        chains = [(chain, name) for chain, fact in facts_of(self._problem.goal) if chain for name in fact.arguments]
        for chain, name in dict.fromkeys(chains):
            if name in self.secrets:
                yield {"chain": list(chain), "about": self.secrets[name][1:]}

    def _fact(self, fact: Expression) -> Formula:
        problem, arguments = self._problem, [self.secrets.get(name, name) for name in fact.arguments]
        if fact.head in LITERALS:
            return f"{self._literal(fact)}({', '.join(arguments)})"
        if fact.head == "is_on_floor":
            return {"or": [f"floor({arguments[0]}, {room})" for room in problem.of("room")]}
        if fact.head == "is_in_room" and problem.objects[fact.arguments[0]] == "object":
            thing, room = arguments
            inside = [
                f"{HOLDS[kind]}({thing}, {name})"
                for name, kind in self.kinds.items()
                if kind in HOLDS and _room(problem, "is_in_room", name) == room
            ]
            return {"or": [f"floor({thing}, {room})", *inside]}
        expected = ", ".join((*LITERALS, "is_in_room", "is_on_floor"))
        raise fact.error(f"{fact} cannot be a goal of the household; expected {expected}")


def _kinds(problem: Problem) -> dict[str, str]:
    """The kind of each piece of furniture: a container if it opens, a switch if it has power, else a surface."""

    def named(place: slice, *predicates: str) -> set[str]:
        return {name for fact in problem.facts if fact.head in predicates for name in fact.arguments[place]}

    first, last = slice(0, 1), slice(-1, None)
    powers = named(first, *_POWERS)
    opens = named(last, *_OPENS, *CONTROLS) | (named(slice(None), *CONTROLS, *MIRRORS) - powers)
    for name in problem.of("furniture"):
        if name in opens & powers:
            raise UserError(f"{problem.source}: {name!r} both opens and switches; expected furniture with one state")
    kinds = dict.fromkeys(powers, "switch") | dict.fromkeys(opens, "container")
    return {name: kinds.get(name, "surface") for name in problem.of("furniture")}


def _stem(name: str) -> str:
    return re.sub(r"_?\d+$", "", name)


def _room(problem: Problem, predicate: str, name: str) -> str:
    rooms = [room for inside, room in problem.initial(predicate) if inside == name]
    if len(rooms) != 1:
        raise UserError(f"{problem.source}: {name!r} starts in {len(rooms)} rooms; expected one ({predicate} {name} …)")
    return rooms[0]


def _doors(problem: Problem) -> dict[str, Any]:
    """Doors from all rooms to one, if possible one that nobody is barred from."""
    rooms, barred = problem.of("room"), {room for _, room in problem.initial("is_restricted")}
    hub = min(rooms, key=lambda room: room in barred, default="")
    return {f"{hub}-{room}": {"rooms": [hub, room]} for room in rooms if room != hub}


def _talk(problem: Problem) -> dict[str, Any]:
    """Channels and budgets. Without channels everybody reaches everybody; without a limit, a message every turn."""
    agents = problem.of("agent")
    lines = problem.initial("can_communicate")
    channels = {
        agent: [other for other in agents if other != agent and (not lines or (agent, other) in lines)]
        for agent in agents
    }
    return {
        "channels": {agent: others for agent, others in channels.items() if others},
        "budgets": {agent: problem.limits.get(agent, _LONGEST) for agent in agents},
    }
