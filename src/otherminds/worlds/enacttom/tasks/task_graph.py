"""The content of a task as a graph with labels instead of names, for comparing tasks (see ``canonical``).

K-goals are left out: they are scored, but nobody is told of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from otherminds.worlds.enacttom.formulas import normal
from otherminds.worlds.enacttom.mechanics import MANIPULATIONS, listed
from otherminds.worlds.enacttom.types import Mechanic, Task


class Graph:
    """A graph with labels on nodes and words on edges; each edge is listed at both ends.

    Attributes:
        labels: of the nodes.
        edges: of each node, as words and neighbours.
    """

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.edges: list[list[tuple[str, int]]] = []

    def add(self, label: str, *plain: Any, **near: int | Iterable[int]) -> int:
        """A new node with a label and plain values, joined to others by words."""
        self.labels.append(" ".join(map(str, (label, *plain))))
        self.edges.append([])
        node = len(self.labels) - 1
        for word, others in near.items():
            for other in [others] if isinstance(others, int) else others:
                self.edges[node].append((word, other))
                self.edges[other].append((f"{word} of", node))
        return node


def labelled_graph(task: Task, *, is_bare: bool = False) -> Graph:
    """The graph of a task.

    Args:
        task: the task.
        is_bare: whether to leave out what is audible, private goals and the category.
    """
    return _Maker(task, is_bare).graph


class _Maker:
    """Adds the parts of a task to a graph, those first that others refer to."""

    def __init__(self, task: Task, is_bare: bool) -> None:
        self.graph, self._task = Graph(), task
        self._nodes: dict[tuple[str, str], int] = {}  # by sort and name
        self._house()
        self._hidden()
        for thing in task.things:
            node = self._nodes["thing", thing.name]
            if thing.depends_on is None:
                self._place(node, thing.place)
            values = task.secrets[task.secret(thing.depends_on)].values if thing.depends_on else ()
            for value, place in zip(values, thing.places, strict=True):
                self._place(node, place, when=self._value(str(thing.depends_on), value))
        self._talk()
        for mechanic in task.mechanics:
            self._mechanic(mechanic)
        for flag in task.never:
            self.graph.add("never", of=self._flag(flag))
        self.graph.add("goal", task.horizon, is_so=self._formula(task.goal))
        if not is_bare:
            self._motives()

    def _named(self, sort: str, name: str, *plain: Any, **near: int | Iterable[int]) -> int:
        node = self.graph.add(sort, *plain, **near)
        self._nodes[sort, name] = node
        return node

    def _fixed(self, name: str) -> int:
        """A piece of furniture or a door."""
        return self._nodes.get(("furniture", name), self._nodes.get(("door", name), -1))

    def _flag(self, name: str) -> int:
        used = self._fixed(name.removeprefix("used ")) if name.startswith("used ") else -1
        known = self._nodes.get(("flag", name))
        return self._named("flag", name, **({"used": used} if used >= 0 else {})) if known is None else known

    def _value(self, secret: str, value: str) -> int:
        return self._nodes[f"value of {secret}", value]

    def _house(self) -> None:
        task = self._task
        for room in task.rooms:
            self._named("room", room.name)
        for door in task.doors:
            start, end = (self._nodes["room", name] for name in door.rooms)
            near = {"leads_from": start, "leads_to": end} if door.one_way else {"between": (start, end)}
            self._named("door", door.name, door.is_open, door.is_locked, **near)
        for part in task.furniture:
            states = part.kind, part.is_open, part.is_locked, part.is_on
            self._named("furniture", part.name, *states, room=self._nodes["room", part.room])
        for thing in task.things:
            self._named("thing", thing.name)
        for person in task.people:
            node = self._named("person", person.name, room=self._nodes["room", person.room])
            self.graph.add("verbs", *sorted(person.verbs), of=node)
            for name in task.barred(person.name):
                self.graph.add("barred", who=node, room=self._nodes["room", name])

    def _hidden(self) -> None:
        task = self._task
        for secret in task.secrets:
            node = self._named("secret", secret.name, secret.sort)
            for value in secret.values:
                meant = [at for (sort, name), at in self._nodes.items() if name == value and sort in _MEANT]
                self._nodes[f"value of {secret.name}", value] = self.graph.add("value", of=node, meant=meant)
        worlds = {
            world: self.graph.add(
                "world", has=[self._value(s.name, s.values[at]) for s, at in zip(task.secrets, world, strict=True)]
            )
            for world in task.worlds
        }
        given: dict[tuple[str, str, tuple[str, ...]], set[int]] = {}
        for note in task.notes:
            known_in = {node for world, node in worlds.items() if task.applies(note, world)}
            given.setdefault((note.to, note.about, note.knower), set()).update(known_in)
        for (to, about, knower), known_in in given.items():
            near = {"to": self._nodes["person", to], "about": self._nodes["secret", about]}
            near |= {f"knower {at}": self._nodes["person", name] for at, name in enumerate(knower)}
            everywhere = len(known_in) == len(worlds)
            self.graph.add("note", everywhere, **near, where=() if everywhere else known_in)
        for part in task.furniture:
            if part.shows:
                self.graph.add("shows", on=self._fixed(part.name), what=self._nodes["secret", part.shows])

    def _place(self, thing: int, place: str, **when: int) -> None:
        relation, holder = self._placed(place)
        self.graph.add("place", relation, of=thing, where=holder, **when)

    def _placed(self, place: str) -> tuple[str, int]:
        relation, _, name = place.partition(" ")
        sort = {"held": "person", "floor": "room"}.get(relation, "furniture")
        return relation, self._nodes[sort, name]

    def _talk(self) -> None:
        task, talk = self._task, self._task.talk
        for name in task.speakers:
            listeners = [self._nodes["person", listener] for listener in sorted(set(talk.channels[name]))]
            speaker, window = self._nodes["person", name], talk.windows.get(name, ())
            self.graph.add("speaks", talk.budgets[name], *window, who=speaker, to=listeners)
        if task.speakers:
            cost = talk.broadcast_cost if talk.fanout > 1 else "one"
            self.graph.add("talk", talk.atoms, talk.fanout, cost, *sorted(talk.kinds))

    def _mechanic(self, mechanic: Mechanic) -> None:
        kind, fields = mechanic.kind, mechanic.fields
        verbs = sorted(fields.get("verbs", MANIPULATIONS))
        if kind == "remote_control":
            source = str(fields["trigger"])
            trigger = self._nodes["secret", source[1:]] if source.startswith("$") else self._fixed(source)
            how = (fields["when"], fields["set"], fields.get("delay", 0))
            self.graph.add(kind, *how, trigger=trigger, target=self._fixed(fields["target"]))
        elif kind == "state_mirroring":
            first, second = map(self._fixed, fields["between"])
            near = {"from": first, "to": second} if fields.get("one_way") else {"between": [first, second]}
            self.graph.add(kind, **near)
        elif kind == "inverse_state":
            self.graph.add(kind, of=self._fixed(fields["furniture"]))
        elif kind in ("time_window", "interlock", "commit"):
            self._limit(kind, fields, verbs)

    def _limit(self, kind: str, fields: Mapping[str, Any], verbs: list[str]) -> None:
        """A mechanic that limits manipulation: a node for each place, however it was written."""
        conditions = listed(fields.get("while" if kind == "interlock" else "when", ()))
        for name in listed(fields["furniture"]) if "furniture" in fields else [""]:
            near: dict[str, int | list[int]] = {"of": self._fixed(name)} if name else {}
            near["when"] = list(map(self._condition, conditions))
            if "raises" in fields:
                near["raises"] = self._flag(fields["raises"])
            self.graph.add(kind, *verbs, *fields.get("turns", ()), **near)

    def _condition(self, text: str) -> int:
        return self._formula({"not": text[4:]} if text.startswith("not ") else text)

    def _motives(self) -> None:
        task = self._task
        self.graph.add("category", task.category)
        for name, goal in task.private.items():
            self.graph.add("private", who=self._nodes["person", name], is_so=self._formula(goal))
        for literal in task.audible:
            self.graph.add("audible", is_so=self._formula(literal))

    def _formula(self, formula: Any) -> int:
        return self._numbered(normal(formula, self._task))

    def _numbered(self, formula: Any) -> int:
        """The node of a formula. Nested parts of the same kind count as parts of the whole, each once, in any order."""
        kind, *rest = formula
        if kind == "is":
            return self._literal(*rest)
        if kind == "not":
            return self.graph.add("not", of=self._numbered(rest[0]))
        parts = list(dict.fromkeys(_flat(kind, formula)))
        return self._numbered(parts[0]) if len(parts) == 1 else self.graph.add(kind, of=map(self._numbered, parts))

    def _literal(self, variable: str, value: str) -> int:
        sort, _, name = variable.partition(" ")
        if sort == "secret":
            return self.graph.add("is", value=self._value(name, value))
        if sort == "place":
            relation, holder = self._placed(value)
            return self.graph.add("is", relation, of=self._nodes["thing", name], where=holder)
        if sort == "at":
            return self.graph.add("is at", of=self._nodes["person", name], where=self._nodes["room", value])
        return self.graph.add("is", sort, value, of=self._flag(name) if sort == "flag" else self._fixed(name))


_MEANT = ("room", "door", "furniture", "thing", "person")  # what the value of a secret can name


def _flat(kind: str, formula: Any) -> list[Any]:
    return [inner for part in formula[1] for inner in (_flat(kind, part) if part[0] == kind else [part])]
