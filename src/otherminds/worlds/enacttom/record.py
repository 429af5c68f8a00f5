"""Records of episodes: the way back from a record to the house, turn by turn.

A record is replayed rather than trusted: what it says of each turn and of each answer must follow from the replies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from otherminds.core import world as core
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.core.replay import check_replay, give_again
from otherminds.worlds.enacttom.grounded_task import Ground
from otherminds.worlds.enacttom.grounding import ground
from otherminds.worlds.enacttom.ledger import Labeller
from otherminds.worlds.enacttom.probes.questions import ProbeQuestion, goal_probes
from otherminds.worlds.enacttom.session import END, HouseSession, Moment, ask_id
from otherminds.worlds.enacttom.tasks.fields import Reader, count, every, items, number, text, wrong
from otherminds.worlds.enacttom.tasks.read import find_task, is_shipped, parse_task, read_task
from otherminds.worlds.enacttom.types import Task, World

_NOTES: dict[str, Reader] = {
    "team": text,
    "run": number,
    "tries": count,
    "depth": lambda value, place: None if value is None else number(value, place),
    "grade": text,
    "split": text,
}
_ASKED = ("probes", "wishes")  # the fields of a line that hold lists of answers


@dataclass(frozen=True)
class TaskInWorld:
    """The task and the world of an episode."""

    ground: Ground
    world: World


@dataclass(frozen=True)
class Played(core.Played):
    """An episode played again from its record; ``states[t]`` is the house after turn t."""

    params: TaskInWorld
    states: list[Moment]

    def labels(self, upto: int | None = None) -> Labeller:
        """Who knows what after a turn. [default: the last]"""
        labels = Labeller(self.params.ground, self.params.world)
        for moment in self.states[1 : None if upto is None else upto + 1]:
            if moment.outcome:
                labels.follow(moment.state, moment.outcome)
        return labels


def play_again(episode: Episode) -> Played:
    """Every state of a recorded episode.

    Raises:
        UserError: if the record cannot be read as an episode, or says anything that does not follow from its replies.
    """
    place = f"episode {episode.id!r}"
    check_header(episode)
    task = task_of(episode)
    if len(episode.minds) != len(task.people):
        raise wrong(f"{place}: minds", list(episode.minds.values()), f"one for each of {len(task.people)} people")
    every(episode.notes.get("worlds", []), f"{place}: notes.worlds", partial(_world, task=task))
    house, world = ground(task), _world(episode.start.get("world"), f"{place}: world", task)
    try:
        recorded, is_probed = replies(episode), has_probes(episode)
    except UserError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"{place} is damaged: its replies cannot be read ({error!r})") from error
    fresh = Episode(episode.id, episode.world, {}, {}, episode.seed, {})
    session = HouseSession(house, world, fresh, is_probed)
    moments = give_again(session, recorded)
    check_replay(episode, session, recorded)
    return Played(TaskInWorld(house, world), moments)


def _world(value: Any, place: str, task: Task) -> World:
    if not isinstance(value, list) or tuple(value) not in task.worlds:
        raise wrong(place, value, f"a world of task {task.id!r}")
    return tuple(value)


def has_probes(episode: Episode) -> bool:
    """Whether anybody was asked a probe in the episode."""
    return any(line.get(field) for line in (*episode.turns, episode.end or {}) for field in _ASKED)


def replies(episode: Episode) -> dict[str, Any]:
    """The recorded replies by ask id. A prediction's expected answer is the reply of the other person."""
    task, recorded = task_of(episode), dict[str, Any]()
    for turn, line in enumerate((*episode.turns, episode.end or {}), 1):
        recorded |= {f"{turn}/{name}": act for name, act in zip(task.names, line.get("acts", ()), strict=False)}
        asked = {field: items(line.get(field, []), f"episode {episode.id!r}: {field}") for field in _ASKED}
        recorded |= {answer["id"]: answer["given"] for answers in asked.values() for _, answer in answers}
        for _, answer in asked["wishes"]:
            other = goal_probes((task.names.index(answer["seat"]), *task.numbers(answer["chain"])), answer["secret"])[1]
            if other is not None:
                recorded[ask_id(END, task, other, is_goal=True)] = answer["expected"]
    return recorded


def probe_of(task: Task, line: Mapping[str, Any]) -> ProbeQuestion:
    """The probe of a recorded answer."""
    return ProbeQuestion(line["asked"], line["kind"], task.numbers(line["chain"]), line["secret"])


def task_of(episode: Episode) -> Task:
    """The task of an episode: the one in its record, or the one of its name that comes with the package.

    Raises:
        UserError: if there is none.
    """
    content = episode.start.get("task")
    if content is not None:
        return parse_task(content, f"episode {episode.id!r}: task")
    name = str(episode.config.get("task"))
    if not is_shipped(name):
        raise UserError(
            f"episode {episode.id!r} is of task {name!r}, which is neither in the record nor in the package"
        )
    return read_task(find_task(name))


def check_header(episode: Episode) -> None:
    """Refuse minds without names, and notes that scores cannot use.

    Raises:
        UserError: names the field.
    """
    place = f"episode {episode.id!r}"
    every(list(episode.minds.values()), f"{place}: minds", text)
    for field, read in _NOTES.items():
        if field in episode.notes:
            read(episode.notes[field], f"{place}: notes.{field}")
