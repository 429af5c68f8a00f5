"""Beliefs of each order of theory of mind, from none to the second: what a mind considers possible.

| mind     | own knowledge | what others know | how unheard speakers are assumed to speak      |
| -------- | ------------- | ---------------- | ---------------------------------------------- |
| none     | forgotten     | first-hand       |                                                |
| 0        | remembered    | first-hand       |                                                |
| evidence | remembered    | what was heard   | no assumption                                  |
| 1        | remembered    | inferred         | knowing what their listeners know              |
| 2        | remembered    | inferred         | by their own beliefs about their listeners     |

Minds that infer assume that others speak as well as they can (``speech_model.OBLIGE``). So silence is evidence, and
later evidence can revise earlier beliefs. All but ``evidence`` are orders of theory of mind, each including the one
before; ``evidence`` is the first order without inference, the paper's conservative model.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.symmtom.beliefs import bayes, belief_rules
from otherminds.worlds.symmtom.beliefs.speech_model import OBLIGE
from otherminds.worlds.symmtom.bits import namespace
from otherminds.worlds.symmtom.observe import Percept
from otherminds.worlds.symmtom.types import Array, Params

ORDERS = ("none", "0", "1", "2")
MINDS = ("none", "0", "evidence", "1", "2")


class Possible(NamedTuple):
    """What observers consider possible; the trailing axes are worlds."""

    knowledge: Array  # uint32 [agent, observer, possibility, *worlds]
    weight: Array  # float32 [observer, possibility, *worlds], not normalised


def rule_of(mind: str, particles: int = 64) -> bayes.BayesRule | belief_rules.BeliefRule | None:
    """The update rule of a mind."""
    if mind not in MINDS:
        raise UserError(f"there is no mind {mind!r}{nearest(mind, MINDS)}")
    if mind in ("1", "2"):
        return bayes.BayesRule(particles, (OBLIGE,), order=2 if mind == "2" else 1)
    return {"none": None, "0": belief_rules.ZEROTH, "evidence": belief_rules.ATTENTIVE}[mind]


def begin(sight: Percept, params: Params, rule: Any) -> Any:
    """The memory of a mind before the first turn."""
    if isinstance(rule, bayes.BayesRule):
        return bayes.begin(sight, params, rule)
    return None if rule is None else belief_rules.begin(sight, params, rule)


def update(memory: Any, sight: Percept, params: Params, rule: Any, key: Any, own_reward: Array | None) -> Any:
    """The memory after the turn that was just perceived; see ``bayes.update``."""
    if isinstance(rule, bayes.BayesRule):
        return bayes.update(memory, sight, params, rule, key, own_reward)
    return None if rule is None else belief_rules.update(memory, sight, params, rule)


def likely(memory: Any, sight: Percept, params: Params, rule: Any) -> Array:
    """Probability that a subject knows a piece, ``float32 [observer, subject, piece, *worlds]``."""
    return bayes.probability(possible(memory, sight, rule), params)


def possible(memory: Any, sight: Percept, rule: Any) -> Possible:
    """What the mind considers possible now."""
    xp = namespace(sight.first_hand)
    if isinstance(rule, bayes.BayesRule):
        return Possible(memory.knowledge, memory.weight)
    knows = sight.first_hand if rule is None else memory.knows  # [observer, subject, …]
    if rule is not None and rule.kind == "zeroth":
        knows = xp.where(belief_rules.is_self(knows), knows, sight.first_hand)
    knowledge = xp.moveaxis(knows, 0, 1)[:, :, None]
    return Possible(knowledge, xp.ones(knowledge.shape[1:], dtype=xp.float32))
