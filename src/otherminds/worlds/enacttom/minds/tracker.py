"""The tracker: it reasons from its own percepts to a depth, plans by itself, and plans anew when things go otherwise.

It follows a situation in every possible world: the house and what everybody knows there. From the task alone it plans
who should do what in each world, expects partners to plan the same, and does its part. If what it perceives fits no
world, it looks for what partners may have done instead, and plans from there. It uses neither certificate nor solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.formulas import is_reached
from otherminds.worlds.enacttom.grounded_task import Values
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.minds.base import Resident
from otherminds.worlds.enacttom.minds.planning.joint import SITUATIONS, Plan, Planner
from otherminds.worlds.enacttom.minds.planning.knowledge import Key, Knowledge, Situation, knowledge
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes.questions import CANNOT_TELL, Probe, answer, depth
from otherminds.worlds.enacttom.rules import WAIT, possible
from otherminds.worlds.enacttom.seat_view import View
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.types import World

DEEPEST = 3  # the longest chain of people that can be tracked
_PATIENCE = 2  # unexpected acts after which a partner is expected to do nothing useful
_ATTEMPTS = 300  # joint acts of partners that are tried as explanations, in each world


class Tracker(Resident):
    """Tracks who knows what up to a depth, and commits itself only to acts that it knows to be right.

    Args:
        depth: the longest chain of people that counts.
        name: in records.
    """

    def __init__(self, depth: int = 1, name: str = "") -> None:
        if not 0 <= depth <= DEEPEST:
            raise UserError(f"depth of a tracker is {depth}; expected 0 to {DEEPEST}")
        self.depth, self.name = depth, name or f"tracker:depth={depth}"

    def start(self, opening: Opening) -> None:
        self._knowledge = knowledge(opening.ground, self.depth)
        self._view = View(*opening)
        self._situations = {world: self._knowledge.begin(world) for world in opening.ground.task.worlds}
        here = self._view.cell[0]
        self._key = self._first_key = self._knowledge.key(here, self._situations[here], self._agent)
        self._doubts = dict(self._situations)  # the same if partners do nothing but what it perceives of them
        self._turn, self._astray = 0, Counter[int]()
        self._plan = self._planned()

    def act(self, turn: int) -> Act:
        planned = self._plan.acts.get(self._key, WAIT)
        return self._precaution() if planned == WAIT else planned

    def report(self, probe: Probe) -> str:
        return answer(self._view, probe) if depth(probe) <= self.depth else CANNOT_TELL

    def follow(self, own: Act, percept: Percept) -> None:
        self._view.follow(own, percept)
        self._turn += 1
        before = {world: self._situations[world] for world in self._possible()}
        self._key = self._perceived(own, percept)
        expected = {world: self._foreseen(world, situation) for world, situation in self._situations.items()}
        self._situations = {
            world: self._knowledge.after(situation, self._with(expected[world], own, world in before))[0]
            for world, situation in self._situations.items()
        }
        idle: list[Act] = [WAIT] * len(self._ground.task.people)
        doubts = self._accounts(self._doubts, dict.fromkeys(self._doubts, idle), own, percept)
        self._doubts = {world: situation for world, (situation, _) in doubts.items()}
        if not self._possible():
            self._situations = self._explained(before, expected, own, percept)
        if self._key not in self._plan.acts and self._turn < self._ground.task.horizon:
            self._plan = self._planned()

    def _possible(self, situations: Mapping[World, Situation] | None = None) -> list[World]:
        """The worlds that fit everything that it can act on."""
        return [
            world
            for world, situation in (self._situations if situations is None else situations).items()
            if self._knowledge.key(world, situation, self._agent) == self._key
        ]

    def _precaution(self) -> Act:
        """An act for the case that partners have done nothing, if all should be done by now and it does no harm."""
        if not self._doubts or self._turn >= self._ground.task.horizon:
            return WAIT
        others = frozenset(range(len(self._ground.task.people))) - {self._agent}
        hoped = [self._situations[world] for world in self._possible()]
        if not all(is_reached(self._ground, situation.state.values) for situation in hoped):
            return WAIT
        act = plan_from(self._knowledge, tuple(self._doubts.items()), others).acts.get(self._key, WAIT)
        acts = [act if person == self._agent else WAIT for person in range(len(others) + 1)]
        after = [self._knowledge.after(situation, acts)[0] for situation in hoped]
        return act if all(is_reached(self._ground, situation.state.values) for situation in after) else WAIT

    def _perceived(self, own: Act, percept: Percept) -> Key:
        """What it can act on after a turn."""
        me, task = self._agent, self._ground.task
        knows, bits, known = self._knowledge, self._key.known, dict(enumerate(self._key.values))
        sent = [own] if isinstance(own, Message) and not percept.refused else []
        for message in (*sent, *percept.messages):
            for kind, *parts in message.atoms:
                secret = task.secret(parts[-1]) if kind == "knows" else -1
                if kind == "knows" and parts[-2] == task.names[me] and known[secret] is None:
                    continue  # it knows better
                bits |= knows.heard(replace(message, atoms=((kind, *parts),))) & knows.own[me]
                if kind == "value":
                    at = task.secret(parts[0])
                    known[at] = task.secrets[at].values.index(parts[1])
        bits |= knows.seen((me, *percept.people), percept.seen) & knows.own[me]
        known.update((variable, value) for variable, value in percept.seen if variable < len(task.secrets))
        told = tuple(x if bits & knows.token((me,), secret) else None for secret, x in known.items())
        return Key(me, knows.extended(self._key.history, own, percept), bits, told)

    def _foreseen(self, world: World, situation: Situation) -> list[Act]:
        people = range(len(self._ground.task.people))
        return [self._plan.acts.get(self._knowledge.key(world, situation, person), WAIT) for person in people]

    def _with(self, acts: list[Act], own: Act, is_possible: bool) -> list[Act]:
        return [own if is_possible and person == self._agent else act for person, act in enumerate(acts)]

    def _until(self) -> int:
        """The last turn of its plans."""
        return self._ground.task.horizon

    def _effort(self) -> int:
        """The most situations that it considers in one search of a world."""
        return SITUATIONS

    def _planned(self) -> Plan:
        """A plan from the situations. Partners who have not done their part are left out if it works without them."""
        roots = tuple(self._situations.items())
        plan = plan_from(self._knowledge, roots, until=self._until(), limit=self._effort())
        idle = frozenset(person for person, times in self._astray.items() if times >= _PATIENCE)
        if idle:
            alone = plan_from(self._knowledge, roots, idle, self._until(), self._effort())
            worlds = set(self._possible())
            if len(alone.solved & worlds) >= len(plan.solved & worlds):
                return alone
        return plan

    # What partners may have done instead.

    def _explained(
        self, before: Mapping[World, Situation], expected: Mapping[World, list[Act]], own: Act, percept: Percept
    ) -> dict[World, Situation]:
        """A situation for each world in which partners can have done something that accounts for what it perceives."""
        found = self._accounts(before, expected, own, percept)
        blamed = {
            person
            for world, (_, acts) in found.items()
            for person, act in enumerate(acts)
            if person != self._agent and act != expected[world][person]
        }
        self._astray.update(blamed)
        if found:
            return {world: situation for world, (situation, _) in found.items()}
        # Nobody can have done anything like it, or the messages contradict each other: keep what it sees itself.
        worlds = [world for world in self._ground.task.worlds if self._fits(world)] or list(before)
        return {world: self._as_seen(before.get(world, self._knowledge.begin(world)), percept) for world in worlds}

    def _accounts(
        self, before: Mapping[World, Situation], expected: Mapping[World, list[Act]], own: Act, percept: Percept
    ) -> dict[World, tuple[Situation, tuple[Act, ...]]]:
        """For each world acts that account for what it perceives, and the situation after them."""
        found: dict[World, tuple[Situation, tuple[Act, ...]]] = {}
        for world in filter(self._fits, before):
            for acts in islice(self._stories(before[world], expected[world], own, percept), _ATTEMPTS):
                after, percepts = self._knowledge.after(before[world], acts)
                if percepts[self._agent] == percept:
                    found[world] = self._as_known(after), acts
                    break
        return found

    def _stories(
        self, situation: Situation, expected: list[Act], own: Act, percept: Percept
    ) -> Iterator[tuple[Act, ...]]:
        """Joint acts that agree with the messages and deeds that it perceived, likely ones first."""
        spoke, people = {message.sender: message for message in percept.messages}, range(len(expected))
        certain: dict[int, Act] = {self._agent: own, **dict(percept.deeds), **spoke}
        likely: list[list[Act]] = [
            [certain[person]] if person in certain else list(dict.fromkeys((expected[person], WAIT)))
            for person in people
        ]
        yield from product(*likely)
        for odd in people:
            if odd not in certain:
                every: list[Act] = [
                    act for act in possible(self._ground, situation.state, odd) if act not in likely[odd]
                ]
                yield from product(*(every if person == odd else likely[person] for person in people))

    def _fits(self, world: World) -> bool:
        return all(x is None or x == at for x, at in zip(self._key.values, world, strict=True))

    def _as_known(self, situation: Situation) -> Situation:
        """The situation with its own history and knowledge as they are."""
        me, own = self._agent, self._key
        histories = tuple(own.history if p == me else other for p, other in enumerate(situation.histories))
        known = situation.known & ~self._knowledge.own[me] | own.known
        return replace(situation, known=known, histories=histories)

    def _as_seen(self, situation: Situation, percept: Percept) -> Situation:
        """The situation with what it sees around it."""
        state = replace(situation.state, turn=self._turn, values=self._updated(situation.state.values, percept))
        return self._as_known(replace(situation, state=state))

    def _updated(self, values: Values, percept: Percept) -> Values:
        """Values with those that it perceives."""
        new = list(values)
        for person in (self._agent, *percept.people):
            new[self._ground.rooms_of[person]] = percept.room
        for variable, value in percept.seen:
            new[variable] = value if variable >= len(self._ground.task.secrets) else new[variable]
        return tuple(new)


@lru_cache(maxsize=4096)
def plan_from(
    knowledge: Knowledge,
    roots: tuple[tuple[World, Situation], ...],
    idle: frozenset[int] = frozenset(),
    until: int | None = None,
    limit: int = SITUATIONS,
) -> Plan:
    """A plan from situations, the same for all who start from them."""
    return Planner(knowledge, dict(roots), until, idle, limit).plan()
