"""Transitions as MADDPG learns from them, rebuilt from the replay memory by the rules and by what minds are shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from otherminds.learn.symmtom.replay import Codec, Replay
from otherminds.players.symmtom.mind import Mind
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.observe import observe
from otherminds.worlds.symmtom.types import Array, Params, State


class View(NamedTuple):
    """What actors and critics are given of a state."""

    inputs: Any  # of actors, [agent, …, batch]
    allowed: Any  # bool [agent, entry, batch], or nothing
    seen: Array  # float32 [agent·entry, batch], by critics


class Sample(NamedTuple):
    """Some transitions; the batch comes last."""

    before: View
    after: View
    carry: Any  # of actors, before the decision, [agent, …, batch]
    critic_carry: Any
    next_carry: Any  # of actors, after it, as it was then; nothing if not asked for
    stored: Array  # float32 [agent, entry, batch], actions
    rewards: Array  # float32 [agent, batch]


def rebuild(
    replay: Replay, index: Array, codec: Codec, mind: Mind, critic_view: Params, next_row: int | None = None
) -> Sample:
    """The transitions in some rows of the memory.

    Args:
        replay: the memory.
        index: which rows.
        codec: of the rows.
        mind: whose turns they are.
        critic_view: what critics see.
        next_row: how many rows further the next turn of the same world is. Rows then hold what the turn before left
            behind even where an episode begins, so that what a turn leaves behind is always in the row of the next.
    """
    apart = partial(_apart, replay.count > 0)

    def view(state: State, said: Array) -> View:
        sight = mind.look(state)
        return View(mind.inputs(sight, said), sight.allowed, seen_by_critics(state, critic_view))

    turn = apart(codec.unpack, replay.rows[index])
    carry, next_carry = turn.carry[0], ()
    if next_row is not None:
        next_carry = apart(codec.carry, replay.rows[(index + next_row) % replay.rows.shape[0]])
        carry = jax.tree.map(lambda leaf: jnp.where(turn.state.turn == 0, 0.0, leaf), carry)
    state, outcome = apart(rules.step, turn.state, turn.action, turn.coins, params=mind.params)
    return Sample(
        before=apart(view, turn.state, turn.belief),
        after=apart(view, state, turn.next_belief),
        carry=carry,
        critic_carry=turn.carry[1],
        next_carry=next_carry,
        stored=turn.stored,
        rewards=outcome.rewards,
    )


def seen_by_critics(state: State, view: Params) -> Array:
    """All agents' observations, ``[agent·entry, *worlds]``."""
    return flat(observe(state, view))


def flat(values: Array) -> Array:
    """``[agent, entry, *worlds] -> [agent·entry, *worlds]``."""
    return values.reshape((-1, *values.shape[2:]))


def _apart(is_true: Array, make: Callable[..., Any], *arguments: Any, **settings: Any) -> Any:
    """What ``make`` gives, computed once: the compiler would repeat cheap steps in every product that reads them.

    It does not look through a condition.
    """
    make = partial(make, **settings)
    shapes = jax.eval_shape(make, *arguments)
    nothing = partial(jax.tree.map, lambda leaf: jnp.zeros(leaf.shape, leaf.dtype), shapes)
    return jax.lax.cond(is_true, make, lambda *_: nothing(), *arguments)
