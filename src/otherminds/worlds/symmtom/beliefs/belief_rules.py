"""Rule-based beliefs about what others know, as bit masks: the belief matrices of the paper (section 6).

Beliefs are built from percepts alone (``observe.perceive``) and need no JAX. ``knows[k, j]`` is the set of pieces that
agent k believes agent j to know; ``knows[k, k]`` is always k's true knowledge. Forgetting is *believed* forgetting: an
agent on its base that is wrongly believed complete is wrongly believed to have forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Literal, NamedTuple

from otherminds.worlds.symmtom.bits import contains, namespace, numbers
from otherminds.worlds.symmtom.observe import Percept
from otherminds.worlds.symmtom.rules import decay, forgets_all
from otherminds.worlds.symmtom.types import Array, Params


@dataclass(frozen=True)
class BeliefRule:
    """How beliefs are updated."""

    kind: Literal["zeroth", "conservative", "greedy"] = "conservative"
    credit_speaker: bool = False  # a heard speaker is believed to know the piece it says


ZEROTH = BeliefRule("zeroth")
CONSERVATIVE = BeliefRule("conservative")
ATTENTIVE = BeliefRule("conservative", credit_speaker=True)
GREEDY = BeliefRule("greedy")


class Belief(NamedTuple):
    """The belief of every agent about every agent."""

    knows: Array  # uint32 [observer, subject, *worlds]
    heard_turn: Array  # int32 [observer·subject, piece, *worlds]; no pieces unless memories decay


def begin(sight: Percept, params: Params, rule: BeliefRule) -> Belief:
    """Return the belief before the first turn: first-hand pieces, as far as they are public."""
    xp = namespace(sight.first_hand)
    n, worlds = params.num_agents, sight.first_hand.shape[2:]
    heard_turn = xp.zeros((n * n, params.num_pieces if params.decay else 0, *worlds), dtype=xp.int32)
    return Belief(_claimed(xp, sight.first_hand, rule), heard_turn)


def update(belief: Belief, sight: Percept, params: Params, rule: BeliefRule) -> Belief:
    """Return the belief after the turn that was just perceived."""
    xp = namespace(belief.knows)
    learned = _learned(xp, belief, sight, params, rule)
    if rule.credit_speaker:
        learned = learned | xp.where(is_self(belief.knows), xp.zeros_like(sight.utterance), sight.utterance)

    is_complete = (belief.knows | learned if params.base_pays_at_once else belief.knows) == params.all_pieces
    uses_base = contains(sight.uses_base[:, None], numbers(sight.uses_base)[None])
    resets = forgets_all(uses_base, is_complete, params)
    knows = xp.where(resets, sight.first_hand, belief.knows | learned)
    heard_turn = belief.heard_turn
    if params.decay:
        flat = (params.num_agents**2, *knows.shape[2:])
        heard = xp.where(resets, xp.zeros_like(learned), learned)
        held, owned, heard = (xp.reshape(sets, flat) for sets in (knows, sight.first_hand, heard))
        remembered, heard_turn = decay(held, owned, heard, heard_turn, sight.turn, params.decay)
        knows = xp.reshape(remembered, knows.shape)
    return Belief(_claimed(xp, knows, rule), heard_turn)


def _learned(xp: Any, belief: Belief, sight: Percept, params: Params, rule: BeliefRule) -> Array:
    """Pieces that subjects may have learned in a turn, ``uint32 [observer, subject, *worlds]`` (the paper's S)."""
    by_speaker = [_from_speaker(xp, s, belief, sight, params, rule) for s in range(params.num_agents)]
    learned = reduce(or_, by_speaker)
    if not params.interference:
        return learned
    voices = sum((pieces != 0).astype(xp.int32) for pieces in by_speaker)
    return xp.where(voices < 2, learned, xp.zeros_like(learned))


def _from_speaker(xp: Any, speaker: int, belief: Belief, sight: Percept, params: Params, rule: BeliefRule) -> Array:
    """Pieces that agents in range of a speaker may have learned from it, as each observer heard or guesses."""
    could_hear = contains(sight.earshot, speaker)  # bool [observer, subject, *worlds]
    nothing = xp.zeros_like(belief.knows)
    heard = xp.where(could_hear, sight.utterance[:, speaker][:, None], nothing)
    if rule.kind != "greedy":
        return heard
    guess = _guess(xp, speaker, could_hear, belief, params)
    return heard | xp.where(could_hear & ~is_self(nothing), guess[:, None], nothing)


def _guess(xp: Any, speaker: int, could_hear: Array, belief: Belief, params: Params) -> Array:
    """The piece a greedy speaker would have said, ``uint32 [observer, *worlds]``: known to the fewest in its range.

    All pieces are counted at once: plane b holds bit b of the count of every piece.
    """
    agents = range(params.num_agents)
    candidates = belief.knows[:, speaker]
    observer = numbers(candidates)
    has_listener = reduce(or_, [could_hear[:, j] & (observer != j) for j in agents])
    own_range = xp.stack([could_hear[k, k] for k in agents])
    is_unheard = (observer != speaker) & has_listener & ~own_range
    planes = [xp.zeros_like(candidates) for _ in range(params.num_agents.bit_length())]
    for j in agents:
        carry = xp.where(could_hear[:, j], belief.knows[:, j], xp.zeros_like(candidates))
        for b, plane in enumerate(planes):
            planes[b], carry = plane ^ carry, plane & carry
    for plane in reversed(planes):
        fewer = candidates & ~plane
        candidates = xp.where(fewer != 0, fewer, candidates)
    lowest = candidates & (~candidates + 1)
    return xp.where(is_unheard, lowest, xp.zeros_like(lowest))


def _claimed(xp: Any, knows: Array, rule: BeliefRule) -> Array:
    """Drop beliefs about others if the rule is of order zero."""
    return xp.where(is_self(knows), knows, xp.zeros_like(knows)) if rule.kind == "zeroth" else knows


def is_self(pairs: Array) -> Array:
    """Whether observer and subject are the same agent, ``bool [observer, subject, 1, …]``."""
    return numbers(pairs) == numbers(pairs[0])[None]
