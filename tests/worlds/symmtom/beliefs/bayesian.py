"""Bayesian minds that follow a history."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from otherminds.worlds.symmtom.beliefs import bayes
from otherminds.worlds.symmtom.beliefs.bayes import BAYES, BayesMemory, BayesRule
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Params, State
from tests.worlds.symmtom.playing import Cell, turn

SMALL = BayesRule(particles=16)
MANY = BayesRule(particles=256)
BASES: list[Cell] = [(0, 5), (5, 5), (2, 5), (5, 0)]
Choices = tuple[list[int], list[int]]  # moves and pieces of a turn
seeds = st.integers(0, 2**32 - 1)


def begin(state: State, params: Params, rule: BayesRule = BAYES) -> BayesMemory:
    return bayes.begin(perceive(state, params), params, rule)


def follow(
    memory: BayesMemory, state: State, params: Params, rule: BayesRule, key: Any, is_told: bool = True
) -> BayesMemory:
    reward = state.last_reward if is_told and params.competitive is None else None
    return bayes.update(memory, perceive(state, params), params, rule, key, reward)


def history(
    state: State,
    params: Params,
    turns: list[Choices],
    rule: BayesRule = MANY,
    is_told: bool = True,
    seed: int = 0,
) -> list[Any]:
    """Probabilities before the first turn and after each, ``[observer, subject, piece]``, of a scripted history."""
    rng, memory = np.random.default_rng(seed), begin(state, params, rule)
    found = [bayes.probability(memory, params)]
    for moves, pieces in turns:
        state, _ = turn(state, params, moves, pieces)
        memory = follow(memory, state, params, rule, rng, is_told)
        found.append(bayes.probability(memory, params))
    return found
