"""A course of action in one world: who does what, such that everybody knows enough for what it does.

The search follows the solution of the relaxed problem, and departs from it as little as necessary.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.minds.planning.knowledge import Key, Situation
from otherminds.worlds.enacttom.minds.planning.relaxed_problem import RelaxedSolver
from otherminds.worlds.enacttom.minds.planning.rules import Rules, messages
from otherminds.worlds.enacttom.rules import WAIT

_UNLIKE = 3  # the cost of an act that differs from the same person's act in another world


@dataclass
class Bounds:
    """What a course of action must agree with.

    Attributes:
        fixed: acts that must be done, by what a person can act on.
        barred: acts that must not be done.
        usual: acts of other courses, to be preferred.
        near: the histories of other courses; no other history can ever become equal to one of them.
    """

    fixed: Mapping[Key, Act] = field(default_factory=dict)
    barred: Set[tuple[Key, Act]] = frozenset()
    usual: dict[Key, Act] = field(default_factory=dict)
    near: set[int] = field(default_factory=set)


class Course(NamedTuple):
    """A course of action: situations and acts turn by turn. ``keys`` are what each person acts on."""

    is_success: bool
    steps: tuple[tuple[tuple[Key, ...], tuple[Act, ...]], ...]


@dataclass
class _Node:
    situation: Situation
    cost: int
    before: _Node | None
    keys: tuple[Key, ...] = ()
    acts: tuple[Act, ...] = ()  # that led here
    options: list[list[tuple[int, Act]]] = field(default_factory=list)


class Search:
    """Searches for courses of action in a world.

    Args:
        rules: the rules of the world.
        root: the first situation.
        until: the last turn of the plan; the goal itself may be reached later, within the horizon.
        idle: people who are expected to do nothing.
        limit: the most situations to consider.
    """

    def __init__(self, rules: Rules, root: Situation, until: int, idle: frozenset[int], limit: int) -> None:
        self._rules, self._root, self._until, self._idle, self._limit = rules, root, until, idle, limit
        self._knowledge, self._conditions = rules.knowledge, rules.conditions
        self._world = rules.conditions.world
        self._relaxed = RelaxedSolver(rules, root, idle)
        self._news: list[list[Message]] = [[] for _ in root.histories]
        for person, message in messages(self._knowledge, self._world):
            self._news[person].append(message)
        own = self._knowledge.own
        self._others = [sum(bits for other, bits in enumerate(own) if other != person) for person in range(len(own))]
        self.considered = 0

    def find(self, bounds: Bounds) -> Course:
        """A course that reaches the goal, or the most promising one."""
        start = _Node(self._root, 0, None)
        best, best_rank = start, (1 << 30, 0)
        queue: list[tuple[int, int, int, tuple[int, ...], int, _Node]] = []
        closed: set[object] = set()
        count, node, left = 0, start, self._limit
        while True:
            situation = node.situation
            if situation.state.turn >= self._until and is_reached(self._rules.ground, situation.state.values):
                return self._course(node, True)
            rank = self._expand(node, bounds)
            if rank is not None:
                if (rank, node.cost) < best_rank:
                    best, best_rank = node, (rank, node.cost)
                if node.options and situation.state.turn < self._until:
                    count += 1
                    first = (0,) * len(node.options)
                    heappush(queue, (self._price(node, first), -situation.state.turn, count, first, 0, node))
            node_found = None
            while queue and left:
                left -= 1
                self.considered += 1
                _, _, _, vector, at, parent = heappop(queue)
                for place in range(at, len(vector)):  # the next combinations, each once
                    if vector[place] + 1 < len(parent.options[place]):
                        more = (*vector[:place], vector[place] + 1, *vector[place + 1 :])
                        count += 1
                        price, turn = self._price(parent, more), parent.situation.state.turn
                        heappush(queue, (price, -turn, count, more, place, parent))
                acts = tuple(parent.options[p][k][1] for p, k in enumerate(vector))
                after, _ = self._knowledge.after(parent.situation, acts)
                mark = self._mark(after, bounds)
                if mark not in closed:
                    closed.add(mark)
                    node_found = _Node(after, self._price(parent, vector), parent, acts=acts)
                    break
            if node_found is None:
                return self._course(best, False)
            node = node_found

    @staticmethod
    def _price(node: _Node, vector: tuple[int, ...]) -> int:
        return node.cost + sum(node.options[place][at][0] for place, at in enumerate(vector))

    def _mark(self, situation: Situation, bounds: Bounds) -> object:
        """What makes two situations the same for the search: histories count if they occur in other courses."""
        state = situation.state
        histories = tuple(history if history in bounds.near else -1 for history in situation.histories)
        return state.turn, state.values, state.budgets, situation.known, histories

    def _expand(self, node: _Node, bounds: Bounds) -> int | None:
        """Find everybody's options, cheapest first. Returns the remaining effort; ``None`` if there is no way."""
        situation = node.situation
        people = range(len(situation.histories))
        node.keys = tuple(self._knowledge.key(self._world, situation, person) for person in people)
        relaxed = self._relaxed.solve(situation)
        if relaxed is None or relaxed.end > self._rules.ground.task.horizon:
            return None
        options = [self._options(node, person, relaxed.acts[person], bounds) for person in people]
        if all(options):
            node.options = options
        return relaxed.effort

    def _options(self, node: _Node, person: int, advised: tuple[Act, ...], bounds: Bounds) -> list[tuple[int, Act]]:
        situation, key = node.situation, node.keys[person]
        fixed = bounds.fixed.get(key)
        if fixed is not None:
            return [(0, fixed)] if self._conditions.allows(situation, person, fixed) else []
        if person in self._idle:
            return [(0, WAIT)]
        # What matters to nobody's guard may still help somebody to distinguish worlds.
        news = [m for m in self._news[person] if self._knowledge.heard(m) & ~situation.known & self._others[person]]
        order = [*advised, WAIT, *self._relaxed.relevant[person], *news]
        usual = bounds.usual.get(key)
        if usual is not None:
            order.insert(0, usual)
        options: list[tuple[int, Act]] = []
        for act in dict.fromkeys(order):
            if (key, act) in bounds.barred or not self._is_possible(situation, person, act, act == usual):
                continue
            unlike = _UNLIKE if usual is not None and act != usual else 0
            options.append((len(options) + unlike, act))
        return options

    def _is_possible(self, situation: Situation, person: int, act: Act, is_usual: bool) -> bool:
        """Whether an act can be tried. The usual one may be impossible here; trying it then tells worlds apart."""
        if isinstance(act, str) and act != WAIT and not is_usual:
            deed = self._rules.ground.by_name[person][act]
            if not deed.is_possible(situation.state.values, situation.state.turn + 1):
                return False
        return self._conditions.allows(situation, person, act)

    def _course(self, node: _Node, is_success: bool) -> Course:
        steps: list[tuple[tuple[Key, ...], tuple[Act, ...]]] = []
        while node.before is not None:
            steps.append((node.before.keys, node.acts))
            node = node.before
        return Course(is_success, tuple(reversed(steps)))
