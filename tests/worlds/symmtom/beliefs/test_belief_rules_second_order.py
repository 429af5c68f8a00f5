"""What agents can think that others think: the second-order bit masks against the ledger's fold along two agents."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.worlds.symmtom import observe
from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.beliefs.belief_rules import ATTENTIVE, CONSERVATIVE, BeliefRule
from otherminds.worlds.symmtom.ledger import TurnEvent, appears, open_ledger, probe, turn_event
from otherminds.worlds.symmtom.observe import Percept, perceive
from otherminds.worlds.symmtom.types import Params, State
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import Cell, Played, play, sets_of, start, states_of, turn

RULES = {"conservative": CONSERVATIVE, "attentive": ATTENTIVE}
seeds = st.integers(0, 2**32 - 1)


def tensors(turns: list[Played], params: Params, rule: BeliefRule) -> list[Any]:
    """What everyone can think that everyone thinks, after each turn from the start, ``[k, j, l, world]`` each."""
    belief = belief_rules.begin(second_order(turns[0].before, params), params, rule)
    found = [observer_first(belief)]
    for played in turns:
        belief = belief_rules.update(belief, second_order(played.after, params), params, rule)
        found.append(observer_first(belief))
    return found


def second_order(state: State, params: Params) -> Percept:
    """What each appears to perceive in the eyes of each other."""
    return observe.perceive_within(perceive(state, params), params)


def observer_first(belief: belief_rules.Belief) -> Any:
    """``[believer, subject, observer, *worlds] -> [observer, believer, subject, *worlds]``."""
    return np.moveaxis(np.asarray(belief.knows), 2, 0)


def phantoms(turns: list[Played], found: list[Any], params: Params) -> int:
    """How often somebody is thought to think that another recharged, which did not."""
    number = 0
    for played, before in zip(turns, found, strict=False):
        uses = played.after.uses_base
        is_thought = uses & (before == params.all_pieces)
        is_true = uses & (played.before.knowledge == params.all_pieces)
        number += int((is_thought & ~is_true).sum())
    return number


def compare_with_ledger(params: Params, rng: np.random.Generator, worlds: int, rule: BeliefRule) -> int:
    turns = list(play(params, rng, (worlds,)))
    found = tensors(turns, params, rule)
    agents = range(params.num_agents)
    for w in range(worlds):
        ledger = open_ledger(params, states_of(turns, w), credit_speaker=rule.credit_speaker)
        for k in agents:
            for j in agents:
                for knows, mind in zip(found, ledger.beliefs((k, j)), strict=True):
                    assert sets_of(knows[k, j, :, w]) == [set(pieces) for pieces in mind.knows]
    return phantoms(turns, found, params)


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_bit_masks_are_the_ledgers_second_order_fold_through_phantom_recharges(rule: BeliefRule) -> None:
    params = Params(num_agents=4, width=4, num_pieces=4, num_turns=40)
    assert compare_with_ledger(params, np.random.default_rng(3), 12, rule) > 20


@settings(max_examples=15)
@given(seeds, st.sampled_from(list(RULES.values())))
def test_bit_masks_are_the_ledgers_second_order_fold_under_any_options(seed: int, rule: BeliefRule) -> None:
    rng = np.random.default_rng(seed)
    compare_with_ledger(random_params(rng, competitive=None, num_turns=10), rng, 2, rule)


@pytest.mark.parametrize(
    "switches", [{}, {"vision": 1}, {"vision": 2}, {"vision": 1, "hear_before_move": True}], ids=str
)
def test_views_within_views_are_the_ledgers(switches: dict[str, Any]) -> None:
    params, rng = Params(num_agents=4, width=5, num_turns=20, **switches), np.random.default_rng(0)
    agents = range(params.num_agents)
    for _ in range(10):
        for played in play(params, rng):
            inner = second_order(played.after, params)
            event = turn_event(params, played.after)
            for k, j in product(agents, agents):
                view = appears(appears(event, k), j)
                assert isinstance(view, TurnEvent)
                said = {(s, p) for s, p in view.said if p is not None}
                assert {(s, p) for s in agents for p in sets_of(inner.utterance[j, :, k])[s]} == said
                assert _pairs(inner.earshot[j, :, k]) == view.in_range
                assert sets_of([inner.uses_base[j, k]])[0] == view.uses_base
                assert sets_of([inner.sees[j, k]])[0] == {b for a, b in view.sees if a == j}


def _pairs(rows: Any) -> set[tuple[int, int]]:
    return {(a, b) for a, row in enumerate(sets_of(rows)) for b in row}


def _overheard(sight: Percept, params: Params) -> Percept:
    """A mistake: whatever the observer heard, it takes the other to have heard."""
    right = WITHIN(sight, params)
    everything = np.broadcast_to(np.moveaxis(sight.utterance, 0, 1), right.utterance.shape)
    return right._replace(utterance=everything)


def _own_ears(sight: Percept, params: Params) -> Percept:
    """A mistake: the other is credited with what the observer does not hear but the other does."""
    right = WITHIN(sight, params)
    n = params.num_agents
    truly = np.broadcast_to(sight.utterance[:, :, None], (n, n, n, *sight.turn.shape))
    return right._replace(utterance=truly)


def _absent_bases(sight: Percept, params: Params) -> Percept:
    """A mistake: nobody is thought to see who stands on its base."""
    right = WITHIN(sight, params)
    return right._replace(uses_base=np.zeros_like(right.uses_base))


WITHIN = observe.perceive_within


@pytest.mark.parametrize("mistake", [_overheard, _own_ears, _absent_bases])
def test_the_comparison_with_the_ledger_finds_mistakes(
    mistake: Callable[[Percept, Params], Percept], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observe, "perceive_within", mistake)
    params = Params(num_agents=4, width=4, num_pieces=4, num_turns=40)
    with pytest.raises(AssertionError):
        compare_with_ledger(params, np.random.default_rng(3), 12, CONSERVATIVE)


@settings(max_examples=15)
@given(seeds)
def test_what_one_thinks_that_oneself_thinks_is_what_one_thinks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, num_turns=10)
    turns = list(play(params, rng, (3,)))
    first = belief_rules.begin(perceive(turns[0].before, params), params, CONSERVATIVE)
    for played, knows in zip(turns, tensors(turns, params, CONSERVATIVE)[1:], strict=True):
        first = belief_rules.update(first, perceive(played.after, params), params, CONSERVATIVE)
        assert all(np.array_equal(knows[k, k], first.knows[k]) for k in range(params.num_agents))


def test_speech_out_of_hearing_of_either_is_not_thought_to_be_thought_of() -> None:
    """0 and 2 are in range of 1, not of each other; all three speak."""
    params, line = Params(), [(1, 1), (2, 1), (3, 1)]
    cells: list[Cell] = line
    states = [start(params, cells)]
    states.append(turn(states[0], params, pieces=[0, 1, 2])[0])
    belief = belief_rules.begin(second_order(states[0], params), params, CONSERVATIVE)
    belief = belief_rules.update(belief, second_order(states[1], params), params, CONSERVATIVE)
    knows = observer_first(belief)
    assert sets_of(knows[1, 0]) == [{0, 1}, {0, 1}, {1, 2}]
    assert sets_of(knows[0, 1]) == [{0, 1}, {0, 1}, {1, 2}]
    assert sets_of(knows[0, 2]) == [{0, 1}, {1}, {1, 2}]


@settings(max_examples=15)
@given(seeds)
def test_views_within_views_give_the_third_order_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    params = random_params(rng, competitive=None, num_turns=6)
    turns = list(play(params, rng))
    states: list[State] = [turns[0].before, *(t.after for t in turns)]

    def deep(state: State) -> Percept:
        return observe.perceive_within(second_order(state, params), params)

    belief = belief_rules.begin(deep(states[0]), params, CONSERVATIVE)
    for state in states[1:]:
        belief = belief_rules.update(belief, deep(state), params, CONSERVATIVE)
    chain = tuple(int(agent) for agent in rng.integers(params.num_agents, size=3))
    found = belief.knows[chain[2], :, chain[1], chain[0]]
    assert sets_of(found) == [set(pieces) for pieces in probe(params, states, chain)]


@pytest.mark.parametrize("switches", [{}, {"vision": 2, "decay": 4}], ids=str)
def test_a_compiled_scan_finds_what_numpy_finds(switches: dict[str, Any]) -> None:
    params = Params(num_agents=4, width=4, num_pieces=4, num_turns=20, **switches)
    turns = list(play(params, np.random.default_rng(0), (5,)))
    expected = tensors(turns, params, CONSERVATIVE)
    later = State(*(jnp.stack(values) for values in zip(*(t.after for t in turns), strict=True)))

    @jax.jit
    def scan(first: State, later: State) -> Any:
        def one(belief: belief_rules.Belief, state: State) -> Any:
            belief = belief_rules.update(belief, second_order(state, params), params, CONSERVATIVE)
            return belief, jnp.moveaxis(belief.knows, 2, 0)

        return jax.lax.scan(one, belief_rules.begin(second_order(first, params), params, CONSERVATIVE), later)[1]

    found = scan(State(*map(jnp.asarray, turns[0].before)), later)
    assert np.array_equal(found, np.stack(expected[1:]))
