"""Rehearsals: worlds of the standard deal in which the others stop and one agent must use what it saw.

For some turns everyone, the learner included, walks to random cells and tells those around what they lack. Then all
but the learner stand still, and tell it what they can when it comes. An agent that only plays with copies of itself
learns where copies meet; one that rehearses learns whom to approach, by what each probably knows. Boards, bases
and pieces are dealt as always: no layout of the test battery is ever used.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax.numpy as jnp

from otherminds.core.seeds import random_words
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.beliefs import speech_model
from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.minds.scripted import along_x, along_y
from otherminds.worlds.symmtom.types import SILENT, Action, Array, Params, State

LONGEST = 16  # turns before the others stop


class Rehearsal(NamedTuple):
    """Decisions made at the start of an episode, ``[world]`` except for goals."""

    happens: Array  # bool; else all seats learn from playing with each other
    stop: Array  # int32, the turn from which on the learner is free and the others stand
    learner: Array  # int32, its seat
    goal_x: Array  # int32 [agent, world]
    goal_y: Array


def begin(key: Any, share: float, params: Params, worlds: int) -> Rehearsal:
    """Draw which worlds rehearse, and how."""
    n, w = params.num_agents, params.width
    words = random_words(key, (3, worlds), "rehearsal/plan")
    goal_x, goal_y = _cells(random_words(key, (n, worlds), "rehearsal/goal"), w)
    return Rehearsal(
        happens=below(words[0], share),
        stop=(words[1] % LONGEST).astype(jnp.int32),
        learner=(words[2] % n).astype(jnp.int32),
        goal_x=goal_x,
        goal_y=goal_y,
    )


def follow(
    key: Any, rehearsal: Rehearsal, state: State, action: Action, params: Params, homing: bool = False
) -> tuple[Rehearsal, Action, Array]:
    """The rehearsal one turn later, the action with scripted choices filled in, and a mask of these choices.

    With ``homing``, agents that walk and know everything mostly walk to their bases, to recharge.
    """
    seats = jnp.arange(params.num_agents)[:, None]
    walks = state.turn < rehearsal.stop
    is_scripted = rehearsal.happens & (walks | (seats != rehearsal.learner))
    words = random_words(key, (3, *state.x.shape), "rehearsal/turn")
    move = jnp.where(walks, _toward(words[0], state, rehearsal), 0)
    piece = _telling(words[1], state, params)
    new_x, new_y = _cells(words[2] >> 8, params.width)
    renews = words[2] % 8 == 0
    if homing:
        is_due = (state.knowledge == params.all_pieces) & (words[2] & 24 != 0)  # three turns in four
        new_x, new_y = jnp.where(is_due, state.base_x, new_x), jnp.where(is_due, state.base_y, new_y)
        renews = renews | is_due
    rehearsal = rehearsal._replace(
        goal_x=jnp.where(renews, new_x, rehearsal.goal_x), goal_y=jnp.where(renews, new_y, rehearsal.goal_y)
    )
    joint = Action(jnp.where(is_scripted, move, action.move), jnp.where(is_scripted, piece, action.piece))
    return rehearsal, joint, is_scripted


def _toward(words: Array, state: State, rehearsal: Rehearsal) -> Array:
    """A step to the goal along a random axis; one in four turns is rest."""
    dx, dy = rehearsal.goal_x - state.x, rehearsal.goal_y - state.y
    by_x = jnp.where((words & 1 != 0) & (dx != 0) | (dy == 0), along_x(jnp, dx), along_y(jnp, dy))
    return jnp.where(words & 6 == 0, 0, by_x).astype(jnp.int32)


def _telling(words: Array, state: State, params: Params) -> Array:
    """A piece that somebody in range lacks, most if possible; silence if there is none, and one time in sixteen."""
    c = params.num_pieces
    # Listeners are picked before the move and hearing is judged after it, so an agent may speak to some that leave.
    near, can_say = rules.earshot(state.x, state.y, params), unpack(jnp, rules.speakable(state, params), c)
    lacking = jnp.stack(speech_model.lacking(jnp, state.knowledge[None], near, params), axis=1).astype(jnp.int32)
    worth = jnp.where(can_say, lacking, 0)
    rank = jnp.stack([(words >> (4 + 2 * (p % 12))) % 8 for p in range(c)], axis=1).astype(jnp.int32)
    best = jnp.argmax(worth * 8 + rank, axis=1).astype(jnp.int32)
    return jnp.where((worth.max(axis=1) > 0) & (words % 16 != 0), best, SILENT)


def _cells(words: Array, width: int) -> tuple[Array, Array]:
    return (words % width).astype(jnp.int32), ((words >> 12) % width).astype(jnp.int32)


def below(words: Array, share: float) -> Array:
    """True with a probability, ``bool`` of the shape of some random words."""
    return (words >> 8).astype(jnp.float32) * 2.0**-24 < share
