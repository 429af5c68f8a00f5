"""The model of speech: odds of what can be said, draws by them, and how probable what was said had been."""

from __future__ import annotations

import numpy as np
import pytest

from otherminds.worlds.symmtom.beliefs.speech_model import BABBLE, RECITE, TELL, Manner, Odds, draw, likelihood, odds
from otherminds.worlds.symmtom.types import Params
from tests.worlds.symmtom.playing import bits

PARAMS = Params(num_pieces=4)


def first_agents_odds(manner: Manner) -> Odds:
    """Agent 0 knows 0, 1 and 2 and can say them; 1, in range, knows 0; 2, in range, knows 0 and 1."""
    knows = np.asarray([bits(0, 1, 2), bits(0), bits(0, 1)], dtype=np.uint32)
    in_range = np.asarray([0b110, 0b001, 0b001], dtype=np.uint32)
    return odds(knows, knows[None], in_range, np.zeros(3, np.uint32), (manner,), PARAMS)


def probabilities(manner: Manner) -> list[float]:
    """Of pieces 0 to 3, and of silence."""
    chances = first_agents_odds(manner)
    said = [np.full(3, bits(p), np.uint32) for p in range(4)] + [np.zeros(3, np.uint32)]
    return [float(likelihood(np, chances, one)[0]) for one in said]


def test_probabilities_add_up_to_one() -> None:
    for manner in (BABBLE, RECITE, TELL, Manner(2.0, 0.5, 3.0)):
        assert sum(probabilities(manner)) == pytest.approx(1)


def test_a_reciter_says_anything_it_can_say() -> None:
    found = probabilities(Manner(silence=1.0))
    assert found == pytest.approx([1 / 4, 1 / 4, 1 / 4, 0, 1 / 4])


def test_a_teller_prefers_what_more_of_those_in_range_lack() -> None:
    found = probabilities(Manner(greed=3.0, silence=1.0))
    assert found == pytest.approx([1 / 14, 3 / 14, 9 / 14, 0, 1 / 14])


def test_a_babbler_is_silent_when_it_picks_what_it_cannot_say() -> None:
    found = probabilities(Manner(blunder=1.0, silence=1.0))
    assert found == pytest.approx([1 / 5, 1 / 5, 1 / 5, 0, 2 / 5])


def test_draws_follow_the_odds() -> None:
    manner, rng, number = Manner(greed=3.0, silence=1.0), np.random.default_rng(0), 40_000
    single = first_agents_odds(manner)
    pieces = tuple(np.broadcast_to(p[:, None], (3, number)) for p in single.pieces)
    quiet, total = (np.broadcast_to(a[:, None], (3, number)) for a in (single.silence, single.total))
    said = draw(np, Odds(pieces, quiet, total), rng.integers(2**32, size=(3, number), dtype=np.uint32))[0]
    found = [float(np.mean(said == one)) for one in (1, 2, 4, 8, 0)]
    assert np.abs(np.asarray(found) - probabilities(manner)).max() < 0.01


def test_each_agent_speaks_in_its_own_manner() -> None:
    knows = np.asarray([bits(0, 1, 2)] * 3, dtype=np.uint32)
    manners = np.asarray([0, 1, 0], dtype=np.uint32)
    chances = odds(knows, knows[None], np.zeros(3, np.uint32), manners, (RECITE, BABBLE), PARAMS)
    assert chances.silence[0] == chances.silence[2] < chances.silence[1]
