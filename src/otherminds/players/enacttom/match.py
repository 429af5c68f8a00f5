"""Seats players in a house, and keeps the record of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from otherminds.core.episodes import Episode
from otherminds.core.errors import UserError
from otherminds.players.enacttom.asking import Asking
from otherminds.players.enacttom.seats import Seat
from otherminds.worlds.enacttom.acts import act_content
from otherminds.worlds.enacttom.goals import is_reached, progress
from otherminds.worlds.enacttom.ground import Ground
from otherminds.worlds.enacttom.observe import first_look, notes, perceive
from otherminds.worlds.enacttom.rules import State, begin, check_act, is_over, step
from otherminds.worlds.enacttom.types import World
from otherminds.worlds.enacttom.verify.certify import digest_of
from otherminds.worlds.enacttom.world import WORLD
from otherminds.worlds.enacttom.write import task_content


def play(
    ground: Ground,
    world: World,
    seats: Sequence[Seat],
    seed: int = 0,
    *,
    has_probes: bool = False,
    on_turn: Callable[[dict[str, Any]], None] = lambda _: None,
) -> tuple[State, Episode]:
    """Play a run to its end.

    Args:
        ground: the task.
        world: that it is in.
        seats: a player for each person.
        seed: of players that draw, and of the choice of questions.
        has_probes: players are asked in passing what they know, before they decide and at the end (see ``asking``).
        on_turn: is given what is recorded of each turn, as soon as it is over.

    Raises:
        UserError: if there are not as many players as people, or one does what is no act at all.
    """
    task = ground.task
    if len(seats) != len(task.people):
        raise UserError(f"task {task.id!r} has {len(task.people)} people; {len(seats)} players were given")
    if world not in ground.starts:
        raise UserError(f"task {task.id!r} has no world {world}")
    state = begin(ground, world)
    for agent, seat in enumerate(seats):
        seat.begin(ground, agent, notes(ground, world, agent), first_look(ground, state, agent), seed)
    asking = Asking(ground, world, seats, seed) if has_probes else None
    episode = new_episode(ground, world, seats, seed)
    while not is_over(ground, state):
        acts = tuple(seat.act(state.turn + 1) for seat in seats)
        for agent, act in enumerate(acts):
            check_act(ground, agent, act)
        probes = asking.decide(state, acts) if asking else []
        after, outcome = step(ground, state, acts)
        percepts = [perceive(ground, state, after, outcome, agent) for agent in range(len(seats))]
        for seat, act, percept in zip(seats, acts, percepts, strict=True):
            seat.perceive(act, percept)
        state = after
        if asking:
            asking.follow(state, outcome, percepts)
        episode.turns.append(
            {
                "turn": state.turn,
                "acts": [act_content(act) for act in acts],
                "refused": list(outcome.refused),
                "values": list(state.values),
                **({"probes": probes} if probes else {}),
            }
        )
        on_turn(episode.turns[-1])
    episode.end = {"success": is_reached(ground, state.values), "progress": progress(ground, state.values)}
    if asking:
        episode.end |= {"probes": asking.end(), "wishes": asking.wishes()}
    return state, episode


def new_episode(ground: Ground, world: World, seats: Sequence[Seat], seed: int = 0) -> Episode:
    """The record of a run before its first turn."""
    task = ground.task
    return Episode(
        id=f"{task.id}-{'.'.join(map(str, world))}-{seed}",
        world=WORLD,
        config={"task": task.id, "digest": digest_of(task), "horizon": task.horizon},
        players=[seat.name for seat in seats],
        seed=seed,
        start={"world": list(world), "task": task_content(task, is_bare=True)},
    )
