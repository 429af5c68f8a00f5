"""Belief parts of learned minds: from percepts to network inputs about others' knowledge.

A part names a rule, and goes with any network and any learning algorithm. For each agent in an observer's slots (itself
first, then the others), a part *says* a set of pieces, or probabilities if it is uncertain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.registry import find
from otherminds.worlds.symmtom.beliefs import bayes, belief_rules, tom_orders
from otherminds.worlds.symmtom.beliefs.bayes import BAYES, BayesRule
from otherminds.worlds.symmtom.minds.tour_values import danger_of, recharged
from otherminds.worlds.symmtom.observe import Percept, other_agents, perceive_within
from otherminds.worlds.symmtom.types import Array, Params


@dataclass(frozen=True)
class BeliefPart:
    """The belief part of a mind."""

    name: str
    rule: Any = None  # a BeliefRule or a BayesRule
    order: int = 1  # 2: also what others believe about others
    network: str = "feedforward"  # the paper's network for this belief
    sees_truth: bool = False  # shown what others know: the paper's Oracle
    counts_recharges: bool = False  # says whose next recharge would win a competitive episode; Bayesian only
    critic_sees_truth: bool = False  # in MADDPG's training (spec section 13, row 34)


class Counting(NamedTuple):
    """A Bayesian belief that counts recharges."""

    worlds: bayes.BayesMemory
    recharges: Array  # float32 [observer, agent, *worlds], believed number of recharges


BELIEFS = {  # ``otherminds list beliefs`` describes each
    part.name: part
    for part in (
        BeliefPart("none"),
        BeliefPart("zeroth", belief_rules.ZEROTH, critic_sees_truth=True),
        BeliefPart("oracle", sees_truth=True, critic_sees_truth=True),
        BeliefPart("conservative", belief_rules.CONSERVATIVE, critic_sees_truth=True),
        BeliefPart("attentive", belief_rules.ATTENTIVE, critic_sees_truth=True),
        BeliefPart("greedy", belief_rules.GREEDY, critic_sees_truth=True),
        BeliefPart("estimated", network="estimating", critic_sees_truth=True),
        BeliefPart("recurrent", network="recurrent"),
        BeliefPart("bayesian", BAYES, critic_sees_truth=True),
        BeliefPart("deductive", tom_orders.rule_of("2", particles=32), critic_sees_truth=True),
        BeliefPart("wary", tom_orders.rule_of("2", particles=128), counts_recharges=True, critic_sees_truth=True),
        BeliefPart("second-order", belief_rules.ATTENTIVE, 2, critic_sees_truth=True),
    )
}


def find_belief(name: str) -> BeliefPart:
    """The registered belief with a name."""
    part = find("belief", name, "symmtom").load()
    if not isinstance(part, BeliefPart):
        raise UserError(f"belief {name!r} is registered as a {type(part).__name__}; expected a BeliefPart")
    return replace(part, name=name)  # records refer to it by its registered name


def begin(part: BeliefPart, percept: Percept, params: Params) -> Any:
    """The memory of the part before the first turn."""
    belief = tom_orders.begin(percept, params, part.rule)
    if part.counts_recharges:
        return Counting(belief, jnp.zeros(percept.x.shape))
    if part.order == 2:
        return belief, belief_rules.begin(perceive_within(percept, params), params, part.rule)
    return belief


def revise(
    part: BeliefPart, memory: Any, percept: Percept, reward: Array, params: Params, key: Any
) -> tuple[Any, Array]:
    """The memory of the part after a turn, and what it says (see :func:`say`)."""
    if part.order == 2:
        nested = belief_rules.update(memory[1], perceive_within(percept, params), params, part.rule)
        pair = tom_orders.update(memory[0], percept, params, part.rule, key, reward), nested
        return pair, say(part, pair, percept.turn.shape, params)
    belief = memory.worlds if part.counts_recharges else memory
    after: Any = tom_orders.update(belief, percept, params, part.rule, key, reward)
    if part.counts_recharges:
        now = recharged(jnp, percept, bayes.completeness(belief, params), params)
        after = Counting(after, memory.recharges + now)
    return after, say(part, after, percept.turn.shape, params)


def say(part: BeliefPart, memory: Any, worlds: tuple[int, ...], params: Params) -> Array:
    """What the part says, given its memory, ``[agent, entry, *worlds]``.

    Entries are sets (``uint32``), one per slot. Second-order parts add the believed beliefs of each other agent about
    all but itself. A Bayesian belief gives probabilities (``float32``) by slot and piece instead; if it counts
    recharges, also whether the next recharge of each slot would win.
    """
    n = params.num_agents
    if part.rule is None:
        return jnp.zeros((n, 0, *worlds), jnp.uint32)
    if isinstance(part.rule, BayesRule):
        possible = memory.worlds if part.counts_recharges else memory
        likely = slots(bayes.probability(possible, params)).reshape((n, n * params.num_pieces, *worlds))
        if not part.counts_recharges:
            return likely
        return jnp.concatenate([likely, slots(danger_of(jnp, memory.recharges, params))], axis=1)
    if part.order == 2:
        return jnp.concatenate([slots(memory[0].knows), _second_order(memory[1].knows)], axis=1)
    knows = slots(memory.knows)
    return knows[:, :1] if part.rule.kind == "zeroth" else knows


def _second_order(knows: Array) -> Array:
    """Beliefs of others about all but themselves, ``[believer, subject, observer, …] -> [observer, entry, …]``.

    The first entry for each believer is its believed belief about the observer.
    """
    n = knows.shape[0]
    rows = [
        [knows[j, subject, k] for j in range(n) if j != k for subject in (k, *(m for m in range(n) if m not in (j, k)))]
        for k in range(n)
    ]
    return jnp.stack([jnp.stack(row) for row in rows])


@lru_cache(maxsize=16)
def own_first(num_agents: int) -> Any:
    """The agents in the slots of each observer: itself, then the others, ``int [observer, slot]``."""
    return np.concatenate([np.arange(num_agents)[:, None], other_agents(num_agents)], axis=1)


def slots(values: Array) -> Array:
    """``[observer, subject, …]`` with the subjects in each observer's slots, ``[observer, slot, …]``."""
    n = values.shape[0]
    return values[np.arange(n)[:, None], own_first(n)]
