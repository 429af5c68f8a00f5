"""The Bayesian belief against the exact posterior, which is found by listing all that may have been said.

The lister shares nothing with the belief but the parameters of the model of speech: it has sets instead of bit masks,
fractions of all possibilities instead of draws, and its own account of a turn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest

from otherminds.worlds.symmtom import rules
from otherminds.worlds.symmtom.beliefs import bayes
from otherminds.worlds.symmtom.beliefs.bayes import BayesRule
from otherminds.worlds.symmtom.beliefs.speech_model import BABBLE, TELL, Manner
from otherminds.worlds.symmtom.chance import draw_deal
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.playing import lively_action, sets_of

Pieces = frozenset[int]
World = tuple[tuple[Pieces, ...], tuple[Pieces, ...], tuple[int, ...]]  # knowledge, one turn earlier, manners


class Lister:
    """What one observer can tell, exactly: every possible world with its probability."""

    def __init__(self, params: Params, me: int, start: State, manners: tuple[Manner, ...]) -> None:
        self.params, self.me, self.manners = params, me, manners
        self.hands = tuple(frozenset(hand) for hand in sets_of(start.first_hand))
        kinds = list(product(range(len(manners)), repeat=params.num_agents))
        self.worlds: dict[World, float] = {(self.hands, self.hands, kind): 1 / len(kinds) for kind in kinds}

    def watch(self, state: State, own_reward: float | None) -> None:
        """Take in a turn; of ``state`` only what this observer perceives is used."""
        agents = range(self.params.num_agents)
        hears = [set(row) for row in sets_of(state.earshot)]
        audible = {j: self._piece(state.utterance[j]) for j in agents if j == self.me or j in hears[self.me]}
        at_base = [bool(used) for used in state.uses_base]
        after: dict[World, float] = defaultdict(float)
        for world, share in self.worlds.items():
            for said, chance in self._speeches(world, audible, hears):
                knowledge, _, kinds = world
                if own_reward is not None and own_reward != self._reward(knowledge, said, hears, at_base):
                    continue
                after[self._next(knowledge, said, hears, at_base), knowledge, kinds] += share * chance
        total = sum(after.values())
        self.worlds = {world: share / total for world, share in after.items()}

    def probability(self) -> Any:
        """That each agent knows each piece, ``[subject, piece]``."""
        found = np.zeros((self.params.num_agents, self.params.num_pieces))
        for (knowledge, _, _), share in self.worlds.items():
            for j, pieces in enumerate(knowledge):
                found[j, sorted(pieces)] += share
        return found

    def _speeches(
        self, world: World, audible: dict[int, int | None], hears: list[set[int]]
    ) -> Iterator[tuple[list[int | None], float]]:
        knowledge, previous, kinds = world
        options = []
        for j, pieces in enumerate(previous):
            if j == self.me:
                options.append([(audible[j], 1.0)])
                continue
            chances = self._chances(self.manners[kinds[j]], pieces, [knowledge[i] for i in hears[j]])
            if j in audible:
                options.append([(audible[j], chances.get(audible[j], 0.0))])
            elif hears[j]:
                options.append(list(chances.items()))
            else:
                options.append([(None, 1.0)])
        for combination in product(*options):
            chance = float(np.prod([c for _, c in combination]))
            if chance:
                yield [piece for piece, _ in combination], chance

    def _chances(self, manner: Manner, can_say: Pieces, listeners: list[Pieces]) -> dict[int | None, float]:
        odds: dict[int | None, float] = {}
        for piece in can_say:
            odds[piece] = manner.greed ** min(2, sum(piece not in knows for knows in listeners))
        odds[None] = manner.silence + manner.blunder * (self.params.num_pieces - len(can_say))
        return {piece: value / sum(odds.values()) for piece, value in odds.items()}

    def _next(
        self, knowledge: tuple[Pieces, ...], said: list[int | None], hears: list[set[int]], at_base: list[bool]
    ) -> tuple[Pieces, ...]:
        result = []
        for i, known in enumerate(knowledge):
            is_complete = len(known) == self.params.num_pieces
            heard = {piece for piece in (said[j] for j in hears[i]) if piece is not None}
            result.append(self.hands[i] if at_base[i] and is_complete else known | heard)
        return tuple(result)

    def _reward(
        self, knowledge: tuple[Pieces, ...], said: list[int | None], hears: list[set[int]], at_base: list[bool]
    ) -> float:
        me, mine = self.me, said[self.me]
        new_to_me = sum(said[j] is not None and said[j] not in knowledge[me] for j in hears[me])
        new_to_others = sum(mine is not None and mine not in knowledge[j] for j in hears[me])
        pays = at_base[me] and len(knowledge[me]) == self.params.num_pieces
        return new_to_me + new_to_others + pays * (self.params.num_agents - 1) * self.params.num_pieces

    def _piece(self, mask: Any) -> int | None:
        return int(mask).bit_length() - 1 if mask else None


def distances(is_told: bool, manners: tuple[Manner, ...], rule: BayesRule, episodes: int = 6) -> Any:
    """How far the belief is from the exact posterior, of everything that is neither certain nor impossible."""
    params = Params(width=4, num_turns=16)
    found = []
    for episode in range(episodes):
        rng, draws = np.random.default_rng(episode), np.random.default_rng(episode + 100)
        state = rules.deal(draw_deal(rng, params), params)
        listers = [Lister(params, k, state, manners) for k in range(3)]
        memory = bayes.begin(perceive(state, params), params, rule)
        for _ in range(params.num_turns):
            coins = rng.integers(2**32, size=params.num_coin_words, dtype=np.uint32)
            state, outcome = rules.step(state, lively_action(rng, state, params), coins, params)
            reward = state.last_reward if is_told else None
            memory = bayes.update(memory, perceive(state, params), params, rule, draws, reward)
            for k, lister in enumerate(listers):
                lister.watch(state, float(outcome.rewards[k]) if is_told else None)
                exact = lister.probability()
                gap = bayes.probability(memory, params)[k] - exact
                found.append(gap[(exact > 1e-3) & (exact < 1 - 1e-3)])
    return np.concatenate(found)


QUIET = Manner(greed=2.0, blunder=0.5, silence=1.0)


@pytest.mark.parametrize("is_told", [True, False], ids=["told its reward", "not told"])
@pytest.mark.parametrize("manners", [(QUIET,), (BABBLE, TELL)], ids=["one manner", "two manners"])
def test_many_particles_come_near_the_exact_posterior(is_told: bool, manners: tuple[Manner, ...]) -> None:
    gaps = distances(is_told, manners, BayesRule(1024, manners))
    assert len(gaps) > 200
    assert np.abs(gaps).mean() < 0.02
    assert np.quantile(np.abs(gaps), 0.98) < 0.08
    assert abs(gaps.mean()) < 0.01


def test_more_particles_come_nearer() -> None:
    few, many = (np.abs(distances(True, (QUIET,), BayesRule(m, (QUIET,)))).mean() for m in (16, 512))
    assert many < 0.5 * few
