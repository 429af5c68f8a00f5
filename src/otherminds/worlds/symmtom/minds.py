"""Minds from no theory of mind to the second order: what each holds possible of everyone's knowledge.

| mind     | own knowledge | what others know | how unheard speakers are supposed to have spoken            |
| -------- | ------------- | ---------------- | ----------------------------------------------------------- |
| none     | forgotten     | first-hand       |                                                             |
| 0        | remembered    | first-hand       |                                                             |
| evidence | remembered    | what was heard   | not at all                                                  |
| 1        | remembered    | by inference     | as if they knew what their listeners know                   |
| 2        | remembered    | by inference     | by what they can tell of what their listeners know          |

Who infers supposes that others speak as well as they can (``speech.OBLIGE``): that makes silence evidence, and lets
later evidence revise what was said before. All but ``evidence`` are orders of theory of mind, each with all of the one
before; ``evidence`` is the first order without inference, the paper's conservative model.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from otherminds.core.errors import UserError, nearest
from otherminds.worlds.symmtom import bayes, beliefs
from otherminds.worlds.symmtom.bits import namespace
from otherminds.worlds.symmtom.observe import Percept
from otherminds.worlds.symmtom.speech import OBLIGE
from otherminds.worlds.symmtom.types import Array, Params

ORDERS = ("none", "0", "1", "2")
MINDS = ("none", "0", "evidence", "1", "2")


class Possible(NamedTuple):
    """What observers hold possible; the trailing axes are worlds."""

    knowledge: Array  # uint32 [agent, observer, possibility, *worlds]
    weight: Array  # float32 [observer, possibility, *worlds], not normalised


def rule_of(mind: str, particles: int = 64) -> bayes.BayesRule | beliefs.BeliefRule | None:
    """How a mind revises.

    Raises:
        UserError: if there is none of that name.
    """
    if mind not in MINDS:
        raise UserError(f"there is no mind {mind!r}{nearest(mind, MINDS)}")
    if mind in ("1", "2"):
        return bayes.BayesRule(particles, (OBLIGE,), order=2 if mind == "2" else 1)
    return {"none": None, "0": beliefs.ZEROTH, "evidence": beliefs.ATTENTIVE}[mind]


def begin(sight: Percept, params: Params, rule: Any) -> Any:
    """What a mind remembers before the first turn."""
    if isinstance(rule, bayes.BayesRule):
        return bayes.begin(sight, params, rule)
    return None if rule is None else beliefs.begin(sight, params, rule)


def update(memory: Any, sight: Percept, params: Params, rule: Any, key: Any, own_reward: Array | None) -> Any:
    """What it remembers after the turn that was just perceived; see ``bayes.update``."""
    if isinstance(rule, bayes.BayesRule):
        return bayes.update(memory, sight, params, rule, key, own_reward)
    return None if rule is None else beliefs.update(memory, sight, params, rule)


def likely(memory: Any, sight: Percept, params: Params, rule: Any) -> Array:
    """How probable it is that a subject knows a piece, ``float32 [observer, subject, piece, *worlds]``."""
    return bayes.probability(possible(memory, sight, rule), params)


def possible(memory: Any, sight: Percept, rule: Any) -> Possible:
    """What it holds possible now."""
    xp = namespace(sight.first_hand)
    if isinstance(rule, bayes.BayesRule):
        return Possible(memory.knowledge, memory.weight)
    knows = sight.first_hand if rule is None else memory.knows  # [observer, subject, …]
    if rule is not None and rule.kind == "zeroth":
        knows = xp.where(beliefs.is_self(knows), knows, sight.first_hand)
    supposed = xp.moveaxis(knows, 0, 1)[:, :, None]
    return Possible(supposed, xp.ones(supposed.shape[1:], dtype=xp.float32))
