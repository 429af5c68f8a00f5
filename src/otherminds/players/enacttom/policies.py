"""Minds that follow a joint policy, each by what it has perceived itself.

*Tracker* of depth *d* works out a policy that needs no conventions and no token of knowledge longer than *d*; where
there is none it settles for one that works in some worlds, and fails in the others. *Oracle* looks deepest. When
partners have left the policy, each goes on by what it knows itself (:class:`Improviser`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from otherminds.core.errors import UserError
from otherminds.players.enacttom.resident import Resident, report_to_depth
from otherminds.players.enacttom.scripted import plan_for
from otherminds.worlds.enacttom.decisions import Answers, guard, stakes_by_name
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.messages import Act, Message, cost, forbids
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes import Probe
from otherminds.worlds.enacttom.rules import WAIT, begin
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.certify import stored_certificate
from otherminds.worlds.enacttom.verify.depth import DEEPEST, History, Policy, follow_policy
from otherminds.worlds.enacttom.verify.policy import Search
from otherminds.worlds.enacttom.views import View, possible_worlds

Table = dict[tuple[int, History], Act]


class Following(Resident):
    """Does what a joint policy says after what it has perceived; where the policy did not foresee it, what is right.

    Args:
        depth: of theory of mind.
        name: what records call it.
    """

    def __init__(self, depth: int = DEEPEST, name: str = "oracle") -> None:
        self.depth, self.name = depth, name

    def start(self, opening: Opening) -> None:
        self._ground, self._agent = opening.ground, opening.agent
        self._history: list[object] = [opening.notes, opening.first]
        self._view = View(*opening)
        self._improviser = Improviser(self._view, self.report)

    def act(self, turn: int) -> Act:
        foreseen = _table(self._ground, self.depth).get((self._agent, tuple(self._history)))
        return self._improviser.act(turn) if foreseen is None else foreseen

    def follow(self, own: Act, percept: Percept) -> None:
        self._history += [own, percept]
        self._view.follow(own, percept)
        self._improviser.follow(own, percept)

    def report(self, probe: Probe) -> str:
        return report_to_depth(self._view, probe, self.depth)


def oracle() -> Following:
    """Looks as deep as anybody can: the ceiling."""
    return Following()


def tracker(depth: int = 1) -> Following:
    """Keeps track of who knows what, to a depth, and commits itself to nothing that it does not know to be right.

    Raises:
        UserError: if there is no such depth.
    """
    if not 0 <= depth <= DEEPEST:
        raise UserError(f"depth is {depth}; expected 0 to {DEEPEST}")
    return Following(depth, f"tracker:depth={depth}")


@lru_cache(maxsize=512)
def _table(ground: Ground, depth: int) -> Table:
    """What to do after each history that the policy foresees."""
    policy, _ = best_policy(ground, depth)
    return {
        (agent, histories[agent]): act
        for world, turns in zip(ground.task.worlds, policy, strict=True)
        for _, histories, acts in follow_policy(ground, world, turns)
        for agent, act in enumerate(acts)
    }


def best_policy(ground: Ground, depth: int) -> tuple[Policy, tuple[World, ...]]:
    """A policy without conventions of at most this depth, and the worlds in which it reaches the goal.

    Where it cannot reach it in all, worlds are given up one by one, the latest of those that are in the way first. A
    task that carries its certificate spares the solver what is proved already.
    """
    worlds = list(ground.task.worlds)
    proved = stored_certificate(ground.task)
    if proved is None or proved.depth is None:
        for deep in range(depth + 1):
            found = Search(ground, deep, is_plain=True).find()
            if found.is_solvable:
                return found.policy, tuple(worlds)
    elif depth >= proved.depth:
        return proved.policy, tuple(worlds)
    search = Search(ground, depth, is_plain=True)
    found = search.find(worlds)
    while not found.is_solvable:
        if found.is_solvable is None:
            raise UserError(f"there was not enough time to work out a policy for task {ground.task.id!r}")
        worlds.remove(max(found.core or worlds))
        found = search.find(worlds)
    return found.policy, tuple(worlds)


class Improviser:
    """Finds an act that is right by what somebody has perceived, when its partners have left the policy.

    It does the next deed of its part of the shortest plan if that is the same in every world that it holds possible,
    and tells what it knows to who needs it. It commits itself to nothing whose guard it does not know
    to hold (spec 4.3).

    Args:
        view: what it has perceived; whoever made it keeps it up to date.
        report: what it says when it is asked, to the depth that it looks.
    """

    def __init__(self, view: View, report: Callable[[Probe], str]) -> None:
        self._view, self._ground, self._agent = view, view.ground, view.agent
        self._answers = Answers(view.ground, view.agent, report)
        self._done: Counter[Act] = Counter()
        self._budget = view.ground.task.talk.budgets.get(view.ground.task.names[view.agent], 0)

    def follow(self, own: Act, percept: Percept) -> None:
        """Take in a turn."""
        if not percept.refused:
            self._done[own] += 1
            self._budget -= cost(self._ground.task, own) if isinstance(own, Message) else 0

    def act(self, turn: int) -> Act:
        """A message that somebody needs, else the next deed; waiting if neither is known to be right."""
        for act in (*self._messages(turn), self._deed()):
            if self._is_right(act):
                return act
        return WAIT

    def _is_right(self, act: Act) -> bool:
        """Whether its guard holds wherever it may be. Of the house it takes nothing to be settled."""
        for world in possible_worlds(self._view):
            state = begin(self._ground, world)
            left = tuple(self._budget if at == self._agent else b for at, b in enumerate(state.budgets))
            state = replace(state, budgets=left)
            if not guard(self._ground, world, state, self._agent, act, self._answers, {}).is_met:
                return False
        return True

    def _messages(self, turn: int) -> Iterator[Message]:
        """Values that it knows, to those who have a deed that takes them and may lack them."""
        task = self._ground.task
        for listener in map(task.names.index, task.talk.channels.get(task.names[self._agent], ())):
            needed = {s for stake in stakes_by_name(self._ground)[listener].values() for s in stake.needs}
            for secret in sorted(needed):
                value = self._answers.value(secret)
                if value is None or self._answers.knows((listener,), secret):
                    continue
                atom = ("value", task.secrets[secret].name, task.secrets[secret].values[value])
                message = Message(self._agent, (listener,), (atom,))
                if not self._done[message] and not forbids(task, self._agent, message, self._budget, turn):
                    yield message

    def _deed(self) -> Act:
        """The first of its part that it has not done, if it is the same in all worlds that it holds possible."""
        found = set()
        for world in possible_worlds(self._view):
            done = self._done.copy()
            part = [acts[self._agent] for acts in plan_for(self._ground, world) or ()]
            todo: Act = WAIT
            for act in part:
                if act != WAIT and not done[act]:
                    todo = act
                    break
                done[act] -= 1
            found.add(todo)
        return found.pop() if len(found) == 1 else WAIT
