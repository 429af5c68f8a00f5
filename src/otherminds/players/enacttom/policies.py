"""Minds that follow a joint policy, each by what it has perceived itself.

*Tracker* of depth *d* works out a policy that needs no conventions and no token of knowledge longer than *d*; where
there is none it settles for one that works in some worlds, and fails in the others. *Oracle* looks deepest.
"""

from __future__ import annotations

from functools import lru_cache

from otherminds.core.errors import UserError
from otherminds.players.enacttom.improvising import Improviser
from otherminds.players.enacttom.resident import Resident, report_to_depth
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.probes import Probe
from otherminds.worlds.enacttom.rules import Act
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.certify import stored_certificate
from otherminds.worlds.enacttom.verify.depth import DEEPEST, History, Policy, follow_policy
from otherminds.worlds.enacttom.verify.policy import Search
from otherminds.worlds.enacttom.views import View

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
