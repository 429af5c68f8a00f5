"""EnactToM as a world among others: one task, its house and what each perceives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom import observe, rules
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.read import find_task, read_task
from otherminds.worlds.enacttom.rules import Act, Outcome, State
from otherminds.worlds.enacttom.types import Task, World

WORLD = "enacttom-v0"


class EnactToM:
    """A household task.

    Args:
        task: a task, the path of its file, or the name of one that comes with the package, such as ``cup``.

    Raises:
        UserError: if the file is not a task's.
    """

    id = WORLD

    def __init__(self, task: Task | str | Path = "cup") -> None:
        self.task = task if isinstance(task, Task) else read_task(find_task(task))
        self.ground = ground(self.task)

    def draw_world(self, seed: int) -> World:
        """The world of a seed."""
        return Draw(seed, "enacttom/world").pick(self.task.worlds)

    def begin(self, world: World) -> tuple[State, tuple[Percept, ...]]:
        """The house before the first turn, and what each sees; notes are told apart (see :meth:`notes`)."""
        state = rules.begin(self.ground, world)
        return state, tuple(observe.first_look(self.ground, state, agent) for agent in range(len(self.task.people)))

    def notes(self, world: World, agent: int) -> tuple[observe.Note, ...]:
        """What one is told before the first turn."""
        return observe.notes(self.ground, world, agent)

    def step(self, state: State, acts: Sequence[Act]) -> tuple[State, tuple[Percept, ...], Outcome]:
        """The house a turn later, what each perceives of it, and what came of each act."""
        after, outcome = rules.step(self.ground, state, acts)
        percepts = tuple(observe.perceive(self.ground, state, after, outcome, agent) for agent in range(len(acts)))
        return after, percepts, outcome

    def is_reached(self, state: State) -> bool:
        """Whether the shared goal is reached."""
        return is_reached(self.ground, state.values)
