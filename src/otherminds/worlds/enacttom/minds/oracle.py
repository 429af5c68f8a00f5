"""The oracle, which follows a proved joint policy from its own percepts.

The policy is the one of the task's certificate. If the task has none, the solver finds one. When partners leave the
policy, the oracle continues from what it knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.messages import Act, Message
from otherminds.worlds.enacttom.minds.base import Resident
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes.decisive_acts import Answers, guard, stakes_by_name
from otherminds.worlds.enacttom.probes.questions import ProbeQuestion, answer
from otherminds.worlds.enacttom.rules import WAIT, begin
from otherminds.worlds.enacttom.seat_view import SeatView, possible_worlds
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.certify import stored_certificate
from otherminds.worlds.enacttom.verify.depth import DEEPEST, History, follow_policy
from otherminds.worlds.enacttom.verify.joint_policy import Policy, Search
from otherminds.worlds.enacttom.verify.plans import calibrate


class Oracle(Resident):
    """Follows a joint policy; after histories that the policy does not cover, it improvises.

    It then tells values to persons who need them. Otherwise it does the next deed of its part of the shortest plan, if
    that is the same in every possible world. It does nothing whose guard it does not know to hold (spec 4.3).
    """

    name = "oracle"

    def start(self, opening: Opening) -> None:
        self._history: list[object] = [opening.notes, opening.first]
        self._view = SeatView(*opening)
        self._answers = Answers(self._ground, self._agent, self.report)
        self._done: Counter[Act] = Counter()

    def act(self, turn: int) -> Act:
        planned = _table(self._ground).get((self._agent, tuple(self._history)))
        if planned is not None:
            return planned
        return next(filter(self._is_right, (*self._messages(turn), self._deed())), WAIT)

    def follow(self, own: Act, percept: Percept) -> None:
        self._history += [own, percept]
        self._view.follow(own, percept)
        if not percept.refused:
            self._done[own] += 1

    def report(self, probe: ProbeQuestion) -> str:
        return answer(self._view, probe)

    def _is_right(self, act: Act) -> bool:
        """Whether the guard of an act holds in every possible world, whatever the state of the house."""
        for world in possible_worlds(self._view):
            state = begin(self._ground, world)
            left = tuple(self._budget if at == self._agent else b for at, b in enumerate(state.budgets))
            state = replace(state, budgets=left)
            if not guard(self._ground, world, state, self._agent, act, self._answers, {}).is_met:
                return False
        return True

    def _messages(self, turn: int) -> Iterator[Message]:
        """Values that it knows, to persons who need them for a deed and may not know them."""
        task = self._ground.task
        for listener in map(task.names.index, task.talk.channels.get(task.names[self._agent], ())):
            needed = {s for stake in stakes_by_name(self._ground)[listener].values() for s in stake.needs}
            for secret in sorted(needed):
                value = self._answers.value(secret)
                if value is None or self._answers.knows((listener,), secret):
                    continue
                message = self.value_message(listener, secret, value)
                if not self._done[message] and self.can_send(message, turn):
                    yield message

    def _deed(self) -> Act:
        """The next deed of its part of the shortest plan, if it is the same in all possible worlds."""
        deeds: set[Act] = set()
        for world in possible_worlds(self._view):
            done = self._done.copy()
            for acts in calibrate(self._ground, world) or ():
                act = acts[self._agent]
                if act != WAIT and not done[act]:
                    deeds.add(act)
                    break
                done[act] -= 1
            else:
                deeds.add(WAIT)
        return deeds.pop() if len(deeds) == 1 else WAIT


@lru_cache(maxsize=512)
def _table(ground: Ground) -> dict[tuple[int, History], Act]:
    """The act of each person after each history that the policy covers."""
    policy, _ = best_policy(ground)
    return {
        (agent, histories[agent]): act
        for world, turns in zip(ground.task.worlds, policy, strict=True)
        for _, histories, acts in follow_policy(ground, world, turns)
        for agent, act in enumerate(acts)
    }


def best_policy(ground: Ground) -> tuple[Policy, tuple[World, ...]]:
    """A policy without conventions, and the worlds in which it reaches the goal.

    If no policy works in all worlds, worlds are dropped one by one, the last one of the solver's core first. A stored
    certificate is used instead of the solver.
    """
    worlds = list(ground.task.worlds)
    proved = stored_certificate(ground.task)
    if proved is not None and proved.depth is not None:
        return proved.policy, tuple(worlds)
    for depth in range(DEEPEST + 1):
        search = Search(ground, depth, is_plain=True)
        result = search.find()
        if result.is_solvable:
            return result.policy, tuple(worlds)
    while not result.is_solvable:
        if result.is_solvable is None:
            raise UserError(f"the solver ran out of time before it found a policy for task {ground.task.id!r}")
        worlds.remove(max(result.core or worlds))
        result = search.find(worlds)
    return result.policy, tuple(worlds)
