"""Small minds and played turns for the tests of learners and their networks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from otherminds.worlds.symmtom import chance, rules
from otherminds.worlds.symmtom.beliefs.bayes import BayesRule
from otherminds.worlds.symmtom.minds.belief_parts import find_belief
from otherminds.worlds.symmtom.minds.network_policy import BeliefPolicy, PolicyMemory, Sight
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.playing import Played, lively_action

SMALL: dict[str, Any] = {"num_agents": 3, "width": 4, "num_pieces": 3, "num_turns": 8}


def make_mind(
    belief: str = "none", kind: str = "", units: int = 8, network: Mapping[str, Any] | None = None, **switches: Any
) -> BeliefPolicy:
    """A mind in a small, crowded world."""
    params = Params(**(SMALL | switches))
    return BeliefPolicy(params, find_belief(belief), units, kind, tuple(sorted((network or {}).items())))


def on_jax(tree: Any) -> Any:
    """The same arrays on JAX."""
    return jax.tree.map(jnp.asarray, tree)


def spoken_turns(params: Params, seed: int, worlds: int, num_turns: int = 0) -> Iterator[Played]:
    """An episode of lively agents that always choose a piece, as learned ones do."""
    rng = np.random.default_rng(seed)
    state = rules.deal(chance.draw_deal(rng, params, (worlds,)), params)
    for _ in range(num_turns or params.num_turns):
        action = lively_action(rng, state, params)
        action = action._replace(piece=np.maximum(action.piece, 0))
        coins = chance.draw_coins(rng, params, (worlds,))
        after, outcome = rules.step(state, action, coins, params)
        yield Played(state, action, coins, after, outcome)
        state = after


def states(params: Params, seed: int, worlds: int, num_turns: int = 0) -> list[State]:
    """The states of such an episode, the first included."""
    turns = list(spoken_turns(params, seed, worlds, num_turns))
    return [turns[0].before, *(turn.after for turn in turns)]


def compiled(function: Callable[..., Any]) -> Any:
    """Compiled quickly rather than well."""
    options = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
    return jax.jit(function, compiler_options=options)


@cache
def _steps(mind: BeliefPolicy) -> tuple[Any, Any, Any]:
    """How the mind begins, believes and decides.

    Networks and Bayesian beliefs are compiled, one program each for all tests. Sets are faster on NumPy.
    """

    def begin(state: State) -> PolicyMemory:
        return mind.begin(mind.look(state))

    def believe(belief: Any, state: State, key: Any) -> Any:
        sight = mind.look(state)
        return sight, *mind.revise(belief, sight, key)

    def decide(weights: Any, carry: Any, sight: Sight, said: Any) -> Any:
        return mind.decide(weights, carry, mind.inputs(sight, said), sight.allowed)

    prepared: Any = compiled if isinstance(mind.belief.rule, BayesRule) else lambda function: function
    return prepared(begin), prepared(believe), compiled(decide)


def thoughts(mind: BeliefPolicy, seen: list[State]) -> list[tuple[Sight, Any]]:
    """What the mind takes in of each state, and what its belief then says."""
    begin, believe, _ = _steps(mind)
    belief, found = begin(seen[0]).belief, []
    for number, state in enumerate(seen):
        sight, belief, said = believe(belief, state, jax.random.key(number))
        found.append((sight, said))
    return found


def logits_along(mind: BeliefPolicy, weights: Any, seen: list[State]) -> list[Any]:
    """The logits of every agent turn by turn, ``[agent, world, entry]`` each."""
    begin, _, decide = _steps(mind)
    found, carry = [], begin(seen[0]).carry
    for sight, said in thoughts(mind, seen):
        logits, carry = decide(weights, carry, sight, said)
        found.append(np.moveaxis(np.asarray(logits), 1, -1))
    return found


def random_tree(shapes: Any, seed: int, scale: float = 0.5) -> Any:
    """Random numbers of the given shapes, away from where trainings begin, with many weights zero; no counters."""
    rng = np.random.default_rng(seed)

    def numbers(leaf: Any) -> Any:
        if not jnp.issubdtype(leaf.dtype, jnp.floating):
            return jnp.zeros(leaf.shape, leaf.dtype)
        return jnp.asarray(scale * rng.standard_normal(leaf.shape), leaf.dtype)

    return jax.tree.map(numbers, shapes)


def make_variables(mind: BeliefPolicy, seed: int = 0, sets: int = 1) -> Any:
    """Random variables of a network, stacked over agents or one set for all."""
    return random_tree(_shapes(mind, sets), seed)


@cache
def _shapes(mind: BeliefPolicy, sets: int) -> Any:
    return jax.eval_shape(lambda: jax.vmap(mind.init)(jax.random.split(jax.random.key(0), sets)))
