"""A tracker with limits: it forgets, plans a few turns ahead, and errs now and then.

A tracker sweeps a task or does not, by proof. The success of a bounded one varies, so that it can tell harder tasks of
the same depth from easier ones.
"""

from __future__ import annotations

from dataclasses import replace

from otherminds.core.errors import UserError
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom.messages import Act, Message, cost
from otherminds.worlds.enacttom.minds.planning.joint import SITUATIONS
from otherminds.worlds.enacttom.minds.planning.knowledge import Situation
from otherminds.worlds.enacttom.minds.tracker import Tracker
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.rules import WAIT, possible
from otherminds.worlds.enacttom.seat_view import SeatView
from otherminds.worlds.enacttom.session import Opening
from otherminds.worlds.enacttom.types import World

_A_TURN = 6  # situations that it considers for each turn that it plans ahead


class Bounded(Tracker):
    """A tracker with limits. What it does not remember it takes to be as at the start.

    Args:
        depth: the longest chain of people that counts.
        memory: the number of turns whose percepts it remembers, besides its notes and its first look.
        lookahead: the number of turns that it plans ahead, which also limits how many situations it considers.
        slip: the probability of a random act instead of the planned one, in each turn.
    """

    def __init__(self, depth: int = 2, memory: int = 4, lookahead: int = 3, slip: float = 0.1) -> None:
        super().__init__(depth, f"bounded:depth={depth},memory={memory},lookahead={lookahead},slip={slip:g}")
        for name, value in (("memory", memory), ("lookahead", lookahead)):
            if value < 1:
                raise UserError(f"option {name!r} of mind 'bounded' is {value}; expected at least 1 turn")
        if not 0 <= slip <= 1:
            raise UserError(f"option 'slip' of mind 'bounded' is {slip:g}; expected a probability from 0 to 1")
        self.memory, self.lookahead, self.slip = memory, lookahead, slip

    def start(self, opening: Opening) -> None:
        self._opening = opening
        self._log: list[tuple[Act, Percept]] = []
        super().start(opening)

    def act(self, turn: int) -> Act:
        draw = Draw(self._seed, f"slip/{turn}")
        if draw.happens(self.slip):
            world = next(iter(self._possible()), self._ground.task.worlds[0])
            return draw.pick(possible(self._ground, self._situations[world].state, self._agent))
        return self._plan.acts.get(self._key, WAIT)

    def follow(self, own: Act, percept: Percept) -> None:
        self._log.append((own, percept))
        if len(self._log) <= self.memory:
            super().follow(own, percept)
            return
        self._turn += 1
        self._view, self._key = SeatView(*self._opening), self._first_key
        for entry in self._log[-self.memory :]:
            self._view.follow(*entry)
            self._key = self._perceived(*entry)
        mine = {world for world in self._view.cell if self._fits(world)} or set(self._view.cell)
        self._situations = {
            world: self._remembered(world) if world in mine else self._imagined(world)
            for world in self._ground.task.worlds
        }
        if self._turn < self._ground.task.horizon:
            self._plan = self._planned()

    def _until(self) -> int:
        return min(self._turn + self.lookahead, self._ground.task.horizon)

    def _effort(self) -> int:
        return min(SITUATIONS, _A_TURN * self.lookahead)

    def _imagined(self, world: World) -> Situation:
        """The situation in a world that others may consider possible, as if nothing had happened."""
        start = self._knowledge.begin(world)
        return replace(start, state=replace(start.state, turn=self._turn))

    def _remembered(self, world: World) -> Situation:
        """The situation as far as it remembers it."""
        start, task, knows = self._knowledge.begin(world), self._ground.task, self._knowledge
        values, known, budgets = start.state.values, start.known, list(start.state.budgets)
        for own, percept in self._log[-self.memory :]:
            values = self._updated(values, percept)
            known |= knows.seen((self._agent, *percept.people), percept.seen)
            sent = [own] if isinstance(own, Message) and not percept.refused else []
            for message in (*sent, *percept.messages):
                known |= knows.heard(message)
                budgets[message.sender] -= cost(task, message)
        budgets[self._agent] = self._budget
        state = replace(start.state, turn=self._turn, values=values, budgets=tuple(budgets))
        return self._as_known(Situation(state, known, start.histories))
