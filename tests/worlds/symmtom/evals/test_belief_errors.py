"""How near the truth beliefs are: the same errors as counted over sets by hand."""

from __future__ import annotations

from itertools import product
from typing import Any, ClassVar

import numpy as np
import pytest

from otherminds.core.errors import UserError
from otherminds.worlds.symmtom.beliefs import belief_rules
from otherminds.worlds.symmtom.beliefs.belief_rules import GREEDY
from otherminds.worlds.symmtom.evals.belief_errors import BeliefWatch, belief_rows, rules
from otherminds.worlds.symmtom.minds.belief_parts import find_belief
from otherminds.worlds.symmtom.minds.rollout import WatchedTurn, rollout_seats
from otherminds.worlds.symmtom.minds.scripted import HEURISTIC
from otherminds.worlds.symmtom.observe import perceive
from otherminds.worlds.symmtom.types import Params

PARAMS = Params.from_setting("n3_w4_c3", num_turns=8)


class Spy(BeliefWatch):
    """Keeps every turn that it is shown; only where Python runs at every turn."""

    turns: ClassVar[list[WatchedTurn]] = []

    def turn(self, memory: Any, turn: WatchedTurn, params: Params) -> Any:
        self.turns.append(turn)
        return super().turn(memory, turn, params)


def test_errors_are_those_counted_by_hand() -> None:
    Spy.turns.clear()
    found = rollout_seats(PARAMS, [HEURISTIC], [0, 0, 0], 0, 4, "numpy", watch=Spy(find_belief("greedy"))).watched
    belief = belief_rules.begin(perceive(Spy.turns[0].before, PARAMS), PARAMS, GREEDY)
    untrue, missed = np.zeros((3, 4)), np.zeros((3, 4))
    for turn in Spy.turns:
        belief = belief_rules.update(belief, perceive(turn.after, PARAMS), PARAMS, GREEDY)
        for i, j, p, w in product(range(3), range(3), range(3), range(4)):
            if i == j:
                continue
            held, true = belief.knows[i, j, w] >> p & 1, turn.after.knowledge[j, w] >> p & 1
            untrue[i, w] += held > true
            missed[i, w] += held < true
    assert untrue.sum() > 0
    assert missed.sum() > 0
    assert np.array_equal(found.untrue, untrue)
    assert np.array_equal(found.missed, missed)
    assert np.array_equal(found.squared, untrue + missed)
    assert (np.asarray(found.claims) == 8 * 2 * 3).all()


def test_where_nobody_speaks_nobody_errs() -> None:
    silent, talking = belief_rows(["still", "heuristic"], ["conservative"], episodes=20)
    assert silent["brier"] == silent["untrue"] == silent["missed"] == 0
    assert talking["brier"] > 0.02


def test_likelihoods_are_nearer_the_truth_than_witnessed_facts() -> None:
    scores = {row["belief"]: row for row in belief_rows(["heuristic"], ["conservative", "bayesian"], episodes=20)}
    assert scores["bayesian"]["brier"] < 0.5 * scores["conservative"]["brier"]
    assert 0 < scores["bayesian"]["standard_error"] < 0.05


@pytest.mark.parametrize("name", ["none", "zeroth", "oracle", "estimated", "recurrent", "second-order"])
def test_beliefs_without_a_rule_about_others_are_refused(name: str) -> None:
    with pytest.raises(
        UserError, match=f"'{name}' is not a rule about others' knowledge; expected {', '.join(rules())}"
    ):
        belief_rows(["heuristic"], [name])
