"""Bayesian beliefs: the probability that others know a piece, given everything an observer saw and heard.

Each observer keeps *possible worlds* (particles). In each of them the knowledge of every agent is definite. Speech that
the observer could not hear is drawn from a model of speech (``speech_model.py``); speech that it heard is evaluated by
the same model. The weight of a possible world is the probability that it gave to

- every piece and every silence that was heard (a speaker had its piece two turns ago);
- the observer's own reward for speaking (how many of those in range lacked the piece).

So evidence revises the past: if an agent turns out to know a piece, worlds in which nobody told it drop out, and the
rest show who else was in range at that time, or whether an agent on its base was complete and forgot. With many
particles the belief tends to the posterior under the model of speech.

Certainties are exact: own knowledge, and everything that holds in all possible worlds, has probability 1 or 0. The
converse does not hold: with few particles, an unlikely possibility may have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import mul, or_
from typing import Any, Literal, NamedTuple

import numpy as np

from otherminds.core.errors import UserError
from otherminds.core.seeds import generator, random_words
from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.beliefs import belief_rules, speech_model
from otherminds.worlds.symmtom.beliefs.belief_rules import Belief, is_self
from otherminds.worlds.symmtom.beliefs.speech_model import MANNERS, Manner
from otherminds.worlds.symmtom.bits import column, contains, members, namespace, numbers, own_of
from otherminds.worlds.symmtom.observe import Percept
from otherminds.worlds.symmtom.types import Array, Params

MOST = 1024  # particles; more would leave too few bits of a word for each weight


@dataclass(frozen=True)
class BayesRule:
    """Options of a Bayesian belief.

    Args:
        particles: number of possible worlds per observer, a power of two from 2 to 1024.
        manners: ways of speaking assumed of others, equally probable at first.
        order: 1 if speakers are assumed to know what their listeners know; 2 if they are assumed to act on their own
            beliefs about it in the possible world.
    """

    particles: int = 64
    manners: tuple[Manner, ...] = MANNERS
    order: Literal[1, 2] = 1

    def __post_init__(self) -> None:
        if not 2 <= self.particles <= MOST or self.particles & (self.particles - 1):
            raise UserError(f"particles is {self.particles}; expected a power of two from 2 to {MOST}")


BAYES = BayesRule()
# Factor on the weight of a possible world that the evidence contradicts. The world is then repaired to agree with the
# evidence, so that certainties stay certain even if no world predicted them.
_MISS = 2.0**-10


class BayesMemory(NamedTuple):
    """The possible worlds of every observer. Agents come first, so each particle of each observer is like a world."""

    knowledge: Array  # uint32 [agent, observer, particle, *worlds]
    previous: Array  # uint32 [agent, observer, particle, *worlds], one turn earlier
    first_hand: Array  # uint32 [agent, observer, particle, *worlds]
    manner: Array  # uint32 [agent, observer, particle, *worlds], an index into the manners of the rule
    weight: Array  # float32 [observer, particle, *worlds], the largest is 1
    thinks: Any  # uint32 [believer, agent, observer, particle, *worlds], what each believes each to know; order 2 only
    used_base: Array  # uint32 [observer, *worlds], the set of agents seen to use their base in the last turn


def begin(sight: Percept, params: Params, rule: BayesRule) -> BayesMemory:
    """Return the belief before the first turn."""
    for name in ("vision", "decay"):
        if (value := getattr(params, name)) is not None:
            raise UserError(f"the Bayesian belief does not support {name}={value}; unset it or choose another belief")
    xp = namespace(sight.first_hand)
    n, worlds = params.num_agents, sight.turn.shape
    shape = (n, n, rule.particles, *worlds)
    hands = _by_agent(xp, sight.first_hand)
    if params.private_first_hand:
        hands = hands | _supposed_hands(xp, hands, params, rule)
    hands = xp.broadcast_to(hands, shape)
    manner = (_orders("manners", rule.particles, n).T % len(rule.manners)).reshape(n, 1, -1, *(1 for _ in worlds))
    return BayesMemory(
        knowledge=hands,
        previous=hands,
        first_hand=hands,
        manner=xp.broadcast_to(xp.asarray(manner, dtype=xp.uint32), shape),
        weight=xp.ones((n, rule.particles, *worlds), dtype=xp.float32),
        thinks=_first_thoughts(xp, hands, params) if rule.order == 2 else (),
        used_base=xp.zeros_like(sight.uses_base),
    )


def update(
    memory: BayesMemory, sight: Percept, params: Params, rule: BayesRule, key: Any, own_reward: Array | None = None
) -> BayesMemory:
    """Return the belief after the turn that was just perceived.

    ``own_reward``, ``float32 [agent, *worlds]``, is given if agents are told what they earned in the turn. It is
    ignored where it does not reveal what speaking earned.
    """
    xp = namespace(memory.knowledge)
    memory = _resample(xp, memory, params, random_words(key, memory.used_base.shape, stream="bayes/copy"))
    said, in_range = _by_agent(xp, sight.utterance), _by_agent(xp, sight.earshot)
    me = numbers(said)
    is_own = me == me[:, 0]
    is_heard = contains(own_of(xp, in_range), me) & ~is_own  # bool [speaker, observer, 1, *worlds]

    memory, is_repaired = _repair(xp, memory, xp.where(is_heard, said, xp.zeros_like(said)), params)
    can_say = rules.speakable_from(memory.knowledge, memory.previous, params)
    listeners = memory.thinks if rule.order == 2 else memory.knowledge[None]
    chances = speech_model.odds(can_say, listeners, in_range, memory.manner, rule.manners, params)
    words = random_words(key, can_say.shape, stream="bayes/speech")
    guessed = speech_model.draw(xp, chances, words)
    fits = xp.where(is_heard, speech_model.likelihood(xp, chances, said), 1.0)
    fits = xp.where(is_repaired, fits * _MISS, fits)
    said = xp.where(is_heard | is_own, said, guessed)

    heard, listening, speaking = rules.exchange(memory.knowledge, said, in_range, params)
    counted = memory.knowledge | heard if params.base_pays_at_once else memory.knowledge
    is_complete = counted == params.all_pieces
    uses_base = contains(sight.uses_base[:, None], me)
    weight = reduce(mul, [fits[j] for j in range(params.num_agents)], memory.weight)
    # With a bonus, or a cost that is not known, a reward does not tell what speaking earned.
    is_opaque = params.competitive is not None or (params.move_cost and params.directions == "intended")
    if own_reward is not None and params.speaking_reward and not is_opaque:
        base = rules.base_reward(xp, uses_base, is_complete, counted, params)
        apart = own_of(xp, listening.astype(xp.float32) + base)
        moved = (own_of(xp, sight.direction_x) != 0) | (own_of(xp, sight.direction_y) != 0)
        earned = own_reward[:, None] + moved[:, None].astype(xp.float32) * params.move_cost - apart
        is_explained = xp.abs(earned - own_of(xp, speaking)) < 0.5
        weight = xp.where(is_explained, weight, weight * _MISS)
    resets = rules.forgets_all(uses_base, is_complete, params)
    knowledge = xp.where(resets, memory.first_hand, memory.knowledge | heard)
    return memory._replace(
        knowledge=knowledge,
        previous=memory.knowledge,
        weight=scaled(weight),
        thinks=_thoughts(xp, memory, said, in_range, sight, knowledge, params) if rule.order == 2 else (),
        used_base=sight.uses_base,
    )


def probability(possible: Any, params: Params) -> Array:
    """Probability that a subject knows a piece, ``float32 [observer, subject, piece, *worlds]``.

    ``possible`` needs only the fields ``knowledge`` and ``weight``.
    """
    return shares(possible.weight, [contains(possible.knowledge, p) for p in range(params.num_pieces)])


def completeness(possible: Any, params: Params) -> Array:
    """Probability that a subject knows every piece, ``float32 [observer, subject, *worlds]``."""
    return shares(possible.weight, [possible.knowledge == params.all_pieces])[:, :, 0]


def _resample(xp: Any, memory: BayesMemory, params: Params, words: Array) -> BayesMemory:
    source, weight = copies(memory.weight, words)

    def copied(sets: Array) -> Array:
        return xp.take_along_axis(sets, source[None], axis=2)

    return memory._replace(
        knowledge=copied(memory.knowledge),
        previous=copied(memory.previous),
        first_hand=copied(memory.first_hand) if params.private_first_hand else memory.first_hand,
        manner=copied(memory.manner),
        weight=weight,
        thinks=xp.take_along_axis(memory.thinks, source[None, None], axis=3) if hasattr(memory.thinks, "dtype") else (),
    )


def _repair(xp: Any, memory: BayesMemory, heard: Array, params: Params) -> tuple[BayesMemory, Array]:
    """Repair possible worlds so that every heard speaker could say its piece; also which of them were changed."""
    news = heard & ~rules.speakable_from(memory.knowledge, memory.previous, params)
    is_repaired = news != 0
    previous, knowledge, first_hand = memory.previous | news, memory.knowledge | news, memory.first_hand
    if params.private_first_hand:
        added = news
        if params.owners == 1:
            added = news & ~own_of(xp, first_hand)
            taken = reduce(or_, [added[j] for j in range(params.num_agents)])
            first_hand = first_hand & ~taken
        first_hand = first_hand | added
    if params.speech_delay == 2 and params.speak_forgotten:
        used_base = contains(memory.used_base[:, None], numbers(news))
        forgot = rules.forgets_all(used_base, previous == params.all_pieces, params)
        knowledge = xp.where(is_repaired & forgot, first_hand, knowledge)
    return memory._replace(knowledge=knowledge, previous=previous, first_hand=first_hand), is_repaired


def _first_thoughts(xp: Any, hands: Array, params: Params) -> Array:
    """Beliefs of the agents of a possible world about each other before the first turn."""
    everyone = xp.broadcast_to(hands, (params.num_agents, *hands.shape))
    return xp.where(is_self(everyone), everyone, 0) if params.private_first_hand else everyone


def _thoughts(
    xp: Any, memory: BayesMemory, said: Array, in_range: Array, sight: Percept, knowledge: Array, params: Params
) -> Array:
    """Beliefs of the agents of a possible world about each other after a turn: ``belief_rules.ATTENTIVE``.

    In a possible world all speech is definite, and so is what its agents hear.
    """
    shape = memory.thinks.shape
    hears = contains(in_range, numbers(in_range)[:, None]) | is_self(memory.thinks)  # [believer, speaker, …]
    spoken = xp.broadcast_to(said, shape)
    percept = sight._replace(
        utterance=xp.where(hears, spoken, xp.zeros_like(spoken)),
        earshot=xp.broadcast_to(in_range, shape),
        uses_base=xp.broadcast_to(sight.uses_base[:, None], shape[1:]),
        first_hand=_first_thoughts(xp, memory.first_hand, params),
    )
    belief = belief_rules.update(
        Belief(memory.thinks, memory.thinks[:, 0, :0]), percept, params, belief_rules.ATTENTIVE
    )
    return xp.where(is_self(belief.knows), xp.broadcast_to(knowledge, shape), belief.knows)


def _supposed_hands(xp: Any, own: Array, params: Params, rule: BayesRule) -> Array:
    """Balanced deals of the remaining pieces to the other agents, ``uint32 [agent, observer, particle, *worlds]``.

    In each particle, pieces in a random order are dealt round a random order of the others. The orders are the same for
    all observers and worlds.
    """
    n, c, m = params.num_agents, params.num_pieces, rule.particles
    trailing = (1,) * (len(own.shape) - 3)
    order = _orders("pieces", c, m).reshape(c, 1, m, *trailing)
    seat = np.stack([np.insert(_orders(f"seats/{k}", n - 1, m), k, -1, axis=0) for k in range(n)], axis=1)
    seat = seat.reshape(n, n, m, *trailing)  # [agent, observer, particle, …]; the observer has none
    is_mine = xp.stack([contains(own_of(xp, own), p) for p in range(c)])
    cards = xp.broadcast_to(params.owners - is_mine.astype(xp.int32), (c, n, m, *own.shape[3:]))
    dealt = xp.cumulative_sum(xp.take_along_axis(cards, xp.asarray(order), axis=0), axis=0)
    first = xp.take_along_axis(dealt, xp.asarray(np.argsort(order, axis=0)), axis=0) - cards
    return members(xp, [(seat >= 0) & ((seat - first[p]) % (n - 1) < cards[p]) for p in range(c)])


def _orders(name: str, size: int, number: int) -> np.ndarray[Any, np.dtype[np.int32]]:
    """Fixed random orders: ``[size, number]``, each column a permutation."""
    columns = np.repeat(np.arange(size, dtype=np.int32)[:, None], number, axis=1)
    return generator(0, f"bayes/{name}").permuted(columns, axis=0)


def _by_agent(xp: Any, facts: Array) -> Array:
    """Reorder ``[observer, agent, *worlds]`` to match possible worlds: ``[agent, observer, 1, *worlds]``."""
    return xp.moveaxis(facts, 0, 1)[:, :, None]


# Weights of possible worlds. All sums are of integers, so that both engines compute the same shares and copies.


def scaled(weight: Array) -> Array:
    """Weights ``float32 [observer, particle, *worlds]`` relative to the largest; all equal if all are 0."""
    xp = namespace(weight)
    largest = xp.max(weight, axis=1, keepdims=True)
    return xp.where(largest > 0, weight / xp.where(largest > 0, largest, 1.0), 1.0)


def shares(weight: Array, claims: list[Array]) -> Array:
    """Share of the weight for which each claim holds.

    Args:
        weight: at most 1, ``float32 [observer, particle, *worlds]``.
        claims: ``bool [subject, observer, particle, *worlds]`` each.

    Returns:
        ``float32 [observer, subject, claim, *worlds]``, exactly 0 or 1 where all agree.
    """
    xp = namespace(weight)
    whole = _whole(xp, weight, 32 - weight.shape[1].bit_length())
    total = xp.sum(whole, axis=1, dtype=xp.uint32)
    parts = [xp.sum(xp.where(claim, whole, xp.zeros_like(whole)), axis=2, dtype=xp.uint32) for claim in claims]
    by_claim = xp.moveaxis(xp.stack(parts, axis=1), 2, 0)  # [subject, claim, observer, …] to [observer, subject, …]
    return by_claim.astype(xp.float32) / total[:, None, None].astype(xp.float32)


def copies(weight: Array, words: Array) -> tuple[Array, Array]:
    """Resample particles: the source of each, and the weights afterwards.

    If the effective number of particles is below half, systematic resampling copies them in proportion to their weight.
    Otherwise everything stays in place.

    Args:
        weight: at most 1, ``float32 [observer, particle, *worlds]``; a power of two of particles.
        words: random, ``uint32 [observer, *worlds]``.

    Returns:
        ``int32`` and ``float32``, both ``[observer, particle, *worlds]``.
    """
    xp = namespace(weight)
    num = weight.shape[1]
    place = column(num, len(weight.shape) - 1)
    whole = _whole(xp, weight, 33 - 2 * num.bit_length())
    total = xp.sum(whole, axis=1, keepdims=True, dtype=xp.uint32)
    # Weights are laid end to end on a line. The particle under each of the evenly spaced marks is copied.
    line, mark = xp.cumulative_sum(whole, axis=1, dtype=xp.uint32) * num, place * total + words[:, None] % total
    chosen = xp.zeros_like(mark, dtype=xp.int32)
    for bit in reversed(range(num.bit_length() - 1)):  # binary search, for all marks at once
        is_past = xp.take_along_axis(line, chosen + ((1 << bit) - 1), axis=1) <= mark
        chosen = chosen + is_past.astype(xp.int32) * (1 << bit)

    rough = _whole(xp, weight, 10)
    once = xp.sum(rough, axis=1, keepdims=True, dtype=xp.uint32).astype(xp.float32)
    twice = xp.sum(rough * rough, axis=1, keepdims=True, dtype=xp.uint32).astype(xp.float32)
    is_lopsided = once * once * 2 < twice * num
    source = xp.where(is_lopsided, chosen, place.astype("int32"))
    return source, xp.where(is_lopsided, xp.ones_like(weight), weight)


def _whole(xp: Any, weight: Array, num_bits: int) -> Array:
    return (weight * float(1 << num_bits)).astype(xp.uint32)
