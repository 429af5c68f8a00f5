"""SymmToM in the ledger: the truth, what agents can tell of it, and what they can tell of each other's minds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.ledger import appears, open_ledger, probe
from otherminds.worlds.symmtom.types import Params, State
from tests.reference.pairing import random_params
from tests.worlds.symmtom.playing import LEFT, RIGHT, STAY, Cell, play, sets_of, start, turn

PARAMS = Params()
LINE: list[Cell] = [(1, 1), (2, 1), (3, 1)]  # 0 and 2 are in range of 1, not of each other
seeds = st.integers(0, 2**32 - 1)


def episode(*choices: tuple[list[int], list[int]], cells: list[Cell] = LINE, params: Params = PARAMS) -> list[State]:
    """An episode from (moves, pieces) of each turn."""
    states = [start(params, cells)]
    for moves, pieces in choices:
        states.append(turn(states[-1], params, moves, pieces)[0])
    return states


def random_states(seed: int) -> tuple[Params, list[State]]:
    rng = np.random.default_rng(seed)
    params = random_params(rng, competitive=None, num_turns=10)
    turns = list(play(params, rng))
    return params, [turns[0].before, *(t.after for t in turns)]


def sets(found: tuple[frozenset[int], ...]) -> list[set[int]]:
    return [set(pieces) for pieces in found]


@settings(max_examples=15)
@given(seeds)
def test_the_empty_chain_gives_the_truth_after_every_turn(seed: int) -> None:
    params, states = random_states(seed)
    for mind, state in zip(open_ledger(params, states).beliefs(()), states, strict=True):
        assert sets(mind.knows) == sets_of(state.knowledge)


@settings(max_examples=15)
@given(seeds)
def test_the_truth_does_not_depend_on_how_minds_revise(seed: int) -> None:
    params, states = random_states(seed)
    assert sets(probe(params, states, credit_speaker=True)) == sets_of(states[-1].knowledge)


@settings(max_examples=15)
@given(seeds)
def test_everyone_can_tell_its_own_knowledge(seed: int) -> None:
    params, states = random_states(seed)
    ledger = open_ledger(params, states)
    for k in range(params.num_agents):
        for mind, state in zip(ledger.beliefs((k,)), states, strict=True):
            assert set(mind.knows[k]) == sets_of(state.knowledge)[k]


@settings(max_examples=15)
@given(seeds)
def test_thinking_of_ones_own_thoughts_adds_nothing(seed: int) -> None:
    params, states = random_states(seed)
    ledger = open_ledger(params, states)
    for k in range(params.num_agents):
        other = (k + 1) % params.num_agents
        assert ledger.belief((k, k)) == ledger.belief((k,))
        assert ledger.belief((other, k, k)) == ledger.belief((other, k))


@settings(max_examples=15)
@given(seeds)
def test_looking_twice_shows_no_more(seed: int) -> None:
    params, states = random_states(seed)
    for event in open_ledger(params, states).events:
        for k in range(params.num_agents):
            seen = appears(event, k)
            assert appears(seen, k) == seen


def test_what_one_thinks_another_thinks_can_differ_from_what_it_thinks() -> None:
    """2 tells 1 its piece out of 0's hearing: 1 knows it knows, 0 cannot tell that 1 thinks so."""
    states = episode(([], [-1, -1, 2]))
    assert sets(probe(PARAMS, states, (1,))) == [{0}, {1, 2}, {2}]
    assert sets(probe(PARAMS, states, (0, 1))) == [{0}, {1}, {2}]
    assert sets(probe(PARAMS, states, (2, 1))) == [{0}, {1, 2}, {2}]


