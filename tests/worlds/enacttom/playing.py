"""Episodes for tests: any minds in the seats of a task, in a world of one's choice."""

from collections.abc import Sequence

from otherminds.core.episodes import Episode
from otherminds.core.match import play_one
from otherminds.core.mind import Mind
from otherminds.core.world import Item
from otherminds.minds.find import find_mind
from otherminds.worlds.enacttom.session import HouseSession
from otherminds.worlds.enacttom.tasks.suite import Sitting
from otherminds.worlds.enacttom.types import Task, World
from otherminds.worlds.enacttom.world import EnactToM


def opened(task: Task, world: World, seed: int = 0, probes: bool = False) -> HouseSession:
    return EnactToM(task).open(seed, Item(f"{task.id}-{world}-{seed}", Sitting(task, world, probes)))


def seated(task: Task, minds: str | Sequence[str | Mind]) -> dict[str, Mind]:
    """One mind of a name for all seats, or a mind or a name for each."""
    each = [minds] * len(task.people) if isinstance(minds, str) else minds
    house = EnactToM(task)
    made = [find_mind(one, house, seat) if isinstance(one, str) else one for seat, one in zip(task.names, each)]  # noqa: B905
    return dict(zip(task.names, made, strict=False))


def play(
    task: Task, world: World, minds: str | Sequence[str | Mind], seed: int = 0, *, probes: bool = False
) -> Episode:
    return play_one(opened(task, world, seed, probes), seated(task, minds))
