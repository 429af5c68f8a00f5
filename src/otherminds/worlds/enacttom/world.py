"""EnactToM behind the common interface of worlds: one task, its sessions, records and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from otherminds.core import world as core
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError, nearest
from otherminds.core.ledger import Ledger
from otherminds.core.registry import entries
from otherminds.core.seeds import Draw
from otherminds.core.world import Anchors, Item
from otherminds.worlds.enacttom import observe
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.record import Played, TaskInWorld, has_probes, play_again, replies, task_of
from otherminds.worlds.enacttom.session import WORLD, HouseSession, Moment
from otherminds.worlds.enacttom.tasks.read import find_task, read_task
from otherminds.worlds.enacttom.tasks.write import task_content
from otherminds.worlds.enacttom.types import Task, World

if TYPE_CHECKING:
    from otherminds.view.shapes import Scene
    from otherminds.worlds.enacttom.evals.scores import TaskRuns
    from otherminds.worlds.enacttom.ledger import BeliefState, Shown

_OWN = "task"  # the suite with the task of this world alone


class EnactToM(core.World):
    """A household task. Its seats are its people.

    Args:
        task: a task, the path of its file, or the name of a registered task such as ``cup``.
        world: values of secrets, such as ``target=red_table``, separated by commas. The seed draws the others.
        probes: whether to ask probes. [default: in suites only]

    Raises:
        UserError: if the file is not a task, or the world is not possible.
    """

    id = WORLD
    anchors = Anchors("oracle", ceiling=1.0, chance=0.12)
    prompts = Path(__file__).parent / "prompts"
    default_mind = "oracle"

    def __init__(self, task: Task | str | Path = "cup", world: str = "", probes: bool | None = None) -> None:
        if probes is not None and not isinstance(probes, bool):
            raise UserError(f"probes is {probes!r}; expected true or false")
        self.task = task if isinstance(task, Task) else _find(task)
        self.ground = ground(self.task)
        self.probes = probes
        self._worlds = _possible(self.task, str(world))
        self._scored: tuple[list[Episode], list[TaskRuns]] = ([], [])

    @property
    def seats(self) -> tuple[str, ...]:
        return self.task.names

    def seats_of(self, item: Item | None) -> tuple[str, ...]:
        return self.seats if item is None else item.data.task.names

    def open(self, seed: int, item: Item | None = None, repeat: int = 0) -> HouseSession:
        if item is None:
            world, again = self.draw_world(seed), f"-{repeat}" if repeat else ""
            return self._session(world, seed, f"{self.task.id}-{'.'.join(map(str, world))}-{seed}{again}")
        data = item.data
        house = self.ground if data.task is self.task else ground(data.task)
        if data.world not in house.starts:
            raise UserError(f"task {data.task.id!r} has no world {data.world}")
        episode = _new(house, data.world, data.seed(seed, repeat), f"{item.id}-{repeat}" if repeat else item.id)
        episode.notes = dict(data.notes)
        return HouseSession(house, data.world, episode, data.probes if self.probes is None else self.probes)

    def _session(self, world: World, seed: int, name: str) -> HouseSession:
        return HouseSession(self.ground, world, _new(self.ground, world, seed, name), bool(self.probes))

    def probing(self) -> EnactToM:
        return EnactToM(self.task, probes=True)

    def alike(self, seed: int, seat: str) -> tuple[HouseSession, HouseSession] | None:
        """Sessions in two worlds that the seat cannot distinguish before the first turn."""
        agent, name = self.seats.index(seat), f"{self.task.id}-alike"
        for first, second in combinations(self.task.worlds, 2):
            if observe.opening(self.ground, first, agent) == observe.opening(self.ground, second, agent):
                return self._session(first, seed, name), self._session(second, seed, name)
        return None

    def suite(self, name: str = "classic", seed: int = 0) -> Iterator[Item]:
        """The items of a suite, each task in its contrast worlds. Tasks are read when their items are drawn.

        The package has the suites ``standard``, ``hard`` and ``classic``; ``task`` is the task of this world. A folder
        stands for the task files in it.
        """
        from otherminds.worlds.enacttom.tasks.suite import enter, items_of, tasks_of

        tasks = [self.task] if name == _OWN else tasks_of(name, also=(_OWN,))
        return (item for task in tasks for item in items_of(enter(task), seed=seed))

    def replay(self, episode: Episode) -> Played:
        return play_again(episode)

    def replies(self, episode: Episode) -> dict[str, Any]:
        return replies(episode)

    def item_of(self, episode: Episode) -> Item:
        from otherminds.worlds.enacttom.tasks.suite import Sitting

        task, world = task_of(episode), tuple(episode.start["world"])
        data = Sitting(task, world, has_probes(episode), notes=tuple(episode.notes.items()))
        return Item(episode.id, data, task.id)

    def ledger(self, episode: Episode, upto: int | None = None) -> Ledger[Shown, BeliefState]:
        return play_again(episode).labels(upto).ledger

    def summary(self, episodes: Sequence[Episode]) -> dict[str, float | None]:
        """The common measures, and those of :func:`otherminds.worlds.enacttom.evals.scores.measures`."""
        from otherminds.worlds.enacttom.evals.scores import measures

        finished = [episode for episode in episodes if episode.end is not None]
        return {**super().summary(episodes), **measures(finished, self._by_task(finished))}

    def doubts(self, items: Sequence[Item] | None = None) -> dict[str, str]:
        """Tasks that are unproved, changed since their proof, or not solvable, each with the reason."""
        if items is None:
            doubts = {self.task.id: _header(self.ground)[2]}
        else:
            doubts = {item.data.task.id: str(dict(item.data.notes).get("doubt", "")) for item in items}
        return {task: doubt for task, doubt in doubts.items() if doubt}

    def per_item(self, episodes: Sequence[Episode]) -> list[dict[str, Any]]:
        from otherminds.worlds.enacttom.evals.scores import per_task

        return per_task(self._by_task([episode for episode in episodes if episode.end is not None]))

    def _by_task(self, episodes: list[Episode]) -> list[TaskRuns]:
        """The scored episodes of a team; the last result is kept, as replaying episodes takes long."""
        from otherminds.worlds.enacttom.evals.scores import by_task

        known, scored = self._scored
        if [id(episode) for episode in known] != [id(episode) for episode in episodes]:
            scored = by_task(episodes)
            self._scored = episodes, scored
        return scored

    def seen(self, played: core.Played, chain: Sequence[str], turn: int) -> dict[str, str]:
        from otherminds.worlds.enacttom.view.belief_view import beliefs

        assert isinstance(played, Played)
        names = played.params.ground.task.names
        for name in chain:
            if name not in names:
                raise UserError(f"--chain names {name!r}, who is not in this house{nearest(name, names)}")
        return beliefs(played, tuple(names.index(name) for name in chain), turn)

    def terminal(self, state: Moment, params: TaskInWorld) -> str:
        """A turn in plain text: the acts, and the house after them."""
        from otherminds.worlds.enacttom.view.page import moment_text

        return moment_text(state, params)

    def scene(self, state: Moment, params: TaskInWorld) -> Scene:
        """The house as a picture."""
        from otherminds.worlds.enacttom.view.draw import house_scene

        return house_scene(state, params)

    def page(self, episode: Episode, *beside: Episode) -> str:
        """An HTML page of the episode, and of others of the same minds in other worlds of the task."""
        from otherminds.worlds.enacttom.view.page import episode_page

        return episode_page(episode, *beside)

    @staticmethod
    def beside(episode: Episode, episodes: Sequence[Episode]) -> list[Episode]:
        """Episodes of the same minds in other worlds of the task, one for each."""
        by_world = {str(episode.start.get("world")): episode}
        for other in episodes:
            if (other.config.get("digest"), other.minds) == (episode.config.get("digest"), episode.minds):
                by_world.setdefault(str(other.start.get("world")), other)
        return list(by_world.values())[1:]

    def draw_world(self, seed: int) -> World:
        """The world of a seed."""
        return Draw(seed, "enacttom/world").pick(self._worlds)


def _find(task: str | Path) -> Task:
    """The task of a name or a path."""
    if isinstance(task, str):
        for entry in entries("task", "enacttom"):
            if entry.name == task:
                registered: Task = entry.load()
                return registered
    return read_task(find_task(task))


def _possible(task: Task, options: str) -> tuple[World, ...]:
    """The worlds in which the given secrets have the given values."""
    wanted = dict(part.strip().partition("=")[::2] for part in options.split(",") if part.strip())
    known = {secret.name: secret.values for secret in task.secrets}
    for name, value in wanted.items():
        if name not in known:
            raise UserError(f"world: {name!r} is not a secret of this task{nearest(name, known)}")
        if value not in known[name]:
            raise UserError(f"world: {name} cannot be {value!r}{nearest(value, known[name])}")
    worlds = tuple(
        world for world in task.worlds if all(task.value(world, name) == value for name, value in wanted.items())
    )
    if not worlds:
        raise UserError(f"world {options!r} is not possible in task {task.id!r}; leave out one of the secrets")
    return worlds


def _new(house: Ground, world: World, seed: int, name: str) -> Episode:
    """The record of an episode before its first turn."""
    config, content, doubt = _header(house)
    episode = Episode(name, WORLD, dict(config), {}, seed, {"world": list(world), "task": content})
    episode.notes = {"doubt": doubt} if doubt else {}
    return episode


@lru_cache(maxsize=256)
def _header(house: Ground) -> tuple[dict[str, Any], dict[str, Any], str]:
    from otherminds.worlds.enacttom.tasks.suite import doubt_of
    from otherminds.worlds.enacttom.verify.certify import digest_of

    task = house.task
    config = {"task": task.id, "digest": digest_of(task), "horizon": task.horizon}
    return config, task_content(task, is_bare=True), doubt_of(task)
