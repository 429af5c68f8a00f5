"""Runs as records: the way back from a record to the house, turn by turn.

A record is replayed rather than trusted: what it says of each turn must follow from what was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from otherminds.core import world as core
from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.worlds.enacttom.acts import act_of
from otherminds.worlds.enacttom.build import ground
from otherminds.worlds.enacttom.carried import check_carried
from otherminds.worlds.enacttom.goals import is_reached, progress
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.read import find_task, parse_task, read_task, task_names
from otherminds.worlds.enacttom.rules import Act, Outcome, State, begin, is_over, step
from otherminds.worlds.enacttom.types import Task, World


@dataclass(frozen=True)
class House:
    """What a run was played in."""

    ground: Ground
    world: World

    @property
    def num_turns(self) -> int:
        """That there are at most."""
        return self.ground.task.horizon


@dataclass(frozen=True)
class Moment:
    """The house after a turn, and what came of it; before the first there is no outcome."""

    state: State
    outcome: Outcome | None
    line: Mapping[str, Any]  # of the record


@dataclass(frozen=True)
class Played(core.Played):
    """An episode played again from its record; ``states[t]`` is the house after turn t."""

    params: House
    states: list[Moment]

    @property
    def actions(self) -> list[tuple[Act, ...]]:
        """What everybody did, a turn each."""
        return [moment.outcome.acts for moment in self.states if moment.outcome]


def play_again(episode: Episode) -> Played:
    """Every state of a recorded run.

    Raises:
        UserError: if the record cannot be read as a run, or says something else than follows from its acts.
    """
    where = f"episode {episode.id!r}"
    house = ground(task_of(episode))
    try:
        world = tuple(episode.start["world"])
        is_known = world in house.starts
    except (KeyError, TypeError) as error:
        raise UserError(f"{where} does not say which world it was played in ({error!r})") from error
    if not is_known:
        raise UserError(f"{where} was played in world {list(world)}, which task {house.task.id!r} does not have")
    check_carried(house.task, episode)
    moments = [Moment(begin(house, world), None, {})]
    for number, line in enumerate(episode.turns, 1):
        before = moments[-1].state
        if is_over(house, before):
            raise UserError(f"{where}: turn {number} was played after the run had ended")
        if line.get("turn") != number:
            raise UserError(
                f"{where}: turn {number} is recorded as turn {line.get('turn')!r}; lines are missing or moved"
            )
        after, outcome = step(house, before, _acts(house.task, line, f"{where}, turn {number}"))
        if list(after.values) != line.get("values"):
            raise UserError(f"{where}, turn {number}: what is recorded of the house does not follow from what was done")
        if list(outcome.refused) != line.get("refused"):
            raise UserError(f"{where}, turn {number}: what is recorded as refused does not follow from what was done")
        moments.append(Moment(after, outcome, line))
    reached = is_reached(house, moments[-1].state.values)
    if episode.end is not None and episode.end.get("success") != reached:
        raise UserError(f"{where} says success {episode.end.get('success')!r}; by its turns it is {reached}")
    came_to: dict[str, Any] = {"success": reached, "score": dict.fromkeys(house.task.names, float(reached))}
    if episode.end is not None and episode.end.get("outcome", came_to) != came_to:
        raise UserError(f"{where} says outcome {episode.end['outcome']!r}; by its turns it is {came_to}")
    share = progress(house, moments[-1].state.values)
    if episode.end is not None and episode.end.get("progress") != share:
        raise UserError(f"{where} says progress {episode.end.get('progress')!r}; by its turns it is {share}")
    return Played(House(house, world), moments)


def task_of(episode: Episode) -> Task:
    """The task of a run: as the record has it, or that of its name that comes with the package.

    Raises:
        UserError: if there is none.
    """
    content = episode.start.get("task")
    if content is not None:
        return parse_task(content, f"episode {episode.id!r}: task")
    name = str(episode.config.get("task"))
    if name not in task_names():
        raise UserError(
            f"episode {episode.id!r} is of task {name!r}, which is neither in the record nor in the package"
        )
    return read_task(find_task(name))


def _acts(task: Task, line: Mapping[str, Any], where: str) -> tuple[Act, ...]:
    acts = line.get("acts")
    if not isinstance(acts, list) or len(acts) != len(task.people):
        raise UserError(f"{where}: acts are {acts!r}; expected one for each of {len(task.people)} people")
    return tuple(act_of(task, agent, act, where) for agent, act in enumerate(acts))
