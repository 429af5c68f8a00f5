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
    """How beliefs are updated. The switches are alternative readings of the paper's equations (spec section 13)."""

    kind: Literal["zeroth", "conservative", "greedy"] = "conservative"
    credit_speaker: bool = False  # a heard speaker is believed to know the piece it says
    literal_erase: bool = False  # a recharge erases first-hand pieces too
    complete_now: bool = False  # completeness is judged after this turn's hearing
    unclipped: bool = False  # a piece learned from two sources at once survives a recharge
    any_speaker: bool = False  # greedy guesses also for speakers that were heard
    any_piece: bool = False  # greedy guesses may name a piece the speaker is not believed to know


ZEROTH = BeliefRule("zeroth")
CONSERVATIVE = BeliefRule("conservative")
ATTENTIVE = BeliefRule("conservative", credit_speaker=True)
GREEDY = BeliefRule("greedy")


class Belief(NamedTuple):
    """The belief of every agent about every agent."""

    knows: Array  # uint32 [observer, subject, *worlds]
    heard_turn: Array  # int32 [observer·subject, piece, *worlds]; no pieces unless memories decay


class _Sources(NamedTuple):
    """Pieces that subjects may have learned in a turn, ``uint32 [observer, subject, *worlds]`` each (the paper's S)."""

    own: Array  # from the observer's own speech
    heard: Array  # from speech the observer heard
    guessed: Array  # from speech the observer did not hear


def begin(sight: Percept, params: Params, rule: BeliefRule) -> Belief:
    """Return the belief before the first turn: first-hand pieces, as far as they are public."""
    xp = namespace(sight.first_hand)
    n, worlds = params.num_agents, sight.first_hand.shape[2:]
    heard_turn = xp.zeros((n * n, params.num_pieces if params.decay else 0, *worlds), dtype=xp.int32)
    return Belief(_claimed(xp, sight.first_hand, rule), heard_turn)


def update(belief: Belief, sight: Percept, params: Params, rule: BeliefRule) -> Belief:
    """Return the belief after the turn that was just perceived."""
    xp = namespace(belief.knows)
    sources = _sources(xp, belief, sight, params, rule)
    if rule.credit_speaker:
        others_speech = xp.where(is_self(belief.knows), xp.zeros_like(sight.utterance), sight.utterance)
        sources = sources._replace(heard=sources.heard | others_speech)
    learned = reduce(or_, sources)

    counts_new = params.base_pays_at_once or rule.complete_now
    is_complete = (belief.knows | learned if counts_new else belief.knows) == params.all_pieces
    uses_base = contains(sight.uses_base[:, None], numbers(sight.uses_base)[None])
    resets = forgets_all(uses_base, is_complete, params)
    survives = xp.zeros_like(learned)
    if rule.unclipped:  # K + S[0] + S[1] + S[2] - 2 > 0: two sources, or all three for a piece not believed known
        own, heard, guessed = sources
        two = (own & heard) | (own & guessed) | (heard & guessed)
        survives = (belief.knows & two) | (own & heard & guessed)
    kept = survives if rule.literal_erase else survives | sight.first_hand
    knows = xp.where(resets, kept, belief.knows | learned)
    heard_turn = belief.heard_turn
    if params.decay:
        flat = (params.num_agents**2, *knows.shape[2:])
        heard = xp.where(resets, survives, learned)
        held, owned, heard = (xp.reshape(sets, flat) for sets in (knows, sight.first_hand, heard))
        remembered, heard_turn = decay(held, owned, heard, heard_turn, sight.turn, params.decay)
        knows = xp.reshape(remembered, knows.shape)
    return Belief(_claimed(xp, knows, rule), heard_turn)


def _sources(xp: Any, belief: Belief, sight: Percept, params: Params, rule: BeliefRule) -> _Sources:
    """Pieces that agents may have learned from all speakers; with interference, none from two at once."""
    by_speaker = [_from_speaker(xp, s, belief, sight, params, rule) for s in range(params.num_agents)]
    sources = _Sources(*(reduce(or_, parts) for parts in zip(*by_speaker, strict=True)))
    if not params.interference:
        return sources
    voices = sum((reduce(or_, parts) != 0).astype(xp.int32) for parts in by_speaker)
    nothing = xp.zeros_like(belief.knows)
    return _Sources(*(xp.where(voices < 2, part, nothing) for part in sources))


def _from_speaker(xp: Any, speaker: int, belief: Belief, sight: Percept, params: Params, rule: BeliefRule) -> _Sources:
    """Pieces that agents in range of a speaker may have learned from it, as each observer believes."""
    could_hear = contains(sight.earshot, speaker)  # bool [observer, subject, *worlds]
    nothing = xp.zeros_like(belief.knows)
    heard = xp.where(could_hear, sight.utterance[:, speaker][:, None], nothing)
    is_own = numbers(heard) == speaker
    guessed = nothing
    if rule.kind == "greedy":
        guess = _guess(xp, speaker, could_hear, belief, params, rule)
        guessed = xp.where(could_hear & ~is_self(nothing), guess[:, None], nothing)
    return _Sources(xp.where(is_own, heard, nothing), xp.where(is_own, nothing, heard), guessed)


def _guess(xp: Any, speaker: int, could_hear: Array, belief: Belief, params: Params, rule: BeliefRule) -> Array:
    """The piece a greedy speaker would have said, ``uint32 [observer, *worlds]``: known to the fewest in its range.

    All pieces are counted at once: plane b holds bit b of the count of every piece.
    """
    agents = range(params.num_agents)
    candidates = belief.knows[:, speaker]
    if rule.any_piece:
        candidates = xp.zeros_like(candidates) + params.all_pieces
    observer = numbers(candidates)
    has_listener = reduce(or_, [could_hear[:, j] & (observer != j) for j in agents])
    is_unheard = (observer != speaker) & has_listener
    if not rule.any_speaker:
        own_range = xp.stack([could_hear[k, k] for k in agents])
        is_unheard = is_unheard & ~own_range
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
