"""What a person must know to commit itself to an act, as conditions on bits of knowledge (spec 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from otherminds.worlds.enacttom.formulas import is_true, named, shared
from otherminds.worlds.enacttom.messages import Act, Message, cost, forbids
from otherminds.worlds.enacttom.minds.planning.knowledge import Knowledge, Situation
from otherminds.worlds.enacttom.probes.decisive_acts import Need, Trust, case_of, stakes_by_name
from otherminds.worlds.enacttom.types import World


class Reason(NamedTuple):
    """A sufficient condition: all bits are known, and the variable, if any, has the value."""

    bits: int
    state: tuple[int, int] | None = None

    def holds(self, situation: Situation) -> bool:
        """Whether it holds in a situation."""
        if situation.known & self.bits != self.bits:
            return False
        return self.state is None or situation.state.values[self.state[0]] == self.state[1]


Clause = tuple[Reason, ...]  # one of them must hold


class ActConditions:
    """What everybody's acts require in a world.

    Args:
        knowledge: the bits of the task.
        world: the world.
    """

    def __init__(self, knowledge: Knowledge, world: World) -> None:
        self.knowledge, self.ground, self.world = knowledge, knowledge.ground, world
        self.parts, self._stakes = shared(self.ground)[1], stakes_by_name(self.ground)
        self.case = case_of(self.ground, world)
        self._deeds: dict[tuple[int, str], tuple[Clause, ...] | None] = {}
        self._served: dict[tuple[int, Message], tuple[Clause, ...]] = {}

    def allows(self, situation: Situation, person: int, act: Act) -> bool:
        """Whether a person knows what an act requires. A message must also be true and possible to send."""
        if isinstance(act, Message):
            return self._may_tell(situation, person, act)
        clauses = self.of_deed(person, act)
        return clauses is not None and all(any(r.holds(situation) for r in clause) for clause in clauses)

    def of_deed(self, person: int, name: str) -> tuple[Clause, ...] | None:
        """The clauses that must hold before a deed; ``None`` if it is wrong in this world."""
        key = person, name
        if key not in self._deeds:
            self._deeds[key] = self._clauses(person, name)
        return self._deeds[key]

    def _clauses(self, person: int, name: str) -> tuple[Clause, ...] | None:
        stake = self._stakes[person].get(name)
        if stake is None:
            return ()
        if self.case.at in stake.wrong:
            return None
        token, worlds = self.knowledge.token, self.ground.task.worlds
        clauses: list[Clause] = []
        for other in sorted(stake.wrong):  # a world in which the deed is wrong must be ruled out
            differ = [s for s, (a, b) in enumerate(zip(self.world, worlds[other], strict=True)) if a != b]
            clauses.append(tuple(Reason(bit) for s in differ if (bit := token((person,), s))))
        for part, w in stake.owes:
            if w == self.case.at:
                needed = self._reasons(person, self.case.relied_on(person, part))
                clauses.append((*self.settled(person, part), *needed))
        return tuple(dict.fromkeys(clauses))

    def settled(self, person: int, part: int) -> Iterator[Reason]:
        """The person has seen what a repair of the part sets, and it is still so."""
        for _, stake in self.case.repairs[part]:
            for state in sorted(stake.sets):
                yield Reason(self.knowledge.trace(person, *state), state)

    def _reasons(self, person: int, need: Need) -> Iterator[Reason]:
        """The ways to meet a need; those with a chain longer than the depth are left out."""
        if isinstance(need, bool):
            yield from [Reason(0)] if need else []
        elif isinstance(need, Trust):
            if len(chain := (person, *need.chain)) <= self.knowledge.depth:
                yield Reason(reduce(or_, (self.knowledge.token(chain, secret) for secret in need.secrets), 0))
        elif need[0] == "any":
            for part in need[1]:
                yield from self._reasons(person, part)
        else:
            for reasons in product(*(self._reasons(person, part) for part in need[1])):
                yield Reason(reduce(or_, (reason.bits for reason in reasons), 0))

    def _may_tell(self, situation: Situation, person: int, message: Message) -> bool:
        task, known = self.ground.task, situation.known
        for kind, *parts in message.atoms:
            if kind == "value":
                is_known = known & self.knowledge.token((person,), task.secret(parts[0]))
            elif kind == "knows":
                chain = task.numbers(parts[:-1])
                chain = chain if chain[0] == person else (person, *chain)
                is_known = known & self.knowledge.token(chain, task.secret(parts[-1]))
            elif kind == "fact":
                test = self.ground.test(*named(parts[0]))
                trace = self.knowledge.trace(person, test.variable, test.value)
                is_known = known & trace if test.holds(situation.state.values) else 0
            else:
                is_known = 1
            if not is_known:
                return False
        left = situation.state.budgets[person]
        if forbids(task, person, message, left, situation.state.turn + 1):
            return False
        if left > cost(task, message) or not any(kind == "value" for kind, *_ in message.atoms):
            return True
        clauses = self.of_last(person, message)
        return all(
            any(r.holds(situation) for r in clause) or not self._is_open(situation, person, part)
            for part, clause in enumerate(clauses)
        )

    def of_last(self, person: int, message: Message) -> tuple[Clause, ...]:
        """For each part of the goal, how it is seen to if a message is the last one: in this order."""
        key = person, message
        if key not in self._served:
            needs = [self.case.served(person, part, message) for part in range(len(self.parts))]
            self._served[key] = tuple(tuple(self._reasons(person, need)) for need in needs)
        return self._served[key]

    def _is_open(self, situation: Situation, person: int, part: int) -> bool:
        """Whether a part still needs attention: unless it held from the start, it does until it is seen to be done."""
        if not is_true(self.parts[part], situation.state.values):
            return True
        return not self.case.was_so[part] and not any(r.holds(situation) for r in self.settled(person, part))
