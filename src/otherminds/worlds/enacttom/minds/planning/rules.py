"""The steps by which facts come about if nothing ever ceases to be so: acts, messages, sights, conditions of acts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from otherminds.worlds.enacttom.formulas import literal_of, reportable, shared
from otherminds.worlds.enacttom.grounded_task import Tests
from otherminds.worlds.enacttom.messages import Act, Atom, Message
from otherminds.worlds.enacttom.minds.planning.act_conditions import ActConditions, Clause
from otherminds.worlds.enacttom.minds.planning.endings import endings
from otherminds.worlds.enacttom.minds.planning.knowledge import Knowledge
from otherminds.worlds.enacttom.types import World

NEVER = 1 << 30
MANY = 3  # people who see a sign together; longer chains are not accounted for


class Rule(NamedTuple):
    """A step: an act of a person, something that happens by itself, or a consequence that takes no time."""

    needs: tuple[int, ...]
    gives: tuple[int, ...]
    act: tuple[int, Act] | None = None
    turns: int = 0  # that it takes
    first: int = 0  # the earliest and the latest moment
    last: int = NEVER


class Rules:
    """The rules of a world. Facts are numbered.

    Args:
        conditions: what acts require in the world.

    Attributes:
        facts: the number of each fact: ``("is" | "not", variable, value)``, ``("bit", bit)``, ``("speak" | "spare",
            person)`` for a person who has a message left, or more than one, and facts that follow from others.
        rules: all rules.
        goal: the fact that the goal holds.
        givers: for each fact the numbers of the rules that give it.
        of_act: the numbers of the rules of each act.
        negations: the facts that a variable does not have a value: variable, value and number of the fact.
    """

    def __init__(self, conditions: ActConditions) -> None:
        self.conditions, self.knowledge, self.ground = conditions, conditions.knowledge, conditions.ground
        self.facts: dict[Hashable, int] = {}
        self.rules: list[Rule] = []
        self._names: list[Hashable] = []  # of the facts, once all have numbers
        self._undone: dict[int, list[int]] = {}
        self.goal = self._ended(shared(self.ground))
        for person, deeds in enumerate(self.ground.by_name):
            for name in deeds:
                self._add_deed(person, name)
        for effect in self.ground.ticks:
            self.rules.append(Rule(self._tests(effect.tests), (self._is(effect.variable, effect.value),), turns=1))
        for person, message in messages(self.knowledge, conditions.world):
            self._add_message(person, message)
        self._add_sights()
        self._add_negations()
        self.givers: list[list[int]] = [[] for _ in self.facts]
        self.of_act: dict[tuple[int, Act], list[int]] = {}
        for number, rule in enumerate(self.rules):
            for fact in rule.gives:
                self.givers[fact].append(number)
            if rule.act is not None:
                self.of_act.setdefault(rule.act, []).append(number)

    def undone_by(self, fact: int) -> list[int]:
        """The facts that cease to hold when a fact comes about, which gives a variable another value."""
        if not self._names:
            self._names = list(self.facts)
        if fact not in self._undone:
            name = self._names[fact]
            self._undone[fact] = []
            if isinstance(name, tuple) and name[0] == "is":
                _, variable, value = name
                others = [("is", variable, x) for x in range(len(self.ground.domains[variable])) if x != value]
                self._undone[fact] = [
                    self.facts[other] for other in (*others, ("not", variable, value)) if other in self.facts
                ]
        return self._undone[fact]

    def fact(self, name: Hashable) -> int:
        """The number of a fact."""
        return self.facts.setdefault(name, len(self.facts))

    def _is(self, variable: int, value: int) -> int:
        return self.fact(("is", variable, value))

    def _tests(self, tests: Tests) -> tuple[int, ...]:
        return tuple(self.fact(("is" if t.is_equal else "not", t.variable, t.value)) for t in tests)

    def _bits(self, bits: int) -> list[int]:
        facts = []
        while bits:
            lowest = bits & -bits
            facts.append(self.fact(("bit", lowest)))
            bits ^= lowest
        return facts

    def _formula(self, formula: Any, is_so: bool = True) -> int:
        """The fact that a formula holds, or that it does not."""
        kind, *rest = formula
        if kind == "is":
            return self.fact(("is" if is_so else "not", *rest))
        if kind == "not":
            return self._formula(rest[0], not is_so)
        name = ("formula", formula, is_so)
        if name not in self.facts:
            parts = [self._formula(part, is_so) for part in rest[0]]
            whole = self.fact(name)
            is_all = (kind == "and") == is_so
            self.rules += [Rule(tuple(parts), (whole,))] if is_all else [Rule((part,), (whole,)) for part in parts]
        return self.facts[name]

    def _ended(self, goal: Any) -> int:
        """The fact that the goal holds: what one of its endings asks for is so."""
        ways = endings(self.ground, self.conditions.world, goal)
        if ways is None:
            return self._formula(goal)
        fact = self.fact(("ended", goal))
        for ending in ways:
            needs: list[int] = []
            for variable, values in ending.items():
                others = [x for x in range(len(self.ground.domains[variable])) if x not in values]
                is_one = len(values) == 1
                needs += [self._is(variable, *values)] if is_one else [self.fact(("not", variable, x)) for x in others]
            self.rules.append(Rule(tuple(needs), (fact,)))
        return fact

    def _clause(self, clause: Clause, *others: int) -> int:
        """The fact that one reason of a clause, or another fact, holds."""
        name = ("clause", clause, others)
        if name not in self.facts:
            fact = self.fact(name)
            self.rules += [Rule((other,), (fact,)) for other in others]
            for reason in clause:
                states = [self._is(*reason.state)] if reason.state else []
                self.rules.append(Rule((*self._bits(reason.bits), *states), (fact,)))
        return self.facts[name]

    def _add_deed(self, person: int, name: str) -> None:
        clauses = self.conditions.of_deed(person, name)
        if clauses is None:
            return
        deed, can = self.ground.by_name[person][name], self.fact(("can", person, name))
        self.rules += [Rule(self._tests(way.tests), (can,), first=way.first - 1) for way in deed.ways]
        first, last = min(way.first for way in deed.ways), max(way.last for way in deed.ways)
        needs = (can, *map(self._clause, clauses))
        for effect in deed.effects:
            given = (self._is(effect.variable, effect.value),)
            self.rules.append(Rule((*needs, *self._tests(effect.tests)), given, (person, name), 1, first - 1, last - 1))

    def _add_message(self, person: int, message: Message) -> None:
        task, token = self.ground.task, self.knowledge.token
        first, last = task.talk.windows.get(task.names[person], (1, task.horizon))
        ((kind, *parts),) = message.atoms
        needs = [self.fact(("speak", person))]
        if kind == "value":
            needs += [*self._bits(token((person,), task.secret(parts[0]))), self._spared(person, message)]
        elif kind == "knows":
            chain = task.numbers(parts[:-1])
            needs += self._bits(token(chain if chain[0] == person else (person, *chain), task.secret(parts[-1])))
        else:
            state = next(state for state in reportable(self.ground) if _literal(self.knowledge, *state) == parts[0])
            needs += [*self._bits(self.knowledge.trace(person, *state)), self._is(*state)]
        given = set(self._bits(self.knowledge.heard(message))) - set(needs)
        if given:
            rule = Rule(tuple(needs), tuple(sorted(given)), (person, message), 1, first - 1, last - 1)
            self.rules.append(rule)

    def _spared(self, person: int, message: Message) -> int:
        """The fact that a value can be told: it is not the last message, or every part of the goal is seen to."""
        fact = self.fact(("spared", person, message))
        self.rules.append(Rule((self.fact(("spare", person)),), (fact,)))
        seen_to = []
        for part, clause in enumerate(self.conditions.of_last(person, message)):
            if self.conditions.case.was_so[part]:
                seen_to.append(self._clause(clause, self._formula(self.conditions.parts[part])))
            else:
                seen_to.append(self._clause((*clause, *self.conditions.settled(person, part))))
        self.rules.append(Rule(tuple(dict.fromkeys(seen_to)), (fact,)))
        return fact

    def _add_sights(self) -> None:
        people, rooms = range(len(self.ground.task.people)), self.ground.rooms_of
        secrets = len(self.ground.task.secrets)
        for sight in self.ground.sights:
            seen = [self._is(sight.variable, sight.value), *self._tests(sight.tests)]
            is_secret = sight.variable < secrets
            for number in range(1, min(MANY, self.knowledge.depth) + 1 if is_secret else 2):
                for group in combinations(people, number):
                    given = self._bits(self.knowledge.seen(group, [(sight.variable, sight.value)]))
                    if given:
                        here = [self._is(rooms[person], sight.room) for person in group]
                        self.rules.append(Rule((*seen, *here), tuple(given)))

    def _add_negations(self) -> None:
        self.negations: list[tuple[int, int, int]] = []
        for name, fact in list(self.facts.items()):
            if isinstance(name, tuple) and name[0] == "not":
                _, variable, value = name
                self.negations.append((variable, value, fact))
                others = [x for x in range(len(self.ground.domains[variable])) if x != value]
                self.rules += [Rule((self._is(variable, other),), (fact,)) for other in others]


def messages(knowledge: Knowledge, world: World) -> Iterator[tuple[int, Message]]:
    """The messages of one atom that are true in a world, if their senders know it."""
    task = knowledge.ground.task
    talk = task.talk
    atoms: list[Atom] = []
    if "value" in talk.kinds:
        atoms += [("value", s.name, s.values[at]) for s, at in zip(task.secrets, world, strict=True)]
    if "knows" in talk.kinds and knowledge.depth > 1:
        atoms += [("knows", name, secret.name) for name in task.names for secret in task.secrets]
    if "fact" in talk.kinds:
        atoms += [("fact", _literal(knowledge, *state)) for state in reportable(knowledge.ground)]
    for name in task.speakers:
        listeners = task.numbers(talk.channels[name])
        groups: list[tuple[int, ...]] = [(listener,) for listener in listeners]
        if min(talk.fanout, len(listeners)) > 1:
            groups += combinations(listeners, min(talk.fanout, len(listeners)))
        for to in groups:
            yield from ((task.names.index(name), Message(task.names.index(name), to, (atom,))) for atom in atoms)


def _literal(knowledge: Knowledge, variable: int, value: int) -> str:
    return literal_of(knowledge.ground.variables[variable], knowledge.ground.domains[variable][value])


@lru_cache(maxsize=2048)
def rules_of(knowledge: Knowledge, world: World) -> Rules:
    """The rules of a world."""
    return Rules(ActConditions(knowledge, world))
