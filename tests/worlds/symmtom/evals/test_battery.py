"""The battery: scripted optimal play is perfect in every scenario, chance is chance, and scores are what they say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from otherminds.worlds.symmtom.bits import unpack
from otherminds.worlds.symmtom.evals.battery import Trials, perform, score
from otherminds.worlds.symmtom.minds.scripted import RANDOM, STILL
from otherminds.worlds.symmtom.scenarios import Case, Scenario, find_scenario, scenario_names
from otherminds.worlds.symmtom.scenarios.solver.certify import pass_limit
from otherminds.worlds.symmtom.scenarios.solver.plans import is_paired, looks_of, shortest_play
from otherminds.worlds.symmtom.scenarios.staging import Staging, put_on, stagings
from otherminds.worlds.symmtom.scenarios.types import Deed
from otherminds.worlds.symmtom.types import SILENT, Action, Params, State

EPISODES = 48  # every staging of three agents, a quarter of those of four
TELLING = ("x", "y", "base_x", "base_y", "first_hand")  # what no two stagings have in common


def layout(state: State, act: int) -> tuple[Any, ...]:
    return tuple(tuple(np.asarray(getattr(state, name))[:, act].tolist()) for name in TELLING)


@cache
def best_plans(name: str) -> dict[str, tuple[Deed, ...]]:
    """What the best player does, by case. Who cannot tell cases apart begins with what helps most often."""
    scenario = find_scenario(name)
    plays = {case.name: shortest_play(scenario, case) for case in scenario.cases}
    if len(scenario.cases) == 1 or is_paired(scenario):
        return plays
    assert len({looks_of(scenario, case) for case in scenario.cases}) == 1
    by_weight = sorted(scenario.cases, key=lambda case: -case.weight)
    plan = tuple(deed for case in by_weight for deed in plays[case.name])
    return {case.name: plan for case in scenario.cases}


@dataclass(frozen=True, eq=False)
class Optimal:
    """Plays the best plans of a scenario; it knows which case and staging each world of a batch is."""

    scenario: Scenario
    turns_moves: bool = True  # with the board; else as if every layout were that of the file
    name: str = "optimal"
    sees_truth: bool = True

    def look(self, state: State, params: Params) -> State:
        return state

    def begin(self, state: State, params: Params) -> tuple[Any, ...]:
        ways = stagings(params.num_agents)
        found: dict[Any, Staging] = {}
        for case in self.scenario.cases:
            acts = put_on(self.scenario, [(case, way) for way in ways])
            found |= {layout(acts.start, number): way for number, way in enumerate(ways)}
        return 0, [found[layout(state, act)] for act in range(state.x.shape[1])]

    def act(self, memory: tuple[Any, ...], state: State, params: Params, key: Any) -> tuple[Action, Any]:
        turn, ways = memory
        move, piece = np.zeros(state.x.shape, np.int32), np.full(state.x.shape, SILENT, np.int32)
        each = len(ways) // len(self.scenario.cases)
        for act, way in enumerate(ways):
            case = self.scenario.cases[act // each]
            plan = best_plans(self.scenario.name)[case.name]
            deed = plan[min(max(0, turn - len(case.history)), len(plan) - 1)]
            move[way.seats[0], act] = way.move(deed.move) if self.turns_moves else deed.move
            piece[way.seats[0], act] = deed.piece
        return Action(move, piece), (turn + 1, ways)


# The bars


@pytest.mark.parametrize("name", scenario_names())
def test_scripted_optimal_play_succeeds_however_it_is_staged_and_as_fast_as_can_be(name: str) -> None:
    scenario = find_scenario(name)
    found = score(perform(scenario, Optimal(scenario), EPISODES, engine="numpy"))
    assert found.success == found.as_written == 1.0
    assert found.ratso == pytest.approx(1.0)
    assert found.as_written_ratso == pytest.approx(1.0)
    assert found.pair_joint == found.as_written_joint == (1.0 if is_paired(scenario) else None)


@pytest.mark.parametrize("name", scenario_names())
def test_a_random_movers_rate_is_its_computed_probability(name: str) -> None:
    """Within four standard errors and one trial of what the certificate says, for success and for passing."""
    scenario = find_scenario(name)
    assert scenario.certificate is not None
    trials = perform(scenario, RANDOM, 96, seed=3, engine="numpy")
    for row, case in enumerate(scenario.cases):
        says = scenario.certificate[case.name]
        for rate, chance in (
            ((trials.outcome[row] == 1).mean(), says["random_success"]),
            (trials.passed[row].mean(), says["random_pass"]),
        ):
            number = trials.outcome.shape[1]
            assert abs(rate - chance) <= 4 * np.sqrt(chance * (1 - chance) / number) + 1 / number


# Stagings


def test_the_layout_of_the_file_is_played_apart_from_all_the_others() -> None:
    """Who takes every layout for that of the file is perfect in that one, and in hardly any other."""
    scenario = find_scenario("order0_w6")
    found = score(perform(scenario, Optimal(scenario, turns_moves=False), 48, engine="numpy"))
    assert found.as_written == found.as_written_joint == found.as_written_ratso == 1.0
    assert found.pair_joint is not None
    assert found.pair_joint <= 0.25
    assert found.success < 0.75


@dataclass(frozen=True, eq=False)
class Watching:
    """Stands still and remembers how its worlds began."""

    starts: list[State]
    name: str = "watching"
    sees_truth: bool = False

    def look(self, state: State, params: Params) -> Any:
        return state

    def begin(self, state: State, params: Params) -> tuple[()]:
        self.starts.append(state)
        return ()

    def act(self, memory: Any, state: State, params: Params, key: Any) -> tuple[Action, Any]:
        return STILL.act((), STILL.look(state, params), params, key)


@pytest.mark.parametrize(("episodes", "ways", "seats"), [(48, 48, {0, 1, 2}), (96, 48, {0, 1, 2}), (8, 8, {0, 1, 2})])
def test_even_few_episodes_are_spread_over_symmetries_and_seats(episodes: int, ways: int, seats: set[int]) -> None:
    scenario, watching = find_scenario("order0_w6"), Watching([])
    perform(scenario, watching, episodes, engine="numpy")
    (state,) = watching.starts
    found = {layout(state, act) for act in range(episodes)}
    assert len(found) == ways
    tested = {row.index(1 << scenario.hands[0][0]) for *_, row in found}
    assert tested == seats
    as_written = put_on(scenario, [(scenario.cases[0], Staging())]).start
    apart = -(-episodes // 5)
    assert {layout(state, act) for act in range(episodes, episodes + apart)} == {layout(as_written, 0)}


def test_twins_are_played_in_the_same_stagings() -> None:
    scenario, watching = find_scenario("silence_w6"), Watching([])
    perform(scenario, watching, 10, engine="numpy")
    (state,) = watching.starts
    assert [layout(state, act) for act in range(12)] == [layout(state, act) for act in range(12, 24)]


@pytest.mark.parametrize(("name", "played"), [("order0_w6", 10), ("order1and2_w6", 20)])
def test_the_number_of_episodes_is_that_which_was_played(name: str, played: int) -> None:
    """A single case is played twice as often, and says so."""
    trials = perform(find_scenario(name), STILL, 10, engine="numpy")
    assert trials.outcome.shape[1] == score(trials).episodes == played


# Scores


@dataclass(frozen=True, eq=False)
class Guessing:
    """Stands still and finds what is true of others somewhat likelier than what is not."""

    sure: float
    name: str = "guessing"
    sees_truth: bool = True

    def look(self, state: State, params: Params) -> State:
        return state

    def begin(self, state: State, params: Params) -> tuple[()]:
        return ()

    def act(self, memory: tuple[()], state: State, params: Params, key: Any) -> tuple[Action, Any]:
        return Action(np.zeros(state.x.shape, np.int32), np.full(state.x.shape, SILENT, np.int32)), ()

    def believes(self, memory: tuple[()], state: State, params: Params) -> Any:
        knows = np.where(unpack(np, state.knowledge, params.num_pieces) > 0, self.sure, 1 - self.sure)
        return np.broadcast_to(knows, (params.num_agents, *knows.shape))


@pytest.mark.parametrize(("sure", "literal"), [(0.6, 1.0), (0.9, 1.0), (0.4, 0.0)])
def test_what_is_thought_likelier_than_not_counts_as_believed(sure: float, literal: float) -> None:
    assert score(perform(find_scenario("order0_w6"), Guessing(sure), 10, engine="numpy")).literal == literal


def by_hand(name: str, outcome: Any, turns: Any, knew: Any = None) -> Trials:
    return Trials(
        find_scenario(name),
        np.asarray(outcome),
        np.asarray(turns),
        None if knew is None else np.asarray(knew, dtype=bool),
    )


def test_every_rate_is_what_its_name_says() -> None:
    """Told takes 3 turns at best and is passed within 4, untold 2 and 3."""
    assert [pass_limit(case) for case in find_scenario("order0_w6").cases] == [4, 3]
    found = score(
        by_hand(
            "order0_w6",
            outcome=[[1, 1, 1, -1, 0], [1, 1, -1, 1, 1]],
            turns=[[3, 6, 4, 2, 30], [2, 3, 3, 8, 2]],
            knew=[[1, 1, 0, 0, 1], [0, 1, 0, 1, 0]],
        )
    )
    assert (found.success, found.failure, found.unfinished) == pytest.approx((0.7, 0.2, 0.1))
    assert found.by_case == pytest.approx({"told": 0.6, "untold": 0.8})
    assert found.ratso == pytest.approx((3 / 3 + 6 / 3 + 4 / 3 + 2 / 2 + 3 / 2 + 8 / 2 + 2 / 2) / 7)
    assert found.pair_joint == pytest.approx(1 / 5)
    assert found.literal == pytest.approx(0.5)
    assert found.knew_and_passed == pytest.approx(2 / 10)
    assert found.passed_unknowing == pytest.approx(3 / 10)
    assert found.as_written is None


def test_cases_count_by_how_often_they_are_drawn() -> None:
    """The first case of this scenario is drawn in 10 of 100 trials."""
    found = score(by_hand("graded_10_w6", outcome=[[1, 1], [0, -1]], turns=[[1, 3], [30, 4]]))
    assert (found.success, found.failure, found.unfinished) == pytest.approx((0.1, 0.45, 0.45))
    assert found.ratso == pytest.approx(2 / 1.1)
    mixed = score(by_hand("graded_10_w6", outcome=[[1, 1], [1, 1]], turns=[[2, 2], [1, 1]]))
    assert mixed.ratso == pytest.approx(1.0)


def test_without_success_there_is_no_ratso_and_without_twins_nothing_joint() -> None:
    found = score(by_hand("probabilistic_w6", outcome=[[0], [0]], turns=[[30], [30]]))
    assert (found.ratso, found.pair_joint, found.literal) == (None, None, None)


def test_a_case_is_won_in_the_turn_that_decides_it() -> None:
    scenario = find_scenario("contact_w6")
    case: Case = scenario.cases[0]
    trials = perform(replace(scenario, cases=(case,)), Optimal(replace(scenario, cases=(case,))), 4, engine="numpy")
    assert set(trials.turns.ravel().tolist()) == {case.turns}
