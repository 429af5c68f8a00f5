"""The relaxed problem: how early the goal can be reached if nothing ever ceases to be so, and what to do for it now.

It is solved in every situation that a search considers. The solution says which acts are worth trying first, and when
there is no point in going on.
"""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heappop, heappush
from typing import NamedTuple

from otherminds.worlds.enacttom.messages import Act
from otherminds.worlds.enacttom.minds.planning.knowledge import Situation
from otherminds.worlds.enacttom.minds.planning.rules import Rule, Rules
from otherminds.worlds.enacttom.rules import State

# The parts of an entry of the queue, in bits.
_BITS, _EFFORT = 20, 64
_MASK, _EFFORT_MASK, _TIME = (1 << _BITS) - 1, (1 << _EFFORT) - 1, 2 * _BITS + _EFFORT


class RelaxedSolution(NamedTuple):
    """The solution of the relaxed problem.

    Attributes:
        end: the earliest moment at which the goal can hold.
        effort: the number of acts that it takes, shared ones counted each time.
        acts: for each person the acts to do now, those with the longest sequel first.
    """

    end: int
    effort: int
    acts: tuple[tuple[Act, ...], ...]


class RelaxedSolver:
    """Solves the relaxed problem of a world, with the rules that can matter.

    Args:
        rules: the rules of the world.
        root: the situation from which to plan.
        idle: people who are expected to do nothing.

    Attributes:
        relevant: for each person the acts that can matter to the goal.
    """

    def __init__(self, rules: Rules, root: Situation, idle: frozenset[int] = frozenset()) -> None:
        self._all = rules
        self._people = len(rules.ground.task.people)
        self._rules = _relevant(rules, set(self._given(root)), idle)
        acts = dict.fromkeys(rule.act for rule in self._rules if rule.act)
        self.relevant = tuple([act for who, act in acts if who == person] for person in range(self._people))
        self._users: dict[int, list[int]] = {}  # by fact; few of all facts are used
        for number, rule in enumerate(self._rules):
            for need in rule.needs:
                self._users.setdefault(need, []).append(number)
        self._counts = [len(rule.needs) for rule in self._rules]
        self._solved: dict[tuple[State, int], RelaxedSolution | None] = {}
        self._free = [number for number, rule in enumerate(self._rules) if not rule.needs]

    def _given(self, situation: Situation) -> list[int]:
        """The facts of a situation that do not follow from others."""
        facts, state = self._all.facts, situation.state
        names: list[Hashable] = [("is", v, x) for v, x in enumerate(state.values)]
        names += [("speak", person) for person, left in enumerate(state.budgets) if left > 0]
        names += [("spare", person) for person, left in enumerate(state.budgets) if left > 1]
        known = situation.known
        while known:
            low = known & -known
            names.append(("bit", low))
            known ^= low
        given = [facts[name] for name in names if name in facts]
        return given + [fact for variable, value, fact in self._all.negations if state.values[variable] != value]

    def solve(self, situation: Situation) -> RelaxedSolution | None:
        """The solution in a situation; ``None`` if the goal is out of reach."""
        key = situation.state, situation.known  # histories do not matter
        if key not in self._solved:
            self._solved[key] = self._solution(situation)
        return self._solved[key]

    def _solution(self, situation: Situation) -> RelaxedSolution | None:
        now, rules, goal = situation.state.turn, self._rules, self._all.goal
        missing, efforts = self._counts[:], [0] * len(rules)
        by: dict[int, tuple[int, int, Rule | None]] = {}  # for each fact when, with what effort and by which rule
        # What comes first is taken first, and of that what takes least effort. An entry is one number, since this is
        # where planning spends its time: turns from now, effort, fact, and the number of the rule + 1.
        queue = [fact << _BITS for fact in self._given(situation)]
        for number in self._free:
            queue += [fact << _BITS | number + 1 for fact in rules[number].gives]
        queue.sort()
        users = self._users
        while queue:
            entry = heappop(queue)
            fact = entry >> _BITS & _MASK
            if fact in by:
                continue
            source, effort, time = (entry & _MASK) - 1, entry >> 2 * _BITS & _EFFORT_MASK, now + (entry >> _TIME)
            by[fact] = (time, effort, rules[source] if source >= 0 else None)
            if fact == goal:
                return RelaxedSolution(time, effort, self._first_acts(by, now))
            for number in users.get(fact, ()):
                missing[number] -= 1
                efforts[number] += effort
                if not missing[number]:
                    rule = rules[number]
                    start = time if time > rule.first else rule.first
                    if start <= rule.last:
                        cost = efforts[number] + (rule.act is not None)
                        base = (start + rule.turns - now) << _TIME | cost << 2 * _BITS | number + 1
                        for given in rule.gives:
                            if given not in by:
                                heappush(queue, base | given << _BITS)
        return None

    def _first_acts(self, by: dict[int, tuple[int, int, Rule | None]], now: int) -> tuple[tuple[Act, ...], ...]:
        """The acts of the solution that can be done now: for each person, those with the longest sequel first."""
        sequel: dict[int, int] = {self._all.goal: 0}  # for each fact used, the acts that follow it
        todo, urgency = [self._all.goal], dict[tuple[int, Act], int]()
        while todo:
            fact = todo.pop()
            time, _, rule = by[fact]
            if rule is None:
                continue
            later = sequel[fact] + (rule.act is not None)
            if rule.act is not None and time - rule.turns <= now:
                urgency[rule.act] = max(later, urgency.get(rule.act, 0))
            for need in rule.needs:
                if sequel.get(need, -1) < later:
                    sequel[need] = later
                    todo.append(need)
        acts: list[list[Act]] = [[] for _ in range(self._people)]
        for person, act in sorted(urgency, key=lambda pair: (_leaves(pair[1]), -urgency[pair], str(pair[1]))):
            acts[person].append(act)
        return tuple(map(tuple, acts))


def _leaves(act: Act) -> bool:
    """Whether an act leaves the room. What is to be done in a room comes before leaving it."""
    return isinstance(act, str) and act.startswith("navigate(")


def _relevant(rules: Rules, given: set[int], idle: frozenset[int]) -> list[Rule]:
    """The rules by which the goal can come about. What is so already matters only if a relevant act can undo it."""
    kept: set[int] = set()
    undone: set[int] = set()
    dormant: set[int] = set()
    seen: set[int] = set()
    todo = [rules.goal]
    while todo:
        fact = todo.pop()
        if fact in seen:
            continue
        if fact in given and fact not in undone:
            dormant.add(fact)
            continue
        seen.add(fact)
        for number in rules.givers[fact]:
            rule = rules.rules[number]
            if rule.act is not None and rule.act[0] in idle:
                continue
            for same in rules.of_act[rule.act] if rule.act is not None else [number]:
                if same in kept:
                    continue
                kept.add(same)
                todo += rules.rules[same].needs
                if rules.rules[same].turns:
                    lost = {gone for fact in rules.rules[same].gives for gone in rules.undone_by(fact)}
                    todo += (lost - undone) & dormant
                    undone |= lost
    return [rules.rules[number] for number in sorted(kept)]
