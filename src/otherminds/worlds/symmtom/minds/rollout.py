"""Play whole episodes of SymmToM with policies in many worlds at once.

Every world may seat the policies differently, so one compiled program serves all seatings of a pair. It also serves all
trained agents of one kind, whose variables are arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from otherminds.core.errors import MissingExtra, UserError, nearest
from otherminds.core.mind import Policy
from otherminds.core.seeds import generator, jax_key
from otherminds.worlds.symmtom import metrics, rules
from otherminds.worlds.symmtom.bits import namespace
from otherminds.worlds.symmtom.chance import draw_coins, draw_deal
from otherminds.worlds.symmtom.envs.engines import ENGINES
from otherminds.worlds.symmtom.metrics import Tally
from otherminds.worlds.symmtom.rules import TurnResult
from otherminds.worlds.symmtom.types import Action, Array, Params, State


class WatchedTurn(NamedTuple):
    """A turn, as a watch sees it."""

    before: State
    action: Action
    after: State
    outcome: TurnResult
    memories: tuple[Any, ...]  # of each policy, when it chose


class RolloutResult(NamedTuple):
    """The counts, NumPy ``[agent, episode]`` each."""

    tally: Tally
    watched: Any  # the counts of the watch, if any
    owner: Any  # int [agent, episode], the index of the policy in the seat


def rollout(
    params: Params, policy: Policy, seed: int, num_episodes: int, engine: str | None = None, batch: int = 1024
) -> Tally:
    """Play episodes with one policy in all seats; see :func:`rollout_seats`.

    Returns:
        The counts of every agent in every episode, NumPy ``[agent, episode]`` each.
    """
    return rollout_seats(params, [policy], [0] * params.num_agents, seed, num_episodes, engine, batch).tally


def rollout_seats(
    params: Params,
    policies: Sequence[Policy],
    seating: Any,
    seed: int,
    num_episodes: int,
    engine: str | None = None,
    batch: int = 1024,
    watch: Any = None,
) -> RolloutResult:
    """Play episodes in which each seat is filled by one of several policies.

    Args:
        params: parameters of the world.
        policies: the policies.
        seating: index of the policy in each seat, or several such rows, which episodes use in turn.
        seed: seed of the episodes; results depend on the engine.
        num_episodes: number of episodes.
        engine: ``"jax"``, ``"numpy"``, or ``None`` for JAX if it is installed.
        batch: number of parallel worlds.
        watch: counts something more in every turn, such as ``error_analysis.BreakdownWatch``. Hashable, since compiled
            rollouts are cached by it.
    """
    engine = pick_engine(engine)
    if num_episodes < 1:
        raise UserError(f"the number of episodes is {num_episodes}; expected at least 1")
    rows = np.atleast_2d(np.asarray(seating, dtype=np.int32))
    if rows.shape[1] != params.num_agents or rows.min() < 0 or rows.max() >= len(policies):
        raise UserError(
            f"seating {rows.tolist()} does not fit {params.num_agents} seats and {len(policies)} policies; "
            f"expected the index of a policy for each seat"
        )
    batch = min(batch, num_episodes)
    kinds, variables = zip(*map(split_variables, policies), strict=True)
    parts, owners = [], []
    for index in range(-(-num_episodes // batch)):
        name = f"rollout/{index}"
        owner = rows[np.arange(index * batch, (index + 1) * batch) % len(rows)].T
        if engine == "jax":
            counts = _compiled(params, kinds, batch, watch)(jax_key(seed, name), owner, variables)
        else:
            counts = _play(params, tuple(policies), owner, generator(seed, name), batch, watch)
        parts.append([np.asarray(values) for part in counts for values in part])
        owners.append(owner)
    leaves = [np.concatenate(values, axis=1)[:, :num_episodes] for values in zip(*parts, strict=True)]
    counted = len(Tally._fields)
    watched = type(counts[1])(*leaves[counted:]) if watch else None
    return RolloutResult(Tally(*leaves[:counted]), watched, np.concatenate(owners, axis=1)[:, :num_episodes])


def summed_up(tally: Tally) -> tuple[dict[str, float], float]:
    """The mean of every count per agent and episode, and the standard deviation of the reward over episodes."""
    means = {name: float(np.asarray(values, np.float64).mean()) for name, values in tally._asdict().items()}
    rewards = np.asarray(tally.reward, np.float64).mean(axis=0)
    return means, float(rewards.std(ddof=1)) if len(rewards) > 1 else 0.0


def pick_engine(engine: str | None) -> str:
    """The engine to use: the given one, or JAX if it is installed, or NumPy."""
    if engine not in (None, *ENGINES):
        raise UserError(f"unknown engine {engine!r}{nearest(engine, ENGINES)}")
    if engine == "numpy":
        return engine
    try:
        import jax  # noqa: F401
    except ModuleNotFoundError as error:
        if engine == "jax":
            raise MissingExtra("the JAX engine needs jax; install otherminds[jax], or use the NumPy engine") from error
        return "numpy"
    return "jax"


@dataclass(frozen=True)
class PolicyKind:
    """A policy without its variables, as the key of a compiled program."""

    key: Any
    policy: Any = field(compare=False)

    def filled(self, variables: Any) -> Any:
        return self.policy if variables is None else replace(self.policy, variables=variables)


def split_variables(policy: Policy) -> tuple[PolicyKind, Any]:
    """A policy as its kind and its variables; only learned ones have any."""
    variables = getattr(policy, "variables", None)
    if variables is None:
        return PolicyKind(policy, policy), None
    import jax

    shapes = tuple(leaf.shape for leaf in jax.tree.leaves(variables))
    learned: Any = policy
    return PolicyKind((type(policy), learned.mind, learned.samples, shapes), policy), variables


def _turn(key: Any, carry: Any, params: Params, policies: Sequence[Policy], owner: Array, watch: Any) -> Any:
    state, memories, is_over, tally, seen, watched = carry
    acted = [
        policy.act(memory, policy.look(state, params), params, _own_key(key, k))
        for k, (policy, memory) in enumerate(zip(policies, memories, strict=True))
    ]
    memories = tuple(memory for _, memory in acted)
    action = _seated([chosen for chosen, _ in acted], owner)
    after, outcome = rules.step(state, action, draw_coins(key, params, state.turn.shape), params)
    tally = metrics.add(tally, metrics.measure(state, action, after, outcome, params), ~is_over)
    if watch:
        seen, more = watch.turn(seen, WatchedTurn(state, action, after, outcome, memories), params)
        watched = metrics.add(watched, more, ~is_over)
    return after, memories, is_over | outcome.terminated | outcome.truncated, tally, seen, watched


def _own_key(key: Any, number: int) -> Any:
    """The random key of each policy; the first has the same as in a rollout with it alone."""
    if number == 0 or isinstance(key, np.random.Generator):
        return key
    import jax

    return jax.random.fold_in(key, number)


def _seated(actions: Sequence[Action], owner: Array) -> Action:
    move, piece = actions[0]
    xp = namespace(move)
    for k, other in enumerate(actions[1:], start=1):
        move, piece = xp.where(owner == k, other.move, move), xp.where(owner == k, other.piece, piece)
    return Action(move, piece)


def _start(state: State, params: Params, policies: Sequence[Policy], watch: Any) -> Any:
    xp = namespace(state.x)
    memories = tuple(policy.begin(policy.look(state, params), params) for policy in policies)
    over = xp.zeros(state.turn.shape, dtype=bool)
    seen, watched = (watch.begin(state, params), watch.nothing(state)) if watch else ((), ())
    return state, memories, over, metrics.nothing(state), seen, watched


def _play(
    params: Params, policies: Sequence[Policy], owner: Array, rng: np.random.Generator, worlds: int, watch: Any
) -> tuple[Tally, Any]:
    carry = _start(rules.deal(draw_deal(rng, params, (worlds,)), params), params, policies, watch)
    for _ in range(params.num_turns):
        carry = _turn(rng, carry, params, policies, owner, watch)
    return carry[3], carry[5]


@lru_cache(maxsize=128)
def _compiled(params: Params, kinds: tuple[PolicyKind, ...], worlds: int, watch: Any) -> Any:
    import jax

    def play(key: Any, owner: Any, variables: Any) -> tuple[Tally, Any]:
        policies = [kind.filled(mine) for kind, mine in zip(kinds, variables, strict=True)]
        start_key, turns_key = jax.random.split(key)
        state = rules.deal(draw_deal(start_key, params, (worlds,)), params)

        def play_turn(carry: Any, key: Any) -> Any:
            return _turn(key, carry, params, policies, owner, watch), None

        keys = jax.random.split(turns_key, params.num_turns)
        (_, _, _, tally, _, watched), _ = jax.lax.scan(play_turn, _start(state, params, policies, watch), keys)
        return tally, watched

    return jax.jit(play)
