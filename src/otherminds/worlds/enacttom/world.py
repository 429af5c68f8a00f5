"""EnactToM as a world among others: one task, its house and what each perceives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.core.seeds import Draw
from otherminds.worlds.enacttom import observe, rules
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.goals import is_reached
from otherminds.worlds.enacttom.observe import Percept
from otherminds.worlds.enacttom.read import find_task, read_task
from otherminds.worlds.enacttom.record import House, Moment, Played, play_again
from otherminds.worlds.enacttom.rules import Act, Outcome, State
from otherminds.worlds.enacttom.types import Task, World

if TYPE_CHECKING:
    from otherminds.view.shapes import Scene

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

    @staticmethod
    def play_again(episode: Episode) -> Played:
        """See :func:`otherminds.worlds.enacttom.record.play_again`."""
        return play_again(episode)

    @staticmethod
    def check_answers(played: Played, episode: Episode) -> None:
        """See :func:`otherminds.worlds.enacttom.asked.check_answers`."""
        from otherminds.worlds.enacttom.asked import check_answers

        check_answers(played, episode)

    @staticmethod
    def terminal(state: Moment, params: House) -> str:
        """A turn and the house after it in plain text."""
        from otherminds.worlds.enacttom.page import moment_text

        return moment_text(state, params)

    @staticmethod
    def scene(state: Moment, params: House) -> Scene:
        """The house as a picture."""
        from otherminds.worlds.enacttom.draw import house_scene

        return house_scene(state, params)

    @staticmethod
    def page(episode: Episode, *beside: Episode) -> str:
        """The run as a page to look at, with others of its team in other worlds beside it."""
        from otherminds.worlds.enacttom.page import run_page

        return run_page(episode, *beside)

    @staticmethod
    def beside(episode: Episode, episodes: Sequence[Episode]) -> list[Episode]:
        """Runs of the same team in other worlds of the task, one for each."""
        found = {str(episode.start.get("world")): episode}
        for one in episodes:
            if (one.config.get("digest"), one.players) == (episode.config.get("digest"), episode.players):
                found.setdefault(str(one.start.get("world")), one)
        return list(found.values())[1:]

    @staticmethod
    def seen(played: Played, chain: Sequence[str], turn: int) -> dict[str, str]:
        """What a chain of people takes everything to be after a turn, by name; the truth for nobody.

        Raises:
            UserError: if there is no such person.
        """
        from otherminds.worlds.enacttom.minds import beliefs

        names = played.params.ground.task.names
        for name in chain:
            if name not in names:
                raise UserError(f"there is no {name!r} in a chain{nearest(name, names)}")
        return beliefs(played, tuple(names.index(name) for name in chain), turn)