def test_one_can_know_that_another_does_not_know_what_it_knows() -> None:
    """1 hears both ends of the line; each end hears only 1, and everyone sees who is near whom."""
    states = episode(([], [0, 1, 2]))
    assert sets(probe(PARAMS, states, (1,))) == [{0, 1}, {0, 1, 2}, {1, 2}]
    assert sets(probe(PARAMS, states, (1, 0))) == [{0, 1}, {0, 1}, {1, 2}]
    assert sets(probe(PARAMS, states, (1, 2))) == [{0, 1}, {1, 2}, {1, 2}]
    assert sets(probe(PARAMS, states, (0, 1))) == [{0, 1}, {0, 1}, {1, 2}]
    assert sets(probe(PARAMS, states, (0, 1, 2))) == [{0, 1}, {1}, {1, 2}]


def test_first_order_truth_can_hide_a_second_order_mistake() -> None:
    """1 tells 0 while 2 is away and later 2 while 0 is away: both know, neither can tell that the other does."""
    cells: list[Cell] = [(1, 1), (2, 1), (4, 1)]
    states = episode(([], [-1, 1]), ([STAY, RIGHT], []), ([], [-1, 1]), cells=cells)
    assert sets(probe(PARAMS, states)) == [{0, 1}, {1}, {1, 2}]
    assert set(probe(PARAMS, states, (1,))[0]) == set(probe(PARAMS, states, (0,))[0]) == {0, 1}
    assert set(probe(PARAMS, states, (2, 0))[0]) == set(probe(PARAMS, states, (2,))[0]) == {0}
    assert set(probe(PARAMS, states, (0, 2))[2]) == {2}
    assert set(probe(PARAMS, states, (1, 0))[2]) == {2}
    assert set(probe(PARAMS, states, (1, 2))[2]) == {1, 2}


def test_whoever_is_out_of_sight_cannot_be_thought_to_learn() -> None:
    params = Params(vision=1)
    states = episode(([], [0, 1, 2]), params=params)
    assert sets(probe(params, states, (0,))) == [{0, 1}, {0, 1}, {2}]
    assert sets(probe(params, states, (1,))) == [{0, 1}, {0, 1, 2}, {1, 2}]
    assert sets(probe(params, states, (0, 1))) == [{0, 1}, {0, 1}, {2}]


def test_private_pieces_are_not_thought_to_be_known() -> None:
    params = Params(private_first_hand=True)
    states = episode(([], [-1, 1]), params=params)
    assert sets(probe(params, states, (0,), 0)) == [{0}, set(), set()]
    assert sets(probe(params, states, (0,))) == [{0, 1}, set(), {1}]
    assert sets(probe(params, states, (0, 2))) == [{1}, set(), {1}]


def test_hearing_a_piece_said_can_be_evidence_of_knowing_it() -> None:
    states = episode(([], [-1, -1, 2]), ([], []), ([LEFT, STAY, RIGHT], [-1, -1]), ([RIGHT], [-1, 2]))
    assert set(probe(PARAMS, states, (0,))[1]) == {1}
    assert set(probe(PARAMS, states, (0,), credit_speaker=True)[1]) == {1, 2}


def test_a_probe_can_ask_about_any_turn() -> None:
    states = episode(([], [0]), ([], [-1, -1, 2]))
    assert [sets(probe(PARAMS, states, (1,), t)) for t in range(3)] == [
        [{0}, {1}, {2}],
        [{0}, {0, 1}, {2}],
        [{0}, {0, 1, 2}, {2}],
    ]
    assert probe(PARAMS, states, (1,)) == probe(PARAMS, states, (1,), 2)


@pytest.mark.parametrize("number", [-1, 2, 99])
def test_a_turn_that_was_not_played_is_refused(number: int) -> None:
    with pytest.raises(UserError, match=f"turn {number} is not in the episode; expected 0 to 1"):
        probe(PARAMS, episode(([], [])), (0,), number)


@pytest.mark.parametrize("chain", [(3,), (0, -1), (0, 1, 7)])
def test_an_agent_that_is_not_there_is_refused(chain: tuple[int, ...]) -> None:
    with pytest.raises(UserError, match=r"the chain names agent -?\d; expected 0 to 2"):
        probe(PARAMS, episode(([], [])), chain)
